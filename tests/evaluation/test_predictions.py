"""Held-out predictions: the same however they are computed, blind to what was held out, and the paper's figures."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.evaluation.methods import GRIDS, METHODS
from balance_of_benchmarks.evaluation.panel import Panel
from balance_of_benchmarks.evaluation.predictions import Predictions, count_left, predict_held_out
from balance_of_benchmarks.evaluation.rules import Clusterings, support_discrepancy
from balance_of_benchmarks.evaluation.scoring import Verdicts, score_predictions
from balance_of_benchmarks.evaluation.study import Study, study_board
from balance_of_benchmarks.paper.published import find_published

MakeStudy = Callable[..., Study]

FEW = ("equal_weight", "score_covariance", "control:top_k", "control:kmeans")


def bytes_of(predictions: Predictions) -> list[object]:
    arrays = [predictions.targets, predictions.values, predictions.ability, predictions.nearest]
    chosen = {grid: values.tobytes() for grid, values in predictions.chosen.items()}
    return [
        *(array.tobytes() for array in arrays),
        predictions.methods,
        predictions.pools,
        repr(sorted(chosen.items())),
    ]


def test_every_method_predicts_every_benchmark_for_every_model(make_study: MakeStudy) -> None:
    study = make_study()
    predictions = predict_held_out(study)
    values = predictions.values

    assert predictions.methods == tuple(method.id for method in METHODS)
    assert values.shape == (6, len(METHODS), 40)
    np.testing.assert_array_equal(predictions.of("eci"), values[:, predictions.methods.index("eci")])
    assert predictions.pools == tuple(tuple(i for i in range(6) if i != target) for target in range(6))
    for f, target in enumerate(predictions.targets):
        panel = Panel(study, int(target), Clusterings())
        for k, method in enumerate(METHODS):
            np.testing.assert_array_equal(values[f, k], method.predict(panel))
        assert {grid.id: panel.chosen(grid) for grid in GRIDS} == {g: v[f] for g, v in predictions.chosen.items()}
        np.testing.assert_array_equal(predictions.ability[f], panel.trial.fold.ability)
        unit = panel.question.pool.space.median
        assert predictions.nearest[f] == pytest.approx(panel.question.distances.min() / unit)


def test_two_processes_give_the_bytes_of_one(make_study: MakeStudy) -> None:
    study = make_study()
    one, two = (predict_held_out(study, targets=[0, 3, 5], jobs=jobs, seed=3) for jobs in (1, 2))

    assert bytes_of(one) == bytes_of(two)


def test_the_seed_draws_inner_folds_and_nothing_else(make_study: MakeStudy) -> None:
    wide, narrow = make_study(20, 35), make_study()

    assert bytes_of(predict_held_out(narrow, FEW, seed=0)) == bytes_of(predict_held_out(narrow, FEW, seed=1))
    for seed in (0, 5):
        again = [bytes_of(predict_held_out(wide, FEW[:2], targets=[0], seed=seed)) for _ in range(2)]
        assert again[0] == again[1]


def test_a_fold_does_not_depend_on_which_others_are_asked(make_study: MakeStudy) -> None:
    study = make_study()
    whole, some = predict_held_out(study, FEW), predict_held_out(study, FEW, targets=[4, 1])

    assert some.targets.tolist() == [4, 1]
    np.testing.assert_array_equal(some.values, whole.values[[4, 1]])


def test_a_method_does_not_depend_on_which_others_are_asked(make_study: MakeStudy) -> None:
    study = make_study()
    whole, some = predict_held_out(study, targets=[2]), predict_held_out(study, ["eci"], targets=[2])

    assert some.methods == ("bob", "eci")
    for id_ in some.methods:
        np.testing.assert_array_equal(some.of(id_), whole.of(id_))
    assert np.isnan(some.chosen["kmeans"]).all()
    assert not np.isnan(some.chosen["bandwidth"]).any()


@pytest.mark.parametrize("target", [1, 5])
def test_an_oracle_planted_in_the_outer_column_changes_neither_predictions_nor_choices(
    make_study: MakeStudy, target: int
) -> None:
    study, rng = make_study(copies=(1,)), np.random.default_rng(0)
    expected = bytes_of(predict_held_out(study, targets=[target]))
    for planted in (rng.random(40), np.ones(40), np.full(40, np.nan), 1.0 - study.scores[:, target]):
        scores = np.array(study.scores)
        scores[:, study.space.labels == study.space.labels[target]] = planted[:, None]  # and in its copies
        assert bytes_of(predict_held_out(replace(study, scores=scores), targets=[target])) == expected


def test_without_an_index_the_board_has_nothing_for_that_method(make_study: MakeStudy) -> None:
    predictions = predict_held_out(replace(make_study(), index=None), ["published_index", "borda"])

    assert predictions.methods == ("bob", "borda")
    with pytest.raises(bob.ArrayError, match="'published_index' is not among the methods that predicted"):
        predictions.of("published_index")


def test_the_family_leaves_the_pool(make_study: MakeStudy) -> None:
    study = make_study(copies=(0,))
    predictions = predict_held_out(study, FEW, families={0: (3, 4)})

    assert predictions.pools[0] == (1, 2, 5)
    assert predictions.pools[3] == (0, 1, 2, 4, 5, 6)
    without = study.take(np.array([0, 1, 2, 5]))
    np.testing.assert_array_equal(
        predictions.values[0], predict_held_out(without, FEW, targets=[0]).values[0], strict=True
    )


def test_two_places_must_be_left_to_predict_from(make_study: MakeStudy) -> None:
    study = make_study(benchmarks=4, copies=(1,))

    assert [count_left(study, 0), count_left(study, 1), count_left(study, 0, (2, 3))] == [3, 3, 1]
    assert predict_held_out(study, FEW, families={0: (2,)}).values.shape == (4, 5, 40)
    with pytest.raises(bob.RankingError, match="without 'b0' and its family 1 benchmarks are left"):
        predict_held_out(study, families={0: (2, 3)})
    with pytest.raises(bob.RankingError, match="expected at least 2 to predict it from"):
        predict_held_out(study.take(np.array([0, 1, 4])))
    with pytest.raises(bob.RankingError, match="no benchmark to hold out"):
        predict_held_out(study, targets=[])


@pytest.mark.parametrize("target", [-1, 6])
def test_a_target_must_be_a_benchmark(make_study: MakeStudy, target: int) -> None:
    with pytest.raises(bob.ArrayError, match=f"target {target} is none of the 6"):
        predict_held_out(make_study(), targets=[target])


@pytest.mark.parametrize("jobs", [0, 1.5, True])
def test_a_number_of_processes_must_be_one(make_study: MakeStudy, jobs: int) -> None:
    with pytest.raises(bob.ArrayError, match="jobs is"):
        predict_held_out(make_study(), FEW, jobs=jobs)


def test_progress_counts_folds(make_study: MakeStudy) -> None:
    told: list[tuple[int, int]] = []
    predict_held_out(make_study(), ["borda"], targets=[0, 3, 2], progress=lambda done, all_: told.append((done, all_)))

    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda scores: np.where(np.isnan(scores), np.nan, 0.5),
        lambda scores: scores.round(1),
        lambda scores: np.where(np.arange(6) == 3, np.nan, scores),
        lambda scores: np.where(np.arange(40)[:, None] < 5, np.nan, scores),
    ],
    ids=["constant", "tied", "a column missing", "models missing"],
)
def test_degenerate_boards_are_predicted_with_nan_where_nothing_can_be_said(
    make_study: MakeStudy, spoil: Callable[[object], object]
) -> None:
    study = make_study(without_text=(4,))
    spoilt = replace(study, scores=np.asarray(spoil(study.scores), dtype=np.float64))
    predictions = predict_held_out(spoilt)
    unseen = np.isnan(spoilt.scores).all(axis=1)
    known = [k for k, id_ in enumerate(predictions.methods) if id_ != "published_index"]

    assert not np.isinf(predictions.values).any()
    assert np.isnan(predictions.values[:, known][:, :, unseen]).all()
    score_predictions(spoilt, predictions)


def test_one_model_cannot_be_ranked(make_study: MakeStudy) -> None:
    with pytest.raises(bob.RankingError, match="one model"):
        predict_held_out(make_study(models=1, missing=0.0))


# --- the paper's board ---------------------------------------------------------------------------------------------

BY_SCORES = ("equal_weight", "category", "published_index", "score_covariance", "first_component")


@pytest.fixture(scope="module")
def kept(shared: Path) -> bob.RankableBoard:
    return bob.read_board(shared / "boards" / "artificial_analysis" / "2026-09-03.json").retain()


def study_texts(kept: bob.RankableBoard, texts: list[str | None]) -> Study:
    space = bob.measure_space(bob.embed(texts), texts=texts)
    return study_board(kept, space, published_index=kept.settings.published_index)


@pytest.fixture(scope="module")
def papers_texts(kept: bob.RankableBoard, shared: Path) -> Study:
    texts = json.loads((shared / "paper" / "texts.json").read_text())["benchmarks"]
    return study_texts(kept, [texts[key]["description"] for key in kept.benchmarks["key"]])


@pytest.fixture(scope="module")
def judged(papers_texts: Study) -> Verdicts:
    predictions = predict_held_out(papers_texts, BY_SCORES)
    return score_predictions(papers_texts, predictions, metrics=("level", "profile"))


def published(table: str, row: str, column: str) -> float:
    found = find_published((table, row, column))
    assert found is not None
    assert found.number is not None
    return found.number


@pytest.mark.parametrize("method", ["equal_weight", "category", "published_index"])
def test_levels_of_what_knows_no_text_are_the_published_ones_in_every_fold(
    papers_texts: Study, judged: Verdicts, method: str
) -> None:
    levels = judged.of(method, "level")

    for key, level in zip(papers_texts.keys, levels, strict=True):
        assert level == pytest.approx(published("folds", key, f"{method}.level"), abs=0.001)


@pytest.mark.parametrize("method", BY_SCORES)
def test_means_of_what_knows_no_text_are_the_published_ones(judged: Verdicts, method: str) -> None:
    for metric in ("level", "profile"):
        assert judged.mean(method, metric) == pytest.approx(published("headline", method, metric), abs=0.003)


def test_ours_reaches_the_published_figures_with_the_papers_texts(judged: Verdicts) -> None:
    assert judged.mean("bob", "level") >= 0.90
    assert judged.mean("bob", "profile") >= 0.47


def test_ours_reaches_the_published_figures_with_our_texts(kept: bob.RankableBoard) -> None:
    study = study_texts(kept, kept.descriptions)
    predictions = predict_held_out(study, [])
    verdicts = score_predictions(study, predictions, metrics=("level", "profile"))

    assert verdicts.mean("bob", "level") >= 0.90
    assert verdicts.mean("bob", "profile") >= 0.47
    assert predictions.chosen["bandwidth"].tolist() == [0.45] * 14  # as in the paper


def test_the_support_matched_control_matches_support_to_rounding(papers_texts: Study) -> None:
    # The paper's bound is 5e-16; a sum of seven numbers near one can be off by one more such step.
    for target in range(14):
        question = papers_texts.hold_out(target).question
        space = question.pool.space
        weights = bob.continuous_relevance(question.distances, 0.45 * space.median, space.weights)
        assert support_discrepancy(question, weights) < 1e-15
