"""What an encoder is: texts in, unit vectors out, and a name to know it by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from balance_of_benchmarks.errors import EncoderError
from balance_of_benchmarks.types import FloatArray, as_floats

__all__ = ["Encoder", "EncoderIdentity", "unit_rows"]


@dataclass(frozen=True, slots=True)
class EncoderIdentity:
    """Everything that decides an encoder's vectors.

    Parameters
    ----------
    name, revision : str
    options : tuple of (str, str)
    """

    name: str
    revision: str
    options: tuple[tuple[str, str], ...] = ()


@runtime_checkable
class Encoder(Protocol):
    """Anything with an identity and an `encode`; pass one as ``encoder=`` wherever a name goes."""

    @property
    def identity(self) -> EncoderIdentity:
        """What its vectors depend on."""
        ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Turn n non-empty texts into directions, shape (n, d); a text's vector must not depend on its company."""
        ...


def unit_rows(vectors: ArrayLike, texts: Sequence[str], name: str) -> FloatArray:
    """Hold an encoder to its word, one direction a text, and give each the length of one.

    Whatever the precision they come in, lengths are taken in float64: those of float16 are off by 1e-4, and not
    every service gives unit vectors at all.

    Parameters
    ----------
    vectors : array-like of shape (n, d)
    texts : sequence of str
        What they are of.
    name : str
        The encoder's, for the words.

    Returns
    -------
    ndarray of shape (n, d)

    Raises
    ------
    EncoderError
        For another number of vectors, one that is not finite, or one without a direction.
    """
    rows = as_floats(vectors, name)
    if rows.ndim != 2 or len(rows) != len(texts) or not np.isfinite(rows).all():
        raise EncoderError(
            f"{name} answers {len(texts)} texts with shape {rows.shape}: expected one finite vector each"
        )
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    if (norms == 0).any():
        text = texts[int(np.flatnonzero(norms[:, 0] == 0)[0])]
        raise EncoderError(f"{name} has no direction for {text!r}: expected words it knows")
    unit: FloatArray = rows / norms
    return unit
