"""Holding out one benchmark with its copies, and how well its ranking is predicted: level and profile, §4.1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from balance_of_benchmarks.correlation import average_ranks, mean_percentile, pearson, rank_rows, spearman
from balance_of_benchmarks.equating.fit import fit_scores
from balance_of_benchmarks.equating.result import Fit
from balance_of_benchmarks.equating.settings import FitSettings
from balance_of_benchmarks.geometry.points import copy_shares
from balance_of_benchmarks.geometry.space import Space
from balance_of_benchmarks.types import BoolArray, FloatArray, IntArray

__all__ = ["Fold", "HeldOut", "find_targets", "hold_out", "iterate_folds", "score_prediction", "score_together"]


# A quadratic leaves nothing of three models.
_FEWEST: Final = 4
_FLAT: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """A board without one benchmark and its copies, fitted.

    Parameters
    ----------
    target : int
        Position of the benchmark held out.
    pool : ndarray of int, shape (n,)
        Positions of the benchmarks at other points: N - 1 where none is listed twice.
    space : Space
        Of the pool.
    fit : Fit
        On the pool, for all models of the board.
    distances : ndarray of shape (n,)
        From the target's text to the pool's.
    scores : ndarray of shape (M,)
        The target's, NaN where unobserved: for judging predictions only.
    ability : ndarray of shape (M,)
        Pool ability, the control of `score_prediction`: mean percentile rank over the pool's points, which uses no
        curve, so that no method is favoured by it.
    """

    target: int
    pool: IntArray
    space: Space
    fit: Fit
    distances: FloatArray
    scores: FloatArray
    ability: FloatArray

    def score(self, prediction: FloatArray) -> HeldOut:
        """Judge a prediction (M,) of the target's ranking."""
        return score_prediction(prediction, self.scores, self.ability)


@dataclass(frozen=True, slots=True)
class HeldOut:
    """How well a benchmark's ranking was predicted; NaN where a correlation is undefined.

    Parameters
    ----------
    level : float
        Spearman correlation of prediction and scores.
    profile : float
        The same after a quadratic in pool ability was removed from both rankings.
    """

    level: float
    profile: float


def hold_out(
    scores: FloatArray,
    space: Space,
    target: int,
    *,
    unit: float | None = None,
    without: Sequence[int] = (),
    n_items: ArrayLike | None = None,
    ability_scale: ArrayLike | None = None,
    settings: FitSettings | None = None,
    threads: int | None = None,
) -> Fold:
    """Refit a board without one benchmark.

    Its copies leave with it: a pool that holds the answer tests nothing.

    Parameters
    ----------
    scores : ndarray of shape (M, N)
    space : Space
        Of all N.
    target : int
    unit : float, optional
        Median distance to keep; the pool's own by default, as in the paper's outer folds.
    without : sequence of int
        Further benchmarks to leave out of the pool.
    n_items, ability_scale : array-like of shape (N,), optional
    settings, threads
        As for `fit_scores`.

    Returns
    -------
    Fold
    """
    pool: IntArray = np.setdiff1d(np.flatnonzero(space.labels != space.labels[target]), without).astype(np.int64)
    part = space.take(pool, unit=unit)
    fit = fit_scores(
        scores[:, pool],
        part.weights,
        n_items=None if n_items is None else np.asarray(n_items)[pool],
        ability_scale=None if ability_scale is None else np.asarray(ability_scale)[pool],
        labels=part.labels,
        settings=settings,
        threads=threads,
    )
    return Fold(
        target=target,
        pool=pool,
        space=part,
        fit=fit,
        distances=space.distances[target, pool],
        scores=scores[:, target],
        ability=mean_percentile(scores[:, pool], copy_shares(part.labels)),
    )


