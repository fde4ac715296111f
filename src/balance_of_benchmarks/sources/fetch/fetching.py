"""Fetching: ask, read what came as whoever uses it will, and keep it only if it can be read."""

from __future__ import annotations

import hashlib
import re
import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.errors import BoardError, BobError
from balance_of_benchmarks.sources.fetch.services import Listed, Plan
from balance_of_benchmarks.sources.fetch.snapshots import Entry, Store, open_store
from balance_of_benchmarks.sources.read import read_board
from balance_of_benchmarks.transport.address import Address
from balance_of_benchmarks.transport.attempts import Limits
from balance_of_benchmarks.transport.http import download

__all__ = ["Fetched", "fetch"]

_ENDING: Final = re.compile(r"(\.(csv|tsv|json|jsonl|ndjson|parquet|ya?ml|md|eval|zip|txt))?(\.gz)?$", re.IGNORECASE)
_BEGINNINGS: Final = {b"{": ".json", b"[": ".json", b"P": ".parquet", b"\x1f": ".gz"}

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Fetched:
    """A snapshot that lies in its place.

    Parameters
    ----------
    path : Path
        What to give to `read_board`: a file, or a folder where the source consists of several.
    new : bool
        False where the source still has what the last snapshot holds, which then is given.
    entries : tuple of Entry
        Its lines in the manifest.
    attribution : str or None
        Whom the data's licence asks to name.
    """

    path: Path
    new: bool
    entries: tuple[Entry, ...]
    attribution: str | None


@dataclass(frozen=True, slots=True)
class _Brought:
    """A file that has come, in the folder where a snapshot is put together."""

    path: Path
    address: Address
    sha256: str
    size: int


