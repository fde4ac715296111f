"""The stress tests on the paper's board, with its descriptions: beside the published numbers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.evaluation.constructions import CONSTRUCTIONS, Construction, measure_construction
from balance_of_benchmarks.evaluation.densification import densify
from balance_of_benchmarks.evaluation.population import compare_snapshots, shift_population
from balance_of_benchmarks.evaluation.relisting import Relistable, decompose_relisting, relist
from balance_of_benchmarks.evaluation.sensitivity import drop_benchmarks, scale_noise_floors, sweep_robustness
from balance_of_benchmarks.evaluation.shuffling import shuffle_descriptions
from balance_of_benchmarks.evaluation.study import Study, study_board
from balance_of_benchmarks.paper.kinds import KINDS
from balance_of_benchmarks.paper.published import Published, find_published

# The paper's median distance, of which its insertion distances are multiples: it prints h = .402 = .45 medians.
MEDIAN = 0.894


@pytest.fixture(scope="module")
def kept(shared: Path) -> bob.RankableBoard:
    return bob.read_board(shared / "boards" / "artificial_analysis" / "2026-09-03.json").retain()


@pytest.fixture(scope="module")
def study(shared: Path, kept: bob.RankableBoard) -> Study:
    texts = json.loads((shared / "paper" / "texts.json").read_text())["benchmarks"]
    descriptions = [texts[key]["description"] for key in kept.benchmarks["key"]]
    return study_board(kept, bob.measure_space(bob.embed(descriptions), texts=descriptions))


def published(table: str, row: str, column: str) -> Published:
    found = find_published((table, row, column))
    assert found is not None
    return found


def to_the_printed_digit(ours: float, table: str, row: str, column: str) -> None:
    number = published(table, row, column)
    assert f"{ours:.{number.digits}f}" == number.text


def within_tolerance(ours: float, table: str, row: str, column: str) -> None:
    number = published(table, row, column)
    assert ours == pytest.approx(number.number, abs=KINDS[number.kind].tolerance)


# --- listing again -------------------------------------------------------------------------------------------------


def test_under_equal_weights_four_copies_move_the_ranking_as_published(study: Study) -> None:
    relisting = relist(study, copies=4, weighting="equal_z")
    table = "densification_duplication"

    assert len(relisting.relisted) == 14
    to_the_printed_digit(relisting.mean.kendall, table, "", "kendall_tau_equal_weight")
    to_the_printed_digit(relisting.mean.largest, "encoder_sizes", "", "copy_shift_ranks_equal_weight")
    to_the_printed_digit(relisting.mean.top_10, table, "", "equal_top10_models_changed_mean")
    to_the_printed_digit(relisting.top_10.max(), table, "", "equal_top10_models_changed_max")
    to_the_printed_digit(relisting.mean.top_50, table, "", "equal_top50_models_changed_mean")
    to_the_printed_digit(relisting.top_50.max(), table, "", "equal_top50_models_changed_max")


def test_inverse_density_keeps_the_ranking(study: Study) -> None:
    relisting = relist(study, copies=4)

    assert relisting.mean.kendall >= 0.99
    within_tolerance(relisting.mean.kendall, "densification_duplication", "", "kendall_tau_bob")
    within_tolerance(relisting.mean.median, "densification_duplication", "", "displacement_median_ranks")
    within_tolerance(relisting.mean.high, "densification_duplication", "", "displacement_p95_ranks")
    within_tolerance(relisting.mean.largest, "densification_duplication", "", "displacement_max_ranks")


@pytest.mark.parametrize("copies", [1, 4, 10])
def test_magnitude_weights_move_nobody_in_any_of_the_fourteen(study: Study, copies: int) -> None:
    relisting = relist(study, copies=copies, weighting="magnitude")

    assert relisting.kendall == pytest.approx(np.ones(14), abs=1e-9)
    assert relisting.largest.tolist() == [0.0] * 14
    assert relisting.ability.max() < 1e-9


def test_at_every_number_of_copies_the_methods_keep_their_order(study: Study) -> None:
    weightings: tuple[Relistable, ...] = ("equal_z", "inverse_density", "magnitude")
    for copies in (1, 2, 6, 10):
        equal, density, magnitude = (relist(study, copies=copies, weighting=one).mean.kendall for one in weightings)
        assert equal < density < magnitude


def test_with_curves_held_and_the_groups_weight_forced_no_model_moves(study: Study) -> None:
    steps = decompose_relisting(study)

    assert steps.forced.largest.tolist() == [0.0] * 14
    assert steps.forced.mean.largest < steps.held.mean.largest < steps.refitted.mean.largest
    within_tolerance(
        steps.held.mean.largest, "duplication_decomposition", "", "displacement_max_ranks_actual_weight_fixed_items"
    )
    within_tolerance(steps.refitted.mean.largest, "duplication_decomposition", "", "displacement_max_ranks_refit")
    within_tolerance(steps.refitted.gap, "duplication_decomposition", "", "adjacent_theta_gap_median")


# --- densification -------------------------------------------------------------------------------------------------


def test_168_placements_meet_the_closed_form_and_the_published_masses(study: Study) -> None:
    table = "densification_duplication"
    lengths = [published(table, "", f"insertion_distances.{place}").number for place in (1, 2, 3)]
    unit = study.space.median / MEDIAN
    found = densify(study.space, np.array(lengths) * unit, rng=np.random.default_rng(0))

    assert found.mass.shape == (3, 168)
    for place, mass in enumerate(found.mean, 1):
        within_tolerance(mass, table, "", f"insertion_marginal_mass.{place}")
    assert np.abs(found.mean - found.isolated).max() <= 0.02


# --- populations ---------------------------------------------------------------------------------------------------


def test_makers_that_join_move_the_others_as_published(study: Study, kept: bob.RankableBoard) -> None:
    makers = {"google": "Google", "openai": "OpenAI", "anthropic": "Anthropic"}
    shifts = shift_population(study, kept.models["creator"].to_list(), only=list(makers.values()))

    for row, shift in zip(makers, shifts, strict=True):
        to_the_printed_digit(shift.added, "population_shift", row, "models_added")
        within_tolerance(shift.spearman["score_covariance"], "population_shift", row, "score_covariance")
        assert shift.spearman["bob"] > shift.spearman["score_covariance"]
        assert shift.spearman["bob"] > 0.999


def test_the_19_models_of_the_later_snapshot_change_no_cell_of_the_586(study: Study, kept: bob.RankableBoard) -> None:
    late = pl.col("release_date").cast(pl.String) >= "2026-08-30"
    joined = kept.models.select(late | (pl.col("name") == "Agnes 2.5 Pro Beta")).to_series().to_numpy()
    keys = kept.models["key"].to_list()
    earlier = np.flatnonzero(~joined)
    shift = compare_snapshots(study.take_models(earlier), [keys[row] for row in earlier], study, keys)

    to_the_printed_digit(shift.common, "control_population", "", "models_earlier")
    to_the_printed_digit(shift.added, "control_population", "", "models_added")
    assert (shift.removed, shift.cells, shift.changed) == (0, 5327, 0)
    assert shift.shifts["bob"].kendall > 0.99


# --- sensitivity ---------------------------------------------------------------------------------------------------


def test_the_robust_cap_moves_little_and_its_floor_nothing(study: Study) -> None:
    swept = {means.setting: (means.level, means.profile) for means in sweep_robustness(study)}
    change = np.abs(np.array(list(swept.values())) - swept[3.0, 1e-3]).max(axis=0)

    assert len(swept) == 12
    assert len(set(swept.values())) == 4
    level, profile = (published("sensitivity", "", f"robust_max_change_{of}").number for of in ("level", "profile"))
    assert (change <= [level, profile]).all()


def test_no_floor_binds_so_that_halving_them_changes_nothing_unlike_in_the_paper(study: Study) -> None:
    assert scale_noise_floors(study, 0.5) == pytest.approx(1.0, abs=1e-12)
    assert 0.97 < scale_noise_floors(study, 2.0) < 1.0
    assert published("sensitivity", "", "noise_floor_halved_weights_spearman").number == 0.965


def test_without_gpqa_abilities_are_nearly_the_same(study: Study) -> None:
    agreement = drop_benchmarks(study)[study.keys.index("gpqa")]

    within_tolerance(agreement, "sensitivity", "", "drop_gpqa_theta_spearman")


# --- ablation and shuffles -----------------------------------------------------------------------------------------


def test_row_b_is_the_published_one(study: Study) -> None:
    row = measure_construction(study, CONSTRUCTIONS[1])

    to_the_printed_digit(row.level, "ablation", "B", "level")
    assert row.profile == pytest.approx(published("ablation", "B", "profile").number, abs=0.003)
    within_tolerance(row.copy_shift, "ablation", "B", "copy_shift_sigma")


@pytest.mark.parametrize("row", CONSTRUCTIONS[2:], ids=lambda row: row.id)
def test_levels_of_rows_c_and_d_are_near_the_published_ones(study: Study, row: Construction) -> None:
    within_tolerance(measure_construction(study, row).level, "ablation", row.id, "level")


def test_texts_dealt_at_random_lose_what_the_paper_says_they_lose(study: Study) -> None:
    shuffling = shuffle_descriptions(study, draws=12, rng=np.random.default_rng(0))

    within_tolerance(shuffling.shuffled_profile.mean(), "validity", "", "shuffled_profile_mean")
    assert shuffling.shuffled_profile.mean() < shuffling.profile - 0.05


def test_the_same_seed_gives_the_same_bytes_in_one_process_and_in_two(study: Study) -> None:
    one, two = (shuffle_descriptions(study, draws=3, jobs=jobs, rng=np.random.default_rng(0)) for jobs in (1, 2))

    assert (one.level, one.profile) == (two.level, two.profile)
    assert one.shuffled_profile.tobytes() == two.shuffled_profile.tobytes()
    assert one.shuffled_level.tobytes() == two.shuffled_level.tobytes()
