"""The folder of one source: whole snapshots under their time, a manifest that lists them, one writer at a time."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict

from balance_of_benchmarks.errors import BoardError
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.reading import validate
from balance_of_benchmarks.transport.files import write_atomically
from balance_of_benchmarks.transport.locks import LockedError, hold_lock

__all__ = ["MANIFEST", "Entry", "Store", "open_store"]

MANIFEST: Final = "manifest.jsonl"
_LOCK: Final = ".lock"
_PENDING: Final = ".pending.json"


class Entry(BaseModel):
    """One line of a manifest: one file of one snapshot.

    Parameters
    ----------
    file : str
        Its place in the source's folder.
    url : str
        Where it was asked, without password and without the values of the query.
    sha256 : str
    size : int
        In bytes.
    rows : int
        Models `read_board` finds in the snapshot.
    retrieved : str
        When it had come; UTC, ISO 8601.
    format : str
        What the snapshot is read as.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")
    file: str
    url: str
    sha256: str
    size: int
    rows: int
    retrieved: str
    format: str

    @property
    def snapshot(self) -> str:
        """Name of the snapshot it belongs to: its own, or its folder's."""
        return self.file.partition("/")[0]


class _Pending(BaseModel):
    """A snapshot that is whole and decided on, though not in its place yet."""

    model_config = ConfigDict(frozen=True, strict=True)
    staged: str
    name: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Store:
    """The folder of one source, held by nobody else.

    Parameters
    ----------
    folder : Path
    """

    folder: Path

    def read_manifest(self) -> list[Entry]:
        """Read every line of the manifest; empty where there is none yet."""
        path = self.folder / MANIFEST
        if not path.is_file():
            return []
        return [validate(Entry, row, f"{path} line {n}", "manifest") for n, row in enumerate(_rows(path), start=1)]

    def find_same(self, files: Sequence[tuple[str, str]]) -> list[Entry]:
        """Give the last snapshot's lines if it holds the same files, each a name and a digest, and still lies there."""
        entries = self.read_manifest()
        last = [entry for entry in entries if entry.snapshot == entries[-1].snapshot]
        held = {(entry.file.partition("/")[2], entry.sha256) for entry in last}
        whole = all((self.folder / entry.file).is_file() for entry in last)
        return last if whole and held == set(files) else []

    def name_snapshot(self, moment: datetime, ending: str) -> str:
        """Name a snapshot after its time; a second one of the same second is numbered, and sorts behind it."""
        stamp, number = f"{moment:%Y%m%dT%H%M%SZ}", 1
        taken = {path.name.partition(".")[0] for path in self.folder.iterdir()}
        while (name := stamp if number == 1 else f"{stamp}_{number}") in taken:
            number += 1
        return name + ending

    def keep(self, staged: Path, name: str, entries: Sequence[Entry]) -> None:
        """Put a staged file or folder into its place and list it: wholly or, should this process end, not at all.

        Once the note of what is to be done lies there it is done, here or by whoever opens the folder next.
        """
        pending = _Pending(staged=staged.relative_to(self.folder).as_posix(), name=name, entries=tuple(entries))
        write_atomically(self.folder / _PENDING, pending.model_dump_json().encode())
        self.settle()

    def settle(self) -> None:
        """Finish what was decided on."""
        note = self.folder / _PENDING
        if not note.is_file():
            return
        pending = _Pending.model_validate_json(note.read_bytes())
        if (self.folder / pending.staged).exists():
            (self.folder / pending.staged).rename(self.folder / pending.name)
        entries = self.read_manifest()
        if not any(entry.snapshot == pending.name for entry in entries):
            lines = "".join(f"{entry.model_dump_json()}\n" for entry in [*entries, *pending.entries])
            write_atomically(self.folder / MANIFEST, lines.encode())
        note.unlink()

    def forget(self, staging: Path) -> None:
        """Take away what earlier fetches left half-way."""
        shutil.rmtree(staging, ignore_errors=True)
        for part in self.folder.glob(".*.part"):
            part.unlink()


@contextmanager
def open_store(folder: Path, patience: float, tell: Callable[[str], None]) -> Iterator[Store]:
    """Open a source's folder, made if need be, for this process alone.

    Parameters
    ----------
    folder : Path
    patience : float
        Seconds to wait for another fetch that is under way there.
    tell : callable
        Told that it waits.

    Yields
    ------
    Store

    Raises
    ------
    BoardError
        When the other one takes longer.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with hold_lock(folder / _LOCK, patience, lambda: tell(f"another fetch writes to {folder}: waiting for it")):
            store = Store(folder)
            store.settle()
            yield store
    except LockedError:
        raise BoardError(f"another fetch still writes to {folder} after {patience:g} s: try again later") from None


def _rows(path: Path) -> Iterator[object]:
    return open_document(path).rows() if path.stat().st_size else iter(())
