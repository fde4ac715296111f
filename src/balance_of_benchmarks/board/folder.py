"""A board as a folder a person can edit and git can show the changes of."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Final, Literal

import polars as pl
from pydantic import BaseModel, ConfigDict, ValidationError

from balance_of_benchmarks.board.board import BENCHMARK_COLUMNS, CELL_COLUMNS, MODEL_COLUMNS, Board
from balance_of_benchmarks.board.frames import conform
from balance_of_benchmarks.board.settings import Adjustment, BoardSettings, SourceFile
from balance_of_benchmarks.board.tables import COLUMN_TYPES, TIME_FORMAT, ColumnType, read_table, read_typed
from balance_of_benchmarks.errors import BoardError
from balance_of_benchmarks.transport.files import find_file, write_together

__all__ = ["is_board_folder", "read_folder", "render_folder", "write_folder"]

_VERSION: Final = 1
_SCORES: Final = ("scores.parquet", "scores.csv")
_MOST_HEADER: Final = 1 << 20
_SOURCES: Final[dict[str, pl.DataType]] = {
    "file": pl.String(),
    "format": pl.String(),
    "sha256": pl.String(),
    "size": pl.Int64(),
    "date": pl.String(),
}


def is_board_folder(path: Path) -> bool:
    """Tell whether a folder is a board's: it has a `board.toml`, or a long table of scores in the place for one."""
    if find_file(path, "board.toml").is_file() or find_file(path, "scores.parquet").is_file():
        return True
    scores = find_file(path, "scores.csv")
    if not scores.is_file():
        return False
    with scores.open("rb") as file:
        header = file.readline(_MOST_HEADER).decode("utf-8-sig", "replace").casefold()
    return {"model", "benchmark", "score"} <= {name.strip(' "\r\n') for name in re.split(r"[,;\t]", header)}


def write_folder(board: Board, path: str | Path, *, scores: Literal["csv", "parquet"] = "csv") -> Path:
    """Write a board as `board.toml`, `scores.csv` or `.parquet`, `benchmarks.csv`, `models.csv` and `sources.csv`.

    Reading it back gives the same board to the bit, and writing that the same files. Whoever reads the folder
    while it is written, or after that was cut short, finds the old board or the new one, never some of each.

    Parameters
    ----------
    board : Board
    path : str or Path
        Folder; made where missing. Files of a board in it are replaced, others left alone.
    scores : {"csv", "parquet"}
        Parquet for boards of millions of scores.

    Returns
    -------
    Path
    """
    folder = Path(path)
    if folder.exists() and not folder.is_dir():
        raise BoardError(f"{folder} is a file: expected a folder to write a board into")
    files = render_folder(board, scores)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_together(folder, files)
    except OSError as error:
        raise BoardError(f"{folder} cannot be written: {error.strerror}; expected a folder to write into") from error
    return folder


def render_folder(board: Board, scores: Literal["csv", "parquet"] = "csv") -> dict[str, bytes | None]:
    """Lay a board out as the files of its folder; see `write_folder`.

    Returns
    -------
    dict of str to bytes or None
        Content by name; None for a file that is not to be there.
    """
    tables = {"scores": board.cells, "benchmarks": board.benchmarks, "models": board.models}
    files: dict[str, bytes | None] = {"board.toml": _as_toml(board, tables).encode()}
    for name, table in tables.items():
        files[f"{name}.csv"] = table.with_columns(pl.col(pl.Datetime).dt.strftime(TIME_FORMAT)).write_csv().encode()
    files["scores.parquet"] = None
    if scores == "parquet":
        buffer = BytesIO()
        board.cells.write_parquet(buffer)
        files |= {"scores.csv": None, "scores.parquet": buffer.getvalue()}
    files["sources.csv"] = pl.DataFrame(board.sources, schema=_SOURCES).write_csv().encode() if board.sources else None
    return files


