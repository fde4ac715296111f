"""Encoders that run on this machine through sentence-transformers: Qwen3-Embedding as in the paper, and any other."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from balance_of_benchmarks.errors import EncoderError
from balance_of_benchmarks.text.encoder import EncoderIdentity, unit_rows

__all__ = ["BATCH", "MAX_LENGTH", "PRESETS", "LocalEncoder", "Preset", "weights_are_here"]

MAX_LENGTH: Final = 1024
"""Tokens of a text that are read, as in the paper (Appendix F); a description has some hundred."""
BATCH: Final = 8
"""Texts encoded at once, as in the paper."""
_COMMIT: Final = re.compile(r"[0-9a-f]{40}")
_CHUNK: Final = 1 << 22
_NEEDS: Final = ("torch", "sentence_transformers")
_WEIGHTS: Final = ("model.safetensors", "model.safetensors.index.json")  # whole, or in parts


@dataclass(frozen=True, slots=True)
class Preset:
    """A model of a model hub, pinned to a commit: its vectors can be known for the same without having it.

    Parameters
    ----------
    model, revision : str
    """

    model: str
    revision: str


# The commits are those under which MTEB lists its results.
PRESETS: Final[dict[str, Preset]] = {
    "qwen3-8b": Preset("Qwen/Qwen3-Embedding-8B", "4e423935c619ae4df87b646a3ce949610c66241c"),
    "qwen3-4b": Preset("Qwen/Qwen3-Embedding-4B", "636cd9bf47d976946cdbb2b0c3ca0cb2f8eea5ff"),
    "qwen3-0.6b": Preset("Qwen/Qwen3-Embedding-0.6B", "b22da495047858cce924d27d76261e96be6febc0"),
}
"""The paper's encoder (the first) and its two smaller sizes, by name."""


def weights_are_here(preset: Preset) -> bool:
    """Tell whether a preset can run without fetching anything: what runs it is installed, its weights are kept.

    Parameters
    ----------
    preset : Preset

    Returns
    -------
    bool
    """
    if any(find_spec(module) is None for module in (*_NEEDS, "huggingface_hub")):
        return False
    from huggingface_hub import try_to_load_from_cache

    found = (try_to_load_from_cache(preset.model, name, revision=preset.revision) for name in _WEIGHTS)
    return any(isinstance(path, str) for path in found)


class LocalEncoder:
    """A sentence-transformers model, with the settings of the paper.

    Texts are read up to 1 024 tokens (fewer where the model can read no more), eight at a time, without an
    instruction; the model computes in float16 on an accelerator and in float32 without one. Its vectors are cast to
    float64, given the length of one and stored as float32, with no centering. It is loaded when the first text is
    encoded.

    Parameters
    ----------
    model : str
        Name on the model hub, or a folder.
    name : str, optional
        What to call it; by default "local:" and its own name, of a folder the last part.
    revision : str, optional
        A commit, tag or branch on the hub; by default what is there, or was there when it was loaded last.
    batch : int, optional
        Eight by default.

    Raises
    ------
    EncoderError
        When torch or sentence-transformers is missing, or the model cannot be had; only once it is needed.
    """

    _lock = threading.Lock()  # tokenizers keep their padding as a state

    def __init__(
        self, model: str, *, name: str | None = None, revision: str | None = None, batch: int | None = None
    ) -> None:
        self._folder = _find_folder(model) if model else None
        if self._folder is not None and revision is not None:
            raise EncoderError(f"{model} is a folder: it has no revision {revision!r}, leave @{revision} out")
        if not model:
            raise EncoderError("a local encoder has no name: expected local:NAME of a model, or local:FOLDER")
        if self._folder is None and "/" not in model:
            model = f"sentence-transformers/{model}"  # as the library reads a bare name
        self._model, self._revision, self.batch = model, revision, batch or BATCH
        self._name = name or f"local:{model if self._folder is None else self._folder.resolve().name}"

    def __deepcopy__(self, _: object) -> LocalEncoder:
        """Give itself: `sklearn.base.clone` copies parameters, and a model is large and never changes."""
        return self

    @cached_property
    def identity(self) -> EncoderIdentity:
        """Name, the hub's commit or a digest of the folder's files, and how much of a text is read."""
        return EncoderIdentity(self._name, self._find_revision(), (("max_length", str(MAX_LENGTH)),))

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Turn texts into unit vectors, shape (n, d)."""
        if not texts:
            return np.empty((0, 0), dtype=np.float32)
        model = self._loaded
        try:
            with self._lock:
                vectors = model.encode(
                    list(texts), prompt="", batch_size=self.batch, show_progress_bar=False, convert_to_numpy=True
                )
        except RuntimeError as error:  # out of memory, most often
            raise EncoderError(
                f"{self._name} cannot encode: {_first_line(error)}; --batch 1 (batch=1) takes the least memory"
            ) from error
        return unit_rows(vectors, texts, self._name).astype(np.float32)

    @cached_property
    def _loaded(self) -> Any:
        missing = [module for module in _NEEDS if find_spec(module) is None]
        if missing:
            raise EncoderError(
                f"{self._name} needs {', '.join(missing)}, which the base install leaves out: "
                "pip install 'balance-of-benchmarks[local]'"
            )
        import torch
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.util import get_device_name

        device = get_device_name()
        place = self._model if self._folder is None else str(self._folder)
        revision = None if self._folder is not None else self.identity.revision
        try:
            model = SentenceTransformer(
                place,
                device=device,
                revision=revision,
                model_kwargs={"dtype": torch.float32 if device == "cpu" else torch.float16},
            )
        except (OSError, ValueError, RuntimeError, ImportError) as error:
            raise EncoderError(f"{self._name} cannot be loaded: {_first_line(error)}") from error
        if model.max_seq_length is not None:
            model.max_seq_length = min(model.max_seq_length, MAX_LENGTH)
        return model

    def _find_revision(self) -> str:
        if self._folder is not None:
            return _digest_folder(self._folder)
        if self._revision is not None and _COMMIT.fullmatch(self._revision):
            return self._revision
        if find_spec("huggingface_hub") is None:
            raise EncoderError(f"{self._name} needs huggingface_hub: pip install 'balance-of-benchmarks[local]'")
        from huggingface_hub import resolve_revision
        from huggingface_hub.errors import RevisionResolutionError

        try:
            return str(resolve_revision(self._model, revision=self._revision).resolved)
        except (RevisionResolutionError, OSError, ValueError) as error:
            raise EncoderError(
                f"{self._name} has no known revision: {_first_line(error)}; name a commit, local:{self._model}@COMMIT, "
                "or a folder with the model, local:FOLDER"
            ) from error


def _find_folder(model: str) -> Path | None:
    folder = Path(model).expanduser()
    if folder.is_dir():
        return folder
    if model.startswith((".", "/", "~")) or model.count("/") > 1:
        raise EncoderError(f"there is no folder {model}: expected one with a model, or a model's name on the hub")
    return None


def _digest_folder(folder: Path) -> str:
    """Digest a model's files, names and bytes."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(folder).as_posix()}\0{path.stat().st_size}\0".encode())
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()[:16]


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
