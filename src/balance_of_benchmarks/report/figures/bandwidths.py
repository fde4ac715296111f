"""What the list is worth in independent benchmarks, along the scale at which nearby ones share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import altair as alt

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.histogram import count_axis
from balance_of_benchmarks.report.figures.marks import LINE, Mark, draw_marks
from balance_of_benchmarks.report.figures.theme import INK, MARKED, MUTED, OURS, Drawn, dress, tabulate

__all__ = ["MassAtBandwidth", "draw_bandwidths"]


@dataclass(frozen=True, slots=True)
class MassAtBandwidth:
    """Effective mass of a list at one bandwidth.

    Parameters
    ----------
    multiple : float
        Bandwidth, in medians of the distance.
    mass : float
        W.
    """

    multiple: float
    mass: float


def draw_bandwidths(
    curve: Sequence[MassAtBandwidth],
    *,
    listed: int,
    chosen: MassAtBandwidth,
    closest: float | None = None,
    title: str = "",
    width: int = 250,
    height: int = 190,
) -> Drawn:
    """Draw the effective mass of a list along bandwidths.

    Parameters
    ----------
    curve : sequence of MassAtBandwidth
        In the order of bandwidth.
    listed : int
        How many benchmarks there are: what the mass comes to where none shares.
    chosen : MassAtBandwidth
        The bandwidth in use.
    closest : float, optional
        Distance of the closest pair, in medians.
    title : str
    width, height : int
        Pixels of the plot without labels.

    Returns
    -------
    altair chart

    Raises
    ------
    ArrayError
        For a curve of fewer than two points, or an order that is none.

    Examples
    --------
    >>> curve = [MassAtBandwidth(0.05, 14.0), MassAtBandwidth(0.25, 12.5), MassAtBandwidth(1.0, 1.6)]
    >>> chart = draw_bandwidths(curve, listed=14, chosen=curve[1], closest=0.33)
    >>> [layer["mark"]["type"] for layer in chart.to_dict()["layer"]]
    ['line', 'rule', 'text', 'point', 'rule', 'text', 'rule', 'text']
    """
    if len(curve) < 2:
        raise ArrayError(f"{len(curve)} points make no curve: expected the mass at 2 bandwidths or more")
    if any(after.multiple <= before.multiple for before, after in pairwise(curve)):
        raise ArrayError("the curve's bandwidths do not ascend: expected each once, the smallest first")
    if not all(math.isfinite(number) for point in (*curve, chosen) for number in (point.multiple, point.mass)):
        raise ArrayError("the curve has a point that is no finite number")
    marks = [Mark(chosen.multiple, f"in use {chosen.multiple:g}, W = {chosen.mass:.1f}", OURS)]
    if closest is not None:
        marks.append(Mark(closest, f"closest pair {closest:.2f}", MARKED, dashed=True))
    places = [point.multiple for point in curve] + [mark.at for mark in marks]
    domain = (0.0, round(float(max(places)), 6))
    highest = round(listed * height / (height - LINE * len(marks) - 8), 6)
    x_axis, x_scale = alt.Axis(grid=False, tickCount=6), alt.Scale(domain=list(domain), nice=False)
    x_title = "bandwidth of the density, in median distances"
    y = alt.Y(
        "mass:Q",
        title="effective mass W",
        scale=alt.Scale(domain=[0, highest], nice=False),
        axis=count_axis(listed),
    )
    points = alt.Chart(tabulate([{"multiple": float(p.multiple), "mass": float(p.mass)} for p in curve]))
    all_of_them = alt.Chart(tabulate([{"mass": float(listed), "words": f"all {listed}"}]))
    used = alt.Chart(tabulate([{"multiple": float(chosen.multiple), "mass": float(chosen.mass)}]))
    layers: list[alt.Chart] = [
        points.mark_line(color=OURS, strokeWidth=2.2).encode(
            x=alt.X("multiple:Q", title=x_title, scale=x_scale, axis=x_axis), y=y
        ),
        all_of_them.mark_rule(color=MUTED, strokeDash=[2, 3]).encode(y="mass:Q"),
        all_of_them.mark_text(align="right", baseline="top", dy=4, fontSize=11, color=MUTED).encode(
            x=alt.value(width), y="mass:Q", text="words:N"
        ),
        used.mark_point(filled=True, size=70, opacity=1, color=INK).encode(x="multiple:Q", y="mass:Q"),
        *draw_marks(marks, alt.X("at:Q", title=x_title, scale=x_scale, axis=x_axis), domain, width),
    ]
    return dress(alt.layer(*layers).properties(width=width, height=height, title=title))
