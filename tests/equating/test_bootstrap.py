"""Refits on resampled benchmarks."""

from __future__ import annotations

import numpy as np
import pytest

import balance_of_benchmarks as bob


def cells(seed: int = 0) -> bob.ObservedCells:
    rng = np.random.default_rng(seed)
    scores = np.clip(rng.normal(size=(40, 1)) * 0.2 + 0.5 + 0.05 * rng.normal(size=(40, 6)), 0, 1)
    scores[0, 1:] = np.nan
    return bob.ObservedCells.from_matrix(scores)


def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads() -> None:
    one, two = (
        bob.bootstrap_abilities(cells(), draws=30, rng=np.random.default_rng(5), threads=threads) for threads in (1, 2)
    )

    assert one.tobytes() == two.tobytes()


def test_a_draw_is_a_refit_with_counted_weights() -> None:
    weights = np.linspace(0.5, 1.0, 6)
    counts = np.random.default_rng(7).multinomial(6, np.full(6, 1 / 6), size=3)
    abilities = bob.bootstrap_abilities(cells(), weights, draws=3, rng=np.random.default_rng(7))

    for draw in range(3):
        np.testing.assert_array_equal(abilities[draw], bob.fit_cells(cells(), counts[draw] * weights).ability)


def test_a_model_none_of_whose_benchmarks_was_drawn_is_nan_in_that_draw() -> None:
    counts = np.random.default_rng(1).multinomial(6, np.full(6, 1 / 6), size=40)
    abilities = bob.bootstrap_abilities(cells(), draws=40, rng=np.random.default_rng(1))

    assert (np.isnan(abilities[:, 0]) == (counts[:, 0] == 0)).all()
    assert np.isfinite(abilities[:, 1:]).all()


@pytest.mark.parametrize("draws", [0, -1, 2.5, "3", 10**9])
def test_draws_are_a_whole_number_that_fits(draws: object) -> None:
    with pytest.raises(bob.ArrayError, match="draws"):
        bob.bootstrap_abilities(cells(), draws=draws, rng=np.random.default_rng(0))  # type: ignore[arg-type]


def test_draws_without_any_weight_rank_nobody() -> None:
    weights = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    counts = np.random.default_rng(2).multinomial(6, np.full(6, 1 / 6), size=30)
    abilities = bob.bootstrap_abilities(cells(), weights, draws=30, rng=np.random.default_rng(2))

    assert (np.isnan(abilities).all(axis=1) == (counts[:, 0] == 0)).all()


def test_what_is_wrong_with_the_list_is_said_before_any_draw() -> None:
    with pytest.raises(bob.ArrayError, match=r"weights has shape \(2,\)"):
        bob.bootstrap_abilities(cells(), [1.0, 2.0], draws=3, rng=np.random.default_rng(0))
    one = bob.ObservedCells.from_matrix([[0.5, 0.5]])
    with pytest.raises(bob.RankingError, match="at least two"):
        bob.bootstrap_abilities(one, draws=3, rng=np.random.default_rng(0))
