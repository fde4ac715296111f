"""Checks of who is on the board: rows without scores, names that nearly agree, keys that only one table has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

import polars as pl

from balance_of_benchmarks.board.checks.finding import Finding, Subject
from balance_of_benchmarks.board.frames import shorten

__all__ = ["find_near_names", "find_orphans", "find_unknown_keys"]

_TABLES: Final = ("models", "benchmarks")
# Marks that nobody tells names apart by; a plus is none of them.
_UNTOLD: Final = re.compile(r"[\s_./:()'\[\]-]+")
_MOST_COMPARED: Final = 200_000  # pairs of unknown keys and orphans, a few seconds: more are no slip of the pen


def find_orphans(subject: Subject) -> Iterator[Finding]:
    """`orphan_model`, `orphan_benchmark`: listed, and without any score."""
    for name in _TABLES:
        orphans = _orphans(subject, name)
        if orphans:
            noun = name.removesuffix("s")
            message = f"{len(orphans)} of {_table(subject, name).height} {name} have no score: {shorten(orphans)}"
            yield Finding(f"orphan_{noun}", tuple(orphans), message, f"add scores, or take the {noun} out")


def find_unknown_keys(subject: Subject) -> Iterator[Finding]:
    """`unknown_key`: scored under a key of which its table says nothing, while it lists another without scores."""
    for name in _TABLES:
        table, orphans = _table(subject, name), _orphans(subject, name)
        told = [pl.col(column).is_not_null() for column in table.columns if column not in ("key", "name")]
        bare = table.filter(~pl.any_horizontal(told))["key"].to_list()
        scored = [key for key in bare if key not in set(orphans)]
        # Where nothing is said of most, as in a table of plain scores, nobody stands out.
        if not orphans or 2 * len(scored) > table.height:
            continue
        few = len(scored) * len(orphans) <= _MOST_COMPARED
        for key in scored:
            close = get_close_matches(key, orphans, n=1) if few else []
            hint = f"; did they mean {close[0]!r}, which has no score?" if close else ""
            message = f"scores name the {name.removesuffix('s')} {key!r}, of which {name} say nothing{hint}"
            yield Finding("unknown_key", (key,), message, f"make the keys agree, or add it to {name}.csv")


def find_near_names(subject: Subject) -> Iterator[Finding]:
    """`near_name`: keys or names that differ in case, spaces or punctuation only. They are never merged."""
    for name in _TABLES:
        table = _table(subject, name)
        groups: dict[str, dict[str, None]] = {}
        for key, shown in table.select("key", "name").iter_rows():
            for text in {key, shown}:
                groups.setdefault(_UNTOLD.sub("", text.casefold()), {})[key] = None
        told: set[tuple[str, ...]] = set()
        for folded, keys in groups.items():
            where = tuple(keys)
            if not folded or len(where) < 2 or where in told:
                continue
            told.add(where)
            message = f"{name} with nearly one name: {shorten(where)}"
            yield Finding("near_name", where, message, "if they are one, give them one key in the source")


def _table(subject: Subject, name: str) -> pl.DataFrame:
    table: pl.DataFrame = getattr(subject.board, name)
    return table


def _orphans(subject: Subject, name: str) -> list[str]:
    scored = subject.board.cells.drop_nulls("score")[name.removesuffix("s")].unique()
    keys = _table(subject, name)["key"]
    orphans: list[str] = keys.filter(~keys.is_in(scored.implode())).to_list()
    return orphans
