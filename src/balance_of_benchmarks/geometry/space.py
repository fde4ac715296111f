"""The benchmark list as points in description space: everything weights and tasks need of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from balance_of_benchmarks.board.settings import Adjustment
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.geometry.angles import angular_distances, normalize_rows, rows_without_text
from balance_of_benchmarks.geometry.density import inverse_density_weights, leave_one_out_masses, measure_density
from balance_of_benchmarks.geometry.magnitude import leave_one_out_weights, solve_magnitude
from balance_of_benchmarks.geometry.points import check_positive, label_points, mark_benchmarks, median_distance
from balance_of_benchmarks.types import BoolArray, FloatArray, IntArray, as_floats, freeze

__all__ = ["DENSITY_BANDWIDTH", "Pair", "Space", "WeightRule", "Weighting", "measure_space"]

Weighting = Literal["inverse_density", "magnitude", "equal"]

# §3.2: near copies share influence, unrelated benchmarks hardly touch (W = 12.5 of 14 on the paper's board).
DENSITY_BANDWIDTH: Final = 0.25
# With fewer than two distinct texts no distance can set the unit; a right angle is what unrelated texts have.
_UNIT_WITHOUT_PAIRS: Final = np.pi / 2


@dataclass(frozen=True, slots=True)
class Pair:
    """Two benchmarks, by position, and the angle between them."""

    a: int
    b: int
    distance: float


@dataclass(frozen=True, slots=True, eq=False)
class WeightRule:
    """How weights are to be found: a weighting, its bandwidth in medians, and the user's own say."""

    weighting: Weighting
    density_bandwidth: float
    given: FloatArray | None = None
    target: FloatArray | None = None

    @property
    def name(self) -> str:
        """The weighting, or "given"."""
        return self.weighting if self.given is None else "given"

    def take(self, positions: IntArray) -> WeightRule:
        """Give the rule for a part of the list."""
        given = None if self.given is None else self.given[positions]
        return replace(self, given=given, target=None if self.target is None else self.target[positions])


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """Distances, densities, weights and masses of a list of benchmarks; `measure_space` makes one.

    Parameters
    ----------
    vectors : ndarray of shape (N, d)
        Unit vectors; NaN for a benchmark without a text.
    distances : ndarray of shape (N, N)
        Angles; infinite to a benchmark without a text.
    labels : ndarray of int, shape (N,)
        Which benchmarks are one point: the position of the first listed at each one's (`label_points`).
    marks : tuple of bytes, length N
        What `draw` tells benchmarks apart by (`mark_benchmarks`).
    rule : WeightRule
        How the weights were asked for.
    median : float
        The unit: median distance over pairs of distinct points.
    density : ndarray of shape (N,)
        ρ.
    weights : ndarray of shape (N,)
        u, in benchmark units, `target` included.
    notes : tuple of Adjustment
        What a user should know of how this came about.
    """

    vectors: FloatArray
    distances: FloatArray
    labels: IntArray
    marks: tuple[bytes, ...]
    rule: WeightRule
    median: float
    density: FloatArray
    weights: FloatArray
    notes: tuple[Adjustment, ...]

    @property
    def bandwidth(self) -> float:
        """h_dens in radians."""
        return self.rule.density_bandwidth * self.median

    @property
    def shares(self) -> FloatArray:
        """Normalized weights v = u / Σu, shape (N,)."""
        shares: FloatArray = self.weights / self.weights.sum()
        return shares

    @property
    def effective_mass(self) -> float:
        """W = Σu: how many isolated benchmarks the list is worth."""
        return float(self.weights.sum())

    @property
    def masses(self) -> FloatArray:
        """Effective mass lost with each benchmark, at fixed bandwidth and before `target`, shape (N,); on demand."""
        if self.rule.given is not None:
            return self.rule.given
        if self.rule.weighting == "equal":
            return np.ones(len(self.labels))
        if self.rule.weighting == "inverse_density":
            return leave_one_out_masses(self.distances, self.bandwidth)
        solution = solve_magnitude(self.distances, self.bandwidth, labels=self.labels)
        return leave_one_out_weights(self.distances, self.bandwidth, solution)

    @property
    def firsts(self) -> IntArray:
        """Positions of the first listed benchmark at each point, shape (P,)."""
        positions: IntArray = np.flatnonzero(self.labels == np.arange(len(self.labels)))
        return positions

    @property
    def has_text(self) -> BoolArray:
        """Which benchmarks have a text and can be near a task, shape (N,)."""
        return ~rows_without_text(self.vectors)

    def distances_to(self, vector: ArrayLike) -> FloatArray:
        """Angles from a task's vector (d,) to every benchmark, shape (N,); infinite where there is no text."""
        angles: FloatArray = angular_distances(np.atleast_2d(np.asarray(vector)), self.vectors)[0]
        return angles

    def closest_pairs(self, count: int = 5) -> tuple[Pair, ...]:
        """List the pairs with the smallest angles, copies first."""
        i, j = np.triu_indices(len(self.distances), k=1)
        angles = self.distances[i, j]
        order = np.argsort(angles, kind="stable")[:count]
        return tuple(Pair(int(i[k]), int(j[k]), float(angles[k])) for k in order if np.isfinite(angles[k]))

    def draw(self, positions: IntArray, most: int, rng: np.random.Generator) -> IntArray:
        """Draw some of the points: the same ones in whatever order they are listed, and however often.

        Parameters
        ----------
        positions : ndarray of int
            Ascending, one a point.
        most : int
            All are taken where there are no more.
        rng : numpy.random.Generator

        Returns
        -------
        ndarray of int
            Ascending.

        Notes
        -----
        Each mark is hashed with the generator's next bytes, and the points with the least numbers are taken, the least
        of a point's copies being its own: a benchmark more on the list replaces one of those drawn at most. Only
        benchmarks with neither text nor vector, which have one mark, are taken in the order of the list.
        """
        if positions.size <= most:
            return positions
        key = rng.bytes(16)
        each = [int.from_bytes(blake2b(mark, digest_size=8, key=key).digest()) for mark in self.marks]
        least = np.full(len(each), np.iinfo(np.uint64).max, dtype=np.uint64)
        np.minimum.at(least, self.labels, np.array(each, dtype=np.uint64))
        drawn: IntArray = np.sort(positions[np.argsort(least[self.labels[positions]], kind="stable")[:most]])
        return drawn

    def reweigh(self, weighting: Weighting) -> Space:
        """Give the same list other weights, the user's own left aside.

        Parameters
        ----------
        weighting : {"inverse_density", "magnitude", "equal"}

        Returns
        -------
        Space
        """
        rule = replace(self.rule, weighting=weighting, given=None)
        return _weigh(self.vectors, self.distances, self.labels, self.marks, rule, self.median)

    def take(self, positions: ArrayLike, *, unit: float | None = None) -> Space:
        """Measure a part of the list on its own, as a held-out fold needs it; given weights may all be zero there.

        Parameters
        ----------
        positions : array-like of int
        unit : float, optional
            Median distance to keep; the part's own by default.

        Returns
        -------
        Space
        """
        part = np.asarray(positions, dtype=np.int64)
        _, first, point = np.unique(self.labels[part], return_index=True, return_inverse=True)
        marks = tuple(self.marks[i] for i in part)
        apart = self.distances[np.ix_(part, part)]
        return _weigh(self.vectors[part], apart, first[point], marks, self.rule.take(part), unit)


