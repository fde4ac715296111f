"""The whole question asked of a board."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.evaluation.evaluate import Evaluation, Split, evaluate_board, study_model
from balance_of_benchmarks.evaluation.predictions import predict_held_out
from balance_of_benchmarks.evaluation.scoring import score_predictions
from balance_of_benchmarks.evaluation.splits import close_families
from balance_of_benchmarks.transport.store import ArrayStore
from balance_of_benchmarks.types import FloatArray

FEW = ["equal_weight", "category", "control:nearest"]


@pytest.fixture(scope="module")
def evaluation(fitted: bob.BalanceOfBenchmarks) -> Evaluation:
    return evaluate_board(fitted, methods=FEW, model_draws=5)


def split(evaluation: Evaluation, name: str) -> Split:
    (found,) = [part for part in evaluation.splits if part.name == name]
    return found


def scatter_vectors(twins: int, seed: int = 0) -> FloatArray:
    """Places for the demo board's fourteen benchmarks, the first of them near one another."""
    vectors = np.eye(14, 20) + 0.05 * np.random.default_rng(seed).normal(size=(14, 20))
    vectors[:twins] = vectors[0] + 0.02 * np.random.default_rng(seed).normal(size=(twins, 20))
    return vectors


def test_an_evaluation_is_predictions_figures_and_tests_of_the_fitted_board(
    fitted: bob.BalanceOfBenchmarks, evaluation: Evaluation
) -> None:
    study = study_model(fitted)
    predictions = predict_held_out(study, FEW)
    verdicts = score_predictions(study, predictions)

    assert evaluation.predictions.methods == ("bob", *FEW)
    np.testing.assert_array_equal(evaluation.predictions.values, predictions.values)
    for metric, figures in verdicts.values.items():
        np.testing.assert_array_equal(evaluation.verdicts.values[metric], figures)
    assert [(test.metric, test.result.against) for test in evaluation.tests] == [
        (metric, method) for metric in verdicts.values for method in FEW
    ]
    assert evaluation.resampled is not None
    assert evaluation.resampled.level.shape == (5, 4)


def test_parts_of_folds_and_models_are_named(evaluation: Evaluation) -> None:
    names = [part.name for part in evaluation.splits]

    assert names == [
        "all", "without_close_pairs", "without_single_categories", "well_covered", "sparsely_covered", "recent", "older"
    ]  # fmt: skip
    assert split(evaluation, "all").folds.all()
    assert split(evaluation, "without_single_categories").folds.sum() == 12
    assert split(evaluation, "well_covered").models + split(evaluation, "sparsely_covered").models == 605
    for name in ("recent", "older"):
        part = split(evaluation, name)
        assert (part.verdicts.models <= evaluation.verdicts.models).all()


def test_the_same_seed_gives_the_same_evaluation_and_a_cache_changes_nothing(
    fitted: bob.BalanceOfBenchmarks, tmp_path: Path
) -> None:
    store, told = ArrayStore(tmp_path), list[tuple[int, int]]()
    runs = [
        evaluate_board(
            fitted, methods=FEW, most_folds=3, seed=2, store=kept, progress=lambda done, all_: told.append((done, all_))
        )
        for kept in (None, store, store)
    ]

    assert [*told] == [(1, 3), (2, 3), (3, 3)] * 2  # the third run has nothing left to do
    for run in runs[1:]:
        assert run.predictions.targets.tolist() == runs[0].predictions.targets.tolist()
        assert run.predictions.values.tobytes() == runs[0].predictions.values.tobytes()
        assert repr(run.tests) == repr(runs[0].tests)
    assert len(list(tmp_path.iterdir())) == 1


def test_near_twins_are_held_out_together_too(demo: bob.Board) -> None:
    model = bob.BalanceOfBenchmarks(encoder=scatter_vectors(2)).fit(demo)
    told: list[tuple[int, int]] = []
    evaluation = evaluate_board(model, methods=[], progress=lambda done, all_: told.append((done, all_)))
    together, apart = split(evaluation, "with_its_family"), split(evaluation, "family_left_out")
    without = predict_held_out(evaluation.study, [], targets=[0, 1], families={0: (1,), 1: (0,)})
    expected = score_predictions(evaluation.study, without, metrics=("level",))

    assert np.flatnonzero(together.folds).tolist() == [0, 1]
    np.testing.assert_array_equal(apart.verdicts.of("bob", "level"), expected.of("bob", "level"))
    assert (apart.verdicts.of("bob", "level") != evaluation.verdicts.of("bob", "level")[:2]).all()
    assert split(evaluation, "without_close_pairs").folds.sum() == 12
    assert told[-1] == (16, 16)


def test_a_family_that_is_nearly_the_board_is_not_left_out_whole(demo: bob.Board) -> None:
    # Of whoever belongs to it one place would be left to predict from; the thirteen stay in each other's pools.
    angles = np.deg2rad(5.0 * np.arange(13))
    chain = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(13)])
    model = bob.BalanceOfBenchmarks(encoder=np.vstack([chain, [[0.0, 0.0, 1.0]]])).fit(demo)
    evaluation = evaluate_board(model, methods=[], most_folds=2)

    assert close_families(evaluation.study)[0] == tuple(range(1, 13))
    assert "family_left_out" not in [part.name for part in evaluation.splits]


def test_a_board_without_texts_is_refused(demo: bob.Board) -> None:
    model = bob.BalanceOfBenchmarks(encoder=np.full((14, 3), np.nan)).fit(demo)

    with pytest.raises(bob.RankingError, match="no benchmark of this board has a description"):
        evaluate_board(model)


@pytest.mark.parametrize("most_folds", [0, -3, 2.5])
def test_a_number_of_folds_must_be_one(fitted: bob.BalanceOfBenchmarks, most_folds: int) -> None:
    with pytest.raises(bob.ArrayError, match="most is"):
        evaluate_board(fitted, most_folds=most_folds)


def test_the_weighting_of_the_model_is_what_is_tested(demo: bob.Board, evaluation: Evaluation) -> None:
    flat = bob.BalanceOfBenchmarks(weighting="equal").fit(demo)
    outcome = evaluate_board(flat, methods=["bob:flat"], most_folds=2)

    np.testing.assert_array_equal(outcome.predictions.of("bob"), outcome.predictions.of("bob:flat"))
    assert evaluation.study.space.rule.weighting == "inverse_density"
