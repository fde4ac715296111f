"""The command ``bob``: exit code 0 done, 1 a check failed, 2 bad input or usage."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

from balance_of_benchmarks.cli.app import app
from balance_of_benchmarks.errors import BobError

__all__ = ["main"]


def main() -> None:
    """Run the command line; bad input is one line on stderr, never a traceback."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller (`>&-`)
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 - open as long as the process
        stream = getattr(sys, name)
        # A terminal or pipe of another encoding gets a question mark for what it has no letter for.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    except BobError as error:
        _leave(str(error))
    except OSError as error:
        _leave(f"cannot write: {error.strerror or error}")


def _leave(message: str) -> None:
    """End with one line, without flushing to an output that is full."""
    line = "".join(character if character.isprintable() else " " for character in message)
    print(f"bob: {line}", file=sys.stderr)  # noqa: T201
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(2)
