"""The held-out figure with descriptions in their places, among those with descriptions dealt out at random."""

from __future__ import annotations

import math
from collections.abc import Sequence

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.histogram import draw_histogram
from balance_of_benchmarks.report.figures.marks import Mark
from balance_of_benchmarks.report.figures.theme import INK, OURS, Drawn

__all__ = ["draw_shuffles"]


def draw_shuffles(
    drawn: Sequence[float],
    observed: float,
    *,
    axis: str = "mean held-out profile",
    title: str = "",
    width: int = 250,
    height: int = 190,
) -> Drawn:
    """Draw how the figure is spread under shuffled descriptions, and where the true one lies.

    Parameters
    ----------
    drawn : sequence of float
        One for each draw; NaN where undefined.
    observed : float
        With every description where it belongs.
    axis : str
        What the figure is.
    title : str
    width, height : int
        Pixels of the plot without labels.

    Returns
    -------
    altair chart

    Raises
    ------
    ArrayError
        Where no draw, or not the true one, is a number.

    Examples
    --------
    >>> chart = draw_shuffles([0.31, 0.35, 0.42], 0.48)
    >>> sorted(row["words"] for rows in chart.to_dict()["datasets"].values() for row in rows if "words" in row)
    ['mean 0.360', 'true texts 0.480, reached by 0 of 3']
    """
    known = [float(value) for value in drawn if math.isfinite(value)]
    if not known:
        raise ArrayError("no draw has a finite figure: expected at least one to draw")
    if not math.isfinite(observed):
        raise ArrayError(f"the figure with every text in its place is {observed}: expected a finite number")
    reached = sum(value >= observed for value in known)
    marks = [
        Mark(math.fsum(known) / len(known), f"mean {math.fsum(known) / len(known):.3f}", INK, dashed=True),
        Mark(float(observed), f"true texts {observed:.3f}, reached by {reached} of {len(known)}", OURS),
    ]
    return draw_histogram(known, axis=axis, counted="draws", marks=marks, title=title, width=width, height=height)
