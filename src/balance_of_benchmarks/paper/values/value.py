"""What stands at a place of the paper when it is redone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from balance_of_benchmarks.paper.published import Place

__all__ = ["Missing", "Value", "Values", "fill_list", "fill_row", "missing_row"]


@dataclass(frozen=True, slots=True)
class Missing:
    """There is no value, and why."""

    reason: str


Value = float | str | Missing
"""A number, words, or why there is none."""

Values = dict[Place, Value]


def fill_row(table: str, row: str, columns: Mapping[str, Value]) -> Values:
    """Fill a row of a table; the row is empty for numbers in running text."""
    return {(table, row, column): value for column, value in columns.items()}


def fill_list(table: str, column: str, values: Iterable[Value]) -> Values:
    """Fill places that the paper counts: ``column.1``, ``column.2`` and so on."""
    return {(table, "", f"{column}.{n}"): value for n, value in enumerate(values, 1)}


def missing_row(table: str, row: str, columns: Iterable[str], reason: str) -> Values:
    """Say of places of a row why nothing stands there."""
    return {(table, row, column): Missing(reason) for column in columns}
