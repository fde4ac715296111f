"""What a study hands to a question, and what it keeps from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import balance_of_benchmarks as bob
from balance_of_benchmarks.evaluation.study import Question, Study, mean_observed, standardize_columns, study_board

MakeStudy = Callable[..., Study]


def bytes_of(question: Question) -> list[bytes]:
    pool, fit = question.pool, question.fit
    arrays = [question.vector, question.distances, question.peers, question.z, question.observed]
    arrays += [pool.scores, pool.n_items, pool.space.vectors, pool.space.distances, pool.space.weights]
    arrays += [fit.ability, fit.discrimination, fit.difficulty, fit.residual_scale, fit.information]
    arrays += [fit.cells.residual, fit.cells.weight]
    return [np.ascontiguousarray(array).tobytes() for array in arrays]


def test_z_scores_are_by_the_observed_mean_and_population_sd() -> None:
    scores = np.array([[0.1, 0.5], [0.3, np.nan], [0.8, 0.9]])
    z = standardize_columns(scores)

    np.testing.assert_allclose(z, (scores - np.nanmean(scores, axis=0)) / np.nanstd(scores, axis=0))
    np.testing.assert_allclose(np.nanmean(z**2, axis=0), 1.0)


@given(st.integers(0, 999), st.floats(0.01, 100.0), st.floats(-5.0, 5.0))
def test_z_scores_know_neither_unit_nor_origin(seed: int, unit: float, origin: float) -> None:
    scores = np.random.default_rng(seed).random((12, 3))
    scores[0, 0] = np.nan

    np.testing.assert_allclose(
        standardize_columns(unit * scores + origin), standardize_columns(scores), atol=1e-8, equal_nan=True
    )


def test_a_constant_column_is_zero_where_it_was_observed() -> None:
    z = standardize_columns(np.array([[0.1 + 0.2, np.nan], [0.3, np.nan], [np.nan, np.nan]]))

    np.testing.assert_array_equal(z, [[0.0, np.nan], [0.0, np.nan], [np.nan, np.nan]])


def test_the_mean_of_nothing_observed_is_nan() -> None:
    np.testing.assert_array_equal(mean_observed(np.array([[1.0, np.nan, 2.0], [np.nan] * 3])), [1.5, np.nan])
    np.testing.assert_array_equal(mean_observed(np.empty((2, 0))), [np.nan, np.nan])


def test_a_part_stays_aligned(make_study: MakeStudy) -> None:
    study = make_study(copies=(0,))
    part, places = study.take(np.array([4, 0, 6])), [4, 0, 6]

    np.testing.assert_array_equal(part.scores, study.scores[:, places])
    assert part.keys == ("b4", "b0", "b6")
    assert part.categories == tuple(study.categories[i] for i in places)
    np.testing.assert_array_equal(part.space.vectors, study.space.vectors[places])
    some = study.take_models(np.array([3, 1]))
    assert study.index is not None
    assert some.index is not None
    np.testing.assert_array_equal(some.scores, study.scores[[3, 1]])
    np.testing.assert_array_equal(some.index, study.index[[3, 1]])
    assert replace(study, index=None).take_models(np.array([0])).index is None


@given(st.integers(0, 99), st.integers(0, 5))
def test_a_question_holds_nothing_of_the_benchmark_held_out_but_text_and_category(
    make_study: MakeStudy, seed: int, target: int
) -> None:
    study = make_study(seed=seed)
    scores = np.array(study.scores)
    scores[:, target] = np.random.default_rng(seed).choice([0.0, 0.3, 1.0, np.nan], len(scores))
    items = np.array(study.n_items)
    items[target] = 7.0
    question = study.hold_out(target).question

    assert bytes_of(question) == bytes_of(replace(study, scores=scores, n_items=items).hold_out(target).question)
    assert study.keys[target] not in question.pool.keys
    assert question.distances.tolist() == np.delete(study.space.distances[target], target).tolist()
    assert question.peers.tolist() == [i % 3 == target % 3 for i in range(6) if i != target]


def test_copies_and_the_family_leave_with_the_benchmark(make_study: MakeStudy) -> None:
    study = make_study(copies=(1, 1))

    assert study.hold_out(1).question.pool.keys == ("b0", "b2", "b3", "b4", "b5")
    assert study.hold_out(7, without=(0, 4)).question.pool.keys == ("b2", "b3", "b5")
    assert study.hold_out(0).question.pool.space.labels.tolist() == [0, 1, 2, 3, 4, 0, 0]


def test_a_fold_has_the_unit_of_its_pool_unless_another_is_kept(make_study: MakeStudy) -> None:
    study = make_study()
    alone = bob.measure_space(np.delete(study.space.vectors, 2, axis=0))

    assert study.hold_out(2).question.pool.space.median == pytest.approx(alone.median, rel=1e-12)
    assert study.hold_out(2, unit=study.space.median).question.pool.space.median == study.space.median
    assert [trial.question.pool.space.median for trial in study.trials([1, 2], unit=0.7)] == [0.7, 0.7]


def test_benchmarks_without_a_category_are_nobodys_peers(make_study: MakeStudy) -> None:
    study = replace(make_study(), categories=(None, None, "c", "a", "b", "c"))

    assert not study.hold_out(0).question.peers.any()
    assert study.hold_out(2).question.peers.tolist() == [False, False, False, False, True]


def test_a_benchmark_without_a_text_is_at_no_distance(make_study: MakeStudy) -> None:
    study = make_study(without_text=(2,))

    assert np.isinf(study.hold_out(2).question.distances).all()
    assert np.isinf(study.hold_out(0).question.distances[1])


def test_what_can_be_held_out_has_a_score_and_is_listed_once(make_study: MakeStudy) -> None:
    study = make_study(copies=(3,))
    scores = np.array(study.scores)
    scores[:, 4] = np.nan

    assert replace(study, scores=scores).targets().tolist() == [0, 1, 2, 3, 5]
    assert [trial.fold.target for trial in study.trials()] == [0, 1, 2, 3, 4, 5]


def test_a_benchmark_that_holds_all_the_weight_is_not_held_out(make_study: MakeStudy) -> None:
    study = make_study()
    space = bob.measure_space(study.space.vectors, weights=[0.0, 2.0, 0.0, 0.0, 0.0, 0.0])

    assert replace(study, space=space).targets().tolist() == [0, 2, 3, 4, 5]


def test_of_many_benchmarks_a_seeded_sample_is_held_out(make_study: MakeStudy) -> None:
    study = make_study()
    drawn = [study.targets(3, np.random.default_rng(seed)).tolist() for seed in (0, 0, 1)]

    assert drawn[0] == drawn[1] != drawn[2]
    assert drawn[0] == sorted(set(drawn[0]))
    assert study.targets(6).size == 6
    with pytest.raises(bob.ArrayError, match="give rng"):
        study.targets(3)
    for most in (0, -1, 2.5, True):
        with pytest.raises(bob.ArrayError, match="most is"):
            study.targets(most, np.random.default_rng(0))  # type: ignore[arg-type]


def test_the_published_index_is_the_column_that_the_board_names(
    demo: bob.Board, fitted: bob.BalanceOfBenchmarks
) -> None:
    kept, space = demo.retain(), fitted.space_
    study = study_board(kept, space, published_index="price_input")
    prices = kept.models["price_input"].cast(pl.Float64).fill_null(float("nan")).to_numpy()

    assert study.index is not None
    np.testing.assert_array_equal(study.index, prices)
    assert study_board(kept, space).index is None
    for column in ("nobody", "name"):
        with pytest.raises(bob.ArrayError, match=f"no column of numbers named '{column}'"):
            study_board(kept, space, published_index=column)
