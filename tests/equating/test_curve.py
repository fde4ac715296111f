"""The characteristic curve: its shape, and that tabulating it loses nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance_of_benchmarks.equating.curve import Link, expected_score, score_slope

ONE, ZERO = np.array([1.0]), np.array([0.0])


@given(st.floats(-12, 12))
def test_the_curve_is_the_normal_distribution_function(x: float) -> None:
    expected = 0.5 * math.erfc(-x / math.sqrt(2))
    density = math.exp(-0.5 * x * x) / math.sqrt(2 * math.pi)

    assert expected_score(np.array([x]), ONE, ZERO, "ogive")[0] == pytest.approx(expected, abs=1e-13)
    assert score_slope(np.array([x]), ONE, ZERO, "ogive")[0] == pytest.approx(density, abs=1e-11)


@pytest.mark.parametrize("link", ["ogive", "linear"])
def test_half_is_expected_where_ability_meets_difficulty(link: Link) -> None:
    b = np.array([-2.0, 0.3, 4.0])

    assert expected_score(b, np.array([0.3, 1.0, 9.0]), b, link).tolist() == pytest.approx([0.5] * 3)


@pytest.mark.parametrize("link", ["ogive", "linear"])
def test_the_slope_is_the_curves_derivative(link: Link) -> None:
    theta, a, b = np.linspace(-3, 3, 41), np.array([1.3]), np.array([0.4])
    step = 1e-5  # central differences err by step² φ'' / 6, below 1e-10
    difference = (expected_score(theta + step, a, b, link) - expected_score(theta - step, a, b, link)) / (2 * step)

    np.testing.assert_allclose(score_slope(theta, a, b, link), difference, atol=1e-8)


def test_the_curve_rises_from_zero_to_one() -> None:
    scores = expected_score(np.linspace(-30, 30, 999), np.array([1.5]), np.array([0.5]), "ogive")

    assert (np.diff(scores) >= 0).all()
    assert scores[0] < 1e-16
    assert scores[-1] == 1.0


def test_what_is_unknown_stays_unknown() -> None:
    theta = np.array([np.nan, 0.0, np.nan, 1e300, -1e300])

    assert np.isnan(expected_score(theta, ONE, ZERO, "ogive")).tolist() == [True, False, True, False, False]
    assert score_slope(theta, ONE, ZERO, "ogive")[3:].tolist() == pytest.approx([0.0, 0.0], abs=1e-12)
