"""The answer to a task: an order, how much evidence it rests on, and why."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from balance_of_benchmarks.board.retain import RankableBoard
from balance_of_benchmarks.equating.curve import expected_score
from balance_of_benchmarks.equating.result import Fit
from balance_of_benchmarks.errors import RankingError, name_unknown
from balance_of_benchmarks.ranking.bandwidth import BandwidthChoice
from balance_of_benchmarks.ranking.field import TaskField
from balance_of_benchmarks.ranking.process import ProcessChoice
from balance_of_benchmarks.text.register import fits_register
from balance_of_benchmarks.types import FloatArray

__all__ = ["Neighbour", "TaskPart", "TaskRanking"]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A benchmark near the task, by key, and the angle between their texts."""

    benchmark: str
    distance: float


@dataclass(frozen=True, slots=True)
class TaskPart:
    """One of the tasks that were asked together; a task asked alone is one part.

    Parameters
    ----------
    text : str or None
        The text used; None when a vector was given.
    weight : float
        Its share of the whole.
    nearest : tuple of Neighbour
        The benchmarks nearest to it, nearest first.
    abstained : bool
        Whether the board has no evidence on it; it then counts for nothing and lowers the support.
    """

    text: str | None
    weight: float
    nearest: tuple[Neighbour, ...]
    abstained: bool

    @property
    def in_register(self) -> bool | None:
        """Whether the text has the length of a description; one that has not lies farther away. None for a vector."""
        return None if self.text is None else fits_register(self.text)


@dataclass(frozen=True, slots=True, eq=False)
class TaskRanking:
    """Models ordered for a task.

    Parameters
    ----------
    text : str or None
        The text used, or those of several tasks with their shares; None when a vector was given.
    parts : tuple of TaskPart
        The tasks asked together, as they were given.
    category : str or None
        Of the board's categories the one it was said to be of.
    table : polars.DataFrame
        The columns of `BalanceOfBenchmarks.ranking`, best first, and `global_rank`; `score` is the task's,
        `support` each model's.
    support : float
        Median over models of P/(P + 1): how much of the local evidence the ranking takes up. With kriging the share
        of the prior variance at the task that the evidence explains. 0 when abstained.
    nearest : tuple of Neighbour
        The benchmarks nearest to the task, or to any part of it, nearest first.
    median_distance : float
        The unit distances are judged by.
    bandwidth : BandwidthChoice or None
        The kernel average's h; None when abstained, for then there is no field, and with kriging.
    process : ProcessChoice or None
        What kriging takes of the residuals; None when abstained and with the kernel average.
    abstained : bool
        Whether the board has no evidence on the task, on no part of it; the ranking is then the global one.
    threshold : float or None
        Nearest distance, in medians, beyond which it abstains; None when the encoder is not calibrated.
    why : str
        One sentence for a person.
    """

    text: str | None
    parts: tuple[TaskPart, ...]
    category: str | None
    table: pl.DataFrame
    support: float
    nearest: tuple[Neighbour, ...]
    median_distance: float
    bandwidth: BandwidthChoice | None
    process: ProcessChoice | None
    abstained: bool
    threshold: float | None
    why: str
    _kept: RankableBoard = field(repr=False)
    _fit: Fit = field(repr=False)
    _field: TaskField | None = field(repr=False)
    _distances: FloatArray = field(repr=False)

    def __repr__(self) -> str:
        return f"TaskRanking({self.text!r}: {self.table.height} models, support {self.support:.2f}; {self.why})"

    @property
    def order(self) -> list[str]:
        """Keys of the models, best first."""
        keys: list[str] = self.table["model"].to_list()
        return keys

    def reasons(self, model: str) -> pl.DataFrame:
        """Break a model's adjustment down by benchmark.

        Parameters
        ----------
        model : str
            Its key.

        Returns
        -------
        polars.DataFrame
            One row an observed benchmark: distance to the task or its nearest part, score, the score expected of
            the model's ability, standardized residual, robust weight and contribution; the last sum to the adjustment.
        """
        keys = self._kept.models["key"].to_list()
        if model not in keys:
            raise RankingError(name_unknown("the models ranked", model, keys))
        m = keys.index(model)
        cells = self._fit.cells
        mine = np.flatnonzero(cells.model == m)
        benchmark = cells.benchmark[mine]
        fit = self._fit
        expected = expected_score(
            fit.ability[[m]], fit.discrimination[benchmark], fit.difficulty[benchmark], fit.settings.link
        )
        contribution = np.zeros(mine.size) if self._field is None else self._field.contribution[mine]
        order = np.argsort(-np.abs(contribution), kind="stable")
        table = pl.DataFrame(
            {
                "benchmark": self._kept.benchmarks["key"][benchmark.tolist()],
                "distance": self._distances[benchmark],
                "score": self._kept.scores[m, benchmark],
                "expected": expected,
                "residual": cells.residual[mine],
                "cell_weight": cells.weight[mine],
                "contribution": contribution,
            }
        )
        return table.select(pl.all().gather(order.tolist()))
