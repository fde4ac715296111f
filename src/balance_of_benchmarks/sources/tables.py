"""Plain tables of scores, long or wide, in any file or data frame: what nobody else recognises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import polars as pl

from balance_of_benchmarks.board.board import BENCHMARK_COLUMNS, CELL_COLUMNS, MODEL_COLUMNS
from balance_of_benchmarks.board.frames import conform, normalize_names, refuse_patterns, shorten, to_polars
from balance_of_benchmarks.board.margins import explain_beside, read_scores
from balance_of_benchmarks.board.numbers import has_percent_sign
from balance_of_benchmarks.board.settings import Adjustment
from balance_of_benchmarks.board.tables import MOST_COLUMNS, type_columns
from balance_of_benchmarks.errors import BoardError
from balance_of_benchmarks.sources.columns import describes, name_after, name_columns, name_model, tell_columns
from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.headings import (
    BENCHMARK_NAMES,
    MODEL_NAMES,
    SCORE_NAMES,
    find_column,
    is_fact,
    names_nothing,
)
from balance_of_benchmarks.sources.merge import stack_frames
from balance_of_benchmarks.sources.reading import MEASURE_COLUMNS, Choice, Format, Reading
from balance_of_benchmarks.sources.rows import find_rows, lay_out_rows
from balance_of_benchmarks.sources.wide import declare_percent, read_transposed, read_wide

__all__ = ["FORMAT", "read_frame"]

_NO_SCORES: Final = "expected model, benchmark and score"
_ASSUMED: Final = frozenset(("model_column_assumed", "model_unnamed"))
_LONG: Final = ("model", "benchmark", "score")


def read_frame(frame: Any, place: str) -> Reading:
    """Make a reading of one table of scores.

    Parameters
    ----------
    frame : data frame
        Long, with the columns model, benchmark (or task, dataset, ...) and score (or value, ..., or the only one of
        numbers) and one row a score; or wide, one row a model, with a column model (or model_name, key, name, system,
        ...) of keys, by default the first where it is one of texts. Of a wide table's other columns those that a
        board knows of models (name, creator, release_date, ...) and those of texts describe them, and every other is
        a benchmark; ranks, sizes, prices, averages of others and standard errors are left aside. A column of
        benchmarks and none of models makes every other column a model.
    place : str
        What to call it in errors.

    Returns
    -------
    Reading

    Raises
    ------
    BoardError
        When it is neither.

    Notes
    -----
    A table with a column description and none of models describes benchmarks: it adds to the scores it is given with.
    """
    if not isinstance(frame, pl.DataFrame):
        frame = to_polars(frame)
    if frame.width > MOST_COLUMNS:
        raise BoardError(f"{place} has over {MOST_COLUMNS:,} columns: expected a long table of that many benchmarks")
    refuse_patterns(frame.columns, place)
    table = normalize_names(frame, [*_LONG, "metric"])
    if describes(table):
        return _read_descriptions(table, place)
    table, assumed = _name_long_columns(_join_filters(table), place)
    if set(_LONG) <= set(table.columns):
        return _read_long(table, place, assumed)
    kinds = tell_columns(table)
    keys, notes = _find_keys(table, kinds, place)
    benchmarks = _find(table, BENCHMARK_NAMES)
    if benchmarks is not None and (keys is None or notes):
        return read_transposed(table, benchmarks, kinds, place)
    described = [column for column in table.columns if column in MODEL_COLUMNS and column not in ("key", keys)]
    texts = [c for c in table.columns if c not in (keys, *described) and kinds[c] == "text"]
    others = {keys, *described, *texts}
    columns = [column for column in table.columns if column not in others]
    if keys is None or not columns:
        raise BoardError(
            f"{place} has the columns {shorten(table.columns)}: {_NO_SCORES}, "
            "or one column named model and one for each benchmark"
        )
    return read_wide(table, keys, [*described, *texts], columns, place, notes)


def _find(table: pl.DataFrame, names: tuple[str, ...]) -> str | None:
    return find_column(table.columns, names)


def _find_keys(table: pl.DataFrame, kinds: dict[str, str], place: str) -> tuple[str | None, tuple[Adjustment, ...]]:
    """Find the column of models: by its name, or the first where it is one of texts, all different."""
    # A pandas index without a name comes in as a column without one.
    named = _find(table, (*MODEL_NAMES, ""))
    if named is not None or table.width < 2 or table.height < 2 or _find(table, ("description",)) is not None:
        return named, ()
    first = table.to_series(0)
    scored = any(kinds[column] == "number" for column in table.columns[1:])
    if not scored or kinds[first.name] != "text" or first.is_duplicated().any() or first.has_nulls():
        return None, ()
    message = f"{place}: the column {first.name!r} is taken for the models"
    return first.name, (Adjustment("model_column_assumed", (), message, "call it model"),)


def _read_descriptions(table: pl.DataFrame, place: str) -> Reading:
    table = normalize_names(table, [*BENCHMARK_COLUMNS, *BENCHMARK_NAMES])
    key = next(name for name in ("key", *BENCHMARK_NAMES) if name in table.columns)
    table = type_columns(table.rename({key: "key"}), BENCHMARK_COLUMNS, place)
    return Reading(benchmarks=conform(table, BENCHMARK_COLUMNS, place, keys=("key",)))


def _join_filters(table: pl.DataFrame) -> pl.DataFrame:
    """Make one name of a metric and of how answers were filtered for it, as lm-evaluation-harness prints them apart."""
    filters = find_column(table.columns, ("filter",))
    if filters is None or "metric" not in table.columns:
        return table
    return table.with_columns(metric=pl.concat_str("metric", pl.col(filters).fill_null("none"), separator=","))


def _name_long_columns(table: pl.DataFrame, place: str) -> tuple[pl.DataFrame, tuple[Adjustment, ...]]:
    """Give what other people call a long table's columns our names, where only one column can be meant."""
    model = _find(table, MODEL_NAMES)
    listed = [column for column in table.columns if column.strip().lower() in BENCHMARK_NAMES]
    if set(_LONG) <= set(table.columns) or model is None or not listed:
        return table, ()
    benchmark = "benchmark" if "benchmark" in listed else listed[0]
    # One row a model: a wide table, but for one of a single column that is called a score.
    repeated = table[model].is_duplicated().any()
    kinds = tell_columns(table)
    taken = (model, *listed, *(name for name in CELL_COLUMNS if name != "score"))
    numbers = [column for column in table.columns if kinds[column] == "number" and column not in taken]
    scores = [column for column in numbers if not is_fact(column)]
    # A column that is called score is the one, even if what it says is no number: that is then said.
    named = "score" if "score" in table.columns else _find(table[scores], SCORE_NAMES)
    if not scores or (not repeated and scores != [named]):
        return table, ()
    if (named is None and len(scores) > 1) or (len(listed) > 1 and benchmark != "benchmark"):
        several, noun = (scores, "score") if named is None and len(scores) > 1 else (listed, "benchmark")
        raise BoardError(f"{place} has rows of models on benchmarks, and {shorten(several)}: call one of them {noun}")
    notes: tuple[Adjustment, ...] = ()
    if named is None:
        message = f"{place}: the column {scores[0]!r} is taken for the scores"
        notes = (Adjustment("score_column_assumed", (), message, "call it score"),)
    return table.rename({model: "model", benchmark: "benchmark", named or scores[0]: "score"}), notes


