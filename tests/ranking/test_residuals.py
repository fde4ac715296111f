"""Residuals of ranks are what a line in ability leaves of normal scores, and no bend of the scores moves them."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import balance_of_benchmarks as bob
from balance_of_benchmarks.ranking.residuals import PointResiduals, rank_residuals
from balance_of_benchmarks.types import FloatArray


def simulate(seed: int = 0, m: int = 25, n: int = 6) -> FloatArray:
    rng = np.random.default_rng(seed)
    scores = 1.0 / (1.0 + np.exp(-rng.normal(size=(m, 1)) - rng.normal(size=(m, n))))
    scores[rng.random((m, n)) < 0.2] = np.nan
    return scores


@given(st.integers(0, 20))
def test_they_are_normal_scores_less_their_line_in_ability_in_its_sds(seed: int) -> None:
    fit = bob.fit_scores(simulate(seed))
    scores, found = fit.observed.to_matrix(fit.observed.score), fit.observed.to_matrix(rank_residuals(fit))
    for column, residual in zip(scores.T, found.T, strict=True):
        seen = np.flatnonzero(~np.isnan(column))
        places = np.argsort(np.argsort(column[seen])) + 1.0
        z = np.array([NormalDist().inv_cdf((place - 0.5) / seen.size) for place in places])
        slope, intercept = np.polyfit(fit.ability[seen], z, 1)
        left = z - slope * fit.ability[seen] - intercept
        np.testing.assert_allclose(residual[seen], left / np.sqrt(np.mean(left**2)), atol=1e-8)


def test_ties_share_the_quantile_of_the_middle_of_their_places() -> None:
    scores = np.array([[0.1], [0.5], [0.5], [0.5], [0.9]])
    fit = bob.fit_scores(np.hstack([scores, np.linspace(0.1, 0.9, 5)[:, None]]))
    first = rank_residuals(fit)[:5]
    line = np.polyfit(fit.ability, [NormalDist().inv_cdf(p) for p in (0.1, 0.5, 0.5, 0.5, 0.9)], 1)

    left = np.array([NormalDist().inv_cdf(p) for p in (0.1, 0.5, 0.5, 0.5, 0.9)]) - np.polyval(line, fit.ability)
    np.testing.assert_allclose(first, left / max(np.sqrt(np.mean(left**2)), 0.05), atol=1e-10)


def test_what_two_models_were_scored_on_leaves_nothing_beyond_ability() -> None:
    scores = simulate()
    scores[2:, 3] = np.nan
    scores[:2, 3] = 0.2, 0.7
    fit = bob.fit_scores(scores)

    assert not rank_residuals(fit)[fit.cells.benchmark == 3].any()


def test_a_model_without_ability_has_none_and_moves_nobody_elses() -> None:
    weights = [1.0, 1.0, 1.0, 1.0, 1.0, 0.0]
    scores = simulate()
    scores[0] = np.nan
    without = bob.fit_scores(scores, weights)
    scores[0, 5] = 0.99
    fit = bob.fit_scores(scores, weights)
    assert np.isnan(fit.ability[0])
    found = fit.observed.to_matrix(rank_residuals(fit))

    assert found[0, 5] == 0.0
    np.testing.assert_allclose(found[1:], without.observed.to_matrix(rank_residuals(without))[1:], atol=1e-9)


def test_copies_at_a_point_have_the_mean_of_their_residuals() -> None:
    scores = simulate()[:, [0, 1, 2, 2, 3]]
    labels = [0, 1, 2, 2, 4]
    data = PointResiduals.of(bob.fit_scores(scores, labels=labels))
    once = data.fit.observed.to_matrix(rank_residuals(data.fit))

    assert data.rank.shape == (25, 4)
    np.testing.assert_allclose(data.rank[:, 2], np.nan_to_num(once[:, 2]), atol=1e-12)


def test_a_blend_is_the_weighted_mean_and_cells_share_it() -> None:
    data = PointResiduals.of(bob.fit_scores(simulate()[:, [0, 1, 2, 2]], labels=[0, 1, 2, 2]))

    np.testing.assert_allclose(data.blend(0.3), 0.7 * data.curve + 0.3 * data.rank)
    totals = data.fit.observed.sum_by_model(data.share_cells(0.3))
    assert totals == pytest.approx(data.blend(0.3).sum(axis=1))
