"""Every method is what its name says: the paper's rule, a control, a rival, or one part changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.evaluation.baselines import BASELINES
from balance_of_benchmarks.evaluation.methods import CONTINUOUS, FAMILIES, GRIDS, METHODS, choose_methods
from balance_of_benchmarks.evaluation.panel import Panel
from balance_of_benchmarks.evaluation.rules import (
    Clusterings,
    category_relevance,
    cluster_agglomerative,
    cluster_kmeans,
    cluster_relevance,
    nearest_relevance,
    radius_relevance,
    support_matched_relevance,
    top_k_relevance,
)
from balance_of_benchmarks.evaluation.study import Study
from balance_of_benchmarks.ranking.choosing import choose_process
from balance_of_benchmarks.ranking.folds import iterate_folds
from balance_of_benchmarks.ranking.presets import PRESETS
from balance_of_benchmarks.types import FloatArray

MakeStudy = Callable[..., Study]

PREDICT = {method.id: method.predict for method in METHODS}


@pytest.fixture(scope="module")
def panel(make_study: MakeStudy) -> Panel:
    return Panel(make_study(60, 8), 0, Clusterings())


def ours_by_hand(panel: Panel) -> FloatArray:
    space, chosen = panel.question.pool.space, panel.choose(CONTINUOUS).value
    return bob.continuous_relevance(panel.question.distances, chosen * space.median, space.weights)


def test_the_ids_are_those_of_the_documented_json() -> None:
    ids = [method.id for method in METHODS]
    assert ids[:14] == [
        "bob", "equal_weight", "category", "nearest", "published_index", "score_covariance", "first_component",
        "ability_only", "pool_ability", "win_rate", "borda", "bradley_terry", "eci", "low_rank",
    ]  # fmt: skip
    assert len(set(ids)) == len(ids)
    assert set(BASELINES) == set(ids[1:14])
    assert {method.family for method in METHODS} == set(FAMILIES)
    sizes = {family: sum(method.family == family for method in METHODS) for family in FAMILIES}
    assert (sizes["end_to_end"], sizes["control"]) == (6, 7)  # the paper's families of tests


def test_the_grids_are_the_papers() -> None:
    assert {grid.id: grid.candidates for grid in GRIDS} == {
        "bandwidth": (0.30, 0.45, 0.60),
        "top_k": (1, 2, 3, 4, 5),
        "radius": (0.25, 0.40, 0.55, 0.70, 1.00),
        "kmeans": (2, 3, 4, 5, 6, 7, 8),
        "agglomerative": (2, 3, 4, 5, 6, 7, 8),
    }
    assert all(grid.default in grid.candidates for grid in GRIDS)


def test_ours_is_the_field_with_the_chosen_bandwidth_in_medians_of_the_pool(panel: Panel) -> None:
    expected = bob.residual_field(panel.question.fit, ours_by_hand(panel)).score

    np.testing.assert_array_equal(PREDICT["bob"](panel), expected)


def test_controls_differ_from_ours_in_relevance_and_nothing_else(panel: Panel) -> None:
    question, chosen = panel.question, {grid.id: panel.choose(grid).value for grid in GRIDS}

    def clusters(grid: str, cluster: Callable[..., object]) -> FloatArray:
        labels = Clusterings().labels(question.pool.space, cluster, int(chosen[grid]))  # type: ignore[arg-type]
        assert labels is not None
        return cluster_relevance(question, labels)

    relevance = {
        "support_matched": support_matched_relevance(question, ours_by_hand(panel)),
        "category": category_relevance(question),
        "top_k": top_k_relevance(question, int(chosen["top_k"])),
        "nearest": nearest_relevance(question),
        "radius": radius_relevance(question, chosen["radius"]),
        "kmeans": clusters("kmeans", cluster_kmeans),
        "agglomerative": clusters("agglomerative", cluster_agglomerative),
    }
    assert {f"control:{rule}" for rule in relevance} == {m.id for m in METHODS if m.family == "control"}
    for rule, g in relevance.items():
        np.testing.assert_array_equal(PREDICT[f"control:{rule}"](panel), bob.residual_field(question.fit, g).score)


def test_variants_change_one_part(panel: Panel) -> None:
    question, g = panel.question, ours_by_hand(panel)
    support = bob.residual_field(question.fit, g).support
    expected = {
        "no_shrinkage": bob.residual_field(question.fit, g, shrinkage="none"),
        "constant_shrinkage": bob.residual_field(question.fit, g, shrinkage=float(support.mean())),
        "latent_offset": bob.residual_field(question.fit, g, residual="latent_offset"),
        "information_in_support": bob.residual_field(question.fit, g, information_in_support=True),
    }
    for variant, field in expected.items():
        np.testing.assert_array_equal(PREDICT[f"bob:{variant}"](panel), field.score)


def test_options_are_the_estimators_with_nested_choices(panel: Panel) -> None:
    study = panel.study
    settings = bob.FitSettings(ability_scale="standardized")
    other = Panel(replace(study, settings=settings), 0, Clusterings())

    np.testing.assert_array_equal(PREDICT["bob:standardized"](panel), PREDICT["bob"](other))
    np.testing.assert_array_equal(PREDICT["bob:both"](panel), PREDICT["bob:kriging"](other))
    question = panel.question
    pool = question.pool
    folds = iterate_folds(
        pool.scores, pool.space, pool.targets(), unit=pool.space.median, n_items=pool.n_items, settings=study.settings
    )
    process = choose_process(folds, question.fit, pool.space)
    expected = process.field(question.fit, question.distances, pool.space).score
    np.testing.assert_array_equal(PREDICT["bob:kriging"](panel), expected)


@pytest.mark.parametrize(("variant", "weighting"), [("flat", "equal"), ("magnitude", "magnitude")])
def test_other_weights_are_used_in_fit_field_and_choice_of_bandwidth(
    panel: Panel, variant: str, weighting: bob.Weighting
) -> None:
    study = panel.study
    space = bob.measure_space(study.space.vectors, weighting=weighting)
    other = Study(study.scores, space, study.keys, study.n_items, study.categories)

    np.testing.assert_array_equal(PREDICT[f"bob:{variant}"](panel), PREDICT["bob"](Panel(other, 0, Clusterings())))


def test_a_benchmark_without_a_text_leaves_ours_and_its_controls_the_ability(make_study: MakeStudy) -> None:
    study = make_study(60, 8, without_text=(0,))
    panel = Panel(study, 0, Clusterings())
    ability = panel.question.fit.ability

    # Of a benchmark without a text `auto` knows the category, which counts for something.
    other_fit = ("bob:flat", "bob:magnitude", "bob:standardized", "bob:both", "bob:auto", "bob:auto_text")
    for id_, predict in PREDICT.items():
        if id_.startswith(("control:", "bob")) and id_ not in ("control:category", *other_fit):
            np.testing.assert_array_equal(predict(panel), ability)
    rescaled = panel.rescaled("standardized").question.fit.ability
    np.testing.assert_array_equal(PREDICT["bob:standardized"](panel), rescaled)
    np.testing.assert_array_equal(PREDICT["bob:both"](panel), rescaled)
    np.testing.assert_array_equal(PREDICT["bob:auto_text"](panel), panel.under("auto").question.fit.ability)


def test_auto_keeps_the_weights_that_the_user_gave(make_study: MakeStudy) -> None:
    study = make_study()
    given = np.array([1.0, 2.0, 0.5, 1.0, 0.0, 3.0])
    space = bob.measure_space(study.space.vectors, weights=given)
    panel = Panel(replace(study, space=space), 0, Clusterings()).under("auto")

    np.testing.assert_array_equal(panel.question.pool.space.weights, given[1:])


@pytest.mark.parametrize("category", [None, "of its own"])
def test_told_no_category_that_the_others_have_auto_reads_the_text_alone(
    make_study: MakeStudy, category: str | None
) -> None:
    study = make_study()
    panel = Panel(replace(study, categories=(category, *study.categories[1:])), 0, Clusterings())

    np.testing.assert_array_equal(PREDICT["bob:auto"](panel), PREDICT["bob:auto_text"](panel))


def test_of_more_points_than_auto_kriges_the_kernel_average_is_tested(
    panel: Panel, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = panel.question.pool.space.firsts.size
    kriged = PREDICT["bob:auto"](panel)
    monkeypatch.setattr("balance_of_benchmarks.evaluation.methods.MOST_POINTS", points - 1)
    averaged = PREDICT["bob:auto"](panel)

    np.testing.assert_array_equal(averaged, PREDICT["bob"](panel.under("auto")))
    np.testing.assert_array_equal(PREDICT["bob:auto_text"](panel), averaged)
    assert averaged is not None
    assert kriged is not None
    assert not np.allclose(averaged, kriged)


def test_auto_is_the_estimators_preset_with_the_category_it_is_told(panel: Panel) -> None:
    study, preset = panel.study, PRESETS["auto"]
    other = Panel(
        replace(study, space=study.space.reweigh(preset.weighting), settings=preset.settings), 0, Clusterings()
    )
    question = other.question
    pool = question.pool
    for method, categories, peers in (
        ("bob:auto", pool.categories, question.peers),
        ("bob:auto_text", None, None),
    ):
        folds = [trial.fold for trial in other.inner]
        process = choose_process(folds, question.fit, pool.space, categories=categories)
        field = process.field(question.fit, question.distances, pool.space, peers=peers)
        np.testing.assert_array_equal(PREDICT[method](panel), field.score)


def test_methods_are_chosen_by_id_with_ours_first() -> None:
    assert choose_methods(None) == METHODS
    assert [method.id for method in choose_methods(["eci", "category", "eci"])] == ["bob", "category", "eci"]
    assert [method.id for method in choose_methods([])] == ["bob"]
    with pytest.raises(bob.ArrayError, match="'categroy' is not among the methods; did you mean 'category'"):
        choose_methods(["categroy"])
