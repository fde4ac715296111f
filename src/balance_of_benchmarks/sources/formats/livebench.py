"""LiveBench: the table of a release, the categories of its tasks, and what its questions cost."""

from __future__ import annotations

import re
from typing import Final

import polars as pl

from balance_of_benchmarks.board.settings import Adjustment
from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.reading import Choice, Format, Reading
from balance_of_benchmarks.sources.tables import read_frame

__all__ = ["FORMAT"]

# Of the tasks of its releases; a table with all of these is of no one else, and one without is read as any table.
_TASKS: Final = ("AMPS_Hard", "connections", "math_comp", "olympiad", "plot_unscrambling", "tablejoin", "typos")
_RELEASE: Final = re.compile(r"(\d{4})_(\d{2})_(\d{2})")
_TASK_NAME: Final = re.compile(r"[A-Za-z]\w{0,60}", re.ASCII)


def _recognises(document: Document) -> bool:
    if document.table is None:
        return _is_categories(document)
    return {"model", *_TASKS} <= set(document.table.columns) or _is_costs(document.table)


def _is_costs(table: pl.DataFrame) -> bool:
    """Tell a table that has beside each task how many questions were asked."""
    names = set(table.columns)
    return "model" in names and any(f"nq_{name}" in names for name in names)


def _is_categories(document: Document) -> bool:
    """Tell an object of lists of task names, each named once: other people's lists hold paths and sentences."""
    lists = list(document.mapping.values())
    if not lists or not all(isinstance(listed, list) and listed for listed in lists):
        return False
    tasks = [task for listed in lists for task in listed]
    named = all(isinstance(task, str) and _TASK_NAME.fullmatch(task) for task in tasks)
    return named and len(set(tasks)) == len(tasks) and all(name.strip() for name in document.mapping)


def _read(document: Document, choice: Choice) -> Reading:  # noqa: ARG001 - every format's signature
    """Take every task; their average over a category, which LiveBench shows, is in no file."""
    if document.table is None:
        categories = {task: category for category, tasks in document.mapping.items() for task in tasks}
        return Reading(benchmarks=pl.DataFrame({"key": list(categories), "category": list(categories.values())}))
    if _is_costs(document.table):
        message = (
            f"{document.name} says what questions cost and has no scores: they are in the file table_*.csv beside it"
        )
        return Reading(adjustments=(Adjustment("file_skipped", (document.name,), message),))
    release = _RELEASE.search(document.path.name)
    date = "-".join(release.groups()) if release else None
    reading = read_frame(document.table, str(document.path))
    declared = {"lower": 0.0, "upper": 100.0, "date": date}
    return Reading(
        measures=reading.measures.with_columns(pl.lit(value).alias(name) for name, value in declared.items()),
        models=reading.models,
        benchmarks=reading.benchmarks,
        attribution="LiveBench, https://livebench.ai/",
        date=date,
    )


FORMAT: Final = Format("livebench", "tables of LiveBench", _recognises, _read)
