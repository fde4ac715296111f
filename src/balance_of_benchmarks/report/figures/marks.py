"""Upright lines that say where on an axis something lies, their words out of each other's way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Final

import altair as alt

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.lettering import measure_text
from balance_of_benchmarks.report.figures.theme import INK, tabulate

__all__ = ["LINE", "Mark", "draw_marks"]

LINE: Final = 14
"""Pixels that a line of words takes at the top of the plot, one for each mark."""
_SIZE: Final = 11
_APART: Final = 5  # pixels between a line and its words
_MOST: Final = 5  # marks, of which every arrangement is tried
_CROSSED: Final = 40.0  # as bad as so many pixels of words beyond the plot


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on the axis and what lies there.

    Parameters
    ----------
    at : float
    label : str
    colour : str
    dashed : bool
        For what is a yardstick and no result.
    """

    at: float
    label: str
    colour: str = INK
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class _Placed:
    """A mark, where its line stands, and from where to where its words go if they go that way; in pixels."""

    mark: Mark
    pixel: float
    leftward: bool
    start: float
    end: float


def draw_marks(marks: Sequence[Mark], x: alt.X, domain: tuple[float, float], width: int) -> list[alt.Chart]:
    """Draw lines from the axis up to their words, at the top of the plot.

    Parameters
    ----------
    marks : sequence of Mark
    x : altair.X
        Of the chart they are laid on, for its scale; of the field "at".
    domain : tuple of float
        Ends of that scale.
    width : int
        Pixels between them.

    Returns
    -------
    list of altair.Chart
        To lay on the chart, two for each mark. The plot must leave `LINE` pixels for each at its top.

    Raises
    ------
    ArrayError
        Where a mark's place is no number.
    """
    layers = []
    for line, placed in enumerate(_order(marks, domain, width)):
        mark, top = placed.mark, line * LINE
        base = alt.Chart(tabulate([{"at": float(mark.at), "words": mark.label}])).encode(x=x)
        dash = [4, 3] if mark.dashed else [1, 0]
        words = base.mark_text(
            align="right" if placed.leftward else "left",
            dx=-_APART if placed.leftward else _APART,
            baseline="top",
            fontSize=_SIZE,
            color=mark.colour,
        )
        layers += [
            base.mark_rule(color=mark.colour, strokeWidth=1.5, strokeDash=dash).encode(
                y=alt.value(top + 1), y2=alt.value("height")
            ),
            words.encode(y=alt.value(top), text="words:N"),
        ]
    return layers


def _order(marks: Sequence[Mark], domain: tuple[float, float], width: int) -> tuple[_Placed, ...]:
    """Order marks from the highest words to the lowest, and turn words left or right, by trying it all."""
    if not all(math.isfinite(mark.at) for mark in marks):
        raise ArrayError("a mark has no place on the axis: expected a finite number for each")
    if len(marks) > _MOST:
        raise ArrayError(f"{len(marks)} marks on one axis: expected at most {_MOST}, more could not be told apart")
    low, high = domain
    ways = []
    for mark in sorted(marks, key=lambda mark: mark.at):
        pixel, room = width * (mark.at - low) / (high - low), _APART + measure_text(mark.label, _SIZE)
        ways.append((_Placed(mark, pixel, False, pixel, pixel + room), _Placed(mark, pixel, True, pixel - room, pixel)))
    arranged = (order for choice in product(*ways) for order in permutations(choice))
    return min(arranged, key=lambda order: _fault(order, width))


def _fault(order: Sequence[_Placed], width: int) -> float:
    """How bad an arrangement is: words beyond the plot, in pixels, and words crossed by a line that stands higher."""
    beyond = sum(max(0.0, -placed.start) + max(0.0, placed.end - width) for placed in order)
    crossed = sum(
        placed.start < higher.pixel < placed.end for line, placed in enumerate(order) for higher in order[:line]
    )
    return beyond + _CROSSED * crossed
