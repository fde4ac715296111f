"""Reading a task off a fitted board: by the kernel average or by kriging, with what was chosen for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from balance_of_benchmarks.board.retain import RankableBoard
from balance_of_benchmarks.equating.result import Fit
from balance_of_benchmarks.errors import TaskError
from balance_of_benchmarks.geometry.angles import angular_distances
from balance_of_benchmarks.geometry.space import Space
from balance_of_benchmarks.ranking.bandwidth import BandwidthChoice, choose_bandwidth, draw_targets
from balance_of_benchmarks.ranking.choosing import choose_process
from balance_of_benchmarks.ranking.field import TaskField, residual_field
from balance_of_benchmarks.ranking.folds import iterate_folds
from balance_of_benchmarks.ranking.options import RankingOptions
from balance_of_benchmarks.ranking.process import ProcessChoice, compare_categories
from balance_of_benchmarks.ranking.relevance import continuous_relevance, mixed_relevance
from balance_of_benchmarks.ranking.residuals import PointResiduals
from balance_of_benchmarks.ranking.tables import kriging_intervals
from balance_of_benchmarks.types import BoolArray, FloatArray

__all__ = ["ReadTask", "TaskReader", "find_peers"]

Progress = Callable[[int, int], None] | None

_MOST_LISTED: Final = 20


@dataclass(frozen=True, slots=True, eq=False)
class ReadTask:
    """A task's field, what it was read by, and intervals of its scores where it has them."""

    field: TaskField
    bandwidth: BandwidthChoice | None
    process: ProcessChoice | None
    intervals: dict[str, FloatArray] | None


def find_peers(category: str | None, categories: Sequence[str | None]) -> BoolArray | None:
    """Tell which benchmarks are of a task's category.

    Parameters
    ----------
    category : str or None
        None where it is not known.
    categories : sequence of str or None, length N

    Returns
    -------
    ndarray of bool, shape (N,), or None

    Raises
    ------
    TaskError
        For a category the board has not.
    """
    if category is None:
        return None
    known = list(dict.fromkeys(name for name in categories if name is not None))
    if category not in known:
        if not known:
            raise TaskError(
                f"category is {category!r}, and no benchmark of this board has one: "
                "add a category column to the benchmarks' table, or leave the category out"
            )
        listed = ", ".join(map(repr, known[:_MOST_LISTED])) + (", ..." if len(known) > _MOST_LISTED else "")
        raise TaskError(f"category is {category!r}: expected one of the board's, {listed}")
    peers: BoolArray = compare_categories(categories, [category])[0]
    return peers


class TaskReader:
    """Reads tasks off one fit. What has to be chosen for it is chosen when the first is asked, and kept.

    Parameters
    ----------
    kept : RankableBoard
    space : Space
    fit : Fit
    options : RankingOptions
    """

    def __init__(self, kept: RankableBoard, space: Space, fit: Fit, options: RankingOptions) -> None:
        self._kept, self._space, self._fit, self._options = kept, space, fit, options
        self._bandwidth: BandwidthChoice | None = None
        self._processes: dict[bool, ProcessChoice] = {}
        self._residuals: PointResiduals | None = None

    def read(
        self,
        vectors: FloatArray,
        distances: FloatArray,
        shares: FloatArray,
        peers: BoolArray | None,
        *,
        progress: Progress = None,
    ) -> ReadTask:
        """Read a task, or several that share the work.

        Parameters
        ----------
        vectors : ndarray of shape (K, d)
        distances : ndarray of shape (K, N)
            To the benchmarks; infinite for a task that is not to be heard of.
        shares : ndarray of shape (K,)
            They sum to 1.
        peers : ndarray of bool, shape (N,), or None
            Which benchmarks are of the tasks' category, where it is known.
        progress : callable, optional
            Called with folds done and folds in all while something is chosen.

        Returns
        -------
        ReadTask
        """
        space, options = self._space, self._options
        if options.kriges(space.firsts.size):
            # A task of no known category is read by what descriptions alone tell, and that is chosen by itself.
            process = self._choose_process(peers is not None, progress)
            # Who was observed where is the same for every task.
            self._residuals = self._residuals or PointResiduals.of(self._fit)
            between = angular_distances(vectors)
            kriged = process.field(self._residuals, distances, space, peers=peers, shares=shares, between=between)
            return ReadTask(kriged, None, process, kriging_intervals(self._fit, kriged))
        choice = self._choose_bandwidth(progress)
        if options.field == "kriging":
            # The list is too long: whoever asked for the preset is to know that this is not what it usually does.
            why = (
                f"{choice.why}; a kernel average, since of more than {options.kriges_at_most} distinct benchmarks "
                f"({space.firsts.size} here) tasks are kriged only where field='kriging' is said"
            )
            choice = replace(choice, why=why)
        relevances = [continuous_relevance(row, choice.multiple * space.median, space.weights) for row in distances]
        field = residual_field(
            self._fit,
            mixed_relevance(np.array(relevances), shares),
            shrinkage=options.shrinkage,
            residual=options.residual,
            information_in_support=options.information_in_support,
        )
        return ReadTask(field, choice, None, None)

    def _choose_bandwidth(self, progress: Progress) -> BandwidthChoice:
        options = self._options
        if options.bandwidth is not None:
            return BandwidthChoice(options.bandwidth, (options.bandwidth,), (float("nan"),), (), "given")
        if self._bandwidth is None:
            self._bandwidth = choose_bandwidth(
                self._kept.scores,
                self._space,
                candidates=options.bandwidths,
                rng=options.generator(),
                n_items=self._kept.n_items,
                shrinkage=options.shrinkage,
                residual=options.residual,
                information_in_support=options.information_in_support,
                settings=options.settings,
                threads=options.threads,
                progress=progress,
            )
        return self._bandwidth

    def _choose_process(self, by_category: bool, progress: Progress) -> ProcessChoice:
        if by_category not in self._processes:
            options, scores, space = self._options, self._kept.scores, self._space
            targets = draw_targets(scores, space, rng=options.generator())
            folds = iterate_folds(
                scores,
                space,
                targets,
                unit=space.median,
                n_items=self._kept.n_items,
                settings=options.settings,
                threads=options.threads,
            )
            self._processes[by_category] = choose_process(
                folds,
                self._fit,
                space,
                categories=self._kept.benchmarks["category"].to_list() if by_category else None,
                selection=options.selection,
                progress=None if progress is None else lambda done: progress(done, targets.size),
            )
        return self._processes[by_category]
