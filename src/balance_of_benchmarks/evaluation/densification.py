"""What a benchmark adds as it moves away from those listed: placements at random against Proposition 1 (§4.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from balance_of_benchmarks.errors import ArrayError, RankingError
from balance_of_benchmarks.geometry.angles import angular_distances
from balance_of_benchmarks.geometry.density import gaussian_kernel, marginal_mass
from balance_of_benchmarks.geometry.space import Space
from balance_of_benchmarks.types import FloatArray, as_floats

__all__ = ["DIRECTIONS", "Densification", "densify", "isolated_pair_mass"]

DIRECTIONS: Final = 12
"""Tangent directions from each benchmark; with fourteen of them the paper's 168 placements."""


@dataclass(frozen=True, slots=True, eq=False)
class Densification:
    """Effective mass that a new point adds at each of D distances, over P placements.

    Parameters
    ----------
    distance : ndarray of shape (D,)
        From the benchmark that the new point was moved away from, in radians.
    mass : ndarray of shape (D, P)
    isolated : ndarray of shape (D,)
        What it would add were there no other benchmark.
    """

    distance: FloatArray
    mass: FloatArray
    isolated: FloatArray

    @property
    def mean(self) -> FloatArray:
        """Mean over placements, shape (D,)."""
        mean: FloatArray = self.mass.mean(axis=1)
        return mean

    @property
    def deviation(self) -> FloatArray:
        """Standard deviation over placements, shape (D,)."""
        deviation: FloatArray = self.mass.std(axis=1)
        return deviation


def densify(
    space: Space, distances: ArrayLike, *, directions: int = DIRECTIONS, rng: np.random.Generator
) -> Densification:
    """Move a new point away from each listed one and measure what it adds.

    Parameters
    ----------
    space : Space
    distances : array-like of shape (D,)
        Lengths of the geodesic steps in radians, in [0, π].
    directions : int
        Tangent directions drawn at each listed point; the same for every length.
    rng : numpy.random.Generator

    Returns
    -------
    Densification

    Raises
    ------
    RankingError
        For a list without texts, or with vectors of one dimension.

    Notes
    -----
    §4.2, Figure 3a. A step of length d from x along the unit tangent t ends at x cos d + t sin d. Masses are the
    inverse density's, at the list's own bandwidth.
    """
    steps = np.atleast_1d(as_floats(distances, "distances"))
    if steps.ndim != 1 or not ((steps >= 0.0) & (steps <= np.pi)).all():
        raise ArrayError("distances must be angles from 0 to π, one after the other")
    if isinstance(directions, bool) or not isinstance(directions, int) or directions < 1:
        raise ArrayError(f"directions is {directions!r}: expected a whole number of at least 1")
    listed = space.vectors[space.firsts][space.has_text[space.firsts]]
    if not len(listed):
        raise RankingError("no benchmark has a description, so that nothing can be placed near one")
    if listed.shape[1] < 2:
        raise RankingError("the vectors have one dimension: a step away from a benchmark needs at least two")
    start = np.repeat(listed, directions, axis=0)
    tangent = rng.standard_normal(start.shape)
    tangent -= (tangent * start).sum(axis=1, keepdims=True) * start
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    bandwidth = space.bandwidth
    mass = np.stack(
        [
            marginal_mass(
                angular_distances(start * np.cos(step) + tangent * np.sin(step), space.vectors),
                space.distances,
                bandwidth,
            )
            for step in steps
        ]
    )
    return Densification(steps, mass, isolated_pair_mass(steps, bandwidth))


def isolated_pair_mass(distances: ArrayLike, bandwidth: float) -> FloatArray:
    """What a second benchmark adds to an isolated first: (1 - k) / (1 + k).

    Parameters
    ----------
    distances : array-like of shape (D,)
    bandwidth : float

    Returns
    -------
    ndarray of shape (D,)

    Notes
    -----
    Proposition 1, last sentence.

    Examples
    --------
    >>> isolated_pair_mass([0.0, 9.0], bandwidth=0.2).tolist()
    [0.0, 1.0]
    """
    k = gaussian_kernel(distances, bandwidth)
    mass: FloatArray = (1.0 - k) / (1.0 + k)
    return mass
