"""One process at a time: a lock that goes with its process, however that ends, so that no stale one is ever left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

__all__ = ["LockedError", "hold_lock"]

_POLL: Final = 0.1  # seconds between looks whether it is free


class LockedError(Exception):
    """Another process held on to a lock for longer than one was ready to wait."""


@contextmanager
def hold_lock(path: Path, patience: float, waits: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold a lock while the block runs.

    Parameters
    ----------
    path : Path
        A file of no other use, in a folder that exists; it stays.
    patience : float
        Seconds to wait for whoever holds it.
    waits : callable
        Called once where it has to wait.

    Raises
    ------
    LockedError
        When they are over.
    """
    with path.open("ab") as lock:
        ends = time.monotonic() + patience
        if not _seize(lock):
            waits()
            while not _seize(lock):
                if time.monotonic() > ends:
                    raise LockedError
                time.sleep(_POLL)
        yield


if sys.platform == "win32":
    import msvcrt

    def _seize(lock: BinaryIO) -> bool:
        try:
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _seize(lock: BinaryIO) -> bool:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
