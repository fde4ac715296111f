"""What a leaderboard is: scores, benchmarks and models in one validated, frozen Board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import polars as pl

from balance_of_benchmarks.board.frames import conform, normalize_names, to_polars
from balance_of_benchmarks.board.retain import RankableBoard, retain_models
from balance_of_benchmarks.board.settings import Adjustment, BoardSettings, Duplicates, SourceFile
from balance_of_benchmarks.errors import BoardError, name_unknown

__all__ = ["BENCHMARK_COLUMNS", "CELL_COLUMNS", "MODEL_COLUMNS", "Board"]

CELL_COLUMNS: Final[dict[str, pl.DataType]] = {
    "model": pl.String(),
    "benchmark": pl.String(),
    "score": pl.Float64(),
    "standard_error": pl.Float64(),
    "n_items": pl.Int64(),
    "source": pl.String(),
    "date": pl.String(),
}
"""The long table as read; a source may add columns after these."""

MODEL_COLUMNS: Final[dict[str, pl.DataType]] = {
    "key": pl.String(),
    "name": pl.String(),
    "creator": pl.String(),
    "release_date": pl.Date(),
    "price_input": pl.Float64(),
    "price_output": pl.Float64(),
    "price_blended": pl.Float64(),
    "output_tokens_per_second": pl.Float64(),
    "seconds_to_first_token": pl.Float64(),
    "open_weights": pl.Boolean(),
}
"""What is known of models; prices in US dollars per million tokens. Anything else a source has is kept."""

BENCHMARK_COLUMNS: Final[dict[str, pl.DataType]] = {
    "key": pl.String(),
    "name": pl.String(),
    "description": pl.String(),
    "paraphrase": pl.String(),
    "n_items": pl.Int64(),
    "category": pl.String(),
    "metric": pl.String(),
    "lower": pl.Float64(),
    "upper": pl.Float64(),
    "higher_is_better": pl.Boolean(),
    "chance": pl.Float64(),
}
"""What is known of benchmarks; null bounds and direction are proposed when the board is ranked."""


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A leaderboard as its source has it, on its own scales, short rows and all.

    Build one with `read_board`; this constructor validates what it is given and completes the tables: missing
    standard columns come in as nulls, and a key that only the cells name gets a row.

    Parameters
    ----------
    cells : polars.DataFrame
        `CELL_COLUMNS`, one row a score as read. A null score was listed but not evaluated; zero is a score.
    models : polars.DataFrame
        `MODEL_COLUMNS`, one row a model.
    benchmarks : polars.DataFrame
        `BENCHMARK_COLUMNS`, one row a benchmark.
    settings : BoardSettings
        Name, source and what else `board.toml` says of the board as a whole.
    adjustments : tuple of Adjustment
        What reading changed or left aside.
    sources : tuple of SourceFile
        The files it was made of.

    Raises
    ------
    BoardError
        For a missing or repeated key, an infinite score, a lower bound not below the upper one.
    """

    cells: pl.DataFrame
    models: pl.DataFrame = field(default_factory=pl.DataFrame)
    benchmarks: pl.DataFrame = field(default_factory=pl.DataFrame)
    settings: BoardSettings = field(default_factory=BoardSettings)
    adjustments: tuple[Adjustment, ...] = ()
    sources: tuple[SourceFile, ...] = ()

    def __post_init__(self) -> None:
        cells = conform(self.cells, CELL_COLUMNS, "cells", keys=("model", "benchmark"))
        infinite = cells.filter(pl.col("score").is_infinite())
        if infinite.height:
            row = infinite.row(0, named=True)
            raise BoardError(
                f"the score of {row['model']!r} on {row['benchmark']!r} is {row['score']}: "
                "expected a finite number, or nothing where it was not evaluated"
            )
        cells = cells.with_columns(pl.col("score").fill_nan(None))
        models = _complete(self.models, MODEL_COLUMNS, "models", cells["model"])
        benchmarks = _complete(self.benchmarks, BENCHMARK_COLUMNS, "benchmarks", cells["benchmark"])
        benchmarks = _read_direction(benchmarks)
        _check_bounds(benchmarks)
        _check_items(cells, "cells")
        _check_items(benchmarks, "benchmarks")
        object.__setattr__(self, "cells", cells)
        object.__setattr__(self, "models", models)
        object.__setattr__(self, "benchmarks", benchmarks)

    @property
    def name(self) -> str:
        """What to call the board."""
        return self.settings.name

    def __repr__(self) -> str:
        return (
            f"Board({self.name!r}: {self.models.height} models, {self.benchmarks.height} benchmarks, "
            f"{self.cells['score'].count()} scores)"
        )

    def retain(self, min_observed: int = 5, *, duplicates: Duplicates = "mean", strict: bool = False) -> RankableBoard:
        """Keep what can be ranked: models with enough scores, columns on [0, 1], everything aligned.

        Parameters
        ----------
        min_observed : int
            Models with fewer scores are left out; the paper takes 5.
        duplicates : {"mean", "last", "error"}
            What to do where one model has several scores on one benchmark.
        strict : bool
            Refuse to assume anything of a benchmark's scale, its direction or what stands for missing.

        Returns
        -------
        RankableBoard
            It names what was left out and why. It may be too short to rank, which is said when it is ranked.

        Raises
        ------
        BoardError
            With ``duplicates="error"``, for the first duplicate; with ``strict``, for the first assumption.
        """
        return retain_models(
            self.cells,
            self.models,
            self.benchmarks,
            self.settings,
            self.adjustments,
            min_observed,
            duplicates,
            strict=strict,
        )

    def select(self, *, models: Sequence[str] | None = None, benchmarks: Sequence[str] | None = None) -> Board:
        """Take a part of the board, by keys, in the order given.

        Parameters
        ----------
        models, benchmarks : sequence of str, optional
            Keys to keep; all when omitted.

        Returns
        -------
        Board

        Raises
        ------
        BoardError
            For a key that is not on the board, with the nearest that is.
        """
        chosen_models = _choose(self.models, models, "models")
        chosen_benchmarks = _choose(self.benchmarks, benchmarks, "benchmarks")
        cells = self.cells.filter(
            pl.col("model").is_in(chosen_models["key"].implode())
            & pl.col("benchmark").is_in(chosen_benchmarks["key"].implode())
        )
        return replace(self, cells=cells, models=chosen_models, benchmarks=chosen_benchmarks)


