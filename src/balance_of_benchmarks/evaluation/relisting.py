"""Listing a benchmark again, the limiting case of densification: how far rankings move (§4.2, Appendix C)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass, replace
from typing import Literal, get_args

import numpy as np
from scipy.stats import kendalltau

from balance_of_benchmarks.equating.fit import fit_scores, refit_abilities
from balance_of_benchmarks.equating.result import Fit
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.evaluation.study import Study, mean_observed, standardize_columns
from balance_of_benchmarks.geometry.space import Space, Weighting
from balance_of_benchmarks.ranking.order import place_models
from balance_of_benchmarks.types import FloatArray, IntArray

__all__ = [
    "RankingShift",
    "Relistable",
    "Relisting",
    "RelistingSteps",
    "check_copies",
    "compare_rankings",
    "decompose_relisting",
    "fit_listing",
    "relist",
    "relist_ranking",
]

Relistable = Weighting | Literal["equal_z"]
"""A weighting of the full method ("equal" is flat u), or the mean of observed z-scores, which is no method's."""


@dataclass(frozen=True, slots=True)
class RankingShift:
    """How far one ranking lies from another of the same models; NaN where undefined.

    Parameters
    ----------
    kendall : float
        τ-b.
    median, high, largest : float
        Median, 95th percentile and maximum over models of the change of place.
    top_10, top_50 : float
        How many of the first ten, or fifty, are not among them afterwards.
    ability : float
        Largest change of a score, in standard deviations of the scores before.
    """

    kendall: float
    median: float
    high: float
    largest: float
    top_10: float
    top_50: float
    ability: float


@dataclass(frozen=True, slots=True, eq=False)
class Relisting:
    """What listing each benchmark again does to a ranking; arrays over scenarios, one a benchmark.

    Parameters
    ----------
    copies : int
        How many are added.
    relisted : ndarray of int, shape (S,)
        Which benchmark each scenario lists again: the first listed of each point that has a score.
    gap : float
        Median gap in ability between adjacent models before, in SDs: what a change of ability is to be held against.
    kendall, median, high, largest, top_10, top_50, ability : ndarray of shape (S,)
        As in `RankingShift`.
    """

    copies: int
    relisted: IntArray
    gap: float
    kendall: FloatArray
    median: FloatArray
    high: FloatArray
    largest: FloatArray
    top_10: FloatArray
    top_50: FloatArray
    ability: FloatArray

    @property
    def mean(self) -> RankingShift:
        """Each figure's mean over scenarios, as the paper prints them."""
        figures = (self.kendall, self.median, self.high, self.largest, self.top_10, self.top_50, self.ability)
        return RankingShift(*(float(values.mean()) if values.size else float("nan") for values in figures))


@dataclass(frozen=True, slots=True, eq=False)
class RelistingSteps:
    """Where the movement under re-listing comes from: each step frees something more.

    Parameters
    ----------
    forced : Relisting
        The group's weight is held at the single listing's, curves and cell weights too.
    held : Relisting
        The weighting's own weights of the longer list; curves and cell weights are held.
    refitted : Relisting
        Everything is fitted anew.
    """

    forced: Relisting
    held: Relisting
    refitted: Relisting


def compare_rankings(before: FloatArray, after: FloatArray) -> RankingShift:
    """Measure how far models move from one ranking to another.

    Parameters
    ----------
    before, after : ndarray of shape (M,)
        Scores, higher better; a model with NaN in either is left out of both.

    Returns
    -------
    RankingShift

    Examples
    --------
    >>> shift = compare_rankings(np.array([3.0, 2.0, 1.0]), np.array([2.0, 3.0, 1.0]))
    >>> shift.largest, round(shift.kendall, 3), shift.top_10
    (1.0, 0.333, 0.0)
    """
    known = np.isfinite(before) & np.isfinite(after)
    if not known.any():
        return RankingShift(*[float("nan")] * 7)
    before, after = before[known], after[known]
    place, moved_to = place_models(before), place_models(after)
    moved = np.abs(place - moved_to)
    spread = float(before.std())
    return RankingShift(
        kendall=float(kendalltau(before, after).statistic),
        median=float(np.median(moved)),
        high=float(np.percentile(moved, 95)),
        largest=float(moved.max()),
        top_10=float(((place <= 10) & (moved_to > 10)).sum()),
        top_50=float(((place <= 50) & (moved_to > 50)).sum()),
        ability=float(np.abs(after - before).max()) / spread if spread > 0 else float("nan"),
    )