def measure_space(
    vectors: ArrayLike,
    *,
    texts: Sequence[str | None] | None = None,
    weighting: Weighting = "inverse_density",
    density_bandwidth: float = DENSITY_BANDWIDTH,
    weights: ArrayLike | None = None,
    target: ArrayLike | None = None,
) -> Space:
    """Measure a list of benchmarks: distances, unit, densities, weights, masses.

    Parameters
    ----------
    vectors : array-like of shape (N, d)
        From `embed`; a row of NaN for a benchmark without a text, which counts as isolated.
    texts : sequence of str or None, optional
        Their descriptions, so that equal texts are known for copies whatever the encoder's rounding.
    weighting : {"inverse_density", "magnitude", "equal"}
        The paper's weights, the exactly re-listing-invariant ones, or one each.
    density_bandwidth : float
        h_dens in multiples of the median distance.
    weights : array-like of shape (N,), optional
        The user's own u in benchmark units, instead of `weighting`.
    target : array-like of shape (N,), optional
        What each benchmark's region should count for; multiplies u.

    Returns
    -------
    Space

    Notes
    -----
    §3.2. The weights are a function of the texts alone; no score enters this room.

    Examples
    --------
    >>> space = measure_space([[1.0, 0.0], [0.0, 1.0], [1.0, 1e-9]])
    >>> space.weights.round(2).tolist(), round(space.effective_mass, 2)
    ([0.5, 1.0, 0.5], 2.0)
    """
    points = normalize_rows(vectors)
    n = len(points)
    if texts is not None and len(texts) != n:
        raise ArrayError(f"there are {len(texts)} texts for {n} vectors: expected one each")
    if weighting not in get_args(Weighting):
        raise ArrayError(f"weighting is {weighting!r}: expected one of {', '.join(get_args(Weighting))}")
    rule = WeightRule(
        weighting,
        check_positive(density_bandwidth, "density_bandwidth", "a positive multiple of the median distance"),
        None if weights is None else _as_weights(weights, n, "weights"),
        None if target is None else _as_weights(target, n, "target"),
    )
    distances = angular_distances(points)
    space = _weigh(points, distances, label_points(distances, texts), mark_benchmarks(points, texts), rule, None)
    if n and not space.weights.any():
        raise ArrayError("every weight is zero once multiplied by target: expected at least one positive product")
    return space


