"""What a new benchmark adds as it moves away from a listed one, against the closed form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import balance_of_benchmarks as bob
from balance_of_benchmarks.evaluation.densification import DIRECTIONS, densify, isolated_pair_mass


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture(scope="module")
def space() -> bob.Space:
    return bob.measure_space(np.random.default_rng(1).normal(size=(6, 20)))


def test_twelve_directions_from_fourteen_benchmarks_are_168_placements() -> None:
    space = bob.measure_space(rng().normal(size=(14, 30)))

    assert densify(space, [0.3, 0.6], rng=rng()).mass.shape == (2, 168)
    assert DIRECTIONS == 12


def test_a_lone_benchmark_meets_the_closed_form_wherever_the_new_one_is_placed() -> None:
    space = bob.measure_space([[1.0, 2.0, -1.0, 0.5, 0.0]])
    found = densify(space, np.linspace(0.0, np.pi, 9), directions=4, rng=rng())

    assert found.mass == pytest.approx(np.repeat(found.isolated[:, None], 4, axis=1), abs=1e-12)


@given(st.floats(0.0, 3.0), st.floats(0.05, 1.0))
def test_the_closed_form_is_what_a_list_of_two_weighs_more_than_a_list_of_one(
    distance: float, bandwidth: float
) -> None:
    two = bob.inverse_density_weights([[0.0, distance], [distance, 0.0]], bandwidth).sum()

    assert isolated_pair_mass([distance], bandwidth)[0] == pytest.approx(two - 1.0, abs=1e-12)


def test_every_mass_is_the_gain_in_effective_mass_of_a_list_with_the_point_in_it(space: bob.Space) -> None:
    distance = 0.4 * space.median
    found = densify(space, [distance], directions=3, rng=rng())

    tangent = rng().standard_normal((18, 20))
    start = np.repeat(space.vectors, 3, axis=0)
    tangent -= np.einsum("ij,ij->i", tangent, start)[:, None] * start
    tangent /= np.linalg.norm(tangent, axis=1)[:, None]
    for placement in range(18):
        point = start[placement] * np.cos(distance) + tangent[placement] * np.sin(distance)
        assert np.arccos(point @ start[placement]) == pytest.approx(distance)
        longer = bob.angular_distances(np.vstack([space.vectors, point]))
        gain = bob.inverse_density_weights(longer, space.bandwidth).sum() - space.effective_mass
        assert found.mass[0, placement] == pytest.approx(gain, abs=1e-9)


def test_the_further_away_the_more_is_added_on_the_average_up_to_one(space: bob.Space) -> None:
    found = densify(space, np.linspace(0.05, 0.8, 8) * space.median, rng=rng())

    assert (np.diff(found.mean) > 0).all()
    assert (np.diff(found.isolated) > 0).all()
    assert found.mass.max() <= 1.0
    assert np.abs(found.mean - found.isolated).max() < 0.1


def test_mean_and_deviation_are_over_placements(space: bob.Space) -> None:
    found = densify(space, [0.2, 0.5], rng=rng())

    assert found.mean.tolist() == [row.mean() for row in found.mass]
    assert found.deviation.tolist() == [row.std() for row in found.mass]


def test_a_copy_of_an_isolated_benchmark_adds_nothing_and_of_one_with_neighbours_takes_a_little() -> None:
    isolated = bob.measure_space(np.eye(4), density_bandwidth=0.1)
    crowded = bob.measure_space(np.eye(4) + 0.8)

    assert densify(isolated, [0.0], rng=rng()).mass == pytest.approx(0.0, abs=1e-12)
    assert densify(crowded, [0.0], rng=rng()).mass.max() < 0.0


def test_copies_and_benchmarks_without_a_text_are_no_places_to_start_from() -> None:
    vectors = np.vstack([np.eye(3, 6), np.eye(3, 6)[[0]], np.full((1, 6), np.nan)])

    assert densify(bob.measure_space(vectors), [0.5], directions=2, rng=rng()).mass.shape == (1, 6)


def test_masses_are_the_inverse_densitys_whatever_the_weights_in_use(space: bob.Space) -> None:
    ours, equal = (densify(given, [0.3], rng=rng()).mass.tolist() for given in (space, space.reweigh("equal")))

    assert ours == equal


def test_the_same_seed_gives_the_same_placements(space: bob.Space) -> None:
    once, again = (densify(space, [0.3], rng=np.random.default_rng(5)).mass for _ in range(2))

    assert once.tobytes() == again.tobytes()
    assert once.tobytes() != densify(space, [0.3], rng=np.random.default_rng(6)).mass.tobytes()


def test_every_length_goes_in_the_same_directions(space: bob.Space) -> None:
    both = densify(space, [0.3, 0.6], rng=rng())

    assert both.mass[1].tolist() == densify(space, 0.6, rng=rng()).mass[0].tolist()


@pytest.mark.parametrize("distances", [[-0.1], [4.0], [[0.1]], [float("nan")]])
def test_a_step_is_an_angle(space: bob.Space, distances: list[float]) -> None:
    with pytest.raises(bob.ArrayError, match="distances"):
        densify(space, distances, rng=rng())


@pytest.mark.parametrize("directions", [0, 2.0, True])
def test_directions_are_a_whole_number(space: bob.Space, directions: int) -> None:
    with pytest.raises(bob.ArrayError, match="directions"):
        densify(space, [0.1], directions=directions, rng=rng())


def test_without_a_place_to_start_from_or_a_direction_to_go_there_is_a_clear_error() -> None:
    with pytest.raises(bob.RankingError, match="no benchmark has a description"):
        densify(bob.measure_space(np.full((2, 3), np.nan)), [0.1], rng=rng())
    with pytest.raises(bob.RankingError, match="one dimension"):
        densify(bob.measure_space([[1.0], [-1.0]]), [0.1], rng=rng())
