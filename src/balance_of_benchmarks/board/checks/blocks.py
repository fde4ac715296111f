"""Checks of how a board hangs together: blocks that share no model, or few."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from balance_of_benchmarks.board.checks.finding import Finding, Subject
from balance_of_benchmarks.board.frames import shorten
from balance_of_benchmarks.types import BoolArray, IntArray

__all__ = ["find_blocks"]

_FEW_LINKS: Final = 0.05  # of the models on either side
_FEW_MODELS: Final = 5


def find_blocks(subject: Subject) -> Iterator[Finding]:
    """`few_models`, `disconnected`, `weak_link`: benchmarks, and sets of them, that few or no models join."""
    observed = ~np.isnan(subject.kept.scores)
    names = np.array(subject.kept.benchmarks["key"].to_list(), dtype=object)
    thin = observed.sum(axis=0) < _FEW_MODELS
    if thin.any():
        message = f"{thin.sum()} benchmarks have fewer than {_FEW_MODELS} models: {shorten(names[thin])}"
        yield Finding("few_models", tuple(names[thin]), message, "add scores: its curve rests on next to none")
    observed, names = observed[:, ~thin], names[~thin]
    if observed.shape[1] < 2:
        return
    parents, strength = _strongest_tree(observed)
    apart = np.flatnonzero(strength[1:] == 0) + 1
    if apart.size:
        smallest = min((_below(parents, int(place)) for place in apart), key=np.count_nonzero)
        message = f"{apart.size + 1} blocks share no model; one of them: {shorten(names[smallest])}"
        fix = "rank the blocks apart, or add models that were run on several: nothing compares them"
        yield Finding("disconnected", tuple(names[smallest]), message, fix)
        return
    side = _below(parents, int(np.argmin(strength[1:])) + 1)
    side = side if 2 * side.sum() <= side.size else ~side
    here, there = observed[:, side].any(axis=1), observed[:, ~side].any(axis=1)
    links, either = int((here & there).sum()), int((here | there).sum())
    if links < _FEW_LINKS * either:
        message = f"{links} of {either} models link two blocks; one of them: {shorten(names[side])}"
        fix = "read ranks across the blocks with care: they rest on those models"
        yield Finding("weak_link", tuple(names[side]), message, fix)


def _strongest_tree(observed: BoolArray) -> tuple[IntArray, IntArray]:
    """Join benchmarks by the pairs that share most models: each one's parent in the tree, and how many they share.

    How many models each pair shares is counted a benchmark at a time: of twenty thousand benchmarks all pairs at once
    are three gigabytes.
    """
    n = observed.shape[1]
    rows = np.ascontiguousarray(observed.T, dtype=np.float32)
    parents, strength = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    best, origin = rows @ rows[0], np.zeros(n, dtype=np.int64)
    inside = np.zeros(n, dtype=bool)
    inside[0] = True
    for _ in range(n - 1):
        new = int(np.argmax(np.where(inside, -1.0, best)))
        parents[new], strength[new] = origin[new], int(best[new])
        inside[new] = True
        shared = rows @ rows[new]
        closer = shared > best
        best[closer], origin[closer] = shared[closer], new
    return parents, strength


def _below(parents: IntArray, place: int) -> BoolArray:
    """Which benchmarks hang on the tree by the edge of `place`."""
    side = np.zeros(len(parents), dtype=bool)
    side[place] = True
    for _ in range(len(parents)):
        grown = side | side[parents]
        grown[0] = False
        if (grown == side).all():
            break
        side = grown
    return side
