"""The residual field as a Gaussian process over description space: kriging in place of the kernel average."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from balance_of_benchmarks.equating.result import Fit
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.geometry.magnitude import least_ridge
from balance_of_benchmarks.geometry.points import between_points, check_positive, copy_shares
from balance_of_benchmarks.geometry.space import Space
from balance_of_benchmarks.ranking.field import TaskField
from balance_of_benchmarks.ranking.residuals import PatternGroup, PointResiduals
from balance_of_benchmarks.types import FloatArray, IntArray

__all__ = ["KrigedField", "invert_patterns", "kriging_field", "log_likelihood", "point_mass"]


@dataclass(frozen=True, slots=True, eq=False)
class KrigedField(TaskField):
    """A task's score for each model, with how far the residual there may lie from what was predicted.

    Parameters
    ----------
    deviation : ndarray of shape (M,)
        Posterior SD of the adjustment; that of the prior where nothing near the task was observed.
    """

    deviation: FloatArray


def kriging_field(
    fit: Fit | PointResiduals,
    to_task: FloatArray,
    among: FloatArray,
    *,
    noise: float,
    variance: float = 1.0,
    size: float = 1.0,
    rank_share: float = 0.0,
    mass: FloatArray | None = None,
    at_task: float | None = None,
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
    rank_share : float
        From 0, the curves' residuals, to 1, those of ranks: what share the latter have in what is kriged.
    mass : ndarray of shape (N,), optional
        What a benchmark counts for, added up over the copies at a point; one for each point by default. The point's
        noise is divided by it; without mass a benchmark has no say.
    at_task : float, optional
        Prior variance at the task where it is not κ, as for the mean of several tasks.

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
    residual = data.blend(rank_share)
    m, p = residual.shape
    weight, explained = np.zeros((m, p)), np.zeros(m)
    for group in data.groups:
        points = group.points
        solved = np.linalg.solve(_blocks(kernel, noises, points), k_q[points][:, :, None])[:, :, 0]
        weight[group.model[:, None], points[group.pattern]] = solved[group.pattern]
        explained[group.model] = (solved * k_q[points]).sum(axis=1)[group.pattern]
    there = prior if at_task is None else check_positive(at_task, "at_task", "a positive number")
    # Rounding, and the Gaussian of an angle, which is not quite a covariance, may lead beyond the whole.
    support = np.clip(explained / there, 0.0, 1.0)
    average = (weight * residual).sum(axis=1)
    return KrigedField(
        score=data.fit.ability + size * average,
        residual=average,
        support_mass=np.divide(support, 1.0 - support, out=np.full(m, np.inf), where=support < 1.0),
        support=support,
        factor=np.full(m, size),
        contribution=size * _spread_weight(data, weight) * data.share_cells(rank_share),
        deviation=size * np.sqrt(there * (1.0 - support)),
    )


def invert_patterns(
    data: PointResiduals, among: FloatArray, *, noise: float, variance: float = 1.0, mass: FloatArray | None = None
) -> Iterator[tuple[PatternGroup, FloatArray]]:
    """Invert K + Λ for each missing-cell pattern, those with equally many points together.

    One inverse answers for every point left out in turn: of A = (K + Λ)⁻¹ the weights by which the others predict
    point i are -A_ij / A_ii, as if the equations of each pattern without i had been solved.

    Parameters
    ----------
    data : PointResiduals
    among, noise, variance, mass
        As for `kriging_field`.

    Yields
    ------
    PatternGroup
    ndarray of shape (Q, n, n)
    """
    masses = _sum_masses(data, mass)
    _, kernel = _at_points(data, np.zeros(data.point.size), among, variance, masses)
    noises = _divide_noise(noise, masses)
    for group in data.groups:
        yield group, np.linalg.inv(_blocks(kernel, noises, group.points)).astype(np.float64, copy=False)


def log_likelihood(residual: FloatArray, group: PatternGroup, inverse: FloatArray) -> FloatArray:
    """Log density of residuals under a process, added up over a group of models, which are taken as independent.

    Parameters
    ----------
    residual : ndarray of shape (..., M, P)
        The curves', the ranks', or both.
    group : PatternGroup
    inverse : ndarray of shape (Q, n, n)
        As `invert_patterns` gives it.

    Returns
    -------
    ndarray of shape (...)
    """
    r = residual[..., group.model[:, None], group.points[group.pattern]]
    log_determinants = np.linalg.slogdet(inverse)[1][group.pattern]
    twice = log_determinants.sum() - group.model.size * r.shape[-1] * np.log(2.0 * np.pi)
    # A pattern at a time: an inverse for each model would be a board's worth of them where one pattern is all models'.
    start = np.searchsorted(group.pattern, np.arange(len(inverse) + 1))
    for precision, begin, end in zip(inverse, start[:-1], start[1:], strict=True):
        mine = r[..., begin:end, :]
        twice = twice - ((mine @ precision) * mine).sum(axis=(-2, -1))
    density: FloatArray = 0.5 * twice
    return density


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


def _spread_weight(data: PointResiduals, weight: FloatArray) -> FloatArray:
    """Give each cell (C,) the weight (M, P) of its model at its point."""
    cells = data.fit.cells
    spread: FloatArray = weight[cells.model, data.point[cells.benchmark]]
    return spread
