"""What the paper leaves open: whether it holds on other boards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.evaluation.evaluate import Evaluation, evaluate_board
from balance_of_benchmarks.evaluation.methods import METHODS
from balance_of_benchmarks.evaluation.relisting import Relistable, Relisting, relist
from balance_of_benchmarks.paper.protocol import COPIES
from balance_of_benchmarks.ranking.estimator import BalanceOfBenchmarks
from balance_of_benchmarks.transport.store import ArrayStore

__all__ = ["OTHER_FOLDS", "RELISTED", "OtherBoard", "redo_other"]

OTHER_FOLDS: Final = 32
"""On wider boards so many benchmarks are drawn to be held out."""

RELISTED: Final[tuple[Relistable, ...]] = ("inverse_density", "equal_z", "magnitude")
"""The paper's two rankings and, beyond it, the one that copies cannot move."""

# Ours, whoever it is compared with, and ours with weights that copies cannot move.
_METHODS: Final = tuple(
    method.id
    for method in METHODS
    if method.family in ("end_to_end", "practice", "reference") or method.id == "bob:magnitude"
)


@dataclass(frozen=True, slots=True, eq=False)
class OtherBoard:
    """The two main experiments on a board that is not the paper's.

    Parameters
    ----------
    board : Board
    models, benchmarks : int
        That are ranked.
    found : Evaluation
        Benchmarks held out.
    relistings : dict of str to Relisting
        By weighting, with the paper's number of copies.
    """

    board: Board
    models: int
    benchmarks: int
    found: Evaluation
    relistings: dict[Relistable, Relisting]


def redo_other(
    board: Board,
    *,
    store: ArrayStore | None = None,
    jobs: int | None = 1,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> OtherBoard:
    """Hold benchmarks out of another board, and list them again.

    Parameters
    ----------
    board : Board
        With descriptions of its benchmarks.
    store : ArrayStore, optional
        Where predictions are kept and looked up.
    jobs : int, optional
        Processes; None for one a core.
    seed : int
    progress : callable, optional
        Called with folds done and folds in all.

    Returns
    -------
    OtherBoard
    """
    model = BalanceOfBenchmarks(preset="paper", seed=seed).fit(board)
    found = evaluate_board(
        model, methods=_METHODS, most_folds=OTHER_FOLDS, store=store, jobs=jobs, seed=seed, progress=progress
    )
    models, benchmarks = model.kept_.scores.shape
    relistings = {weighting: relist(found.study, copies=COPIES, weighting=weighting) for weighting in RELISTED}
    return OtherBoard(board, models, benchmarks, found, relistings)
