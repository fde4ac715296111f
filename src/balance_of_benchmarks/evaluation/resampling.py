"""How figures would move had other models been listed: a bootstrap over models, those of one origin drawn together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import polars as pl

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.evaluation.predictions import Predictions
from balance_of_benchmarks.evaluation.study import Study
from balance_of_benchmarks.types import FloatArray, IntArray

__all__ = ["ModelDraws", "cluster_models", "resample_models"]

# What tells variants of one model apart: settings in brackets, effort, size of a thinking budget, dates.
_SETTING: Final = re.compile(
    r"\([^)]*\)|\[[^\]]*\]|\b(x?high|medium|low|max|minimal|none|thinking|reasoning|non|adaptive|preview|latest|"
    r"instruct|chat|base|\d{4}-\d{2}(-\d{2})?|\d{4}|\d+k)\b",
    re.I,
)


@dataclass(frozen=True, slots=True, eq=False)
class ModelDraws:
    """Mean level and profile over folds in each draw of models.

    Parameters
    ----------
    methods : tuple of str, length K
    level, profile : ndarray of shape (B, K)
    clusters : int
        How many groups of models were drawn from.
    """

    methods: tuple[str, ...]
    level: FloatArray
    profile: FloatArray
    clusters: int


def cluster_models(models: pl.DataFrame, by: Literal["maker", "base_model"] = "maker") -> IntArray:
    """Group models that are not independent draws: all of a maker, or variants of one base model.

    Parameters
    ----------
    models : polars.DataFrame
        With `key`, `name` and `creator`, as on a board.
    by : {"maker", "base_model"}
        A base model is a name without what is known for settings: brackets, effort, dates.

    Returns
    -------
    ndarray of int, shape (M,)
        A model of an unknown maker is grouped by its base model.
    """
    groups = [
        f"maker {creator}" if creator and by == "maker" else f"model {_base_name(name or key)}"
        for key, name, creator in models.select("key", "name", "creator").iter_rows()
    ]
    _, labels = np.unique(np.array(groups, dtype=object), return_inverse=True)
    return labels.astype(np.int64)


def _base_name(name: str) -> str:
    return " ".join(re.sub(r"[^\w.]+", " ", _SETTING.sub(" ", name)).casefold().split()) or name


def resample_models(
    study: Study,
    predictions: Predictions,
    clusters: IntArray,
    *,
    methods: Sequence[str] | None = None,
    draws: int = 1000,
    rng: np.random.Generator,
) -> ModelDraws:
    """Draw clusters of models with replacement and judge the same predictions by each draw.

    Predictions are not refitted: this is the uncertainty of the judging, which on a board of many variants of few
    makers is larger than it looks.

    Parameters
    ----------
    study : Study
    predictions : Predictions
    clusters : ndarray of int, shape (M,)
        From `cluster_models`.
    methods : sequence of str, optional
        Which of the predictions' methods.
    draws : int
    rng : numpy.random.Generator

    Returns
    -------
    ModelDraws
    """
    names, members = np.unique(clusters, return_inverse=True)
    if clusters.shape != (study.scores.shape[0],):
        raise ArrayError(f"clusters have shape {clusters.shape}: expected a label for each of the models")
    drawn = rng.multinomial(names.size, np.full(names.size, 1.0 / names.size), size=draws)
    weights = drawn[:, members].astype(np.float64)
    ids = tuple(predictions.methods if methods is None else methods)
    level = np.full((len(predictions.targets), len(ids), draws), np.nan)
    profile = np.full_like(level, np.nan)
    for f, target in enumerate(predictions.targets):
        scores, ability = study.scores[:, target], predictions.ability[f]
        for k, id_ in enumerate(ids):
            prediction = predictions.of(id_)[f]
            used = ~np.isnan(prediction + scores + ability)
            if used.sum() < 4:
                continue
            level[f, k], profile[f, k] = _weighted_held_out(
                prediction[used], scores[used], ability[used], weights[:, used]
            )
    return ModelDraws(ids, _mean_over_folds(level), _mean_over_folds(profile), names.size)


def _mean_over_folds(figures: FloatArray) -> FloatArray:
    """Mean over the folds in which a draw's figure is defined, (F, K, B) to (B, K)."""
    known = ~np.isnan(figures)
    count = known.sum(axis=0)
    total = np.where(known, figures, 0.0).sum(axis=0)
    mean: FloatArray = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0).T
    return mean


def _weighted_held_out(
    prediction: FloatArray, scores: FloatArray, ability: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Level and profile (B,) of one prediction under weights (B, n), a model of weight k counting as k models."""
    predicted, actual = _weighted_ranks(prediction, weights), _weighted_ranks(scores, weights)
    level = _weighted_pearson(predicted, actual, weights)
    left = [_remove_quadratic(ranks, ability, weights) for ranks in (predicted, actual)]
    ranks = [
        np.stack([_weighted_ranks(row, one[None])[0] for row, one in zip(rest, weights, strict=True)]) for rest in left
    ]
    return level, _weighted_pearson(ranks[0], ranks[1], weights)


def _weighted_ranks(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Average ranks (B, n) of values (n,), each listed as often as its weight says."""
    _, group = np.unique(values, return_inverse=True)
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(group[order]) > 0])
    in_group = np.add.reduceat(weights[:, order], starts, axis=1)
    before = np.cumsum(in_group, axis=1) - in_group
    ranks: FloatArray = (before + (in_group + 1.0) / 2.0)[:, group]
    return ranks


def _remove_quadratic(ranks: FloatArray, ability: FloatArray, weights: FloatArray) -> FloatArray:
    """What weighted least squares leave of ranks (B, n) besides a quadratic in ability (n,)."""
    design = np.vander(ability - ability.mean(), 3)
    weighted = weights[:, :, None] * design
    gram = np.einsum("bni,nj->bij", weighted, design)
    moment = np.einsum("bni,bn->bi", weighted, ranks)
    # A draw of few clusters may leave no quadratic to fit: the pseudo-inverse then fits what there is.
    fitted = np.einsum("bij,bj->bi", np.linalg.pinv(gram, hermitian=True), moment)
    left: FloatArray = np.round(ranks - fitted @ design.T, 9)
    return left


def _weighted_pearson(x: FloatArray, y: FloatArray, weights: FloatArray) -> FloatArray:
    total = weights.sum(axis=1, keepdims=True)
    some = total[:, 0] > 0
    safe = np.where(total > 0, total, 1.0)
    dx = x - (weights * x).sum(axis=1, keepdims=True) / safe
    dy = y - (weights * y).sum(axis=1, keepdims=True) / safe
    spread = np.sqrt((weights * dx**2).sum(axis=1) * (weights * dy**2).sum(axis=1))
    shared = (weights * dx * dy).sum(axis=1)
    defined = some & (spread > 1e-9 * safe[:, 0] ** 3)
    correlation: FloatArray = np.divide(shared, spread, out=np.full(spread.shape, np.nan), where=defined)
    return correlation
