"""Descriptions dealt out at random: the null against which a held-out figure is judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.evaluation.methods import METHODS
from balance_of_benchmarks.evaluation.panel import Panel
from balance_of_benchmarks.evaluation.rules import Clusterings
from balance_of_benchmarks.evaluation.shuffling import Shuffling, held_out_means, shuffle_descriptions
from balance_of_benchmarks.evaluation.study import Study
from balance_of_benchmarks.types import FloatArray

MakeStudy = Callable[..., Study]


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture(scope="module")
def study(make_study: MakeStudy) -> Study:
    return make_study(60, 7)


def made_up(figure: float, drawn: FloatArray) -> Shuffling:
    return Shuffling(figure, figure, drawn, drawn)


# --- held-out means ------------------------------------------------------------------------------------------------


def test_means_are_over_the_folds_of_the_method(study: Study) -> None:
    outcomes = []
    for trial in study.trials():
        pool = trial.question.pool
        relevance = bob.continuous_relevance(trial.question.distances, 0.3 * pool.space.median, pool.space.weights)
        outcomes.append(trial.fold.score(bob.residual_field(trial.question.fit, relevance).score))

    level, profile = held_out_means(study, 0.3)
    assert level == pytest.approx(np.mean([outcome.level for outcome in outcomes]), abs=1e-12)
    assert profile == pytest.approx(np.mean([outcome.profile for outcome in outcomes]), abs=1e-12)


def test_nested_means_choose_the_bandwidth_in_every_fold(study: Study) -> None:
    ours, outcomes = METHODS[0].predict, []
    for target in range(7):
        panel = Panel(study, target, Clusterings())
        prediction = ours(panel)
        assert prediction is not None
        outcomes.append(panel.trial.fold.score(prediction))

    level, profile = held_out_means(study, None)
    assert level == pytest.approx(np.mean([outcome.level for outcome in outcomes]), abs=1e-12)
    assert profile == pytest.approx(np.mean([outcome.profile for outcome in outcomes]), abs=1e-12)


def test_folds_in_which_a_figure_is_undefined_do_not_count(study: Study) -> None:
    scores = study.scores.copy()
    scores[:, 2] = np.where(np.isnan(scores[:, 2]), np.nan, 0.5)  # nothing to be correlated with
    outcomes = []
    constant = replace(study, scores=scores)
    for trial in constant.trials():
        pool = trial.question.pool
        relevance = bob.continuous_relevance(trial.question.distances, 0.45 * pool.space.median, pool.space.weights)
        outcomes.append(trial.fold.score(bob.residual_field(trial.question.fit, relevance).score).level)

    assert np.isnan(outcomes).sum() == 1
    assert held_out_means(constant)[0] == pytest.approx(np.nanmean(outcomes), abs=1e-12)


def test_where_no_fold_can_tell_the_means_are_undefined(study: Study) -> None:
    constant = np.where(np.isnan(study.scores), np.nan, 0.5)

    assert np.isnan(held_out_means(replace(study, scores=constant))).all()


# --- shuffles ------------------------------------------------------------------------------------------------------


def test_the_first_figures_are_with_every_text_in_its_place(study: Study) -> None:
    shuffling = shuffle_descriptions(study, draws=2, rng=rng())

    assert (shuffling.level, shuffling.profile) == held_out_means(study)


def test_every_draw_is_the_whole_procedure_with_the_texts_permuted(study: Study) -> None:
    shuffling = shuffle_descriptions(study, draws=3, rng=rng())
    orders = rng()

    for level, profile in zip(shuffling.shuffled_level, shuffling.shuffled_profile, strict=True):
        vectors = study.space.vectors[orders.permutation(7)]
        expected = held_out_means(replace(study, space=bob.measure_space(vectors)))
        assert (level, profile) == pytest.approx(expected, abs=1e-9)


def test_texts_that_say_what_was_measured_beat_texts_dealt_at_random(make_study: MakeStudy) -> None:
    shuffling = shuffle_descriptions(make_study(150, 9, missing=0.1), draws=39, rng=rng())

    assert shuffling.p_profile <= 0.05
    assert shuffling.shuffled_profile.mean() < shuffling.profile


def test_texts_that_say_nothing_do_not(make_study: MakeStudy) -> None:
    study = make_study(60, 7)
    noise = replace(study, space=bob.measure_space(np.random.default_rng(8).normal(size=(7, 30))))

    assert shuffle_descriptions(noise, draws=39, rng=rng()).p_profile > 0.05


def test_where_all_texts_are_equally_far_apart_dealing_them_out_changes_nothing(study: Study) -> None:
    shuffling = shuffle_descriptions(replace(study, space=bob.measure_space(np.eye(7))), draws=5, rng=rng())

    assert shuffling.shuffled_profile == pytest.approx(shuffling.profile, abs=1e-9)


def test_copies_stay_copies_so_that_no_answer_is_left_in_the_pool(make_study: MakeStudy) -> None:
    listed_once, listed_again = make_study(60, 6), make_study(60, 6, copies=(1, 1, 4))
    once, again = (
        shuffle_descriptions(
            replace(study, space=study.space.reweigh("magnitude")), draws=4, rng=np.random.default_rng(1)
        )
        for study in (listed_once, listed_again)
    )

    assert again.shuffled_profile == pytest.approx(once.shuffled_profile, abs=1e-6)
    assert again.shuffled_level == pytest.approx(once.shuffled_level, abs=1e-6)


def test_weights_of_the_users_own_stay_with_their_benchmarks(study: Study) -> None:
    own = np.arange(1.0, 8.0)
    given = replace(study, space=bob.measure_space(study.space.vectors, weights=own))
    shuffling, orders = shuffle_descriptions(given, draws=3, rng=rng()), rng()

    for profile in shuffling.shuffled_profile:
        dealt = bob.measure_space(study.space.vectors[orders.permutation(7)], weights=own)
        assert profile == pytest.approx(held_out_means(replace(study, space=dealt))[1], abs=1e-9)


def test_the_same_seed_gives_the_same_bytes_in_one_process_and_in_two(study: Study) -> None:
    one, two = (shuffle_descriptions(study, draws=3, jobs=jobs, rng=rng()) for jobs in (1, 2))
    other = shuffle_descriptions(study, draws=3, rng=np.random.default_rng(1))

    assert (one.level, one.profile) == (two.level, two.profile)
    assert one.shuffled_level.tobytes() == two.shuffled_level.tobytes()
    assert one.shuffled_profile.tobytes() == two.shuffled_profile.tobytes()
    assert one.shuffled_profile.tobytes() != other.shuffled_profile.tobytes()


def test_with_a_bandwidth_to_choose_every_draw_chooses_its_own(make_study: MakeStudy) -> None:
    study = make_study(60, 5)
    nested = shuffle_descriptions(study, draws=2, multiple=None, rng=rng())
    orders = rng()

    assert nested.profile == held_out_means(study, None)[1]
    for profile in nested.shuffled_profile:
        dealt = replace(study, space=bob.measure_space(study.space.vectors[orders.permutation(5)]))
        assert profile == pytest.approx(held_out_means(dealt, None)[1], abs=1e-9)


def test_progress_counts_draws(study: Study) -> None:
    told: list[tuple[int, int]] = []
    shuffle_descriptions(study, draws=3, rng=rng(), progress=lambda done, of: told.append((done, of)))

    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(("reach", "p"), [(0, 1 / 201), (1, 2 / 201), (200, 1.0)])
def test_p_is_one_more_than_the_draws_that_reach_it_over_one_more_than_all(reach: int, p: float) -> None:
    drawn = np.where(np.arange(200) < reach, 0.5, 0.1)  # a draw as good counts

    assert made_up(0.5, drawn).p_profile == made_up(0.5, drawn).p_level == pytest.approx(p)


def test_p_is_over_draws_in_which_the_figure_is_defined() -> None:
    assert made_up(0.5, np.array([0.6, np.nan, 0.1])).p_level == pytest.approx(2 / 3)
    assert np.isnan(made_up(float("nan"), np.array([0.1])).p_profile)


@pytest.mark.parametrize("draws", [0, -1, 2.0, True])
def test_draws_are_a_whole_number(study: Study, draws: int) -> None:
    with pytest.raises(bob.ArrayError, match="draws"):
        shuffle_descriptions(study, draws=draws, rng=rng())
