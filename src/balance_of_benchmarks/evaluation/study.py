"""A board as held-out tests look at it, and the question they put to every method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from balance_of_benchmarks.board.retain import RankableBoard
from balance_of_benchmarks.equating.result import Fit
from balance_of_benchmarks.equating.settings import FitSettings
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.geometry.space import Space
from balance_of_benchmarks.ranking.folds import Fold, find_targets, hold_out
from balance_of_benchmarks.types import BoolArray, FloatArray, IntArray

__all__ = ["Question", "Study", "Trial", "mean_observed", "standardize_columns", "study_board"]


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """What is known of a list of benchmarks and the models on it; of a whole board or of a pool.

    Parameters
    ----------
    scores : ndarray of shape (M, N)
        On [0, 1], NaN where unobserved.
    space : Space
        The N benchmarks in description space.
    keys : tuple of str, length N
    n_items : ndarray of shape (N,)
        NaN where unknown.
    categories : tuple of str or None, length N
        Labels by hand; None for a benchmark without one.
    index : ndarray of shape (M,), optional
        The source's own ranking score, as published; NaN where it has none.
    settings : FitSettings, optional
        Constants of every fit.
    """

    scores: FloatArray
    space: Space
    keys: tuple[str, ...]
    n_items: FloatArray
    categories: tuple[str | None, ...]
    index: FloatArray | None = None
    settings: FitSettings | None = None

    def take(self, positions: IntArray, *, unit: float | None = None) -> Study:
        """Take some of the benchmarks and all models.

        Parameters
        ----------
        positions : ndarray of int
        unit : float, optional
            Median distance to keep; the part's own by default.

        Returns
        -------
        Study
        """
        return self._take(positions, self.space.take(positions, unit=unit))

    def take_models(self, rows: IntArray) -> Study:
        """Take some of the models, by position, and all benchmarks."""
        return replace(self, scores=self.scores[rows], index=None if self.index is None else self.index[rows])

    def hold_out(self, target: int, *, unit: float | None = None, without: Sequence[int] = ()) -> Trial:
        """Hold out one benchmark with its copies, and fit what is left.

        Parameters
        ----------
        target : int
        unit : float, optional
            Median distance to keep; the pool's own by default, as in the paper's outer folds.
        without : sequence of int
            Further benchmarks to leave out of the pool, the target's family for instance.

        Returns
        -------
        Trial
        """
        fold = hold_out(
            self.scores,
            self.space,
            target,
            unit=unit,
            without=without,
            n_items=self.n_items,
            settings=self.settings,
        )
        category = self.categories[target]
        pool = self._take(fold.pool, fold.space)
        question = Question(
            pool=pool,
            fit=fold.fit,
            vector=self.space.vectors[target],
            distances=fold.distances,
            peers=np.array([category is not None and other == category for other in pool.categories], dtype=bool),
        )
        return Trial(fold, question)

    def trials(self, targets: Sequence[int] | None = None, *, unit: float | None = None) -> Iterator[Trial]:
        """Hold out each target in turn, by default all that `targets` gives."""
        for target in self.targets() if targets is None else targets:
            yield self.hold_out(int(target), unit=unit)

    def targets(self, most: int | None = None, rng: np.random.Generator | None = None) -> IntArray:
        """Benchmarks that can be held out: the first listed of each point with a score, if a weighty one is left.

        Parameters
        ----------
        most : int, optional
            So many of them are drawn where there are more (`Space.draw`).
        rng : numpy.random.Generator, optional
            For that; needed with `most`.

        Returns
        -------
        ndarray of int
            Ascending.
        """
        able = find_targets(self.scores, self.space)
        if most is not None and (isinstance(most, bool) or not isinstance(most, int) or most < 1):
            raise ArrayError(f"most is {most!r}: expected a whole number of benchmarks to hold out, at least 1")
        if most is None or able.size <= most:
            return able
        if rng is None:
            raise ArrayError(f"{able.size} benchmarks can be held out and {most} are to be drawn: give rng")
        return self.space.draw(able, most, rng)

    def _take(self, positions: IntArray, space: Space) -> Study:
        """Take some of the benchmarks with the space that was measured of them."""
        return replace(
            self,
            scores=self.scores[:, positions],
            space=space,
            keys=tuple(self.keys[i] for i in positions),
            n_items=self.n_items[positions],
            categories=tuple(self.categories[i] for i in positions),
        )


@dataclass(frozen=True, eq=False)
class Question:
    """Rank the models on a benchmark of which there are a text and a category, and no score.

    This is all that a method sees: the benchmark held out is in none of it.

    Parameters
    ----------
    pool : Study
        The benchmarks that are left, n of them; its own trials are the inner folds of nested selection.
    fit : Fit
        On the pool.
    vector : ndarray of shape (d,)
        Of the text held out; NaN where there is none.
    distances : ndarray of shape (n,)
        From the text held out to the pool's; infinite where there is none.
    peers : ndarray of bool, shape (n,)
        Which of the pool share the category held out.
    """

    pool: Study
    fit: Fit
    vector: FloatArray
    distances: FloatArray
    peers: BoolArray

    @cached_property
    def observed(self) -> BoolArray:
        """Which models have a score on which benchmarks of the pool, shape (M, n)."""
        return ~np.isnan(self.pool.scores)

    @cached_property
    def z(self) -> FloatArray:
        """The pool's scores standardized by column, shape (M, n)."""
        return standardize_columns(self.pool.scores)


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A question and the fold that knows the answer.

    Parameters
    ----------
    fold : Fold
    question : Question
    """

    fold: Fold
    question: Question


def study_board(
    kept: RankableBoard, space: Space, *, published_index: str | None = None, settings: FitSettings | None = None
) -> Study:
    """Make a study of a board that is ready to be ranked.

    Parameters
    ----------
    kept : RankableBoard
    space : Space
        Of its benchmarks.
    published_index : str, optional
        Column of its models that holds the source's own ranking score.
    settings : FitSettings, optional

    Returns
    -------
    Study
    """
    index = None
    if published_index is not None:
        if published_index not in kept.models.columns or not kept.models[published_index].dtype.is_numeric():
            raise ArrayError(f"the models have no column of numbers named {published_index!r}: see board.toml")
        index = kept.models[published_index].cast(float).fill_null(float("nan")).to_numpy().astype(np.float64)
    return Study(
        scores=kept.scores,
        space=space,
        keys=tuple(kept.benchmarks["key"].to_list()),
        n_items=kept.n_items,
        categories=tuple(kept.benchmarks["category"].to_list()),
        index=index,
        settings=settings,
    )


def standardize_columns(scores: FloatArray) -> FloatArray:
    """z-scores by each column's observed mean and population SD; 0 in a constant column.

    Parameters
    ----------
    scores : ndarray of shape (M, N)
        NaN where unobserved.

    Returns
    -------
    ndarray of shape (M, N)
        NaN where unobserved.
    """
    seen = ~np.isnan(scores)
    count = np.maximum(seen.sum(axis=0), 1)
    apart = scores - np.nansum(scores, axis=0) / count
    deviation = np.sqrt(np.nansum(apart**2, axis=0) / count)
    constant = deviation <= 1e-12  # what rounding leaves of equal numbers
    z: FloatArray = np.where(constant & seen, 0.0, apart / np.where(constant, 1.0, deviation))
    return z


def mean_observed(values: FloatArray) -> FloatArray:
    """Mean over what was observed of each model.

    Parameters
    ----------
    values : ndarray of shape (M, N)
        NaN where unobserved.

    Returns
    -------
    ndarray of shape (M,)
        NaN for a model without any.
    """
    count = (~np.isnan(values)).sum(axis=1)
    mean: FloatArray = np.divide(np.nansum(values, axis=1), count, out=np.full(len(values), np.nan), where=count > 0)
    return mean
