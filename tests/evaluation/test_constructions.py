"""Rows A to D of the ablation: each is its formula, and measured as all are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.correlation import mean_percentile
from balance_of_benchmarks.equating.settings import FitSettings
from balance_of_benchmarks.evaluation.constructions import CONSTRUCTIONS, Construction, Control, measure_construction
from balance_of_benchmarks.evaluation.relisting import relist
from balance_of_benchmarks.evaluation.study import Question, Study, mean_observed, standardize_columns
from balance_of_benchmarks.ranking.folds import score_prediction
from balance_of_benchmarks.types import FloatArray

MakeStudy = Callable[..., Study]
ROWS = {row.id: row.rank for row in CONSTRUCTIONS}
EVERY_ROW = pytest.mark.parametrize("row", CONSTRUCTIONS, ids=lambda row: row.id)
PLAIN = FitSettings(robust_cap=np.inf)


@pytest.fixture(scope="module")
def study(make_study: MakeStudy) -> Study:
    return make_study(60, 7)


@pytest.fixture(scope="module")
def question(study: Study) -> Question:
    return study.hold_out(0).question


def field_by_hand(fit: bob.Fit, question: Question, *, shrink: bool) -> FloatArray:
    """Eq. (4) cell by cell, with the kernel alone as relevance."""
    kernel = np.exp(-0.5 * (question.distances / (0.45 * question.pool.space.median)) ** 2)
    score = fit.ability.copy()
    for model in range(len(score)):
        seen = np.isfinite(fit.residuals[model])
        weight = kernel[seen] * fit.information[seen]
        if seen.any():
            support = kernel[seen].sum()
            average = (weight * fit.residuals[model, seen]).sum() / weight.sum()
            score[model] += average * (support / (support + 1.0) if shrink else 1.0)
    return score


def test_the_rows_are_the_papers() -> None:
    assert [row.id for row in CONSTRUCTIONS] == ["A", "B", "C", "D"]


def test_row_a_weighs_each_benchmark_by_its_precision(question: Question) -> None:
    z = question.z
    plain = mean_observed(z)
    plain = (plain - np.nanmean(plain)) / np.nanstd(plain)
    precision = [1.0 / np.nanmean((z[:, i] - plain) ** 2) for i in range(z.shape[1])]
    expected = [
        np.average(row[seen], weights=np.array(precision)[seen]) if (seen := np.isfinite(row)).any() else np.nan
        for row in z
    ]

    assert ROWS["A"](question) == pytest.approx(np.array(expected), abs=1e-12, nan_ok=True)


def test_row_a_is_the_plain_mean_where_all_benchmarks_agree_equally(study: Study) -> None:
    scores = np.column_stack([np.arange(60.0), np.arange(60.0)]) / 60
    pair = replace(study.take(np.arange(2)), scores=scores)
    question = replace(study.take(np.arange(3)).hold_out(2).question, pool=pair)

    assert ROWS["A"](question) == pytest.approx(standardize_columns(scores)[:, 0], abs=1e-9)


def test_row_b_is_the_ability_of_curves_with_neither_density_nor_robust_weights(question: Question) -> None:
    pool = question.pool
    fit = bob.fit_scores(pool.scores, n_items=pool.n_items, settings=PLAIN)

    assert ROWS["B"](question).tolist() == fit.ability.tolist()


def test_row_c_is_a_shrunk_field_of_straight_lines(question: Question) -> None:
    pool = question.pool
    fit = bob.fit_scores(pool.scores, n_items=pool.n_items, settings=replace(PLAIN, link="linear"))

    assert ROWS["C"](question) == pytest.approx(field_by_hand(fit, question, shrink=True), abs=1e-12, nan_ok=True)


def test_row_d_is_an_unshrunk_field_of_curves(question: Question) -> None:
    pool = question.pool
    fit = bob.fit_scores(pool.scores, n_items=pool.n_items, settings=PLAIN)

    assert ROWS["D"](question) == pytest.approx(field_by_hand(fit, question, shrink=False), abs=1e-12, nan_ok=True)


@EVERY_ROW
def test_no_row_asks_for_density_weights(row: Construction, study: Study) -> None:
    ours, equal = (
        row.rank(replace(study, space=space).hold_out(0).question)
        for space in (study.space, study.space.reweigh("equal"))
    )

    assert ours.tolist() == pytest.approx(equal.tolist(), abs=1e-12, nan_ok=True)


@EVERY_ROW
def test_no_row_asks_for_an_order_of_the_benchmarks(row: Construction, study: Study) -> None:
    order = np.array([0, 4, 2, 6, 1, 5, 3])
    ranked, again = (row.rank(given.hold_out(0).question) for given in (study, study.take(order)))

    assert again == pytest.approx(ranked, abs=1e-6, nan_ok=True)


@EVERY_ROW
@pytest.mark.parametrize("control", ["list", "pool"])
def test_level_and_profile_are_means_over_folds_under_the_control(
    row: Construction, control: Control, study: Study
) -> None:
    figures = measure_construction(study, row, control=control)
    outcomes = []
    for target in range(7):
        pool = [i for i in range(7) if i != target]
        ability = mean_percentile(study.scores if control == "list" else study.scores[:, pool])
        prediction = row.rank(study.hold_out(target).question)
        outcomes.append(score_prediction(prediction, study.scores[:, target], ability))

    assert figures.level == pytest.approx(np.mean([outcome.level for outcome in outcomes]), abs=1e-12)
    assert figures.profile == pytest.approx(np.mean([outcome.profile for outcome in outcomes]), abs=1e-12)


def test_the_copy_shift_of_curves_is_that_of_listing_again_under_equal_weights(study: Study) -> None:
    plain = replace(study, settings=PLAIN)
    expected = relist(plain, copies=4, weighting="equal").mean.ability

    assert measure_construction(study, CONSTRUCTIONS[1]).copy_shift == pytest.approx(expected, rel=1e-9)


def test_more_copies_shift_further(study: Study) -> None:
    one, ten = (measure_construction(study, CONSTRUCTIONS[0], copies=copies).copy_shift for copies in (1, 10))

    assert 0.0 < one < ten


def test_a_field_is_asked_at_the_text_that_is_listed_again(study: Study) -> None:
    asked: list[list[int]] = []

    def rank(question: Question) -> FloatArray:
        asked.append(np.flatnonzero(question.distances == 0.0).tolist())
        return np.arange(60.0)

    measure_construction(study, Construction("x", "asks", rank), copies=3)

    scenarios = [[[target], [target, 7, 8, 9]] for target in range(7)]
    assert asked == [[]] * 7 + [where for scenario in scenarios for where in scenario]


def test_benchmarks_without_a_score_and_models_without_any_do_no_harm(study: Study) -> None:
    scores = study.scores.copy()
    scores[:, 3], scores[5] = np.nan, np.nan
    empty = replace(study, scores=scores)
    for row in CONSTRUCTIONS:
        assert np.isfinite(measure_construction(empty, row).level)
        assert np.isnan(row.rank(empty.hold_out(0).question)[5])


def test_where_nothing_can_be_told_figures_are_undefined(study: Study) -> None:
    constant = replace(study, scores=np.where(np.isnan(study.scores), np.nan, 0.5))

    figures = measure_construction(constant, CONSTRUCTIONS[0])
    assert np.isnan([figures.level, figures.profile, figures.copy_shift]).all()


def test_a_control_nobody_knows_and_a_number_of_copies_that_is_none_are_refused(study: Study) -> None:
    with pytest.raises(bob.ArrayError, match=r"'outer'.*list, pool"):
        measure_construction(study, CONSTRUCTIONS[0], control="outer")  # type: ignore[arg-type]
    with pytest.raises(bob.ArrayError, match="copies"):
        measure_construction(study, CONSTRUCTIONS[0], copies=0)
