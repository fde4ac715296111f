"""Histograms: how values are spread, and where something lies among them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import altair as alt
import numpy as np

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.marks import LINE, Mark, draw_marks
from balance_of_benchmarks.report.figures.theme import Drawn, dress, tabulate

__all__ = ["BAR", "choose_unit", "count_axis", "draw_histogram"]

BAR: Final = "#b9c0c8"
"""Of bars that carry no message of their own."""
_BINS: Final = 20  # at most so many, or one more
_ROUND: Final = (1.0, 2.0, 2.5, 5.0, 10.0)


def draw_histogram(
    values: Sequence[float],
    *,
    axis: str,
    counted: str,
    marks: Sequence[Mark] = (),
    title: str = "",
    width: int = 250,
    height: int = 170,
) -> Drawn:
    """Draw how values are spread, and where something lies among them.

    Parameters
    ----------
    values : sequence of float
        NaN is left out.
    axis : str
        What the values are.
    counted : str
        What there is one of for each value.
    marks : sequence of Mark
        Lines from the axis up to their words above the bars.
    title : str
    width, height : int
        Pixels of the plot without labels.

    Returns
    -------
    altair chart

    Raises
    ------
    ArrayError
        Where no value, or a mark's place, is a number.

    Examples
    --------
    >>> chart = draw_histogram([0.1, 0.2, 0.2], axis="profile", counted="draws", marks=[Mark(0.4, "observed")])
    >>> [layer["mark"]["type"] for layer in chart.to_dict()["layer"]]
    ['bar', 'rule', 'text']
    """
    known = np.array([value for value in values if math.isfinite(value)], dtype=np.float64)
    if not known.size:
        raise ArrayError("no value is finite: expected at least one to draw")
    step = choose_unit(float(np.ptp(known)), _BINS)
    first, last = math.floor(known.min() / step), math.floor(known.max() / step) + 1
    edges = np.arange(first, last + 1) * step
    # A value that rounding puts a hair outside the first or the last bar belongs to it.
    count = np.histogram(known.clip(edges[0], edges[-1]), edges)[0]
    low, high = min([edges[0], *(mark.at for mark in marks)]), max([edges[-1], *(mark.at for mark in marks)])
    margin = 0.03 * (high - low)
    domain = (round(float(low - margin), 6), round(float(high + margin), 6))
    # Words stand above the tallest bar, so that none is written over.
    tallest = int(count.max()) * height / (height - LINE * len(marks) - 6)
    scale = alt.Scale(domain=domain, nice=False, zero=False)
    x_axis = alt.Axis(grid=False, tickCount=6, zindex=1)
    rows = [{"from": float(edges[i]), "to": float(edges[i + 1]), "count": int(n)} for i, n in enumerate(count) if n > 0]
    layers: list[Any] = [
        alt.Chart(tabulate(rows))
        .mark_bar(color=BAR, stroke="white", strokeWidth=1)
        .encode(
            x=alt.X("from:Q", title=axis, scale=scale, axis=x_axis),
            x2="to:Q",
            y2=alt.datum(0),
            y=alt.Y(
                "count:Q",
                title=counted,
                scale=alt.Scale(domain=[0, round(tallest, 6)], nice=False),
                axis=count_axis(int(count.max())),
            ),
        ),
        *draw_marks(marks, alt.X("at:Q", title=axis, scale=scale, axis=x_axis), domain, width),
    ]
    return dress(alt.layer(*layers).properties(width=width, height=height, title=title))


def choose_unit(length: float, parts: int) -> float:
    """Choose a round length of which about so many parts make a whole.

    Parameters
    ----------
    length : float
        Not negative; 0 for values that are all the same.
    parts : int

    Returns
    -------
    float
        1, 2, 2.5 or 5 times a power of ten, so that there are at most `parts` of them.

    Examples
    --------
    >>> choose_unit(0.31, 16)
    0.02
    """
    if length <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(length / parts))
    return float(f"{next(unit for unit in _ROUND if unit * power * (1 + 1e-9) >= length / parts) * power:.6g}")


def count_axis(largest: int) -> alt.Axis:
    """Make an axis of counts: whole numbers from 0.

    Parameters
    ----------
    largest : int
        At least 1.

    Returns
    -------
    altair.Axis

    Examples
    --------
    >>> count_axis(37).to_dict()["values"]
    [0, 10, 20, 30]
    """
    ticks = list(range(0, largest + 1, math.ceil(choose_unit(float(largest), 4))))
    # Vega leaves out ticks beyond the number that it would choose itself.
    return alt.Axis(grid=False, values=ticks, tickCount=len(ticks), format="d", labelOverlap=False)
