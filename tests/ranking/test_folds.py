"""Held-out folds, level and profile; the bandwidth chosen by them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.correlation import spearman
from balance_of_benchmarks.ranking.bandwidth import DEFAULT_BANDWIDTH, choose_bandwidth
from balance_of_benchmarks.ranking.folds import hold_out, iterate_folds, score_prediction, score_together


@pytest.fixture(scope="module")
def space(demo: bob.Board) -> bob.Space:
    texts = demo.retain().descriptions
    return bob.measure_space(bob.embed(texts), texts=texts)


def test_the_held_out_benchmark_enters_neither_fit_nor_weights(demo: bob.Board, space: bob.Space) -> None:
    scores = np.array(demo.retain().scores)
    fold = hold_out(scores, space, 3)
    scores[:, 3] = np.random.default_rng(0).random(605)
    other = hold_out(scores, space, 3)

    assert 3 not in fold.pool
    assert fold.fit.ability.tobytes() == other.fit.ability.tobytes()
    assert fold.ability.tobytes() == other.ability.tobytes()
    # A product of another shape may be summed in another order: equal but for rounding.
    alone = bob.measure_space(np.delete(space.vectors, 3, axis=0))
    assert fold.space.median == pytest.approx(alone.median, rel=1e-12)


def test_a_perfect_prediction_has_level_and_profile_one() -> None:
    rng = np.random.default_rng(1)
    ability, scores = rng.random(50), rng.random(50)

    outcome = score_prediction(scores**3, scores, ability)

    assert outcome.level == pytest.approx(1.0)
    assert outcome.profile == pytest.approx(1.0)


def test_the_profile_is_what_a_quadratic_in_ability_leaves() -> None:
    rng = np.random.default_rng(2)
    ability, own = rng.random(400), rng.normal(size=400)
    scores = ability + 0.2 * own
    prediction = ability + 0.2 * (own + rng.normal(size=400))
    left = []
    for values in (prediction, scores):
        ranks = np.argsort(np.argsort(values)).astype(float)
        left.append(ranks - np.polyval(np.polyfit(ability, ranks, 2), ability))

    assert score_prediction(prediction, scores, ability).profile == pytest.approx(spearman(*left), abs=1e-9)
    assert (
        abs(score_prediction(ability, scores, ability).profile) < score_prediction(prediction, scores, ability).profile
    )


def test_what_is_undefined_is_nan() -> None:
    ability = np.linspace(0, 1, 10)

    assert np.isnan(score_prediction(np.full(10, 0.3), np.arange(10.0), ability).level)
    assert np.isnan(score_prediction(np.arange(10.0), np.full(10, np.nan), ability).level)
    assert np.isnan(score_prediction(np.arange(3.0), np.arange(3.0), np.arange(3.0)).profile)


def test_models_without_prediction_or_score_are_left_out() -> None:
    rng = np.random.default_rng(3)
    prediction, scores, ability = rng.random((3, 40))
    prediction[:5], scores[5:9] = np.nan, np.nan
    used = slice(9, None)

    assert score_prediction(prediction, scores, ability) == score_prediction(
        prediction[used], scores[used], ability[used]
    )


def test_the_choice_is_the_best_mean_of_level_and_profile(demo: bob.Board, space: bob.Space) -> None:
    kept = demo.retain()
    choice = choose_bandwidth(kept.scores, space, rng=np.random.default_rng(0), n_items=kept.n_items)

    assert choice.multiple == choice.candidates[int(np.argmax(choice.criterion))]
    assert choice.held_out == tuple(range(14))
    assert "14 held-out" in choice.why


def test_wide_boards_hold_out_a_seeded_sample(demo: bob.Board, space: bob.Space) -> None:
    scores = demo.retain().scores
    drawn = [
        choose_bandwidth(scores, space, most_folds=4, rng=np.random.default_rng(seed)).held_out for seed in (1, 1, 2)
    ]

    assert len(drawn[0]) == 4
    assert drawn[0] == drawn[1] != drawn[2]


def test_where_no_fold_can_tell_the_papers_value_is_taken(demo: bob.Board) -> None:
    scores = demo.retain().scores[:, :3]
    space = bob.measure_space(np.vstack([np.ones((1, 4)), np.full((2, 4), np.nan)]))
    choice = choose_bandwidth(scores, space, rng=np.random.default_rng(0))

    assert choice.multiple == DEFAULT_BANDWIDTH
    assert "no held-out benchmark" in choice.why


def test_bad_bandwidths_are_refused(demo: bob.Board, space: bob.Space) -> None:
    with pytest.raises(bob.ArrayError, match="positive multiples"):
        choose_bandwidth(demo.retain().scores, space, candidates=[0.0], rng=np.random.default_rng(0))


def test_held_out_figures_of_the_papers_board_with_the_papers_texts(shared: Path) -> None:
    texts = json.loads((shared / "paper" / "texts.json").read_text())["benchmarks"]
    kept = bob.read_board(shared / "boards" / "artificial_analysis" / "2026-09-03.json").retain()
    descriptions = [texts[key]["description"] for key in kept.benchmarks["key"]]
    space = bob.measure_space(bob.embed(descriptions), texts=descriptions)
    figures = []
    for fold in iterate_folds(kept.scores, space, n_items=kept.n_items):
        relevance = bob.continuous_relevance(fold.distances, 0.45 * fold.space.median, fold.space.weights)
        outcomes = [
            fold.score(prediction)
            for prediction in (bob.residual_field(fold.fit, relevance).score, fold.fit.ability, fold.ability)
        ]
        figures.append([(outcome.level, outcome.profile) for outcome in outcomes])
    (level, profile), (theta_level, theta_profile), (pool_level, _) = np.mean(figures, axis=0)

    # The replication notes' figures for this encoder, to the digit they give.
    assert (round(level, 3), round(profile, 3)) == (0.904, 0.475)
    assert (round(theta_level, 2), round(theta_profile, 2)) == (0.90, 0.40)
    assert round(pool_level, 3) == 0.884


@pytest.mark.parametrize("models", [3, 5, 40])
@pytest.mark.parametrize("ties", [False, True])
def test_many_predictions_are_judged_together_as_each_by_itself(models: int, ties: bool) -> None:
    rng = np.random.default_rng(models)
    scores, ability, predictions = rng.random(models), rng.random(models), rng.random((6, models))
    if ties:
        scores, predictions = scores.round(1), predictions.round(1)
    else:
        ability = ability.round(0)  # a quadratic in two values is a line; ties would be broken by rounding then
    predictions[2], predictions[3] = 0.5, 2.0 * ability
    scores[0], predictions[:, 1] = np.nan, np.nan
    expected = [score_prediction(prediction, scores, ability) for prediction in predictions]

    found = score_together(predictions, scores, ability)

    np.testing.assert_allclose(found[:, 0], [one.level for one in expected], atol=1e-12)
    np.testing.assert_allclose(found[:, 1], [one.profile for one in expected], atol=1e-9)