def _read_long(table: pl.DataFrame, place: str, notes: tuple[Adjustment, ...]) -> Reading:
    raw = table["score"]
    # These two have a meaning of ours in a reading; in somebody's table they are columns like any other.
    table = table.rename({name: f"{name}_given" for name in ("aside", "preference") if name in table.columns})
    read = read_scores(raw, f"{place}: column score")
    table = table.with_columns(score=read.numbers)
    if read.errors is not None:
        given = "standard_error" in table.columns
        error = (
            pl.coalesce(pl.col("standard_error").cast(pl.Float64, strict=False), read.errors) if given else read.errors
        )
        table = table.with_columns(standard_error=error)
    # A line of nothing but marks between values is how spreadsheets write an empty one.
    said = pl.any_horizontal(pl.col(*_LONG).is_not_null()) if table.width else pl.lit(value=True)
    table, raw = table.filter(said), raw.filter(table.select(said.alias("said"))["said"])
    typed = type_columns(table, {**CELL_COLUMNS, **MEASURE_COLUMNS}, place)
    present = {name: dtype for name, dtype in MEASURE_COLUMNS.items() if name in table.columns}
    typed = conform(typed, present, place, keys=("model", "benchmark"))
    # What is written with a sign is a share of a hundred, whatever stands beside it.
    notes = (*notes, *explain_beside({"score": read}, place))
    return Reading(measures=declare_percent(typed, has_percent_sign(raw)), adjustments=notes)


