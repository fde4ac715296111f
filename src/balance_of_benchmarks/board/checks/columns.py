"""Checks of whole columns: what tells models apart, what is an aggregate, what points the wrong way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from balance_of_benchmarks.board.checks.finding import Finding, Subject
from balance_of_benchmarks.board.frames import shorten
from balance_of_benchmarks.correlation import mean_percentile, pearson, percentile_ranks, spearman
from balance_of_benchmarks.types import FloatArray, IntArray

__all__ = [
    "NEAR",
    "find_aggregates",
    "find_copies",
    "find_flat",
    "find_reversed",
    "find_saturated",
    "find_small_percentages",
]

NEAR: Final = 0.05
"""How near to floor or ceiling counts as at it, as in the paper."""
_MUCH: Final = 0.2  # of the models: a fifth of AIME's lie near its floor, which is why curves are fitted
_ROUNDING: Final = 0.005
_ROUNDING_OF_COPIES: Final = 0.0011  # of shares given to a tenth of a percent, one of them turned round
_LEAST_MODELS: Final = 5
_LEAST_ROWS_REVERSED: Final = 10
_REVERSED: Final = -0.5
_ALIKE: Final = 0.9
_AGGREGATE_NAME: Final = re.compile(r"\b(average|avg|mean|overall|total|all subjects|aggregate|macro)\b", re.I)


def find_flat(subject: Subject) -> Iterator[Finding]:
    """`all_floor`, `all_ceiling`, `constant`: columns that tell no models apart."""
    floor, ceiling, constant = list[str](), list[str](), list[str]()
    for key, seen in _columns(subject):
        if seen.size < 2:
            continue
        if seen.max() <= NEAR:
            floor.append(key)
        elif seen.min() >= 1 - NEAR:
            ceiling.append(key)
        elif np.ptp(seen) == 0:
            constant.append(key)
    for kind, keys, words in (
        ("all_floor", floor, f"every score within {NEAR:g} of the floor"),
        ("all_ceiling", ceiling, f"every score within {NEAR:g} of the ceiling"),
        ("constant", constant, "the same score for every model"),
    ):
        if keys:
            message = f"{shorten(keys)}: {words}"
            yield Finding(kind, tuple(keys), message, "check bounds; else leave it out, it tells nobody apart")


def find_saturated(subject: Subject) -> Iterator[Finding]:
    """`saturated`: columns with a fifth of the models at floor or ceiling, but not all."""
    for end in ("floor", "ceiling"):
        shares = {
            key: float((seen <= NEAR if end == "floor" else seen >= 1 - NEAR).mean())
            for key, seen in _columns(subject)
            if seen.size >= _LEAST_MODELS
        }
        keys = tuple(key for key, share in shares.items() if _MUCH <= share < 1)
        if keys:
            message = f"within {NEAR:g} of its {end}: " + shorten(f"{key} {shares[key]:.0%} of models" for key in keys)
            fix = "nothing: the curve allows for it; differences there count for little"
            yield Finding("saturated", keys, message, fix)


def find_aggregates(subject: Subject) -> Iterator[Finding]:
    """`aggregate`: columns that are the mean of others, by their values or by their names and values."""
    scores, keys = subject.scores, subject.keys
    fix = "leave it out: its parts would count twice"
    means = _find_means(scores, _group_columns(subject))
    for i, members in means.items():
        message = f"{keys[i]} is the mean of {shorten(keys[j] for j in members)}"
        yield Finding("aggregate", (keys[i],), message, fix)
    standing = mean_percentile(scores)
    for i, name in enumerate(subject.everyone.benchmarks["name"].to_list()):
        seen = ~np.isnan(scores[:, i])
        called = _AGGREGATE_NAME.search(name) or _AGGREGATE_NAME.search(re.sub(r"[_:/-]", " ", keys[i]))
        if not called or i in means or seen.sum() < _LEAST_MODELS:
            continue
        if pearson(scores[seen, i], standing[seen]) > _ALIKE:
            message = f"{keys[i]} has the name and the look of an aggregate of others"
            yield Finding("aggregate", (keys[i],), message, fix)


def find_copies(subject: Subject) -> Iterator[Finding]:
    """`copied_scores`: columns with the scores of another, or with what is left of them: errors beside successes."""
    scores, seen = subject.scores, ~np.isnan(subject.scores)
    filled = np.nan_to_num(scores)
    # Few different values come twice by chance, as single items do, right or wrong.
    telling = [i for i, column in enumerate(scores.T) if np.unique(column[seen[:, i]]).size >= _LEAST_MODELS]
    left = np.array(telling, dtype=np.int64)
    for i in telling:
        left = left[left != i]
        rows = np.flatnonzero(seen[:, i])
        alike = left
        # A few rows rule out nearly all others.
        for some in (rows[:8], rows):
            both = seen[np.ix_(some, alike)]
            far = (np.abs(filled[np.ix_(some, alike)] - filled[some, i][:, None]) * both).max(axis=0)
            alike = alike[far <= _ROUNDING_OF_COPIES]
        for j in alike[seen[np.ix_(rows, alike)].sum(axis=0) >= _LEAST_MODELS]:
            if np.unique(scores[seen[:, i] & seen[:, j], i]).size >= _LEAST_MODELS:
                message = f"{subject.keys[j]} has the scores of {subject.keys[i]}"
                fix = "leave one of them out: they count twice"
                yield Finding("copied_scores", (subject.keys[i], subject.keys[j]), message, fix)


def find_reversed(subject: Subject) -> Iterator[Finding]:
    """`reversed`: columns on which the models that are good elsewhere do badly."""
    scores, ranks = subject.scores, percentile_ranks(subject.scores)
    total, count = np.nansum(ranks, axis=1), (~np.isnan(ranks)).sum(axis=1)
    for i, key in enumerate(subject.keys):
        both = ~np.isnan(scores[:, i]) & (count > 1)
        if both.sum() < _LEAST_ROWS_REVERSED:
            continue
        elsewhere = (total[both] - ranks[both, i]) / (count[both] - 1)
        agreement = spearman(scores[both, i], elsewhere)
        if agreement <= _REVERSED:
            message = f"{key}: models that do well elsewhere do badly on it (Spearman {agreement:.2f})"
            fix = f"if lower is better, declare higher_is_better = false for {key} in benchmarks.csv"
            yield Finding("reversed", (key,), message, fix)


def find_small_percentages(subject: Subject) -> Iterator[Finding]:
    """`scale_unsure`: columns that end at 1 on a board that counts in percent, or at 10 on one that rates up to 10."""
    proposed = [note for note in subject.everyone.adjustments if note.kind == "scale_proposed"]
    percent = {key for note in proposed if "percentages" in note.message for key in note.where}
    rated = {key for note in proposed if "ratings from 1 to 10" in note.message for key in note.where}
    for i, key in enumerate(subject.keys if rated else ()):
        most = 100 * np.nanmax(subject.scores[:, i])
        if key in percent and most <= 10:
            message = f"{key}: its percentages end at {most:g}, while {shorten(rated)} is rated up to 10"
            fix = f"declare lower and upper of {key} in benchmarks.csv: 0,10 or 0,100"
            yield Finding("scale_unsure", (key,), message, fix)
    if len(percent) < 3 or 2 * len(percent) < len(subject.keys):
        return
    table = subject.everyone.benchmarks
    undeclared = table.filter(table["lower"].is_null() & table["upper"].is_null())["key"].to_list()
    cells = subject.board.cells
    for key in undeclared:
        seen = cells.filter(cells["benchmark"] == key)["score"].drop_nulls().to_numpy()
        if key not in percent and 0 < seen.max() <= 1:
            message = f"{key}: its scores end at {seen.max():g}, while other benchmarks count in percent"
            fix = f"declare lower and upper of {key} in benchmarks.csv: 0,1 or 0,100"
            yield Finding("scale_unsure", (key,), message, fix)


def _columns(subject: Subject) -> Iterator[tuple[str, FloatArray]]:
    for i, key in enumerate(subject.keys):
        column = subject.scores[:, i]
        yield key, column[~np.isnan(column)]


def _group_columns(subject: Subject) -> list[IntArray]:
    """Sets of columns among which an aggregate may be: all, those of a category, those of a common prefix."""
    labels: list[Sequence[object]] = [[0] * len(subject.keys), subject.everyone.benchmarks["category"].to_list()]
    labels += [[key.rpartition(mark)[0] or None for key in subject.keys] for mark in (":", "/", " - ", "_")]
    groups: dict[tuple[int, ...], None] = {}
    for label in labels:
        for value in dict.fromkeys(label):
            members = tuple(i for i, other in enumerate(label) if other == value)
            if value is not None and len(members) >= 3:
                groups[members] = None
    return [np.array(members, dtype=np.int64) for members in groups]


def _find_means(scores: FloatArray, groups: Sequence[IntArray]) -> dict[int, list[int]]:
    """Find columns equal to the mean of the others of a group on every model observed on all of it."""
    found: dict[int, list[int]] = {}
    for group in groups:
        part = scores[:, group]
        whole = part[~np.isnan(part).any(axis=1)]
        if len(whole) < _LEAST_MODELS:
            continue
        others = (whole.sum(axis=1, keepdims=True) - whole) / (len(group) - 1)
        spread = np.ptp(whole, axis=0) > 2 * _ROUNDING
        for place in np.flatnonzero((np.abs(others - whole).max(axis=0) <= _ROUNDING) & spread):
            found.setdefault(int(group[place]), [int(i) for i in group if i != group[place]])
    return found
