"""Each benchmark held out in turn, and what every method predicts of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from balance_of_benchmarks.errors import ArrayError, RankingError, name_unknown
from balance_of_benchmarks.evaluation.methods import GRIDS, choose_methods
from balance_of_benchmarks.evaluation.panel import Panel
from balance_of_benchmarks.evaluation.processes import count_jobs, map_spawned
from balance_of_benchmarks.evaluation.rules import Clusterings
from balance_of_benchmarks.evaluation.study import Study
from balance_of_benchmarks.types import FloatArray, IntArray

__all__ = ["Predictions", "count_left", "predict_held_out"]


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """What K methods predict of F benchmarks for M models; scoring comes after, so that it can be done in many ways.

    Parameters
    ----------
    targets : ndarray of int, shape (F,)
        Positions of the benchmarks held out.
    methods : tuple of str, length K
        Ids; those the board has nothing for are left out.
    values : ndarray of shape (F, K, M)
        NaN where a method says nothing of a model.
    ability : ndarray of shape (F, M)
        Pool ability, the control of the profile.
    nearest : ndarray of shape (F,)
        Distance from the text held out to its nearest in the pool, in the pool's medians; infinite without a text.
    chosen : dict of str to ndarray of shape (F,)
        What nested selection chose, by grid; NaN where no method asked.
    pools : tuple of tuple of int, length F
        Positions of the benchmarks predicted from.
    """

    targets: IntArray
    methods: tuple[str, ...]
    values: FloatArray
    ability: FloatArray
    nearest: FloatArray
    chosen: dict[str, FloatArray] = field(default_factory=dict)
    pools: tuple[tuple[int, ...], ...] = ()

    def of(self, method: str) -> FloatArray:
        """One method's predictions, shape (F, M)."""
        if method not in self.methods:
            raise ArrayError(name_unknown("the methods that predicted", method, self.methods))
        values: FloatArray = self.values[:, self.methods.index(method)]
        return values


@dataclass(frozen=True, slots=True, eq=False)
class _FoldPredictions:
    values: dict[str, FloatArray]
    ability: FloatArray
    nearest: float
    chosen: dict[str, float]
    pool: tuple[int, ...]


@dataclass(slots=True, eq=False)
class _PredictFold:
    """The work of one process: all methods on one fold after another."""

    study: Study
    methods: tuple[str, ...]
    families: dict[int, tuple[int, ...]]
    seed: int
    clusterings: Clusterings = field(default_factory=Clusterings)

    def __call__(self, target: int) -> _FoldPredictions:
        panel = Panel(self.study, target, self.clusterings, without=self.families.get(target, ()), seed=self.seed)
        question = panel.question
        predicted = {method.id: method.predict(panel) for method in choose_methods(self.methods)}
        near = question.distances.min(initial=np.inf) / question.pool.space.median
        return _FoldPredictions(
            values={id_: values for id_, values in predicted.items() if values is not None},
            ability=panel.trial.fold.ability,
            nearest=float(near),
            chosen={grid.id: panel.chosen(grid) for grid in GRIDS},
            pool=tuple(int(i) for i in panel.trial.fold.pool),
        )


def count_left(study: Study, target: int, without: Sequence[int] = ()) -> int:
    """Count the places in description space that are left to predict a benchmark from.

    Parameters
    ----------
    study : Study
    target : int
    without : sequence of int
        Further benchmarks that leave the pool.

    Returns
    -------
    int
    """
    labels = study.space.labels
    pool = np.setdiff1d(np.flatnonzero(labels != labels[target]), without)
    return int(np.unique(labels[pool]).size)


def predict_held_out(
    study: Study,
    methods: Iterable[str] | None = None,
    *,
    targets: Sequence[int] | None = None,
    families: dict[int, tuple[int, ...]] | None = None,
    jobs: int | None = 1,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Predictions:
    """Hold out each benchmark, refit, and let every method predict it.

    Parameters
    ----------
    study : Study
    methods : iterable of str, optional
        Ids; all by default.
    targets : sequence of int, optional
        Benchmarks to hold out; by default the first listed of each point that has a score.
    families : dict of int to tuple of int, optional
        Benchmarks that leave the pool together with a target.
    jobs : int, optional
        Processes; one a core when None. The result does not depend on it.
    seed : int
        Draws inner folds on wide boards.
    progress : callable, optional
        Called with folds done and folds in all.

    Returns
    -------
    Predictions

    Raises
    ------
    RankingError
        Where there is none to hold out, or fewer than two are left to predict one from.
    ArrayError
        For a target that is no position of a benchmark.
    """
    held_out = [int(i) for i in (study.targets() if targets is None else targets)]
    for target in held_out:
        if not 0 <= target < len(study.keys):
            raise ArrayError(f"target {target} is none of the {len(study.keys)} benchmarks' positions, counted from 0")
        left = count_left(study, target, (families or {}).get(target, ()))
        if left < 2:
            raise RankingError(
                f"without {study.keys[target]!r} and its family {left} benchmarks are left at different places in "
                "description space: expected at least 2 to predict it from"
            )
    if not held_out:
        raise RankingError("there is no benchmark to hold out: expected at least 3 with scores of positive weight")
    ids = tuple(method.id for method in choose_methods(methods))
    work = _PredictFold(study, ids, families or {}, seed)
    folds = list(map_spawned(work, held_out, jobs=count_jobs(jobs), progress=progress))
    known = tuple(id_ for id_ in ids if any(id_ in fold.values for fold in folds))
    nothing = np.full(study.scores.shape[0], np.nan)
    return Predictions(
        targets=np.array(held_out, dtype=np.int64),
        methods=known,
        values=np.array([[fold.values.get(id_, nothing) for id_ in known] for fold in folds]),
        ability=np.array([fold.ability for fold in folds]),
        nearest=np.array([fold.nearest for fold in folds]),
        chosen={grid.id: np.array([fold.chosen[grid.id] for fold in folds]) for grid in GRIDS},
        pools=tuple(fold.pool for fold in folds),
    )
