"""The encoder of last resort, and a second opinion: hashed character n-grams, without a model or anything learned."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

from balance_of_benchmarks.text.encoder import EncoderIdentity, unit_rows

__all__ = ["NgramEncoder"]

_WIDTH: Final = 4096  # a text of a paragraph has some thousand different n-grams; more width moves no distance
_LENGTHS: Final = (3, 4, 5)  # from endings to short words
_REVISION: Final = "1"


class NgramEncoder:
    """Which strings of three to five letters a text is made of, each thrown into one of 4 096 places with a sign.

    It sees spelling and no meaning: "maths" and "algebra" are as far apart as any two words. Use it where nothing
    else runs, or to see whether a finding hangs on the encoder; its nearest neighbours are those of shared words.
    It has no state, so that its vectors are the same everywhere and for ever.
    """

    @property
    def identity(self) -> EncoderIdentity:
        """Its name, and the version of the recipe."""
        return EncoderIdentity("ngrams", _REVISION, (("dim", str(_WIDTH)),))

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Turn texts into unit vectors, shape (n, 4096)."""
        rows = np.zeros((len(texts), _WIDTH))
        for row, text in zip(rows, texts, strict=True):
            for ngram, count in _count_ngrams(text).items():
                hashed = int.from_bytes(blake2b(ngram.encode(), digest_size=8).digest(), "little")
                # A word said often says no more than twice what it says once.
                row[hashed % _WIDTH] += (1.0 if hashed >> 63 else -1.0) * (1.0 + np.log(count))
        return unit_rows(rows, texts, "ngrams").astype(np.float32)


def _count_ngrams(text: str) -> Counter[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    padded = f" {' '.join(folded.split())} "
    return Counter(padded[i : i + n] for n in _LENGTHS for i in range(max(len(padded) - n + 1, 0)))
