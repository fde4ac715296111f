"""HELM: the tables of its leaderboards, as its sites and `helm-summarize` have them by group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import polars as pl
from pydantic import BaseModel, ConfigDict

from balance_of_benchmarks.errors import BoardError
from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.headings import MODEL_NAMES, find_column, is_aggregate, is_fact
from balance_of_benchmarks.sources.reading import Choice, Format, Measure, Reading, tabulate_measures, validate

__all__ = ["FORMAT"]

_MAIN: Final = "accuracy"


class _Group(BaseModel):
    model_config = ConfigDict(strict=True)
    metric: str | None = None
    run_group: str | None = None


class _Heading(BaseModel):
    model_config = ConfigDict(strict=True)
    value: str
    lower_is_better: bool | None = None
    metadata: _Group = _Group()


class _Cell(BaseModel):
    model_config = ConfigDict(strict=True)
    value: float | str | None = None


class _Table(BaseModel):
    model_config = ConfigDict(strict=True)
    title: str
    header: list[_Heading]
    rows: list[list[_Cell]]


class _Tables(BaseModel):
    model_config = ConfigDict(strict=True)
    tables: list[_Table]


def _recognises(document: Document) -> bool:
    content = document.content
    first = content[0] if document.kind == "json" and isinstance(content, list) and content else None
    header = first.get("header") if isinstance(first, dict) and first.keys() >= {"title", "rows"} else None
    return isinstance(header, list) and bool(header) and isinstance(header[0], dict) and "value" in header[0]


def _read(document: Document, choice: Choice) -> Reading:  # noqa: ARG001 - every format's signature
    """Take the table of accuracies, else the first; the others say what else is known of the same runs."""
    tables = validate(_Tables, {"tables": document.content}, str(document.path), FORMAT.title).tables
    table = next((table for table in tables if table.title.casefold() == _MAIN), tables[0])
    model = find_column([heading.value for heading in table.header], (*MODEL_NAMES, "model/adapter"))
    if model is None:
        raise BoardError(f"{document.path} has no column of models in the table {table.title!r}: expected one")
    place = [heading.value for heading in table.header].index(model)
    if lost := next((row for row in table.rows if len(row) != len(table.header)), None):
        raise BoardError(f"{document.path} has a row of {len(lost)} values under {len(table.header)} headings")
    names = list(dict.fromkeys(str(row[place].value) for row in table.rows))
    measures = tabulate_measures(_measure(table, place))
    return Reading(
        measures=measures,
        models=pl.DataFrame({"key": names}, schema={"key": pl.String}),
        metrics=frozenset(measures["metric"].drop_nulls()),
    )


def _measure(table: _Table, place: int) -> Iterator[Measure]:
    for i, heading in enumerate(table.header):
        name, _, metric = heading.value.partition(" - ")
        benchmark = heading.metadata.run_group or name
        if i == place:
            continue
        aside = (
            "aggregates of others" if is_aggregate(name) else "facts on models, not scores" if is_fact(name) else None
        )
        for row in table.rows:
            value = row[i].value
            yield Measure(
                str(row[place].value),
                benchmark,
                value if isinstance(value, float | int) else None,
                metric=heading.metadata.metric or metric or None,
                aside=aside,
                higher_is_better=None if heading.lower_is_better is None else not heading.lower_is_better,
            )


FORMAT: Final = Format("helm_tables", "table of a HELM leaderboard", _recognises, _read)
