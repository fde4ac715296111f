"""A process is its formulas, and a choice's field is kriging under the mean of its candidates."""

from __future__ import annotations

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.ranking.process import (
    PROCESSES,
    SIZES,
    Process,
    ProcessChoice,
    compare_categories,
    list_processes,
    measure_covariance,
)
from balance_of_benchmarks.types import BoolArray, FloatArray

N = 6


def choose(alone: float = 0.2, *, alike: BoolArray | None = None, seed: int = 0) -> ProcessChoice:
    """Shares drawn at random over all candidates."""
    processes = list_processes(alike, np.arange(N))
    shares = np.random.default_rng(seed).dirichlet(np.ones(len(processes) * 2 * len(SIZES))) * (1.0 - alone)
    shape = (len(processes), 2, len(SIZES))
    nothing = np.full(shape, np.nan)
    return ProcessChoice(
        processes, SIZES, shares.reshape(shape), alone, nothing, np.nan, nothing[:, :, 0], (), alike, "drawn"
    )


def simulate(seed: int = 0) -> tuple[bob.Fit, bob.Space, FloatArray]:
    rng = np.random.default_rng(seed)
    scores = 1.0 / (1.0 + np.exp(-rng.normal(size=(20, 1)) - rng.normal(size=(20, N))))
    scores[rng.random((20, N)) < 0.2] = np.nan
    space = bob.measure_space(rng.normal(size=(N, 4)))
    return bob.fit_scores(scores, space.weights), space, rng.normal(size=(2, 4))


def test_a_process_is_its_formula() -> None:
    distances, alike = np.array([0.0, 0.3, np.inf]), np.array([True, False, True])
    process = Process("exponential", 0.5, 0.25, 0.4)

    expected = 0.8 * (0.6 * np.array([1.0, np.exp(-0.3 / 0.35), 0.0]) + 0.4 * np.array([1.0, 0.0, 1.0]))
    np.testing.assert_allclose(process.covariance(distances, 0.7, alike), expected)
    np.testing.assert_allclose(process.covariance(distances, 0.7), 0.8 * 0.6 * np.exp(-distances / 0.35))
    plain = Process("gaussian", 0.5, 0.25)
    np.testing.assert_allclose(
        plain.covariance(distances, 0.7, alike), 0.8 * measure_covariance(distances, 0.35, "gaussian")
    )


def test_who_has_no_category_has_it_in_common_with_nobody() -> None:
    alike = compare_categories(["a", None, "b", "a", None])

    assert np.argwhere(alike).tolist() == [[0, 0], [0, 3], [2, 2], [3, 0], [3, 3]]
    assert compare_categories(["a", None, "b"], ["b"]).tolist() == [[False, False, True]]


def test_categories_are_candidates_only_where_they_tell_benchmarks_apart() -> None:
    points = np.arange(3)
    assert list_processes(None, points) == PROCESSES
    assert list_processes(compare_categories(["a", "b", "c"]), points) == PROCESSES
    assert list_processes(compare_categories(["a", "a", "a"]), points) == PROCESSES
    both = list_processes(compare_categories(["a", "a", "b"]), points)
    assert both[: len(PROCESSES)] == PROCESSES
    assert {process.by_category for process in both[len(PROCESSES) :]} == {0.5}
    assert len(both) == 2 * len(PROCESSES)


def test_that_a_copy_is_of_its_own_category_tells_nothing() -> None:
    copied = np.array([0, 1, 2, 0])

    assert list_processes(compare_categories(["a", "b", "c", "a"]), copied) == PROCESSES
    # Hand labels may differ between copies: their point is of both categories.
    assert list_processes(compare_categories(["a", "b", "a", "b"]), np.array([0, 1, 2, 0])) != PROCESSES
    assert list_processes(compare_categories(["a", "b", "b"]), np.array([0, 0, 2])) == PROCESSES


