"""From scores to places."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from balance_of_benchmarks.types import FloatArray, IntArray

__all__ = ["order_models", "place_models"]


def place_models(scores: FloatArray) -> IntArray:
    """Rank of each model, 1 the best; equal scores share the best of their places (1, 2, 2, 4).

    Parameters
    ----------
    scores : ndarray of shape (M,)
        Higher better; NaN has no place.

    Returns
    -------
    ndarray of int, shape (M,)
        0 where the score is NaN.

    Examples
    --------
    >>> place_models(np.array([0.1, 0.9, 0.9, np.nan, -1.0])).tolist()
    [3, 1, 1, 0, 4]
    """
    known = np.isfinite(scores)
    ascending = np.sort(scores[known])
    places = np.zeros(scores.shape, dtype=np.int64)
    places[known] = 1 + known.sum() - np.searchsorted(ascending, scores[known], side="right")
    return places


def order_models(scores: FloatArray, keys: Sequence[str]) -> IntArray:
    """Positions of the models best first; ties by key, models without a score last.

    Parameters
    ----------
    scores : ndarray of shape (M,)
    keys : sequence of str

    Returns
    -------
    ndarray of int, shape (M,)
    """
    places = place_models(scores)
    last = len(scores) + 1
    return np.array(sorted(range(len(scores)), key=lambda m: (places[m] or last, keys[m])), dtype=np.int64)
