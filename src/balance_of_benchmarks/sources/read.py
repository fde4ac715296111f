"""The one way in: whatever holds scores becomes a Board."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import polars as pl

from balance_of_benchmarks.board.board import BENCHMARK_COLUMNS, MODEL_COLUMNS, Board
from balance_of_benchmarks.board.folder import is_board_folder, read_folder
from balance_of_benchmarks.board.frames import conform, normalize_names, shorten, to_polars
from balance_of_benchmarks.board.settings import Adjustment, SourceFile
from balance_of_benchmarks.board.tables import read_typed
from balance_of_benchmarks.errors import BoardError, BobError
from balance_of_benchmarks.sources.demo import make_demo_board
from balance_of_benchmarks.sources.document import DamagedFileError, Document, open_document
from balance_of_benchmarks.sources.merge import merge_readings
from balance_of_benchmarks.sources.reading import Choice, Format, Reading
from balance_of_benchmarks.sources.registry import find_format
from balance_of_benchmarks.sources.tables import FORMAT as TABLE
from balance_of_benchmarks.sources.tables import read_frame

__all__ = ["complete_table", "read_board"]

# A clone of the largest public collection of results has some two hundred thousand files.
_MOST_FILES: Final = 1_000_000

Progress = Callable[[int, int], None] | None


def read_board(
    source: Any,
    *,
    benchmarks: Any = None,
    models: Any = None,
    metric: str | Sequence[str] | None = None,
    also: Sequence[str] = (),
    name: str | None = None,
    progress: Progress = None,
) -> Board:
    """Read a leaderboard, keeping every model and benchmark it has.

    Parameters
    ----------
    source : str, Path, data frame, or sequence of str or Path
        ``"demo"`` for the bundled simulated board; a board folder; a file of any format listed in docs/sources,
        packed by gzip or not; a folder of such files, or several, which make one board; or a pandas, polars or
        Arrow table, long or wide. What a file is, its content decides.
    benchmarks, models : str, Path or data frame, optional
        Tables with a column `key` (or `benchmark`, `model`) and any of `BENCHMARK_COLUMNS`, `MODEL_COLUMNS`, which
        complete what the source says: where both know a value theirs wins.
    metric : str or sequence of str, optional
        Metrics to take instead of those the formats prefer: ``"acc"`` for every benchmark that has it,
        ``"arc_challenge=acc"`` for one.
    also : sequence of str
        Keys of benchmarks to take that a format leaves aside: parts of another, aggregates of others.
    name : str, optional
        What to call the board; by default what its source does.
    progress : callable, optional
        Called with files read and files in all.

    Returns
    -------
    Board
        `board.sources` names each file and the format it was taken for.

    Raises
    ------
    BoardError
        Saying what was got, where, what was expected and what to try.

    Examples
    --------
    >>> read_board("demo")
    Board('demo (simulated)': 605 models, 14 benchmarks, 5441 scores)
    """
    choice = Choice(_as_texts(metric, "metric"), _as_texts(also, "also"))
    try:
        board = _read(source, choice, progress)
        if name is not None:
            board = replace(board, settings=board.settings.model_copy(update={"name": name}))
        if benchmarks is not None:
            table = complete_table(board.benchmarks, benchmarks, BENCHMARK_COLUMNS, "benchmarks")
            board = replace(board, benchmarks=table)
        if models is not None:
            board = replace(board, models=complete_table(board.models, models, MODEL_COLUMNS, "models"))
    except BobError:
        raise
    except (OSError, ValueError) as error:  # a path with a zero byte is a ValueError
        what, why = getattr(error, "filename", None) or source, getattr(error, "strerror", None) or error
        raise BoardError(f"{what} cannot be read: {why}; expected a board folder, a file of scores, or demo") from error
    return board


def complete_table(known: pl.DataFrame, given: Any, columns: dict[str, pl.DataType], name: str) -> pl.DataFrame:
    """Lay what was given over what the source knows, by key.

    Parameters
    ----------
    known : polars.DataFrame
    given : str, Path or data frame
        A file or table with a column `key`, or with what `name` names: benchmark, model.
    columns : dict of str to polars type
    name : str
        "benchmarks" or "models".

    Returns
    -------
    polars.DataFrame
    """
    table = to_polars(read_typed(Path(given), columns) if isinstance(given, str | Path) else given)
    alias = name.removesuffix("s")
    table = normalize_names(table, [*columns, alias])
    if "key" not in table.columns and alias in table.columns:
        table = table.rename({alias: "key"})
    over = conform(table, columns, name, keys=("key",))
    over = over.drop([column for column in over.columns if column != "key" and over[column].is_null().all()])
    if over["key"].is_duplicated().any():
        raise BoardError(f"{name} lists {over.filter(pl.col('key').is_duplicated())['key'][0]!r} more than once")
    merged = known.join(over, on="key", how="left", suffix="_given", maintain_order="left")
    shared = [column for column in over.columns if f"{column}_given" in merged.columns]
    merged = merged.with_columns(pl.coalesce(f"{column}_given", column).alias(column) for column in shared)
    new = over.join(known, on="key", how="anti", maintain_order="left")
    return pl.concat([merged.drop([f"{column}_given" for column in shared]), new], how="diagonal_relaxed")


def _as_texts(values: str | Sequence[str] | None, name: str) -> tuple[str, ...]:
    listed = (values,) if isinstance(values, str) else tuple(values or ())
    for value in listed:
        if not isinstance(value, str) or not value.strip():
            raise BoardError(f"{name} has {value!r}: expected names")
    return listed


def _read(source: Any, choice: Choice, progress: Progress) -> Board:
    if isinstance(source, Board):
        return source
    if isinstance(source, list | tuple) and all(isinstance(path, str | Path) for path in source):
        if len(source) == 1:
            return _read(source[0], choice, progress)
        return _read_files([file for path in source for file in _list_files(Path(path))], "board", choice, progress)
    if not isinstance(source, str | Path):
        return merge_readings([read_frame(source, "the table")], choice, name="board", source="data frame")
    if str(source) == "demo":
        return make_demo_board().board
    path = Path(source)
    if path.is_dir():
        if is_board_folder(path):
            return read_folder(path)
        return _read_files(list(_list_files(path)), path.resolve().name, choice, progress)
    return _read_files([(path, path.name)], None, choice, progress)


def _list_files(path: Path) -> Iterator[tuple[Path, str]]:
    """List a folder's files with their names in it, in one order everywhere; a file is itself."""
    if not path.is_dir():
        yield path, path.name
        return
    count = 0
    for parent, folders, files in os.walk(path):
        # Other people's caches and repositories are no results, but for the one folder that is named so.
        folders[:] = sorted(name for name in folders if not name.startswith(".") or name == ".eval_results")
        for name in sorted(files):
            file = Path(parent, name)
            if name.startswith(".") or not file.is_file():
                continue
            count += 1
            if count > _MOST_FILES:
                raise BoardError(f"{path} holds more than {_MOST_FILES:,} files: expected a folder of results")
            yield file, file.relative_to(path).as_posix()


