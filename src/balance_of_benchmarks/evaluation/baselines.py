"""Rivals of the method, each its formula and nothing else: a question in, scores of the models out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from balance_of_benchmarks.correlation import mean_percentile, pearson
from balance_of_benchmarks.evaluation.comparisons import count_beaten, fit_bradley_terry
from balance_of_benchmarks.evaluation.completion import complete_low_rank, fit_logistic
from balance_of_benchmarks.evaluation.rules import nearest_observed
from balance_of_benchmarks.evaluation.study import Question, mean_observed, standardize_columns
from balance_of_benchmarks.geometry.points import copy_shares
from balance_of_benchmarks.types import FloatArray

__all__ = ["BASELINES", "COVARIANCE_RIDGE", "covariance_weights", "weigh_by_covariance"]

# The paper's: added to the diagonal of the correlations.
COVARIANCE_RIDGE: Final = 0.05


def _equal_weight(question: Question) -> FloatArray:
    """Mean of observed z-scores."""
    return mean_observed(question.z)


def _category(question: Question) -> FloatArray:
    """Mean over the category's benchmarks; NaN without one observed; a category of its own falls back to all."""
    if not question.peers.any():
        return mean_observed(question.z)
    return mean_observed(question.z[:, question.peers])


def _nearest(question: Question) -> FloatArray:
    """z-score on the closest benchmark that was observed."""
    return mean_observed(np.where(nearest_observed(question, 1), question.z, np.nan))


def _published_index(question: Question) -> FloatArray | None:
    """The source's own ranking score, as published."""
    return question.pool.index


def _score_covariance(question: Question) -> FloatArray:
    """Mean of z-scores weighted by their own covariance."""
    return weigh_by_covariance(question.pool.scores)


def weigh_by_covariance(scores: FloatArray) -> FloatArray:
    """Rank models by Σ w z / Σ w over their observed benchmarks, w from `covariance_weights`.

    Parameters
    ----------
    scores : ndarray of shape (M, N)
        NaN where unobserved.

    Returns
    -------
    ndarray of shape (M,)
        NaN for a model without a score, or whose weights cancel.
    """
    z, weights = standardize_columns(scores), covariance_weights(scores)
    seen = ~np.isnan(z)
    total, pulled = (seen * weights).sum(axis=1), np.nansum(z * weights, axis=1)
    known = seen.any(axis=1) & (total != 0)
    mean: FloatArray = np.divide(pulled, total, out=np.full(len(total), np.nan), where=known)
    return mean


def covariance_weights(scores: FloatArray, *, ridge: float = COVARIANCE_RIDGE) -> FloatArray:
    """Weights of generalized least squares from the correlations of the scores themselves.

    Parameters
    ----------
    scores : ndarray of shape (M, N)
        NaN where unobserved.
    ridge : float

    Returns
    -------
    ndarray of shape (N,)
        w = Σ⁻¹ 1, negative ones kept.

    Notes
    -----
    Appendix A.1, with what it leaves open as docs/replication.md says: z-scores less each model's mean, standardized
    again; Σ_ij = Σ z_i z_j / (n_ij - 1) over models observed on both; 0 where fewer than two are.
    """
    z = standardize_columns(scores)
    z = standardize_columns(z - mean_observed(z)[:, None])
    seen = ~np.isnan(z)
    filled, both = np.where(seen, z, 0.0), seen.T.astype(np.float64) @ seen
    sigma = np.divide(filled.T @ filled, both - 1.0, out=np.zeros_like(both), where=both > 1)
    weights: FloatArray = np.linalg.solve(sigma + ridge * np.eye(len(sigma)), np.ones(len(sigma)))
    return weights


def _first_component(question: Question) -> FloatArray:
    """Leading component of the z-scores, holes at the column's mean, its sign the mean score's."""
    z, mean = np.nan_to_num(question.z), mean_observed(question.z)
    left, size, _ = np.linalg.svd(z, full_matrices=False)
    component = left[:, 0] * size[0]
    known = ~np.isnan(mean)
    sign = -1.0 if pearson(component[known], mean[known]) < 0 else 1.0
    return np.where(known, sign * component, np.nan)


def _ability_only(question: Question) -> FloatArray:
    """θ of the pool, no field."""
    return question.fit.ability


def _pool_ability(question: Question) -> FloatArray:
    """Mean percentile rank over the pool's points: the control of the profile, which no curve has touched."""
    return mean_percentile(question.pool.scores, copy_shares(question.pool.space.labels))


def _win_rate(question: Question) -> FloatArray:
    """Mean over observed benchmarks of the share of the other models there that are beaten; where there are any."""
    rivals = question.observed.sum(axis=0) - 1.0
    return mean_observed(count_beaten(question.pool.scores) / np.where(rivals > 0, rivals, np.nan))


def _borda(question: Question) -> FloatArray:
    """Models beaten, added up over benchmarks: who was observed on more collects more."""
    points = count_beaten(question.pool.scores)
    return np.where(question.observed.any(axis=1), np.nansum(points, axis=1), np.nan)


def _bradley_terry(question: Question) -> FloatArray:
    """Strengths of models in paired comparisons that benchmarks judge."""
    return fit_bradley_terry(question.pool.scores).strength


def _eci(question: Question) -> FloatArray:
    """Abilities of logistic curves fitted by least squares."""
    return fit_logistic(question.fit.observed).ability


def _low_rank(question: Question) -> FloatArray:
    """Mean of the pool's logits completed by a matrix of rank two."""
    completed: FloatArray = complete_low_rank(question.pool.scores).mean(axis=1)
    return completed


BASELINES: Final[dict[str, Callable[[Question], FloatArray | None]]] = {
    "equal_weight": _equal_weight,
    "category": _category,
    "nearest": _nearest,
    "published_index": _published_index,
    "score_covariance": _score_covariance,
    "first_component": _first_component,
    "ability_only": _ability_only,
    "pool_ability": _pool_ability,
    "win_rate": _win_rate,
    "borda": _borda,
    "bradley_terry": _bradley_terry,
    "eci": _eci,
    "low_rank": _low_rank,
}
"""By id; None where the board lacks what it needs."""
