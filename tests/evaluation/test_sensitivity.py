"""What constants move: each sweep is the whole procedure with one of them set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.correlation import spearman
from balance_of_benchmarks.equating.settings import FitSettings
from balance_of_benchmarks.evaluation.relisting import fit_listing
from balance_of_benchmarks.evaluation.sensitivity import (
    CAPS,
    DENSITIES,
    FLOORS,
    drop_benchmarks,
    scale_noise_floors,
    sweep_bandwidths,
    sweep_densities,
    sweep_robustness,
)
from balance_of_benchmarks.evaluation.shuffling import held_out_means
from balance_of_benchmarks.evaluation.study import Study

MakeStudy = Callable[..., Study]


@pytest.fixture(scope="module")
def study(make_study: MakeStudy) -> Study:
    return make_study(60, 6)


def with_outliers(study: Study) -> Study:
    """One score in twenty turned upside down, so that robust weights have something to do."""
    upside_down = np.random.default_rng(3).random(study.scores.shape) < 0.05
    return replace(study, scores=np.where(upside_down, 1.0 - study.scores, study.scores))


# --- robust weights ------------------------------------------------------------------------------------------------


def test_the_sweep_is_the_papers() -> None:
    assert CAPS == (2.0, 3.0, 4.0, 6.0)
    assert FLOORS == (1e-2, 1e-3, 1e-4)


def test_every_cap_goes_with_every_floor(study: Study) -> None:
    swept = sweep_robustness(study, [2.0, 6.0], [0.01, 0.5], multiple=0.6)

    assert [means.setting for means in swept] == [(2.0, 0.01), (2.0, 0.5), (6.0, 0.01), (6.0, 0.5)]
    for means in swept:
        settings = FitSettings(robust_cap=means.setting[0], robust_floor=means.setting[1])
        assert (means.level, means.profile) == held_out_means(replace(study, settings=settings), 0.6)


def test_a_cap_that_no_residual_reaches_is_no_cap(study: Study) -> None:
    high, none = sweep_robustness(study, [1e6, np.inf], [1e-3])

    assert (high.level, high.profile) == (none.level, none.profile)


def test_where_there_are_outliers_caps_and_floors_make_a_difference(study: Study) -> None:
    narrow, wide, light = (
        sweep_robustness(with_outliers(study), [cap], [floor])[0].profile
        for cap, floor in ((1.5, 1e-3), (6.0, 1e-3), (1.5, 0.5))
    )

    assert len({narrow, wide, light}) == 3


def test_other_constants_of_the_study_stay_as_they_are(study: Study) -> None:
    four = replace(study, settings=FitSettings(rounds=4))
    (swept,) = sweep_robustness(four, [2.0], [0.01])
    expected = held_out_means(replace(study, settings=FitSettings(rounds=4, robust_cap=2.0, robust_floor=0.01)))

    assert (swept.level, swept.profile) == expected


# --- bandwidths ----------------------------------------------------------------------------------------------------


def test_the_fields_bandwidths_are_swept_in_medians_of_the_pool(study: Study) -> None:
    swept = sweep_bandwidths(study)

    assert [means.setting for means in swept] == [(0.30,), (0.45,), (0.60,)]
    assert [(means.level, means.profile) for means in swept] == [held_out_means(study, h) for h in (0.3, 0.45, 0.6)]


def test_with_next_to_no_bandwidth_ability_alone_is_left(study: Study) -> None:
    (narrow,) = sweep_bandwidths(study, [1e-6])
    levels = [trial.fold.score(trial.question.fit.ability).level for trial in study.trials()]

    assert narrow.level == pytest.approx(np.mean(levels), abs=1e-12)


def test_the_weights_bandwidths_are_swept_over_the_papers_range(study: Study) -> None:
    swept = sweep_densities(study)

    assert [means.setting for means in swept] == [(density,) for density in DENSITIES]
    assert (min(DENSITIES), max(DENSITIES)) == (0.05, 1.00)
    for means in swept[::4]:
        space = bob.measure_space(study.space.vectors, density_bandwidth=means.setting[0])
        expected = held_out_means(replace(study, space=space))
        assert (means.level, means.profile) == pytest.approx(expected, abs=1e-12)


def test_the_density_in_use_gives_the_figures_in_use(study: Study) -> None:
    (swept,) = sweep_densities(study, [0.25], multiple=0.3)

    assert (swept.level, swept.profile) == held_out_means(study, 0.3)


def test_with_next_to_no_density_bandwidth_weights_are_equal(study: Study) -> None:
    (swept,) = sweep_densities(study, [1e-6])

    assert (swept.level, swept.profile) == held_out_means(replace(study, space=study.space.reweigh("equal")))


@pytest.mark.parametrize("bad", [0.0, -0.5, float("nan")])
def test_a_bandwidth_is_positive(study: Study, bad: float) -> None:
    with pytest.raises(bob.ArrayError, match="bandwidth"):
        sweep_densities(study, [bad])
    with pytest.raises(bob.ArrayError, match="bandwidth"):
        sweep_bandwidths(study, [bad])


# --- noise floors --------------------------------------------------------------------------------------------------


def test_floors_that_bind_nowhere_can_be_halved_without_effect(study: Study) -> None:
    plenty = replace(study, n_items=np.full(6, 1e6))

    assert scale_noise_floors(plenty, 0.5) == pytest.approx(1.0, abs=1e-12)
    assert scale_noise_floors(plenty, 2.0) == pytest.approx(1.0, abs=1e-12)


def test_floors_that_bind_in_part_reorder_the_information(study: Study) -> None:
    sharpest = int(np.argmax(fit_listing(study).information))
    items = np.where(np.arange(6) == sharpest, 1e3, 1e9)
    few, less = replace(study, n_items=items), replace(study, n_items=items / 1e3)

    expected = spearman(fit_listing(few).information, fit_listing(less).information)
    assert scale_noise_floors(few, 1e3) == pytest.approx(expected)
    assert scale_noise_floors(few, 1e3) < 1.0


def test_where_items_are_not_known_there_is_no_floor_to_scale(study: Study) -> None:
    unknown = replace(study, n_items=np.full(6, np.nan))

    assert scale_noise_floors(unknown, 100.0) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("factor", [0.0, -1.0, float("inf"), True])
def test_a_factor_is_positive(study: Study, factor: float) -> None:
    with pytest.raises(bob.ArrayError, match="factor"):
        scale_noise_floors(study, factor)


# --- one benchmark less --------------------------------------------------------------------------------------------


def test_abilities_without_a_benchmark_are_compared_with_those_of_the_whole_list(study: Study) -> None:
    agreement = drop_benchmarks(study)

    for i in range(6):
        rest = [j for j in range(6) if j != i]
        space = bob.measure_space(
            study.space.vectors[rest], density_bandwidth=0.25 * study.space.median / np.median(apart(study, rest))
        )
        ability = bob.fit_scores(study.scores[:, rest], space.weights, n_items=study.n_items[rest]).ability
        known = np.isfinite(ability)
        assert agreement[i] == pytest.approx(spearman(fit_listing(study).ability[known], ability[known]), abs=1e-9)


def apart(study: Study, listed: list[int]) -> list[float]:
    return [float(study.space.distances[i, j]) for i in listed for j in listed if i < j]


def test_one_of_many_copies_is_not_missed(make_study: MakeStudy) -> None:
    agreement = drop_benchmarks(make_study(60, 5, missing=0.0, copies=(0,) * 5))

    assert agreement[5:].min() > 0.995
    assert agreement[1:5].min() < agreement[5:].min()


def test_a_benchmark_without_a_score_is_not_missed(study: Study) -> None:
    scores = study.scores.copy()
    scores[:, 1] = np.nan
    alone = replace(study, scores=scores, space=bob.measure_space(np.eye(6)))

    assert drop_benchmarks(alone)[1] == pytest.approx(1.0, abs=1e-9)


def test_where_the_rest_ranks_nobody_agreement_is_undefined(study: Study) -> None:
    scores = np.full((60, 2), np.nan)
    scores[:, 0] = np.linspace(0.0, 1.0, 60)
    two = replace(study.take(np.arange(2)), scores=scores)

    assert np.isnan(drop_benchmarks(two)[0])
    assert drop_benchmarks(two)[1] == pytest.approx(1.0, abs=1e-9)


def test_one_benchmark_cannot_be_dropped(study: Study) -> None:
    with pytest.raises(bob.ArrayError, match="at least 2"):
        drop_benchmarks(study.take(np.arange(1)))
