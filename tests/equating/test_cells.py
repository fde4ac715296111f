"""Observed cells: two ways in, two orders, one content."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import balance_of_benchmarks as bob


def random_scores(seed: int, m: int = 7, n: int = 5, holes: float = 0.4) -> np.ndarray:
    rng = np.random.default_rng(seed)
    scores = rng.random((m, n))
    scores[rng.random((m, n)) < holes] = np.nan
    return scores


@given(st.integers(0, 999))
def test_a_matrix_comes_back_as_it_was(seed: int) -> None:
    scores = random_scores(seed)
    cells = bob.ObservedCells.from_matrix(scores)

    np.testing.assert_array_equal(cells.to_matrix(cells.score), scores)


@given(st.integers(0, 999))
def test_triplets_in_any_order_are_the_same_cells(seed: int) -> None:
    scores = random_scores(seed)
    m, n = np.nonzero(~np.isnan(scores))
    order = np.random.default_rng(seed).permutation(m.size)
    from_matrix = bob.ObservedCells.from_matrix(scores)
    from_triplets = bob.ObservedCells.from_triplets(m[order], n[order], scores[m, n][order], *scores.shape)

    for name in ("score", "model", "benchmark", "benchmark_start", "by_model", "model_start"):
        np.testing.assert_array_equal(getattr(from_triplets, name), getattr(from_matrix, name))


@given(st.integers(0, 999))
def test_the_row_order_lists_each_models_cells(seed: int) -> None:
    scores = random_scores(seed)
    cells = bob.ObservedCells.from_matrix(scores)

    for m in range(cells.n_models):
        mine = cells.by_model[cells.model_start[m] : cells.model_start[m + 1]]
        assert cells.benchmark[mine].tolist() == np.flatnonzero(~np.isnan(scores[m])).tolist()


@pytest.mark.parametrize("score", [-0.01, 1.01, np.inf, -np.inf])
def test_a_score_off_the_scale_is_refused_with_its_place(score: float) -> None:
    scores = random_scores(0, holes=0.0)
    scores[3, 2] = score

    with pytest.raises(bob.ArrayError, match="model 3 on benchmark 2"):
        bob.ObservedCells.from_matrix(scores)


@pytest.mark.parametrize(
    ("model", "benchmark", "score", "words"),
    [
        ([0, 0], [0, 0], [0.1, 0.2], "two scores"),
        ([2], [0], [0.1], "expected 0 to 1"),
        ([0], [-1], [0.1], "expected 0 to 2"),
        ([0, 1], [0], [0.1], "three equal lengths"),
    ],
)
def test_bad_triplets_are_refused(model: list[int], benchmark: list[int], score: list[float], words: str) -> None:
    with pytest.raises(bob.ArrayError, match=words):
        bob.ObservedCells.from_triplets(model, benchmark, score, 2, 3)


def test_a_matrix_has_two_dimensions() -> None:
    with pytest.raises(bob.ArrayError, match="models, benchmarks"):
        bob.ObservedCells.from_matrix([0.1, 0.2])