def iterate_folds(
    scores: FloatArray,
    space: Space,
    targets: Iterable[int] | None = None,
    *,
    unit: float | None = None,
    n_items: ArrayLike | None = None,
    ability_scale: ArrayLike | None = None,
    settings: FitSettings | None = None,
    threads: int | None = None,
) -> Iterator[Fold]:
    """Hold out each target in turn, by default the first listed benchmark of each point; see `hold_out`."""
    for target in space.firsts if targets is None else targets:
        yield hold_out(
            scores,
            space,
            int(target),
            unit=unit,
            n_items=n_items,
            ability_scale=ability_scale,
            settings=settings,
            threads=threads,
        )


def find_targets(scores: FloatArray, space: Space) -> IntArray:
    """Find the benchmarks that can be held out: they have a score, and leave a pool that can rank somebody.

    Parameters
    ----------
    scores : ndarray of shape (M, N)
    space : Space

    Returns
    -------
    ndarray of int
        The first listed of each point, ascending.
    """
    scored = ~np.isnan(scores).all(axis=0)
    weighty = scored & (space.weights > 0)
    # A point that holds all the weight leaves a pool that ranks nobody.
    weighty_here = np.bincount(space.labels, weights=weighty)[space.labels]
    able = scored & (weighty.sum() > weighty_here)
    targets: IntArray = space.firsts[able[space.firsts]]
    return targets


def score_prediction(prediction: FloatArray, scores: FloatArray, ability: FloatArray) -> HeldOut:
    """Level and profile of a prediction, over the models observed on the target.

    Parameters
    ----------
    prediction : ndarray of shape (M,)
        NaN where the method says nothing: such models are left out.
    scores : ndarray of shape (M,)
    ability : ndarray of shape (M,)
        Pool ability.

    Returns
    -------
    HeldOut

    Notes
    -----
    §4.1. Both sides are ranked over the same models, a quadratic in pool ability is removed from each ranking
    by least squares, and the residuals' Spearman correlation is the profile.
    """
    used: BoolArray = ~(np.isnan(prediction) | np.isnan(scores) | np.isnan(ability))
    predicted, actual, control = prediction[used], scores[used], ability[used]
    if used.sum() < _FEWEST:
        return HeldOut(spearman(predicted, actual), np.nan)
    design = np.vander(control - control.mean(), 3)
    left = [ranks - design @ np.linalg.lstsq(design, ranks)[0] for ranks in map(average_ranks, (predicted, actual))]
    # What least squares leaves of a ranking that is a quadratic is noise in the last digits, not a profile.
    flat = any(np.abs(rest).max() < _FLAT * used.sum() for rest in left)
    return HeldOut(spearman(predicted, actual), np.nan if flat else spearman(*left))


def score_together(predictions: FloatArray, scores: FloatArray, ability: FloatArray) -> FloatArray:
    """Level and profile of many predictions of the same models, in a fraction of `score_prediction`'s time.

    Parameters
    ----------
    predictions : ndarray of shape (K, M)
        NaN for the same models in each.
    scores, ability : ndarray of shape (M,)

    Returns
    -------
    ndarray of shape (K, 2)
        What `score_prediction` gives, to rounding.
    """
    used: BoolArray = ~(np.isnan(predictions).any(axis=0) | np.isnan(scores) | np.isnan(ability))
    figures = np.full((len(predictions), 2), np.nan)
    if used.sum() < 2:
        return figures
    predicted, actual, control = rank_rows(predictions[:, used]), average_ranks(scores[used]), ability[used]
    figures[:, 0] = [pearson(ranks, actual) for ranks in predicted]
    if used.sum() < _FEWEST:
        return figures
    basis, size, _ = np.linalg.svd(np.vander(control - control.mean(), 3), full_matrices=False)
    basis = basis[:, size > np.finfo(np.float64).eps * used.sum() * size[0]]  # what lstsq takes for the rank
    rest, target = predicted - (predicted @ basis) @ basis.T, actual - basis @ (basis.T @ actual)
    if np.abs(target).max() >= _FLAT * used.sum():
        told = np.abs(rest).max(axis=1) >= _FLAT * used.sum()
        target_ranks = average_ranks(target)
        figures[told, 1] = [pearson(ranks, target_ranks) for ranks in rank_rows(rest[told])]
    return figures
