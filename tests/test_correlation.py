"""Ranks and rank correlation, against the statistics library they stand in for."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from balance_of_benchmarks.correlation import average_ranks, mean_percentile, pearson, rank_rows, spearman

VALUES = st.lists(st.integers(-3, 3), min_size=3, max_size=30)


@given(VALUES)
def test_ranks_are_the_average_ones(values: list[int]) -> None:
    from scipy.stats import rankdata

    np.testing.assert_array_equal(average_ranks(np.array(values, dtype=float)), rankdata(values))


@given(VALUES, VALUES)
def test_rows_are_ranked_each_by_itself(one: list[int], other: list[int]) -> None:
    n = min(len(one), len(other))
    rows = np.array([one[:n], other[:n], np.arange(n)], dtype=float)

    np.testing.assert_array_equal(rank_rows(rows), [average_ranks(row) for row in rows])


@given(VALUES, st.integers(0, 99))
def test_spearman_is_spearman(values: list[int], seed: int) -> None:
    from scipy.stats import spearmanr

    x = np.array(values, dtype=float)
    y = x + np.random.default_rng(seed).integers(-2, 3, x.size).astype(float)
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert np.isnan(spearman(x, y))
    else:
        np.testing.assert_allclose(spearman(x, y), spearmanr(x, y).statistic, atol=1e-12)


def test_what_is_constant_has_no_correlation() -> None:
    assert np.isnan(pearson(np.full(5, 0.1), np.arange(5.0)))
    assert np.isnan(pearson(np.array([1.0]), np.array([2.0])))


def test_a_mean_percentile_is_over_what_a_model_was_observed_on() -> None:
    scores = np.array([[0.1, 0.9, np.nan], [0.2, np.nan, np.nan], [0.2, 0.8, np.nan], [np.nan] * 3])

    expected = np.array([(1 / 3 + 2 / 2) / 2, 2.5 / 3, (2.5 / 3 + 1 / 2) / 2, np.nan])
    np.testing.assert_allclose(mean_percentile(scores), expected)
