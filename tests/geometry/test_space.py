"""A list of benchmarks measured: unit, weights, notes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import balance_of_benchmarks as bob
from balance_of_benchmarks.geometry.points import label_points, median_distance
from balance_of_benchmarks.geometry.space import Weighting


def random_vectors(seed: int, n: int = 6) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, 5))


@given(st.integers(0, 999), st.permutations(range(6)), st.sampled_from(["inverse_density", "magnitude", "equal"]))
def test_permuting_benchmarks_permutes_the_answer(seed: int, order: list[int], weighting: Weighting) -> None:
    vectors = random_vectors(seed)
    space = bob.measure_space(vectors, weighting=weighting)
    moved = bob.measure_space(vectors[order], weighting=weighting)

    np.testing.assert_allclose(moved.weights, space.weights[order], atol=1e-9)
    np.testing.assert_allclose(moved.masses, space.masses[order], atol=1e-9)
    assert moved.median == pytest.approx(space.median, abs=1e-12)


@given(st.integers(0, 999), st.integers(0, 5), st.integers(1, 5))
def test_relisting_changes_neither_unit_nor_bandwidth(seed: int, twin: int, copies: int) -> None:
    vectors = random_vectors(seed)
    relisted = np.vstack([vectors, np.repeat(vectors[[twin]], copies, axis=0)])

    assert bob.measure_space(relisted).median == pytest.approx(bob.measure_space(vectors).median, abs=1e-12)


def test_equal_texts_are_one_point_whatever_their_vectors() -> None:
    vectors = random_vectors(0, 3)
    texts = ["one text", "another", "one text"]

    assert bob.measure_space(vectors, texts=texts).labels.tolist() == [0, 1, 0]


def test_closeness_is_transitive() -> None:
    line = 0.6e-6 * np.arange(3)
    vectors = np.column_stack([np.cos(line), np.sin(line)])

    assert label_points(bob.angular_distances(vectors)).tolist() == [0, 0, 0]


def test_missing_texts_are_points_of_their_own() -> None:
    vectors = np.vstack([random_vectors(1, 3), np.full((2, 5), np.nan)])
    space = bob.measure_space(vectors, texts=["a", "b", "c", None, None])

    assert space.labels.tolist() == [0, 1, 2, 3, 4]
    assert space.has_text.tolist() == [True, True, True, False, False]
    assert space.weights[3:].tolist() == [1.0, 1.0]
    assert space.median == bob.measure_space(vectors[:3]).median
    assert np.isinf(space.distances_to(vectors[0])[3:]).all()


def test_no_texts_at_all_weigh_equally() -> None:
    space = bob.measure_space(np.full((4, 1), np.nan))

    assert space.weights.tolist() == [1.0] * 4
    assert space.notes == ()


def test_one_point_has_no_unit_and_says_so() -> None:
    space = bob.measure_space(np.ones((3, 2)))

    assert space.weights == pytest.approx([1 / 3] * 3)
    assert [note.kind for note in space.notes] == ["unit_assumed"]


def test_median_is_over_pairs_of_distinct_points() -> None:
    distances = np.array([[0, 0, 1, 2], [0, 0, 1, 2], [1, 1, 0, 4], [2, 2, 4, 0]], dtype=float)

    assert median_distance(distances) == 2.0
    assert np.isnan(median_distance(np.zeros((3, 3))))


def test_the_users_weights_replace_and_the_target_multiplies() -> None:
    vectors = random_vectors(2, 3)
    given_weights = bob.measure_space(vectors, weights=[1.0, 0.0, 3.0], target=[2.0, 1.0, 1.0])
    targeted = bob.measure_space(vectors, target=[2.0, 1.0, 1.0])

    assert given_weights.weights.tolist() == [2.0, 0.0, 3.0]
    assert given_weights.rule.name == "given"
    np.testing.assert_allclose(targeted.weights, bob.measure_space(vectors).weights * [2.0, 1.0, 1.0])


def test_a_space_is_its_own() -> None:
    mine = np.array([1.0, 2.0, 3.0])
    space = bob.measure_space(random_vectors(2, 3), weights=mine)
    mine[0] = 99.0

    assert space.weights[0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        space.weights[0] = 5.0


def test_hundreds_of_equal_texts_need_little_memory() -> None:
    import tracemalloc

    vectors = np.ones((400, 256))
    tracemalloc.start()
    bob.angular_distances(vectors)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 30e6  # all pairs at once would be 328 MB


def test_a_part_is_measured_like_a_list_of_its_own() -> None:
    vectors = random_vectors(3)
    space = bob.measure_space(vectors, target=np.arange(1.0, 7.0))
    part = space.take([0, 2, 5])
    alone = bob.measure_space(vectors[[0, 2, 5]], target=[1.0, 3.0, 6.0])

    np.testing.assert_allclose(part.weights, alone.weights)
    assert part.median == alone.median
    assert space.take([0, 2, 5], unit=space.median).median == space.median


@given(st.integers(0, 30), st.permutations(range(14)), st.booleans())
def test_a_draw_depends_neither_on_the_order_of_the_list_nor_on_listing_again(
    seed: int, order: list[int], described: bool
) -> None:
    vectors, place = random_vectors(seed, 10), np.array([*range(10), 3, 3, 7, 0])
    texts = [f"test number {i}" for i in range(10)] if described else None
    once = bob.measure_space(vectors, texts=texts)
    turned = place[order]
    again = bob.measure_space(vectors[turned], texts=None if texts is None else [texts[i] for i in turned])
    drawn = once.draw(once.firsts, 4, np.random.default_rng(seed))

    assert (np.diff(drawn) > 0).all()
    assert drawn.size == 4
    assert sorted(turned[again.draw(again.firsts, 4, np.random.default_rng(seed))]) == drawn.tolist()
    assert once.draw(once.firsts, 10, np.random.default_rng(seed)).tolist() == list(range(10))


def test_every_point_is_drawn_as_often_as_another() -> None:
    space = bob.measure_space(random_vectors(0, 10)[[*range(10), 3]])
    counts = np.zeros(10)
    for seed in range(2000):
        counts[space.draw(space.firsts, 3, np.random.default_rng(seed))] += 1

    assert np.abs(counts / 2000 - 0.3).max() < 4 * np.sqrt(0.3 * 0.7 / 2000)


def test_a_benchmark_more_on_the_list_replaces_one_of_those_drawn_at_most() -> None:
    vectors = random_vectors(1, 30)
    shorter, longer = (bob.measure_space(rows) for rows in (vectors[1:], vectors))
    for seed in range(20):
        before = shorter.draw(shorter.firsts, 8, np.random.default_rng(seed)) + 1
        after = longer.draw(longer.firsts, 8, np.random.default_rng(seed))
        assert np.setdiff1d(before, after).size <= 1
        assert set(after) <= {0, *before}


def test_closest_pairs_come_nearest_first() -> None:
    space = bob.measure_space(random_vectors(4))
    pairs = space.closest_pairs(15)

    assert len(pairs) == 15
    assert [p.distance for p in pairs] == sorted(p.distance for p in pairs)
    assert all(p.distance == space.distances[p.a, p.b] for p in pairs)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"weighting": "fair"}, "inverse_density, magnitude, equal"),
        ({"weights": [1.0, 1.0]}, "expected 3"),
        ({"weights": [1.0, -1.0, 1.0]}, "weights has -1.0 at position 1: .*none negative"),
        ({"weights": [0.0, 0.0, 0.0]}, "at least one positive"),
        ({"target": [np.nan, 1.0, 1.0]}, "target has nan at position 0: .*finite"),
        ({"weights": [1.0, 0.0, 0.0], "target": [0.0, 1.0, 1.0]}, "every weight is zero"),
        ({"density_bandwidth": 0.0}, "positive multiple"),
        ({"texts": ["one"]}, "1 texts for 3 vectors"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(bob.ArrayError, match=words):
        bob.measure_space(random_vectors(0, 3), **options)  # type: ignore[arg-type]


def test_weights_of_the_papers_texts_lie_near_the_published_ones(shared: Path) -> None:
    texts = json.loads((shared / "paper" / "texts.json").read_text())["benchmarks"]
    audit = json.loads((shared / "paper" / "published.json").read_text())["audit_aa"]["rows"]
    keys = [row["benchmark"] for row in audit]
    space = bob.measure_space(bob.embed([texts[key]["description"] for key in keys]))
    closest = [{keys[p.a], keys[p.b]} for p in space.closest_pairs(3)]

    # Figures of the replication notes for this encoder; the paper's own (W = 12.5) are another encoder's.
    assert space.median == pytest.approx(1.209, abs=0.001)
    assert space.effective_mass == pytest.approx(13.08, abs=0.01)
    assert closest[:2] == [{"aime", "aime_25"}, {"terminalbench_hard", "terminalbench_v2_1"}]
    assert np.abs(space.shares - [row["v"] for row in audit]).max() < 0.012
