"""Rivals that fit all scores at once: logistic curves by least squares, and a matrix of low rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import expit, logit

from balance_of_benchmarks.equating.cells import ObservedCells
from balance_of_benchmarks.types import BoolArray, FloatArray, IntArray

__all__ = ["LogisticFit", "complete_low_rank", "fit_logistic"]

# On squared scores: an error of .03 in one of them outweighs an SD of ability. It only settles the scale and those
# models and benchmarks whose scores set no limit.
_RIDGE: Final = 1e-3
_SWEEPS: Final = 200
# Abilities have a spread near one; what changes less moves no rank worth the name.
_TOLERANCE: Final = 1e-4
# Scores of 0 and 1 have no logit: they count as half an item of a hundred away.
_EDGE: Final = 0.005
_RANK: Final = 2
_COMPLETIONS: Final = 100


@dataclass(frozen=True, slots=True, eq=False)
class LogisticFit:
    """Abilities (M,) and curves (N,) of score = σ(a(θ - b)), and how the fit ended."""

    ability: FloatArray
    discrimination: FloatArray
    difficulty: FloatArray
    sweeps: int
    last_change: float


def fit_logistic(observed: ObservedCells, *, ridge: float = _RIDGE) -> LogisticFit:
    """Fit logistic curves and abilities together by least squares, every benchmark counting alike.

    The kind of index that the Epoch Capabilities Index is: neither weights nor robustness nor texts.

    Parameters
    ----------
    observed : ObservedCells
    ridge : float
        Weight of Σ θ² + Σ (a - 1)² + Σ b² beside the squared errors; it settles the scale, which is otherwise free.

    Returns
    -------
    LogisticFit

    Notes
    -----
    Damped Gauss-Newton steps of all abilities, then of all curves, in turn: each row's step is kept where it lowers
    the row's loss, and damped ten times as much where it does not. After each turn comes the one move that no row can
    make alone: of the scales that leave every expected score as it is, the one with the least ridge.
    """
    model, benchmark, score = observed.model, observed.benchmark, observed.score
    m, n = observed.n_models, observed.n_benchmarks
    seen, scored = np.bincount(model, minlength=m) > 0, np.bincount(benchmark, minlength=n) > 0
    theta = np.zeros(m)
    curve = np.stack([np.ones(n), np.zeros(n)])
    stiff_models, stiff_curves = np.full(m, 1e-6), np.full(n, 1e-6)

    def errors(theta: FloatArray, curve: FloatArray) -> FloatArray:
        left: FloatArray = expit(curve[0, benchmark] * (theta[model] - curve[1, benchmark])) - score
        return left

    def model_loss(theta: FloatArray) -> FloatArray:
        loss: FloatArray = _sum(model, errors(theta, curve) ** 2, m) + ridge * theta**2
        return loss

    def curve_loss(curve: FloatArray) -> FloatArray:
        loss: FloatArray = _sum(benchmark, errors(theta, curve) ** 2, n) + ridge * (curve[0] - 1.0) ** 2
        loss += ridge * curve[1] ** 2
        return loss

    change, sweep = np.inf, 0
    while sweep < _SWEEPS and change > _TOLERANCE:
        sweep += 1
        a, apart = curve[0, benchmark], theta[model] - curve[1, benchmark]
        expected = expit(a * apart)
        error, slope = expected - score, expected * (1.0 - expected)
        gradient = _sum(model, slope * a * error, m) + ridge * theta
        curvature = _sum(model, (slope * a) ** 2, m) + ridge
        proposal = theta - gradient / (curvature * (1.0 + stiff_models))
        better = model_loss(proposal) <= model_loss(theta)
        stiff_models *= np.where(better, 0.1, 10.0)
        moved = np.where(better, proposal, theta)
        before, theta = theta, moved

        apart = theta[model] - curve[1, benchmark]
        expected = expit(a * apart)
        error, slope = expected - score, expected * (1.0 - expected)
        by_a, by_b = slope * apart, -slope * a
        aa, ab, bb = (_sum(benchmark, x * y, n) for x, y in ((by_a, by_a), (by_a, by_b), (by_b, by_b)))
        aa, bb = (aa + ridge) * (1.0 + stiff_curves), (bb + ridge) * (1.0 + stiff_curves)
        to_a = _sum(benchmark, by_a * error, n) + ridge * (curve[0] - 1.0)
        to_b = _sum(benchmark, by_b * error, n) + ridge * curve[1]
        determinant = aa * bb - ab**2
        step = np.stack([bb * to_a - ab * to_b, aa * to_b - ab * to_a]) / determinant
        improved = curve_loss(curve - step) <= curve_loss(curve)
        stiff_curves *= np.where(improved, 0.1, 10.0)
        curve = np.where(improved, curve - step, curve)
        theta[seen], curve[:, scored] = _settle_scale(theta[seen], curve[:, scored])
        change = float(np.abs(theta - before).max(initial=0.0))
    return LogisticFit(np.where(seen, theta, np.nan), curve[0], curve[1], sweep, change)


def _settle_scale(theta: FloatArray, curve: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Abilities cθ + d and curves (a/c, cb + d), which expect the same scores, with Σ θ² + Σ (a - 1)² + Σ b² least."""
    a, b = curve
    centre = (theta.sum() + b.sum()) / (theta.size + b.size)
    squares = float(((theta - centre) ** 2).sum() + ((b - centre) ** 2).sum())
    # In c the slope is 2 (c⁴ squares + c Σa - Σa²) / c³; the numerator is convex where c > 0 and negative at 0.
    roots = np.roots([squares, 0.0, 0.0, float(a.sum()), -float(a @ a)])
    stretches = roots[(np.abs(roots.imag) < 1e-9 * np.abs(roots)) & (roots.real > 0)].real
    c = float(stretches[0]) if stretches.size else 1.0
    return c * (theta - centre), np.stack([a / c, c * (b - centre)])


