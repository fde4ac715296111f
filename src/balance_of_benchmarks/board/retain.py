"""The rankable part of a board: scores on [0, 1], aligned with models and benchmarks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, get_args

import numpy as np
import polars as pl

from balance_of_benchmarks.board.frames import shorten
from balance_of_benchmarks.board.scale import SCALE_KINDS, Column, Unmappable, map_column
from balance_of_benchmarks.board.settings import Adjustment, BoardSettings, Duplicates
from balance_of_benchmarks.errors import ArrayError, BoardError
from balance_of_benchmarks.types import FloatArray, IntArray

__all__ = ["RankableBoard", "retain_models"]

_NO_SCORES: Final = Unmappable("no model has a score on it", "add scores, or take it from the benchmarks' table")


@dataclass(frozen=True, slots=True, eq=False)
class RankableBoard:
    """What `Board.retain` keeps; rows and columns of everything are aligned.

    Parameters
    ----------
    scores : ndarray of shape (M, N), read-only
        In [0, 1], higher better; NaN where a model was not evaluated.
    models : polars.DataFrame
        M rows.
    benchmarks : polars.DataFrame
        N rows; a null `n_items` is filled from the cells where they agree on one.
    left_out : polars.DataFrame
        Columns `kind` ("model" or "benchmark"), `key`, `reason`.
    settings : BoardSettings
    adjustments : tuple of Adjustment
        From reading and from retaining.
    """

    scores: FloatArray
    models: pl.DataFrame
    benchmarks: pl.DataFrame
    left_out: pl.DataFrame
    settings: BoardSettings = field(default_factory=BoardSettings)
    adjustments: tuple[Adjustment, ...] = ()

    @property
    def descriptions(self) -> list[str | None]:
        """One text a benchmark, None where there is none or only white space."""
        return [text if text and text.strip() else None for text in self.benchmarks["description"].to_list()]

    @property
    def observed(self) -> IntArray:
        """Number of scores of each model, shape (M,)."""
        count: IntArray = (~np.isnan(self.scores)).sum(axis=1)
        return count

    @property
    def n_items(self) -> FloatArray:
        """Number of items of each benchmark, shape (N,); NaN where unknown."""
        return self.benchmarks["n_items"].cast(pl.Float64).fill_null(float("nan")).to_numpy()

    def __repr__(self) -> str:
        m, n = self.scores.shape
        counts = dict(self.left_out["kind"].value_counts().iter_rows())
        return (
            f"RankableBoard({self.settings.name!r}: {m} models, {n} benchmarks; "
            f"left out {counts.get('model', 0)} models, {counts.get('benchmark', 0)} benchmarks)"
        )


def retain_models(
    cells: pl.DataFrame,
    models: pl.DataFrame,
    benchmarks: pl.DataFrame,
    settings: BoardSettings,
    adjustments: tuple[Adjustment, ...],
    min_observed: int,
    duplicates: Duplicates,
    *,
    strict: bool = False,
) -> RankableBoard:
    """Map, align and select; `Board.retain` describes it."""
    if not isinstance(min_observed, int) or min_observed < 1:
        raise ArrayError(f"min_observed is {min_observed!r}: expected a whole number of at least 1")
    cells, merged = _merge_duplicates(cells.filter(pl.col("score").is_not_null()), duplicates)
    scores = _lay_out(cells, models["key"], benchmarks["key"])

    mapped, dropped, proposals = _map_columns(scores, benchmarks, settings.name)
    if strict:
        _refuse_proposals(proposals)
    columns = [i for i in range(benchmarks.height) if i not in dropped]
    scores = mapped[:, columns]
    observed = (~np.isnan(scores)).sum(axis=1)
    rows = np.flatnonzero(observed >= min_observed)
    short = np.flatnonzero(observed < min_observed)
    scores = scores[rows]

    # A column nobody retained has a score on would have neither curve nor residual.
    empty = np.atleast_1d(np.isnan(scores).all(axis=0)) if len(rows) else np.zeros(len(columns), dtype=bool)
    for place in np.flatnonzero(empty):
        dropped[columns[place]] = Unmappable("no retained model has a score on it", "a smaller min_observed")
    scores = np.ascontiguousarray(scores[:, ~empty])
    columns = [column for column, gone in zip(columns, empty, strict=True) if not gone]
    scores.flags.writeable = False

    left_out = [("model", models["key"][int(m)], f"{observed[m]} scores, {min_observed} needed") for m in short]
    left_out += [("benchmark", benchmarks["key"][i], why.reason) for i, why in sorted(dropped.items())]
    notes = [*adjustments, *merged, *proposals]
    notes += _note_dropped(dropped, benchmarks["key"])
    if short.size:
        notes.append(
            Adjustment(
                "models_left_out",
                tuple(models["key"][int(m)] for m in short),
                f"{short.size} of {models.height} models are left out: fewer than {min_observed} scores",
                f"--min-observed or min_observed below {min_observed}" if min_observed > 1 else None,
            )
        )
    return RankableBoard(
        scores=scores,
        models=models[rows.tolist()],
        benchmarks=_fill_items(benchmarks[columns], cells),
        left_out=pl.DataFrame(
            left_out, schema={"kind": pl.String, "key": pl.String, "reason": pl.String}, orient="row"
        ),
        settings=settings,
        adjustments=tuple(notes),
    )


def _note_dropped(dropped: dict[int, Unmappable], keys: pl.Series) -> list[Adjustment]:
    """Say which benchmarks are left out: those without a scale one by one, those without scores together."""
    notes = [
        Adjustment("benchmark_left_out", (keys[i],), f"{keys[i]} is left out: {why.reason}", why.fix)
        for i, why in sorted(dropped.items())
        if why is not _NO_SCORES
    ]
    unscored = tuple(keys[i] for i, why in sorted(dropped.items()) if why is _NO_SCORES)
    if unscored:
        message = f"{len(unscored)} of {keys.len()} benchmarks are left out: {_NO_SCORES.reason}: {shorten(unscored)}"
        notes.append(Adjustment("benchmark_left_out", unscored, message, _NO_SCORES.fix))
    return notes


def _merge_duplicates(cells: pl.DataFrame, rule: Duplicates) -> tuple[pl.DataFrame, list[Adjustment]]:
    if rule not in get_args(Duplicates):
        raise ArrayError(f"duplicates is {rule!r}: expected one of {', '.join(get_args(Duplicates))}")
    repeated = cells.filter(pl.struct("model", "benchmark").is_duplicated())
    if repeated.height == 0:
        return cells, []
    first = repeated.row(0, named=True)
    count = repeated.select("model", "benchmark").unique().height
    if rule == "error":
        raise BoardError(f"{first['model']!r} has several scores on {first['benchmark']!r}: expected one a cell")
    # A mean can be rounded past the scores it is of, and so past a bound.
    mean = pl.col("score").mean().clip(pl.col("score").min(), pl.col("score").max())
    value = mean if rule == "mean" else pl.col("score").last()
    kept = cells.group_by("model", "benchmark", maintain_order=True).agg(value, pl.col("n_items").last())
    where = tuple(repeated["benchmark"].unique(maintain_order=True).to_list())
    message = f"{count} cells have several scores, the first {first['model']!r} on {first['benchmark']!r}: {rule} taken"
    return kept, [Adjustment("duplicate_cells", where, message, "keep one row a cell")]


def _lay_out(cells: pl.DataFrame, models: pl.Series, benchmarks: pl.Series) -> FloatArray:
    scores = np.full((models.len(), benchmarks.len()), np.nan)
    row, column = (
        cells[name].replace_strict(keys, np.arange(keys.len()), return_dtype=pl.Int64).to_numpy().astype(np.int64)
        for name, keys in (("model", models), ("benchmark", benchmarks))
    )
    scores[row, column] = cells["score"].to_numpy()
    return scores


def _map_columns(
    scores: FloatArray, benchmarks: pl.DataFrame, board: str
) -> tuple[FloatArray, dict[int, Unmappable], list[Adjustment]]:
    """Put every column on [0, 1]; return it with the columns that have no place there and what was proposed."""
    mapped = np.full_like(scores, np.nan)
    dropped: dict[int, Unmappable] = {}
    proposals: list[Adjustment] = []
    declared = benchmarks.select("key", "lower", "upper", "higher_is_better", "metric", "chance")
    for i, known in enumerate(declared.iter_rows(named=True)):
        if np.isnan(scores[:, i]).all():
            dropped[i] = _NO_SCORES
            continue
        column = map_column(Column(scores=scores[:, i], board=board, **known))
        if isinstance(column, Unmappable):
            dropped[i] = column
            continue
        mapped[:, i] = column.scores
        proposals += column.adjustments
    return mapped, dropped, proposals


def _refuse_proposals(proposals: list[Adjustment]) -> None:
    guessed = [note for note in proposals if note.kind in SCALE_KINDS]
    if guessed:
        rest = f"; and {len(guessed) - 1} more" if len(guessed) > 1 else ""
        raise BoardError(f"{guessed[0].message}; strict refuses to assume it: {guessed[0].fix}{rest}")


def _fill_items(benchmarks: pl.DataFrame, cells: pl.DataFrame) -> pl.DataFrame:
    """Take a benchmark's number of items from its cells where they agree on one and it has none of its own."""
    counted = cells.filter(pl.col("n_items").is_not_null()).group_by("benchmark")
    agreed = counted.agg(pl.col("n_items").unique()).filter(pl.col("n_items").list.len() == 1)
    items = dict(zip(agreed["benchmark"], agreed["n_items"].list.first(), strict=True))
    found = pl.Series([items.get(key) for key in benchmarks["key"]], dtype=pl.Int64)
    return benchmarks.with_columns(n_items=benchmarks["n_items"].fill_null(found))
