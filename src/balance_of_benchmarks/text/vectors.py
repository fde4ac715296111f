"""Vectors that were made elsewhere, from a file: .npz or Parquet by name, .npy by row."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from balance_of_benchmarks.errors import EncoderError
from balance_of_benchmarks.text.encoder import EncoderIdentity
from balance_of_benchmarks.text.reducing import reduce_identity, reduce_rows
from balance_of_benchmarks.types import FloatArray

__all__ = ["ENDINGS", "VectorFile", "read_vectors"]

_NAMES: Final = ("text", "key")
_MANY: Final = ("texts", "keys")
_DESCRIPTION: Final = "description/"


@dataclass(frozen=True, slots=True, eq=False)
class VectorFile:
    """An encoder that knows the vectors of a file and no others.

    Parameters
    ----------
    identity : EncoderIdentity
        The file's name and a digest of what it holds.
    named : dict of str to ndarray of shape (d,)
        By text, or by a name that `place` or `rename` gives a text to.
    rows : ndarray of shape (n, d) or None
        Of a file without names: one row for each benchmark of a board, or each text.
    """

    identity: EncoderIdentity
    named: dict[str, FloatArray] = field(repr=False)
    rows: FloatArray | None = field(repr=False, default=None)

    def encode(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Look the texts up, shape (n, d)."""
        if self.rows is not None:
            raise EncoderError(
                f"{self.identity.name} holds rows without names, so a text cannot be placed: give vectors by text, in "
                "a file that ends in .npz or .parquet"
            )
        unknown = [text for text in texts if text not in self.named]
        if unknown:
            raise EncoderError(
                f"{self.identity.name} has no vector for {len(unknown)} of {len(texts)} texts, the first of which "
                f"begins {unknown[0][:40]!r}"
            )
        return np.stack([self.named[text] for text in texts])

    def place(self, keys: Sequence[str], texts: Sequence[str | None]) -> FloatArray:
        """Give the vectors of a board's benchmarks, by text, by key, or by "description/" and the key.

        Parameters
        ----------
        keys : sequence of str
        texts : sequence of str or None
            Their descriptions.

        Returns
        -------
        ndarray of shape (n, d)
            NaN for a benchmark that has neither a text nor a vector.

        Raises
        ------
        EncoderError
            Where a benchmark with a text has no vector, or none has one.
        """
        found = [
            next((self.named[n] for n in (text, key, _DESCRIPTION + key) if n is not None and n in self.named), None)
            for key, text in zip(keys, texts, strict=True)
        ]
        untold = [key for key, text, vector in zip(keys, texts, found, strict=True) if vector is None and text]
        if untold or all(vector is None for vector in found):
            first = (untold or list(keys))[0]
            raise EncoderError(
                f"{self.identity.name} has no vector for {len(untold) or len(keys)} of the board's {len(keys)} "
                f"benchmarks, the first of them {first!r}: expected each by its text or its key"
            )
        width = next(iter(self.named.values())).size
        return np.stack([np.full(width, np.nan) if vector is None else vector for vector in found])

    def rename(self, texts: Mapping[str, str]) -> VectorFile:
        """Give the same vectors by text.

        Parameters
        ----------
        texts : mapping of str to str
            Texts by name; those whose name the file does not know are passed over.

        Returns
        -------
        VectorFile
        """
        return replace(self, named={text: self.named[name] for name, text in texts.items() if name in self.named})

    def reduce(self, dim: int) -> VectorFile:
        """Give the first components only."""
        name = self.identity.name
        rows = None if self.rows is None else reduce_rows(self.rows, [name] * len(self.rows), dim, name)
        named = {key: reduce_rows(vector[None], [key], dim, name)[0] for key, vector in self.named.items()}
        return VectorFile(reduce_identity(self.identity, dim), named, rows)