def _read_files(files: Sequence[tuple[Path, str]], name: str | None, choice: Choice, progress: Progress) -> Board:
    readings: list[Reading] = []
    sources: list[SourceFile] = []
    refused: list[tuple[str, str]] = []
    damaged: list[tuple[str, str]] = []
    encoded: list[tuple[str, str]] = []
    for count, (path, shown) in enumerate(files):
        alone = len(files) == 1
        if progress is not None:
            progress(count, len(files))
        try:
            document = open_document(path, shown)
            form = _require_format(document, alone=alone)
        except BoardError as error:
            # In a folder lie read-me files, scripts and pictures; what is of a known format must be sound.
            if alone or name is None:
                raise
            (damaged if isinstance(error, DamagedFileError) else refused).append((shown, str(error)))
            continue
        reading = form.read(document, choice)
        if document.encoding:
            encoded.append((shown, document.encoding))
        readings.append(reading)
        sources.append(SourceFile(shown, form.name, document.sha256, document.size, reading.date))
        name = name or document.stem
    notes = [*_note_skipped("file_skipped", "hold no scores", refused)]
    notes += _note_skipped("file_damaged", "are not whole", damaged)
    notes += [
        Adjustment("encoding_assumed", (shown,), f"{shown} is not in UTF-8: taken for {encoding}", "save it as UTF-8")
        for shown, encoding in encoded
    ]
    if not any(reading.measures.height for reading in readings):
        raise BoardError(_explain_nothing(files, sources, readings, [*damaged, *refused]))
    board = merge_readings(readings, choice, name=name or "board", sources=sources, adjustments=notes)
    if not board.cells.height:
        raise BoardError(f"no scores in {shorten([file.file for file in sources])}: {board.adjustments[0].message}")
    return board


def _require_format(document: Document, *, alone: bool) -> Format:
    form = find_format(document)
    if form is None:
        raise BoardError(
            f"{document.path} is {_WORDS[document.kind]} of no known format: expected a table of scores, or results of "
            "one of the tools and leaderboards in docs/sources"
        )
    if form is TABLE and not alone:
        TABLE.read(document, Choice())  # in a folder a table that is none of scores is skipped, not an error
    return form


_WORDS: Final = {
    "json": "JSON",
    "jsonl": "JSON Lines",
    "yaml": "a text or YAML",
    "front_matter": "a text with front matter",
    "table": "a table",
    "tables": "a text with several tables",
    "zip": "a zip file",
}


def _note_skipped(kind: str, what: str, files: Sequence[tuple[str, str]]) -> Iterator[Adjustment]:
    if files:
        names = [shown for shown, _ in files]
        message = f"{len(files)} files {what} and are skipped: {shorten(names)}; the first: {files[0][1]}"
        yield Adjustment(kind, tuple(names), message, "make them whole" if kind == "file_damaged" else None)


def _explain_nothing(
    files: Sequence[tuple[Path, str]],
    sources: Sequence[SourceFile],
    readings: Sequence[Reading],
    refused: Sequence[tuple[str, str]],
) -> str:
    """Say why there is no score in all that was given."""
    if not files:
        return "the folder holds no files: expected a board folder, or files of scores"
    said = [note.message for reading in readings for note in reading.adjustments]
    if said:
        return f"no scores in {shorten([file.file for file in sources])}: {said[0]}"
    if sources:
        found = shorten([f"{file.file} ({file.format})" for file in sources])
        return f"{found} adds to scores and has none of its own: give it together with the scores, or their folder"
    return f"no scores in {shorten([shown for shown, _ in refused])}: {refused[0][1]}"
