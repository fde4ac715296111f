"""Rivals fitted to all scores at once: at their minimum, and where a closed form knows the answer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import least_squares
from scipy.special import expit, logit

from balance_of_benchmarks.correlation import spearman
from balance_of_benchmarks.equating.cells import ObservedCells
from balance_of_benchmarks.evaluation.completion import LogisticFit, complete_low_rank, fit_logistic
from balance_of_benchmarks.types import FloatArray

RIDGE = 1e-3


def made_up(
    seed: int, models: int = 15, benchmarks: int = 5, *, noise: float = 0.05, missing: float = 0.3
) -> FloatArray:
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(0.6, 2.0, benchmarks), rng.uniform(-1.0, 1.0, benchmarks)
    scores = expit(a * (rng.normal(size=(models, 1)) - b)) + noise * rng.normal(size=(models, benchmarks))
    scores[rng.random(scores.shape) < missing] = np.nan
    return np.asarray(np.clip(scores, 0.0, 1.0))


def errors_of(theta: FloatArray, a: FloatArray, b: FloatArray, scores: FloatArray) -> FloatArray:
    """Every term whose squares are added up: cells, and the ridge of abilities and curves."""
    cells = (expit(a * (theta[:, None] - b)) - scores)[~np.isnan(scores)]
    return np.concatenate([cells, np.sqrt(RIDGE) * np.concatenate([theta, a - 1.0, b])])


def loss_of(fit: LogisticFit, scores: FloatArray) -> float:
    return float((errors_of(np.nan_to_num(fit.ability), fit.discrimination, fit.difficulty, scores) ** 2).sum())


@settings(max_examples=15)
@given(st.integers(0, 99))
def test_no_general_least_squares_solver_finds_a_better_logistic_fit(seed: int) -> None:
    scores = made_up(seed)
    fit = fit_logistic(ObservedCells.from_matrix(scores))
    m, n = scores.shape
    start = np.concatenate([np.zeros(m), np.ones(n), np.zeros(n)])
    reference = least_squares(lambda x: errors_of(x[:m], x[m : m + n], x[m + n :], scores), start, ftol=1e-10)

    known = np.isfinite(fit.ability)

    assert loss_of(fit, scores) <= 2.0 * reference.cost * (1.0 + 1e-6)
    np.testing.assert_allclose(fit.ability[known], reference.x[:m][known], atol=2e-3)
    assert fit.last_change <= 1e-4


def test_scores_on_logistic_curves_give_back_the_order_of_the_abilities() -> None:
    scores = made_up(3, 200, 8, noise=0.0, missing=0.2)
    theta = np.random.default_rng(3)
    theta.uniform(0.6, 2.0, 8), theta.uniform(-1.0, 1.0, 8)
    ability = theta.normal(size=(200, 1)).ravel()
    fit = fit_logistic(ObservedCells.from_matrix(scores))

    assert spearman(fit.ability, ability) > 0.9999
    assert fit.sweeps < 20


def test_nothing_observed_gives_no_ability_and_the_curve_it_started_from() -> None:
    scores = made_up(1)
    scores[2], scores[:, 3] = np.nan, np.nan
    fit = fit_logistic(ObservedCells.from_matrix(scores))

    assert np.flatnonzero(np.isnan(fit.ability)).tolist() == [2]
    assert (fit.discrimination[3], fit.difficulty[3]) == (1.0, 0.0)


@pytest.mark.parametrize("scores", [np.full((4, 2), 0.5), np.zeros((4, 2)), np.ones((4, 3)), np.array([[0.3, 0.9]])])
def test_flat_and_extreme_scores_are_fitted_without_trouble(scores: FloatArray) -> None:
    fit = fit_logistic(ObservedCells.from_matrix(scores))

    assert np.isfinite([*fit.ability, *fit.discrimination, *fit.difficulty]).all()
    np.testing.assert_allclose(fit.ability, fit.ability[0])


@settings(max_examples=30)
@given(st.integers(0, 99), st.integers(1, 3), st.sampled_from([0.5, 1.0, 4.0]))
def test_a_whole_table_is_its_leading_components_with_sizes_less_the_ridge(seed: int, rank: int, ridge: float) -> None:
    # The minimum of |Z - U V'|² + λ(|U|² + |V|²) has the singular values of Z less λ, those below it dropped.
    scores = made_up(seed, 30, 6, noise=0.15, missing=0.0)
    logits = logit(np.clip(scores, 0.005, 0.995))
    z = (logits - logits.mean(axis=0)) / logits.std(axis=0)
    left, size, right = np.linalg.svd(z, full_matrices=False)
    expected = left[:, :rank] * np.maximum(size[:rank] - ridge, 0.0) @ right[:rank]

    np.testing.assert_allclose(complete_low_rank(scores, rank=rank, ridge=ridge), expected, atol=0.01)


def test_a_hole_in_a_table_of_rank_one_is_filled_as_the_rest_says() -> None:
    rng = np.random.default_rng(5)
    logits = rng.normal(size=(80, 1)) * np.array([0.5, 1.0, 1.5, 2.0])
    scores = expit(logits)
    holed = scores.copy()
    holes = np.arange(80) % 10 == 0
    holed[holes, 3] = np.nan
    z = (logits[:, 3] - logits[~holes, 3].mean()) / logits[~holes, 3].std()

    np.testing.assert_allclose(complete_low_rank(holed, rank=1, ridge=1e-6)[holes, 3], z[holes], atol=0.05)


def test_a_completed_table_is_whole_but_for_models_without_a_score() -> None:
    scores = made_up(2)
    scores[4], scores[:, 1] = np.nan, np.nan
    scores[0, 0], scores[1, 0] = 0.0, 1.0
    completed = complete_low_rank(scores)
    known = ~np.isnan(scores).all(axis=1)

    assert np.isnan(completed[~known]).all()
    assert np.isfinite(completed[known]).all()
    np.testing.assert_array_equal(completed[known, 1], 0.0)  # nothing is known of it


@pytest.mark.parametrize("scores", [np.full((5, 3), 0.5), np.array([[0.2, 0.7]]), np.array([[0.2], [0.7]])])
def test_the_smallest_and_flattest_tables_are_completed(scores: FloatArray) -> None:
    assert np.isfinite(complete_low_rank(scores)).all()
