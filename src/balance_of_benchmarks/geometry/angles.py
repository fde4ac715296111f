"""Angles between unit vectors: the distance of §3."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.types import BoolArray, FloatArray, as_floats

__all__ = ["angular_distances", "normalize_rows", "rows_without_text"]

# Above this cosine arccos loses digits (its error is eps / sin(angle)), so the chord is used instead.
_NEARLY_PARALLEL: Final = 0.99


def angular_distances(x: ArrayLike, y: ArrayLike | None = None) -> FloatArray:
    """Angles in radians between the rows of `x` and of `y`.

    The distance d(·,·) of the whole method. Use it for any vectors; they need not have unit length.

    Parameters
    ----------
    x : array-like of shape (n, d)
        Vectors. They are cast to float64 and normalized there, because encoders that compute in float16
        return norms that are off by 1e-4. A row of NaN stands for a missing text.
    y : array-like of shape (m, d), optional
        Vectors to measure to; `x` itself when omitted.

    Returns
    -------
    ndarray of shape (n, m)
        Angles in [0, π], accurate to a few 1e-16 for small angles too. Without `y` the result is symmetric
        with an exact zero diagonal. Distances from and to a missing text are infinite.

    Notes
    -----
    For nearly parallel rows the angle is ``2 arcsin(|x - y| / 2)``, elsewhere ``arccos(x · y)``.

    Examples
    --------
    >>> angular_distances([[1.0, 0.0], [0.0, 2.0]]).round(4).tolist()
    [[0.0, 1.5708], [1.5708, 0.0]]
    """
    rows = normalize_rows(x)
    columns = rows if y is None else normalize_rows(y)
    if rows.shape[1] != columns.shape[1]:
        raise ArrayError(
            f"vectors of {rows.shape[1]} and of {columns.shape[1]} dimensions have no angle: "
            "embed both with the same encoder"
        )
    missing_rows, missing_columns = rows_without_text(rows), rows_without_text(columns)
    cosine = np.clip(np.nan_to_num(rows) @ np.nan_to_num(columns).T, -1.0, 1.0)
    angles: FloatArray = np.arccos(cosine)

    for i in np.flatnonzero((np.abs(cosine) > _NEARLY_PARALLEL).any(axis=1)):
        near, opposite = cosine[i] > _NEARLY_PARALLEL, cosine[i] < -_NEARLY_PARALLEL
        angles[i, near] = _chord_angle(rows[i] - columns[near])
        angles[i, opposite] = np.pi - _chord_angle(rows[i] + columns[opposite])

    angles[missing_rows, :] = np.inf
    angles[:, missing_columns] = np.inf
    if y is None:
        angles = np.minimum(angles, angles.T)
        np.fill_diagonal(angles, 0.0)
    return angles


def _chord_angle(chords: FloatArray) -> FloatArray:
    angle: FloatArray = 2.0 * np.arcsin(np.minimum(1.0, np.linalg.norm(chords, axis=1) / 2.0))
    return angle


def normalize_rows(vectors: ArrayLike) -> FloatArray:
    """Scale each row to unit length in float64, leaving rows of NaN as they are.

    Parameters
    ----------
    vectors : array-like of shape (n, d)

    Returns
    -------
    ndarray of shape (n, d)

    Raises
    ------
    ArrayError
        For anything but a table of finite numbers with rows that are wholly NaN or wholly finite and not zero.
    """
    values = as_floats(vectors, "vectors")
    if values.ndim != 2 or values.shape[1] == 0:
        raise ArrayError(f"vectors have shape {values.shape}: expected (n, d)")
    # Scaling by the largest entry first keeps the norm of huge or tiny vectors from over- or underflowing.
    largest: FloatArray = np.abs(values).max(axis=1, keepdims=True, initial=0.0)
    bad = np.flatnonzero((~np.isfinite(values)).any(axis=1) & ~rows_without_text(values) | (largest[:, 0] == 0))
    if bad.size:
        raise ArrayError(
            f"vector {bad[0]} is zero or partly NaN or infinite: expected finite directions "
            "(a row wholly of NaN stands for a missing text)"
        )
    values = values / largest
    unit: FloatArray = values / np.linalg.norm(values, axis=1, keepdims=True)
    return unit


def rows_without_text(vectors: FloatArray) -> BoolArray:
    """Tell which rows are wholly NaN, the mark of a missing text.

    Parameters
    ----------
    vectors : ndarray of shape (n, d)

    Returns
    -------
    ndarray of bool, shape (n,)
    """
    missing: BoolArray = np.asarray(np.isnan(vectors).all(axis=1))
    return missing
