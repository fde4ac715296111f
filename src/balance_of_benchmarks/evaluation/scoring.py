"""From predictions to figures: every method on every fold by every metric, means, and tests against ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from balance_of_benchmarks.evaluation.methods import METHODS, Family
from balance_of_benchmarks.evaluation.predictions import Predictions
from balance_of_benchmarks.evaluation.profiles import binned_profile, isotonic_profile
from balance_of_benchmarks.evaluation.statistics import PairedComparison, compare_pairs, standard_error
from balance_of_benchmarks.evaluation.study import Study
from balance_of_benchmarks.ranking.folds import score_prediction
from balance_of_benchmarks.types import BoolArray, FloatArray, IntArray

__all__ = ["METRICS", "Test", "Verdicts", "compare_methods", "score_predictions"]

METRICS: Final[tuple[str, ...]] = ("level", "profile", "isotonic", "binned")
"""Spearman correlations with the held-out scores: as they are, and with general ability removed in three ways."""

_STRICT: Final[dict[str, Callable[[FloatArray, FloatArray, FloatArray], float]]] = {
    "isotonic": isotonic_profile,
    "binned": binned_profile,
}


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """How well each method predicted each benchmark.

    Parameters
    ----------
    methods : tuple of str, length K
    values : dict of str to ndarray of shape (F, K)
        By metric; NaN where a correlation is undefined.
    models : ndarray of int, shape (F, K)
        How many models each figure rests on.
    """

    methods: tuple[str, ...]
    values: dict[str, FloatArray]
    models: IntArray

    def of(self, method: str, metric: str) -> FloatArray:
        """One method's figures by one metric, shape (F,)."""
        figures: FloatArray = self.values[metric][:, self.methods.index(method)]
        return figures

    def mean(self, method: str, metric: str, folds: BoolArray | None = None) -> float:
        """Mean over the folds, or some of them, in which it is defined; NaN where it is in none."""
        figures = self.of(method, metric)
        known = figures[~np.isnan(figures) & (True if folds is None else folds)]
        return float(known.mean()) if known.size else float("nan")

    def error(self, method: str, metric: str) -> float:
        """Standard error of that mean over folds."""
        return standard_error(self.of(method, metric))


@dataclass(frozen=True, slots=True)
class Test:
    """Ours against another method by one metric.

    Parameters
    ----------
    metric : str
    family : str
        The methods whose p-values were adjusted together.
    result : PairedComparison
    """

    metric: str
    family: Family
    result: PairedComparison


def score_predictions(
    study: Study, predictions: Predictions, *, models: BoolArray | None = None, metrics: Sequence[str] = METRICS
) -> Verdicts:
    """Judge predictions by the scores that were held out.

    Parameters
    ----------
    study : Study
    predictions : Predictions
        Of its benchmarks.
    models : ndarray of bool, shape (M,), optional
        Judge by these models only: an era, a pattern of coverage.
    metrics : sequence of str
        Of `METRICS`.

    Returns
    -------
    Verdicts
    """
    shape = len(predictions.targets), len(predictions.methods)
    values = {metric: np.full(shape, np.nan) for metric in metrics}
    counts = np.zeros(shape, dtype=np.int64)
    for f, target in enumerate(predictions.targets):
        scores = study.scores[:, target] if models is None else np.where(models, study.scores[:, target], np.nan)
        ability = predictions.ability[f]
        for k in range(shape[1]):
            prediction = predictions.values[f, k]
            counts[f, k] = (~np.isnan(prediction + scores + ability)).sum()
            plain = score_prediction(prediction, scores, ability)
            for metric in metrics:
                strict = _STRICT.get(metric)
                values[metric][f, k] = getattr(plain, metric) if strict is None else strict(prediction, scores, ability)
    return Verdicts(predictions.methods, values, counts)


def compare_methods(
    verdicts: Verdicts, *, rng: np.random.Generator, draws: int = 10_000, folds: BoolArray | None = None
) -> tuple[Test, ...]:
    """Test ours against every other method, by metric and family.

    Parameters
    ----------
    verdicts : Verdicts
    rng : numpy.random.Generator
    draws : int
        Of the bootstrap intervals over folds.
    folds : ndarray of bool, shape (F,), optional
        Only these: without the close pairs, say.

    Returns
    -------
    tuple of Test

    Notes
    -----
    §4.1: Holm's correction over the six end-to-end baselines and over the seven controls, each metric by itself.
    Further families are corrected by themselves, so that adding one changes no other's p-values.
    """
    tests: list[Test] = []
    families = dict.fromkeys(method.family for method in METHODS if method.family not in ("ours", "option"))
    # Spawned, so that asking for options changes no interval of the others.
    for asked, chance in ((tuple(families), rng), (("option",), rng.spawn(1)[0])):
        for metric in verdicts.values:
            ours = _within(verdicts.of("bob", metric), folds)
            for family in asked:
                others = {
                    method.id: _within(verdicts.of(method.id, metric), folds)
                    for method in METHODS
                    if method.family == family and method.id in verdicts.methods
                }
                tests += [Test(metric, family, pair) for pair in compare_pairs(ours, others, rng=chance, draws=draws)]
    return tuple(tests)


def _within(figures: FloatArray, folds: BoolArray | None) -> FloatArray:
    return figures if folds is None else np.where(folds, figures, np.nan)
