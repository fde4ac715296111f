"""Which benchmarks are one and the same point, and the unit distances are counted in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from hashlib import blake2b
from numbers import Real
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.types import FloatArray, IntArray, as_floats

__all__ = [
    "SAME_POINT",
    "between_points",
    "check_distances",
    "check_positive",
    "copy_shares",
    "label_points",
    "label_texts",
    "mark_benchmarks",
    "median_distance",
    "take_labels",
]

# Two texts this close in angle are one: far below what rewording does (.1 and more), far above rounding.
SAME_POINT: Final = 1e-6


def check_distances(distances: ArrayLike) -> FloatArray:
    """Take a square table of non-negative numbers, infinite ones included.

    Parameters
    ----------
    distances : array-like of shape (N, N)

    Returns
    -------
    ndarray of shape (N, N)
    """
    matrix = as_floats(distances, "distances")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or np.isnan(matrix).any() or (matrix < 0).any():
        raise ArrayError(
            f"distances have shape {matrix.shape}: expected a square table of non-negative numbers, "
            "as angular_distances returns"
        )
    return matrix


def check_positive(value: object, name: str, expected: str) -> float:
    """Take a positive, finite number, or say by `name` what was `expected`.

    Parameters
    ----------
    value : object
        Whatever the caller was given.
    name, expected : str

    Returns
    -------
    float
    """
    number = math.nan if isinstance(value, bool) or not isinstance(value, Real) else float(value)
    if not 0.0 < number < math.inf:
        raise ArrayError(f"{name} is {value!r}: expected {expected}")
    return number


def label_texts(texts: Sequence[str | None]) -> IntArray:
    """Number the distinct texts: what is known of copies before there are distances.

    Parameters
    ----------
    texts : sequence of str or None
        A benchmark without a text is a point of its own.

    Returns
    -------
    ndarray of int, shape (N,)
        The position of the first benchmark with each one's text.
    """
    first_with: dict[str, int] = {}
    return np.array([i if text is None else first_with.setdefault(text, i) for i, text in enumerate(texts)], np.int64)


def mark_benchmarks(vectors: FloatArray, texts: Sequence[str | None] | None = None) -> tuple[bytes, ...]:
    """Give each benchmark a mark that neither its place in the list nor the rest of the list decides.

    Parameters
    ----------
    vectors : ndarray of shape (N, d)
    texts : sequence of str or None, optional

    Returns
    -------
    tuple of bytes, length N
        Of its text; of its vector where there is no text; that of all others where there is neither.
    """
    named = [None] * len(vectors) if texts is None else texts
    known = [
        row.tobytes() if text is None else text.encode(errors="surrogatepass")
        for row, text in zip(vectors, named, strict=True)
    ]
    return tuple(blake2b(what, digest_size=8).digest() for what in known)


def label_points(distances: ArrayLike, texts: Sequence[str | None] | None = None) -> IntArray:
    """Number the distinct points, giving copies the same number.

    Parameters
    ----------
    distances : array-like of shape (N, N)
    texts : sequence of str or None, optional
        Two benchmarks are one point when their text is the same or their angle is below 1e-6.
        A benchmark without a text is a point of its own.

    Returns
    -------
    ndarray of int, shape (N,)
        The position of the first benchmark at each one's point.
    """
    matrix = check_distances(distances)
    labels: IntArray = np.arange(len(matrix))
    first_with: IntArray = np.arange(len(matrix)) if texts is None else label_texts(texts)
    for i in range(len(matrix)):
        near = np.flatnonzero(matrix[i, :i] < SAME_POINT)
        twins = {int(labels[j]) for j in (*near, first_with[i])}
        if twins != {i}:
            # Closeness is made transitive: whoever links two points makes them one.
            label = min(twins)
            labels[np.isin(labels, list(twins))] = label
            labels[i] = label
    return labels


def take_labels(labels: ArrayLike, n: int) -> IntArray:
    """Take one whole number for each of `n` benchmarks.

    Parameters
    ----------
    labels : array-like of int, shape (N,)
        Benchmarks with equal labels are copies of one point.
    n : int

    Returns
    -------
    ndarray of int, shape (N,)
        A copy.
    """
    array = np.asarray(labels)
    if array.shape != (n,) or not np.issubdtype(array.dtype, np.integer):
        raise ArrayError(f"labels have shape {array.shape} and hold {array.dtype}: expected {n} whole numbers")
    return array.astype(np.int64)


def copy_shares(labels: IntArray) -> FloatArray:
    """Share of each benchmark in its point: 1 over the number of its copies, itself included.

    Parameters
    ----------
    labels : ndarray of int, shape (N,)

    Returns
    -------
    ndarray of shape (N,)
        They sum to the number of points, so a mean weighted by them counts each point once.
    """
    _, point, copies = np.unique(labels, return_inverse=True, return_counts=True)
    shares: FloatArray = 1.0 / copies[point]
    return shares


def median_distance(distances: ArrayLike, labels: ArrayLike | None = None) -> float:
    """Median distance over pairs of distinct points, the unit of every bandwidth.

    Parameters
    ----------
    distances : array-like of shape (N, N)
    labels : array-like of int, shape (N,), optional
        As `label_points` gives them; found from `distances` when omitted.

    Returns
    -------
    float
        NaN when there are no two distinct points with a text.

    Notes
    -----
    Unlike the paper: it takes all pairs, which is the same while no benchmark is listed twice. Over distinct
    points, listing one again changes neither the unit nor any bandwidth.
    """
    matrix = check_distances(distances)
    apart = between_points(matrix, label_points(matrix) if labels is None else np.asarray(labels, dtype=np.int64))
    pairs: FloatArray = apart[np.triu_indices(len(apart), k=1)]
    pairs = pairs[np.isfinite(pairs)]
    return float(np.median(pairs)) if pairs.size else float("nan")


def between_points(distances: FloatArray, labels: IntArray) -> FloatArray:
    """Distances between distinct points, in the order of their labels.

    Parameters
    ----------
    distances : ndarray of shape (N, N)
    labels : ndarray of int, shape (N,)

    Returns
    -------
    ndarray of shape (P, P)
        The smallest between any of their copies, whose vectors may differ a little or, where only their texts are
        equal, at all; whichever is listed first does not matter.
    """
    order = np.argsort(labels, kind="stable")
    first = np.unique(labels[order], return_index=True)[1]
    if not first.size:
        return distances
    by_row = np.minimum.reduceat(distances[np.ix_(order, order)], first, axis=0)
    apart: FloatArray = np.minimum.reduceat(by_row, first, axis=1)
    return apart
