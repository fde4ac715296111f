"""The bootstrap over models: a draw is the board with some models listed again and others left out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import balance_of_benchmarks as bob
from balance_of_benchmarks.correlation import average_ranks, spearman
from balance_of_benchmarks.evaluation.predictions import Predictions, predict_held_out
from balance_of_benchmarks.evaluation.resampling import cluster_models, resample_models
from balance_of_benchmarks.evaluation.scoring import score_predictions
from balance_of_benchmarks.evaluation.study import Study
from balance_of_benchmarks.ranking.folds import score_prediction
from balance_of_benchmarks.types import FloatArray

MakeStudy = Callable[..., Study]
Predicted = tuple[Study, Predictions]


def profile_with_ties(prediction: FloatArray, scores: FloatArray, ability: FloatArray) -> float:
    """The profile, residuals tied that only rounding tells apart: models listed again have many of them."""
    used = ~np.isnan(prediction + scores + ability)
    design = np.vander(ability[used], 3)
    ranks = [average_ranks(side[used]) for side in (prediction, scores)]
    return spearman(*((side - design @ np.linalg.lstsq(design, side)[0]).round(9) for side in ranks))


@pytest.fixture(scope="module")
def predicted(make_study: MakeStudy) -> Predicted:
    study = make_study(40, 5, missing=0.2)
    return study, predict_held_out(study, ["equal_weight", "category"])


@settings(max_examples=15)
@given(st.integers(0, 999), st.sampled_from([3, 40]))
def test_a_draw_is_judged_as_a_board_that_lists_its_models_as_often(
    predicted: Predicted, seed: int, groups: int
) -> None:
    study, predictions = predicted
    clusters = np.arange(40) % groups
    drawn = resample_models(study, predictions, clusters, draws=3, rng=np.random.default_rng(seed))
    counts = np.random.default_rng(seed).multinomial(groups, np.full(groups, 1 / groups), size=3)

    for draw in range(3):
        rows = np.repeat(np.arange(40), counts[draw][clusters])
        for k, method in enumerate(predictions.methods):
            listed = [
                (predictions.of(method)[f][rows], study.scores[rows, i], predictions.ability[f][rows])
                for f, i in enumerate(predictions.targets)
            ]
            levels = [score_prediction(*judged).level for judged in listed]
            assert drawn.level[draw, k] == pytest.approx(np.mean(levels))
            profiles = [p for p in (profile_with_ties(*judged) for judged in listed) if not np.isnan(p)]
            expected = np.mean(profiles) if profiles else np.nan
            assert drawn.profile[draw, k] == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_draws_scatter_around_the_figures_of_the_board(predicted: Predicted) -> None:
    study, predictions = predicted
    drawn = resample_models(study, predictions, np.arange(40), draws=400, rng=np.random.default_rng(0))
    verdicts = score_predictions(study, predictions, metrics=("level", "profile"))

    assert (drawn.level.shape, drawn.clusters) == ((400, 3), 40)
    for k, method in enumerate(predictions.methods):
        for figures, metric in ((drawn.level, "level"), (drawn.profile, "profile")):
            low, high = np.quantile(figures[:, k], [0.01, 0.99])
            assert low < verdicts.mean(method, metric) < high


def test_models_drawn_in_clusters_scatter_more(make_study: MakeStudy) -> None:
    # Ten models, each in twelve variants that differ next to nothing, say little more than ten models do.
    study = make_study(10, 5, missing=0.0).take_models(np.repeat(np.arange(10), 12))
    noisy = Study(
        np.clip(study.scores + 0.01 * np.random.default_rng(0).normal(size=study.scores.shape), 0, 1),
        study.space, study.keys, study.n_items, study.categories,
    )  # fmt: skip
    predictions = predict_held_out(noisy, ["equal_weight"])
    spread = [
        resample_models(noisy, predictions, clusters, draws=200, rng=np.random.default_rng(0)).level[:, 1].std()
        for clusters in (np.arange(120), np.repeat(np.arange(10), 12))
    ]

    assert spread[1] > 2 * spread[0]


def test_methods_can_be_chosen_and_the_seed_decides(predicted: Predicted) -> None:
    study, predictions = predicted

    def draw(seed: int, methods: list[str] | None = None) -> bytes:
        rng = np.random.default_rng(seed)
        drawn = resample_models(study, predictions, np.arange(40), methods=methods, draws=5, rng=rng)
        return drawn.profile[:, drawn.methods.index("category")].tobytes()

    assert draw(0) == draw(0) == draw(0, ["category"]) != draw(1)
    with pytest.raises(bob.ArrayError, match="'eci' is not among the methods that predicted"):
        draw(0, ["eci"])


def test_one_cluster_has_one_draw_and_no_models_none(predicted: Predicted) -> None:
    study, predictions = predicted
    same = resample_models(study, predictions, np.zeros(40, dtype=np.int64), draws=3, rng=np.random.default_rng(0))
    verdicts = score_predictions(study, predictions, metrics=("level",))

    np.testing.assert_allclose(same.level[:, 1], verdicts.mean("equal_weight", "level"))
    with pytest.raises(bob.ArrayError, match="a label for each of the models"):
        resample_models(study, predictions, np.zeros(3, dtype=np.int64), draws=3, rng=np.random.default_rng(0))


def test_constant_predictions_are_undefined_in_every_draw(predicted: Predicted) -> None:
    study, predictions = predicted
    flat = Predictions(predictions.targets, ("bob",), np.ones((5, 1, 40)), predictions.ability, predictions.nearest)
    drawn = resample_models(study, flat, np.arange(40), draws=4, rng=np.random.default_rng(0))

    assert np.isnan(drawn.level).all()
    assert np.isnan(drawn.profile).all()


def named(*rows: tuple[str, str | None, str | None]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"key": pl.String, "name": pl.String, "creator": pl.String}, orient="row")


def groups(models: pl.DataFrame, by: str) -> list[set[str]]:
    labels = cluster_models(models, by)  # type: ignore[arg-type]
    return [set(models.filter(labels == label)["key"]) for label in dict.fromkeys(labels.tolist())]


def test_models_are_grouped_by_maker_or_by_base_model() -> None:
    models = named(
        ("a1", "Sonata 4 (high)", "Opus Labs"), ("a2", "Sonata 4 (Reasoning, Max Effort)", "Opus Labs"),
        ("a3", "Sonata 4.5 (high)", "Opus Labs"), ("b1", "Fugue 7B Instruct", "Bach"), ("b2", "Fugue 7B 2507", "Bach"),
        ("c1", "Sonata 4 xhigh", None), ("d1", None, None), ("d2", "(high)", ""),
    )  # fmt: skip

    assert groups(models, "maker") == [{"a1", "a2", "a3"}, {"b1", "b2"}, {"c1"}, {"d1"}, {"d2"}]
    assert groups(models, "base_model") == [{"a1", "a2", "c1"}, {"a3"}, {"b1", "b2"}, {"d1"}, {"d2"}]
