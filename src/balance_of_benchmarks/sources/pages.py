"""Tables within texts: under title lines, as spreadsheets export them, or in Markdown."""

from __future__ import annotations

import csv
import html
import io
import re
from collections import Counter
from typing import Final

__all__ = ["cut_to_table", "is_web_page", "take_markdown"]

_FIRST_LINES: Final = 30
_HEAD: Final = 256 << 10
_RULE: Final = re.compile(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
_EMPHASIS: Final = re.compile(r"^(\*\*|__|\*|_|`|~~)(?P<inside>.+)\1$")
_SIGNS: Final = frozenset(("", "±", "↑", "↓", "+/-", "→"))
_HEADING: Final = re.compile(r"^\s{0,3}#{1,6}\s+(?P<words>.*?)\s*#*\s*$")
_DIGITS: Final = re.compile(r"\s*[-+]?[\d.]+\s*%?\s*$")
# A note's number, a line's end, and any other tag but that of a link.
_NOTE: Final = re.compile(r"\[\^\w+\]|<sup>\s*[\d*†‡,]*\s*</sup>", re.I)
_BREAK: Final = re.compile(r"<br\s*/?>", re.I)
_TAG: Final = re.compile(r"</?(?!a[\s>])[a-z][^<>]*>", re.I)
_PLUS_MINUS: Final = re.compile(r"\s*[_^]?\{?\s*\\pm\s*\{?([\d.]+)\}*")
_PAGE: Final = re.compile(rb"^\s*(<!--.*?-->\s*)*<(!doctype\s+html|html|head|body)\b", re.I | re.S)


def is_web_page(head: bytes) -> bool:
    """Tell by its beginning whether a file is a web page."""
    return bool(_PAGE.match(head))


def cut_to_table(content: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Cut off title lines and notes above the header of a table of values between marks.

    Parameters
    ----------
    content : bytes
        A text in UTF-8.

    Returns
    -------
    bytes, tuple of str
        From the header on, and the lines above that say something. All of it where the first line may be the header:
        it is passed over only if it holds at most one value, or begins with ``#``, or is at least two values short of
        what most lines have.
    """
    lines = content[:_HEAD].split(b"\n")[:_FIRST_LINES]
    texts = [line.decode("utf-8", "replace").rstrip("\r") for line in lines]
    counts = {mark: Counter(len(_split(text, mark)) for text in texts if text.strip()) for mark in ",\t;|"}
    times, width, mark = max((*_commonest(counted), mark) for mark, counted in counts.items())
    if not times:
        return content, ()
    place = next((place for place, text in enumerate(texts) if not _is_above(text, mark, width)), 0)
    if place + 1 < len(texts) and _spans(_split(texts[place], mark), _split(texts[place + 1], mark)):
        place += 1
    if place == 0 or len(_split(texts[place], mark)) != width:
        return content, ()
    above = tuple(text.strip(f' \t{mark}"') for text in texts[:place])
    return content[sum(len(line) + 1 for line in lines[:place]) :], tuple(text for text in above if text)


def take_markdown(content: bytes) -> list[tuple[str, bytes]]:
    """Take the Markdown tables of a text as CSV, each with the heading it stands under.

    Parameters
    ----------
    content : bytes
        A text in UTF-8.

    Returns
    -------
    list of (str, bytes)
        A heading is "" where there is none. Rows with nothing but a first cell, which part a table into groups, are
        left out.
    """
    lines = content.decode("utf-8", "replace").splitlines()
    tables: list[tuple[str, bytes]] = []
    title, end = "", -1
    for place, line in enumerate(lines):
        if heading := _HEADING.match(line):
            title = _plain(heading["words"])
        if place <= end or not (place and "|" in line and "|" in lines[place - 1] and _RULE.match(line)):
            continue
        header, body = lines[place - 1], lines[place + 1 :]
        end = place + next((i for i, row in enumerate(body) if "|" not in row), len(body))
        names = [_plain(cell) for cell in _cells(header)]
        rows = [[_plain(cell) for cell in _cells(row)][: len(names)] for row in body[: end - place]]
        # Evaluation tools set arrows and plus-minus signs in columns of their own, without a name.
        signs = {
            i for i, name in enumerate(names) if not name and all(set(row[i : i + 1]) <= _SIGNS for row in rows) and i
        }
        table = io.StringIO()
        csv.writer(table, lineterminator="\n").writerows(
            [cell for i, cell in enumerate(row) if i not in signs]
            for row in (names, *rows)
            if row is names or any(row[1:])
        )
        tables.append((title, table.getvalue().encode()))
    return tables


def _is_above(text: str, mark: str, width: int) -> bool:
    values = _split(text, mark)
    said = sum(bool(value.strip()) for value in values)
    comment = text.startswith("#") and len(values) != width
    # A header may hold a quoted value that goes on in the next line.
    return text.count('"') % 2 == 0 and (said <= 1 or comment or len(values) < width - 1)


def _spans(values: list[str], below: list[str]) -> bool:
    """Tell a line of names over several columns each, merged cells in a spreadsheet, from the header under it."""
    named = [value for value in values if value.strip()]
    whole = len(below) == len(values) and all(value.strip() and not _DIGITS.match(value) for value in below)
    return whole and 2 * len(named) <= len(values) and len(set(below)) == len(below)


def _split(text: str, mark: str) -> list[str]:
    try:
        return next(csv.reader([text], delimiter=mark), [])
    except csv.Error:
        return text.split(mark)


def _commonest(counted: Counter[int]) -> tuple[int, int]:
    """In how many lines there are as many values as in most, and how many; 0 where those are not half of them."""
    width, times = max(counted.items(), key=lambda pair: (pair[1], pair[0]), default=(0, 0))
    return (times, width) if width > 1 and 2 * times >= counted.total() else (0, 0)


def _cells(line: str) -> list[str]:
    line = line.strip().removeprefix("|")
    line = line.removesuffix("|") if not line.endswith("\\|") else line
    return [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line)]


def _plain(cell: str) -> str:
    """Take off marks of emphasis, notes and tags; a link keeps its words later, with those of other tables."""
    cell = _TAG.sub("", _BREAK.sub(" ", _NOTE.sub("", cell))) if "<" in cell or "[^" in cell else cell
    if cell.startswith("$") and cell.endswith("$"):
        cell = _PLUS_MINUS.sub(r" ± \1", cell.strip("$ "))
    cell = html.unescape(cell).strip()
    while emphasis := _EMPHASIS.match(cell):
        cell = emphasis["inside"].strip()
    return cell
