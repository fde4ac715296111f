"""The opening figure: how near some benchmarks lie to each other, and what weighting makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.bars import Bar, draw_bars, measure_bars
from balance_of_benchmarks.report.figures.histogram import draw_histogram
from balance_of_benchmarks.report.figures.marks import Mark
from balance_of_benchmarks.report.figures.panels import join_panels
from balance_of_benchmarks.report.figures.theme import INK, MARKED, Drawn

__all__ = ["NearPair", "WeightShare", "draw_teaser"]


@dataclass(frozen=True, slots=True)
class NearPair:
    """Two benchmarks that lie near each other.

    Parameters
    ----------
    label : str
        For both of them together.
    distance : float
        In radians.
    """

    label: str
    distance: float


@dataclass(frozen=True, slots=True)
class WeightShare:
    """A benchmark and its share of all weight.

    Parameters
    ----------
    label : str
    share : float
        In [0, 1].
    near : bool
        Whether it is one of a near pair, and stands out.
    """

    label: str
    share: float
    near: bool = False


def draw_teaser(
    distances: Sequence[float],
    shares: Sequence[WeightShare],
    *,
    median: float,
    pairs: Sequence[NearPair] = (),
) -> Drawn:
    """Draw all distances between benchmarks beside the share of weight that each benchmark gets.

    Parameters
    ----------
    distances : sequence of float
        One for each pair, in radians; infinite ones, to a benchmark without a text, are left out.
    shares : sequence of WeightShare
        In any order; shown from the largest.
    median : float
        The unit of distance.
    pairs : sequence of NearPair
        To be pointed out among the distances.

    Returns
    -------
    altair chart

    Raises
    ------
    ArrayError
        Where there is no distance or no share.

    Examples
    --------
    >>> shares = [WeightShare("a", 0.3, near=True), WeightShare("b", 0.3, near=True), WeightShare("c", 0.4)]
    >>> chart = draw_teaser([0.3, 0.9, 1.0], shares, median=0.9, pairs=[NearPair("a and b", 0.3)])
    >>> [panel["title"]["text"] for panel in chart.to_dict()["vconcat"][0]["hconcat"]]
    ['(a) How far benchmarks lie apart', '(b) What each of them counts for']
    """
    if not shares:
        raise ArrayError("no benchmark has a share of the weight: expected at least one to draw")
    height = measure_bars(len(shares))
    marks = [Mark(pair.distance, f"{pair.label} {pair.distance:.2f}", MARKED) for pair in pairs]
    apart = draw_histogram(
        distances,
        axis="angle between two descriptions (radians)",
        counted="pairs of benchmarks",
        marks=[*marks, Mark(median, f"median {median:.2f}", INK, dashed=True)],
        title="How far benchmarks lie apart",
        height=height,
    )
    weighed = draw_bars(
        [Bar(row.label, 100 * row.share, row.near) for row in sorted(shares, key=lambda row: -row.share)],
        axis="share of all weight (%)",
        title="What each of them counts for",
        reference=100 / len(shares),
        reference_label=f"equal: 1/{len(shares)}",
        digits=1,
    )
    return join_panels([apart, weighed])
