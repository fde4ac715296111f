"""What a check looks at and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.board.retain import RankableBoard
from balance_of_benchmarks.types import FloatArray

__all__ = ["KINDS", "SEVERITIES", "Finding", "Severity", "Subject"]

Severity = Literal["error", "warning", "note"]
SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "note")
"""Bends the ranking or prevents it; may bend it; is good to know."""

KINDS: Final[dict[str, Severity]] = {
    # of reading and retaining: what was assumed, changed or left out on the way to a ranking
    "sentinel_value": "error",
    "mixed_scale": "error",
    "direction_proposed": "warning",
    "scale_proposed": "note",
    "scores_clipped": "note",
    "duplicate_cells": "warning",
    "benchmark_left_out": "warning",
    "models_left_out": "note",
    "metric_missing": "warning",
    "bounds_differ": "warning",
    "score_infinite": "warning",
    "file_damaged": "warning",
    "table_skipped": "warning",
    "model_unnamed": "warning",
    "run_incomplete": "warning",
    # of scores
    "zero_like_missing": "warning",
    "all_floor": "warning",
    "all_ceiling": "warning",
    "constant": "warning",
    "saturated": "note",
    "aggregate": "warning",
    "copied_scores": "warning",
    "reversed": "warning",
    "scale_unsure": "warning",
    # of keys
    "orphan_model": "note",
    "orphan_benchmark": "note",
    "unknown_key": "warning",
    "near_name": "warning",
    # of texts
    "text_missing": "warning",
    "text_short": "warning",
    "text_copied": "warning",
    # of texts, by the linter of descriptions
    "text_lineage": "warning",
    "text_template": "warning",
    "text_near_copy": "warning",
    "text_length": "note",
    "text_sentences": "note",
    "text_facet": "note",
    "text_disagreement": "note",
    # of how the board hangs together
    "few_models": "note",
    "weak_link": "warning",
    "disconnected": "error",
    "too_short": "error",
}
"""Every kind of finding and how grave it is; docs/check.md says what each means."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing about a board that its owner should see.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    where : tuple of str
        Keys of the benchmarks or models concerned.
    message : str
    fix : str
        What to do about it.
    """

    kind: str
    where: tuple[str, ...]
    message: str
    fix: str

    @property
    def severity(self) -> Severity:
        """How grave it is."""
        return KINDS[self.kind]


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A board as checks look at it.

    Parameters
    ----------
    board : Board
        As read.
    everyone : RankableBoard
        Its mapped columns, of every model that has a score.
    kept : RankableBoard
        What would be ranked.
    """

    board: Board
    everyone: RankableBoard
    kept: RankableBoard

    @property
    def scores(self) -> FloatArray:
        """Every model's scores on [0, 1], shape (M, N)."""
        return self.everyone.scores

    @property
    def keys(self) -> list[str]:
        """Keys of the benchmarks that are columns of `scores`."""
        keys: list[str] = self.everyone.benchmarks["key"].to_list()
        return keys

    @property
    def model_keys(self) -> list[str]:
        """Keys of the models that are rows of `scores`."""
        keys: list[str] = self.everyone.models["key"].to_list()
        return keys