def _weigh(
    points: FloatArray,
    distances: FloatArray,
    labels: IntArray,
    marks: tuple[bytes, ...],
    rule: WeightRule,
    unit: float | None,
) -> Space:
    """Apply a rule to a measured list."""
    n, notes = len(points), list[Adjustment]()
    median = median_distance(distances, labels) if unit is None else unit
    if np.isnan(median):
        median = _UNIT_WITHOUT_PAIRS
        if not rows_without_text(points).all():
            message = "fewer than two benchmarks have texts of their own: the unit of distance is a right angle"
            notes.append(Adjustment("unit_assumed", (), message, "describe more benchmarks"))
    bandwidth = rule.density_bandwidth * median

    if rule.given is not None:
        u = rule.given
    elif rule.weighting == "equal":
        u = np.ones(n)
    elif rule.weighting == "inverse_density":
        u = inverse_density_weights(distances, bandwidth)
    else:
        solution = solve_magnitude(distances, bandwidth, labels=labels)
        u = solution.weights
        if solution.indefinite:
            message = f"the kernel of the descriptions is indefinite: its ridge was raised to {solution.ridge:.3g}"
            notes.append(Adjustment("kernel_indefinite", (), message, "a smaller density bandwidth"))
    if rule.target is not None:
        u = u * rule.target

    density = measure_density(distances, bandwidth)
    freeze(points, distances, labels, density, u)
    return Space(
        vectors=points,
        distances=distances,
        labels=labels,
        marks=marks,
        rule=rule,
        median=median,
        density=density,
        weights=u,
        notes=tuple(notes),
    )


def _as_weights(values: ArrayLike, n: int, name: str) -> FloatArray:
    # A copy: what the caller does to theirs later is none of the space's business.
    u: FloatArray = as_floats(values, name).copy()
    if u.shape != (n,):
        raise ArrayError(f"{name} has shape {u.shape}: expected {n} numbers, one for each benchmark")
    bad = np.flatnonzero(~(np.isfinite(u) & (u >= 0)))
    if bad.size:
        raise ArrayError(f"{name} has {u[bad[0]]} at position {bad[0]}: expected finite numbers, none negative")
    if not u.any():
        raise ArrayError(f"{name} has no positive number among {n}: expected at least one positive")
    return u
