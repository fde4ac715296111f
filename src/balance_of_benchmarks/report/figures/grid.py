"""A grid whose columns and rows are as large as what is in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Frame", "accumulate", "share_out"]


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle in pixels.

    Parameters
    ----------
    left, top, right, bottom : float
    """

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> tuple[float, float]:
        """Its centre."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


def share_out(needs: Sequence[tuple[int, int, float]], gaps: Sequence[float]) -> list[float]:
    """Find sizes of columns, or of rows, that give everything in them the size it needs.

    Parameters
    ----------
    needs : sequence of (int, int, float)
        First column, how many columns, and the size needed over all of them.
    gaps : sequence of float
        Between one column and the next; one fewer than columns.

    Returns
    -------
    list of float

    Examples
    --------
    >>> share_out([(0, 1, 30.0), (1, 1, 20.0), (0, 2, 80.0)], [10.0])
    [40.0, 30.0]
    """
    sizes = [0.0] * (len(gaps) + 1)
    for first, taken, size in sorted(needs, key=lambda need: need[1]):
        held = sum(sizes[first : first + taken]) + sum(gaps[first : first + taken - 1])
        for i in range(first, first + taken):
            sizes[i] += max(0.0, size - held) / taken
    return sizes


def accumulate(sizes: Sequence[float], gaps: Sequence[float], first: float) -> list[float]:
    """Find where each column, or row, begins.

    Parameters
    ----------
    sizes : sequence of float
    gaps : sequence of float
        One fewer.
    first : float
        Where the first begins.

    Returns
    -------
    list of float
        As many as `sizes`.

    Examples
    --------
    >>> accumulate([40.0, 30.0], [10.0], 5.0)
    [5.0, 55.0]
    """
    places = [first]
    for size, gap in zip(sizes, gaps, strict=False):
        places.append(places[-1] + size + gap)
    return places
