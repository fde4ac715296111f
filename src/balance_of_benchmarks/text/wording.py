"""Faults of wording: what a linter of descriptions sees in the texts alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final

from balance_of_benchmarks.board.checks.finding import Finding
from balance_of_benchmarks.board.frames import shorten
from balance_of_benchmarks.text.lineage import LineageFinder
from balance_of_benchmarks.text.register import FACETS, SENTENCES, WORDS, count_words, missing_facets, split_sentences

__all__ = ["NEAR_COPY", "TEMPLATE_SHARE", "find_wording_faults", "near_copies", "template_share"]

_RUN: Final = 3  # words; two of them recur in any English, four miss a template with a name in it
_TEMPLATE_TEXTS: Final = 3
NEAR_COPY: Final = 0.5
"""Share of runs of three words in common, of all that two texts have, from which they are near copies."""
_BESIDES: Final = {"answer_language": " and no form of answer without one (option, number, code)"}
TEMPLATE_SHARE: Final = 0.25
"""Share of a text's runs of three words found in three others or more, from which it is called template-like."""


def find_wording_faults(texts: Mapping[str, str], names: Mapping[str, str]) -> Iterator[Finding]:
    """`text_length`, `text_sentences`, `text_facet`, `text_lineage`, `text_template`, `text_near_copy`.

    Parameters
    ----------
    texts : mapping of str to str
        Descriptions by key of benchmark, of those that have one.
    names : mapping of str to str
        Names by key, of all benchmarks of the board.

    Yields
    ------
    Finding
    """
    yield from _find_register_faults(texts)
    finder = LineageFinder(names.items())
    for key, text in texts.items():
        if mentions := finder.find(key, text):
            quoted = ", ".join(f"“{mention.words}”" for mention in mentions)
            others = [f" ({mention.benchmark})" for mention in mentions if mention.benchmark]
            message = f"{key} speaks of another benchmark: {quoted}{''.join(dict.fromkeys(others))}"
            yield Finding("text_lineage", (key,), message, "say what is measured instead; --strip-lineage proposes how")
    shares = template_share(texts)
    alike = tuple(key for key, share in shares.items() if share >= TEMPLATE_SHARE)
    if alike:
        message = f"{_count(alike)} share {TEMPLATE_SHARE:.0%} or more of their phrases with three others"
        fix = "word each from what sets it apart: an encoder takes shared phrases for likeness"
        yield Finding("text_template", alike, f"{message}: {shorten(alike)}", fix)
    for a, b, share in near_copies(texts):
        message = f"{a} and {b} have {share:.0%} of their phrases in common"
        yield Finding("text_near_copy", (a, b), message, "nothing if one re-lists the other; else tell them apart")


def _find_register_faults(texts: Mapping[str, str]) -> Iterator[Finding]:
    for kind, noun, count, (least, most), fix in (
        ("text_length", "words", count_words, WORDS, "texts of one length are placed by what they say"),
        ("text_sentences", "sentences", lambda text: len(split_sentences(text)), SENTENCES, "one paragraph, no list"),
    ):
        counts = {key: count(text) for key, text in texts.items()}
        outside = tuple(key for key, n in counts.items() if not least <= n <= most)
        if outside:
            told = shorten(f"{key} ({counts[key]})" for key in outside)
            message = f"{_count(outside)} outside {least} to {most} {noun}: {told}"
            yield Finding(kind, outside, message, f"aim for {least} to {most} {noun}: {fix}")
    lacking = {key: missing_facets(text) for key, text in texts.items()}
    for facet in FACETS:
        where = tuple(key for key, facets in lacking.items() if facet in facets)
        if where:
            noun, besides = facet.replace("_", " "), _BESIDES.get(facet, "")
            names = "names" if len(where) == 1 else "name"
            message = f"{_count(where)} {names} no {noun}{besides} that the linter knows: {shorten(where)}"
            yield Finding("text_facet", where, message, f"name the {noun}, if the text does not in other words")


def _count(keys: tuple[str, ...]) -> str:
    return "1 description" if len(keys) == 1 else f"{len(keys)} descriptions"


def template_share(texts: Mapping[str, str]) -> dict[str, float]:
    """Tell what share of each text's phrases, runs of three words, stands in three other texts or more.

    Parameters
    ----------
    texts : mapping of str to str

    Returns
    -------
    dict of str to float
        From 0 to 1; texts that differ in digits at most count as one.
    """
    runs = {key: _runs(text) for key, text in texts.items()}
    distinct = set(runs.values())
    seen_in = Counter(chain.from_iterable(distinct))
    return {
        key: sum(seen_in[run] > _TEMPLATE_TEXTS for run in mine) / len(mine) if mine else 0.0
        for key, mine in runs.items()
    }


def near_copies(texts: Mapping[str, str]) -> list[tuple[str, str, float]]:
    """List pairs of texts that have half of their phrases in common, and are not the same but for digits.

    Parameters
    ----------
    texts : mapping of str to str

    Returns
    -------
    list of (str, str, float)
        Keys in the order given, and the share in common of all that both have; of texts that are the same but for
        digits the first stands for all.
    """
    first: dict[frozenset[tuple[str, ...]], str] = {}
    for key, text in texts.items():
        first.setdefault(_runs(text), key)
    places: dict[tuple[str, ...], list[frozenset[tuple[str, ...]]]] = {}
    found = []
    for mine, key in first.items():
        shared = Counter(chain.from_iterable(map(first.__getitem__, places.get(run, ())) for run in mine))
        for other, count in shared.items():
            both = len(mine) + len(_runs(texts[other])) - count
            if count / both >= NEAR_COPY:
                found.append((other, key, count / both))
        for run in mine:
            places.setdefault(run, []).append(mine)
    return sorted(found, key=lambda pair: -pair[2])


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    """Runs of three words, in small letters and without digits; all of a shorter text is one."""
    words = re.findall(r"[^\W\d_]+", text.casefold())
    if len(words) < _RUN:
        return frozenset([tuple(words)] if words else [])
    return frozenset(tuple(words[i : i + _RUN]) for i in range(len(words) - _RUN + 1))
