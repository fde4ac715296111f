"""From whatever was read to a board folder, without losing what a person wrote into one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import polars as pl

from balance_of_benchmarks.board.board import BENCHMARK_COLUMNS, MODEL_COLUMNS, Board
from balance_of_benchmarks.board.folder import is_board_folder, read_folder, render_folder, write_folder
from balance_of_benchmarks.board.settings import BoardSettings
from balance_of_benchmarks.board.tables import read_table
from balance_of_benchmarks.errors import BoardError
from balance_of_benchmarks.sources.read import complete_table
from balance_of_benchmarks.transport.files import find_file

__all__ = ["Imported", "import_folder", "select_listed"]


@dataclass(frozen=True, slots=True, eq=False)
class Imported:
    """What became of an import.

    Parameters
    ----------
    board : Board
        What the folder holds now.
    words : str
        What was done, for a person: "written to", "unchanged in".
    """

    board: Board
    words: str


def select_listed(board: Board, *, benchmarks: str | None = None, models: str | None = None) -> Board:
    """Keep the benchmarks and models that files list, in their order, with what the files say of them.

    Parameters
    ----------
    board : Board
    benchmarks, models : str, optional
        A file with one key a line, or a table with a column `key` and any other that a board has.

    Returns
    -------
    Board

    Raises
    ------
    BoardError
        For a key that is not on the board.
    """
    if benchmarks is not None:
        table = _read_listing(Path(benchmarks), "benchmark")
        board = board.select(benchmarks=table["key"].to_list())
        board = replace(board, benchmarks=complete_table(board.benchmarks, table, BENCHMARK_COLUMNS, "benchmarks"))
    if models is not None:
        table = _read_listing(Path(models), "model")
        board = board.select(models=table["key"].to_list())
        board = replace(board, models=complete_table(board.models, table, MODEL_COLUMNS, "models"))
    return board


def import_folder(
    board: Board,
    folder: Path,
    *,
    scores: Literal["csv", "parquet"] = "csv",
    update: bool = False,
    replace: bool = False,
) -> Imported:
    """Write a board to a folder; what is there already is left alone unless asked for.

    Parameters
    ----------
    board : Board
    folder : Path
    scores : {"csv", "parquet"}
    update : bool
        Where the folder holds another board: take the new scores, and keep what its `benchmarks.csv` and
        `board.toml` say, and of its `models.csv` what the new board does not know.
    replace : bool
        Where the folder holds another board: write over it.

    Returns
    -------
    Imported

    Raises
    ------
    BoardError
        When the folder holds another board and neither was asked for.
    """
    if update and replace:
        raise BoardError("update and replace were both asked for: expected one of them")
    if folder.is_dir() and is_board_folder(folder):
        there = read_folder(folder)
        if update:
            board = _keep_edits(board, there)
        if _holds(folder, render_folder(board, scores)):
            return Imported(there, "unchanged in")
        if not (update or replace):
            raise BoardError(
                f"{folder} holds another board already, {there!r}: --update takes the new scores and keeps what its "
                "tables say, --replace writes over it"
            )
    write_folder(board, folder, scores=scores)
    return Imported(board, "written to")


def _read_listing(path: Path, name: str) -> pl.DataFrame:
    try:
        table = read_table(path)
    except OSError as error:
        raise BoardError(f"{path} cannot be read: {error.strerror}; expected a file that lists {name}s") from error
    named = {column.strip().casefold(): column for column in table.columns}
    for called in ("key", name):
        if called in named:
            return table.rename({named[called]: "key"})
    if table.width > 1:
        raise BoardError(f"{path} has no column key: expected one, or nothing but a key a line")
    column = table.columns[0]
    return pl.DataFrame({"key": [column, *table[column].drop_nulls()]})


def _keep_edits(board: Board, there: Board) -> Board:
    known: Sequence[str] = [name for name in BoardSettings.model_fields if name != "retrieved"]
    stated = {name: value for name in known if (value := getattr(there.settings, name)) is not None}
    benchmarks = there.benchmarks.filter(pl.col("key").is_in(board.benchmarks["key"].implode()))
    models = there.models.filter(pl.col("key").is_in(board.models["key"].implode()))
    return replace(
        board,
        settings=board.settings.model_copy(update=stated),
        benchmarks=complete_table(board.benchmarks, benchmarks, BENCHMARK_COLUMNS, "benchmarks"),
        models=complete_table(models, board.models, MODEL_COLUMNS, "models"),
    )


def _holds(folder: Path, files: dict[str, bytes | None]) -> bool:
    def content(name: str) -> bytes | None:
        path = find_file(folder, name)
        return path.read_bytes() if path.is_file() else None

    return all(content(name) == wanted for name, wanted in files.items())
