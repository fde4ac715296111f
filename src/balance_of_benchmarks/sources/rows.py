"""JSON and YAML as a table: rows in any of the shapes in which programs write one."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import polars as pl

from balance_of_benchmarks.board.settings import Adjustment
from balance_of_benchmarks.board.tables import MOST_COLUMNS
from balance_of_benchmarks.errors import BoardError
from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.headings import MODEL_NAMES, SCORE_NAMES, is_aggregate
from balance_of_benchmarks.sources.reading import note_unnamed

__all__ = ["find_rows", "lay_out_rows"]

# Within a row these only hold the scores together; what else holds some is part of their names.
_WRAPPERS: Final = ("scores", "results", "metrics", "benchmarks", "evaluations", "evals")
_WRAPPED: Final = (*_WRAPPERS, "leaderboard", "models", "data")
_MOST_LEVELS: Final = 4


def find_rows(document: Document) -> tuple[list[dict[str, Any]], tuple[Adjustment, ...]]:
    """Find the rows of a table in parsed JSON, JSON Lines or YAML.

    Parameters
    ----------
    document : Document

    Returns
    -------
    list of dict, tuple of Adjustment
        The rows, empty where it is no table: objects in a list, a line each, or in the only list there is; what pandas
        writes of a table by columns, by index or split; or an object for each model under its name, which is said.
        What is nested in a row is named by its path.
    """
    content = document.content
    if document.kind == "jsonl":
        content = list(document.rows()) if document.first_row() else None
    elif document.kind not in ("json", "yaml"):
        content = None
    if isinstance(content, dict):
        content = _unwrap(content)
        rows = _by_benchmark(content, document.stem)
        if rows:
            return rows, (note_unnamed(document, document.stem, "name the model: {model: {benchmark: score}}"),)
        for shape in (_by_split, _by_index, _by_columns, _by_only_list):
            rows = shape(content)
            if rows:
                break
        else:
            rows = _by_model(content)
            if rows:
                message = f"{document.name}: the names of its objects are taken for the models"
                return rows, (
                    Adjustment("model_column_assumed", (), message, "write a list of rows, each with a model"),
                )
        content = rows
    if not (isinstance(content, list) and content and all(isinstance(row, dict) and row for row in content)):
        return [], ()
    if all(isinstance(row.get("row"), dict) for row in content):
        content = [row["row"] for row in content]  # as data set viewers answer
    return [dict(_flatten(row)) for row in content], ()


def lay_out_rows(rows: Sequence[Mapping[str, Any]], place: str) -> pl.DataFrame:
    """Lay rows out as a table; numbers among texts become texts, which are read as those of a CSV file are.

    Parameters
    ----------
    rows : sequence of mapping
    place : str
        What to call them in errors.

    Returns
    -------
    polars.DataFrame
    """
    names = dict.fromkeys(name for row in rows for name in row)
    if len(names) > MOST_COLUMNS:
        raise BoardError(f"{place} has over {MOST_COLUMNS:,} columns: expected a long table of that many benchmarks")
    return pl.DataFrame([_make_column(name, [row.get(name) for row in rows], place) for name in names])


def _make_column(name: str, values: list[Any], place: str) -> pl.Series:
    kinds = {type(value) for value in values} - {type(None)}
    if kinds <= {bool}:
        return pl.Series(name, values, pl.Boolean if kinds else pl.Null)
    if kinds <= {int} and all(value is None or -(2**63) <= value < 2**63 for value in values):
        return pl.Series(name, values, pl.Int64)
    if kinds <= {int, float}:
        try:
            return pl.Series(name, [None if value is None else float(value) for value in values], pl.Float64)
        except OverflowError as error:
            row = next(row for row, value in enumerate(values) if type(value) is int and abs(value) > 10**300)
            raise BoardError(
                f"{place}: {name!r} has an integer of {int(math.log10(abs(values[row]))) + 1} digits in row {row + 1}: "
                "expected a number that a float can hold"
            ) from error
    texts = [value if value is None or isinstance(value, str) else json.dumps(value, default=str) for value in values]
    return pl.Series(name, texts, pl.String)


def _flatten(row: Mapping[Any, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name, value in row.items():
        here = path if str(name).casefold() in _WRAPPERS and isinstance(value, dict) else (*path, str(name))
        if isinstance(value, dict) and len(path) < _MOST_LEVELS:
            yield from _flatten(value, here)
        else:
            yield "/".join(here), value


def _is_score(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _names_models(name: object) -> bool:
    return str(name).strip().lower() in MODEL_NAMES


def _unwrap(content: Mapping[str, Any]) -> Mapping[str, Any]:
    """Take what is wrapped together with a date or a version and nothing else."""
    inner = [(name, value) for name, value in content.items() if isinstance(value, dict | list)]
    if len(inner) == 1 and str(inner[0][0]).casefold() in _WRAPPED and isinstance(inner[0][1], dict):
        return inner[0][1]
    return content


def _by_split(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    columns, data = content.get("columns"), content.get("data")
    if not (isinstance(columns, list) and isinstance(data, list) and all(isinstance(name, str) for name in columns)):
        return []
    if not all(isinstance(row, list) and len(row) == len(columns) for row in data):
        return []
    return [dict(zip(columns, row, strict=True)) for row in data]


def _by_index(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    columns = list(content.values())
    whole = len(columns) > 1 and all(isinstance(column, dict) for column in columns)
    if (
        not whole
        or not any(map(_names_models, content))
        or any(column.keys() != columns[0].keys() for column in columns)
    ):
        return []
    return [{name: column[index] for name, column in content.items()} for index in columns[0]]


def _by_columns(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    columns = list(content.values())
    whole = len(columns) > 1 and all(isinstance(column, list) for column in columns)
    if not whole or not any(map(_names_models, content)) or any(len(column) != len(columns[0]) for column in columns):
        return []
    if any(isinstance(value, dict | list) for column in columns for value in column):
        return []
    return [dict(zip(content, row, strict=True)) for row in zip(*columns, strict=True)]


def _by_only_list(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    lists = [value for value in content.values() if isinstance(value, list)]
    return lists[0] if len(lists) == 1 else []


def _by_benchmark(content: Mapping[str, Any], model: str) -> list[dict[str, Any]]:
    """Take an object for each benchmark of one model, one of them for all, where each has a metric's score."""
    inner = [value for value in content.values() if isinstance(value, dict) and value]
    if len(inner) < 3 or len(inner) < len(content) or not any(map(is_aggregate, content)):
        return []
    common = set.intersection(*(set(value) for value in inner))
    metric = next((name for name in SCORE_NAMES if name in common), None)
    if metric is None or not all(_is_score(number) for value in inner for number in value.values()):
        return []
    return [
        {"model": model, "benchmark": benchmark, "score": value[metric], "metric": metric}
        for benchmark, value in content.items()
        if not is_aggregate(benchmark)
    ]


def _by_model(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Take an object for each model, where all have scores and most have the same ones."""
    if not content or not all(isinstance(row, dict) and row for row in content.values()):
        return []
    rows = [{"model": str(model), **dict(_flatten(row))} for model, row in content.items()]
    if all(value is None or _is_score(value) for row in content.values() for value in row.values()):
        return rows
    scored = [{name for name, value in row.items() if _is_score(value)} for row in rows]
    common = max((sum(name in names for names in scored) for name in set().union(*scored)), default=0)
    return rows if len(rows) > 1 and all(scored) and 2 * common >= len(rows) else []
