"""Checks of single scores: fillers, zeros, duplicates, and what retaining says of scales."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from balance_of_benchmarks.board.checks.finding import KINDS, Finding, Subject
from balance_of_benchmarks.board.frames import shorten
from balance_of_benchmarks.correlation import mean_percentile
from balance_of_benchmarks.types import BoolArray

__all__ = ["find_adjusted", "find_zeros_like_missing"]

# A zero is a score; it looks like a missing one where nobody else comes near it and who has it is good elsewhere.
_DETACHED: Final = 0.15
_GOOD: Final = 0.5
_GRADES: Final = 5


def find_adjusted(subject: Subject) -> Iterator[Finding]:
    """Findings of reading and retaining: one for each adjustment that its owner can settle."""
    for note in subject.kept.adjustments:
        # What else reading says is by design; and a benchmark without scores is an orphan, which another check names.
        orphan = note.kind == "benchmark_left_out" and set(note.where) <= _unscored(subject)
        if note.kind in KINDS and not orphan:
            yield Finding(note.kind, note.where, note.message, note.fix or "correct the source")


def find_zeros_like_missing(subject: Subject) -> Iterator[Finding]:
    """`zero_like_missing`: zeros far below all other scores of a benchmark, of models that are good elsewhere."""
    scores = subject.scores
    zero = _is_zero(subject)
    standing = mean_percentile(scores)
    for i, key in enumerate(subject.keys):
        others = scores[~np.isnan(scores[:, i]) & ~zero[:, i], i]
        # Graded scores: of an item that is passed or failed a zero is half of all there is.
        graded = np.unique(others).size >= _GRADES
        if not zero[:, i].any() or not graded or others.min() < _DETACHED:
            continue
        suspects = np.flatnonzero(zero[:, i] & (standing > _GOOD))
        if suspects.size:
            names = [subject.model_keys[m] for m in suspects]
            message = (
                f"{key}: {shorten(names)} {'has' if len(names) == 1 else 'have'} 0, all others {others.min():.2f} or "
                "more: not evaluated, perhaps"
            )
            yield Finding("zero_like_missing", (key,), message, "leave the cell empty if it was not run")


def _unscored(subject: Subject) -> set[str]:
    scored = subject.board.cells.drop_nulls("score")["benchmark"]
    return set(subject.board.benchmarks["key"].to_list()) - set(scored.to_list())


def _is_zero(subject: Subject) -> BoolArray:
    """Which scores are the worst there is on a benchmark where higher is better."""
    upwards = subject.everyone.benchmarks["higher_is_better"].fill_null(value=True).to_numpy()
    zero: BoolArray = (subject.scores == 0) & upwards[None, :]
    return zero
