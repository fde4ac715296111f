"""Checks: each kind of fault is found where it was planted, and nothing on a board without one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.board.checks.check import check_board
from balance_of_benchmarks.types import FloatArray

MODELS, BENCHMARKS = 24, 6
TEXT = "A set of questions on {} in English, answered in free form by the system and graded by exact match."
SUBJECTS = ("algebra", "botany", "chemistry", "drawing", "economics", "farming")


def clean_scores() -> FloatArray:
    """One ability, scores well within bounds, every model on every benchmark."""
    rng = np.random.default_rng(5)
    ability = np.linspace(-1, 1, MODELS)
    return np.clip(0.5 + 0.2 * ability[:, None] + 0.05 * rng.standard_normal((MODELS, BENCHMARKS)), 0.2, 0.8)


def board_of(scores: FloatArray, **changes: Any) -> bob.Board:
    m, n = scores.shape
    keys = [f"b{i}" for i in range(n)]
    cells = pl.DataFrame(
        {
            "model": np.repeat([f"m{i}" for i in range(m)], n),
            "benchmark": keys * m,
            "score": scores.ravel(),
        }
    )
    benchmarks: dict[str, Any] = {
        "key": keys,
        "description": [TEXT.format(SUBJECTS[i % 6] + "x" * (i // 6)) for i in range(n)],
        "category": [None] * n,
    }
    return bob.Board(
        cells=changes.pop("cells", cells),
        models=changes.pop("models", pl.DataFrame()),
        benchmarks=pl.DataFrame({**benchmarks, **changes}, strict=False),
    )


def kinds(board: bob.Board) -> list[str]:
    return [finding.kind for finding in check_board(board).findings]


def test_nothing_is_found_on_a_board_without_faults() -> None:
    assert check_board(board_of(clean_scores())).findings == ()


def test_scores_that_another_benchmark_has_too_are_found_turned_round_as_well() -> None:
    scores = np.round(clean_scores(), 3)
    copied = np.column_stack([scores, scores[:, 2], 1 - scores[:, 4]])
    board = board_of(copied, higher_is_better=[True] * 7 + [False], name=[*"abcdefgh"])
    found = [finding for finding in check_board(board).findings if finding.kind == "copied_scores"]

    assert [finding.where for finding in found] == [("b2", "b6"), ("b4", "b7")]


def test_items_that_are_right_or_wrong_are_no_copies_of_each_other() -> None:
    items = (clean_scores() > 0.5).astype(float)

    assert "copied_scores" not in kinds(board_of(np.column_stack([items, items])))


def test_percentages_that_end_at_ten_beside_ratings_are_unsure() -> None:
    scores = clean_scores()
    rated = np.column_stack([10 * scores[:, :3] + 1.9, 5 * scores[:, 3:] - 0.7])
    found = [finding for finding in check_board(board_of(rated)).findings if finding.kind == "scale_unsure"]

    assert [finding.where for finding in found] == [("b3",), ("b4",), ("b5",)]


def _set(row: slice | int, column: int, value: Any) -> Callable[[FloatArray], FloatArray]:
    def change(scores: FloatArray) -> FloatArray:
        scores[row, column] = value
        return scores

    return change


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (_set(3, 0, -1.0), ["sentinel_value"]),
        (_set(slice(None), 0, 0.5), ["constant"]),
        (_set(slice(None), 0, np.linspace(0.0, 0.04, MODELS)), ["all_floor"]),
        (_set(slice(None), 0, np.linspace(0.96, 1.0, MODELS)), ["all_ceiling"]),
        (_set(slice(0, 8), 0, 0.03), ["saturated"]),
        (_set(MODELS - 1, 0, 0.0), ["zero_like_missing"]),
        (_set(slice(None), 0, np.linspace(80.0, 20.0, MODELS)), ["reversed", "scale_proposed"]),
        (_set(slice(None), 0, np.linspace(20.0, 80.0, MODELS)), ["scale_proposed"]),
        (_set(slice(None), 0, np.geomspace(200.0, 78_000.0, MODELS)), ["benchmark_left_out"]),
        (_set(slice(4, None), 0, np.nan), ["few_models"]),
        (_set(slice(0, 2), 0, np.nan), []),
    ],
)
def test_a_fault_of_a_column_is_found(change: Callable[[FloatArray], FloatArray], found: list[str]) -> None:
    findings = check_board(board_of(change(clean_scores()))).findings

    assert [finding.kind for finding in findings] == found
    assert all("b0" in finding.where for finding in findings)


def test_a_zero_of_a_weak_model_is_a_score() -> None:
    assert kinds(board_of(_set(0, 0, 0.0)(clean_scores()))) == []


def test_fractions_among_percentages_are_found() -> None:
    scores = clean_scores() * 100
    scores[:6] /= 100

    assert set(kinds(board_of(scores))) == {"mixed_scale", "scale_proposed"}


def test_a_column_of_fractions_on_a_board_of_percentages_is_asked_about() -> None:
    scores = clean_scores() * 100
    scores[:, 2] /= 100
    found = [f for f in check_board(board_of(scores)).findings if f.kind == "scale_unsure"]

    assert [finding.where for finding in found] == [("b2",)]


def test_an_aggregate_among_its_parts_is_found_by_its_values() -> None:
    scores = clean_scores()
    scores = np.column_stack([scores, scores.mean(axis=1)])
    found = check_board(board_of(scores)).findings

    assert [(f.kind, f.where) for f in found] == [("aggregate", ("b6",))]


def test_an_aggregate_is_found_by_its_name_where_its_values_are_weighted() -> None:
    scores = clean_scores()
    scores = np.column_stack([scores, scores @ np.array([0.3, 0.3, 0.1, 0.1, 0.1, 0.1])])

    assert kinds(board_of(scores)) == []
    assert kinds(board_of(scores, name=[*"abcdef", "Overall"])) == ["aggregate"]


def test_a_category_s_mean_is_found() -> None:
    scores = clean_scores()
    scores = np.column_stack([scores, scores[:, :3].mean(axis=1)])
    found = check_board(board_of(scores, category=["x", "x", "x", "y", "y", "y", "x"])).findings

    assert [(f.kind, f.where) for f in found] == [("aggregate", ("b6",))]


def test_duplicates_are_found_with_their_benchmarks() -> None:
    board = board_of(clean_scores())
    twice = board.cells.head(1).with_columns(score=pl.lit(0.21))

    found = check_board(board_of(clean_scores(), cells=pl.concat([board.cells, twice]))).findings
    assert [(f.kind, f.where) for f in found] == [("duplicate_cells", ("b0",))]


def test_who_has_no_score_is_an_orphan() -> None:
    board = board_of(clean_scores(), models=pl.DataFrame({"key": ["nobody"]}))

    assert [(f.kind, f.where) for f in check_board(board).findings] == [
        ("models_left_out", ("nobody",)),
        ("orphan_model", ("nobody",)),
    ]


def test_names_that_nearly_agree_are_flagged_and_not_merged() -> None:
    models = pl.DataFrame({"key": ["m0", "M_0", "m1"], "name": ["Big Model", "big-model", "Big Model+"]})
    check = check_board(board_of(clean_scores(), models=models))

    assert [f.where for f in check.findings if f.kind == "near_name"] == [("m0", "M_0")]
    assert check.board.models.height == MODELS + 1


def test_a_key_that_only_the_scores_have_is_matched_with_an_orphan() -> None:
    board = board_of(clean_scores(), key=["b0", "b1", "b2", "b3", "b4", "b_5"])
    found = {f.kind: f for f in check_board(board).findings}

    assert found["unknown_key"].where == ("b5",)
    assert "did they mean 'b_5'" in found["unknown_key"].message
    assert found["orphan_benchmark"].where == ("b_5",)


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        ({0: None}, ["text_missing"]),
        ({0: " "}, ["text_missing"]),
        ({0: "Sums."}, ["text_short"]),
        ({0: TEXT.format("botany")}, ["text_copied"]),
        ({0: TEXT.format("version 1"), 1: TEXT.format("version 2")}, ["text_copied"]),
    ],
)
def test_faults_of_texts_are_found(texts: dict[int, str | None], found: list[str]) -> None:
    descriptions = [texts.get(i, TEXT.format(SUBJECTS[i])) for i in range(BENCHMARKS)]

    assert kinds(board_of(clean_scores(), description=descriptions)) == found


def test_blocks_without_a_common_model_and_with_few_are_found() -> None:
    apart = clean_scores()
    apart[:12, 3:] = np.nan
    apart[12:, :3] = np.nan
    linked = np.tile(clean_scores(), (3, 1))
    linked[:36, 3:] = np.nan
    linked[37:, :3] = np.nan

    found = {f.kind: f for f in check_board(board_of(apart), min_observed=3).findings}
    assert set(found["disconnected"].where) in ({"b0", "b1", "b2"}, {"b3", "b4", "b5"})
    weak = {f.kind: f for f in check_board(board_of(linked), min_observed=3).findings}
    assert "1 of 72 models link two blocks" in weak["weak_link"].message


def test_a_board_too_short_to_rank_is_said() -> None:
    assert "too_short" in kinds(board_of(clean_scores()[:1]))
    assert "too_short" in kinds(bob.read_board(pl.DataFrame({"model": ["a"], "x": [0.5]})))


def test_the_gravest_come_first() -> None:
    scores = _set(slice(0, 8), 0, 0.03)(_set(3, 1, -1.0)(clean_scores()))

    assert kinds(board_of(scores, description=["Short."] * 6))[:2] == ["sentinel_value", "text_short"]


def test_the_papers_coverage_table_is_reproduced(shared: Any) -> None:
    import json

    board = bob.read_board(shared / "boards" / "artificial_analysis" / "2026-09-03.json")
    check = check_board(board)
    published = json.loads((shared / "paper" / "published.json").read_text())["aa_coverage"]["rows"]
    ours = {row["benchmark"]: row for row in check.coverage.to_dicts()}

    assert check.kept.scores.shape[0] == 605
    for row in published:
        assert [ours[row["benchmark"]][name] for name in ("observed", "null", "observed_zero")] == [
            row[name] for name in ("observed", "null", "observed_zero")
        ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("helm_all/scores_with_sentinel.csv", {"sentinel_value": 9, "aggregate": 1, "weak_link": 1, "few_models": 1}),
        ("open_asr", {"direction_proposed": 25, "text_missing": 1}),
        ("open_asr/scores.csv", {"direction_proposed": 25, "text_missing": 1}),
        ("open_llm_v1_v2_joined", {"weak_link": 1, "near_name": 31}),
    ],
)
def test_real_boards_have_the_faults_they_are_known_for(shared: Any, name: str, expected: dict[str, int]) -> None:
    found = kinds(bob.read_board(shared / "boards" / name))

    assert {kind: found.count(kind) for kind in expected} == expected