def fetch(
    plan: Plan,
    limits: Limits,
    *,
    resume: bool = True,
    progress: Progress = lambda _, __: None,
    tell: Callable[[str], None] = lambda _: None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Fetched:
    """Fetch a snapshot; what was kept before stays as it is.

    Parameters
    ----------
    plan : Plan
    limits : Limits
        `total` holds for all files together.
    resume : bool
        Go on with what an earlier fetch left half-way.
    progress : callable
        Told KiB, or files where an index lists them: those done and all.
    tell : callable
        Told what is waited for.
    now : callable

    Returns
    -------
    Fetched

    Raises
    ------
    BoardError
        For a source that does not answer, or with what cannot be read as scores of its format; nothing of that is kept.
    """
    if plan.key_given is False and plan.service is not None:
        raise BoardError(
            f"{plan.service.key_variable} is not set: expected the key {plan.source} gave you, in the environment"
        )
    ends = time.monotonic() + limits.total
    with open_store(plan.folder, limits.total, tell) as store:
        staging = store.folder / f".{_digest(plan.addresses[0])}.staged"
        if not resume:
            store.forget(staging)
        staging.mkdir(exist_ok=True)
        try:
            brought = _bring(plan, store, staging, limits, ends, progress, tell)
            return _keep(plan, store, staging, brought, now())
        finally:
            with suppress(OSError):
                staging.rmdir()  # unless it holds what the next fetch can use


def _keep(plan: Plan, store: Store, staging: Path, brought: Sequence[_Brought], moment: datetime) -> Fetched:
    """Read what came, and give it its place unless that is where it lies already."""
    alone = len(plan.addresses) == len(brought) == 1 and brought[0].address == plan.addresses[0]
    path = brought[0].path if alone else staging
    try:
        board = _read(plan, path, brought)
    except BoardError:
        shutil.rmtree(staging)
        raise
    entries = store.find_same([("" if alone else file.path.name, file.sha256) for file in brought])
    new = not entries
    if new:
        name = store.name_snapshot(moment, _ending(brought[0]) if alone else "")
        entries = [_list(file, name if alone else f"{name}/{file.path.name}", moment, board) for file in brought]
        store.keep(path, name, entries)
    else:
        shutil.rmtree(staging)
    return Fetched(store.folder / entries[0].snapshot, new, tuple(entries), board.settings.attribution)


def _bring(
    plan: Plan,
    store: Store,
    staging: Path,
    limits: Limits,
    ends: float,
    progress: Progress,
    tell: Callable[[str], None],
) -> list[_Brought]:
    """Bring every file of a snapshot into the folder where it is put together, and nothing else there."""

    def bring(address: Address, told: Progress | None) -> _Brought:
        target, part = staging / _file_name(address), store.folder / f".{_digest(address)}.part"
        left = replace(limits, total=max(0.0, ends - time.monotonic()))
        came = download(address, target, part, left, progress=told, tell=tell)
        return _Brought(target, address, came.sha256, came.size)

    def tell_size(done: int, total: int) -> None:
        progress(done >> 10, max(done, total) >> 10)

    lists = plan.service.list_index if plan.service else None
    brought = [bring(address, None if lists else tell_size) for address in plan.addresses]
    if lists and (listed := lists(plan.addresses[0].url, brought[0].path)):
        brought = []
        for number, one in enumerate(listed, start=1):
            brought.append(_kept(one, staging) or _as_listed(bring(one.address, None), one))
            progress(number, len(listed))
    names = [file.path.name for file in brought]
    if len(set(names)) < len(names):
        raise BoardError(f"{plan.addresses[0]} lists two files of one name: expected one of each")
    for path in staging.iterdir():
        if path.name not in names:
            path.unlink()
    return brought


def _kept(listed: Listed, staging: Path) -> _Brought | None:
    """What an earlier fetch brought, if it is what the index lists."""
    path = staging / _file_name(listed.address)
    if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != listed.sha256:
        return None
    return _Brought(path, listed.address, listed.sha256, path.stat().st_size)


def _as_listed(file: _Brought, listed: Listed) -> _Brought:
    if file.sha256 != listed.sha256:
        raise BoardError(
            f"{file.address} is not what its index lists: try again, the source may have changed meanwhile"
        )
    return file


def _read(plan: Plan, path: Path, brought: Sequence[_Brought]) -> Board:
    """Read what came; its errors name the addresses, not the place where it lay for a moment."""
    expected = plan.service.format if plan.service else None
    try:
        board = read_board(path)
        found = {file.format for file in board.sources}
        if expected is not None and expected not in found:
            raise BoardError(f"{path} reads as {', '.join(sorted(found))}: expected {expected}; has its shape changed?")
        if len(board.sources) < len(brought):  # a folder of other people may hold files that are no scores, ours not
            skipped = ("file_damaged", "file_skipped")
            raise BoardError(next(note.message for note in board.adjustments if note.kind in skipped))
    except BobError as error:
        reason = str(error)
        for file in brought:
            reason = reason.replace(str(file.path), str(file.address))
        raise BoardError(f"what {plan.source} answers is refused and not kept: {reason}") from None
    return board


def _list(file: _Brought, place: str, moment: datetime, board: Board) -> Entry:
    return Entry(
        file=place,
        url=str(file.address),
        sha256=file.sha256,
        size=file.size,
        rows=board.models.height,
        retrieved=f"{moment:%Y-%m-%dT%H:%M:%SZ}",
        format=str(board.settings.source),
    )


def _ending(file: _Brought) -> str:
    """The address's ending where it says what the file is; else that of what it begins like."""
    found = _ENDING.search(urlsplit(file.address.url).path)
    if found is not None and found[0]:
        return found[0].lower()
    with file.path.open("rb") as stream:
        return _BEGINNINGS.get(stream.read(64).lstrip()[:1], ".csv")


def _file_name(address: Address) -> str:
    name = urlsplit(address.url).path.rpartition("/")[2]
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name).lstrip(".")[-100:] or "scores"


def _digest(address: Address) -> str:
    return hashlib.sha256(address.url.encode()).hexdigest()[:16]