def _complete(table: pl.DataFrame, columns: dict[str, pl.DataType], name: str, used: pl.Series) -> pl.DataFrame:
    """Bring a table of models or benchmarks into shape and give every key that cells use a row."""
    table = to_polars(table)
    if table.width == 0:
        table = pl.DataFrame(schema={"key": pl.String()})
    table = normalize_names(table, [*columns, name.removesuffix("s")])
    if "key" not in table.columns and name.removesuffix("s") in table.columns:
        table = table.rename({name.removesuffix("s"): "key"})
    table = conform(table, columns, name, keys=("key",))
    repeated = table.filter(pl.col("key").is_duplicated())
    if repeated.height:
        raise BoardError(f"{name} lists {repeated['key'][0]!r} more than once: expected each key once")
    unlisted = used.unique(maintain_order=True)
    unlisted = unlisted.filter(~unlisted.is_in(table["key"].implode()))
    table = pl.concat([table, pl.DataFrame({"key": unlisted})], how="diagonal")
    return table.with_columns(pl.col("name").fill_null(pl.col("key")))


def _read_direction(benchmarks: pl.DataFrame) -> pl.DataFrame:
    """Take `lower_is_better`, which some sources have, for the opposite of `higher_is_better` where that is null."""
    if "lower_is_better" not in benchmarks.columns:
        return benchmarks
    opposite = pl.DataFrame({"key": benchmarks["key"], "lower_is_better": benchmarks["lower_is_better"]})
    lower = conform(opposite, {"key": pl.String(), "lower_is_better": pl.Boolean()}, "benchmarks", keys=("key",))
    return benchmarks.with_columns(higher_is_better=benchmarks["higher_is_better"].fill_null(~lower["lower_is_better"]))


def _check_items(table: pl.DataFrame, name: str) -> None:
    wrong = (table["n_items"] < 1).fill_null(value=False).arg_true()
    if wrong.len():
        row = wrong[0]
        raise BoardError(f"{name} row {row + 1} has n_items = {table['n_items'][row]}: expected at least 1 or nothing")


def _check_bounds(benchmarks: pl.DataFrame) -> None:
    wrong = benchmarks.filter(
        (pl.col("lower") >= pl.col("upper")) | pl.col("lower").is_infinite() | pl.col("upper").is_infinite()
    )
    if wrong.height:
        row = wrong.row(0, named=True)
        raise BoardError(
            f"benchmark {row['key']!r} runs from lower = {row['lower']} to upper = {row['upper']}: "
            "expected finite bounds, the lower below the upper"
        )


def _choose(table: pl.DataFrame, keys: Sequence[str] | None, name: str) -> pl.DataFrame:
    if keys is None:
        return table
    if isinstance(keys, str):
        raise BoardError(f"{name} is the string {keys!r}: expected a list of keys")
    known = table["key"].to_list()
    place = {key: i for i, key in enumerate(known)}
    for key in keys:
        if key not in place:
            raise BoardError(name_unknown(f"the board's {name}", key, known))
    return table[[place[key] for key in dict.fromkeys(keys)]]