def _is_table(document: Document) -> bool:
    return document.kind in ("table", "tables") or bool(find_rows(document)[0])


def _read(document: Document, choice: Choice) -> Reading:  # noqa: ARG001 - every format's signature
    if document.kind == "tables":
        return _read_several(document)
    frame = document.table
    notes: tuple[Adjustment, ...] = ()
    if frame is None:
        rows, notes = find_rows(document)
        frame = lay_out_rows(rows, str(document.path))
    if document.above:
        message = f"{document.name}: passed over above its table: {shorten(document.above)}"
        notes = (Adjustment("lines_skipped", (document.name,), message, "take them out"),)
    frame, unnamed = name_model(name_columns(frame, str(document.path)), document)
    reading = _read_one(frame, str(document.path))
    reading = replace(reading, adjustments=(*notes, *unnamed, *reading.adjustments))
    return (
        reading
        if names_nothing(document.stem)
        else name_after(reading, document.stem, f"{document.name}, after the file")
    )


def _read_one(frame: pl.DataFrame, place: str) -> Reading:
    reading = read_frame(frame, place)
    if reading.models.height + reading.measures.height == 0 and not describes(frame):
        raise BoardError(f"{place} has the columns {shorten(frame.columns)} and no rows: expected scores")
    return reading


def _read_several(document: Document) -> Reading:
    """Join the tables of a text that hold scores.

    Notes
    -----
    A benchmark of one name in two of them is one benchmark, unless a model has scores in both: then it is called by
    the heading too, since a table for each way of asking is what that mostly means.
    """
    readings: dict[str, Reading] = {}
    passed: dict[str, str] = {}
    for title, frame in document.content.items():
        place = f"{document.path}, the table under {title!r}"
        try:
            frame, unnamed = name_model(name_columns(frame, place), document)
            reading = _read_one(frame, place)
        except BoardError as error:
            passed[title] = str(error)
            continue
        if reading.measures.height:
            reading = replace(reading, adjustments=(*unnamed, *reading.adjustments))
            readings[title] = name_after(reading, title, f"{document.name}, after the heading")
    # Beside tables that name their models, the first column of another one is something else: sizes, settings.
    guessed = [title for title, reading in readings.items() if _ASSUMED & {note.kind for note in reading.adjustments}]
    if len(guessed) < len(readings):
        passed |= dict.fromkeys(guessed, "no column of models")
        readings = {title: reading for title, reading in readings.items() if title not in guessed}
    if not readings:
        why = next(iter(passed.values()), f"{document.path} has tables without scores")
        raise BoardError(f"none of {len(document.content)} tables has scores, the first: {why}")
    twice = _find_repeated(list(readings.values()))
    named = [_prefix(reading, title, twice) for title, reading in readings.items()]
    message = f"{document.name}: read as one board: the tables under {shorten(readings)}"
    message += f"; passed over: those under {shorten(passed)}" if passed else ""
    note = Adjustment("tables_joined", tuple(readings), message, "save the table you mean as a file of its own")
    spoiled = [
        Adjustment("table_skipped", (title,), f"passed over, though it names models: {why}", "correct it")
        for title, why in passed.items()
        if _NO_SCORES not in why and find_column(document.content[title].columns, MODEL_NAMES)
    ]
    return Reading(
        measures=stack_frames([reading.measures for reading in named]),
        models=stack_frames([reading.models for reading in named]).unique("key", keep="first", maintain_order=True),
        benchmarks=stack_frames([reading.benchmarks for reading in named]).unique(
            "key", keep="first", maintain_order=True
        ),
        adjustments=(note, *spoiled, *(note for reading in named for note in reading.adjustments)),
    )


def _find_repeated(readings: Sequence[Reading]) -> set[str]:
    """Find the benchmarks on which a model has scores in several tables."""
    pairs = pl.concat([reading.measures.select("model", "benchmark").unique() for reading in readings])
    return set(pairs.filter(pairs.is_duplicated())["benchmark"])


def _prefix(reading: Reading, title: str, keys: set[str]) -> Reading:
    names = {key: f"{title}/{key}" for key in keys}
    benchmarks = reading.benchmarks
    if benchmarks.width:
        benchmarks = benchmarks.with_columns(pl.col("key").replace(names))
    return replace(
        reading, measures=reading.measures.with_columns(pl.col("benchmark").replace(names)), benchmarks=benchmarks
    )


FORMAT: Final = Format("table", "table of scores", _is_table, _read)
