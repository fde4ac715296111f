"""Eq. (4) and its variants."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import balance_of_benchmarks as bob
from balance_of_benchmarks.equating.curve import expected_score
from balance_of_benchmarks.ranking.field import ResidualKind, Shrinkage


def fit_random(seed: int = 0, m: int = 60, n: int = 6) -> bob.Fit:
    rng = np.random.default_rng(seed)
    theta, a, b = rng.normal(size=(m, 1)), rng.uniform(0.5, 1.5, n), rng.uniform(-1, 1, n)
    scores = np.clip(expected_score(theta, a, b, "ogive") + 0.1 * rng.standard_t(3, (m, n)), 0, 1)
    scores[rng.random((m, n)) < 0.3] = np.nan
    return bob.fit_scores(scores)


@given(st.integers(0, 99))
def test_the_field_is_equation_four(seed: int) -> None:
    fit = fit_random(seed % 5)
    g = np.random.default_rng(seed).uniform(0, 1, 6)
    r, w, information = fit.residuals, fit.cell_weights, fit.information

    average = np.nansum(g * information * w * r, axis=1) / np.nansum(g * information * w, axis=1)
    mass = np.nansum(g * w, axis=1)
    known = np.isfinite(fit.ability) & (mass > 0)
    field = bob.residual_field(fit, g)

    np.testing.assert_allclose(field.support_mass, mass, atol=1e-12)
    np.testing.assert_allclose(field.support, mass / (mass + 1), atol=1e-12)
    np.testing.assert_allclose(field.score[known], (fit.ability + mass / (mass + 1) * average)[known], atol=1e-9)


@pytest.mark.parametrize("shrinkage", ["support", "none", 0.5])
def test_at_zero_support_the_score_is_the_ability(shrinkage: Shrinkage) -> None:
    fit = fit_random()
    for nothing in (np.zeros(6), bob.continuous_relevance(np.full(6, np.inf), 0.3, np.ones(6))):
        field = bob.residual_field(fit, nothing, shrinkage=shrinkage)
        np.testing.assert_array_equal(field.score, fit.ability)
        assert not field.support.any()


def test_support_so_small_that_it_underflows_is_harmless() -> None:
    fit = fit_random()

    np.testing.assert_allclose(bob.residual_field(fit, np.full(6, 1e-320)).score, fit.ability, atol=1e-300)


def test_a_relevance_for_each_cell_is_the_same_when_rows_are_equal() -> None:
    fit, g = fit_random(), np.linspace(0.1, 1, 6)

    one, many = bob.residual_field(fit, g), bob.residual_field(fit, np.tile(g, (60, 1)))

    np.testing.assert_array_equal(one.score, many.score)


@pytest.mark.parametrize("shrinkage", ["support", "none", 0.3])
@pytest.mark.parametrize("residual", ["standardized", "latent_offset"])
def test_contributions_sum_to_the_adjustment(shrinkage: Shrinkage, residual: ResidualKind) -> None:
    fit = fit_random()
    field = bob.residual_field(fit, np.linspace(0.1, 1, 6), shrinkage=shrinkage, residual=residual)

    np.testing.assert_allclose(fit.observed.sum_by_model(field.contribution), field.score - fit.ability, atol=1e-9)


def test_shrinkage_scales_one_residual_average() -> None:
    fit, g = fit_random(), np.linspace(0.1, 1, 6)
    support, none, half = (bob.residual_field(fit, g, shrinkage=s) for s in ("support", "none", 0.5))

    np.testing.assert_array_equal(support.residual, none.residual)
    np.testing.assert_allclose(none.score - fit.ability, none.residual, atol=1e-12)
    np.testing.assert_allclose(half.score - fit.ability, 0.5 * none.residual, atol=1e-12)


def test_a_latent_offset_is_the_residual_over_the_slope() -> None:
    fit = fit_random()
    only = np.zeros(6)
    only[2] = 1.0
    field = bob.residual_field(fit, only, shrinkage="none", residual="latent_offset")
    seen = ~np.isnan(fit.residuals[:, 2])
    x = fit.discrimination[2] * (fit.ability - fit.difficulty[2])
    slope = fit.discrimination[2] * np.exp(-0.5 * x**2) / np.sqrt(2 * np.pi)
    offset = fit.residuals[:, 2] * fit.residual_scale[2] / slope

    np.testing.assert_allclose((field.score - fit.ability)[seen], offset[seen], rtol=1e-6)


def test_information_in_the_support_averages_to_the_plain_one() -> None:
    fit, g = fit_random(), np.full(6, 0.5)
    plain = bob.residual_field(fit, g)
    weighed = bob.residual_field(fit, g, information_in_support=True)
    relative = fit.information / fit.information.mean()

    np.testing.assert_allclose(weighed.support_mass, np.nansum(0.5 * fit.cell_weights * relative, axis=1), atol=1e-12)
    np.testing.assert_array_equal(weighed.residual, plain.residual)


def test_a_model_without_ability_has_no_task_score() -> None:
    scores = np.random.default_rng(0).random((10, 3))
    scores[4] = np.nan
    field = bob.residual_field(bob.fit_scores(scores), np.ones(3))

    assert np.flatnonzero(np.isnan(field.score)).tolist() == [4]


@pytest.mark.parametrize(
    ("relevance", "options", "words"),
    [
        (np.ones(5), {}, "expected one for each benchmark"),
        (-np.ones(6), {}, "not negative"),
        (np.full(6, np.nan), {}, "finite"),
        (np.ones(6), {"shrinkage": 1.5}, "a constant from 0 to 1"),
        (np.ones(6), {"shrinkage": "some"}, "'support', 'none'"),
        (np.ones(6), {"residual": "raw"}, "latent_offset"),
    ],
)
def test_bad_arguments_are_refused(relevance: np.ndarray, options: dict[str, object], words: str) -> None:
    with pytest.raises(bob.ArrayError, match=words):
        bob.residual_field(fit_random(), relevance, **options)  # type: ignore[arg-type]
