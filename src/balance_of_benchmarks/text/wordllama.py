"""The default encoder: WordLlama, whose 16 MB of weights lie inside its own wheel."""

from __future__ import annotations

import importlib.metadata
import logging
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from balance_of_benchmarks.text.encoder import EncoderIdentity

__all__ = ["WordLlamaEncoder"]


class WordLlamaEncoder:
    """WordLlama's static word vectors, averaged over a text: no network, no torch, a millisecond a text.

    Good enough to place benchmark descriptions (docs/encoders.md has the figures); a large encoder places
    subtle texts better.
    """

    _lock = threading.Lock()
    _model: Any = None

    @property
    def identity(self) -> EncoderIdentity:
        """Name, version of the wheel, and width."""
        return EncoderIdentity("wordllama", importlib.metadata.version("wordllama"), (("dim", "256"),))

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Turn texts into unit vectors, shape (n, 256).

        One at a time: WordLlama pads a batch to its longest text and sums the padding along, so that a vector's
        last digit would depend on the texts around it.
        """
        model = self._load()
        with self._lock:  # the tokenizer's padding state is shared
            rows = [model.embed([text], norm=True)[0] for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(rows), 256)

    @classmethod
    def _unlock(cls) -> None:
        """Give a forked child a lock of its own: the parent's may have been held by a thread it does not have."""
        cls._lock = threading.Lock()

    @classmethod
    def _load(cls) -> Any:
        with cls._lock:
            if cls._model is None:
                # Importing wordllama configures the root logger, which is its user's business: put back.
                root = logging.getLogger()
                handlers, level = root.handlers[:], root.level
                import wordllama

                root.handlers[:], root.level = handlers, level
                # Its own folder as cache: the release looks for the tokenizer under another name than it ships it.
                folder = Path(wordllama.__file__).parent
                cls._model = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
        return cls._model


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=WordLlamaEncoder._unlock)
