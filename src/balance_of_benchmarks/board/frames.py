"""Data frames at the door: whatever came in, one polars shape inside."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl
from polars.exceptions import PolarsError

from balance_of_benchmarks.errors import BoardError

__all__ = ["conform", "normalize_names", "refuse_patterns", "shorten", "to_polars"]


def to_polars(frame: Any) -> pl.DataFrame:
    """Take a pandas, polars or Arrow table as it is.

    Parameters
    ----------
    frame : data frame
        Anything narwhals knows, eager or lazy. A pandas index that has a name, or several, comes in as columns.

    Returns
    -------
    polars.DataFrame

    Raises
    ------
    BoardError
        For anything else.
    """
    if isinstance(frame, pl.DataFrame):
        return frame
    import narwhals as nw  # a tenth of a second, which boards from files need not spend

    kind = type(frame).__name__
    try:
        if any(getattr(getattr(frame, "index", None), "names", ())) and hasattr(frame, "reset_index"):
            frame = frame.reset_index()
        native: Any = nw.from_native(frame, pass_through=True)
        if isinstance(native, nw.LazyFrame):
            native = native.collect()
        if isinstance(native, nw.DataFrame):
            return native.to_polars()
    except (TypeError, ValueError, PolarsError) as error:
        raise BoardError(f"the {kind} cannot be taken: {error}; expected one type in each column") from error
    raise BoardError(f"a {kind} is not a table: expected a pandas, polars or Arrow data frame")


def normalize_names(table: pl.DataFrame, columns: Iterable[str]) -> pl.DataFrame:
    """Give a column whose name differs from a standard one by case or outer spaces only the standard name."""
    standard = set(columns)
    folded = {name: name.strip().casefold() for name in table.columns if name not in standard}
    taken = set(table.columns)
    renamed = {name: new for name, new in folded.items() if new in standard and new not in taken}
    # Two candidates for one name are left as they are: which is meant is not ours to say.
    return table.rename({name: new for name, new in renamed.items() if list(renamed.values()).count(new) == 1})


def refuse_patterns(columns: Iterable[str], place: object) -> None:
    """Refuse columns that go by a pattern: polars takes "*" for all columns, and "^...$" for those that match."""
    patterns = [name for name in columns if name == "*" or (name.startswith("^") and name.endswith("$"))]
    if patterns:
        raise BoardError(f"{place} has a column named {shorten(patterns[:1])}: expected a name, not a pattern")


def shorten(names: Iterable[object]) -> str:
    """List names for a message, at most eight, each at most forty characters."""
    listed = [str(name) if len(str(name)) <= 40 else f"{str(name)[:39]}…" for name in names]
    return ", ".join(listed[:8]) + (f", ... ({len(listed)} in all)" if len(listed) > 8 else "")


def conform(frame: Any, columns: dict[str, pl.DataType], name: str, *, keys: Sequence[str]) -> pl.DataFrame:
    """Give a table its standard columns, first and typed, and keep all others behind them.

    Parameters
    ----------
    frame : data frame
    columns : dict of str to polars type
        A missing one comes in as nulls.
    name : str
        Of the table, for errors.
    keys : sequence of str
        Columns that must be there and complete.

    Returns
    -------
    polars.DataFrame

    Raises
    ------
    BoardError
        For a missing column or key, or a value that is not of its column's type.
    """
    table = to_polars(frame)
    refuse_patterns(table.columns, name)
    table = normalize_names(table, columns)
    for key in keys:
        if key not in table.columns:
            raise BoardError(f"{name} has the columns {shorten(table.columns) or '(none)'}: expected one named {key!r}")
    standard = [
        _cast(table[column], dtype, name)
        if column in table.columns
        else pl.Series(column, [None] * table.height, dtype)
        for column, dtype in columns.items()
    ]
    others = [_simplify(table[column]) for column in table.columns if column not in columns]
    table = pl.DataFrame([*standard, *others])
    # NaN is how pandas says missing.
    table = table.with_columns(pl.col(c).fill_nan(None) for c, dtype in columns.items() if dtype == pl.Float64)
    for key in keys:
        text = table[key].cast(pl.String)
        empty = (text.is_null() | (text.str.strip_chars() == "")).arg_true()
        if empty.len():
            raise BoardError(f"{name} row {empty[0] + 1} has no {key}: expected a non-empty text")
    return table


def _cast(column: pl.Series, dtype: pl.DataType, name: str) -> pl.Series:
    """Cast without losing anything: what does not fit is an error that shows it."""
    if column.dtype == dtype:
        return column
    source = _simplify(column)
    if dtype == pl.Float64 and source.dtype == pl.String:
        source = source.str.strip_chars().replace("", None)
    if dtype == pl.Int64 and source.dtype == pl.String:
        source = _cast(source, pl.Float64(), name)
    if dtype == pl.Boolean and source.dtype == pl.String:
        return _as_boolean(source, name)
    if dtype.is_numeric() and (source.dtype == pl.Boolean or source.dtype.is_temporal()):
        raise BoardError(f"{name} has {column.name} of the type {source.dtype}: expected {_describe(dtype)}")
    if dtype == pl.Date and isinstance(source.dtype, pl.Datetime):
        return source.dt.date()
    try:
        if dtype == pl.Date and source.dtype == pl.String:
            cast_to = source.str.to_date("%Y-%m-%d", strict=False)
        else:
            cast_to = source.cast(dtype, strict=False)
    except PolarsError:
        cast_to = pl.Series(column.name, [None] * column.len(), dtype)
    lost = cast_to.is_null() & source.is_not_null()
    if source.dtype.is_float():
        lost = lost & source.is_not_nan()
        if dtype == pl.Int64:
            lost = lost | (cast_to.cast(pl.Float64) != source).fill_null(value=False)
    if lost.any():
        row = int(lost.arg_max() or 0)
        raise BoardError(
            f"{name} row {row + 1} has {column.name} = {source[row]!r}: expected {_describe(dtype)} or nothing"
        )
    return cast_to


def _as_boolean(column: pl.Series, name: str) -> pl.Series:
    words = {"true": True, "false": False, "yes": True, "no": False, "1": True, "0": False, "": None}
    lowered = column.str.strip_chars().str.to_lowercase()
    unknown = lowered.is_not_null() & ~lowered.is_in(list(words))
    if unknown.any():
        row = int(unknown.arg_max() or 0)
        raise BoardError(f"{name} row {row + 1} has {column.name} = {column[row]!r}: expected true, false or nothing")
    return lowered.replace_strict(words, return_dtype=pl.Boolean).alias(column.name)


def _describe(dtype: pl.DataType) -> str:
    words = {pl.Float64: "a number", pl.Int64: "a whole number", pl.Date: "a date like 2026-09-03", pl.String: "a text"}
    return words.get(dtype.base_type(), str(dtype))


def _simplify(column: pl.Series) -> pl.Series:
    """Bring a column to one of the six types a board folder can hold; nested values become JSON text."""
    dtype = column.dtype
    if dtype in (pl.String, pl.Float64, pl.Int64, pl.Boolean, pl.Date) or dtype == pl.Datetime("us"):
        return column
    if dtype.is_integer():
        whole = column.cast(pl.Int64, strict=False)
        return whole if whole.null_count() == column.null_count() else column.cast(pl.Float64)
    if dtype.is_numeric():
        return column.cast(pl.Float64)
    if isinstance(dtype, pl.Datetime):
        if dtype.time_zone is not None:
            column = column.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        return column.cast(pl.Datetime("us"))
    if isinstance(dtype, pl.Categorical | pl.Enum | pl.Null):
        return column.cast(pl.String)
    texts = [None if value is None else _as_text(value) for value in column.to_list()]
    return pl.Series(column.name, texts, pl.String)


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