def complete_low_rank(scores: FloatArray, *, rank: int = _RANK, ridge: float = 1.0) -> FloatArray:
    """Complete a table of scores by a matrix of low rank, on the scale of standardized logits.

    Parameters
    ----------
    scores : ndarray of shape (M, N)
        In [0, 1], NaN where unobserved.
    rank : int
    ridge : float
        Of both factors, in standardized logits squared; it draws what little is observed towards the mean.

    Returns
    -------
    ndarray of shape (M, N)
        Whole; rows of NaN for models without a score.

    Notes
    -----
    Alternating least squares from the leading components of the table with its holes at the mean.
    """
    seen: BoolArray = ~np.isnan(scores)
    logits = logit(np.clip(np.where(seen, scores, 0.5), _EDGE, 1.0 - _EDGE))
    count = np.maximum(seen.sum(axis=0), 1)
    centred = np.where(seen, logits - (logits * seen).sum(axis=0) / count, 0.0)
    spread = np.sqrt((centred**2).sum(axis=0) / count)
    z = np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 1e-12)
    k = min(rank, *z.shape)
    left, size, right = np.linalg.svd(z, full_matrices=False)
    rows, columns = left[:, :k] * np.sqrt(size[:k]), right[:k].T * np.sqrt(size[:k])
    for _ in range(_COMPLETIONS):
        before = rows
        rows = _ridge_rows(z, seen, columns, ridge)
        columns = _ridge_rows(z.T, seen.T, rows, ridge)
        if np.abs(rows - before).max(initial=0.0) <= _TOLERANCE:
            break
    known = np.flatnonzero(seen.any(axis=1))
    completed = np.full(scores.shape, np.nan)
    completed[known] = rows[known] @ columns.T
    return completed


def _ridge_rows(z: FloatArray, seen: BoolArray, factors: FloatArray, ridge: float) -> FloatArray:
    """Each row of z (0 where unseen) regressed on the factors (n, k) of what it was seen on, shape (m, k)."""
    gram = np.einsum("mi,ij,ik->mjk", seen.astype(np.float64), factors, factors, optimize=True)
    solved: FloatArray = np.linalg.solve(gram + ridge * np.eye(factors.shape[1]), (z @ factors)[:, :, None])[:, :, 0]
    return solved


def _sum(group: IntArray, values: FloatArray, size: int) -> FloatArray:
    total: FloatArray = np.bincount(group, weights=values, minlength=size).astype(np.float64)
    return total
