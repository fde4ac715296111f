"""What a user should know of how a ranking came about."""

from __future__ import annotations

import numpy as np

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.board.frames import shorten
from balance_of_benchmarks.board.retain import RankableBoard
from balance_of_benchmarks.board.settings import Adjustment
from balance_of_benchmarks.equating.result import Fit
from balance_of_benchmarks.errors import RankingError
from balance_of_benchmarks.geometry.space import Space

__all__ = ["list_adjustments", "list_warnings", "require_rankable"]


def list_adjustments(kept: RankableBoard, space: Space | None) -> tuple[Adjustment, ...]:
    """List what was changed, assumed or left out: of the board, its texts, its weights.

    Parameters
    ----------
    kept : RankableBoard
    space : Space or None
        None where equal weights were asked for and no text was needed.

    Returns
    -------
    tuple of Adjustment
    """
    benchmarks = kept.benchmarks["key"].to_list()
    notes = [*kept.adjustments]
    silent = tuple(key for key, text in zip(benchmarks, kept.descriptions, strict=True) if text is None)
    # Vectors may have been given where there are no texts.
    placed = space is not None and bool(space.has_text.all())
    if silent and not placed:
        rest = "each counts as isolated and cannot be near a task"
        if len(silent) == len(benchmarks):
            equal = space is None or space.rule.name != "given"
            rest = "all count equally and no task can be asked" if equal else "no task can be asked"
        message = f"{len(silent)} of {len(benchmarks)} benchmarks without a description: {rest}"
        notes.append(
            Adjustment(
                "text_missing", silent, message, "describe them in the benchmarks' table: bob ... --benchmarks FILE"
            )
        )
    if space is not None:
        notes += space.notes
        mute = tuple(key for key, u in zip(benchmarks, space.weights, strict=True) if u == 0)
        if mute:
            message = f"of weight zero and without a say in the abilities: {shorten(mute)}"
            notes.append(Adjustment("zero_weight", mute, message))
    return tuple(notes)


def list_warnings(kept: RankableBoard, fit: Fit) -> tuple[Adjustment, ...]:
    """Put a fit's status into words, naming the models and benchmarks it flags.

    Parameters
    ----------
    kept : RankableBoard
    fit : Fit

    Returns
    -------
    tuple of Adjustment
    """
    status, models, benchmarks = fit.status, kept.models["key"].to_list(), kept.benchmarks["key"].to_list()
    flagged = (
        ("no_ability", models, status.no_weight, "no score on a benchmark of positive weight, so no ability"),
        ("ability_at_end", models, status.at_grid_end, "ability at an end of the grid, all scores at floor or ceiling"),
        (
            "two_minima",
            models,
            status.two_minima,
            "a second minimum of the fit, so that a small change may move them far",
        ),
        ("curve_at_bound", benchmarks, status.at_bound, "a curve parameter at its bound"),
        ("scale_floored", benchmarks, status.floored > 0, "residual scale raised to its floor"),
    )
    notes = []
    for kind, keys, flags, words in flagged:
        where = tuple(keys[int(i)] for i in np.flatnonzero(flags))
        if where:
            noun = "models" if keys is models else "benchmarks"
            notes.append(Adjustment(kind, where, f"{len(where)} of {len(keys)} {noun}: {words}"))
    return tuple(notes)


def require_rankable(board: Board, kept: RankableBoard, min_observed: int) -> None:
    """Refuse a board that was read but cannot be ranked, with what became of its rows.

    Parameters
    ----------
    board : Board
    kept : RankableBoard
        What is left of it.
    min_observed : int

    Raises
    ------
    RankingError
        With fewer than two models, or no benchmark.
    """
    m, n = kept.scores.shape
    if m >= 2 and n >= 1:
        return
    # What became of the benchmarks explains what became of the models.
    left_out = [
        note for kind in ("benchmark_left_out", "models_left_out") for note in kept.adjustments if note.kind == kind
    ]
    reasons = "; ".join(f"{note.message} ({note.fix})" if note.fix else note.message for note in left_out[:3])
    raise RankingError(
        f"{board!r} cannot be ranked: {m} models and {n} benchmarks remain, expected at least 2 and 1"
        + (f". {reasons}" if reasons else f", with at least {min_observed} scores a model")
    )
