"""Ranks and rank correlation, without the second it takes to import a statistics library."""

from __future__ import annotations

import numpy as np

from balance_of_benchmarks.types import FloatArray

__all__ = ["average_ranks", "mean_percentile", "pearson", "percentile_ranks", "rank_rows", "spearman"]


def average_ranks(values: FloatArray) -> FloatArray:
    """Ranks from 1, ties sharing the mean of theirs.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Without NaN.

    Returns
    -------
    ndarray of shape (n,)

    Examples
    --------
    >>> average_ranks(np.array([3.0, 1.0, 3.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, group, count = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    ranks: FloatArray = (last - (count - 1) / 2.0)[group]
    return ranks


def rank_rows(values: FloatArray) -> FloatArray:
    """Rank each row of a matrix by itself, as `average_ranks` does and many times as fast.

    Parameters
    ----------
    values : ndarray of shape (K, n)
        Without NaN.

    Returns
    -------
    ndarray of shape (K, n)

    Examples
    --------
    >>> rank_rows(np.array([[3.0, 1.0, 3.0], [2.0, 5.0, 4.0]])).tolist()
    [[2.5, 1.0, 2.5], [1.0, 3.0, 2.0]]
    """
    order = values.argsort(axis=1)
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, np.arange(1.0, values.shape[1] + 1.0)[None, :], axis=1)
    tied = (np.diff(np.take_along_axis(values, order, axis=1), axis=1) == 0.0).any(axis=1)
    for row in np.flatnonzero(tied):
        ranks[row] = average_ranks(values[row])
    return ranks


def percentile_ranks(scores: FloatArray) -> FloatArray:
    """Rank of each score in its column, as a share of the column's.

    Parameters
    ----------
    scores : ndarray of shape (M, N)
        NaN where unobserved.

    Returns
    -------
    ndarray of shape (M, N)
        In (0, 1], 1 the best; NaN where unobserved.
    """
    percentile = np.full(scores.shape, np.nan)
    for i in range(scores.shape[1]):
        seen = ~np.isnan(scores[:, i])
        percentile[seen, i] = average_ranks(scores[seen, i]) / max(int(seen.sum()), 1)
    return percentile


def mean_percentile(scores: FloatArray, shares: FloatArray | None = None) -> FloatArray:
    """Mean over a model's observed benchmarks of its percentile rank on each.

    Parameters
    ----------
    scores : ndarray of shape (M, N)
        NaN where unobserved.
    shares : ndarray of shape (N,), optional
        Positive weights of the mean; one each by default. The shares of copies make it one over distinct benchmarks.

    Returns
    -------
    ndarray of shape (M,)
        In (0, 1]; NaN for a model without a score.
    """
    percentile = percentile_ranks(scores)
    share = np.ones(scores.shape[1]) if shares is None else shares
    counted = (~np.isnan(percentile) * share).sum(axis=1)
    total = np.nansum(percentile * share, axis=1)
    mean: FloatArray = np.divide(total, counted, out=np.full(len(scores), np.nan), where=counted > 0)
    return mean


def pearson(x: FloatArray, y: FloatArray) -> float:
    """Pearson's correlation; NaN where either is constant, for then it is undefined.

    Parameters
    ----------
    x, y : ndarray of shape (n,)

    Returns
    -------
    float
    """
    if x.size < 2:
        return float("nan")
    dx, dy = x - x.mean(), y - y.mean()
    spread = float(np.sqrt((dx @ dx) * (dy @ dy)))
    # What remains of a constant after subtracting its mean is rounding noise.
    noise = 1e-12 * x.size * (1.0 + np.abs(x).max()) * (1.0 + np.abs(y).max())
    return float(dx @ dy) / spread if spread > noise else float("nan")


def spearman(x: FloatArray, y: FloatArray) -> float:
    """Spearman's rank correlation with average ranks; NaN where either is constant.

    Parameters
    ----------
    x, y : ndarray of shape (n,)
        Without NaN.

    Returns
    -------
    float

    Examples
    --------
    >>> spearman(np.array([1.0, 2.0, 3.0]), np.array([1.0, 8.0, 27.0]))
    1.0
    """
    return pearson(average_ranks(x), average_ranks(y))
