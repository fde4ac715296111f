"""Wide tables: one row a model and one column a benchmark, or the other way round."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from balance_of_benchmarks.board.board import BENCHMARK_COLUMNS, MODEL_COLUMNS
from balance_of_benchmarks.board.frames import conform, normalize_names, shorten
from balance_of_benchmarks.board.margins import explain_beside, read_scores
from balance_of_benchmarks.board.numbers import has_percent_sign, resembles_number, without_missing
from balance_of_benchmarks.board.settings import Adjustment
from balance_of_benchmarks.board.tables import type_columns
from balance_of_benchmarks.errors import BoardError
from balance_of_benchmarks.sources.headings import is_aggregate, is_fact, name_asides
from balance_of_benchmarks.sources.reading import Reading
from balance_of_benchmarks.types import BoolArray, FloatArray

__all__ = ["as_plain", "declare_percent", "read_transposed", "read_wide"]

_LINK: Final = re.compile(r"^\s*(?:\[(?P<md>[^\]]+)\]\([^)]*\)|<a\b[^>]*>(?P<html>[^<]+)</a>)\s*$")


def read_wide(
    table: pl.DataFrame,
    keys: str,
    described: list[str],
    columns: list[str],
    place: str,
    notes: tuple[Adjustment, ...],
) -> Reading:
    """Make a reading of a table of one row a model and one column a benchmark.

    Parameters
    ----------
    table : polars.DataFrame
    keys : str
        Its column of models.
    described : list of str
        Columns that describe them.
    columns : list of str
        All others, which hold numbers.
    place : str
        What to call it in errors.
    notes : tuple of Adjustment
        What was assumed of it.

    Returns
    -------
    Reading
    """
    if "" in columns:
        raise BoardError(f"{place} has a column without a name: expected each benchmark's column named")
    table, dropped = _drop_settings(table, keys, columns)
    notes = (*notes, *dropped)
    grid = _parse_columns(table, columns, place)
    scores = grid.scores
    names = without_missing(table[keys].cast(pl.String).map_elements(as_plain, pl.String))
    unnamed = names.is_null().to_numpy()
    lost = np.flatnonzero(unnamed & ~np.isnan(scores).all(axis=0))
    if lost.size:
        raise BoardError(f"{place} row {lost[0] + 1} has scores and no {keys or 'name'}: expected a model's name")
    of_all = np.array([name is not None and is_aggregate(name) for name in names], dtype=bool)
    if of_all.any() and not (unnamed | of_all).all():
        listed = names.filter(pl.Series(of_all)).to_list()
        message = f"left aside: the rows {shorten(listed)}, aggregates of models"
        notes = (*notes, Adjustment("left_aside", tuple(listed), message, "call them otherwise if they are models"))
        unnamed |= of_all
    scores[:, unnamed] = np.nan
    asides = name_asides(columns, scores)
    # Not by pl.col: a column may be called like a pattern, and a text beside the models may be called key.
    models = pl.DataFrame({"key": names, **{"key_given" if c == "key" else c: table[c] for c in described}})
    models = type_columns(models.filter(pl.Series(~unnamed)), MODEL_COLUMNS, place)
    measures = _stack(grid, columns, names)
    reasons = measures["benchmark"].replace_strict(asides, default=None, return_dtype=pl.String) if asides else None
    return Reading(
        measures=measures.with_columns(aside=reasons if reasons is not None else pl.lit(None, pl.String)),
        # Benchmarks and models without a score stay listed: retaining, not reading, leaves them out.
        models=models.unique("key", keep="first", maintain_order=True),
        benchmarks=pl.DataFrame({"key": [c for c in columns if c not in asides]}, schema={"key": pl.String}),
        adjustments=(*notes, *grid.notes),
    )


def read_transposed(table: pl.DataFrame, benchmarks: str, kinds: Mapping[str, str], place: str) -> Reading:
    """Make a reading of a table of one row a benchmark and one column a model.

    Parameters
    ----------
    table : polars.DataFrame
    benchmarks : str
        Its column of benchmarks.
    kinds : mapping of str to str
        "number" or "text" by column; those of numbers are models, if a board knows nothing of the name.
    place : str
        What to call it in errors.

    Returns
    -------
    Reading
    """
    others = [column for column in table.columns if column not in (benchmarks, "")]
    models = [c for c in others if kinds[c] == "number" and c.lower() not in BENCHMARK_COLUMNS and not is_aggregate(c)]
    if not models:
        raise BoardError(
            f"{place} has the columns {shorten(table.columns)}: expected model, benchmark and score, "
            "or one column named model and one for each benchmark"
        )
    table, notes = _drop_facts(table, benchmarks, models)
    grid = _parse_columns(table, models, place)
    scores = grid.scores
    names = without_missing(table[benchmarks].cast(pl.String).map_elements(as_plain, pl.String))
    lost = np.flatnonzero(names.is_null().to_numpy() & ~np.isnan(scores).all(axis=0))
    if lost.size:
        raise BoardError(f"{place} row {lost[0] + 1} has scores and no {benchmarks}: expected a benchmark's name")
    measures = _stack(grid.turn(), names.to_list(), pl.Series(models, dtype=pl.String))
    described = {c: table[c] for c in others if c not in models and not is_aggregate(c)}
    known = normalize_names(pl.DataFrame({**described, "": names}), BENCHMARK_COLUMNS).rename({"": "key"})
    known = type_columns(known.drop_nulls("key"), BENCHMARK_COLUMNS, place)
    message = f"{place}: each row is taken for a benchmark, by {benchmarks!r}, and each column of numbers for a model"
    return Reading(
        measures=measures,
        models=pl.DataFrame({"key": models}),
        benchmarks=conform(known, BENCHMARK_COLUMNS, place, keys=("key",)).unique(
            "key", keep="first", maintain_order=True
        ),
        adjustments=(
            Adjustment("table_transposed", (), message, "name the column of models model"),
            *notes,
            *grid.notes,
        ),
    )


def _drop_settings(table: pl.DataFrame, keys: str, columns: list[str]) -> tuple[pl.DataFrame, tuple[Adjustment, ...]]:
    """Drop rows of no model that say how benchmarks were run, such as "5-shot" under each, as papers set them."""
    unnamed = without_missing(table[keys].cast(pl.String)).is_null()
    if not unnamed.any():
        return table, ()
    said, number = _find_said(table.filter(unnamed), columns)
    settings = unnamed.clone()
    settings[unnamed.arg_true()] = said & ~number
    if not settings.any():
        return table, ()
    values = table.filter(settings)[columns].row(0)
    message = f"left aside: {settings.sum()} rows without a model and without a number: {shorten(values)}"
    return table.filter(~settings), (Adjustment("lines_skipped", (), message, "take them out"),)


def _find_said(table: pl.DataFrame, columns: list[str]) -> tuple[pl.Series, pl.Series]:
    """Tell of each row whether anything is written in these columns, and whether any of it is meant as a number."""
    said, number = (pl.Series([False] * table.height, dtype=pl.Boolean) for _ in range(2))
    for column in columns:
        value = without_missing(table[column].cast(pl.String))
        said, number = said | value.is_not_null(), number | resembles_number(value)
    return said, number


def _drop_facts(table: pl.DataFrame, benchmarks: str, models: list[str]) -> tuple[pl.DataFrame, tuple[Adjustment, ...]]:
    """Drop rows that say something of the models and are no scores: by their name, or for want of any number."""
    said, number = _find_said(table, models)
    names = table[benchmarks].cast(pl.String)
    facts = pl.Series([name is not None and is_fact(name) for name in names], dtype=pl.Boolean) | (said & ~number)
    if not facts.any():
        return table, ()
    listed = [str(name) for name in table[benchmarks].filter(facts)]
    message = f"left aside: the rows {shorten(listed)}, facts on models, not scores"
    note = Adjustment("left_aside", tuple(listed), message, "call them otherwise if they are benchmarks")
    return table.filter(~facts), (note,)


def declare_percent(table: pl.DataFrame, percent: pl.Series) -> pl.DataFrame:
    """Declare the bounds of long scores where a percent sign says them; `percent` marks the scores that had one."""
    if not percent.any():
        return table
    signed = pl.DataFrame({"benchmark": table["benchmark"], "percent": percent, "score": table["score"]})
    some = signed.group_by("benchmark").agg(
        signed=pl.col("percent").any(), largest_plain=pl.col("score").filter(~pl.col("percent")).max()
    )
    table = table.with_columns(percent=percent).join(some, on="benchmark", how="left", maintain_order="left")
    fractions = pl.col("signed") & (pl.col("largest_plain") <= 1).fill_null(value=False)
    scaled = [column for column in ("score", "standard_error") if column in table.columns]
    return table.with_columns(
        *(pl.when(fractions & pl.col("percent")).then(pl.col(c) / 100).otherwise(pl.col(c)).alias(c) for c in scaled),
        lower=pl.when(pl.col("signed")).then(0.0),
        upper=pl.when(pl.col("signed")).then(pl.when(fractions).then(1.0).otherwise(100.0)),
    ).drop("percent", "signed", "largest_plain")


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """Columns read as numbers, shape (columns, rows): scores, errors where any has one, where percent signs were."""

    scores: FloatArray
    percent: BoolArray
    errors: FloatArray | None
    notes: tuple[Adjustment, ...]

    def turn(self) -> _Grid:
        return _Grid(self.scores.T, self.percent.T, None if self.errors is None else self.errors.T, self.notes)


def _parse_columns(table: pl.DataFrame, columns: list[str], place: str) -> _Grid:
    shape = len(columns), table.height
    scores, percent = np.full(shape, np.nan), np.zeros(shape, dtype=bool)
    plain = np.zeros(shape[0], dtype=bool)
    # By index, not `select`: a column may be called "*", which there means all of them.
    texts = [i for i, dtype in enumerate(table[columns].dtypes) if dtype == pl.String]
    if texts and table.height:
        # All at once what are plain numbers, as nearly all columns are; the others one by one, to say what is wrong.
        values = without_missing(pl.concat([table[columns[i]].alias("value") for i in texts], rechunk=True))
        numbers = values.cast(pl.Float64, strict=False)
        fits = (numbers.is_finite().fill_null(value=False) | values.is_null()).to_numpy()
        scores[texts] = numbers.to_numpy().reshape(-1, table.height)
        plain[texts] = fits.reshape(-1, table.height).all(axis=1)
    others = {i: read_scores(table[columns[i]], f"{place}: column {columns[i]!r}") for i in np.flatnonzero(~plain)}
    errors = np.full(shape, np.nan) if any(read.errors is not None for read in others.values()) else None
    for i, read in others.items():
        scores[i] = read.numbers.to_numpy()
        percent[i] = has_percent_sign(table[columns[i]]).to_numpy()
        if errors is not None and read.errors is not None:
            errors[i] = read.errors.to_numpy()
    return _Grid(scores, percent, errors, explain_beside({columns[i]: read for i, read in others.items()}, place))


def _stack(grid: _Grid, columns: list[str], names: pl.Series) -> pl.DataFrame:
    """Make a long table of scores, with the bounds that percent signs declare."""
    column, row = np.nonzero(~np.isnan(grid.scores))
    measures = pl.DataFrame(
        {
            "model": names.gather(row),
            "benchmark": pl.Series(columns, dtype=pl.String).gather(column),
            "score": grid.scores[column, row],
        }
    )
    if grid.errors is not None:
        measures = measures.with_columns(standard_error=pl.Series(grid.errors[column, row]).fill_nan(None))
    return declare_percent(measures, pl.Series(grid.percent[column, row]))


def as_plain(name: str) -> str:
    """Take the words of a link, as which web pages export names."""
    link = _LINK.match(name)
    return (link["md"] or link["html"]).strip() if link else name
