"""A folder for what is dear to compute and can be computed again: looked up by the digests of all it depends on."""

from __future__ import annotations

import hashlib
import io
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from balance_of_benchmarks.errors import BobError
from balance_of_benchmarks.transport.files import write_atomically

__all__ = ["ArrayStore", "cache_folder", "digest_arrays", "digest_code", "digest_texts"]

_RECORD: Final = "record"
_DIGEST_SIZE: Final = hashlib.sha256().digest_size
# What figures are computed with besides this package's own code; two of them are optional.
_LIBRARIES: Final = ("numpy", "numba", "scipy", "scikit-learn")


def cache_folder() -> Path:
    """Give the folder of this package's caches: `BOB_CACHE_DIR`, or one in the user's cache folder."""
    named = os.environ.get("BOB_CACHE_DIR")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "balance-of-benchmarks"


def digest_arrays(*arrays: NDArray[Any]) -> str:
    """Digest arrays by shape, type and bytes."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(f"{array.shape}{array.dtype.str}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def digest_texts(*texts: object) -> str:
    """Digest values by their representation, None apart from the text "None"."""
    return hashlib.sha256(json.dumps([repr(text) for text in texts]).encode()).hexdigest()


@cache
def digest_code() -> str:
    """Digest this package's source and its libraries' versions: what others computed is not taken for theirs."""
    package = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    digest.update(repr([(name, _version(name)) for name in _LIBRARIES]).encode())
    return digest.hexdigest()


def _version(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None


class ArrayStore:
    """Named arrays kept on disk by what they depend on.

    Parameters
    ----------
    folder : Path
        Made when something is kept.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, depends_on: Mapping[str, str]) -> dict[str, NDArray[Any]] | None:
        """Give what was kept under exactly these digests.

        Parameters
        ----------
        depends_on : mapping of str to str
            Digests by what they are of.

        Returns
        -------
        dict of str to ndarray, or None
            None where nothing was kept, or what was is not whole, bit for bit: it is computed again then.
        """
        try:
            content = self._place(depends_on).read_bytes()
        except OSError:
            return None
        body, digest = content[:-_DIGEST_SIZE], content[-_DIGEST_SIZE:]
        if hashlib.sha256(body).digest() != digest:
            return None
        with np.load(io.BytesIO(body), allow_pickle=False) as kept:
            found = {name: kept[name] for name in kept.files}
        # The file's name is a digest of digests; the record says what it is of.
        return found if str(found.pop(_RECORD, "")) == _as_record(depends_on) else None

    def keep(self, depends_on: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keep arrays under these digests, whole or not at all."""
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **arrays, **{_RECORD: np.array(_as_record(depends_on))})  # type: ignore[arg-type]
        body = buffer.getvalue()
        # A flipped bit need not fail in reading, it can read as another number; the digest behind the body tells.
        self._write(lambda: write_atomically(self._place(depends_on), body + hashlib.sha256(body).digest()))

    def prepare(self) -> None:
        """Make the folder and see that it can be written: better known before what is to be kept was computed."""
        self._write(lambda: tempfile.TemporaryFile(dir=self.folder).close())

    def _write(self, write: Callable[[], None]) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write()
        except OSError as error:
            raise BobError(
                f"{self.folder} cannot be written: {error.strerror}; set BOB_CACHE_DIR to a folder that can"
            ) from error

    def _place(self, depends_on: Mapping[str, str]) -> Path:
        return self.folder / f"{hashlib.sha256(_as_record(depends_on).encode()).hexdigest()}.npz"


def _as_record(depends_on: Mapping[str, str]) -> str:
    return json.dumps(dict(sorted(depends_on.items())))
