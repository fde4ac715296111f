"""A board cut to the paper's benchmarks, under given texts."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.errors import BobError
from balance_of_benchmarks.paper.protocol import BENCHMARKS
from balance_of_benchmarks.paper.texts import PaperTexts
from balance_of_benchmarks.text.vectors import VectorFile

__all__ = ["describe_as", "dress_board", "keep_encoded"]


def dress_board(board: Board, texts: PaperTexts) -> Board:
    """The paper's benchmarks of a board, under the given texts."""
    known = set(board.benchmarks["key"])
    if missing := [key for key in BENCHMARKS if key not in known]:
        raise BobError(
            f"{board.name} lacks {len(missing)} of the paper's fourteen benchmarks: {', '.join(missing)}; "
            "`bob evaluate` takes any board"
        )
    if untold := [key for key in BENCHMARKS if key not in texts.descriptions]:
        raise BobError(f"{texts.source} lack {', '.join(untold)}: expected a description of each of the fourteen")
    board = board.select(benchmarks=[key for key in board.benchmarks["key"] if key in BENCHMARKS])
    return describe_as(board, texts.descriptions)


def keep_encoded(texts: PaperTexts, vectors: VectorFile) -> PaperTexts:
    """What of the paraphrases and tasks a file of vectors knows."""
    known = vectors.named
    return replace(
        texts,
        paraphrases={key: text for key, text in texts.paraphrases.items() if text in known},
        tasks={name: task for name, task in texts.tasks.items() if task.query in known and task.canonical in known},
    )


def describe_as(board: Board, texts: dict[str, str]) -> Board:
    """The board under other descriptions, one for each benchmark's key."""
    column = pl.Series("description", [texts[key] for key in board.benchmarks["key"]], dtype=pl.String)
    return replace(board, benchmarks=board.benchmarks.with_columns(column))
