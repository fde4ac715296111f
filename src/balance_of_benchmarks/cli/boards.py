"""What the commands on boards themselves do: read, check, import."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.board.checks.check import check_board
from balance_of_benchmarks.cli.options import BoardOptions
from balance_of_benchmarks.cli.output import Patience, list_adjustments, show, tell, write_out
from balance_of_benchmarks.errors import BoardError
from balance_of_benchmarks.report.check import annotate_findings, report_check, report_coverage
from balance_of_benchmarks.sources.importing import import_folder, select_listed
from balance_of_benchmarks.sources.read import read_board

__all__ = ["CheckFormat", "check", "import_board", "read_from"]

CheckFormat = Literal["table", "json", "csv", "md", "github"]


def check(options: BoardOptions, form: CheckFormat) -> int:
    """Show what was found on a board; 1 when there is something, else 0."""
    found = check_board(read_from(options), min_observed=options.min_observed)
    if form == "github":
        write_out("".join(f"{line}\n" for line in annotate_findings(found)))
    else:
        show(report_check(found), form, None)
        if form in ("table", "md"):
            write_out("\n")
            show(report_coverage(found), form, None)
    return 1 if found.findings else 0


def import_board(
    paths: Sequence[str],
    benchmarks: str | None,
    models: str | None,
    metric: Sequence[str] | None,
    also: Sequence[str] | None,
    *,
    name: str | None,
    parquet: bool,
    update: bool,
    replace: bool,
) -> None:
    """Write a board folder."""
    if len(paths) < 2:
        raise BoardError(f"only {paths[0]!r} is given: expected what to import and then the folder to write")
    *sources, folder = paths
    with Patience("reading files") as bar:
        board = read_board(sources, metric=metric, also=also or (), name=name, progress=bar.update)
    board = select_listed(board, benchmarks=benchmarks, models=models)
    done = import_folder(board, Path(folder), scores="parquet" if parquet else "csv", update=update, replace=replace)
    list_adjustments(board.adjustments)
    for form in dict.fromkeys(file.format for file in board.sources):
        count = sum(file.format == form for file in board.sources)
        tell(f"{count} {'file' if count == 1 else 'files'} read as {form}")
    write_out(f"{done.board!r}\n{done.words} {folder}\n")


def read_from(options: BoardOptions) -> Board:
    """Read the board that options name, with a bar where that takes a while."""
    with Patience("reading files") as bar:
        return read_board(
            options.board,
            benchmarks=options.benchmarks,
            models=options.models,
            metric=options.metric,
            also=options.also or (),
            progress=bar.update,
        )
