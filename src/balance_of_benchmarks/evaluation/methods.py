"""Every method that is asked to predict a benchmark it has not seen: ours, its variants, its controls, its rivals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

import numpy as np

from balance_of_benchmarks.equating.settings import AbilityScale
from balance_of_benchmarks.errors import ArrayError, name_unknown
from balance_of_benchmarks.evaluation.baselines import BASELINES
from balance_of_benchmarks.evaluation.panel import Grid, Panel
from balance_of_benchmarks.evaluation.rules import (
    CLUSTER_COUNTS,
    Clustering,
    Clusterings,
    category_relevance,
    cluster_agglomerative,
    cluster_kmeans,
    cluster_relevance,
    nearest_relevance,
    radius_relevance,
    support_matched_relevance,
    top_k_relevance,
)
from balance_of_benchmarks.evaluation.study import Question
from balance_of_benchmarks.geometry.space import Weighting
from balance_of_benchmarks.ranking.bandwidth import BANDWIDTHS, DEFAULT_BANDWIDTH
from balance_of_benchmarks.ranking.field import ResidualKind, Shrinkage, residual_field
from balance_of_benchmarks.ranking.presets import MOST_POINTS
from balance_of_benchmarks.ranking.relevance import continuous_relevance
from balance_of_benchmarks.types import FloatArray

__all__ = ["CONTINUOUS", "FAMILIES", "GRIDS", "METHODS", "Family", "Method", "choose_methods"]

Family = Literal["ours", "end_to_end", "practice", "reference", "control", "variant", "option"]

FAMILIES: Final[dict[Family, str]] = {
    "ours": "the method",
    "end_to_end": "the paper's end-to-end baselines",
    "practice": "what leaderboards use",
    "reference": "ability alone",
    "control": "the method with another rule of relevance",
    "variant": "the method with one part changed",
    "option": "the method with the options for boards unlike the paper's",
}
"""Methods are tested against ours within their family, one correction for each."""


@dataclass(frozen=True, slots=True)
class Method:
    """A way to rank models on a benchmark that none of them was scored on.

    Parameters
    ----------
    id : str
        Stable; in JSON.
    title : str
    family : str
        Of `FAMILIES`.
    predict : callable
        Of a panel: scores of shape (M,), NaN for a model it says nothing of; None where the board lacks what it
        needs.
    """

    id: str
    title: str
    family: Family
    predict: Callable[[Panel], FloatArray | None]


def _continuous(question: Question, _: Clusterings, multiple: float) -> FloatArray:
    space = question.pool.space
    return continuous_relevance(question.distances, multiple * space.median, space.weights)


def _top_k(question: Question, _: Clusterings, count: float) -> FloatArray:
    return top_k_relevance(question, int(count))


def _radius(question: Question, _: Clusterings, radius: float) -> FloatArray:
    return radius_relevance(question, radius)


def _clusters(cluster: Clustering, question: Question, clusterings: Clusterings, count: float) -> FloatArray | None:
    labels = clusterings.labels(question.pool.space, cluster, int(count))
    return None if labels is None else cluster_relevance(question, labels)


CONTINUOUS: Final = Grid("bandwidth", BANDWIDTHS, DEFAULT_BANDWIDTH, _continuous)
GRIDS: Final[tuple[Grid, ...]] = (
    CONTINUOUS,
    Grid("top_k", (1, 2, 3, 4, 5), 2, _top_k),
    Grid("radius", (0.25, 0.40, 0.55, 0.70, 1.00), 0.55, _radius),
    Grid("kmeans", CLUSTER_COUNTS, 2, partial(_clusters, cluster_kmeans)),
    Grid("agglomerative", CLUSTER_COUNTS, 2, partial(_clusters, cluster_agglomerative)),
)
"""What nested selection chooses from: the grids of Appendix A.2. A default serves where no inner fold can tell."""


def _predict_ours(
    panel: Panel,
    *,
    weighting: Weighting | None = None,
    shrinkage: Shrinkage | Literal["constant"] = "support",
    residual: ResidualKind = "standardized",
    information_in_support: bool = False,
) -> FloatArray:
    """Eq. (4) with the continuous rule; its bandwidth is chosen under the weighting in use."""
    panel = panel if weighting is None else panel.reweighted(weighting)
    relevance = panel.relevance(CONTINUOUS)
    if shrinkage == "constant":
        shrinkage = _mean_support(panel, relevance)
    return residual_field(
        panel.question.fit,
        relevance,
        shrinkage=shrinkage,
        residual=residual,
        information_in_support=information_in_support,
    ).score


def _predict_rescaled(panel: Panel) -> FloatArray:
    """Ours, every benchmark's errors in the ability objective divided by its scores' SD."""
    return _predict_ours(panel.rescaled("standardized"))


def _predict_kriged(panel: Panel, *, scale: AbilityScale | None = None) -> FloatArray:
    """Kriging in place of the kernel average; its process is chosen under the ability scale in use."""
    panel = panel if scale is None else panel.rescaled(scale)
    question = panel.question
    return panel.process().field(question.fit, question.distances, question.pool.space).score


def _predict_auto(panel: Panel, *, by_category: bool) -> FloatArray:
    """Give what the estimator gives by default, told the benchmark's category or its text alone."""
    panel = panel.under("auto")
    question = panel.question
    if question.pool.space.firsts.size > MOST_POINTS:
        return _predict_ours(panel)
    # A category that no benchmark of the pool has, or none, the estimator cannot be told.
    told = by_category and bool(question.peers.any())
    process = panel.process(by_category=told)
    peers = question.peers if told else None
    return process.field(question.fit, question.distances, question.pool.space, peers=peers).score


