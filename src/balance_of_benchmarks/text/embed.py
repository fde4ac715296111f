"""Texts to vectors, with whatever encoder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from balance_of_benchmarks.errors import EncoderError
from balance_of_benchmarks.text.encoder import Encoder, unit_rows
from balance_of_benchmarks.text.registry import find_encoder
from balance_of_benchmarks.text.vectors import VectorFile
from balance_of_benchmarks.types import FloatArray

__all__ = ["embed"]


def embed(texts: Sequence[str | None], encoder: str | Encoder | NDArray[Any] = "wordllama") -> FloatArray:
    """Turn texts into vectors.

    Parameters
    ----------
    texts : sequence of str or None
    encoder : str, Encoder or ndarray of shape (n, d)
        What `find_encoder` takes: a name, or any object with `identity` and `encode`, its own results among them; or
        vectors already made, one a text.

    Returns
    -------
    ndarray of shape (n, d)
        Unit vectors in float64; NaN where the text is None.

    Raises
    ------
    EncoderError
        For an empty text, or when the encoder does not answer with one finite direction a text.

    Examples
    --------
    >>> embed(["Competition mathematics.", None]).shape
    (2, 256)
    """
    if isinstance(texts, str):
        raise EncoderError("one string was given: expected a list of texts")
    for i, text in enumerate(texts):
        if text is not None and (not isinstance(text, str) or not text.strip()):
            raise EncoderError(f"text {i} is {text!r}: expected words, or None for a benchmark without a text")
        if text is not None and any("\ud800" <= character <= "\udfff" for character in text):
            raise EncoderError(f"text {i} holds half a character ({text[:40]!r}): expected Unicode text")
    present = [i for i, text in enumerate(texts) if text is not None]
    if not present:
        return np.full((len(texts), 1), np.nan)
    asked = [str(texts[i]) for i in present]
    if isinstance(encoder, np.ndarray):
        name, vectors = "the array", _pick_rows(encoder, texts, present)
    else:
        chosen = find_encoder(encoder)
        unnamed = chosen.rows if isinstance(chosen, VectorFile) else None
        name = chosen.identity.name
        vectors = chosen.encode(asked) if unnamed is None else _pick_rows(unnamed, texts, present)
    unit = unit_rows(vectors, asked, name)
    placed = np.full((len(texts), unit.shape[1]), np.nan)
    placed[present] = unit
    return placed


def _pick_rows(rows: NDArray[Any], texts: Sequence[str | None], present: list[int]) -> NDArray[Any]:
    """Rows of the texts that are there, whether the others have rows too or not."""
    return rows[present] if rows.shape[:1] == (len(texts),) else rows
