"""Models as contestants and benchmarks as judges: Bradley-Terry against its likelihood and its closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize
from scipy.special import expit, log_expit

import balance_of_benchmarks as bob
from balance_of_benchmarks.evaluation.comparisons import (
    PRIOR_PRECISION,
    count_beaten,
    fit_bradley_terry,
    label_components,
)
from balance_of_benchmarks.types import FloatArray

NAN = float("nan")


def made_up(seed: int, models: int = 12, benchmarks: int = 4, *, decimals: int = 1) -> FloatArray:
    rng = np.random.default_rng(seed)
    scores = np.clip(rng.random((models, 1)) + 0.3 * rng.normal(size=(models, benchmarks)), 0, 1).round(decimals)
    scores[rng.random(scores.shape) < 0.4] = np.nan
    return scores


def pairs_of(scores: FloatArray) -> FloatArray:
    """How often each model beats each other, ties half."""
    wins = np.zeros((len(scores), len(scores)))
    for column in scores.T:
        for i, j in np.argwhere(~np.isnan(column)[:, None] & ~np.isnan(column)):
            if i != j:
                wins[i, j] += 1.0 if column[i] > column[j] else 0.5 * (column[i] == column[j])
    return wins


def slope_at(beta: FloatArray, wins: FloatArray, precision: float) -> FloatArray:
    played = wins + wins.T
    return np.asarray(wins.sum(axis=1) - (played * expit(beta[:, None] - beta)).sum(axis=1) - precision * beta)


@given(st.integers(0, 999))
def test_beaten_are_those_below_and_half_of_those_level(seed: int) -> None:
    scores = made_up(seed)

    np.testing.assert_array_equal(np.nansum(count_beaten(scores), axis=1), pairs_of(scores).sum(axis=1))
    np.testing.assert_array_equal(np.isnan(count_beaten(scores)), np.isnan(scores))


@settings(max_examples=30)
@given(st.integers(0, 999), st.sampled_from([PRIOR_PRECISION, 0.3]))
def test_the_strengths_are_the_maximum_of_the_posterior(seed: int, precision: float) -> None:
    scores = made_up(seed)
    wins = pairs_of(scores)
    fit = fit_bradley_terry(scores, precision=precision)
    compared = (wins + wins.T).any(axis=1)

    def loss(beta: FloatArray) -> float:
        return float(-(wins * log_expit(beta[:, None] - beta)).sum() + 0.5 * precision * (beta @ beta))

    best = minimize(loss, np.zeros(12), jac=lambda beta: -slope_at(beta, wins, precision), tol=1e-12).x

    assert fit.converged
    np.testing.assert_array_equal(np.isfinite(fit.strength), compared)
    np.testing.assert_allclose(fit.strength[compared], best[compared], atol=1e-4)
    assert np.abs(slope_at(np.nan_to_num(fit.strength), wins, precision)[compared]).max() < 1e-3


def test_two_models_are_apart_by_what_likelihood_and_prior_agree_on() -> None:
    # One win of one: 1 - σ(d) = λ d / 2 at the maximum, with strengths ±d/2.
    apart = brentq(lambda d: 1.0 - expit(d) - PRIOR_PRECISION * d / 2.0, 0.0, 50.0)
    strength = fit_bradley_terry(np.array([[0.9], [0.2]])).strength

    np.testing.assert_allclose(strength, [apart / 2, -apart / 2], atol=1e-5)


def test_ties_alone_leave_everybody_level() -> None:
    np.testing.assert_allclose(fit_bradley_terry(np.full((5, 3), 0.4)).strength, 0.0, atol=1e-12)


@pytest.mark.parametrize("models", [2, 30, 150])
def test_whoever_always_wins_is_first_by_a_finite_distance(models: int) -> None:
    scores = np.tile(np.linspace(0, 1, models)[:, None], (1, 6))
    fit = fit_bradley_terry(scores)

    assert fit.converged
    assert (np.diff(fit.strength) > 0).all()
    assert np.isfinite(fit.strength).all()
    np.testing.assert_allclose(fit.strength, -fit.strength[::-1], atol=1e-4)


@given(st.integers(0, 99))
def test_only_the_order_of_scores_matters_and_listing_twice_is_voting_twice(seed: int) -> None:
    scores = made_up(seed)
    strength = fit_bradley_terry(scores).strength

    np.testing.assert_array_equal(fit_bradley_terry(np.sqrt(scores)).strength, strength)
    twice = fit_bradley_terry(np.hstack([scores, scores]), precision=2 * PRIOR_PRECISION).strength
    np.testing.assert_allclose(twice, strength, atol=1e-4)


def test_models_that_share_no_benchmark_are_told_apart_as_components() -> None:
    scores = np.array([[0.1, NAN, NAN], [0.2, NAN, NAN], [NAN, 0.8, NAN], [NAN, 0.9, NAN], [NAN, NAN, 0.7], [NAN] * 3])
    fit = fit_bradley_terry(scores)

    assert fit.component.tolist() == [0, 0, 2, 2, 4, 5]
    assert label_components(~np.isnan(scores)).tolist() == [0, 0, 2, 2, 4, 5]
    np.testing.assert_allclose(fit.strength[:2].sum(), 0.0, atol=1e-9)
    np.testing.assert_allclose(fit.strength[:2], fit.strength[2:4], atol=1e-9)
    assert np.isnan(fit.strength[4:]).all()  # alone on its benchmark, and on none


def test_components_are_joined_by_whoever_was_observed_in_both() -> None:
    scores = np.array([[0.1, NAN], [0.2, 0.5], [NAN, 0.6], [NAN, NAN]])

    assert fit_bradley_terry(scores).component.tolist() == [0, 0, 0, 3]


@pytest.mark.parametrize(
    "scores", [np.array([[0.3, 0.4]]), np.full((3, 2), np.nan), np.array([[0.3, NAN], [NAN, 0.4]])]
)
def test_where_nobody_meets_nobody_has_a_strength(scores: FloatArray) -> None:
    fit = fit_bradley_terry(scores)

    assert np.isnan(fit.strength).all()
    assert fit.converged


@pytest.mark.parametrize("precision", [0.0, -1.0, float("inf"), NAN])
def test_without_a_prior_there_is_no_maximum(precision: float) -> None:
    with pytest.raises(bob.ArrayError, match="precision is"):
        fit_bradley_terry(made_up(0), precision=precision)
