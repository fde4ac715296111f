"""Inverse-density weights and masses, against the paper's formulas."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import balance_of_benchmarks as bob
from balance_of_benchmarks.geometry.density import (
    gaussian_kernel,
    group_mass,
    leave_one_out_masses,
    measure_density,
    outside_mass,
)

H = 0.3
FAR = 100.0


def random_distances(seed: int, n: int) -> np.ndarray:
    return bob.angular_distances(np.random.default_rng(seed).normal(size=(n, 5)))


def test_an_isolated_benchmark_weighs_one() -> None:
    assert bob.inverse_density_weights([[0.0, FAR], [FAR, 0.0]], H).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("n", [1, 2, 5])
def test_an_isolated_group_of_copies_weighs_one_together(n: int) -> None:
    distances = np.full((n + 1, n + 1), FAR)
    distances[:n, :n] = 0.0
    distances[n, n] = 0.0

    weights = bob.inverse_density_weights(distances, H)

    assert weights[:n].sum() == pytest.approx(1.0, abs=1e-15)
    assert weights[n] == 1.0


def test_a_pair_at_one_bandwidth_shares_by_the_kernel() -> None:
    weights = bob.inverse_density_weights([[0.0, H], [H, 0.0]], H)

    assert weights == pytest.approx([1 / (1 + np.exp(-0.5))] * 2, abs=1e-15)


@pytest.mark.parametrize("d", [0.0, 0.1, 0.33, 0.6, 2.0])
def test_next_to_one_isolated_benchmark_the_marginal_mass_is_the_propositions(d: float) -> None:
    k = np.exp(-(d**2) / (2 * H**2))

    assert bob.marginal_mass([d], [[0.0]], H) == pytest.approx((1 - k) / (1 + k), abs=1e-15)


@given(st.integers(0, 999), st.integers(1, 12), st.floats(0.05, 2.0))
def test_the_marginal_mass_is_the_difference_it_makes(seed: int, n: int, bandwidth: float) -> None:
    distances = random_distances(seed, n + 1)
    before = bob.effective_mass(distances[:n, :n], bandwidth)
    after = bob.effective_mass(distances, bandwidth)

    assert bob.marginal_mass(distances[n, :n], distances[:n, :n], bandwidth) == pytest.approx(after - before, abs=1e-12)


@given(st.integers(0, 999), st.floats(0.05, 2.0))
def test_the_leave_one_out_mass_is_the_difference_it_makes(seed: int, bandwidth: float) -> None:
    distances = random_distances(seed, 7)
    whole = bob.effective_mass(distances, bandwidth)
    without = [bob.effective_mass(np.delete(np.delete(distances, i, 0), i, 1), bandwidth) for i in range(7)]

    np.testing.assert_allclose(leave_one_out_masses(distances, bandwidth), whole - np.array(without), atol=1e-12)


def test_the_marginal_mass_falls_with_similarity() -> None:
    distances = random_distances(0, 6)
    nearer = np.linspace(3.0, 0.0, 30)
    masses = bob.marginal_mass(np.tile(nearer[:, None], (1, 6)), distances, 0.5)

    assert (np.diff(masses) < 0).all()


def test_a_co_located_group_holds_n_over_n_plus_its_outside_mass() -> None:
    distances = random_distances(1, 5)
    group = [4, 4, 4]  # the last benchmark listed three times
    place = [0, 1, 2, 3, *group]
    listed = distances[np.ix_(place, place)]
    outside = outside_mass(listed, [4, 5, 6], 0.8)

    assert outside == pytest.approx(gaussian_kernel(distances[4, :4], 0.8).sum())
    assert bob.inverse_density_weights(listed, 0.8)[4:].sum() == pytest.approx(group_mass(3, outside), abs=1e-14)


def test_effective_mass_runs_from_all_to_one_along_bandwidths() -> None:
    masses = np.asarray(bob.effective_mass(random_distances(2, 9), np.geomspace(1e-3, 1e3, 40)))

    assert masses[0] == pytest.approx(9.0)
    assert masses[-1] == pytest.approx(1.0, abs=1e-4)
    assert (np.diff(masses) <= 1e-12).all()


def test_density_counts_the_benchmark_itself() -> None:
    assert measure_density([[0.0]], H).tolist() == [1.0]


@pytest.mark.parametrize("bandwidth", [0.0, -1.0, np.nan, np.inf])
def test_a_bandwidth_must_be_positive(bandwidth: float) -> None:
    with pytest.raises(bob.ArrayError, match="bandwidth"):
        bob.inverse_density_weights([[0.0]], bandwidth)


def test_distances_must_be_square() -> None:
    with pytest.raises(bob.ArrayError, match="square"):
        bob.inverse_density_weights([[0.0, 1.0]], H)
