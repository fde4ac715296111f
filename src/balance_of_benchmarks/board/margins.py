"""Scores with what people write beside them: errors, intervals, marks of footnotes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import polars as pl

from balance_of_benchmarks.board.frames import shorten
from balance_of_benchmarks.board.numbers import is_number, parse_numbers, without_missing
from balance_of_benchmarks.board.settings import Adjustment

__all__ = ["Beside", "Scores", "explain_beside", "read_scores"]

Beside = Literal["standard error", "95 % interval", "marks", "further scores"]
"""What is taken to stand beside scores."""

_NUMBER: Final = r"[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][+-]?\d+)?"
_PLAIN: Final = r"[+-]?(?:\d+\.?\d*|\.\d+)"
_SIGNED: Final = r"[+-]\s*(?:\d+\.?\d*|\.\d+)"
# Stars and daggers after a number, or numbers of notes, and emphasis around it.
_MARKED: Final = rf"^[*_]*\s*({_NUMBER}\s*%?)\s*(?:[*_†‡§¶^↑↓¹²³]|\[\^?\d{{1,2}}\])*$"
_PLUS_MINUS: Final = rf"^({_NUMBER}\s*%?)\s*(?:±|\+/-|\+-)\s*({_NUMBER})\s*%?$"
# The same by another metric, or a key to sort by.
_FURTHER: Final = rf"^({_NUMBER}\s*%?\s*±\s*{_NUMBER}\s*%?)(?:\s*/\s*{_NUMBER}\s*%?\s*±\s*{_NUMBER}\s*%?)*(?:@@.*)?$"
_BRACKETS: Final = r"^([+-]?\d*\.?\d+\s*%?)\s*\(\s*(\d*\.\d+)\s*\)$"
_ENDS: Final = rf"^({_PLAIN}\s*%?)\s*[\[(]\s*({_PLAIN})\s*%?\s*(?:,|;|–|—|-|to)\s*({_PLAIN})\s*%?\s*[\])]$"
_DISTANCES: Final = rf"^({_PLAIN}\s*%?)\s*[\[(]?\s*({_SIGNED})\s*%?\s*[/,]\s*({_SIGNED})\s*%?\s*[\])]?$"
_INTERVAL: Final = re.compile(r"(?<![a-z])(ci|conf(idence)?)(?![a-z])|95\s*%", re.I)

_NORMAL: Final = 1.96  # standard errors from the middle of a 95 % interval to its end
# An error in brackets is small beside the scores it stands by; a second score, a rank or a change is not.
_MOST_ERROR: Final = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """A column of scores as numbers.

    Parameters
    ----------
    numbers : polars.Series
        Float64, null where missing.
    errors : polars.Series or None
        Standard errors on the same scale, null where there is none; None where no score has one.
    beside : tuple of (Beside, str)
        What was taken to stand beside scores, each with the first text that has it.
    """

    numbers: pl.Series
    errors: pl.Series | None = None
    beside: tuple[tuple[Beside, str], ...] = ()


def read_scores(column: pl.Series, place: str) -> Scores:
    """Read a column as numbers and their standard errors: ``80.5 ± 0.3`` is 80.5 with an error of 0.3.

    Parameters
    ----------
    column : polars.Series
        Its name may say that what stands beside its scores are intervals: ``score (95% CI)``.
    place : str
        What to call it in an error.

    Returns
    -------
    Scores

    Raises
    ------
    BoardError
        As `parse_numbers`, for everything that can be read in two ways: ``80.5 (75.2)``, ``45/50``, ``~80``.
    """
    texts = without_missing(column) if column.dtype == pl.String else column
    if column.dtype != pl.String or (is_number(texts) | texts.is_null()).all():
        return Scores(parse_numbers(column, place))
    beside: list[tuple[Beside, str]] = []
    reduced: tuple[tuple[Beside, str], ...] = (("marks", _MARKED), ("further scores", _FURTHER))
    for kind, pattern in reduced:
        less = texts.str.extract(pattern, 1)
        changed = (~is_number(texts) & less.is_not_null() & (less != texts)).fill_null(value=False)
        if changed.any():
            beside.append((kind, texts.filter(changed)[0]))
            texts = texts.set(changed, None).fill_null(less)
    errors = pl.Series(column.name, [None] * column.len(), pl.Float64)
    for pattern in (_PLUS_MINUS, _BRACKETS, _ENDS, _DISTANCES):
        found = texts.str.extract_groups(pattern).struct.unnest().get_columns()
        fits = found[0].is_not_null()
        if not fits.any():
            continue
        taken = _read_form(pattern, found, column.name, place)
        if taken is None:
            continue
        kind, error = taken
        beside.append((kind, texts.filter(fits)[0]))
        errors = errors.fill_null(error)
        texts = texts.set(fits, None).fill_null(found[0])
    return Scores(parse_numbers(texts, place), errors if errors.count() else None, tuple(beside))


def _read_form(pattern: str, found: Sequence[pl.Series], name: str, place: str) -> tuple[Beside, pl.Series] | None:
    """Make standard errors of what stands beside scores in one form; None where it may be something else."""
    score, *others = (parse_numbers(part.str.replace_all(" ", ""), place) for part in found)
    if pattern in (_PLUS_MINUS, _BRACKETS):
        (error,) = others
        largest = score.abs().max()
        if (error < 0).any() or not isinstance(largest, float):
            return None
        if pattern == _BRACKETS and not (error <= _MOST_ERROR * largest).all():
            return None
        return ("95 % interval", error / _NORMAL) if _INTERVAL.search(name) else ("standard error", error)
    first, second = others
    lower, upper = (
        pl.select(pl.min_horizontal(first, second)).to_series(),
        pl.select(pl.max_horizontal(first, second)).to_series(),
    )
    within = (lower <= score) & (score <= upper) if pattern == _ENDS else (lower <= 0) & (upper >= 0)
    return ("95 % interval", (upper - lower) / (2 * _NORMAL)) if within.drop_nulls().all() else None


def explain_beside(found: dict[str, Scores], place: str) -> tuple[Adjustment, ...]:
    """Say once for each kind what was taken to stand beside scores, by the benchmarks of a table."""
    columns: dict[Beside, dict[str, str]] = {}
    for key, scores in found.items():
        for kind, example in scores.beside:
            columns.setdefault(kind, {}).setdefault(key, example)
    notes = []
    for kind, keys in columns.items():
        example = next(iter(keys.values()))
        left_out = kind in ("marks", "further scores")
        meaning = f"{kind}, left out" if left_out else f"the {kind}"
        message = f"{place}: what stands beside scores of {shorten(keys)} ({example!r}) is taken for {meaning}"
        fix = "write the score alone" if left_out else "write them in a long table, with a column standard_error"
        notes.append(Adjustment("score_annotated", tuple(keys), message, fix))
    return tuple(notes)
