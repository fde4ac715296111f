"""Discrete relevance rules, the controls of the continuous one: a rule is its g and nothing else.

The prediction of a rule is ``residual_field(question.fit, g).score``, so that rules differ in nothing but g: the
appendix on mechanism-matched aggregation controls.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from typing import Final

import numpy as np
from sklearn.cluster import AgglomerativeClustering, KMeans
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

from balance_of_benchmarks.evaluation.study import Question
from balance_of_benchmarks.geometry.space import Space
from balance_of_benchmarks.ranking.field import residual_field
from balance_of_benchmarks.types import BoolArray, FloatArray, IntArray, freeze

__all__ = [
    "CLUSTER_COUNTS",
    "KMEANS_SEED",
    "KMEANS_STARTS",
    "Clustering",
    "Clusterings",
    "category_relevance",
    "cluster_agglomerative",
    "cluster_kmeans",
    "cluster_relevance",
    "nearest_observed",
    "nearest_relevance",
    "radius_relevance",
    "support_discrepancy",
    "support_matched_relevance",
    "top_k_relevance",
]

Clustering = Callable[[FloatArray, int], IntArray]

# The paper's grid.
CLUSTER_COUNTS: Final = (2, 3, 4, 5, 6, 7, 8)
KMEANS_STARTS: Final = 30
KMEANS_SEED: Final = 0


def category_relevance(question: Question) -> FloatArray:
    """Give one to each benchmark that shares the category held out.

    Parameters
    ----------
    question : Question

    Returns
    -------
    ndarray of shape (n,)
        All 0 for a category of its own, which leaves every model its ability.
    """
    return question.peers.astype(np.float64)


def nearest_relevance(question: Question) -> FloatArray:
    """Give one to each model's closest observed benchmark.

    Parameters
    ----------
    question : Question

    Returns
    -------
    ndarray of shape (M, n)
    """
    return top_k_relevance(question, 1)


def top_k_relevance(question: Question, k: int) -> FloatArray:
    """Give one to each model's `k` closest observed benchmarks.

    Parameters
    ----------
    question : Question
    k : int
        A model observed on fewer has all of those.

    Returns
    -------
    ndarray of shape (M, n)
    """
    return nearest_observed(question, k).astype(np.float64)


def nearest_observed(question: Question, count: int | IntArray) -> BoolArray:
    """Find the closest benchmarks that each model was observed on.

    Parameters
    ----------
    question : Question
    count : int or ndarray of int, shape (M,)
        How many of them, where a model has so many.

    Returns
    -------
    ndarray of bool, shape (M, n)
        Of two at one distance the first listed; none without a text.
    """
    order = np.argsort(question.distances, kind="stable")
    there = question.observed[:, order] & np.isfinite(question.distances[order])
    found = np.empty_like(there)
    found[:, order] = there & (there.cumsum(axis=1) <= np.reshape(count, (-1, 1)))
    return found


def radius_relevance(question: Question, radius: float) -> FloatArray:
    """Give one to each benchmark within a distance.

    Parameters
    ----------
    question : Question
    radius : float
        In medians of the pool's unit.

    Returns
    -------
    ndarray of shape (n,)
    """
    return (question.distances <= radius * question.pool.space.median).astype(np.float64)


def support_matched_relevance(question: Question, weights: FloatArray) -> FloatArray:
    """Give one weight to as many of the nearest as the continuous rule leans on, with the same support in all.

    What then still sets the two apart is how support is spread, not how much there is of it or over how many.

    Parameters
    ----------
    question : Question
    weights : ndarray of shape (n,)
        g of the continuous rule; a model's a are those of the benchmarks it was observed on.

    Returns
    -------
    ndarray of shape (M, n)

    Notes
    -----
    The count is Kish's (Σ a)² / Σ a², rounded and at least 1; the weight makes Σ g w the same as Σ a w to
    rounding, which `support_discrepancy` measures.
    """
    continuous = np.where(question.observed, weights, 0.0)
    robust = np.nan_to_num(question.fit.cell_weights)
    squares = (continuous**2).sum(axis=1)
    kish = np.divide(continuous.sum(axis=1) ** 2, squares, out=np.ones_like(squares), where=squares > 0)
    chosen = nearest_observed(question, np.maximum(np.rint(kish), 1).astype(np.int64))
    mass, held = (continuous * robust).sum(axis=1), (chosen * robust).sum(axis=1)
    common = np.divide(mass, held, out=np.zeros_like(mass), where=held > 0)
    relevance: FloatArray = common[:, None] * chosen
    return relevance


def support_discrepancy(question: Question, weights: FloatArray) -> float:
    """Largest difference over models between the support of the matched rule and of the continuous one.

    Parameters
    ----------
    question : Question
    weights : ndarray of shape (n,)
        As for `support_matched_relevance`.

    Returns
    -------
    float
        In benchmarks' worth; rounding alone where every benchmark of positive weight has a text.
    """
    matched = residual_field(question.fit, support_matched_relevance(question, weights))
    continuous = residual_field(question.fit, weights)
    return float(np.abs(matched.support_mass - continuous.support_mass).max())


def cluster_relevance(question: Question, labels: IntArray) -> FloatArray:
    """Give one to each benchmark of the cluster that the text held out falls into.

    Parameters
    ----------
    question : Question
    labels : ndarray of int, shape (n,)
        From `Clusterings.labels`; negative for a benchmark in no cluster.

    Returns
    -------
    ndarray of shape (n,)
        All 0 where there is no text or no cluster.

    Notes
    -----
    The cluster is the one whose normalized mean vector has the largest cosine with the text's.
    """
    clusters = np.unique(labels[labels >= 0])
    if clusters.size == 0 or np.isnan(question.vector).any():
        return np.zeros(len(labels))
    sums = np.stack([question.pool.space.vectors[labels == cluster].sum(axis=0) for cluster in clusters])
    length = np.linalg.norm(sums, axis=1)
    # Vectors that cancel have no direction: their cosine with anything counts as none.
    cosine = np.divide(sums @ question.vector, length, out=np.zeros_like(length), where=length > 0)
    relevance: FloatArray = (labels == clusters[np.argmax(cosine)]).astype(np.float64)
    return relevance


def cluster_kmeans(vectors: FloatArray, count: int) -> IntArray:
    """Cluster unit vectors by k-means: 30 starts, seed 0.

    Parameters
    ----------
    vectors : ndarray of shape (n, d)
        Without NaN; at least `count` of them distinct.
    count : int

    Returns
    -------
    ndarray of int, shape (n,)
    """
    # On a handful of points threads only wait for one another: on busy cores twenty times as long.
    with _find_threads().limit(limits=1, user_api="openmp"):
        found = KMeans(count, n_init=KMEANS_STARTS, random_state=KMEANS_SEED).fit_predict(vectors)
    return np.asarray(found, dtype=np.int64)


@cache
def _find_threads() -> ThreadpoolController:
    """The thread pools of this process, found once: to look for them takes as long as to cluster."""
    return ThreadpoolController()


def cluster_agglomerative(vectors: FloatArray, count: int) -> IntArray:
    """Cluster unit vectors by joining the pair with the least mean cosine distance until `count` are left.

    Parameters
    ----------
    vectors : ndarray of shape (n, d)
        Without NaN; at least `count` of them.
    count : int

    Returns
    -------
    ndarray of int, shape (n,)
    """
    joining = AgglomerativeClustering(count, metric="cosine", linkage="average")
    return np.asarray(joining.fit_predict(vectors), dtype=np.int64)


class Clusterings:
    """Clusters of pools, each found once; make one for a study and hand it to every fold.

    Nested selection comes by each pool twice, since leaving out i and then j is leaving out j and then i. What was
    found is known by the vectors themselves, so that shuffled descriptions are another pool.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[Clustering, bytes, int], IntArray] = {}

    def labels(self, space: Space, cluster: Clustering, count: int) -> IntArray | None:
        """Cluster a pool's benchmarks by their texts.

        Parameters
        ----------
        space : Space
            The pool's.
        cluster : callable
            `cluster_kmeans` or `cluster_agglomerative`, or another that takes vectors and a count.
        count : int
            Of `CLUSTER_COUNTS` in the paper.

        Returns
        -------
        ndarray of int, shape (n,), or None
            -1 for a benchmark without a text; None where there are fewer distinct texts than `count`.
        """
        described = space.has_text
        if np.unique(space.labels[described]).size < count:
            return None
        key = cluster, hashlib.sha256(space.vectors.tobytes()).digest(), count
        if key not in self._found:
            labels = np.full(len(described), -1, dtype=np.int64)
            labels[described] = cluster(space.vectors[described], count)
            freeze(labels)
            self._found[key] = labels
        return self._found[key]
