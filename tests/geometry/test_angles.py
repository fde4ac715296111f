"""Angular distances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import balance_of_benchmarks as bob


def random_rows(seed: int, n: int = 6, d: int = 8) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, d))


@given(st.floats(1e-12, np.pi - 1e-3))
def test_the_angle_between_two_turned_vectors_is_the_turn(turn: float) -> None:
    x = np.array([[1.0, 0.0], [np.cos(turn), np.sin(turn)]])

    assert bob.angular_distances(x)[0, 1] == pytest.approx(turn, rel=1e-9, abs=1e-15)


@given(st.integers(0, 99), st.floats(1e-6, 1e6))
def test_length_does_not_matter(seed: int, factor: float) -> None:
    x = random_rows(seed)

    np.testing.assert_allclose(bob.angular_distances(factor * x), bob.angular_distances(x), atol=1e-12)


@given(st.integers(0, 99))
def test_distances_are_a_metric_with_an_exact_zero_diagonal(seed: int) -> None:
    d = bob.angular_distances(random_rows(seed))

    assert (np.diag(d) == 0).all()
    assert (d == d.T).all()
    assert (d[:, :, None] <= d[:, None, :] + d.T[None, :, :] + 1e-12).all()


def test_copies_are_at_distance_zero_though_stored_in_half_precision() -> None:
    x = random_rows(0, n=1, d=64).astype(np.float16)

    assert bob.angular_distances(np.vstack([x, x]))[0, 1] == 0.0


def test_opposite_vectors_are_a_half_turn_apart() -> None:
    assert bob.angular_distances([[1.0, 2.0]], [[-1.0, -2.0]])[0, 0] == np.pi


def test_a_missing_text_is_infinitely_far_from_all_but_itself() -> None:
    d = bob.angular_distances([[1.0, 0.0], [np.nan, np.nan], [0.0, 1.0]])

    assert d[1].tolist() == [np.inf, 0.0, np.inf]
    assert d[0, 2] == pytest.approx(np.pi / 2)


@pytest.mark.parametrize(
    ("vectors", "words"),
    [
        ([[0.0, 0.0]], "vector 0 is zero"),
        ([[1.0, np.nan]], "partly NaN"),
        ([[1.0, np.inf]], "infinite"),
        ([1.0, 2.0], r"shape \(2,\)"),
        ([["a", "b"]], "not an array of numbers"),
        ([[1.0], [1.0, 2.0]], "not an array of numbers"),
    ],
)
def test_what_is_no_direction_is_refused(vectors: object, words: str) -> None:
    with pytest.raises(bob.ArrayError, match=words):
        bob.angular_distances(vectors)  # type: ignore[arg-type]


def test_two_encoders_are_not_mixed() -> None:
    with pytest.raises(bob.ArrayError, match="same encoder"):
        bob.angular_distances([[1.0, 0.0]], [[1.0, 0.0, 0.0]])
