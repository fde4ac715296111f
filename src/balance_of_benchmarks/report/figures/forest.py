"""The forest plot: differences, or figures, with their intervals, one a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import altair as alt

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.theme import INK, MUTED, OURS, RIVAL, Drawn, dress, tabulate

__all__ = ["ForestRow", "draw_forest"]

_LINE: Final = 17  # pixels a row
_BETWEEN: Final = 9  # and between labels


@dataclass(frozen=True, slots=True)
class ForestRow:
    """One line of a forest plot.

    Parameters
    ----------
    label : str
        What it is of; rows of one label in several groups stand together.
    mean, low, high : float
        NaN where undefined: such a row is left out.
    group : str
        A metric, say; groups differ by colour and shape.
    """

    label: str
    mean: float
    low: float
    high: float
    group: str = ""


def draw_forest(
    rows: Sequence[ForestRow],
    *,
    axis: str,
    title: str = "",
    reference: float | None = 0.0,
    width: int = 340,
) -> Drawn:
    """Draw means and their intervals.

    Parameters
    ----------
    rows : sequence of ForestRow
        In the order shown, from the top.
    axis : str
        What is measured, with the direction that favours ours.
    title : str
        What there is to be seen.
    reference : float, optional
        Where a line says "no difference"; None for none.
    width : int
        Pixels of the plot without labels.

    Returns
    -------
    altair chart

    Raises
    ------
    ArrayError
        Where no row has numbers.

    Examples
    --------
    >>> chart = draw_forest([ForestRow("equal weight", 0.43, 0.28, 0.58)], axis="difference")
    >>> [layer["mark"]["type"] for layer in chart.to_dict()["layer"]]
    ['rule', 'rule', 'point', 'text']
    """
    drawn = [row for row in rows if all(map(math.isfinite, (row.mean, row.low, row.high)))]
    if not drawn:
        raise ArrayError("no row has a mean and an interval: expected at least one to draw")
    labels, groups = list(dict.fromkeys(row.label for row in drawn)), list(dict.fromkeys(row.group for row in drawn))
    data = tabulate(
        [
            {
                "label": row.label,
                "group": row.group,
                "mean": row.mean,
                "low": row.low,
                "high": row.high,
                "words": f"{row.mean:+z.3f} [{row.low:+z.3f}, {row.high:+z.3f}]",
            }
            for row in drawn
        ]
    )
    above = alt.Legend(title=None, orient="top")
    colour = alt.Color("group:N", legend=above, scale=alt.Scale(domain=groups, range=[OURS, RIVAL, INK]))
    shape = alt.Shape("group:N", legend=above, scale=alt.Scale(domain=groups))
    if len(groups) == 1:
        colour, shape = alt.Color(value=OURS), alt.Shape(value="circle")
    x = alt.X("low:Q", title=axis, axis=alt.Axis(format="+.2f" if reference == 0 else ".2f", tickCount=6))
    x = x.scale(zero=False, nice=False, padding=12)
    base = alt.Chart(data).encode(
        y=alt.Y("label:N", sort=labels, title=None, axis=alt.Axis(domain=False, ticks=False, labelPadding=8)),
        yOffset=alt.YOffset("group:N", sort=groups),
    )
    layers: list[alt.Chart] = [
        base.mark_rule(strokeWidth=2).encode(x=x, x2="high:Q", color=colour),
        base.mark_point(filled=True, size=70, opacity=1).encode(x="mean:Q", color=colour, shape=shape),
        base.mark_text(align="left", fontSize=11, color=MUTED).encode(x=alt.value(width + 12), text="words:N"),
    ]
    if reference is not None:
        line = alt.Chart(tabulate([{"at": float(reference)}])).mark_rule(color=MUTED, strokeDash=[4, 3])
        layers.insert(0, line.encode(x="at:Q"))
    height = len(labels) * (_LINE * len(groups) + _BETWEEN)
    return dress(alt.layer(*layers).properties(width=width, height=height, title=title))
