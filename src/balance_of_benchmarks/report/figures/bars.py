"""Horizontal bars: one amount a line, against what each would be if all were alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import altair as alt

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.theme import INK, MARK, MUTED, OURS, Drawn, dress, tabulate

__all__ = ["Bar", "draw_bars", "measure_bars"]

_LINE: Final = 16  # pixels a bar
_ABOVE: Final = 13  # where the reference line begins, below its words


@dataclass(frozen=True, slots=True)
class Bar:
    """One amount.

    Parameters
    ----------
    label : str
        Different for each.
    value : float
        NaN where undefined: such a bar is left out.
    marked : bool
        Whether it stands out: a benchmark with a near twin, say.
    """

    label: str
    value: float
    marked: bool = False


def draw_bars(
    bars: Sequence[Bar],
    *,
    axis: str,
    title: str = "",
    reference: float | None = None,
    reference_label: str = "",
    digits: int = 2,
    width: int = 150,
    height: int | None = None,
) -> Drawn:
    """Draw amounts as bars from zero, each with its number.

    Parameters
    ----------
    bars : sequence of Bar
        In the order shown, from the top.
    axis : str
        What is measured.
    title : str
    reference : float, optional
        Where a line says "as much as this": an equal share, say.
    reference_label : str
        What the line says, above the bars.
    digits : int
        After the point, in the numbers beside the bars.
    width, height : int
        Pixels of the plot without labels; the height follows from the number of bars.

    Returns
    -------
    altair chart

    Raises
    ------
    ArrayError
        Where no bar has a number, or two have one label.

    Examples
    --------
    >>> chart = draw_bars([Bar("a", 0.4), Bar("b", 1.0)], axis="mass", reference=1.0)
    >>> [layer["mark"]["type"] for layer in chart.to_dict()["layer"]]
    ['bar', 'text', 'rule', 'text']
    """
    drawn = [bar for bar in bars if math.isfinite(bar.value)]
    if not drawn:
        raise ArrayError("no bar has a finite value: expected at least one to draw")
    labels = [bar.label for bar in drawn]
    if len(set(labels)) < len(labels):
        raise ArrayError("two bars have the same label, so that they would lie on each other: expected one label each")
    data = tabulate(
        [
            {
                "label": bar.label,
                "value": float(bar.value),
                "words": f"{bar.value:z.{digits}f}",
                "colour": MARK if bar.marked else OURS,
            }
            for bar in drawn
        ]
    )
    amounts = [0.0, *(bar.value for bar in drawn), *([] if reference is None else [reference])]
    low, high = round(float(min(amounts)), 6), round(float(max(amounts)), 6)
    scale = alt.Scale(domain=[low, high if high > low else low + 1.0], nice=False, padding=3)
    # Half a line above the bars and below them; what the reference line says stands there.
    lines = alt.Scale(paddingOuter=0.9 if reference_label else 0.1, paddingInner=0.1)
    y = alt.Y("label:N", sort=labels, title=None, axis=alt.Axis(domain=False, ticks=False, labelPadding=6), scale=lines)
    x = alt.X("value:Q", title=axis, scale=scale, axis=alt.Axis(tickCount=4, grid=False))
    base = alt.Chart(data).encode(y=y)
    layers: list[alt.Chart] = [
        base.mark_bar(height=10).encode(x=x, color=alt.Color("colour:N", scale=None)),
        base.mark_text(align="left", fontSize=11, color=MUTED).encode(x=alt.value(width + 7), text="words:N"),
    ]
    if reference is not None:
        line = alt.Chart(tabulate([{"value": float(reference), "words": reference_label}])).encode(x=x)
        layers += [
            line.mark_rule(color=INK, strokeDash=[4, 3]).encode(y=alt.value(_ABOVE), y2=alt.value("height")),
            line.mark_text(align="right", dx=3, fontSize=11, color=INK, baseline="top").encode(
                y=alt.value(0), text="words:N"
            ),
        ]
    return dress(alt.layer(*layers).properties(width=width, height=height or measure_bars(len(drawn)), title=title))


def measure_bars(count: int) -> int:
    """Say how high a plot of so many bars is, for one beside it to be as high.

    Parameters
    ----------
    count : int

    Returns
    -------
    int
        Pixels.
    """
    return (count + 1) * _LINE
