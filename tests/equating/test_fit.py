"""The alternating fit: formulas, properties, degenerate boards, the paper's audit table."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import balance_of_benchmarks as bob
from balance_of_benchmarks.equating import benchmark_loops, model_loops
from balance_of_benchmarks.equating.curve import Link, expected_score

ARRAYS = ("ability", "discrimination", "difficulty", "residual_scale", "information", "r_squared")


def simulate(seed: int = 0, m: int = 120, n: int = 8, holes: float = 0.3, noise: float = 0.06) -> np.ndarray:
    rng = np.random.default_rng(seed)
    theta, a, b = rng.normal(size=(m, 1)), rng.uniform(0.5, 1.5, n), rng.uniform(-1.0, 1.0, n)
    scores = np.clip(expected_score(theta, a, b, "ogive") + noise * rng.standard_t(4, (m, n)), 0, 1)
    scores[rng.random((m, n)) < holes] = np.nan
    scores[:, 0] = np.where(np.isnan(scores).all(axis=1), 0.5, scores[:, 0])
    return scores


def assert_same_fit(fit: bob.Fit, other: bob.Fit, models: np.ndarray, benchmarks: np.ndarray, atol: float) -> None:
    np.testing.assert_allclose(fit.ability[models], other.ability, atol=atol)
    for name in ARRAYS[1:]:
        np.testing.assert_allclose(getattr(fit, name)[benchmarks], getattr(other, name), atol=atol, rtol=1e-6)


# --- golden values ---------------------------------------------------------------------------------------------


def test_noiseless_scores_give_back_curves_and_abilities() -> None:
    theta = np.linspace(-2.2, 2.2, 201)
    theta = (theta - theta.mean()) / theta.std()
    a, b = np.array([0.6, 1.0, 1.8, 0.9]), np.array([-1.0, 0.0, 0.5, 1.5])
    fit = bob.fit_scores(expected_score(theta[:, None], a, b, "ogive"), settings=bob.FitSettings(rounds=200))

    # The parabola through a grid of .02 errs by its third-order term, which sets the tolerance.
    np.testing.assert_allclose(fit.ability, theta, atol=2e-3)
    np.testing.assert_allclose(fit.discrimination, a, rtol=5e-3)
    np.testing.assert_allclose(fit.difficulty, b, atol=5e-3)
    assert (fit.residual_scale == 1e-3).all()
    assert (fit.status.floored == 2).all()


def test_residuals_weights_and_information_follow_their_formulas() -> None:
    scores = simulate(noise=0.15)
    fit = bob.fit_scores(scores)
    expected = expected_score(fit.ability[:, None], fit.discrimination, fit.difficulty, "ogive")
    error = scores - expected
    sigma = np.sqrt(np.nanmean(error**2, axis=0))
    r = error / sigma
    slope = (
        fit.discrimination
        * np.exp(-0.5 * (fit.discrimination * (fit.ability[:, None] - fit.difficulty)) ** 2)
        / np.sqrt(2 * np.pi)
    )

    np.testing.assert_allclose(fit.residual_scale, sigma, rtol=1e-9)
    np.testing.assert_allclose(fit.residuals, r, atol=1e-8)
    np.testing.assert_allclose(fit.cell_weights, np.minimum(1, (3 / np.abs(r)) ** 2), rtol=1e-7)
    np.testing.assert_allclose(fit.information, (slope**2).mean(axis=0) / sigma**2, rtol=1e-9)
    np.testing.assert_allclose(
        fit.r_squared, 1 - np.nansum(error**2, axis=0) / (np.nanvar(scores, axis=0) * (~np.isnan(scores)).sum(axis=0))
    )
    assert (fit.cell_weights < 1).sum() == fit.status.attenuated > 0


def test_a_curve_is_the_least_squares_one_given_abilities() -> None:
    fit = bob.fit_scores(simulate())
    cells = fit.observed
    for i in range(cells.n_benchmarks):
        mine = slice(cells.benchmark_start[i], cells.benchmark_start[i + 1])
        theta, s, w = fit.ability[cells.model[mine]], cells.score[mine], fit.cells.weight[mine]
        a, b = np.array([1.0]), np.array([0.0])
        bounds = fit.settings.bounds
        benchmark_loops.fit_curves(
            0, 1, np.array([0, s.size]), np.arange(s.size), s, w, np.ascontiguousarray(theta), bounds, False, a, b
        )

        def loss(a: float, b: float, theta: np.ndarray = theta, s: np.ndarray = s, w: np.ndarray = w) -> float:
            return float((w * (s - expected_score(theta, np.array([a]), np.array([b]), "ogive")) ** 2).sum())

        best = loss(a[0], b[0])
        for da, db in ((1e-3, 0), (-1e-3, 0), (0, 1e-3), (0, -1e-3), (1e-3, 1e-3), (-1e-3, 1e-3)):
            assert loss(a[0] + da, b[0] + db) > best


def test_the_binomial_sd_floors_the_residual_scale() -> None:
    scores = simulate(noise=0.01)
    fit = bob.fit_scores(scores, n_items=np.full(8, 10.0))
    p = expected_score(fit.ability[:, None], fit.discrimination, fit.difficulty, "ogive")
    p[np.isnan(scores)] = np.nan

    assert (fit.status.floored == 1).all()
    np.testing.assert_allclose(fit.residual_scale, np.sqrt(np.nanmean(p * (1 - p), axis=0) / 10), rtol=1e-9)


def test_a_standardized_scale_makes_a_stretched_column_weigh_the_same() -> None:
    scores = simulate(holes=0.0)
    squeezed = scores.copy()
    squeezed[:, 0] = 0.45 + 0.1 * scores[:, 0]
    plain = bob.fit_scores(squeezed)
    even = bob.fit_scores(squeezed, ability_scale=squeezed.std(axis=0))

    assert plain.objective_weight.tolist() == [1.0] * 8
    np.testing.assert_allclose(even.objective_weight, 1 / squeezed.var(axis=0))
    # The squeezed column now pulls: residuals on it shrink against the plain fit's.
    assert even.residual_scale[0] < plain.residual_scale[0]


def test_the_settings_standardize_by_each_columns_observed_spread() -> None:
    scores = simulate()
    scores[:, 1] = np.where(np.isnan(scores[:, 1]), np.nan, 0.25)  # constant: its SD is raised to the least scale
    scores = np.column_stack([scores, np.full(len(scores), np.nan)])
    deviations = np.maximum(np.append(np.nanstd(scores[:, :-1], axis=0), 1.0), 1e-3)
    by_name = bob.fit_scores(scores, settings=bob.FitSettings(ability_scale="standardized"))
    by_hand = bob.fit_scores(scores, ability_scale=deviations)

    np.testing.assert_allclose(by_name.objective_weight, deviations**-2.0)
    np.testing.assert_allclose(by_name.ability, by_hand.ability, atol=1e-9)


@given(st.floats(0.05, 1.0))
def test_what_standardized_objectives_weigh_does_not_depend_on_a_columns_scale(squeeze: float) -> None:
    scores = simulate(holes=0.0)
    squeezed = scores.copy()
    squeezed[:, 0] *= squeeze
    settings = bob.FitSettings(ability_scale="standardized")
    plain, other = (bob.fit_scores(values, settings=settings).objective_weight for values in (scores, squeezed))

    np.testing.assert_allclose(other * squeezed.var(axis=0), plain * scores.var(axis=0))


def test_the_papers_scale_by_name_is_the_default_to_the_bit() -> None:
    plain, named = (bob.fit_scores(simulate(), settings=s) for s in (None, bob.FitSettings(ability_scale="paper")))

    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(named, name), getattr(plain, name))


def test_the_linear_scale_fits_straight_lines() -> None:
    theta = np.linspace(-1.7, 1.7, 301)
    theta = (theta - theta.mean()) / theta.std()
    scores = np.column_stack([0.5 + 0.2 * (theta + 0.3), 0.5 + 0.1 * (theta - 0.5), 0.4 + 0.15 * theta])
    fit = bob.fit_scores(scores, settings=bob.FitSettings(link="linear", rounds=20))

    np.testing.assert_allclose(fit.discrimination, [0.2, 0.1, 0.15], atol=1e-3)
    np.testing.assert_allclose(fit.difficulty, [-0.3, 0.5, 0.1 / 0.15], atol=5e-3)
    np.testing.assert_allclose(fit.ability, theta, atol=1e-3)


def test_the_standard_error_is_the_sandwichs() -> None:
    fit = bob.fit_scores(simulate(holes=0.0))
    m = 5
    c = fit.cell_weights[m] * fit.objective_weight
    f = fit.slopes.reshape(8, -1).T[m]
    leverage = fit.observed.to_matrix(fit.cells.weight * fit.objective_weight[fit.cells.benchmark] * fit.slopes**2)
    leverage /= leverage.sum(axis=1, keepdims=True)
    inflation = np.maximum(1, (fit.residuals**2).sum(axis=0) / (1 - leverage).sum(axis=0))
    expected = np.sqrt((c**2 * f**2 * fit.residual_scale**2 * inflation).sum()) / (c * f**2).sum()

    assert fit.standard_error[m] == pytest.approx(expected)


# --- properties ------------------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(st.integers(0, 999), st.data())
def test_permuting_models_and_benchmarks_permutes_the_answer(seed: int, data: st.DataObject) -> None:
    scores = simulate(seed, m=40)
    models = np.array(data.draw(st.permutations(range(40))))
    benchmarks = np.array(data.draw(st.permutations(range(8))))
    weights = np.random.default_rng(seed).uniform(0.1, 1, 8)

    fit = bob.fit_scores(scores, weights)
    moved = bob.fit_scores(scores[np.ix_(models, benchmarks)], weights[benchmarks])

    assert_same_fit(fit, moved, models, benchmarks, atol=1e-7)


@given(st.integers(0, 99), st.floats(1e-3, 1e3))
def test_only_ratios_of_weights_matter(seed: int, factor: float) -> None:
    scores, weights = simulate(seed, m=30), np.random.default_rng(seed).uniform(0.1, 1, 8)

    fit, scaled = bob.fit_scores(scores, weights), bob.fit_scores(scores, factor * weights)

    np.testing.assert_allclose(scaled.ability, fit.ability, atol=1e-7)


@settings(max_examples=25)
@given(st.integers(0, 999), st.integers(0, 7), st.integers(1, 4))
def test_copies_that_share_a_weight_change_nothing(seed: int, twin: int, copies: int) -> None:
    scores = simulate(seed, m=60)
    place = [*range(8), *[twin] * copies]
    weights = np.random.default_rng(seed).uniform(0.5, 1, 8)
    shared = weights.copy()
    shared[twin] /= copies + 1

    fit = bob.fit_scores(scores, weights)
    relisted = bob.fit_scores(scores[:, place], shared[place])

    np.testing.assert_allclose(relisted.ability, fit.ability, atol=1e-9)


@settings(max_examples=50)
@given(st.integers(0, 999), st.integers(0, 7), st.floats(0.0, 1.0))
def test_the_ability_step_is_monotone_in_a_score(seed: int, benchmark: int, score: float) -> None:
    rng = np.random.default_rng(seed)
    grid = bob.FitSettings().grid
    table = expected_score(grid, rng.uniform(0.3, 3, (8, 1)), rng.normal(size=(8, 1)), "ogive")
    rows = np.tile(rng.random(8), (2, 1))
    rows[:, benchmark] = sorted([rows[0, benchmark], score])
    cells = bob.ObservedCells.from_matrix(rows)
    ability, place = np.empty(2), np.empty(2, np.int64)
    weight = np.tile(rng.uniform(0.01, 1, 8), (2, 1)).T.ravel()
    model_loops.fit_abilities(
        0, 2, cells.model_start, cells.by_model, cells.benchmark, cells.score, weight,
        np.ones(8), grid, table, ability, place,
    )  # fmt: skip

    assert ability[0] <= ability[1] + 1e-12


@pytest.mark.parametrize("link", ["ogive", "linear"])
def test_the_number_of_threads_changes_no_bit(link: Link) -> None:
    scores = simulate(3, m=300, n=20)
    one, two, three = (
        bob.fit_scores(scores, settings=bob.FitSettings(link=link), threads=threads) for threads in (1, 2, 3)
    )

    for other in (two, three):
        for name in ARRAYS:
            assert getattr(one, name).tobytes() == getattr(other, name).tobytes()
        assert one.cells.residual.tobytes() == other.cells.residual.tobytes()


def test_a_zero_weight_benchmark_has_a_curve_but_no_say() -> None:
    scores = simulate(4, m=80)
    weights = np.ones(8)
    weights[3] = 0.0
    fit = bob.fit_scores(scores, weights)
    without = bob.fit_scores(np.delete(scores, 3, axis=1))

    np.testing.assert_allclose(fit.ability, without.ability, atol=1e-9)
    assert np.isfinite(fit.discrimination[3])
    assert np.isfinite(fit.residuals[~np.isnan(scores[:, 3]), 3]).all()


def test_a_wide_sparse_board_takes_the_same_path_as_triplets() -> None:
    rng = np.random.default_rng(5)
    scores = simulate(5, m=200, n=400, holes=0.9)
    model, benchmark = np.nonzero(~np.isnan(scores))
    cells = bob.ObservedCells.from_triplets(model, benchmark, scores[model, benchmark], *scores.shape)
    weights = rng.uniform(0.1, 1, 400)

    assert bob.fit_cells(cells, weights).ability.tobytes() == bob.fit_scores(scores, weights).ability.tobytes()


# --- degenerate boards -----------------------------------------------------------------------------------------


def test_a_model_without_a_cell_of_positive_weight_has_no_ability() -> None:
    scores = simulate(6, m=50, holes=0.0)
    scores[7, 1:] = np.nan
    scores[9] = np.nan
    weights = np.ones(8)
    weights[0] = 0.0
    fit = bob.fit_scores(scores, weights)

    assert np.isnan(fit.ability[[7, 9]]).all()
    assert np.flatnonzero(fit.status.no_weight).tolist() == [7, 9]
    assert np.isnan(fit.residuals[7, 0])
    assert fit.cell_weights[7, 0] == 0.0
    assert np.isfinite(np.delete(fit.ability, [7, 9])).all()
    assert np.nanmean(fit.ability) == pytest.approx(0.0, abs=1e-12)
    assert np.nanstd(fit.ability) == pytest.approx(1.0)


def test_all_zero_and_all_one_models_end_at_the_grids_ends() -> None:
    scores = simulate(7, m=50, holes=0.0)
    scores[0], scores[1] = 0.0, 1.0
    fit = bob.fit_scores(scores)

    assert np.argmin(fit.ability) == 0
    assert np.argmax(fit.ability) == 1
    assert fit.status.at_grid_end[:2].any()


def test_constant_columns_are_fitted_and_flagged() -> None:
    scores = simulate(8, m=50, holes=0.0)
    scores[:, 2], scores[:, 3], scores[:, 4] = 0.0, 1.0, 0.37
    fit = bob.fit_scores(scores)

    assert np.isfinite(fit.ability).all()
    assert np.isnan(fit.r_squared[2:5]).all()
    assert (fit.status.at_bound | (fit.status.floored == 2))[2:5].all()
    assert (fit.status.floored[2:4] == 2).all()


def test_a_column_nobody_was_observed_on_is_undefined_and_harmless() -> None:
    scores = simulate(9, m=50)
    fit = bob.fit_scores(np.column_stack([scores, np.full(50, np.nan)]))

    np.testing.assert_allclose(fit.ability, bob.fit_scores(scores).ability, atol=1e-9)
    assert np.isnan(fit.residual_scale[8])
    assert np.isnan([fit.discrimination[8], fit.difficulty[8]]).all()
    assert np.isnan(fit.information[8])


def test_equal_models_are_equal() -> None:
    fit = bob.fit_scores(np.full((5, 4), 0.5))

    assert fit.ability.tolist() == [0.0] * 5


@pytest.mark.parametrize("scores", [np.empty((0, 3)), np.full((1, 3), 0.5)])
def test_fewer_than_two_models_cannot_be_ranked(scores: np.ndarray) -> None:
    with pytest.raises(bob.RankingError, match="at least two"):
        bob.fit_scores(scores)


def test_no_weight_or_no_benchmark_at_all_ranks_nobody() -> None:
    with pytest.raises(bob.RankingError, match="every weight is zero"):
        bob.fit_scores(simulate(), np.zeros(8))
    with pytest.raises(bob.RankingError, match="there are no benchmarks"):
        bob.fit_scores(np.empty((3, 0)))


@pytest.mark.parametrize("scores", ["ab", [[1, 2], [3]], [["x"]]])
def test_what_is_no_matrix_of_numbers_is_refused(scores: object) -> None:
    with pytest.raises(bob.ArrayError, match=r"expected a table|not an array of numbers"):
        bob.fit_scores(scores)  # type: ignore[arg-type]


def test_a_model_without_ability_takes_nobody_elses_standard_error() -> None:
    scores = simulate(11, m=60, holes=0.0)
    scores[0, :7] = np.nan
    weights = np.ones(8)
    weights[7] = 0.0
    fit = bob.fit_scores(scores, weights)

    assert np.isnan(fit.standard_error[0])
    assert np.isfinite(fit.standard_error[1:]).all()
    np.testing.assert_allclose(fit.standard_error[1:], bob.fit_scores(scores[1:, :7]).standard_error, rtol=1e-6)


def test_an_ability_at_the_grids_end_has_no_standard_error() -> None:
    scores = simulate(12, m=50, holes=0.0)
    scores[0] = 0.0
    fit = bob.fit_scores(scores)

    assert fit.at_grid_end[0]
    assert np.isnan(fit.standard_error[0])


def test_what_a_fit_holds_cannot_be_changed() -> None:
    fit = bob.fit_scores(simulate())

    for array in (fit.ability, fit.discrimination, fit.residual_scale, fit.cells.residual, fit.observed.score):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


def test_arrays_of_any_kind_and_layout_are_taken() -> None:
    scores = np.round(simulate(13), 3)
    expected = bob.fit_scores(scores).ability

    frozen = scores.copy()
    frozen.flags.writeable = False
    for same in (np.asfortranarray(scores), scores.tolist(), frozen, np.repeat(scores, 2, axis=0)[::2]):
        np.testing.assert_array_equal(bob.fit_scores(same).ability, expected)
    whole = bob.fit_scores(np.array([[0, 1], [1, 1], [0, 0]]))
    np.testing.assert_array_equal(whole.ability, bob.fit_scores([[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]).ability)


def test_all_missing_is_an_error_that_says_so() -> None:
    with pytest.raises(bob.RankingError, match="positive weight"):
        bob.fit_scores(np.full((4, 3), np.nan))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"weights": [1.0]}, r"weights has shape \(1,\)"),
        ({"weights": [np.nan] * 8}, "finite"),
        ({"ability_scale": [0.0] * 8}, "ability_scale"),
        ({"ability_scale": [1.0] * 8, "settings": bob.FitSettings(ability_scale="standardized")}, "given twice"),
        ({"n_items": [10]}, "n_items has shape"),
        ({"n_items": [0] * 8}, "n_items must be positive"),
        ({"weights": ["a"] * 8}, "weights is not an array of numbers"),
    ],
)
def test_bad_arguments_are_refused(options: dict[str, list[float]], words: str) -> None:
    with pytest.raises(bob.ArrayError, match=words):
        bob.fit_scores(simulate(), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "constants",
    [
        {"rounds": 0},
        {"rounds": 2.5},
        {"robust_from": 1},
        {"grid_low": 4.0},
        {"grid_step": 0.0},
        {"robust_cap": -1.0},
        {"link": "cubic"},
        {"grid_step": 5.0},
    ],
)
def test_bad_constants_are_refused(constants: dict[str, object]) -> None:
    with pytest.raises(bob.ArrayError, match="expected"):
        bob.FitSettings(**constants)  # type: ignore[arg-type]


def test_two_minima_are_found_where_two_benchmarks_contradict_each_other() -> None:
    scores = simulate(10, m=200, n=6, holes=0.0, noise=0.02)
    # Half of the benchmarks say the model is among the best, half that it is among the worst.
    scores[0, :3], scores[0, 3:] = scores[:, :3].max(axis=0), scores[:, 3:].min(axis=0)
    two = bob.fit_scores(scores).status.two_minima

    assert two[0]
    assert two.mean() < 0.05


# --- the paper's table -----------------------------------------------------------------------------------------


def test_a_fit_and_its_status_are_shown_in_a_line_each() -> None:
    fit = bob.fit_scores([[0.1, 0.2], [0.4, 0.5], [0.9, np.nan]])

    assert repr(fit) == "Fit(3 models, 2 benchmarks, 5 scores)"
    assert repr(fit.status).startswith("FitStatus(6 rounds, last change ")
    assert "no_weight 0 of 3" in repr(fit.status)
    assert len(repr(fit.status)) < 250


def test_the_audit_table_is_reproduced_with_the_published_weights(shared: Path) -> None:
    published = json.loads((shared / "paper" / "published.json").read_text())
    audit = {row["benchmark"]: row for row in published["audit_aa"]["rows"]}
    kept = bob.read_board(shared / "boards" / "artificial_analysis" / "2026-09-03.json").retain()
    keys = kept.benchmarks["key"].to_list()
    fit = bob.fit_scores(kept.scores, [audit[key]["v"] for key in keys], n_items=kept.n_items)
    best = np.argsort(-fit.ability)[:20]
    published_best = [row["model"] for row in published["top_rankings"]["rows"] if row["bob_top20"]]

    for i, key in enumerate(keys):
        assert fit.discrimination[i] == pytest.approx(audit[key]["a"], abs=0.02)
        assert fit.difficulty[i] == pytest.approx(audit[key]["b"], abs=0.02)
        assert fit.residual_scale[i] == pytest.approx(audit[key]["sigma"], abs=0.003)
        assert fit.r_squared[i] == pytest.approx(audit[key]["curve_r2"], abs=0.015)
    assert [kept.models["name"][int(m)] for m in best] == published_best
    assert not fit.status.at_bound.any()
    assert not fit.status.floored.any()
    two = [kept.models["key"][int(m)] for m in np.flatnonzero(fit.status.two_minima)]
    assert two == ["minicpm-v4-6-1-3b", "qwen3-5-0-8b"]
