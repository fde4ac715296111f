"""Nested selection: what it chooses, by which folds, and that it never sees the outer benchmark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.evaluation.methods import CONTINUOUS, GRIDS, METHODS
from balance_of_benchmarks.evaluation.panel import Grid, Panel
from balance_of_benchmarks.evaluation.rules import Clusterings, radius_relevance
from balance_of_benchmarks.evaluation.study import Question, Study
from balance_of_benchmarks.types import FloatArray

MakeStudy = Callable[..., Study]


def panel_of(study: Study, target: int = 0, *, without: tuple[int, ...] = (), seed: int = 0) -> Panel:
    return Panel(study, target, Clusterings(), without=without, seed=seed)


def test_inner_folds_hold_out_the_pool_one_by_one_in_units_of_the_outer_pool(make_study: MakeStudy) -> None:
    panel = panel_of(make_study(), 2)
    held_out = [panel.question.pool.keys[trial.fold.target] for trial in panel.inner]

    assert held_out == ["b0", "b1", "b3", "b4", "b5"]
    for key, trial in zip(held_out, panel.inner, strict=True):
        assert set(trial.question.pool.keys) == {"b0", "b1", "b3", "b4", "b5"} - {key}
        assert trial.question.pool.space.median == panel.question.pool.space.median != panel.study.space.median


def test_the_family_left_out_is_in_no_inner_fold(make_study: MakeStudy) -> None:
    panel = panel_of(make_study(), 2, without=(5,))

    assert panel.question.pool.keys == ("b0", "b1", "b3", "b4")
    assert {key for trial in panel.inner for key in trial.question.pool.keys} == {"b0", "b1", "b3", "b4"}


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: grid.id)
def test_the_first_candidate_with_the_best_mean_inner_profile_is_chosen(make_study: MakeStudy, grid: Grid) -> None:
    panel = panel_of(make_study(60, 7), 1)
    means: list[float] = []
    for candidate in grid.candidates:
        profiles = []
        for trial in panel.inner:
            relevance = grid.relevance(trial.question, Clusterings(), candidate)
            if relevance is not None:
                profiles.append(trial.fold.score(bob.residual_field(trial.question.fit, relevance).score).profile)
        means.append(float(np.mean(profiles)) if len(profiles) == len(panel.inner) else np.nan)
    chosen = panel.choose(grid)

    np.testing.assert_allclose(chosen.criterion, means, rtol=1e-12)
    assert chosen.value == grid.candidates[int(np.nanargmax(means))]
    assert panel.chosen(grid) == chosen.value
    np.testing.assert_array_equal(
        panel.relevance(grid), grid.relevance(panel.question, Clusterings(), chosen.value), strict=True
    )


def test_more_clusters_than_texts_are_never_chosen(make_study: MakeStudy) -> None:
    # Six of the pool have a text. An inner fold that holds out the one without keeps all six and could be clustered
    # into six; the others could not, and a mean over that one fold is not the same thing.
    panel = panel_of(make_study(60, 8, without_text=(7,)), 0)
    criterion = dict(zip(GRIDS[3].candidates, panel.choose(GRIDS[3]).criterion, strict=True))

    assert [count for count, value in criterion.items() if np.isfinite(value)] == [2, 3, 4, 5]


def test_where_no_inner_fold_can_tell_the_default_is_taken(make_study: MakeStudy) -> None:
    panel = panel_of(make_study(benchmarks=3, copies=(1,)), 0, without=(2,))

    assert panel.inner == ()
    for grid in GRIDS:
        assert panel.choose(grid).value == grid.default
        assert np.isnan(panel.choose(grid).criterion).all()


def test_inner_folds_in_which_all_is_constant_tell_nothing(make_study: MakeStudy) -> None:
    study = make_study()
    panel = panel_of(replace(study, scores=np.where(np.isnan(study.scores), np.nan, 0.5)))

    assert panel.choose(CONTINUOUS).value == CONTINUOUS.default


def test_wide_boards_choose_by_a_seeded_sample_of_inner_folds(make_study: MakeStudy) -> None:
    study = make_study(12, 36)
    drawn = [[trial.fold.target for trial in panel_of(study, seed=seed).inner] for seed in (0, 0, 1)]

    assert len(drawn[0]) == 32
    assert drawn[0] == drawn[1] != drawn[2]


def test_what_no_method_asked_for_was_not_chosen(make_study: MakeStudy) -> None:
    assert np.isnan(panel_of(make_study()).chosen(CONTINUOUS))


def test_other_weights_are_those_of_the_same_fold(make_study: MakeStudy) -> None:
    panel = panel_of(make_study(), 3, without=(1,), seed=5)
    flat = panel.reweighted("equal")

    assert flat is panel.reweighted("equal")
    assert (flat.target, flat.without, flat.seed) == (3, (1,), 5)
    assert flat.question.pool.keys == panel.question.pool.keys
    np.testing.assert_array_equal(flat.question.pool.space.weights, np.ones(4))
    pool = panel.question.pool
    alone = bob.fit_scores(pool.scores, n_items=pool.n_items)
    np.testing.assert_array_equal(flat.question.fit.ability, alone.ability)


def plant_oracle(grid: Grid, answer: FloatArray, sightings: list[str]) -> Grid:
    """Give a grid one more candidate, which puts all relevance on any benchmark whose column is the answer.

    Where there is none it has nothing to say; wherever there is one it takes note of it.
    """
    known = ~np.isnan(answer)

    def relevance(question: Question, clusterings: Clusterings, value: float) -> FloatArray | None:
        if value != -1.0:
            return grid.relevance(question, clusterings, value)
        there = np.array([np.array_equal(column[known], answer[known]) for column in question.pool.scores.T])
        sightings.extend(np.array(question.pool.keys)[there].tolist())
        return 1e6 * there if there.any() else None

    return Grid(grid.id, (*grid.candidates, -1.0), grid.default, relevance)


@pytest.mark.parametrize("target", [0, 1, 3])
@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: grid.id)
def test_an_oracle_among_the_candidates_of_every_inner_fold_sees_nothing_and_changes_no_choice(
    make_study: MakeStudy, grid: Grid, target: int
) -> None:
    study, sightings = make_study(copies=(1,)), list[str]()
    oracle = plant_oracle(grid, study.scores[:, target], sightings)
    honest, tempted = panel_of(study, target).choose(grid), panel_of(study, target).choose(oracle)

    assert tempted.value == honest.value
    np.testing.assert_array_equal(tempted.criterion, (*honest.criterion, np.nan))
    assert sightings == []
    panel_of(study, 2).choose(oracle)
    assert f"b{target}" in sightings  # it can see: in folds of other benchmarks the answer is in the pool


@pytest.mark.parametrize("target", [0, 4])
def test_whatever_is_planted_in_the_outer_column_changes_no_choice_and_no_prediction(
    make_study: MakeStudy, target: int
) -> None:
    study, rng = make_study(), np.random.default_rng(1)
    panel = panel_of(study, target)
    expected = [np.asarray(method.predict(panel)).tobytes() for method in METHODS]
    chosen = [panel.choose(grid) for grid in GRIDS]
    oracle = np.where(np.isnan(study.scores[:, 1]), 0.5, study.scores[:, 1])  # a column of the pool, whole

    for planted in (rng.random(40), oracle, np.zeros(40), np.where(rng.random(40) < 0.9, np.nan, 1.0)):
        scores = np.array(study.scores)
        scores[:, target] = planted
        other = panel_of(replace(study, scores=scores), target)
        assert [np.asarray(method.predict(other)).tobytes() for method in METHODS] == expected
        assert [repr(other.choose(grid)) for grid in GRIDS] == [repr(selection) for selection in chosen]


def test_radius_is_in_units_of_the_outer_pool(make_study: MakeStudy) -> None:
    panel = panel_of(make_study(), 0)
    for trial in panel.inner:
        near = trial.question.distances <= 0.7 * panel.question.pool.space.median
        np.testing.assert_array_equal(radius_relevance(trial.question, 0.7), near)
