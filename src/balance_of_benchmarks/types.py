"""The array types every room speaks; in shapes M counts models, N benchmarks, d dimensions of a vector."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from balance_of_benchmarks.errors import ArrayError

__all__ = ["BoolArray", "FloatArray", "IntArray", "as_floats", "freeze"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


def as_floats(values: ArrayLike, name: str) -> FloatArray:
    """Take anything array-like as float64, or say by `name` that it is no array of numbers.

    Parameters
    ----------
    values : array-like
    name : str

    Returns
    -------
    ndarray
        `values` itself where it is one already.
    """
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ArrayError(f"{name} is not an array of numbers: {error}") from error


def freeze(*arrays: NDArray[Any]) -> None:
    """Make arrays read-only: what a frozen class holds does not change under its user."""
    for array in arrays:
        array.flags.writeable = False
