"""What a benchmark adds: as it moves away from those listed, and of those listed each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import altair as alt

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.bars import Bar, draw_bars, measure_bars
from balance_of_benchmarks.report.figures.lettering import measure_text
from balance_of_benchmarks.report.figures.panels import join_panels
from balance_of_benchmarks.report.figures.theme import INK, MARK, MARKED, MUTED, OURS, Drawn, dress, tabulate

__all__ = ["AddedMass", "ListedMass", "PlacedPair", "draw_densification"]

_WIDTH: Final = 250
_KEY: Final = 26  # pixels of a line in the key
_SIZE: Final = 11
_LINE: Final = 14  # pixels from one line of words to the next
_APART: Final = 9  # and between a point and its words


@dataclass(frozen=True, slots=True)
class AddedMass:
    """What a new benchmark adds at one distance from a listed one.

    Parameters
    ----------
    distance : float
        In radians.
    mean, deviation : float
        Over placements.
    isolated : float
        What it would add were there no other benchmark.
    """

    distance: float
    mean: float
    deviation: float
    isolated: float


@dataclass(frozen=True, slots=True)
class PlacedPair:
    """Where a pair of listed benchmarks lies on the curve.

    Parameters
    ----------
    label : str
    distance : float
        Between the two.
    mass : float
        Mean added mass at that distance.
    """

    label: str
    distance: float
    mass: float


@dataclass(frozen=True, slots=True)
class ListedMass:
    """What a listed benchmark contributes.

    Parameters
    ----------
    label : str
    mass : float
        Effective mass lost without it.
    near : bool
        Whether it has a near twin, and stands out.
    """

    label: str
    mass: float
    near: bool = False


def draw_densification(
    curve: Sequence[AddedMass],
    listed: Sequence[ListedMass],
    *,
    pairs: Sequence[PlacedPair] = (),
    placements: int | None = None,
) -> Drawn:
    """Draw what a new benchmark adds by distance, beside what each listed one contributes.

    Parameters
    ----------
    curve : sequence of AddedMass
        In the order of distance.
    listed : sequence of ListedMass
        In any order; shown from the largest.
    pairs : sequence of PlacedPair
        To be pointed out on the curve.
    placements : int, optional
        How many the means are over, to be said in the key.

    Returns
    -------
    altair chart

    Raises
    ------
    ArrayError
        For a curve of fewer than two points, an order that is none, or where nothing is listed.

    Examples
    --------
    >>> curve = [AddedMass(0.0, 0.0, 0.01, 0.0), AddedMass(1.0, 1.0, 0.02, 1.0)]
    >>> chart = draw_densification(curve, [ListedMass("a", 0.4, near=True), ListedMass("b", 1.0)])
    >>> [panel["title"]["text"] for panel in chart.to_dict()["vconcat"][0]["hconcat"]]
    ['(a) A newcomer, by distance', '(b) Each listed benchmark']
    """
    if not listed:
        raise ArrayError("no benchmark is listed: expected the mass of at least one")
    bars = draw_bars(
        [Bar(row.label, row.mass, row.near) for row in sorted(listed, key=lambda row: -row.mass)],
        axis="mass lost without it",
        title="Each listed benchmark",
        reference=1.0,
        reference_label="isolated: 1",
    )
    return join_panels([_draw_curve(curve, pairs, placements, measure_bars(len(listed))), bars])


def _draw_curve(curve: Sequence[AddedMass], pairs: Sequence[PlacedPair], placements: int | None, height: int) -> Drawn:
    if len(curve) < 2:
        raise ArrayError(f"{len(curve)} points make no curve: expected the added mass at 2 distances or more")
    if any(after.distance <= before.distance for before, after in pairwise(curve)):
        raise ArrayError("the curve's distances do not ascend: expected each once, the smallest first")
    figures = [number for point in curve for number in (point.distance, point.mean, point.deviation, point.isolated)]
    if not all(map(math.isfinite, figures)):
        raise ArrayError("the curve has a point that is no finite number")
    data = tabulate(
        [
            {
                "distance": float(point.distance),
                "mean": float(point.mean),
                "low": float(point.mean - point.deviation),
                "high": float(point.mean + point.deviation),
                "isolated": float(point.isolated),
            }
            for point in curve
        ]
    )
    far = round(float(curve[-1].distance), 6)
    x = alt.X(
        "distance:Q",
        title="distance from a listed benchmark (radians)",
        scale=alt.Scale(domain=[0, far], nice=False),
        axis=alt.Axis(tickCount=6, grid=False),
    )
    low, high = min(0.0, *(p.mean - p.deviation for p in curve)), max(p.mean + p.deviation for p in curve)
    domain = [round(float(low - 0.02), 6), round(float(high + 0.05), 6)]
    y = alt.Y(
        "low:Q",
        title="mass it adds",
        scale=alt.Scale(domain=domain, nice=False),
        axis=alt.Axis(tickCount=5, grid=False),
    )
    base = alt.Chart(data).encode(x=x)
    layers: list[alt.Chart] = [
        base.mark_area(color=OURS, opacity=0.25).encode(y=y, y2="high:Q"),
        base.mark_line(color=OURS, strokeWidth=2.2).encode(y="mean:Q"),
        base.mark_line(color=INK, strokeWidth=1.3, strokeDash=[5, 3]).encode(y="isolated:Q"),
        *_draw_key(placements, height),
    ]
    layers += _draw_pairs(pairs, far)
    return dress(alt.layer(*layers).properties(width=_WIDTH, height=height, title="A newcomer, by distance"))


def _draw_pairs(pairs: Sequence[PlacedPair], far: float) -> list[alt.Chart]:
    """Draw pairs with their words: below to the right, or above to the left, for there a rising curve leaves room."""
    points, words = list[alt.Chart](), list[alt.Chart]()
    below = above = 0
    for pair in sorted(pairs, key=lambda pair: -pair.distance):
        row = {"distance": float(pair.distance), "mean": float(pair.mass), "words": pair.label}
        base = alt.Chart(tabulate([row])).encode(x="distance:Q", y="mean:Q", text="words:N")
        end = _WIDTH * pair.distance / far + _APART + measure_text(pair.label, _SIZE)
        if end <= _WIDTH:
            text = base.mark_text(align="left", dx=_APART, dy=6 + _LINE * below, fontSize=_SIZE, color=MARKED)
            below += 1
        else:
            text = base.mark_text(align="right", dx=-_APART, dy=-6 - _LINE * above, fontSize=_SIZE, color=MARKED)
            above += 1
        words.append(text)
        points.append(base.mark_point(filled=True, size=80, opacity=1, color=MARK, stroke="white", strokeWidth=1))
    return [*points, *words]


def _draw_key(placements: int | None, height: int) -> list[alt.Chart]:
    """Say what the lines are, at the lower right, where a rising curve leaves room."""
    over = "mean ± SD" if placements is None else f"mean ± SD of {placements} placements"
    layers = []
    for words, colour, dash, up in ((over, OURS, [1, 0], 34), ("beside one benchmark alone", INK, [5, 3], 16)):
        base = alt.Chart(tabulate([{"words": words}]))
        layers += [
            base.mark_rule(color=colour, strokeWidth=2, strokeDash=dash).encode(
                x=alt.value(_WIDTH - 190), x2=alt.value(_WIDTH - 190 + _KEY), y=alt.value(height - up)
            ),
            base.mark_text(align="left", fontSize=11, color=MUTED).encode(
                x=alt.value(_WIDTH - 190 + _KEY + 6), y=alt.value(height - up), text="words:N"
            ),
        ]
    return layers