def read_vectors(path: Path) -> VectorFile:
    """Read a file of vectors.

    Parameters
    ----------
    path : Path
        ``.npz``: an array of shape (d,) by name, or `vectors` of shape (n, d) beside `texts` or `keys`; ``.parquet``:
        a column `text` or `key`, and `vector`; ``.npy``: shape (n, d), one row for each benchmark of a board in its
        order.

    Returns
    -------
    VectorFile

    Raises
    ------
    EncoderError
        Where it cannot be read or holds something else.
    """
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise EncoderError(f"{path} holds no vectors by its name: expected one that ends in {', '.join(ENDINGS)}")
    try:
        content = path.read_bytes()
        named = reader(path)
    except OSError as error:
        raise EncoderError(f"the vectors cannot be read: {path}: {error.strerror or error}") from None
    except (ValueError, zipfile.BadZipFile) as error:
        raise EncoderError(f"{path}: {str(error).splitlines()[0]}") from None
    identity = EncoderIdentity(path.name, hashlib.sha256(content).hexdigest()[:16])
    if isinstance(named, np.ndarray):
        return VectorFile(identity, {}, _as_vectors(named, path, (2,)))
    found = {name: _as_vectors(vector, path, (1,)) for name, vector in named.items()}
    if len({vector.shape for vector in found.values()}) > 1:
        raise EncoderError(f"{path}: the vectors differ in shape: expected one length")
    if not found:
        raise EncoderError(f"{path}: it holds no vectors")
    return VectorFile(identity, found)


def _as_vectors(values: NDArray[Any], path: Path, dimensions: tuple[int, ...]) -> FloatArray:
    if values.dtype.kind not in "fiu" or values.ndim not in dimensions or not values.size:
        raise EncoderError(f"{path}: it holds {values.dtype} of shape {values.shape}: expected vectors of numbers")
    if not np.isfinite(values).all():
        raise EncoderError(f"{path}: it holds numbers that are missing or infinite: expected vectors of finite ones")
    return values.astype(np.float64)


def _read_npy(path: Path) -> NDArray[Any]:
    rows = np.load(path, allow_pickle=False)
    if not isinstance(rows, np.ndarray):
        raise ValueError("it is no .npy file")
    return rows


def _read_npz(path: Path) -> dict[str, NDArray[Any]]:
    file = np.load(path, allow_pickle=False)
    if not isinstance(file, np.lib.npyio.NpzFile):
        raise ValueError("expected an .npz file with one array a text, and it holds one array")
    with file:
        named = {name: np.asarray(file[name]) for name in file}
    given = [name for name in _MANY if name in named]
    if len(given) == 1 and named.keys() == {given[0], "vectors"}:
        return _pair([str(name) for name in named[given[0]].ravel()], named["vectors"])
    return named


def _read_parquet(path: Path) -> dict[str, NDArray[Any]]:
    import polars as pl  # not for every encoder

    try:
        frame = pl.read_parquet(path)
    except pl.exceptions.PolarsError as error:
        raise ValueError(str(error)) from None
    given = [name for name in _NAMES if name in frame.columns]
    if not given or "vector" not in frame.columns:
        raise ValueError(f"it has columns {', '.join(frame.columns)}: expected text or key, and vector")
    if not isinstance(frame.schema["vector"], pl.List | pl.Array):
        raise ValueError(f"its column vector holds {frame.schema['vector']}: expected lists of numbers")
    frame = frame.filter(pl.col("vector").is_not_null())
    named: dict[str, NDArray[Any]] = {}
    for column in given:
        present = frame.filter(pl.col(column).is_not_null())
        named |= _pair(present[column].cast(pl.String).to_list(), [row.to_numpy() for row in present["vector"]])
    return named


def _pair(names: Sequence[str], vectors: Sequence[NDArray[Any]] | NDArray[Any]) -> dict[str, NDArray[Any]]:
    if len(names) != len(vectors):
        raise ValueError(f"it holds {len(names)} names and {len(vectors)} vectors: expected as many")
    paired: dict[str, NDArray[Any]] = {}
    for name, vector in zip(names, vectors, strict=True):
        if name in paired and not np.array_equal(paired[name], vector):
            raise ValueError(f"it has two vectors for {name[:40]!r}: expected one")
        paired[name] = np.asarray(vector)
    return paired


_READERS: Final[dict[str, Callable[[Path], NDArray[Any] | dict[str, NDArray[Any]]]]] = {
    ".npy": _read_npy,
    ".npz": _read_npz,
    ".parquet": _read_parquet,
}
ENDINGS: Final = tuple(_READERS)
"""Of files that hold vectors."""
