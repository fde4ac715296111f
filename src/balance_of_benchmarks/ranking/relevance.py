"""Relevance rules: how much each benchmark counts for a task. A rule is its g(q) and nothing else."""

from __future__ import annotations

from balance_of_benchmarks.geometry.density import gaussian_kernel
from balance_of_benchmarks.types import FloatArray

__all__ = ["continuous_relevance", "mixed_relevance"]


def continuous_relevance(distances: FloatArray, bandwidth: float, weights: FloatArray) -> FloatArray:
    """The paper's rule g_i(q) = exp(-d(q, x_i)² / 2h²) u_i.

    Parameters
    ----------
    distances : ndarray of shape (N,)
        From the task to each benchmark; infinite where there is no text.
    bandwidth : float
        h, in radians.
    weights : ndarray of shape (N,)
        u, so that a dense cluster does not dominate; ones for the flat variant.

    Returns
    -------
    ndarray of shape (N,)

    Notes
    -----
    §3.3, below Eq. (4).
    """
    return gaussian_kernel(distances, bandwidth) * weights


def mixed_relevance(relevances: FloatArray, shares: FloatArray) -> FloatArray:
    """The relevance of several tasks together: g_i = Σ_k ω_k g_i(q_k), their average by weight.

    Parameters
    ----------
    relevances : ndarray of shape (K, N)
        g(q_k), a row a task; zeros for one the board has no evidence on.
    shares : ndarray of shape (K,)
        ω, which sum to 1.

    Returns
    -------
    ndarray of shape (N,)

    Notes
    -----
    Unlike the paper, which asks one task at a time. Eq. (4) weighs each observation by its relevance to what is asked;
    of work that is a share ω_k of the time task k, that relevance is the mean of the tasks' own. So one task in two
    halves is that task, a task of weight zero does not count, and support is the mean of support masses: a part
    without evidence lowers it. A part with more evidence near it decides more of the adjustment than its share.
    """
    mixed: FloatArray = shares @ relevances
    return mixed
