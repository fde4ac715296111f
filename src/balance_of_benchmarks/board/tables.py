"""Tables in files: CSV as people save it, TSV, Parquet; every text as it is, or typed by its values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Final, Literal

import polars as pl
from polars.exceptions import PolarsError

from balance_of_benchmarks.board.frames import refuse_patterns, shorten
from balance_of_benchmarks.errors import BoardError

__all__ = [
    "COLUMN_TYPES",
    "MOST_COLUMNS",
    "TIME_FORMAT",
    "ColumnType",
    "as_utf8",
    "read_table",
    "read_typed",
    "type_columns",
]

ColumnType = Literal["text", "number", "integer", "boolean", "date", "time"]
COLUMN_TYPES: Final[dict[ColumnType, pl.DataType]] = {
    "text": pl.String(),
    "number": pl.Float64(),
    "integer": pl.Int64(),
    "boolean": pl.Boolean(),
    "date": pl.Date(),
    "time": pl.Datetime("us"),
}
"""What `board.toml` calls the types that a column of a board can have."""
TIME_FORMAT: Final = "%Y-%m-%dT%H:%M:%S%.6f"

MOST_COLUMNS: Final = 20_000
"""A wide table of more benchmarks is a mistake, and a million columns take minutes and gigabytes."""


def read_table(path: Path, content: bytes | None = None, *, expected: str | None = None) -> pl.DataFrame:
    """Read a CSV, TSV or Parquet file, every CSV value as the text it is; `content` where it was read already.

    A semicolon between values makes a comma within a number a decimal mark, as spreadsheets of half the world
    save it.

    Parameters
    ----------
    path : Path
        For errors, and to read where `content` is not given.
    content : bytes, optional
    expected : str, optional
        Name of a column it should have, by which the mark between values is told from one within a name.

    Returns
    -------
    polars.DataFrame
        A column without a name, such as a pandas index, is named "".

    Raises
    ------
    BoardError
        When it is not one, or its header names a column twice.
    """
    content = path.read_bytes() if content is None else content
    try:
        if content[:4] == b"PAR1":
            return pl.read_parquet(BytesIO(content))
        content = as_utf8(content, path)
        if b"\x00" in content:
            raise BoardError(f"{path} has zero bytes in it: expected a table of scores saved as text, or Parquet")
        header = content.split(b"\n", 1)[0]
        separator = _find_separator(header, expected)
        if header.count(separator.encode()) >= MOST_COLUMNS:
            raise BoardError(f"{path} has over {MOST_COLUMNS:,} columns: expected a long table of that many benchmarks")
        # The header is read as a row: as a header, polars leaves doubled quotes in names.
        first = pl.read_csv(content, separator=separator, has_header=False, n_rows=1, infer_schema=False).row(0)
        # Spreadsheets write columns that never held anything, without a name.
        empty = [f"\0{place}" if name is None else None for place, name in enumerate(first)]
        names = [name or nameless or "" for name, nameless in zip(first, empty, strict=True)]
        repeated = [name for name in names if names.count(name) > 1] if len(set(names)) < len(names) else []
        if repeated:
            raise BoardError(f"{path} has two columns named {shorten(repeated[:1])}: expected each column named once")
        refuse_patterns((name for name in names if name is not None), path)
        table = pl.read_csv(content, separator=separator, infer_schema=False, new_columns=names)
        nameless = [name for name in empty if name is not None]
        if nameless and table.height:
            table = table.drop([name for name in nameless if table[name].null_count() == table.height])
            nameless = [name for name in nameless if name in table.columns]
        if len(nameless) > 1:
            raise BoardError(f"{path} has {len(nameless)} columns without a name: expected each column named")
        table = table.rename(dict.fromkeys(nameless, ""))
    except (PolarsError, UnicodeError) as error:
        reason = str(error).splitlines()[0]
        reason = "a row has more values than the first" if "more fields" in reason else reason
        raise BoardError(f"{path} is no table ({reason}): expected CSV or TSV saved as UTF-8, or Parquet") from error
    if separator == ";":
        decimal = pl.col(pl.String).str.replace(r"^(\s*[+-]?\d+),(\d+\s*%?\s*)$", "$1.$2")
        table = table.with_columns(decimal)
    return table


def _find_separator(header: bytes, expected: str | None) -> str:
    """Find the mark between the names of a header: one that sets the expected name apart, else the most frequent."""
    marks = sorted(",\t;|", key=lambda mark: -header.count(mark.encode()))
    names = {mark: re.split(f"[{mark}\r\n]", header.decode("utf-8", "replace")) for mark in marks}
    apart = [mark for mark in marks if expected in {name.strip(' "').casefold() for name in names[mark]}]
    return apart[0] if apart else marks[0]


def as_utf8(content: bytes, path: Path, *, part: bool = False) -> bytes:
    """Undo what spreadsheets do to a text file: UTF-16, byte order marks, line ends of old Macs.

    Parameters
    ----------
    content : bytes
        Text or not; what is not text comes back as it is.
    path : Path
        For errors.
    part : bool
        Whether it is only the beginning of a file, which may end within a letter.

    Returns
    -------
    bytes
    """
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        try:
            content = content.decode("utf-16", "ignore" if part else "strict").encode()
        except UnicodeError as error:
            raise BoardError(f"{path} begins like UTF-16 and is not: {error}; expected text saved as UTF-8") from error
    content = content.removeprefix(b"\xef\xbb\xbf")
    return content.replace(b"\r", b"\n") if b"\r" in content and b"\n" not in content else content


def read_typed(
    path: Path,
    standard: Mapping[str, pl.DataType],
    types: Mapping[str, str] | None = None,
    *,
    expected: str | None = None,
) -> pl.DataFrame:
    """Read a table and give the columns that are not standard ones the types stated or found.

    Parameters
    ----------
    path : Path
    standard : mapping of str to polars type
        Columns left as the text they are, for `Board` to type.
    types : mapping of str to str, optional
        Type of each other column, as in `board.toml`.
    expected : str, optional
        As for `read_table`.

    Returns
    -------
    polars.DataFrame
    """
    table = read_table(path, expected=expected)
    if "" in table.columns:
        place = table.columns.index("") + 1
        raise BoardError(f"{path}: column {place} has no name (pandas: to_csv(index=False))")
    return type_columns(table, standard, path, types)


def type_columns(
    table: pl.DataFrame, standard: Mapping[str, pl.DataType], place: object, types: Mapping[str, str] | None = None
) -> pl.DataFrame:
    """Give the texts of columns that are not standard ones the types stated or found; see `read_typed`."""
    others = [column for column in table.get_columns() if column.name not in standard and column.dtype == pl.String]
    return table.with_columns(_type_column(column, (types or {}).get(column.name), place) for column in others)


def _type_column(column: pl.Series, stated: str | None, place: object) -> pl.Series:
    if stated is not None:
        typed = _parse(column, stated)
        lost = (typed.is_null() & column.is_not_null()).arg_true()
        if lost.len():
            row = lost[0]
            raise BoardError(f"{place} row {row + 1} has {column.name} = {column[row]!r}: expected the type {stated}")
        return typed
    if column.null_count() == column.len():
        return column
    for kind in ("integer", "number", "boolean", "date"):
        typed = _parse(column, kind)
        # 007 is a text of digits, not the number 7.
        faithful = not (kind in ("integer", "number") and column.str.contains(r"^[+-]?0\d").any())
        if faithful and (typed.is_null() == column.is_null()).all():
            return typed
    return column


def _parse(column: pl.Series, kind: str) -> pl.Series:
    if kind == "text":
        return column
    if kind == "boolean":
        return column.replace_strict({"true": True, "false": False}, default=None, return_dtype=pl.Boolean)
    if kind == "date":
        return column.str.to_date("%Y-%m-%d", strict=False)
    if kind == "time":
        return column.str.to_datetime(TIME_FORMAT, time_unit="us", strict=False)
    return column.cast(pl.Int64 if kind == "integer" else pl.Float64, strict=False)
