"""Models that join: weights do not know of it, rankings hardly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.correlation import spearman
from balance_of_benchmarks.evaluation.baselines import weigh_by_covariance
from balance_of_benchmarks.evaluation.population import RULES, compare_snapshots, shift_population
from balance_of_benchmarks.evaluation.relisting import compare_rankings, fit_listing
from balance_of_benchmarks.evaluation.study import Study
from balance_of_benchmarks.geometry.space import Weighting

MakeStudy = Callable[..., Study]
MAKERS = ["big"] * 20 + ["small"] * 8 + ["lone"] + [None] * 31


@pytest.fixture(scope="module")
def study(make_study: MakeStudy) -> Study:
    return make_study(60, 7)


# --- the semantic weights ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weighting", ["inverse_density", "magnitude", "equal"])
def test_semantic_weights_are_identical_for_two_different_score_matrices(demo: bob.Board, weighting: Weighting) -> None:
    rng = np.random.default_rng(0)
    other = replace(demo, cells=demo.cells.with_columns(score=pl.Series(rng.permutation(demo.cells["score"]))))
    fitted = [bob.BalanceOfBenchmarks(preset="paper", weighting=weighting).fit(board) for board in (demo, other)]

    assert not np.array_equal(fitted[0].kept_.scores, fitted[1].kept_.scores, equal_nan=True)
    assert fitted[0].space_.weights.tobytes() == fitted[1].space_.weights.tobytes()
    assert fitted[0].fit_.objective_weight.tobytes() == fitted[1].fit_.objective_weight.tobytes()


def test_models_that_join_leave_every_weight_as_it_was(study: Study) -> None:
    fewer = study.take_models(np.arange(30))

    assert fewer.space.weights.tobytes() == study.space.weights.tobytes()
    assert fit_listing(fewer).objective_weight.tobytes() == fit_listing(study).objective_weight.tobytes()


# --- makers --------------------------------------------------------------------------------------------------------


def test_the_others_are_ranked_without_and_with_the_maker(study: Study) -> None:
    (shift,) = shift_population(study, MAKERS, only=["small"])
    others = np.array([maker != "small" for maker in MAKERS])
    ours = (fit_listing(study.take_models(np.flatnonzero(others))).ability, fit_listing(study).ability[others])
    theirs = (weigh_by_covariance(study.scores[others]), weigh_by_covariance(study.scores)[others])

    assert (shift.maker, shift.added) == ("small", 8)
    assert shift.spearman == {"bob": spearman(*ours), "score_covariance": spearman(*theirs)}
    assert list(shift.spearman) == list(RULES)


def test_makers_of_two_models_or_more_are_added_by_default_the_largest_first(study: Study) -> None:
    assert [(shift.maker, shift.added) for shift in shift_population(study, MAKERS)] == [("big", 20), ("small", 8)]
    assert [shift.maker for shift in shift_population(study, MAKERS, least=1)] == ["big", "small", "lone"]


def test_makers_are_added_in_the_order_asked_for(study: Study) -> None:
    assert [shift.maker for shift in shift_population(study, MAKERS, only=["lone", "big"])] == ["lone", "big"]


def test_models_like_those_on_the_board_move_nobody_far(make_study: MakeStudy) -> None:
    study = make_study(200, 7, missing=0.1)
    (shift,) = shift_population(study, ["x"] * 20 + ["y"] * 180, only=["x"])

    assert shift.spearman["bob"] > 0.99


def test_a_maker_of_all_models_leaves_nobody_to_be_compared(study: Study) -> None:
    (shift,) = shift_population(study, ["all"] * 60)
    (nearly,) = shift_population(study, ["all"] * 59 + [None])

    assert shift.added == 60
    assert all(np.isnan(value) for value in (*shift.spearman.values(), *nearly.spearman.values()))


def test_a_benchmark_that_only_the_maker_was_scored_on_does_not_stop_it(study: Study) -> None:
    scores = study.scores.copy()
    scores[20:, 2] = np.nan
    (shift,) = shift_population(replace(study, scores=scores), MAKERS, only=["big"])

    assert 0.5 < shift.spearman["bob"] <= 1.0


def test_without_makers_there_is_nothing_to_add(study: Study) -> None:
    assert shift_population(study, [None] * 60) == ()


def test_a_maker_nobody_knows_is_refused_with_the_largest_named(study: Study) -> None:
    with pytest.raises(bob.ArrayError, match=r"'tiny'.*'big', 'small', 'lone'"):
        shift_population(study, MAKERS, only=["tiny"])


def test_there_is_one_maker_for_each_model(study: Study) -> None:
    with pytest.raises(bob.ArrayError, match="2 makers for 60 models"):
        shift_population(study, ["a", "b"])


# --- snapshots -----------------------------------------------------------------------------------------------------


def names(study: Study) -> list[str]:
    return [f"m{row}" for row in range(len(study.scores))]


def test_a_snapshot_compared_with_itself_shows_no_change(study: Study) -> None:
    shift = compare_snapshots(study, names(study), study, names(study))

    assert (shift.common, shift.added, shift.removed, shift.changed) == (60, 0, 0, 0)
    assert shift.cells == np.isfinite(study.scores).sum()
    assert all(moved.largest == 0 for moved in shift.shifts.values())


def test_models_and_cells_that_came_went_or_changed_are_counted(study: Study) -> None:
    keys = names(study)
    later = study.scores.copy()
    row, column = np.argwhere(np.isfinite(later[10:50]))[:3].T
    later[10 + row, column] = 0.123
    after = replace(study, scores=later).take_models(np.arange(10, 57))
    shift = compare_snapshots(study.take_models(np.arange(50)), keys[:50], after, keys[10:57])

    assert (shift.common, shift.added, shift.removed) == (40, 7, 10)
    assert shift.cells == np.isfinite(study.scores[10:50]).sum()
    assert shift.changed == 3


def test_the_common_models_are_compared_whatever_the_order_of_rows_and_columns(study: Study) -> None:
    order, columns = np.random.default_rng(2).permutation(60), np.array([6, 2, 0, 1, 5, 4, 3])
    keys = names(study)
    later = study.take(columns).take_models(order)
    shift = compare_snapshots(study, keys, later, [keys[row] for row in order])

    assert (shift.common, shift.changed) == (60, 0)
    assert shift.shifts["bob"].largest == 0
    assert shift.shifts["bob"].ability < 1e-9


def test_models_move_as_their_rankings_on_each_snapshots_own_list_do(study: Study) -> None:
    keys, earlier = names(study), study.take(np.arange(5)).take_models(np.arange(45))
    shift = compare_snapshots(earlier, keys[:45], study, keys)

    assert shift.cells == np.isfinite(study.scores[:45, :5]).sum()
    assert shift.shifts["bob"] == compare_rankings(fit_listing(earlier).ability, fit_listing(study).ability[:45])


def test_snapshots_without_a_common_model_have_nothing_to_compare(study: Study) -> None:
    shift = compare_snapshots(study, names(study), study, [f"other{row}" for row in range(60)])

    assert (shift.common, shift.added, shift.removed, shift.cells) == (0, 60, 60, 0)
    assert np.isnan(shift.shifts["bob"].kendall)
