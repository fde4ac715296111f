"""The residual field as a Gaussian process over description space: kriging in place of the kernel average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from balance_of_benchmarks.equating.result import Fit
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.geometry.magnitude import least_ridge
from balance_of_benchmarks.geometry.points import between_points, check_positive, copy_shares
from balance_of_benchmarks.geometry.space import Space
from balance_of_benchmarks.ranking.field import TaskField
from balance_of_benchmarks.types import BoolArray, FloatArray, IntArray

__all__ = ["KrigedField", "PointResiduals", "kriging_field", "log_likelihood", "point_mass"]

# Numbers in one stack of factorizations; 32 MB of them.
_STACKED: Final = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class KrigedField(TaskField):
    """A task's score for each model, with how far the residual there may lie from what was predicted.

    Parameters
    ----------
    deviation : ndarray of shape (M,)
        Posterior SD of the adjustment; that of the prior where nothing near the task was observed.
    """

    deviation: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class PatternGroup:
    """Models observed on equally many points, so that their equations can be solved in one stack.

    Parameters
    ----------
    points : ndarray of int, shape (Q, n)
        A row a pattern: the points observed.
    model : ndarray of int, shape (m,)
    pattern : ndarray of int, shape (m,)
        Which row is each model's.
    """

    points: IntArray
    model: IntArray
    pattern: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class PointResiduals:
    """Residuals of a fit at the distinct points of its list, and who was observed where.

    Parameters
    ----------
    fit : Fit
    residual : ndarray of shape (M, P)
        Mean over the copies observed of r √w, which is r clipped at the fit's `robust_cap` until w is at its floor;
        0 where none was observed.
    point : ndarray of int, shape (N,)
        Which of them is each benchmark's.
    groups : tuple of PatternGroup
        Models by what they were observed on; one without ability is in none.
    """

    fit: Fit
    residual: FloatArray
    point: IntArray
    groups: tuple[PatternGroup, ...]

    @classmethod
    def of(cls, fit: Fit) -> PointResiduals:
        """Gather a fit's residuals by point."""
        cells, m = fit.cells, fit.observed.n_models
        labels, point = np.unique(fit.labels, return_inverse=True)
        place = cells.model * labels.size + point[cells.benchmark]
        size = m * labels.size
        count = np.bincount(place, minlength=size)
        clipped = np.where(np.isfinite(cells.residual), cells.residual, 0.0) * np.sqrt(cells.weight)
        total = np.bincount(place, weights=clipped, minlength=size)
        observed = (count > 0).reshape(m, -1) & np.isfinite(fit.ability)[:, None]
        residual = (total / np.maximum(count, 1)).reshape(m, -1)
        return cls(fit, residual, point.astype(np.int64), _group_patterns(observed))


