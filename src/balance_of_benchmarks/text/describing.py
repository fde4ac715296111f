"""Descriptions and paraphrases for benchmarks without one: planned, written by a model, frozen into a folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

import polars as pl

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.board.folder import read_folder, render_folder
from balance_of_benchmarks.errors import BoardError, ChatError, name_unknown
from balance_of_benchmarks.text.chat import ChatModel, RefusedError
from balance_of_benchmarks.text.prompts import prompt_description, prompt_paraphrase
from balance_of_benchmarks.transport.files import find_file, write_together

__all__ = ["RECORDS", "MissingText", "Written", "WrittenText", "freeze_texts", "plan_texts", "write_texts"]

RECORDS: Final = "descriptions.jsonl"
"""The file of a board's folder that says of each text who wrote it, when, and to what prompt."""

Column = Literal["description", "paraphrase"]


@dataclass(frozen=True, slots=True)
class MissingText:
    """A text that a benchmark lacks.

    Parameters
    ----------
    benchmark : str
        Its key.
    column : {"description", "paraphrase"}
    prompt : str or None
        What to ask a model; None for the paraphrase of a description that is itself to be written first.
    """

    benchmark: str
    column: Column
    prompt: str | None


@dataclass(frozen=True, slots=True)
class WrittenText:
    """A text that a model wrote, with all it takes to account for it.

    Parameters
    ----------
    benchmark : str
    column : {"description", "paraphrase"}
    text : str
    model : str
        As the service calls what answered.
    asked : str
        When, ISO 8601.
    prompt : str
    digest : str
        SHA-256 of the request.
    """

    benchmark: str
    column: Column
    text: str
    model: str
    asked: str
    prompt: str
    digest: str


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a plan.

    Parameters
    ----------
    texts : tuple of WrittenText
    recalled : int
        How many of them were kept from before, so that nobody was asked.
    failed : tuple of (MissingText, str)
        What a model would not write, and why.
    """

    texts: tuple[WrittenText, ...]
    recalled: int
    failed: tuple[tuple[MissingText, str], ...]


def plan_texts(
    board: Board,
    *,
    keys: Sequence[str] | None = None,
    paraphrase: bool = True,
    about: Mapping[str, str] | None = None,
) -> tuple[MissingText, ...]:
    """List the texts that benchmarks lack, with the prompts that ask for them.

    Parameters
    ----------
    board : Board
    keys : sequence of str, optional
        Of these benchmarks only.
    paraphrase : bool
        Whether paraphrases are wanted too.
    about : mapping of str to str, optional
        A README, or other text on a benchmark, by key.

    Returns
    -------
    tuple of MissingText

    Raises
    ------
    BoardError
        For a key that is not on the board.
    """
    known, about = board.benchmarks["key"].to_list(), about or {}
    for key in (*(keys or ()), *about):
        if key not in known:
            raise BoardError(name_unknown("the board's benchmarks", key, known))
    plan: list[MissingText] = []
    for row in board.benchmarks.iter_rows(named=True):
        if keys is not None and row["key"] not in keys:
            continue
        description = (row["description"] or "").strip()
        if not description:
            plan.append(MissingText(row["key"], "description", prompt_description(row, about.get(row["key"]))))
        if paraphrase and not (row["paraphrase"] or "").strip():
            plan.append(MissingText(row["key"], "paraphrase", prompt_paraphrase(description) if description else None))
    return tuple(plan)


def write_texts(
    plan: Sequence[MissingText], chat: ChatModel, *, progress: Callable[[int, int], None] | None = None
) -> Written:
    """Let a model write the texts of a plan.

    Parameters
    ----------
    plan : sequence of MissingText
        A benchmark's description before its paraphrase.
    chat : ChatModel
    progress : callable, optional
        Called with texts done and texts in all.

    Returns
    -------
    Written

    Raises
    ------
    ChatError
        When the service cannot be asked. What it has answered so far is kept, and not asked for again.
    """
    texts: list[WrittenText] = []
    failed: list[tuple[MissingText, str]] = []
    recalled, descriptions = 0, dict[str, str]()
    for done, missing in enumerate(plan):
        if progress is not None:
            progress(done, len(plan))
        written = descriptions.get(missing.benchmark)
        prompt = missing.prompt or (prompt_paraphrase(written) if written else None)
        if prompt is None:
            failed.append((missing, "its description was not written"))
            continue
        try:
            reply = chat.ask(prompt)
        except RefusedError as error:
            failed.append((missing, str(error)))
            continue
        recalled += reply.recalled
        if missing.column == "description":
            descriptions[missing.benchmark] = reply.text
        texts.append(
            WrittenText(missing.benchmark, missing.column, reply.text, reply.model, reply.asked, prompt, reply.digest)
        )
    if progress is not None:
        progress(len(plan), len(plan))
    return Written(tuple(texts), recalled, tuple(failed))


def freeze_texts(folder: Path, texts: Sequence[WrittenText]) -> None:
    """Put texts into a board's folder: into ``benchmarks.csv``, and how they came about into ``descriptions.jsonl``.

    Both files are there afterwards or neither is; other files of the folder are left alone. A text that is there
    already is never replaced.

    Parameters
    ----------
    folder : Path
    texts : sequence of WrittenText

    Raises
    ------
    BoardError
    """
    board = read_folder(folder)
    table, news = board.benchmarks, list[WrittenText]()
    for text in texts:
        place = pl.col("key") == text.benchmark
        there = (pl.col(text.column).is_not_null() & (pl.col(text.column).str.strip_chars() != "")).fill_null(
            value=False
        )
        if table.filter(place & ~there).height:
            table = table.with_columns(pl.when(place).then(pl.lit(text.text)).otherwise(text.column).alias(text.column))
            news.append(text)
    path = find_file(folder, RECORDS)
    before = path.read_bytes() if path.is_file() else b""
    if before and not before.endswith(b"\n"):
        raise BoardError(
            f"{path} does not end in a line break, so that it was cut short: mend its last line, or move it"
        )
    lines = "".join(json.dumps(asdict(text), ensure_ascii=False) + "\n" for text in news)
    described = render_folder(Board(board.cells, board.models, table, board.settings))["benchmarks.csv"]
    try:
        write_together(folder, {"benchmarks.csv": described, RECORDS: before + lines.encode()} if news else {})
    except OSError as error:
        raise ChatError(f"{folder} cannot be written: {error.strerror}; the answers are kept, so ask again") from None
