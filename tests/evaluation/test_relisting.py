"""Listing a benchmark again: what moves, by how much, and which step of the method moves it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

import balance_of_benchmarks as bob
from balance_of_benchmarks.equating.fit import refit_abilities
from balance_of_benchmarks.evaluation.relisting import (
    Relistable,
    Relisting,
    compare_rankings,
    decompose_relisting,
    fit_listing,
    relist,
    relist_ranking,
)
from balance_of_benchmarks.evaluation.study import Study, mean_observed, standardize_columns
from balance_of_benchmarks.geometry.space import Weighting
from balance_of_benchmarks.types import FloatArray, IntArray

MakeStudy = Callable[..., Study]
EVERY_WEIGHTING = pytest.mark.parametrize("weighting", ["inverse_density", "magnitude", "equal"])


@pytest.fixture(scope="module")
def study(make_study: MakeStudy) -> Study:
    return make_study(60, 7)


# --- two rankings --------------------------------------------------------------------------------------------------


def test_a_ranking_does_not_move_from_itself() -> None:
    scores = np.random.default_rng(0).normal(size=80)
    shift = compare_rankings(scores, scores)

    assert shift.kendall == pytest.approx(1.0, abs=1e-12)
    assert (shift.median, shift.high, shift.largest, shift.top_10, shift.top_50, shift.ability) == (0,) * 6


def test_a_reversed_ranking_moves_as_far_as_can_be() -> None:
    scores = np.arange(101.0)
    shift = compare_rankings(scores, -scores)

    assert shift.kendall == pytest.approx(-1.0, abs=1e-12)
    assert shift.largest == 100
    assert shift.median == np.median(np.abs(np.arange(-100, 101, 2)))
    assert (shift.top_10, shift.top_50) == (10, 50)


@given(st.integers(0, 999), st.integers(2, 90))
def test_every_figure_is_its_definition(seed: int, models: int) -> None:
    rng = np.random.default_rng(seed)
    before = rng.normal(size=models)
    after = before + rng.normal(size=models)
    place, moved_to = ((-scores).argsort().argsort() + 1 for scores in (before, after))
    moved = np.abs(place - moved_to)
    shift = compare_rankings(before, after)

    assert shift.kendall == pytest.approx(kendalltau(before, after)[0], abs=1e-12)
    assert shift.median == np.median(moved)
    assert shift.high == pytest.approx(np.quantile(moved, 0.95))
    assert shift.largest == moved.max()
    assert shift.top_10 == len(set(np.flatnonzero(place <= 10)) - set(np.flatnonzero(moved_to <= 10)))
    assert shift.top_50 == len(set(np.flatnonzero(place <= 50)) - set(np.flatnonzero(moved_to <= 50)))
    assert shift.ability == pytest.approx(np.abs(after - before).max() / before.std())


@given(st.integers(0, 999), st.floats(0.01, 100.0), st.floats(-10.0, 10.0))
def test_unit_and_origin_of_the_scores_do_not_count(seed: int, unit: float, origin: float) -> None:
    before, after = np.random.default_rng(seed).normal(size=(2, 30))

    shift = compare_rankings(before, after)
    again = compare_rankings(unit * before + origin, unit * after + origin)
    assert again.ability == pytest.approx(shift.ability, rel=1e-6)
    assert replace(again, ability=shift.ability) == shift


def test_models_without_a_score_in_either_are_left_out_of_both() -> None:
    before, after = np.random.default_rng(1).normal(size=(2, 40))
    before[:3], after[5:9] = np.nan, np.nan
    both = np.isfinite(before) & np.isfinite(after)

    assert compare_rankings(before, after) == compare_rankings(before[both], after[both])


def test_models_that_tie_share_a_place() -> None:
    shift = compare_rankings(np.array([2.0, 2.0, 1.0]), np.array([3.0, 2.0, 1.0]))

    assert (shift.median, shift.largest) == (0, 1)  # 1, 1, 3 becomes 1, 2, 3


def test_what_is_undefined_is_nan() -> None:
    nobody, equal = np.full(5, np.nan), np.zeros(5)

    assert np.isnan(compare_rankings(nobody, np.arange(5.0)).largest)
    assert np.isnan(compare_rankings(equal, np.arange(5.0)).ability)
    assert np.isnan(compare_rankings(equal, np.arange(5.0)).kendall)
    assert compare_rankings(equal, np.arange(5.0)).largest == 4


# --- listing again -------------------------------------------------------------------------------------------------


def test_it_is_a_fit_of_the_longer_list(study: Study) -> None:
    relisting = relist(study, copies=3)
    rule = study.space.rule

    for scenario, target in enumerate(relisting.relisted):
        places = [*range(7), *[int(target)] * 3]
        space = bob.measure_space(study.space.vectors[places], density_bandwidth=rule.density_bandwidth)
        longer = bob.fit_scores(study.scores[:, places], space.weights, n_items=study.n_items[places])
        shift = compare_rankings(fit_listing(study).ability, longer.ability)
        assert relisting.kendall[scenario] == pytest.approx(shift.kendall, abs=1e-12)
        assert relisting.largest[scenario] == shift.largest
        assert relisting.ability[scenario] == pytest.approx(shift.ability, rel=1e-6)


def test_equal_weighting_of_z_scores_is_the_mean_over_the_longer_list(study: Study) -> None:
    z = standardize_columns(study.scores)
    relisting = relist(study, copies=4, weighting="equal_z")

    for scenario in range(7):
        shift = compare_rankings(mean_observed(z), mean_observed(np.hstack([z, *[z[:, [scenario]]] * 4])))
        assert relisting.largest[scenario] == shift.largest
        assert relisting.ability[scenario] == pytest.approx(shift.ability)


@pytest.mark.parametrize("copies", [1, 4, 10])
def test_magnitude_weights_move_nobody(study: Study, copies: int) -> None:
    relisting = relist(study, copies=copies, weighting="magnitude")

    assert not relisting.largest.any()
    assert not relisting.top_10.any()
    assert relisting.ability.max() < 1e-9
    assert relisting.kendall.min() == pytest.approx(1.0, abs=1e-9)


def test_the_more_copies_the_further_equal_weights_move_and_inverse_density_stays(study: Study) -> None:
    equal, ours = (
        [relist(study, copies=copies, weighting=weighting).mean.ability for copies in (1, 3, 10)]
        for weighting in ("equal_z", "inverse_density")
    )

    assert equal[0] < equal[1] < equal[2]
    assert all(our < 0.5 * flat for our, flat in zip(ours, equal, strict=True))


def test_a_benchmark_without_neighbours_can_be_listed_again_for_nothing(study: Study) -> None:
    relisting = relist(replace(study, space=bob.measure_space(np.eye(7), density_bandwidth=0.1)))

    assert relisting.ability.max() < 1e-9


def test_each_point_is_listed_again_once(make_study: MakeStudy) -> None:
    study = make_study(40, 5, copies=(2, 2, 4))

    assert relist(study).relisted.tolist() == [0, 1, 2, 3, 4]


def test_a_benchmark_that_nobody_was_scored_on_is_not_listed_again(study: Study) -> None:
    scores = study.scores.copy()
    scores[:, 3] = np.nan

    assert 3 not in relist(replace(study, scores=scores)).relisted


def test_a_unit_given_from_outside_stays(study: Study) -> None:
    wide = replace(study, space=study.space.take(np.arange(7), unit=2.0 * study.space.median))
    again = bob.measure_space(study.space.vectors, density_bandwidth=0.5)

    assert relist(wide).ability.tolist() == pytest.approx(
        relist(replace(study, space=again)).ability.tolist(), rel=1e-9
    )
    assert relist(wide).ability.tolist() != relist(study).ability.tolist()


def test_any_ranking_can_be_asked(study: Study) -> None:
    asked: list[list[int]] = []

    def rank(places: IntArray) -> FloatArray:
        asked.append(places.tolist())
        return np.arange(60.0) * len(places)

    relisting = relist_ranking(study, rank, copies=2)

    assert asked == [[*range(7)], *([*range(7), target, target] for target in range(7))]
    assert relisting.mean.kendall == pytest.approx(1.0)
    assert relisting.gap == pytest.approx(1.0 / np.arange(60.0).std())


def test_means_over_scenarios_are_what_is_reported(study: Study) -> None:
    relisting = relist(study)

    assert relisting.mean.largest == np.mean(relisting.largest)
    assert relisting.mean.high == np.mean(relisting.high)


def test_without_a_scenario_means_are_undefined() -> None:
    none = np.array([])

    assert np.isnan(Relisting(1, np.array([], np.int64), 0.1, *[none] * 7).mean.kendall)


def test_weights_of_the_users_own_give_way_to_the_weighting_asked_for(study: Study) -> None:
    given = replace(study, space=bob.measure_space(study.space.vectors, weights=np.arange(1.0, 8.0)))

    assert relist(given).ability.tolist() == relist(study).ability.tolist()


@pytest.mark.parametrize("copies", [0, -1, 1.5, True, "4"])
def test_copies_must_be_a_whole_number(study: Study, copies: int) -> None:
    with pytest.raises(bob.ArrayError, match="copies"):
        relist(study, copies=copies)


def test_a_weighting_nobody_knows_is_refused(study: Study) -> None:
    unknown: Relistable = "heavy"  # type: ignore[assignment]
    with pytest.raises(bob.ArrayError, match=r"'heavy'.*magnitude"):
        relist(study, weighting=unknown)


# --- where it comes from -------------------------------------------------------------------------------------------


@EVERY_WEIGHTING
def test_with_curves_held_and_the_groups_weight_forced_nobody_moves(study: Study, weighting: Weighting) -> None:
    forced = decompose_relisting(study, weighting=weighting).forced

    assert not forced.largest.any()
    assert forced.ability.max() < 1e-9


def test_each_step_frees_something_more(study: Study) -> None:
    steps = decompose_relisting(study)

    assert steps.forced.mean.ability < 1e-9 < steps.held.mean.ability
    assert steps.held.mean.ability < steps.refitted.mean.ability
    assert steps.refitted.largest.tolist() == relist(study).largest.tolist()


def test_magnitude_weights_move_nobody_at_any_step(study: Study) -> None:
    steps = decompose_relisting(study, weighting="magnitude")

    for step in (steps.forced, steps.held, steps.refitted):
        assert not step.largest.any()
        assert step.ability.max() < 1e-9


def test_with_weights_of_one_each_five_listings_weigh_five_times_as_much(study: Study) -> None:
    held = decompose_relisting(study, weighting="equal").held
    fit = fit_listing(replace(study, space=study.space.reweigh("equal")))

    for scenario in range(7):
        weights = np.where(np.arange(7) == scenario, 5.0, 1.0)
        shift = compare_rankings(refit_abilities(fit, np.ones(7)), refit_abilities(fit, weights))
        assert held.ability[scenario] == pytest.approx(shift.ability, rel=1e-9)
