"""The controls' relevance rules against brute force, and the clusters against other implementations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import balance_of_benchmarks as bob
from balance_of_benchmarks.evaluation.rules import (
    CLUSTER_COUNTS,
    Clusterings,
    category_relevance,
    cluster_agglomerative,
    cluster_kmeans,
    cluster_relevance,
    nearest_observed,
    nearest_relevance,
    radius_relevance,
    support_discrepancy,
    support_matched_relevance,
    top_k_relevance,
)
from balance_of_benchmarks.evaluation.study import Question, Study
from balance_of_benchmarks.types import FloatArray, IntArray

MakeStudy = Callable[..., Study]


def ask(make_study: MakeStudy, seed: int = 0, **options: object) -> Question:
    return make_study(seed=seed, **options).hold_out(0).question


def continuous(question: Question) -> FloatArray:
    space = question.pool.space
    return bob.continuous_relevance(question.distances, 0.45 * space.median, space.weights)


def same_partition(a: IntArray, b: IntArray) -> bool:
    return bool(((a[:, None] == a) == (b[:, None] == b)).all())


def test_the_category_rule_is_one_for_peers(make_study: MakeStudy) -> None:
    question = ask(make_study)

    assert category_relevance(question).tolist() == [0.0, 0.0, 1.0, 0.0, 0.0]


@given(st.integers(0, 99), st.integers(1, 7))
def test_top_k_is_each_models_closest_observed(make_study: MakeStudy, seed: int, k: int) -> None:
    question = ask(make_study, seed % 7, missing=0.5, without_text=(4,))
    relevance = top_k_relevance(question, k)

    for model, row in enumerate(relevance):
        able = [i for i in np.argsort(question.distances) if question.observed[model, i] and i != 3]
        assert np.flatnonzero(row).tolist() == sorted(able[:k])
        assert set(row) <= {0.0, 1.0}


def test_the_nearest_rule_is_top_one(make_study: MakeStudy) -> None:
    question = ask(make_study)

    np.testing.assert_array_equal(nearest_relevance(question), top_k_relevance(question, 1))


def test_of_two_at_one_distance_the_first_listed_is_nearer(make_study: MakeStudy) -> None:
    question = make_study(missing=0.0, copies=(3,)).hold_out(0).question

    assert question.distances[2] == question.distances[5] == question.distances.min()
    assert np.flatnonzero(nearest_observed(question, 1)[0]).tolist() == [2]
    assert np.flatnonzero(nearest_observed(question, 2)[0]).tolist() == [2, 5]


def test_each_model_may_have_a_count_of_its_own(make_study: MakeStudy) -> None:
    question = ask(make_study, missing=0.0)
    counts = np.arange(40) % 6

    np.testing.assert_array_equal(nearest_observed(question, counts).sum(axis=1), np.minimum(counts, 5))


def test_the_radius_is_in_medians_and_includes_its_end(make_study: MakeStudy) -> None:
    question = ask(make_study, without_text=(5,))
    unit = question.pool.space.median
    third = np.sort(question.distances)[2]

    assert radius_relevance(question, third / unit).sum() in (2.0, 3.0)  # the end, but for rounding
    assert radius_relevance(question, third / unit * (1 + 1e-12)).sum() == 3.0
    assert radius_relevance(question, third / unit * (1 - 1e-12)).sum() == 2.0
    assert radius_relevance(question, 1e9)[4] == 0.0


@given(st.integers(0, 99))
def test_the_support_matched_rule_has_the_continuous_rules_support_and_kish_count(
    make_study: MakeStudy, seed: int
) -> None:
    question = ask(make_study, seed % 9, missing=0.4)
    a = continuous(question) * np.random.default_rng(seed).uniform(0.1, 10.0, 5)
    relevance = support_matched_relevance(question, a)

    for model, row in enumerate(relevance):
        mine = a[question.observed[model]]
        if not mine.size:
            assert not row.any()
            continue
        kish = max(round(mine.sum() ** 2 / (mine**2).sum()), 1)
        assert np.flatnonzero(row).tolist() == np.flatnonzero(nearest_observed(question, kish)[model]).tolist()
        assert len(set(row[row > 0])) == 1
    matched = bob.residual_field(question.fit, relevance).support_mass
    np.testing.assert_allclose(matched, bob.residual_field(question.fit, a).support_mass, rtol=1e-13)
    assert support_discrepancy(question, a) <= 1e-13 * a.sum()


def test_equal_weights_are_their_own_support_matched_rule(make_study: MakeStudy) -> None:
    question = ask(make_study)

    np.testing.assert_allclose(
        support_matched_relevance(question, np.full(5, 0.3)), 0.3 * question.observed, rtol=1e-12
    )


def test_no_weight_at_all_is_matched_by_none(make_study: MakeStudy) -> None:
    question = ask(make_study)

    assert not support_matched_relevance(question, np.zeros(5)).any()
    assert support_discrepancy(question, np.zeros(5)) == 0.0


def test_without_a_text_no_rule_but_the_category_finds_anything(make_study: MakeStudy) -> None:
    question = ask(make_study, without_text=(0,))

    assert category_relevance(question).any()
    assert not top_k_relevance(question, 5).any()
    assert not radius_relevance(question, 1e9).any()
    assert not support_matched_relevance(question, continuous(question)).any()
    assert not cluster_relevance(question, np.zeros(5, dtype=np.int64)).any()


@given(st.integers(0, 99), st.integers(1, 4))
def test_the_cluster_rule_takes_the_cluster_with_the_closest_normalized_centroid(
    make_study: MakeStudy, seed: int, clusters: int
) -> None:
    question = ask(make_study, seed % 5)
    labels = np.random.default_rng(seed).integers(-1, clusters, 5)
    relevance = cluster_relevance(question, labels)
    angles = {}
    for label in set(labels[labels >= 0].tolist()):
        centroid = question.pool.space.vectors[labels == label].mean(axis=0)
        angles[label] = np.arccos(centroid @ question.vector / np.linalg.norm(centroid))
    expected = labels == min(angles, key=lambda label: angles[label]) if angles else np.zeros(5)

    np.testing.assert_array_equal(relevance, expected)
    # Names of clusters mean nothing.
    np.testing.assert_array_equal(cluster_relevance(question, np.where(labels < 0, -1, 7 - labels)), relevance)


@settings(max_examples=10)
@given(st.integers(0, 99), st.integers(2, 6))
def test_agglomerative_clusters_are_scipys_by_average_linkage_of_cosines(
    make_study: MakeStudy, seed: int, count: int
) -> None:
    from scipy.cluster.hierarchy import fcluster, linkage

    vectors = make_study(3, 9, seed=seed).space.vectors
    reference = fcluster(linkage(vectors, "average", metric="cosine"), count, "maxclust")

    assert same_partition(cluster_agglomerative(vectors, count), reference)


def test_k_means_is_scikit_learns_with_thirty_starts_and_seed_zero(make_study: MakeStudy) -> None:
    from sklearn.cluster import KMeans

    vectors = make_study(3, 12, seed=3).space.vectors
    for count in (2, 5):
        reference = KMeans(n_clusters=count, init="k-means++", n_init=30, random_state=0).fit(vectors)
        labels = cluster_kmeans(vectors, count)
        centres = np.array([vectors[labels == label].mean(axis=0) for label in range(count)])

        assert same_partition(labels, reference.labels_)
        assert ((vectors - centres[labels]) ** 2).sum() == pytest.approx(reference.inertia_)


def test_each_pool_is_clustered_once(make_study: MakeStudy) -> None:
    study, clusterings, calls = make_study(), Clusterings(), list[tuple[int, int]]()

    def count_calls(vectors: FloatArray, count: int) -> IntArray:
        calls.append((len(vectors), count))
        return np.arange(len(vectors)) % count

    for first, second in ((0, 3), (3, 0)):
        outer = study.hold_out(first).question.pool
        inner = outer.hold_out(outer.keys.index(f"b{second}")).question.pool
        labels = clusterings.labels(inner.space, count_calls, 2)
        assert labels is not None
        assert labels.tolist() == [0, 1, 0, 1]
        assert not labels.flags.writeable
    clusterings.labels(inner.space, count_calls, 3)
    clusterings.labels(outer.space, count_calls, 2)

    assert calls == [(4, 2), (4, 3), (5, 2)]


def test_a_benchmark_without_a_text_is_in_no_cluster(make_study: MakeStudy) -> None:
    space = make_study(benchmarks=6, without_text=(1, 4), copies=(0,)).space
    labels = Clusterings().labels(space, cluster_agglomerative, 4)

    assert labels is not None
    assert labels[[1, 4]].tolist() == [-1, -1]
    assert labels[6] == labels[0]
    assert len(set(labels.tolist())) == 5
    assert Clusterings().labels(space, cluster_agglomerative, 5) is None  # copies are one text


def test_clusters_of_a_pool_do_not_depend_on_what_was_clustered_before(make_study: MakeStudy) -> None:
    space = make_study(3, 9).space
    used = Clusterings()
    for count in CLUSTER_COUNTS:
        used.labels(make_study(3, 9, seed=1).space, cluster_kmeans, count)
    for cluster in (cluster_kmeans, cluster_agglomerative):
        np.testing.assert_array_equal(used.labels(space, cluster, 3), Clusterings().labels(space, cluster, 3))
