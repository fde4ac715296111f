"""From a benchmark's own scale to [0, 1], higher better."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Final

import numpy as np

from balance_of_benchmarks.board.proposals import (
    find_fractions,
    find_sentinels,
    is_error_rate,
    names_direction,
    propose_bounds,
)
from balance_of_benchmarks.board.settings import Adjustment
from balance_of_benchmarks.types import FloatArray

__all__ = ["SCALE_KINDS", "Column", "Mapped", "Unmappable", "map_column"]

SCALE_KINDS: Final = ("sentinel_value", "mixed_scale", "scale_proposed", "direction_proposed", "scores_clipped")
"""Kinds of adjustment by which something is assumed of a scale; `strict` refuses them."""

_ROUNDING: Final = 1e-9  # of the range: what is left of 100 * 1.0000000001


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A benchmark's scores and what is declared of their scale.

    Parameters
    ----------
    key : str
    scores : ndarray of shape (M,)
        On their own scale; NaN where missing, at least one not.
    lower, upper : float or None
    higher_is_better : bool or None
    metric : str or None
    chance : float or None
        Score of a guess; where it is declared as `lower` too, scores below it count as chance.
    board : str
        What the board is called, which may say what kind of scores it holds.
    """

    key: str
    scores: FloatArray
    lower: float | None = None
    upper: float | None = None
    higher_is_better: bool | None = None
    metric: str | None = None
    chance: float | None = None
    board: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Mapped:
    """A column on [0, 1], higher better.

    Parameters
    ----------
    scores : ndarray of shape (M,)
    lower, upper : float
    higher_is_better : bool
    adjustments : tuple of Adjustment
        What was assumed or changed.
    """

    scores: FloatArray
    lower: float
    upper: float
    higher_is_better: bool
    adjustments: tuple[Adjustment, ...] = ()


@dataclass(frozen=True, slots=True)
class Unmappable:
    """Why a column has no place on [0, 1], and what to declare so that it has."""

    reason: str
    fix: str


def map_column(column: Column) -> Mapped | Unmappable:
    """Put a column on [0, 1] by what is declared of it and, failing that, by what it is likely to be.

    Parameters
    ----------
    column : Column

    Returns
    -------
    Mapped or Unmappable
        Undeclared bounds from 0 to 1 with higher better are no assumption worth a word; every other is listed.
    """
    key, notes = column.key, list[Adjustment]()
    scores = _remove_sentinels(column, notes)
    scores = _join_fractions(column, scores, notes)
    seen = scores[~np.isnan(scores)]
    if seen.size == 0:
        return Unmappable("every score on it stands for missing", "add scores, or declare lower and upper")

    upwards = column.higher_is_better
    if upwards is None:
        named = names_direction(key, column.metric)
        upwards = not is_error_rate(scores, key, column.board) if named is None else named
    lower, upper, taken_for = column.lower, column.upper, ""
    if lower is None or upper is None:
        bounds = propose_bounds(seen, key, column.metric, lower_is_better=not upwards)
        if bounds is not None:
            lower = bounds[0] if lower is None else lower
            upper = bounds[1] if upper is None else upper
            taken_for = bounds[2]
    if lower is None or upper is None or not lower < upper:
        said = (
            "it has no bounds of its own that could be guessed" if lower is upper is None else "one bound is declared"
        )
        return Unmappable(
            f"its scores run from {seen.min():g} to {seen.max():g} and {said}", _declare(key, "LOWER", "UPPER", upwards)
        )

    clipped = np.clip(scores, lower, upper)
    outside = np.abs(clipped - scores) > _ROUNDING * (upper - lower)
    above_rate = not upwards and bool((scores[outside] > upper).all())
    below_chance = lower == column.chance and bool((scores[outside] < lower).all())
    if outside.any() and not (above_rate or below_chance):
        bounds_are = "declared" if column.lower is not None and column.upper is not None else "usual"
        return Unmappable(
            f"its scores run from {seen.min():g} to {seen.max():g}, outside the {bounds_are} {lower:g} to {upper:g}",
            _declare(key, "LOWER", "UPPER", upwards),
        )
    fix = _declare(key, f"{lower:g}", f"{upper:g}", upwards)
    direction = "higher better" if upwards else "lower better"
    spans = f"scores from {seen.min():g} to {seen.max():g}"
    if column.higher_is_better is None and not upwards:
        message = f"{key}: {spans} are taken for errors from {lower:g} to {upper:g}, {direction}"
        notes.append(Adjustment("direction_proposed", (key,), message, fix))
    elif taken_for and (lower, upper) != (0.0, 1.0):
        message = f"{key}: {spans} are taken for {taken_for} from {lower:g} to {upper:g}, {direction}"
        notes.append(Adjustment("scale_proposed", (key,), message, fix))
    if outside.any():
        why = f"chance, {lower:g}, and count as chance" if below_chance else f"{upper:g} and count as {upper:g}"
        side = "below" if below_chance else "above"
        notes.append(Adjustment("scores_clipped", (key,), f"{key}: {int(outside.sum())} scores lie {side} {why}", fix))
    share: FloatArray = (clipped - lower) / (upper - lower)
    return Mapped(share if upwards else 1.0 - share, lower, upper, upwards, tuple(notes))


def _remove_sentinels(column: Column, notes: list[Adjustment]) -> FloatArray:
    sentinel = find_sentinels(column.scores, column.lower, column.upper)
    if not sentinel.any():
        return column.scores
    values = ", ".join(f"{value:g}" for value in np.unique(column.scores[sentinel]))
    count = int(sentinel.sum())
    counted = "1 score of {} is" if count == 1 else f"{count} scores of {{}} are"
    message = f"{column.key}: {counted.format(values)} taken for missing"
    fix = "leave them empty in the source, or declare a lower bound that admits them"
    notes.append(Adjustment("sentinel_value", (column.key,), message, fix))
    return np.where(sentinel, np.nan, column.scores)


def _join_fractions(column: Column, scores: FloatArray, notes: list[Adjustment]) -> FloatArray:
    fraction = find_fractions(scores, column.upper)
    if not fraction.any():
        return scores
    message = f"{column.key}: {int(fraction.sum())} fractions among percentages are multiplied by 100"
    notes.append(Adjustment("mixed_scale", (column.key,), message, "multiply them by 100 in the source"))
    return np.where(fraction, 100.0 * scores, scores)


def _declare(key: str, lower: str, upper: str, upwards: bool) -> str:
    """Write the line for `benchmarks.csv` that settles a scale."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow([key, lower, upper, str(upwards).lower()])
    return f"in benchmarks.csv: {line.getvalue()} under key,lower,upper,higher_is_better"
