"""All checks of a board, and its coverage table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.board.checks.blocks import find_blocks
from balance_of_benchmarks.board.checks.cells import find_adjusted, find_zeros_like_missing
from balance_of_benchmarks.board.checks.columns import (
    NEAR,
    find_aggregates,
    find_copies,
    find_flat,
    find_reversed,
    find_saturated,
    find_small_percentages,
)
from balance_of_benchmarks.board.checks.finding import SEVERITIES, Finding, Subject
from balance_of_benchmarks.board.checks.keys import find_near_names, find_orphans, find_unknown_keys
from balance_of_benchmarks.board.checks.texts import find_text_faults
from balance_of_benchmarks.board.retain import RankableBoard

__all__ = ["BoardCheck", "check_board"]

_CHECKS: Final[tuple[Callable[[Subject], Iterator[Finding]], ...]] = (
    find_adjusted,
    find_zeros_like_missing,
    find_flat,
    find_saturated,
    find_aggregates,
    find_copies,
    find_reversed,
    find_small_percentages,
    find_orphans,
    find_unknown_keys,
    find_near_names,
    find_text_faults,
    find_blocks,
)


@dataclass(frozen=True, slots=True, eq=False)
class BoardCheck:
    """What was found on a board.

    Parameters
    ----------
    board : Board
    kept : RankableBoard
        What would be ranked.
    findings : tuple of Finding
        The gravest first.
    coverage : polars.DataFrame
        One row a retained benchmark: `benchmark`, `name`, and of the retained models how many are `observed`,
        `null`, `observed_zero`, and what share of the observed lie `near_floor` and `near_ceiling`.
    """

    board: Board
    kept: RankableBoard
    findings: tuple[Finding, ...]
    coverage: pl.DataFrame


def check_board(board: Board, *, min_observed: int = 5) -> BoardCheck:
    """Look for what would bend a ranking of a board, before it does.

    Parameters
    ----------
    board : Board
    min_observed : int
        As for `Board.retain`.

    Returns
    -------
    BoardCheck

    Examples
    --------
    >>> import balance_of_benchmarks as bob
    >>> sorted({finding.kind for finding in bob.check_board(bob.read_board("demo")).findings})
    ['saturated']
    """
    kept = board.retain(min_observed)
    subject = Subject(board=board, everyone=board.retain(1), kept=kept)
    findings = [finding for check in _CHECKS for finding in check(subject)]
    if min(kept.scores.shape) < 2:
        message = f"{kept.scores.shape[0]} models and {kept.scores.shape[1]} benchmarks remain: too few to rank"
        findings.append(Finding("too_short", (), message, "add scores, or ask for fewer a model"))
    findings.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    return BoardCheck(board, kept, tuple(findings), _tabulate_coverage(kept))


def _tabulate_coverage(kept: RankableBoard) -> pl.DataFrame:
    scores = kept.scores
    seen = ~np.isnan(scores)
    count = np.maximum(seen.sum(axis=0), 1)
    return pl.DataFrame(
        {
            "benchmark": kept.benchmarks["key"],
            "name": kept.benchmarks["name"],
            "observed": seen.sum(axis=0),
            "null": (~seen).sum(axis=0),
            "observed_zero": (scores == 0).sum(axis=0),
            "near_floor": (scores <= NEAR).sum(axis=0) / count,
            "near_ceiling": (scores >= 1 - NEAR).sum(axis=0) / count,
        }
    )
