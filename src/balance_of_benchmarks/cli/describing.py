"""What ``bob describe`` does: write descriptions, look at them, strip them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.board.folder import is_board_folder
from balance_of_benchmarks.cli.boards import read_from
from balance_of_benchmarks.cli.chatting import ChatOptions, Prompt, open_chat, show_prompts
from balance_of_benchmarks.cli.options import BoardOptions
from balance_of_benchmarks.cli.output import Patience, show, tell, write_out
from balance_of_benchmarks.errors import BobError
from balance_of_benchmarks.geometry.wording import lint_descriptions
from balance_of_benchmarks.report.describe import report_lint, report_lint_table, report_stripped, report_written
from balance_of_benchmarks.report.report import Format
from balance_of_benchmarks.text.describing import RECORDS, MissingText, freeze_texts, plan_texts, write_texts
from balance_of_benchmarks.text.lineage import strip_lineage

__all__ = ["ChatOptions", "DescribeOptions", "describe"]


@dataclass(frozen=True, slots=True)
class DescribeOptions:
    """What ``bob describe`` was told."""

    lint: bool
    strip_lineage: bool
    encoders: Sequence[str]
    keys: Sequence[str] | None
    about: Sequence[str] | None
    paraphrase: bool
    chat: ChatOptions


def describe(options: BoardOptions, wanted: DescribeOptions, form: Format, top: int | None) -> int:
    """Do what was asked for; 1 when the linter found something or a text was not written, else 0."""
    if wanted.lint and wanted.strip_lineage:
        raise BobError("bob describe does one thing at a time: say --lint, or --strip-lineage, or neither to write")
    board = read_from(options)
    if wanted.strip_lineage:
        show(report_stripped(board, strip_lineage(board)), form, None)
        return 0
    if wanted.lint:
        check = lint_descriptions(board, encoders=wanted.encoders, min_observed=options.min_observed)
        show(report_lint(check), form, None)
        if form in ("table", "md"):
            write_out("\n")
            show(report_lint_table(check), form, top)
        return 1 if check.findings else 0
    plan = plan_texts(board, keys=wanted.keys, paraphrase=wanted.paraphrase, about=_read_about(wanted.about))
    return _write(board, Path(options.board), plan, wanted.chat, form)


def _write(board: Board, source: Path, plan: Sequence[MissingText], options: ChatOptions, form: Format) -> int:
    chat = open_chat(options)
    if options.dry_run or chat is None:
        show_prompts([Prompt(one.benchmark, one.column, one.prompt) for one in plan], f"Prompts - {board.name}", form)
        if not plan:
            tell("every benchmark asked for has its texts: nothing is to be written")
        elif not options.dry_run:
            tell("no language model is named: paste these, or give --chat-url and --chat-model")
        return 0
    with Patience("writing texts") as bar:
        written = write_texts(plan, chat, progress=bar.update)
    if written.texts and source.is_dir() and is_board_folder(source):
        freeze_texts(source, written.texts)
        tell(f"written to {source}: benchmarks.csv, and {RECORDS} with model, date and prompt of each")
    elif written.texts:
        tell("the board is no folder, so nothing is written: as --format csv these can be given to --benchmarks")
    show(report_written(board, written), form, None)
    return 1 if written.failed else 0


def _read_about(pairs: Sequence[str] | None) -> dict[str, str]:
    about = {}
    for pair in pairs or ():
        key, equals, file = pair.partition("=")
        if not equals or not file:
            raise BobError(f"--about is {pair!r}: expected a benchmark's key and a file, like aime=README.md")
        try:
            about[key] = Path(file).read_text(encoding="utf-8-sig")
        except OSError as error:
            raise BobError(f"the text on {key} cannot be read: {file}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise BobError(f"the text on {key} is no text in UTF-8: {file}") from None
    return about