def read_folder(path: str | Path) -> Board:
    """Read a board folder, one that `write_folder` made or one made by hand.

    Parameters
    ----------
    path : str or Path
        Needs only `scores.csv` (or `.parquet`) with the columns model, benchmark, score; the other files add to
        it. Types that `board.toml` does not state are found from the values.

    Returns
    -------
    Board

    Raises
    ------
    BoardError
        Naming the file, and the row and value where there is one.
    """
    folder = Path(path)
    stated = _read_toml(find_file(folder, "board.toml"))
    scores = next((found for name in _SCORES if (found := find_file(folder, name)).is_file()), None)
    if scores is None:
        raise BoardError(f"{folder} has no scores.csv and no scores.parquet: expected one with model, benchmark, score")
    settings = (
        stated.board
        if "name" in stated.board.model_fields_set
        else stated.board.model_copy(update={"name": folder.resolve().name})
    )
    return Board(
        cells=read_typed(scores, CELL_COLUMNS, stated.types.scores, expected="model"),
        models=_read_optional(folder, "models.csv", MODEL_COLUMNS, stated.types.models),
        benchmarks=_read_optional(folder, "benchmarks.csv", BENCHMARK_COLUMNS, stated.types.benchmarks),
        settings=settings,
        adjustments=tuple(Adjustment(a.kind, tuple(a.where), a.message, a.fix) for a in stated.adjustments),
        sources=_read_sources(find_file(folder, "sources.csv")),
    )


def _read_optional(
    folder: Path, name: str, standard: Mapping[str, pl.DataType], types: Mapping[str, str]
) -> pl.DataFrame:
    path = find_file(folder, name)
    return read_typed(path, standard, types, expected="key") if path.is_file() else pl.DataFrame()


def _read_sources(path: Path) -> tuple[SourceFile, ...]:
    if not path.is_file():
        return ()
    table = conform(read_table(path, expected="file"), _SOURCES, path.name, keys=("file", "format", "sha256", "size"))
    return tuple(SourceFile(**row) for row in table.select(list(_SOURCES)).iter_rows(named=True))


class _Types(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    scores: dict[str, ColumnType] = {}
    models: dict[str, ColumnType] = {}
    benchmarks: dict[str, ColumnType] = {}


class _Adjustment(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    kind: str
    where: list[str]
    message: str
    fix: str | None = None


class _BoardToml(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    version: Literal[1] = _VERSION
    board: BoardSettings = BoardSettings()
    types: _Types = _Types()
    adjustments: list[_Adjustment] = []


def _read_toml(path: Path) -> _BoardToml:
    try:
        return _BoardToml.model_validate(tomllib.loads(path.read_text(encoding="utf-8-sig")) if path.is_file() else {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BoardError(f"{path} is not TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise BoardError(f"{path} has {place} = {first['input']!r}: {first['msg']}") from error


def _as_toml(board: Board, tables: dict[str, pl.DataFrame]) -> str:
    lines = [f"version = {_VERSION}", "", "[board]"]
    lines += [f"{name} = {_toml_value(value)}" for name, value in board.settings.model_dump(exclude_none=True).items()]
    standard = {"scores": CELL_COLUMNS, "benchmarks": BENCHMARK_COLUMNS, "models": MODEL_COLUMNS}
    names = {dtype: kind for kind, dtype in COLUMN_TYPES.items()}
    for name, table in tables.items():
        others = [column for column in table.columns if column not in standard[name]]
        if others:
            lines += ["", f"[types.{name}]"]
            lines += [f"{_toml_value(column)} = {_toml_value(names[table[column].dtype])}" for column in others]
    for adjustment in board.adjustments:
        lines += ["", "[[adjustments]]", f"kind = {_toml_value(adjustment.kind)}"]
        lines += [f"where = [{', '.join(map(_toml_value, adjustment.where))}]"]
        lines += [f"message = {_toml_value(adjustment.message)}"]
        lines += [f"fix = {_toml_value(adjustment.fix)}"] if adjustment.fix is not None else []
    return "\n".join(lines) + "\n"


def _toml_value(value: str | bool) -> str:
    # A JSON string is a TOML basic string but for DEL, which TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
