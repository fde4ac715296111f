"""Vectors kept by text and encoder, so that none is made twice and a ranking can be redone without the model."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from balance_of_benchmarks.errors import EncoderError
from balance_of_benchmarks.text.encoder import Encoder, EncoderIdentity, unit_rows
from balance_of_benchmarks.transport.files import write_atomically
from balance_of_benchmarks.transport.locks import LockedError, hold_lock

__all__ = ["KeptEncoder", "VectorCache"]

_FORMAT: Final = 1
_MANIFEST: Final = "manifest.json"
_LOCK: Final = ".lock"
_PATIENCE: Final = 3600.0  # seconds: another process may be loading a model of 16 GB
# What is lost when a process is killed: the vectors of so many texts.
_CHUNK: Final = 64
# Radians. The rounding of float16 is 2**-11 a component, and with it a vector turns by as much; ten times that is no
# rounding any more. Models quantized to 8 bits turn by 1e-2 and more.
_MOST_TURNED: Final = 5e-3
_ROUNDING: Final = 2.0**-23  # of float32 near 1

Float32Array = NDArray[np.float32]


class _Manifest(BaseModel):
    """Whose vectors lie in a folder; written once, before the first of them."""

    model_config = ConfigDict(strict=True, extra="forbid")
    format: int
    name: str
    revision: str
    options: dict[str, str]
    dimensions: int


class VectorCache:
    """The folder of one encoder's vectors.

    `manifest.json` says whose they are. Beside it lie files of one line a text, {"text", "vector"}, the vector's
    float32 numbers in base64; each file is named by the SHA-256 of its content, written whole and never changed.

    Parameters
    ----------
    root : Path
        The folder of all encoders' folders.
    identity : EncoderIdentity
    """

    def __init__(self, root: Path, identity: EncoderIdentity) -> None:
        whole = json.dumps([identity.name, identity.revision, dict(identity.options)], sort_keys=True)
        slug = re.sub(r"[^a-z0-9.]+", "-", identity.name.lower()).strip("-.")[:40]
        self.folder = root / f"{slug}-{hashlib.sha256(whole.encode()).hexdigest()[:16]}"
        self.identity = identity
        self._read: set[str] = set()
        self._vectors: dict[str, Float32Array] = {}

    def find(self) -> Mapping[str, Float32Array]:
        """Give all that is kept, by text.

        Returns
        -------
        mapping of str to ndarray of shape (d,)

        Raises
        ------
        EncoderError
            For a file that is not as it was written, or a folder of another version or encoder: with what to do.
        """
        new = sorted(path for path in self.folder.glob("*.jsonl") if path.name not in self._read)
        if new:
            dimensions = self._find_manifest().dimensions
            for path in new:
                for text, vector in _read_lines(path, dimensions):
                    if not np.array_equal(self._vectors.setdefault(text, vector), vector):
                        raise EncoderError(
                            f"{self.folder} has two vectors for the text that begins {text[:40]!r}, one of them in "
                            f"{path.name}: delete the file you do not trust"
                        )
                self._read.add(path.name)
        return self._vectors

    def keep(self, texts: Sequence[str], vectors: Float32Array) -> None:
        """Keep vectors of texts that were not there, whole or not at all; only while it is held.

        Parameters
        ----------
        texts : sequence of str
        vectors : ndarray of shape (n, d)
        """
        manifest = self._find_manifest(vectors.shape[1])
        if manifest.dimensions != vectors.shape[1]:
            raise EncoderError(
                f"{self.identity.name} now gives {vectors.shape[1]} dimensions, and {manifest.dimensions} are kept in "
                f"{self.folder}: it is another model by now; delete that folder, or keep its vectors in another one"
            )
        encoded = (base64.b64encode(vector.astype("<f4").tobytes()).decode() for vector in vectors)
        lines = (json.dumps({"text": text, "vector": code}) for text, code in zip(texts, encoded, strict=True))
        content = "".join(f"{line}\n" for line in lines).encode()
        self._write(lambda: write_atomically(self.folder / f"{hashlib.sha256(content).hexdigest()}.jsonl", content))

    @contextmanager
    def hold(self, waits: Callable[[], None]) -> Iterator[None]:
        """Keep other processes from encoding the same meanwhile; the lock goes with this process, however it ends."""
        self._write(lambda: self.folder.mkdir(parents=True, exist_ok=True))
        try:
            with hold_lock(self.folder / _LOCK, _PATIENCE, waits):
                for part in self.folder.glob(".*.json*.*"):  # of a process that was killed while it wrote
                    part.unlink()
                yield
        except LockedError:
            raise EncoderError(
                f"another process still encodes into {self.folder} after {_PATIENCE:g} s: try again later"
            ) from None

    def _find_manifest(self, dimensions: int | None = None) -> _Manifest:
        """Read the manifest, or write the first one where there may be none yet."""
        path, mine = self.folder / _MANIFEST, self.identity
        whose = {"name": mine.name, "revision": mine.revision, "options": dict(mine.options)}
        if dimensions is not None and not path.is_file() and not any(self.folder.glob("*.jsonl")):
            first = _Manifest.model_validate({"format": _FORMAT, **whose, "dimensions": dimensions})
            self._write(lambda: write_atomically(path, f"{first.model_dump_json(indent=2)}\n".encode()))
            return first
        remedy = f"delete {self.folder}, or keep vectors in another folder"
        content = _read_json(path)
        version = content.get("format") if isinstance(content, dict) else None
        if isinstance(version, int) and version != _FORMAT:
            raise EncoderError(
                f"{path} is of format {version} and this version reads {_FORMAT}: use the version of "
                f"balance-of-benchmarks that wrote it, {remedy}"
            )
        try:
            manifest = _Manifest.model_validate(content)
        except ValidationError:
            raise EncoderError(f"{path} is not there, or not as it was written: put it back, {remedy}") from None
        if {"name": manifest.name, "revision": manifest.revision, "options": manifest.options} != whose:
            raise EncoderError(f"{path} is of another encoder, {manifest.name} {manifest.revision}: {remedy}")
        return manifest

    def _write(self, write: Callable[[], object]) -> None:
        try:
            write()
        except OSError as error:
            raise EncoderError(
                f"vectors cannot be kept in {self.folder}: {error.strerror}; name a folder that can be written"
            ) from None


class KeptEncoder:
    """An encoder whose vectors are kept, and found again instead of being made.

    Parameters
    ----------
    encoder : Encoder
    root : Path
        Folder where vectors are kept.
    frozen : bool
        Refuse to encode what is not kept; the encoder itself is then never asked.
    progress : callable, optional
        Called with texts encoded and texts to encode.
    tell : callable, optional
        Told that it waits for another process.
    """

    def __init__(
        self,
        encoder: Encoder,
        root: Path,
        *,
        frozen: bool = False,
        progress: Callable[[int, int], None] | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self.encoder, self.root, self.frozen = encoder, root, frozen
        self._progress, self._tell = progress, tell
        self._cache: VectorCache | None = None

    @property
    def identity(self) -> EncoderIdentity:
        """The encoder's."""
        return self.encoder.identity

    def encode(self, texts: Sequence[str]) -> Float32Array:
        """Find or make unit vectors, shape (n, d)."""
        cache = self._cache = self._cache or VectorCache(self.root, self.identity)
        kept = cache.find()
        missing = [text for text in dict.fromkeys(texts) if text not in kept]
        if missing and self.frozen:
            raise EncoderError(
                f"{len(missing)} of {len(texts)} texts have no vector of {self.identity.name} in {cache.folder}, the "
                f"first of which begins {missing[0][:40]!r}: encode them once without --frozen and with "
                f"--cache {self.root} (find_encoder(..., cache=...))"
            )
        for i in range(0, len(missing), _CHUNK):
            with cache.hold(lambda: self._say(f"another process encodes into {cache.folder}: waiting for it")):
                # It may have encoded them meanwhile.
                kept = cache.find()
                chunk = [text for text in missing[i : i + _CHUNK] if text not in kept]
                if chunk:
                    cache.keep(chunk, self._make(chunk))
            if self._progress is not None:
                self._progress(min(i + _CHUNK, len(missing)), len(missing))
        kept = cache.find()
        return np.stack([kept[text] for text in texts]) if texts else np.empty((0, 0), dtype=np.float32)

    def _make(self, texts: Sequence[str]) -> Float32Array:
        """Encode texts, and one of them once more without the others."""
        name = self.identity.name
        made = np.asarray(self.encoder.encode(texts))
        vectors = unit_rows(made, texts, name)
        if len(texts) > 1:
            shortest = min(range(len(texts)), key=lambda i: len(texts[i]))  # it is padded most
            text = texts[shortest]
            alone = unit_rows(self.encoder.encode([text]), [text], name)[0]
            turned = 2 * math.asin(min(float(np.linalg.norm(alone - vectors[shortest])) / 2, 1.0))
            if turned > _MOST_TURNED:
                raise EncoderError(
                    f"{name} gives another vector for the same text in other company, {turned:.3f} radians away "
                    f"({text[:40]!r}): have it encode one text at a time, with --batch 1 (batch=1), or use a model "
                    "that is not quantized"
                )
        # Where they are what they should be they are kept as they came, so that finding one again changes no bit.
        whole = made.dtype == np.float32 and np.abs(made - vectors).max() <= _ROUNDING
        return made if whole else vectors.astype(np.float32)

    def _say(self, message: str) -> None:
        if self._tell is not None:
            self._tell(message)


def _read_lines(path: Path, dimensions: int) -> Iterator[tuple[str, Float32Array]]:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise EncoderError(f"{path} cannot be read: {error.strerror}") from None
    if hashlib.sha256(content).hexdigest() != path.stem:
        raise EncoderError(f"{path} is not as it was written: delete it, and its texts are encoded again")
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            read = json.loads(line)
            vector = np.frombuffer(base64.b64decode(read["vector"], validate=True), dtype="<f4").astype(np.float32)
            text = str(read["text"])
        except (ValueError, KeyError, TypeError, binascii.Error):
            vector, text = np.empty(0, dtype=np.float32), ""
        if vector.shape != (dimensions,) or not np.isfinite(vector).all() or not text:
            raise EncoderError(
                f"{path} line {number} is no text with a vector of {dimensions} dimensions: delete the file, and its "
                "texts are encoded again"
            )
        yield text, vector


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
