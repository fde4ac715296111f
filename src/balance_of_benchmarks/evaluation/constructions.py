"""The ablation's self-contained constructions A to D: the method put together from fewer parts (§4.3, Appendix E)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

import numpy as np

from balance_of_benchmarks.correlation import mean_percentile
from balance_of_benchmarks.equating.curve import Link
from balance_of_benchmarks.equating.fit import fit_scores
from balance_of_benchmarks.equating.result import Fit
from balance_of_benchmarks.equating.settings import FitSettings
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.evaluation.relisting import check_copies, compare_rankings
from balance_of_benchmarks.evaluation.study import Question, Study, mean_observed, standardize_columns
from balance_of_benchmarks.geometry.points import copy_shares
from balance_of_benchmarks.ranking.bandwidth import DEFAULT_BANDWIDTH
from balance_of_benchmarks.ranking.field import Shrinkage, residual_field
from balance_of_benchmarks.ranking.folds import score_prediction
from balance_of_benchmarks.ranking.relevance import continuous_relevance
from balance_of_benchmarks.types import FloatArray

__all__ = ["CONSTRUCTIONS", "Construction", "ConstructionFigures", "Control", "measure_construction"]

Control = Literal["list", "pool"]
"""The ability that the profile removes: mean percentile over the whole list, or over the fold's pool alone."""


@dataclass(frozen=True, slots=True)
class Construction:
    """One row of the ablation.

    Parameters
    ----------
    id : str
        As the paper letters it.
    title : str
    rank : callable
        From a question to scores of shape (M,).
    """

    id: str
    title: str
    rank: Callable[[Question], FloatArray]


@dataclass(frozen=True, slots=True)
class ConstructionFigures:
    """Mean level and profile over folds, and the mean over re-listings of the largest shift of a score, in SDs."""

    level: float
    profile: float
    copy_shift: float


def _precision_weighted(question: Question) -> FloatArray:
    """Mean of z-scores weighted by 1/σ², σ being a benchmark's spread around the plain mean."""
    z = question.z
    plain = standardize_columns(mean_observed(z)[:, None])
    scale = np.maximum(np.sqrt(mean_observed(((z - plain) ** 2).T)), _settings(question).smallest_scale)
    precision = np.where(np.isnan(z), np.nan, scale**-2.0)
    return mean_observed(precision * z) / mean_observed(precision)


def _curves_only(question: Question) -> FloatArray:
    """θ of the characteristic curves."""
    return _fit_flat(question).ability


def _linear_field(question: Question) -> FloatArray:
    """θ and field of straight lines in place of curves."""
    return _add_field(question, _fit_flat(question, link="linear"), "support")


def _unshrunk_field(question: Question) -> FloatArray:
    """θ of the curves and all of the field."""
    return _add_field(question, _fit_flat(question), "none")


CONSTRUCTIONS: Final = (
    Construction("A", "Linear z, precision-weighted mean", _precision_weighted),
    Construction("B", "Characteristic curves only", _curves_only),
    Construction("C", "Residual field only, linear scale", _linear_field),
    Construction("D", "Curves and field, no shrinkage", _unshrunk_field),
)


def measure_construction(
    study: Study, construction: Construction, *, control: Control = "list", copies: int = 4
) -> ConstructionFigures:
    """Hold benchmarks out and list them again under one construction.

    Parameters
    ----------
    study : Study
    construction : Construction
    control : {"list", "pool"}
    copies : int

    Returns
    -------
    ConstructionFigures
        Means over the folds, and the scenarios, in which each is defined; NaN where it is in none.

    Notes
    -----
    Appendix E says only that rows A to D are "self-contained" and "use their construction-specific ability control,
    whereas the full-method controls use the pool-only evaluation path". Ours: neither density weights nor robust cell
    weights are part of these rows (with both, row B would be the full-method control with flat weights, whose copy
    shift the paper prints as another); the control is over the whole list; a construction with a field is asked at the
    text of the benchmark that is listed again. docs/replication.md has every other reading that was tried.
    """
    if control not in get_args(Control):
        raise ArrayError(f"control is {control!r}: expected one of {', '.join(get_args(Control))}")
    check_copies(copies)
    whole = mean_percentile(study.scores, copy_shares(study.space.labels))
    outcomes = []
    for trial in study.trials():
        ability = whole if control == "list" else trial.fold.ability
        judged = score_prediction(construction.rank(trial.question), trial.fold.scores, ability)
        outcomes.append((judged.level, judged.profile))
    level, profile = mean_observed(np.array(outcomes).reshape(-1, 2).T)
    shifts = [
        compare_rankings(
            construction.rank(_ask_again(study, target, 0)), construction.rank(_ask_again(study, target, copies))
        ).ability
        for target in map(int, study.targets())
    ]
    return ConstructionFigures(float(level), float(profile), float(mean_observed(np.array([shifts]))[0]))


def _ask_again(study: Study, target: int, copies: int) -> Question:
    """Ask at a listed benchmark's own text, with so many copies of it on the list."""
    places = np.append(np.arange(len(study.keys)), np.full(copies, target)).astype(np.int64)
    pool = study.take(places, unit=study.space.median)
    return Question(
        pool=pool,
        fit=fit_scores(pool.scores, pool.space.weights, n_items=pool.n_items, settings=pool.settings),
        vector=study.space.vectors[target],
        distances=study.space.distances[target, places],
        peers=np.zeros(len(places), dtype=bool),
    )


def _settings(question: Question) -> FitSettings:
    return question.pool.settings or FitSettings()


def _fit_flat(question: Question, link: Link = "ogive") -> Fit:
    """Fit with equal weights and no robust ones."""
    plain = replace(_settings(question), link=link, robust_cap=np.inf)
    return fit_scores(question.pool.scores, n_items=question.pool.n_items, settings=plain)


def _add_field(question: Question, fit: Fit, shrinkage: Shrinkage) -> FloatArray:
    reach = DEFAULT_BANDWIDTH * question.pool.space.median
    relevance = continuous_relevance(question.distances, reach, np.ones(len(question.distances)))
    return residual_field(fit, relevance, shrinkage=shrinkage).score