def relist(study: Study, *, copies: int = 4, weighting: Relistable = "inverse_density") -> Relisting:
    """List each benchmark again in turn, and see how far the global ranking moves.

    Parameters
    ----------
    study : Study
    copies : int
        How many copies are added, with the text and the scores of the first; the paper draws 1 to 10.
    weighting : {"inverse_density", "magnitude", "equal", "equal_z"}
        The method under one of its weightings, or the mean of observed z-scores.

    Returns
    -------
    Relisting

    Notes
    -----
    §4.2, "Exact re-listing tests the limiting case". The unit of distance stays, being a median over distinct texts.
    """
    if weighting == "equal_z":
        z = standardize_columns(study.scores)
        return relist_ranking(study, lambda places: mean_observed(z[:, places]), copies=copies)
    weighted = _reweigh(study, weighting)
    return relist_ranking(weighted, lambda places: fit_listing(weighted, places).ability, copies=copies)


def relist_ranking(study: Study, rank: Callable[[IntArray], FloatArray], *, copies: int = 4) -> Relisting:
    """List each benchmark again in turn, whatever the ranking.

    Parameters
    ----------
    study : Study
    rank : callable
        From the positions of a list's benchmarks in the study, repeated where one is listed again, to scores (M,).
    copies : int

    Returns
    -------
    Relisting
    """
    check_copies(copies)
    listed, targets = np.arange(len(study.keys)), study.targets()
    before = rank(listed)
    shifts = [compare_rankings(before, rank(np.append(listed, np.full(copies, target)))) for target in targets]
    figures = np.array([astuple(shift) for shift in shifts]).reshape(-1, 7).T
    return Relisting(copies, targets, _median_gap(before), *figures)


def check_copies(copies: object) -> None:
    """Refuse a number of added copies that is none."""
    if isinstance(copies, bool) or not isinstance(copies, int) or copies < 1:
        raise ArrayError(f"copies is {copies!r}: expected a whole number of at least 1")


def decompose_relisting(study: Study, *, copies: int = 4, weighting: Weighting = "inverse_density") -> RelistingSteps:
    """Tell apart what moves a ranking when benchmarks are listed again.

    Parameters
    ----------
    study : Study
    copies : int
    weighting : {"inverse_density", "magnitude", "equal"}

    Returns
    -------
    RelistingSteps

    Notes
    -----
    Appendix C, "Why the fitted ranking still moves". A copy has its original's curve and cell weights, so the held
    steps need no longer list: they add up the weights of each benchmark's listings (`refit_abilities`).
    """
    study = _reweigh(study, weighting)
    fit, labels = fit_listing(study), study.space.labels

    def hold(weigh: Callable[[IntArray], FloatArray]) -> Relisting:
        return relist_ranking(
            study, lambda places: refit_abilities(fit, np.bincount(places, weights=weigh(places))), copies=copies
        )

    return RelistingSteps(
        forced=hold(lambda places: _share_weight(study.space.weights, labels, places)),
        held=hold(lambda places: _list_again(study.space, places).weights),
        refitted=relist(study, copies=copies, weighting=weighting),
    )


def fit_listing(study: Study, places: IntArray | None = None) -> Fit:
    """Fit a list drawn from a study's benchmarks.

    Parameters
    ----------
    study : Study
    places : ndarray of int, optional
        Positions of its benchmarks, repeated where one is listed again; the study as it is by default.

    Returns
    -------
    Fit
    """
    listed = np.arange(len(study.keys)) if places is None else places
    space = study.space if places is None else _list_again(study.space, places)
    return fit_scores(
        study.scores[:, listed],
        space.weights,
        n_items=study.n_items[listed],
        labels=space.labels,
        settings=study.settings,
    )


def _median_gap(scores: FloatArray) -> float:
    known = np.sort(scores[np.isfinite(scores)])
    return float(np.median(np.diff(known)) / known.std()) if known.size > 1 and known.std() > 0 else float("nan")


def _reweigh(study: Study, weighting: Weighting) -> Study:
    if weighting not in get_args(Weighting):
        raise ArrayError(f"weighting is {weighting!r}: expected one of {', '.join(get_args(Weighting))} or equal_z")
    rule = replace(study.space.rule, weighting=weighting, given=None)
    return replace(study, space=_list_again(replace(study.space, rule=rule), np.arange(len(study.keys))))


def _list_again(space: Space, places: IntArray) -> Space:
    return space.take(places, unit=space.median)


def _share_weight(weights: FloatArray, labels: IntArray, places: IntArray) -> FloatArray:
    """Weights of a longer list in which every point keeps its weight, shared by its listings."""
    point = labels[places]
    total, listings = np.bincount(labels, weights=weights), np.bincount(point)
    shared: FloatArray = total[point] / listings[point]
    return shared
