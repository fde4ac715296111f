"""What commands print: answers on standard output, everything else beside them on standard error."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from balance_of_benchmarks.board.frames import shorten
from balance_of_benchmarks.board.settings import Adjustment
from balance_of_benchmarks.report.report import Format, Report, print_report, printable, write_report

__all__ = ["Patience", "list_adjustments", "show", "tell", "write_out"]

_PATIENCE: Final = 1.0  # seconds before a bar shows
_MOST_ALIKE: Final = 3  # adjustments of one kind told one by one


def show(report: Report, form: Format, top: int | None) -> None:
    """Write an answer in the form asked for; what a CSV has no place for is told beside it."""
    if form == "csv":
        for line in report.before:
            tell(line)
    if form == "table":
        width, terminal = Console().width, sys.stdout.isatty()
        page = io.StringIO()
        print_report(report, Console(file=page, highlight=False, width=width, force_terminal=terminal), top)
        text = page.getvalue()
    else:
        text = write_report(report, form)
    write_out(text)


def write_out(text: str) -> None:
    """Write to standard output at once, so that a reader who has enough of it ends nothing half-way."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has enough of it (`bob rank ... | head`); nothing is left to be flushed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def tell(message: str) -> None:
    """Say something beside the answer, on standard error."""
    print(f"bob: {printable(message)}", file=sys.stderr)  # noqa: T201


def list_adjustments(adjustments: Sequence[Adjustment]) -> None:
    """Tell what was adjusted; many of a kind in one line."""
    kinds = dict.fromkeys(adjustment.kind for adjustment in adjustments)
    for kind in kinds:
        alike = [adjustment for adjustment in adjustments if adjustment.kind == kind]
        for adjustment in alike if len(alike) <= _MOST_ALIKE else alike[:1]:
            tell(adjustment.message + (f" ({adjustment.fix})" if adjustment.fix else ""))
        if len(alike) > _MOST_ALIKE:
            others = [key for adjustment in alike[1:] for key in adjustment.where]
            tell(f"... and likewise {len(others)} more ({kind}): {shorten(others)}; --format json has them all")


class Patience:
    """A progress bar on stderr, where that is a terminal, that shows once something has taken a second."""

    def __init__(self, words: str) -> None:
        self.words, self.began, self.running = words, time.monotonic(), False
        self.bar: Progress | None = None

    def __enter__(self) -> Patience:
        self.began, self.running = time.monotonic(), True
        return self

    def update(self, done: int, total: int) -> None:
        """Say how far it is; nothing outside of the block."""
        if self.bar is None and self.running and time.monotonic() - self.began > _PATIENCE:
            console = Console(stderr=True)
            if not console.is_interactive:  # a file or a pipe would get an empty line of it
                self.running = False
                return
            columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
            self.bar = Progress(*columns, console=console, transient=True)
            self.bar.start()
            self.bar.add_task(self.words, total=total)
        if self.bar is not None and self.running:
            self.bar.update(self.bar.task_ids[0], completed=done)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.running = False
        if self.bar is not None:
            self.bar.stop()
