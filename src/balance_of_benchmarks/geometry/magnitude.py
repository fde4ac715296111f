"""Magnitude weights: re-listing a benchmark changes nothing at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from balance_of_benchmarks.geometry.density import gaussian_kernel
from balance_of_benchmarks.geometry.points import (
    between_points,
    check_distances,
    check_positive,
    label_points,
    take_labels,
)
from balance_of_benchmarks.types import BoolArray, FloatArray, IntArray

__all__ = [
    "DEFAULT_RIDGE",
    "MagnitudeSolution",
    "least_ridge",
    "leave_one_out_weights",
    "magnitude_weights",
    "solve_magnitude",
]

# Without it the shares of two near copies jump as they approach each other, though their sum does not;
# .01 removes the jump for angles below about .01 radian.
DEFAULT_RIDGE: Final = 0.01
# The Gaussian of an angle is not always positive definite; below this the solution is not unique.
_SMALLEST_EIGENVALUE: Final = 1e-8
# What rounding leaves of a condition that holds with equality.
_DUAL_TOLERANCE: Final = 1e-9
# Pivoting settles within ten rounds or, where rounding makes it waver, not at all.
_PIVOTS: Final = 40


@dataclass(frozen=True, slots=True, eq=False)
class MagnitudeSolution:
    """Weights and how they were reached.

    Parameters
    ----------
    weights : ndarray of shape (N,)
        u, non-negative; copies hold equal parts of their point's weight.
    labels : ndarray of int, shape (N,)
        Which benchmarks are copies of one point.
    ridge : float
        What was added to the kernel's diagonal.
    indefinite : bool
        Whether the ridge had to be raised to make the problem have one solution.
    """

    weights: FloatArray
    labels: IntArray
    ridge: float
    indefinite: bool


def magnitude_weights(
    distances: ArrayLike, bandwidth: float, *, labels: ArrayLike | None = None, ridge: float = DEFAULT_RIDGE
) -> FloatArray:
    """Weights that are exactly invariant to listing a benchmark again.

    Use them instead of `inverse_density_weights` when copies must change nothing, not almost nothing.

    Parameters
    ----------
    distances : array-like of shape (N, N)
    bandwidth : float
        Must be held fixed under re-listing; `measure_space` does so by taking its unit over distinct points.
    labels : array-like of int, shape (N,), optional
        Benchmarks with equal labels are copies of one point. By default those nearer than 1e-6 are.
    ridge : float
        Added to the kernel of distinct points.

    Returns
    -------
    ndarray of shape (N,)
        u, in units of about one isolated benchmark; zeros are possible.

    Notes
    -----
    The minimiser of w'(K + λI)w/2 - 1'w over w >= 0 on the distinct points; where (K + λI)⁻¹1 is
    non-negative it is that, and its sum is the magnitude of the finite metric space.
    Unlike the paper: §3.2 has the inverse density only.

    Examples
    --------
    >>> magnitude_weights([[0.0, 0.0], [0.0, 0.0]], bandwidth=0.2, ridge=0.0).tolist()
    [0.5, 0.5]
    """
    return solve_magnitude(distances, bandwidth, labels=labels, ridge=ridge).weights


def solve_magnitude(
    distances: ArrayLike, bandwidth: float, *, labels: ArrayLike | None = None, ridge: float = DEFAULT_RIDGE
) -> MagnitudeSolution:
    """Solve for magnitude weights and say how it went.

    Parameters
    ----------
    distances, bandwidth, labels, ridge
        As for `magnitude_weights`.

    Returns
    -------
    MagnitudeSolution
    """
    matrix = check_distances(distances)
    points = label_points(matrix) if labels is None else take_labels(labels, len(matrix))
    if ridge != 0:
        check_positive(ridge, "ridge", "a number of at least 0")
    _, inverse, copies = np.unique(points, return_inverse=True, return_counts=True)
    apart = between_points(matrix, points)
    raised = max(ridge, least_ridge(gaussian_kernel(apart, bandwidth), ridge))
    weights = _minimise(_kernel(apart, bandwidth, raised))
    return MagnitudeSolution(
        weights=(weights / copies)[inverse],
        labels=points,
        ridge=raised,
        indefinite=raised > ridge,
    )


def least_ridge(kernel: FloatArray, ridge: float = 0.0) -> float:
    """Find the ridge that brings a kernel's smallest eigenvalue to 1e-8.

    Parameters
    ----------
    kernel : ndarray of shape (P, P)
    ridge : float
        One that is added already.

    Returns
    -------
    float
        0 where `ridge` is enough.
    """
    try:
        # A tenth of the time that eigenvalues take, and all that most boards need.
        np.linalg.cholesky(kernel + (ridge - _SMALLEST_EIGENVALUE) * np.eye(len(kernel)))
    except np.linalg.LinAlgError:
        return _SMALLEST_EIGENVALUE - float(np.linalg.eigvalsh(kernel)[0])
    return 0.0


def _minimise(kernel: FloatArray, free: BoolArray | None = None) -> FloatArray:
    """Minimise w'Kw/2 - 1'w over w >= 0 for positive definite K, from a guess of the positive weights."""
    guess = np.ones(len(kernel), dtype=bool) if free is None else free.copy()
    if not guess.any():
        guess[:] = True
    weights = _pivot(kernel, guess)
    return weights if weights is not None else _descend(kernel, guess)


def _pivot(kernel: FloatArray, free: BoolArray) -> FloatArray | None:
    """Block principal pivoting: all that violate a condition change sides at once.

    Nearly always a few rounds; None, with `free` where it got to, when it does not settle, which rounding can
    bring about where points crowd.
    """
    for _ in range(_PIVOTS):
        weights = _solve_on(kernel, free)
        offenders = (free & (weights < 0)) | (~free & (kernel @ weights - 1.0 < -_DUAL_TOLERANCE))
        if not offenders.any():
            return weights
        free ^= offenders
    return None


def _descend(kernel: FloatArray, free: BoolArray) -> FloatArray:
    """Lawson and Hanson's steps: each lowers the objective, so they end; slower than pivoting.

    A point whose return rounding error undoes at once stays out.
    """
    weights = _solve_on(kernel, free)
    while (weights < 0).any():
        free &= weights > 0
        weights = _solve_on(kernel, free)
    refused = np.zeros_like(free)
    while True:
        gain = np.where(free | refused, 0.0, 1.0 - kernel @ weights)
        candidate = int(np.argmax(gain))
        if gain[candidate] <= _DUAL_TOLERANCE:
            return weights
        free[candidate] = True
        proposal = _solve_on(kernel, free)
        while (proposal[free] <= 0).any():
            # Go towards the proposal as far as all weights stay non-negative, and drop what reached zero.
            falling = free & (proposal <= 0)
            steps = np.full(len(kernel), np.inf)
            steps[falling] = weights[falling] / (weights[falling] - proposal[falling])
            weights = np.maximum(weights + steps.min() * (proposal - weights), 0.0)
            free &= steps > steps.min()
            weights[~free] = 0.0
            proposal = _solve_on(kernel, free)
        weights = proposal
        refused[candidate] = not free[candidate]


def _solve_on(kernel: FloatArray, free: BoolArray) -> FloatArray:
    weights = np.zeros(len(kernel))
    weights[free] = np.linalg.solve(kernel[np.ix_(free, free)], np.ones(int(free.sum())))
    return weights


def leave_one_out_weights(distances: ArrayLike, bandwidth: float, solution: MagnitudeSolution) -> FloatArray:
    """Total weight lost with each benchmark, at fixed bandwidth and ridge.

    Parameters
    ----------
    distances : array-like of shape (N, N)
    bandwidth : float
    solution : MagnitudeSolution
        Of the whole list.

    Returns
    -------
    ndarray of shape (N,)
        0 for a benchmark with a copy: the list would not miss it.
    """
    _, first, inverse, copies = np.unique(solution.labels, return_index=True, return_inverse=True, return_counts=True)
    kernel = _kernel(between_points(check_distances(distances), solution.labels), bandwidth, solution.ridge)
    weights = (solution.weights * copies[inverse])[first]
    lost = np.zeros(len(first))
    for point in np.flatnonzero((copies == 1) & (weights > 0)):
        rest = np.arange(len(first)) != point
        lost[point] = weights.sum() - _minimise(kernel[np.ix_(rest, rest)], weights[rest] > 0).sum()
    return lost[inverse]


def _kernel(distances: FloatArray, bandwidth: float, ridge: float) -> FloatArray:
    return gaussian_kernel(distances, bandwidth) + ridge * np.eye(len(distances))