def _mean_support(panel: Panel, relevance: FloatArray) -> float:
    """Give the constant that takes up as much of the adjustment as support does on the average."""
    known = np.isfinite(panel.question.fit.ability)
    return float(residual_field(panel.question.fit, relevance).support[known].mean())


def _predict_by_grid(grid: Grid, panel: Panel) -> FloatArray:
    return residual_field(panel.question.fit, panel.relevance(grid)).score


def _predict_by_rule(rule: Callable[[Question], FloatArray], panel: Panel) -> FloatArray:
    return residual_field(panel.question.fit, rule(panel.question)).score


def _predict_support_matched(panel: Panel) -> FloatArray:
    relevance = support_matched_relevance(panel.question, panel.relevance(CONTINUOUS))
    return residual_field(panel.question.fit, relevance).score


def _predict_baseline(name: str, panel: Panel) -> FloatArray | None:
    return BASELINES[name](panel.question)


_TITLES: Final[tuple[tuple[str, str, Family], ...]] = (
    ("equal_weight", "Equal weight", "end_to_end"),
    ("category", "Category mean", "end_to_end"),
    ("nearest", "Nearest benchmark", "end_to_end"),
    ("published_index", "Published index", "end_to_end"),
    ("score_covariance", "Score-covariance weights", "end_to_end"),
    ("first_component", "First principal component", "end_to_end"),
    ("ability_only", "Calibrated ability alone", "reference"),
    ("pool_ability", "Mean percentile", "reference"),
    ("win_rate", "Mean win rate", "practice"),
    ("borda", "Borda count", "practice"),
    ("bradley_terry", "Bradley-Terry", "practice"),
    ("eci", "Logistic curves (ECI)", "practice"),
    ("low_rank", "Low-rank completion", "practice"),
)

METHODS: Final[tuple[Method, ...]] = (
    Method("bob", "The paper's method", "ours", _predict_ours),
    *(Method(name, title, family, partial(_predict_baseline, name)) for name, title, family in _TITLES),
    Method("control:support_matched", "Support-matched top-k", "control", _predict_support_matched),
    Method("control:category", "Category residual", "control", partial(_predict_by_rule, category_relevance)),
    Method("control:top_k", "Nested top-k", "control", partial(_predict_by_grid, GRIDS[1])),
    Method("control:nearest", "Nearest residual", "control", partial(_predict_by_rule, nearest_relevance)),
    Method("control:radius", "Nested radius", "control", partial(_predict_by_grid, GRIDS[2])),
    Method("control:kmeans", "Nested K-means", "control", partial(_predict_by_grid, GRIDS[3])),
    Method("control:agglomerative", "Nested agglomerative", "control", partial(_predict_by_grid, GRIDS[4])),
    Method("bob:magnitude", "... magnitude weights", "variant", partial(_predict_ours, weighting="magnitude")),
    Method("bob:flat", "... flat weights", "variant", partial(_predict_ours, weighting="equal")),
    Method("bob:no_shrinkage", "... no shrinkage", "variant", partial(_predict_ours, shrinkage="none")),
    Method("bob:constant_shrinkage", "... constant shrinkage", "variant", partial(_predict_ours, shrinkage="constant")),
    Method("bob:latent_offset", "... latent offsets", "variant", partial(_predict_ours, residual="latent_offset")),
    Method(
        "bob:information_in_support",
        "... informed support",
        "variant",
        partial(_predict_ours, information_in_support=True),
    ),
    Method("bob:auto", "... auto, the default", "option", partial(_predict_auto, by_category=True)),
    Method("bob:auto_text", "... auto, no category", "option", partial(_predict_auto, by_category=False)),
    Method("bob:standardized", "... standardized errors", "option", _predict_rescaled),
    Method("bob:kriging", "... kriging", "option", _predict_kriged),
    Method("bob:both", "... std. errors, kriging", "option", partial(_predict_kriged, scale="standardized")),
)
"""All of them, ours first."""


def choose_methods(ids: Iterable[str] | None) -> Sequence[Method]:
    """Give the methods named, ours among them and first.

    Parameters
    ----------
    ids : iterable of str, optional
        All by default.

    Returns
    -------
    sequence of Method

    Raises
    ------
    ArrayError
        For a name that is none.
    """
    if ids is None:
        return METHODS
    known = {method.id: method for method in METHODS}
    wanted = dict.fromkeys(("bob", *ids))
    for id_ in wanted:
        if id_ not in known:
            raise ArrayError(name_unknown("the methods", id_, known))
    return tuple(method for method in METHODS if method.id in wanted)
