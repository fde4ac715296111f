"""Shorter vectors of an encoder that was trained for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from balance_of_benchmarks.errors import EncoderError
from balance_of_benchmarks.text.encoder import Encoder, EncoderIdentity, unit_rows
from balance_of_benchmarks.types import FloatArray

__all__ = ["ReducedEncoder", "reduce_identity", "reduce_rows"]


class ReducedEncoder:
    """The first components of an encoder's vectors.

    They are vectors of nearly the same geometry where the encoder was trained so that they are ("Matryoshka":
    WordLlama, Qwen3-Embedding and many others were), and of another one where it was not.

    Parameters
    ----------
    encoder : Encoder
    dim : int
        How many components.
    """

    def __init__(self, encoder: Encoder, dim: int) -> None:
        if dim < 2:
            raise EncoderError(f"dim is {dim}: expected 2 or more components")
        self.encoder, self.dim = encoder, dim

    @property
    def identity(self) -> EncoderIdentity:
        """The encoder's, with the width."""
        return reduce_identity(self.encoder.identity, self.dim)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Turn texts into unit vectors, shape (n, dim)."""
        return reduce_rows(self.encoder.encode(texts), texts, self.dim, self.identity.name).astype(np.float32)


def reduce_rows(vectors: NDArray[np.floating[Any]], texts: Sequence[str], dim: int, name: str) -> FloatArray:
    """Take the first components and give them the length of one again, shape (n, dim)."""
    if len(texts) and vectors.shape[1] < dim:
        raise EncoderError(f"{name} has {vectors.shape[1]} dimensions: they cannot be reduced to {dim}")
    return unit_rows(vectors[:, :dim], texts, name)


def reduce_identity(identity: EncoderIdentity, dim: int) -> EncoderIdentity:
    """Say of an identity that only so many components are left."""
    others = tuple(option for option in identity.options if option[0] != "dim")
    return replace(identity, options=(*others, ("dim", str(dim))))
