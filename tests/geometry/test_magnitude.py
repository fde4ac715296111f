"""Magnitude weights: the optimum they are, and their exactness under re-listing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import balance_of_benchmarks as bob
from balance_of_benchmarks.geometry.density import gaussian_kernel
from balance_of_benchmarks.geometry.magnitude import leave_one_out_weights, solve_magnitude


def random_distances(seed: int, n: int, d: int = 4) -> np.ndarray:
    return bob.angular_distances(np.random.default_rng(seed).normal(size=(n, d)))


@given(st.integers(0, 10_000), st.integers(1, 25), st.floats(0.05, 1.5))
def test_the_weights_satisfy_the_optimality_conditions(seed: int, n: int, bandwidth: float) -> None:
    distances = random_distances(seed, n)
    solution = solve_magnitude(distances, bandwidth)
    kernel = gaussian_kernel(distances, bandwidth) + solution.ridge * np.eye(n)
    slack = kernel @ solution.weights - 1.0

    assert (solution.weights >= 0).all()
    # A point that rounding keeps out may miss its condition by as much as the solve errs at this conditioning.
    assert (slack >= -1e-8).all()
    assert np.abs(slack[solution.weights > 0]).max() < 1e-9


@given(st.integers(0, 10_000), st.integers(2, 10), st.integers(1, 6), st.data())
def test_copies_share_one_points_weight_and_nothing_else_moves(
    seed: int, n: int, copies: int, data: st.DataObject
) -> None:
    distances = random_distances(seed, n)
    twin = data.draw(st.integers(0, n - 1))
    place = [*range(n), *[twin] * copies]

    before = bob.magnitude_weights(distances, 0.4)
    after = bob.magnitude_weights(distances[np.ix_(place, place)], 0.4)

    others = [i for i in range(n) if i != twin]
    np.testing.assert_allclose(after[others], before[others], atol=1e-12)
    np.testing.assert_allclose(after[[twin, *range(n, n + copies)]], before[twin] / (copies + 1), atol=1e-12)


def test_where_the_inverse_is_positive_it_is_the_answer() -> None:
    distances = random_distances(3, 6)
    kernel = gaussian_kernel(distances, 0.3)

    np.testing.assert_allclose(
        bob.magnitude_weights(distances, 0.3, ridge=0.0), np.linalg.solve(kernel, np.ones(6)), atol=1e-10
    )


@pytest.mark.parametrize("seed", range(20))
def test_leaving_one_out_is_solving_without_it(seed: int) -> None:
    distances = random_distances(seed, 9, d=3)
    solution = solve_magnitude(distances, 0.9)
    without = [
        bob.magnitude_weights(np.delete(np.delete(distances, i, 0), i, 1), 0.9, ridge=solution.ridge).sum()
        for i in range(9)
    ]

    lost = leave_one_out_weights(distances, 0.9, solution)

    np.testing.assert_allclose(lost, solution.weights.sum() - np.array(without), atol=1e-9)


def test_a_benchmark_with_a_copy_would_not_be_missed() -> None:
    distances = random_distances(5, 4)[np.ix_([0, 1, 2, 3, 3], [0, 1, 2, 3, 3])]

    assert leave_one_out_weights(distances, 0.4, solve_magnitude(distances, 0.4))[3:].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("angle", [1e-5, 1e-4, 1e-3, 1e-2])
def test_near_copies_share_nearly_equally(angle: float) -> None:
    base = np.eye(4)
    near = np.array([[np.cos(angle), np.sin(angle), 0.0, 0.0]])
    weights = bob.magnitude_weights(bob.angular_distances(np.vstack([base, near])), 0.4)

    assert weights[0] == pytest.approx(weights[4], rel=0.05)
    assert weights[0] + weights[4] == pytest.approx(weights[1], rel=0.02)


@pytest.mark.parametrize(("angle", "together"), [(1e-5, 2.0 / 2.01), (1e-7, 1.0 / 1.01)])
def test_the_sum_of_a_pair_steps_by_the_ridge_where_it_becomes_one(angle: float, together: float) -> None:
    distances = bob.angular_distances([[1.0, 0.0], [np.cos(angle), np.sin(angle)]])

    assert bob.magnitude_weights(distances, 0.4, ridge=0.01).sum() == pytest.approx(together, abs=1e-8)


def test_shares_are_continuous_as_copies_part() -> None:
    base = np.random.default_rng(8).normal(size=(5, 6))
    turn = np.linalg.qr(np.random.default_rng(9).normal(size=(6, 6)))[0][0]
    shares = []
    for angle in np.concatenate([[0.0], np.geomspace(1e-7, 1e-2, 60)]):
        moved = base[0] / np.linalg.norm(base[0]) + angle * turn
        shares.append(bob.magnitude_weights(bob.angular_distances(np.vstack([base, moved])), 0.5)[[0, 5]])

    assert np.abs(np.diff(np.array(shares), axis=0)).max() < 0.05


def test_an_indefinite_kernel_is_a_status_and_still_answered() -> None:
    # Equally spaced points on a circle with a wide Gaussian of the angle: a known indefinite case.
    turn = 2 * np.pi * np.arange(12) / 12
    distances = bob.angular_distances(np.column_stack([np.cos(turn), np.sin(turn)]))
    solution = solve_magnitude(distances, 1.5, ridge=0.0)

    smallest = np.linalg.eigvalsh(gaussian_kernel(distances, 1.5))[0]
    assert smallest < 0
    assert solution.indefinite
    assert solution.ridge == pytest.approx(1e-8 - smallest)
    assert np.isfinite(solution.weights).all()


@settings(max_examples=10)
@given(st.integers(0, 100))
def test_pivoting_ends_on_hundreds_of_crowded_points(seed: int) -> None:
    distances = random_distances(seed, 200, d=3)
    solution = solve_magnitude(distances, 0.5, ridge=1e-6)
    slack = (gaussian_kernel(distances, 0.5) + solution.ridge * np.eye(200)) @ solution.weights - 1.0

    assert (solution.weights == 0).any()
    assert (solution.weights >= 0).all()
    # A point that rounding keeps out may miss its condition by as much as the solve errs at this conditioning.
    assert (slack >= -1e-8).all()


@pytest.mark.parametrize(
    "distances", [[[0.0, np.nan], [np.nan, 0.0]], [[0.0, 1.0]], [[0.0, -1.0], [-1.0, 0.0]], [["a", "b"], ["c", "d"]]]
)
def test_what_are_no_distances_is_refused(distances: list[list[float]]) -> None:
    with pytest.raises(bob.ArrayError, match="distances"):
        bob.magnitude_weights(distances, 0.2)


@pytest.mark.parametrize("ridge", [-1.0, np.nan])
def test_a_ridge_is_not_negative(ridge: float) -> None:
    with pytest.raises(bob.ArrayError, match="ridge"):
        bob.magnitude_weights([[0.0]], 0.2, ridge=ridge)


def test_copies_by_text_with_unlike_vectors_may_come_in_any_order() -> None:
    distances = random_distances(6, 5)
    swapped = distances[np.ix_([1, 0, 2, 3, 4], [1, 0, 2, 3, 4])]
    labels = [0, 0, 2, 3, 4]

    np.testing.assert_allclose(
        bob.magnitude_weights(swapped, 0.4, labels=labels),
        bob.magnitude_weights(distances, 0.4, labels=labels),
        atol=1e-12,
    )
