"""Agreement of a ranking with itself once benchmarks are listed again, by how often and under which weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import altair as alt

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.theme import EXACT, INK, OURS, RIVAL, Drawn, dress, tabulate

__all__ = ["RelistedRanking", "draw_relisting"]

Role = Literal["ours", "exact", "rival", "other"]

_SIZE: Final = 11
_LINE: Final = 14  # pixels from one line of words to the next
# Colour, shape and dashes differ, so that the lines can be told apart in grey.
_LOOKS: Final[dict[Role, tuple[str, str, list[int]]]] = {
    "ours": (OURS, "circle", [1, 0]),
    "exact": (EXACT, "diamond", [6, 2]),
    "rival": (RIVAL, "square", [4, 3]),
    "other": (INK, "triangle-up", [1, 2]),
}


@dataclass(frozen=True, slots=True)
class RelistedRanking:
    """One way of ranking, and its agreement with itself by the number of copies added.

    Parameters
    ----------
    label : str
        Beside its line; different for each.
    copies : tuple of int
        Ascending.
    kendall : tuple of float
        τ against the ranking without copies, as many; NaN where undefined: such a point is left out.
    role : {"ours", "exact", "rival", "other"}
        What it is drawn as.
    """

    label: str
    copies: tuple[int, ...]
    kendall: tuple[float, ...]
    role: Role = "other"


def draw_relisting(
    rankings: Sequence[RelistedRanking],
    *,
    axis: str = "mean Kendall τ with the ranking before",
    title: str = "",
    width: int = 330,
    height: int = 210,
) -> Drawn:
    """Draw how rankings hold when benchmarks are listed again.

    Parameters
    ----------
    rankings : sequence of RelistedRanking
    axis : str
        What τ is of.
    title : str
    width, height : int
        Pixels of the plot without labels.

    Returns
    -------
    altair chart

    Raises
    ------
    ArrayError
        Where there is no point to draw, numbers of copies and of figures differ, or two labels are one.

    Examples
    --------
    >>> ours = RelistedRanking("inverse density", (1, 2), (0.998, 0.997), "ours")
    >>> chart = draw_relisting([ours, RelistedRanking("equal weight", (1, 2), (0.98, 0.96), "rival")])
    >>> [layer["mark"]["type"] for layer in chart.to_dict()["layer"]]
    ['line', 'point', 'text', 'line', 'point', 'text']
    """
    drawn = [_known(ranking) for ranking in rankings]
    drawn = [ranking for ranking in drawn if ranking.kendall]
    if not drawn:
        raise ArrayError("no ranking has a finite τ: expected at least one point to draw")
    labels = [ranking.label for ranking in drawn]
    if len(set(labels)) < len(labels):
        raise ArrayError("two rankings have the same label: expected one label each")
    fewest, most = min(r.copies[0] for r in drawn), max(r.copies[-1] for r in drawn)
    least, largest = min(min(r.kendall) for r in drawn), max(max(r.kendall) for r in drawn)
    margin = max(0.06 * (largest - least), 0.005)
    domain = [round(least - margin, 6), round(largest + margin, 6)]
    x = alt.X(
        "copies:Q",
        title="copies added of one benchmark",
        scale=alt.Scale(domain=[fewest, max(most, fewest + 1)], nice=False, padding=8),
        axis=alt.Axis(grid=False, format="d", values=_choose_copies(fewest, most)),
    )
    y = alt.Y("kendall:Q", title=axis, scale=alt.Scale(domain=domain, nice=False), axis=alt.Axis(tickCount=6))
    per_pixel = height / (domain[1] - domain[0])
    ends = spread_lines([(domain[1] - r.kendall[-1]) * per_pixel for r in drawn], _LINE)
    layers: list[alt.Chart] = []
    for ranking, end in zip(drawn, ends, strict=True):
        colour, shape, dash = _LOOKS[ranking.role]
        points = tabulate(
            [{"copies": int(n), "kendall": float(t)} for n, t in zip(ranking.copies, ranking.kendall, strict=True)]
        )
        base = alt.Chart(points).encode(x=x, y=y)
        words = alt.Chart(tabulate([{"words": ranking.label}]))
        layers += [
            base.mark_line(color=colour, strokeWidth=2, strokeDash=dash),
            base.mark_point(filled=True, size=42, opacity=1, color=colour, shape=shape),
            words.mark_text(align="left", fontSize=_SIZE, color=colour).encode(
                x=alt.value(width + 4), y=alt.value(end), text="words:N"
            ),
        ]
    return dress(alt.layer(*layers).properties(width=width, height=height, title=title))


def spread_lines(places: Sequence[float], apart: float) -> list[float]:
    """Move lines of words up and down, as little as can be, until none lies on another.

    Parameters
    ----------
    places : sequence of float
        Where each would stand, in pixels.
    apart : float
        The least between two.

    Returns
    -------
    list of float
        In the order given.

    Examples
    --------
    >>> spread_lines([10.0, 50.0, 12.0], 14.0)
    [4.0, 50.0, 18.0]
    """
    order = sorted(range(len(places)), key=lambda i: (places[i], i))
    # Lines that would touch make a block around their middle, and blocks that would touch make a larger one.
    blocks: list[list[int]] = []
    for i in order:
        blocks.append([i])
        while len(blocks) > 1 and _top(blocks[-1], places, apart) < _top(blocks[-2], places, apart) + apart * len(
            blocks[-2]
        ):
            last = blocks.pop()
            blocks[-1] += last
    spread = [0.0] * len(places)
    for block in blocks:
        for line, i in enumerate(block):
            spread[i] = round(_top(block, places, apart) + line * apart, 2)
    return spread


def _top(block: Sequence[int], places: Sequence[float], apart: float) -> float:
    """Give the place of a block's first line: its lines are evenly apart, around the mean of where they would be."""
    return sum(places[i] for i in block) / len(block) - apart * (len(block) - 1) / 2


def _known(ranking: RelistedRanking) -> RelistedRanking:
    if len(ranking.copies) != len(ranking.kendall):
        raise ArrayError(
            f"{ranking.label} has {len(ranking.copies)} numbers of copies and {len(ranking.kendall)} of τ: "
            "expected as many"
        )
    if list(ranking.copies) != sorted(set(ranking.copies)):
        raise ArrayError(f"{ranking.label} has copies {ranking.copies}: expected each number once, ascending")
    known = [pair for pair in zip(ranking.copies, ranking.kendall, strict=True) if math.isfinite(pair[1])]
    return RelistedRanking(
        ranking.label, tuple(copies for copies, _ in known), tuple(tau for _, tau in known), ranking.role
    )


def _choose_copies(fewest: int, most: int) -> list[int]:
    step = max(1, math.ceil((most - fewest) / 10))
    return [*range(fewest, most + 1, step)]
