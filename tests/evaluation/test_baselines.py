"""Every rival against its formula written out, and the symmetries it must have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance_of_benchmarks.correlation import mean_percentile
from balance_of_benchmarks.evaluation.baselines import BASELINES, covariance_weights, weigh_by_covariance
from balance_of_benchmarks.evaluation.comparisons import fit_bradley_terry
from balance_of_benchmarks.evaluation.completion import complete_low_rank, fit_logistic
from balance_of_benchmarks.evaluation.study import Question, Study
from balance_of_benchmarks.types import FloatArray

MakeStudy = Callable[..., Study]

SCORES_ONLY = [name for name in BASELINES if name != "published_index"]


def ask(make_study: MakeStudy, seed: int = 0, **options: object) -> Question:
    return make_study(seed=seed, **options).hold_out(0).question


def predict(name: str, question: Question) -> FloatArray:
    predicted = BASELINES[name](question)
    assert predicted is not None
    return predicted


def z_of(question: Question) -> FloatArray:
    scores = question.pool.scores
    z: FloatArray = (scores - np.nanmean(scores, axis=0)) / np.nanstd(scores, axis=0)
    return z


def test_equal_weight_is_the_mean_observed_z_score(make_study: MakeStudy) -> None:
    question = ask(make_study)

    np.testing.assert_allclose(predict("equal_weight", question), np.nanmean(z_of(question), axis=1))


def test_the_category_mean_is_over_observed_peers_and_says_nothing_without_one(make_study: MakeStudy) -> None:
    question = ask(make_study, benchmarks=9)
    z = z_of(question)[:, [2, 5]]
    seen = ~np.isnan(z).all(axis=1)

    assert 0 < seen.sum() < 40
    np.testing.assert_allclose(predict("category", question)[seen], np.nanmean(z[seen], axis=1))
    assert np.isnan(predict("category", question)[~seen]).all()


def test_a_category_of_its_own_falls_back_to_equal_weight(make_study: MakeStudy) -> None:
    alone = replace(make_study(), categories=("x", "b", "c", "a", "b", "c")).hold_out(0).question

    np.testing.assert_array_equal(predict("category", alone), predict("equal_weight", alone))


def test_the_nearest_benchmark_is_the_closest_that_was_observed(make_study: MakeStudy) -> None:
    question = ask(make_study, missing=0.5)
    z, predicted = z_of(question), predict("nearest", question)

    for model in range(40):
        near = [i for i in np.argsort(question.distances) if question.observed[model, i]]
        assert predicted[model] == pytest.approx(z[model, near[0]] if near else np.nan, nan_ok=True)


def test_without_a_text_nothing_is_nearest(make_study: MakeStudy) -> None:
    assert np.isnan(predict("nearest", ask(make_study, without_text=(0,)))).all()


def test_the_published_index_is_as_published_or_there_is_none(make_study: MakeStudy) -> None:
    study = make_study()

    assert BASELINES["published_index"](study.hold_out(0).question) is study.index
    assert BASELINES["published_index"](replace(study, index=None).hold_out(0).question) is None


def covariance_by_loops(scores: FloatArray, ridge: float) -> FloatArray:
    z = (scores - np.nanmean(scores, axis=0)) / np.nanstd(scores, axis=0)
    z = z - np.nanmean(z, axis=1, keepdims=True)
    z = (z - np.nanmean(z, axis=0)) / np.nanstd(z, axis=0)
    n = z.shape[1]
    sigma = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            both = ~np.isnan(z[:, i]) & ~np.isnan(z[:, j])
            sigma[i, j] = (z[both, i] * z[both, j]).sum() / (both.sum() - 1)
    weights: FloatArray = np.linalg.inv(sigma + ridge * np.eye(n)).sum(axis=1)
    return weights


@given(st.integers(0, 50), st.sampled_from([0.05, 1.0]))
def test_covariance_weights_are_their_formula(make_study: MakeStudy, seed: int, ridge: float) -> None:
    scores = make_study(80, 5, seed=seed).scores
    scores = scores[~np.isnan(scores).all(axis=1)]

    np.testing.assert_allclose(
        covariance_weights(scores, ridge=ridge), covariance_by_loops(scores, ridge), rtol=1e-6, atol=1e-8
    )


def test_the_covariance_ranking_is_a_mean_over_the_observed_with_negative_weights_kept(make_study: MakeStudy) -> None:
    scores = make_study(20, 6, missing=0.5).scores
    scores = scores[~np.isnan(scores).all(axis=1)]
    weights, z = covariance_by_loops(scores, 0.05), (scores - np.nanmean(scores, axis=0)) / np.nanstd(scores, axis=0)
    seen = ~np.isnan(scores)

    assert weights.min() < 0 < weights.max()
    for model, predicted in enumerate(weigh_by_covariance(scores)):
        mine = weights[seen[model]]
        assert predicted == pytest.approx(mine @ z[model, seen[model]] / mine.sum())


def test_two_benchmarks_that_all_were_seen_on_weigh_alike(make_study: MakeStudy) -> None:
    scores = make_study(missing=0.0).scores[:, :2]
    first, second = covariance_weights(scores)

    assert first == pytest.approx(second)
    assert first == pytest.approx(20.0)  # of exact opposites the ridge alone is left: 1 / .05


def test_columns_that_say_nothing_leave_the_covariance_ranking_defined() -> None:
    scores = np.array([[0.1, 0.5, np.nan], [0.4, 0.5, np.nan], [0.9, 0.5, 0.2], [np.nan, np.nan, np.nan]])
    predicted = weigh_by_covariance(scores)

    assert np.isfinite(covariance_weights(scores)).all()
    assert np.isfinite(predicted[:3]).all()
    assert np.isnan(predicted[3])


def test_the_first_component_is_the_leading_one_of_z_scores_with_holes_at_zero(make_study: MakeStudy) -> None:
    question = ask(make_study, seed=4)
    filled = np.nan_to_num(z_of(question))
    _, axes = np.linalg.eigh(filled.T @ filled)
    component, predicted = filled @ axes[:, -1], predict("first_component", question)
    known = ~np.isnan(predicted)

    np.testing.assert_array_equal(known, question.observed.any(axis=1))
    assert np.corrcoef(predicted[known], np.nanmean(z_of(question)[known], axis=1))[0, 1] > 0
    np.testing.assert_allclose(np.abs(predicted[known]), np.abs(component[known]), atol=1e-9)


def test_the_references_are_the_pools_ability_and_mean_percentile(make_study: MakeStudy) -> None:
    study = make_study(copies=(2,))
    trial = study.hold_out(0)

    np.testing.assert_array_equal(predict("ability_only", trial.question), trial.question.fit.ability)
    np.testing.assert_array_equal(predict("pool_ability", trial.question), trial.fold.ability)
    np.testing.assert_allclose(  # a benchmark and its copy count once
        trial.fold.ability, mean_percentile(make_study().scores[:, 1:])
    )


def test_the_win_rate_and_the_borda_count_are_of_models_beaten(make_study: MakeStudy) -> None:
    question = ask(make_study, models=9)
    scores = question.pool.scores.round(1)
    rounded = replace(question, pool=replace(question.pool, scores=scores))
    for model in range(9):
        shares, points = [], 0.0
        for i in np.flatnonzero(~np.isnan(scores[model])):
            others = np.delete(scores[:, i], model)
            others = others[~np.isnan(others)]
            beaten = (others < scores[model, i]).sum() + 0.5 * (others == scores[model, i]).sum()
            points += beaten
            shares.append(beaten / others.size)
        assert predict("win_rate", rounded)[model] == pytest.approx(np.mean(shares))
        assert predict("borda", rounded)[model] == pytest.approx(points)


def test_a_model_alone_on_a_benchmark_has_no_win_rate_there(make_study: MakeStudy) -> None:
    question = ask(make_study, models=3)
    scores = np.array([[0.9, 0.2, 0.1], [np.nan, 0.4, 0.2], [np.nan, np.nan, np.nan]])
    lonely = replace(question, pool=replace(question.pool, scores=scores))
    only = replace(question, pool=replace(question.pool, scores=scores[:, :1]))

    np.testing.assert_array_equal(predict("win_rate", lonely), [0.0, 1.0, np.nan])
    assert np.isnan(predict("win_rate", only)).all()


def test_what_leaderboards_fit_is_fitted_to_the_pool(make_study: MakeStudy) -> None:
    question = ask(make_study)
    scores = question.pool.scores

    np.testing.assert_array_equal(predict("bradley_terry", question), fit_bradley_terry(scores).strength)
    np.testing.assert_array_equal(predict("eci", question), fit_logistic(question.fit.observed).ability)
    np.testing.assert_array_equal(predict("low_rank", question), complete_low_rank(scores).mean(axis=1))


@pytest.mark.parametrize("name", SCORES_ONLY)
def test_a_model_without_a_score_is_not_ranked(make_study: MakeStudy, name: str) -> None:
    study = make_study()
    scores = np.array(study.scores)
    scores[5] = np.nan
    predicted = predict(name, replace(study, scores=scores).hold_out(0).question)

    assert np.isnan(predicted[5])
    assert np.isfinite(np.delete(predicted, 5)).sum() > 20


@pytest.mark.parametrize("name", SCORES_ONLY)
def test_the_order_of_models_and_of_benchmarks_changes_no_prediction(make_study: MakeStudy, name: str) -> None:
    study = make_study(60)
    rows, rng = np.random.default_rng(1).permutation(60), np.random.default_rng(2)
    columns = np.array([0, *(1 + rng.permutation(5))])
    predicted = predict(name, study.hold_out(0).question)
    other = predict(name, study.take_models(rows).take(columns).hold_out(0).question)

    np.testing.assert_allclose(other, predicted[rows], atol=2e-3 if name in ("eci", "low_rank") else 1e-6)


@pytest.mark.parametrize("name", ["equal_weight", "category", "nearest", "score_covariance", "first_component"])
def test_unit_and_origin_of_a_benchmark_mean_nothing(make_study: MakeStudy, name: str) -> None:
    study = make_study()
    other = replace(study, scores=study.scores * np.linspace(0.3, 0.9, 6) + 0.05)

    np.testing.assert_allclose(
        predict(name, other.hold_out(0).question), predict(name, study.hold_out(0).question), atol=1e-8
    )


@pytest.mark.parametrize("name", ["pool_ability", "win_rate", "borda", "bradley_terry"])
def test_to_those_that_count_only_order_matters(make_study: MakeStudy, name: str) -> None:
    study = make_study()
    other = replace(study, scores=study.scores ** np.linspace(0.5, 3.0, 6))

    np.testing.assert_array_equal(predict(name, other.hold_out(0).question), predict(name, study.hold_out(0).question))


@pytest.mark.parametrize("name", SCORES_ONLY)
def test_constant_columns_and_ties_leave_every_prediction_finite(make_study: MakeStudy, name: str) -> None:
    study = make_study()
    scores = np.where(np.isnan(study.scores), np.nan, study.scores.round(1))
    scores[:, 2] = 0.5
    scores[:3], scores[3:6] = 0.0, 1.0
    question = replace(study, scores=scores).hold_out(0).question

    assert np.isfinite(predict(name, question)[:6]).all()


@pytest.mark.parametrize("name", SCORES_ONLY)
def test_one_benchmark_is_ranked_as_it_is(make_study: MakeStudy, name: str) -> None:
    study = make_study(missing=0.0).take(np.array([0, 3]))
    predicted = predict(name, study.hold_out(0).question)

    assert (np.argsort(predicted, kind="stable") == np.argsort(study.scores[:, 1], kind="stable")).mean() > 0.9