def _group_patterns(observed: BoolArray) -> tuple[PatternGroup, ...]:
    """Find the distinct rows of (M, P), those with equally many points together."""
    _, rows, which = np.unique(np.packbits(observed, axis=1), axis=0, return_index=True, return_inverse=True)
    which = which.reshape(-1)  # its shape differs between versions of numpy
    count = observed[rows].sum(axis=1)
    groups = []
    for n in np.unique(count[count > 0]):
        alike = np.flatnonzero(count == n)
        for some in np.array_split(alike, -(-alike.size * int(n) ** 2 // _STACKED)):
            points = np.nonzero(observed[rows[some]])[1].reshape(some.size, n)
            model = np.flatnonzero(np.isin(which, some))
            groups.append(PatternGroup(points, model, np.searchsorted(some, which[model])))
    return tuple(groups)


def kriging_field(
    fit: Fit | PointResiduals,
    to_task: FloatArray,
    among: FloatArray,
    *,
    noise: float,
    variance: float = 1.0,
    size: float = 1.0,
    mass: FloatArray | None = None,
) -> KrigedField:
    """Adjust abilities for a task by the residuals that a Gaussian process expects there.

    Use it instead of `residual_field` where benchmarks crowd: near duplicates are trusted together as far as one
    deserves, since the process knows that they say the same.

    Parameters
    ----------
    fit : Fit or PointResiduals
        `PointResiduals.of(fit)` when many questions are put to one fit.
    to_task : ndarray of shape (N,)
        k_q, prior covariances of the residuals at the task and at the benchmarks.
    among : ndarray of shape (N, N)
        K, those among the benchmarks.
    noise : float
        λ, variance of what a residual has that its neighbours cannot tell.
    variance : float
        κ, that of what they can: the prior variance at the task and at each benchmark.
    size : float
        Multiplies the adjustment, which is in residual SDs, to bring it to the scale of abilities.
    mass : ndarray of shape (N,), optional
        What a benchmark counts for, added up over the copies at a point; one for each point by default. The point's
        noise is divided by it; without mass a benchmark has no say.

    Returns
    -------
    KrigedField
        Its `support` is the share of the prior variance at the task that the observed points explain.

    Notes
    -----
    r̂ = k_q' (K + Λ)⁻¹ r and Var r̂ = κ - k_q' (K + Λ)⁻¹ k_q on the points a model was observed on, Λ = λ / mass: the
    weights (K + Λ)⁻¹ k_q are the same for all models of one missing-cell pattern and are solved for once.
    Copies are one point with one residual, their mean, and one noise, so listing a benchmark again changes nothing.
    Unlike the paper: Eq. (4) is a kernel average, which counts every near duplicate anew.
    """
    data = fit if isinstance(fit, PointResiduals) else PointResiduals.of(fit)
    prior = check_positive(variance, "variance", "a positive number")
    masses = _sum_masses(data, mass)
    k_q, kernel = _at_points(data, to_task, among, prior, masses)
    noises = _divide_noise(noise, masses)
    m, p = data.residual.shape
    weight, explained = np.zeros((m, p)), np.zeros(m)
    for group in data.groups:
        points = group.points
        solved = np.linalg.solve(_blocks(kernel, noises, points), k_q[points][:, :, None])[:, :, 0]
        weight[group.model[:, None], points[group.pattern]] = solved[group.pattern]
        explained[group.model] = (solved * k_q[points]).sum(axis=1)[group.pattern]
    # Rounding, and the Gaussian of an angle, which is not quite a covariance, may lead beyond the whole.
    support = np.clip(explained / prior, 0.0, 1.0)
    average = (weight * data.residual).sum(axis=1)
    return KrigedField(
        score=data.fit.ability + size * average,
        residual=average,
        support_mass=np.divide(support, 1.0 - support, out=np.full(m, np.inf), where=support < 1.0),
        support=support,
        factor=np.full(m, size),
        contribution=size * _share_among_copies(data, weight),
        deviation=size * np.sqrt(prior * (1.0 - support)),
    )


def log_likelihood(
    data: PointResiduals,
    among: FloatArray,
    *,
    noise: float,
    variance: float = 1.0,
    mass: FloatArray | None = None,
) -> float:
    """Log density of the residuals under the process, models taken as independent.

    Parameters
    ----------
    data : PointResiduals
    among, noise, variance, mass
        As for `kriging_field`.

    Returns
    -------
    float
        Per residual, so that boards compare; NaN without any.
    """
    masses = _sum_masses(data, mass)
    _, kernel = _at_points(data, np.zeros(data.point.size), among, variance, masses)
    noises = _divide_noise(noise, masses)
    total, count = 0.0, 0
    for group in data.groups:
        factor = np.linalg.cholesky(_blocks(kernel, noises, group.points))
        half_log_determinant = np.log(np.diagonal(factor, axis1=1, axis2=2)).sum(axis=1)[group.pattern]
        r = data.residual[group.model[:, None], group.points[group.pattern]]
        white = np.linalg.solve(factor[group.pattern], r[:, :, None])[:, :, 0]
        total -= float((half_log_determinant + 0.5 * (white**2 + np.log(2.0 * np.pi)).sum(axis=1)).sum())
        count += r.size
    return total / count if count else float("nan")


def point_mass(space: Space) -> FloatArray:
    """Give each benchmark its share in what its point counts for, before what others nearby say.

    Parameters
    ----------
    space : Space

    Returns
    -------
    ndarray of shape (N,)
        1 over the copies, or the user's own weight; times the target. Nearness is the covariance's to count.
    """
    mass = copy_shares(space.labels) if space.rule.given is None else space.rule.given
    return mass if space.rule.target is None else mass * space.rule.target


def _sum_masses(data: PointResiduals, mass: FloatArray | None) -> FloatArray:
    """Mass of each point, shape (P,)."""
    each = copy_shares(data.fit.labels) if mass is None else np.asarray(mass, dtype=np.float64)
    if each.shape != data.point.shape or not np.isfinite(each).all() or (each < 0).any():
        raise ArrayError(f"mass must be {data.point.size} finite numbers, none negative")
    masses: FloatArray = np.bincount(data.point, weights=each).astype(np.float64)
    return masses


def _divide_noise(noise: float, masses: FloatArray) -> FloatArray:
    """λ / mass of each point; λ where there is no mass, for `_at_points` has cut such a point off."""
    return check_positive(noise, "noise", "a positive number") / np.where(masses > 0, masses, 1.0)


def _at_points(
    data: PointResiduals, to_task: FloatArray, among: FloatArray, variance: float, masses: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Covariances of the task with the points, shape (P,), and among them, made positive definite, shape (P, P)."""
    n = data.point.size
    if np.shape(to_task) != (n,) or np.shape(among) != (n, n):
        raise ArrayError(
            f"covariances have shapes {np.shape(to_task)} and {np.shape(among)}: expected ({n},) and ({n}, {n})"
        )
    if not (np.isfinite(to_task).all() and np.isfinite(among).all() and (among >= 0).all() and (to_task >= 0).all()):
        raise ArrayError("covariances must be finite and not negative")
    # Of copies whose vectors differ a little the nearest counts, whichever is listed first.
    k_q = np.zeros(masses.size)
    np.maximum.at(k_q, data.point, to_task)
    kernel = variance - between_points(variance - np.minimum(among, variance), data.fit.labels)
    heard = masses > 0
    k_q, kernel = k_q * heard, kernel * np.outer(heard, heard)
    np.fill_diagonal(kernel, variance)
    return k_q, kernel + least_ridge(kernel) * np.eye(masses.size)


def _blocks(kernel: FloatArray, noises: FloatArray, points: IntArray) -> FloatArray:
    """K + Λ of each pattern, shape (Q, n, n)."""
    n = points.shape[1]
    blocks = kernel[points[:, :, None], points[:, None, :]]
    blocks[:, np.arange(n), np.arange(n)] += noises[points]
    return blocks


def _share_among_copies(data: PointResiduals, weight: FloatArray) -> FloatArray:
    """Give each cell (C,) its part of what its point brings, the copies that were observed equal parts."""
    cells, p = data.fit.cells, data.residual.shape[1]
    place = cells.model * p + data.point[cells.benchmark]
    count = np.bincount(place, minlength=weight.size)[place]
    clipped = np.where(np.isfinite(cells.residual), cells.residual, 0.0) * np.sqrt(cells.weight)
    part: FloatArray = weight.reshape(-1)[place] * clipped / count
    return part
