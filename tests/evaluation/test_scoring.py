"""From predictions to figures and tests, each against the function or formula it stands for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from balance_of_benchmarks.evaluation.methods import METHODS
from balance_of_benchmarks.evaluation.predictions import Predictions, predict_held_out
from balance_of_benchmarks.evaluation.profiles import binned_profile, isotonic_profile
from balance_of_benchmarks.evaluation.scoring import METRICS, Verdicts, compare_methods, score_predictions
from balance_of_benchmarks.evaluation.statistics import compare_pairs, holm, standard_error
from balance_of_benchmarks.evaluation.study import Study
from balance_of_benchmarks.ranking.folds import score_prediction
from balance_of_benchmarks.types import FloatArray

MakeStudy = Callable[..., Study]
Predicted = tuple[Study, Predictions]

NAN = float("nan")
FAMILY_OF = {method.id: method.family for method in METHODS}


@pytest.fixture(scope="module")
def predicted(make_study: MakeStudy) -> Predicted:
    study = make_study(200, 5, missing=0.2)
    return study, predict_held_out(study, ["equal_weight", "category", "nearest"])


def made_up(folds: int = 8, seed: int = 0) -> Verdicts:
    """Figures of every method; ours in the first column."""
    rng = np.random.default_rng(seed)
    ids = tuple(FAMILY_OF)
    values = {metric: rng.random((folds, len(ids))) for metric in ("level", "profile")}
    return Verdicts(ids, values, np.full((folds, len(ids)), 10))


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_each_figure_is_that_of_its_metric(predicted: Predicted) -> None:
    study, predictions = predicted
    verdicts = score_predictions(study, predictions)

    assert tuple(verdicts.values) == METRICS == ("level", "profile", "isotonic", "binned")
    for f, target in enumerate(predictions.targets):
        for method in predictions.methods:
            judged = predictions.of(method)[f], study.scores[:, target], predictions.ability[f]
            plain = score_prediction(*judged)
            figures = [plain.level, plain.profile, isotonic_profile(*judged), binned_profile(*judged)]
            assert [verdicts.of(method, metric)[f] for metric in METRICS] == pytest.approx(figures, nan_ok=True)


def test_counts_are_of_models_with_prediction_and_score(predicted: Predicted) -> None:
    study, predictions = predicted
    verdicts = score_predictions(study, predictions, metrics=["level"])
    category = predictions.methods.index("category")

    assert list(verdicts.values) == ["level"]
    assert verdicts.models.dtype == np.int64
    for f, target in enumerate(predictions.targets):
        both = ~np.isnan(predictions.of("category")[f]) & ~np.isnan(study.scores[:, target])
        assert verdicts.models[f, category] == both.sum()
    assert verdicts.models[0, category] < verdicts.models[0, 0]  # it has one peer, which not all were observed on


def test_judging_by_some_models_is_judging_a_board_of_those(predicted: Predicted) -> None:
    study, predictions = predicted
    some = np.arange(200) % 3 > 0
    fewer = Predictions(
        predictions.targets, predictions.methods, predictions.values[:, :, some], predictions.ability[:, some],
        predictions.nearest,
    )  # fmt: skip
    by_mask = score_predictions(study, predictions, models=some)
    by_board = score_predictions(study.take_models(np.flatnonzero(some)), fewer)

    for metric in METRICS:
        np.testing.assert_allclose(by_mask.values[metric], by_board.values[metric])
    np.testing.assert_array_equal(by_mask.models, by_board.models)
    nobody = score_predictions(study, predictions, models=np.zeros(200, dtype=bool))
    assert not nobody.models.any()
    assert all(np.isnan(figures).all() for figures in nobody.values.values())


def test_means_and_errors_are_over_defined_folds() -> None:
    figures = np.array([[0.2], [NAN], [0.6], [0.7]])
    verdicts = Verdicts(("bob",), {"level": figures}, np.ones((4, 1), dtype=np.int64))

    assert verdicts.mean("bob", "level") == pytest.approx(0.5)
    assert verdicts.mean("bob", "level", np.array([True, True, True, False])) == pytest.approx(0.4)
    assert np.isnan(verdicts.mean("bob", "level", np.array([False, True, False, False])))
    assert verdicts.error("bob", "level") == standard_error([0.2, 0.6, 0.7])


@pytest.mark.parametrize("folds", [None, np.arange(8) < 6])
def test_p_values_are_adjusted_within_each_metric_and_family(folds: FloatArray | None) -> None:
    verdicts = made_up()
    tests = compare_methods(verdicts, rng=rng(), draws=50, folds=None if folds is None else folds.astype(bool))
    within = slice(None) if folds is None else slice(0, 6)

    assert {test.result.against for test in tests} == set(FAMILY_OF) - {"bob"}
    assert len(tests) == 2 * (len(FAMILY_OF) - 1)
    for metric in ("level", "profile"):
        for family, size in (("end_to_end", 6), ("control", 7)):
            rows = [test.result for test in tests if (test.metric, test.family) == (metric, family)]
            assert len(rows) == size
            assert [FAMILY_OF[row.against] for row in rows] == [family] * size
            np.testing.assert_array_equal([row.p_holm for row in rows], holm([row.p_wilcoxon for row in rows]))
            ours = verdicts.of("bob", metric)[within]
            others = {row.against: verdicts.of(row.against, metric)[within] for row in rows}
            for row, alone in zip(rows, compare_pairs(ours, others, rng=rng(), draws=50), strict=True):
                assert (row.difference, row.wins, row.folds) == (alone.difference, alone.wins, alone.folds)
                assert (row.p_wilcoxon, row.p_sign_flip) == (alone.p_wilcoxon, alone.p_sign_flip)


def test_a_method_of_one_family_changes_no_p_value_of_another() -> None:
    verdicts = made_up()
    kept = [k for k, id_ in enumerate(verdicts.methods) if FAMILY_OF[id_] not in ("variant", "practice")]
    ids = tuple(verdicts.methods[k] for k in kept)
    fewer = Verdicts(ids, {m: v[:, kept] for m, v in verdicts.values.items()}, verdicts.models[:, kept])
    whole = {
        (test.metric, test.result.against): test.result.p_holm for test in compare_methods(verdicts, rng=rng(), draws=9)
    }

    for test in compare_methods(fewer, rng=rng(), draws=9):
        assert test.result.p_holm == whole[test.metric, test.result.against]


def test_the_same_seed_gives_the_same_tests(predicted: Predicted) -> None:
    study, predictions = predicted
    verdicts = score_predictions(study, predictions)

    assert repr(compare_methods(verdicts, rng=rng(3))) == repr(compare_methods(verdicts, rng=rng(3)))


def test_nothing_to_compare_with_is_no_test(predicted: Predicted) -> None:
    study, _ = predicted
    verdicts = score_predictions(study, predict_held_out(study, []), metrics=["level"])

    assert compare_methods(verdicts, rng=rng()) == ()
