"""Checks of descriptions: missing, too short to place a benchmark, or the same for several."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from balance_of_benchmarks.board.checks.finding import Finding, Subject
from balance_of_benchmarks.board.frames import shorten

__all__ = ["find_text_faults"]

# The paper's texts have 40 to 80 words; bare names and first sentences place benchmarks measurably worse.
_FEW_WORDS: Final = 12


def find_text_faults(subject: Subject) -> Iterator[Finding]:
    """`text_missing`, `text_short`, `text_copied`: of the benchmarks that have scores."""
    texts = dict(zip(subject.keys, subject.everyone.descriptions, strict=True))
    missing = tuple(key for key, text in texts.items() if text is None)
    if missing:
        message = f"{len(missing)} of {len(texts)} benchmarks have no description: {shorten(missing)}"
        fix = "describe each in a paragraph of 40 to 80 words, in benchmarks.csv"
        yield Finding("text_missing", missing, message, fix)
    short = tuple(key for key, text in texts.items() if text is not None and len(text.split()) < _FEW_WORDS)
    if short:
        message = f"{len(short)} descriptions have fewer than {_FEW_WORDS} words: {shorten(short)}"
        fix = "say what is measured, on what items, answered and judged how: 40 to 80 words"
        yield Finding("text_short", short, message, fix)
    alike: dict[str, list[str]] = {}
    for key, text in texts.items():
        if text is not None:
            alike.setdefault(re.sub(r"[\W\d_]+", " ", text.casefold()).strip(), []).append(key)
    for keys in alike.values():
        if len(keys) > 1:
            message = f"{len(keys)} benchmarks share one description but for digits: {shorten(keys)}"
            fix = "nothing if they are one benchmark listed again: they share its weight; else tell them apart"
            yield Finding("text_copied", tuple(keys), message, fix)