@pytest.mark.parametrize("grouped", [False, True])
def test_the_field_is_kriging_under_the_mean_covariance(grouped: bool) -> None:
    alike = compare_categories(["a", "a", "b", "b", "b", None]) if grouped else None
    choice, (fit, space, tasks) = choose(alike=alike), simulate()
    peers = np.array([False, False, True, True, True, False]) if grouped else None
    shares = choice.shares.sum(axis=(1, 2)) / 0.8
    distances = space.distances_to(tasks[0])
    to_task, among = (
        sum(
            share * process.covariance(d, space.median, same)
            for share, process in zip(shares, choice.candidates, strict=True)
        )
        for d, same in ((distances, peers), (space.distances, alike))
    )
    expected = bob.kriging_field(
        fit,
        to_task,
        among,
        noise=choice.noise,
        variance=choice.variance,
        size=float(choice.shares.sum(axis=(0, 1)) @ SIZES),
        rank_share=float(choice.shares[:, 1].sum(axis=0) @ SIZES) / choice.size,
    )
    found = choice.field(fit, distances, space, peers=peers)

    assert choice.variance + choice.noise == pytest.approx(1.0)
    np.testing.assert_allclose(found.score, expected.score, atol=1e-12)
    np.testing.assert_allclose(found.support, expected.support, atol=1e-12)


def test_of_several_tasks_the_mean_is_asked_for() -> None:
    choice, (fit, space, tasks) = choose(), simulate()
    distances = np.array([space.distances_to(task) for task in tasks])
    between = bob.angular_distances(tasks)
    one, other = (choice.field(fit, row, space) for row in distances)
    both = choice.field(fit, distances, space, shares=np.array([0.7, 0.3]), between=between)
    prior = 0.7**2 * choice.variance + 0.3**2 * choice.variance
    prior += 2 * 0.7 * 0.3 * choice.covariance(between, space.median)[0, 1]

    np.testing.assert_allclose(both.score, 0.7 * one.score + 0.3 * other.score, atol=1e-10)
    left = (both.deviation / choice.size) ** 2
    np.testing.assert_allclose(both.support, 1.0 - left / prior, atol=1e-10)
    alone = choice.field(fit, distances[:1], space, shares=np.ones(1), between=np.zeros((1, 1)))
    np.testing.assert_allclose(alone.support, one.support, atol=1e-12)


def test_a_task_that_is_not_to_be_heard_of_brings_nothing_and_leaves_its_uncertainty() -> None:
    alike = compare_categories(["a", "a", "b", "b", "b", None])
    choice, (fit, space, tasks) = choose(alike=alike), simulate()
    distances = np.array([space.distances_to(tasks[0]), np.full(N, np.inf)])
    peers = np.array([True, True, False, False, False, False])
    both = choice.field(
        fit, distances, space, peers=peers, shares=np.array([0.5, 0.5]), between=bob.angular_distances(tasks)
    )
    one = choice.field(fit, distances[0], space, peers=peers)

    np.testing.assert_allclose(both.score - fit.ability, 0.5 * (one.score - fit.ability), atol=1e-12)
    assert (both.support < one.support).all()


def test_a_task_of_a_known_category_has_more_support() -> None:
    alike = compare_categories(["a", "a", "b", "b", "b", None])
    choice, (fit, space, tasks) = choose(alike=alike), simulate()
    distances = space.distances_to(tasks[0])
    known = choice.field(fit, distances, space, peers=np.array([False, False, True, True, True, False]))

    assert np.median(known.support) > np.median(choice.field(fit, distances, space).support)


def test_of_ability_alone_the_score_is_the_ability() -> None:
    choice, (fit, space, tasks) = choose(alone=1.0), simulate()
    field = choice.field(fit, space.distances_to(tasks[0]), space)

    assert choice.size == choice.rank_share == 0.0
    np.testing.assert_array_equal(field.score, fit.ability)
