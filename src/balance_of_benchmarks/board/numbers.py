"""Numbers as people write them in tables."""

from __future__ import annotations

from typing import Final

import polars as pl

from balance_of_benchmarks.errors import BoardError

__all__ = ["MISSING_WORDS", "has_percent_sign", "is_number", "parse_numbers", "resembles_number", "without_missing"]

MISSING_WORDS: Final = (
    "", "-", "–", "—", "−", "--", "---", "/", "\\", "...", "…", "?",
    "n/a", "n.a.", "na", "#n/a", "nan", "null", "none", "nil",
    "tbd", "tba", "unknown", "not available", "not reported", "not tested",
)  # fmt: skip
"""What stands for "not evaluated", whatever its case."""

_NUMBER: Final = r"^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*%?$"
# What somebody meant as a number and wrote with something else: 1,234 or 80.5 ± 0.3 or 71* or **90** or 45/50 or inf.
_RESEMBLES: Final = (
    r"(?i)^[\s*_~<>≈=^]*[+-]?(?:(?:\d+|\d{1,3}(?:[.,' ]\d{3})+)(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?\s*%?\s*"
    r"(?:[*_†‡§¶^~↑↓✓#¹²³]*|(?:±|\+/-|\+-).*|\([^()]*\)|\[[^\[\]]*\]|/\s*\d+(?:\.\d+)?"
    r"|[+-]\s*[\d.]+\s*[/,]\s*[+-]\s*[\d.]+)\s*$"
)
_INFINITE: Final = r"(?i)^[+-]?inf(?:inity)?$"
_MONTH: Final = r"^(?:19|20)\d\d/\d\d?$"
# A decimal comma that cannot be one of thousands: 80,5 or 0,125.
_COMMA: Final = r"^[+-]?\d+,\d+\s*%?$"
_DECIMAL_COMMA: Final = r"^[+-]?(?:0+,\d+|\d+,(?:\d{1,2}|\d{4,}))\s*%?$"


def parse_numbers(column: pl.Series, place: str) -> pl.Series:
    """Read a column as numbers on their own scale: ``77.0 %`` is 77, ``N/A`` is missing.

    Parameters
    ----------
    column : polars.Series
        Texts or numbers.
    place : str
        What to call the column in an error.

    Returns
    -------
    polars.Series
        Float64; null where nothing is written, or one of `MISSING_WORDS`, or NaN.

    Raises
    ------
    BoardError
        For anything else, with its row: ``1,234`` too, which is 1234 to some and 1.234 to others, unless another
        value of the column shows that its commas are decimal, as ``80,5`` does.
    """
    if column.dtype.is_numeric() or column.dtype == pl.Null:
        return column.cast(pl.Float64).fill_nan(None)
    if column.dtype != pl.String:
        raise BoardError(f"{place} holds {column.dtype}: expected numbers")
    texts = _point_decimals(without_missing(column))
    numbers = _to_numbers(texts)
    wrong = (texts.is_not_null() & (numbers.is_null() | numbers.is_infinite().fill_null(value=False))).arg_true()
    if wrong.len():
        row = wrong[0]
        raise BoardError(f"{place} has {_show(column[row])} in row {row + 1}: expected {_advise(texts[row])}")
    return numbers


def has_percent_sign(column: pl.Series) -> pl.Series:
    """Tell of each value whether it is written with a percent sign; never of numbers or what is missing."""
    if column.dtype != pl.String:
        return pl.repeat(value=False, n=column.len(), dtype=pl.Boolean, eager=True)
    return column.str.contains("%", literal=True).fill_null(value=False)


def is_number(texts: pl.Series) -> pl.Series:
    """Tell of each value without outer spaces whether it is a number as `parse_numbers` takes it."""
    return texts.str.contains(_NUMBER).fill_null(value=False)


def resembles_number(texts: pl.Series) -> pl.Series:
    """Tell of each value whether it is a number, or was meant as one: ``1,234``, ``80.5 ± 0.3``, ``71*``, ``45/50``."""
    meant = texts.str.contains(_RESEMBLES) & ~texts.str.contains(_MONTH)
    return (meant | texts.str.contains(_INFINITE)).fill_null(value=False)


def without_missing(column: pl.Series) -> pl.Series:
    """Trim texts, and make nulls of `MISSING_WORDS`."""
    stripped = column.str.strip_chars()
    return stripped.set(stripped.str.to_lowercase().is_in(list(MISSING_WORDS)).fill_null(value=False), None)


def _point_decimals(texts: pl.Series) -> pl.Series:
    """Write decimal commas as points where they can be nothing else."""
    comma = texts.str.contains(",", literal=True).fill_null(value=False)
    if not comma.any():
        return texts
    with_comma = texts.filter(comma)
    told = with_comma.str.contains(_COMMA).all() and with_comma.str.contains(_DECIMAL_COMMA).any()
    if not told or texts.filter(~comma).str.contains(".", literal=True).any():
        return texts
    return texts.str.replace(",", ".", literal=True)


def _to_numbers(texts: pl.Series) -> pl.Series:
    # A quick way for what nearly every column is; the pattern keeps out "inf", which a cast lets in.
    plain = texts.cast(pl.Float64, strict=False)
    if (plain.is_finite().fill_null(value=False) | texts.is_null()).all():
        return plain
    fits = texts.str.contains(_NUMBER)
    return texts.set(~fits, None).str.strip_chars_end("%").str.strip_chars().cast(pl.Float64, strict=False)


def _advise(text: str) -> str:
    if "(" in text or "[" in text or "±" in text:
        return "the score alone, or with its standard error as in 80.5 ± 0.3"
    if "," in text and text.replace(",", "").replace(".", "").isdigit():
        return "it without the comma: it can be read as thousands and as a decimal mark"
    return "a finite number like 83.9, or nothing where a model was not evaluated"


def _show(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:59]}…")
