"""A result ready to be shown: for a machine whole, for a person short."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest
from textwrap import wrap
from typing import Any, Final, Literal

import polars as pl
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

__all__ = ["Column", "Format", "Report", "clean", "print_report", "printable", "write_report"]

Format = Literal["table", "json", "csv", "md"]

_GAP: Final = 2  # spaces between columns
_LEAST_STRETCH: Final = 12
_HUGE: Final = 1e6


@dataclass(frozen=True, slots=True)
class Column:
    """How a terminal shows a column of a report.

    Parameters
    ----------
    source : str
        Its name in the report's frame.
    header : str
    digits : int or None
        After the point; None for texts and whole numbers.
    stretch : bool
        Whether it takes what room there is and is cut where there is none.
    wrap : bool
        Whether it goes on in the next line instead of being cut.
    """

    source: str
    header: str
    digits: int | None = None
    stretch: bool = False
    wrap: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """What a command has to say.

    Parameters
    ----------
    payload : dict
        The JSON answer, documented in docs/json.md.
    frame : polars.DataFrame
        The rows of CSV and Markdown.
    title : str
    columns : tuple of Column
        What of the frame a terminal shows.
    before, after : tuple of str
        Sentences around the table, on a terminal and in Markdown.
    shown : polars.DataFrame or None
        The rows of a terminal's table, where they are not those of `frame`.
    """

    payload: dict[str, Any]
    frame: pl.DataFrame
    title: str
    columns: tuple[Column, ...]
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    shown: pl.DataFrame | None = None


def clean(value: Any) -> Any:
    """Make a value fit for JSON: no NaN or infinity, dates as text, tuples as lists."""
    if isinstance(value, dict):
        return {key: clean(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [clean(inner) for inner in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, str | bool | int):
        return value
    return str(value)


def write_report(report: Report, form: Format) -> str:
    """Write a report for a machine, always whole.

    Parameters
    ----------
    report : Report
    form : {"json", "csv", "md"}

    Returns
    -------
    str
        Ending in a line break.
    """
    if form == "json":
        return json.dumps(clean(report.payload), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    if form == "csv":
        return report.frame.write_csv()
    lines = [f"# {report.title}", "", *(f"{line}\n" for line in report.before)]
    lines += [
        "| " + " | ".join(report.frame.columns) + " |",
        "|" + "|".join(" --- " for _ in report.frame.columns) + "|",
    ]
    for row in report.frame.iter_rows():
        lines.append("| " + " | ".join(_as_markdown(value) for value in row) + " |")
    lines += [f"\n{line}" for line in report.after]
    return "\n".join(lines) + "\n"


def print_report(report: Report, console: Console, top: int | None = None) -> None:
    """Print a report for a person, at most `top` rows of it.

    The table is laid out here: rich's own takes a quarter of a second for 605 rows, most of a ranking.
    """
    whole = report.frame if report.shown is None else report.shown
    frame = whole if top is None else whole.head(min(top, whole.height))
    cells = [[_as_cell(value, column) for value in frame[column.source]] for column in report.columns]
    widths = [
        max([cell_len(column.header), *map(cell_len, texts)])
        for column, texts in zip(report.columns, cells, strict=True)
    ]
    # Other columns keep their width; the one that stretches takes what they leave, and is cut to it.
    taken = sum(width + _GAP for width, column in zip(widths, report.columns, strict=True) if not column.stretch)
    room = max(_LEAST_STRETCH, console.width - taken)
    widths = [min(width, room) if c.stretch else width for width, c in zip(widths, report.columns, strict=True)]
    left = [frame[column.source].dtype == pl.String for column in report.columns]

    def lay_out(texts: Iterable[str]) -> str:
        return (" " * _GAP).join(map(_fit, texts, widths, left)).rstrip()

    console.print(Text(printable(report.title), style="bold"))
    for line in report.before:
        console.print(Text(printable(line)))
    if any(column.header for column in report.columns):
        console.print(Text(lay_out(column.header for column in report.columns), style="dim"), soft_wrap=True)
    for row in zip(*cells, strict=True):
        parts = [
            wrap(text, width) if c.wrap else [text] for text, width, c in zip(row, widths, report.columns, strict=True)
        ]
        console.file.write("".join(f"{lay_out(line)}\n" for line in zip_longest(*parts, fillvalue="")))
    if frame.height < whole.height:
        console.print(Text(f"... and {whole.height - frame.height} more", style="dim"))
    for line in report.after:
        console.print(Text(printable(line)))


def printable(text: str) -> str:
    """Replace what could move the cursor or colour the terminal: a name is somebody else's text."""
    return "".join(character if character.isprintable() else " " for character in text)


def _fit(text: str, width: int, left: bool) -> str:
    """Pad or cut a text to so many terminal cells."""
    length = cell_len(text)
    if length > width:
        return set_cell_size(text, width - 1) + "…"
    return text + " " * (width - length) if left else " " * (width - length) + text


def _as_cell(value: Any, column: Column) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if column.digits is None:
        return printable(str(value))
    text = f"{value:.{column.digits}f}" if abs(value) < _HUGE else f"{value:.2g}"
    return text.lstrip("-") if float(text) == 0 else text


def _as_markdown(value: Any) -> str:
    if value is None:
        return ""
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return text.replace("|", "\\|").replace("\n", " ")
