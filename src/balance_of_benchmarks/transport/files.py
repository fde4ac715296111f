"""Files that are whole or not there, one by one or several at once."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

__all__ = ["find_file", "write_atomically", "write_together"]

# Where files wait that belong together: in `_WAITING` until all are there, in `_READY` until each is in its place.
_WAITING: Final = ".waiting"
_READY: Final = ".ready"


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that a reader, or a crash, sees the old content or the new and nothing between.

    Parameters
    ----------
    path : Path
        In a folder that exists.
    content : bytes
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files only their owner can read; a board is shared like any other file.
        umask = os.umask(0)
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_together(folder: Path, files: Mapping[str, bytes | None]) -> None:
    """Write several files of a folder so that a reader, or a crash, sees all old ones or all new ones.

    Files that hold the content already are not touched. Readers go through `find_file`.

    Parameters
    ----------
    folder : Path
        It exists.
    files : mapping of str to bytes or None
        Content by name; None to take the file away.
    """
    _settle(folder)
    changed = {name: content for name, content in files.items() if _content(folder / name) != content}
    if not changed:
        return
    waiting = folder / _WAITING
    shutil.rmtree(waiting, ignore_errors=True)
    waiting.mkdir()
    for name, content in changed.items():
        # An empty file stands for one to take away; a table or a TOML file of ours is never empty.
        write_atomically(waiting / name, content or b"")
    waiting.rename(folder / _READY)  # from here on it has happened
    _settle(folder)


def find_file(folder: Path, name: str) -> Path:
    """Where to read a file that `write_together` writes: its place, unless a newer one waits to be put there.

    Parameters
    ----------
    folder : Path
    name : str

    Returns
    -------
    Path
        It need not exist.
    """
    ready = folder / _READY / name
    if not ready.is_file():
        return folder / name
    return ready if ready.stat().st_size else ready.with_name(f"{name} is taken away")


def _settle(folder: Path) -> None:
    """Put every file that is ready into its place."""
    ready = folder / _READY
    if not ready.is_dir():
        return
    for path in sorted(ready.iterdir()):
        if path.stat().st_size:
            path.replace(folder / path.name)
        else:
            # The old file first: should this end in between, the mark is still there.
            (folder / path.name).unlink(missing_ok=True)
            path.unlink()
    ready.rmdir()


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
