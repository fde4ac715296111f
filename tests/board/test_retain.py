"""Retaining: what can be ranked, on [0, 1], aligned, and what was left out."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import balance_of_benchmarks as bob


def board_of(columns: dict[str, list[float | None]], **benchmarks: list[object]) -> bob.Board:
    height = len(next(iter(columns.values())))
    wide = pl.DataFrame({"model": [f"m{i}" for i in range(height)], **columns}, strict=False)
    board = bob.read_board(wide)
    return bob.Board(
        cells=board.cells, models=board.models, benchmarks=pl.DataFrame({"key": list(columns), **benchmarks})
    )


def test_models_with_too_few_scores_are_left_out_and_named() -> None:
    kept = board_of({"x": [0.1, 0.2, None], "y": [0.3, None, None]}).retain(min_observed=2)

    assert kept.models["key"].to_list() == ["m0"]
    assert kept.left_out.rows() == [
        ("model", "m1", "1 scores, 2 needed"),
        ("model", "m2", "0 scores, 2 needed"),
    ]
    assert kept.adjustments[-1].where == ("m1", "m2")


def test_rows_and_columns_are_aligned() -> None:
    kept = board_of({"x": [0.1, None, 0.3], "y": [0.4, 0.5, None]}, description=["first", " "]).retain(min_observed=1)

    np.testing.assert_array_equal(kept.scores, [[0.1, 0.4], [np.nan, 0.5], [0.3, np.nan]])
    assert kept.descriptions == ["first", None]
    assert kept.observed.tolist() == [2, 1, 1]
    assert not kept.scores.flags.writeable


def test_a_percentage_column_is_proposed_with_the_line_to_write() -> None:
    kept = board_of({"x": [10.0, 80.0], "y": [0.1, 0.2]}).retain(min_observed=1)

    np.testing.assert_allclose(kept.scores[:, 0], [0.1, 0.8])
    assert [a.kind for a in kept.adjustments] == ["scale_proposed"]
    assert kept.adjustments[0].fix == "in benchmarks.csv: x,0,100,true under key,lower,upper,higher_is_better"


def test_declared_bounds_and_direction_are_used() -> None:
    kept = board_of({"wer": [8.0, 40.0]}, lower=[0.0], upper=[80.0], higher_is_better=[False]).retain(min_observed=1)

    np.testing.assert_allclose(kept.scores[:, 0], [0.9, 0.5])
    assert kept.adjustments == ()


@pytest.mark.parametrize("scores", [[1200.0, 90.0, 400.0], [-3.0, 0.5], [0.5, 101.0]])
def test_a_column_that_has_no_place_on_the_scale_is_left_out_by_name(scores: list[float | None]) -> None:
    kept = board_of({"odd": scores, "fine": [0.5] * len(scores)}).retain(min_observed=1)

    assert kept.benchmarks["key"].to_list() == ["fine"]
    assert kept.left_out.row(0)[:2] == ("benchmark", "odd")
    assert kept.adjustments[0].kind == "benchmark_left_out"


def test_scores_outside_their_declared_bounds_are_not_clipped() -> None:
    kept = board_of({"x": [0.5, 1.2], "y": [0.1, 0.2]}, lower=[0.0, 0.0], upper=[1.0, 1.0]).retain(min_observed=1)

    assert "outside the" in kept.left_out["reason"][0]


def test_a_benchmark_left_without_models_goes_too() -> None:
    kept = board_of({"x": [0.1, 0.2], "y": [0.3, 0.4], "z": [None, None]}).retain(min_observed=2)
    rare = board_of({"x": [0.1, 0.2, None], "y": [0.3, 0.4, None], "rare": [None, None, 0.5]}).retain(min_observed=2)

    assert kept.left_out.rows() == [("benchmark", "z", "no model has a score on it")]
    assert ("benchmark", "rare", "no retained model has a score on it") in rare.left_out.rows()


def test_an_empty_board_is_retained_as_nothing() -> None:
    kept = bob.Board(cells=pl.DataFrame({"model": [], "benchmark": [], "score": []})).retain()

    assert kept.scores.shape == (0, 0)


def test_duplicates_are_averaged_and_reported_or_the_last_taken_or_refused() -> None:
    cells = pl.DataFrame({"model": ["a", "a", "b"], "benchmark": ["x"] * 3, "score": [0.2, 0.4, 0.5]})
    board = bob.Board(cells=cells)

    assert board.retain(1).scores[:, 0].tolist() == pytest.approx([0.3, 0.5])
    assert board.retain(1).adjustments[0].kind == "duplicate_cells"
    assert board.retain(1, duplicates="last").scores[:, 0].tolist() == [0.4, 0.5]
    with pytest.raises(bob.BoardError, match="'a' has several scores on 'x'"):
        board.retain(1, duplicates="error")
    with pytest.raises(bob.ArrayError, match="mean, last, error"):
        board.retain(1, duplicates="first")  # type: ignore[arg-type]


def test_item_counts_come_from_the_cells_where_they_agree() -> None:
    cells = pl.DataFrame(
        {"model": ["a", "b", "a", "b"], "benchmark": ["x", "x", "y", "y"], "score": [0.1] * 4, "n_items": [7, 7, 8, 9]}
    )
    kept = bob.Board(cells=cells).retain(1)

    assert kept.n_items[0] == 7
    assert np.isnan(kept.n_items[1])


def test_lower_is_better_is_understood() -> None:
    board = board_of(
        {"wer": [10.0, 40.0], "x": [1.0, 30.0]}, lower_is_better=["true", None], higher_is_better=[None, True]
    )
    kept = board.retain(1)

    np.testing.assert_allclose(kept.scores, [[0.9, 0.01], [0.6, 0.3]])
    assert "lower better" in kept.adjustments[0].message
    assert "higher better" in kept.adjustments[1].message


def test_a_mean_is_never_rounded_past_its_scores() -> None:
    cells = pl.DataFrame({"model": ["a"] * 3 + ["b"], "benchmark": ["x"] * 4, "score": [0.1, 0.1, 0.1, 0.05]})
    bounds = pl.DataFrame({"key": ["x"], "lower": [0.0], "upper": [0.1]})

    assert bob.Board(cells=cells, benchmarks=bounds).retain(1).scores[0, 0] == 1.0


def test_columns_with_any_name_are_kept() -> None:
    odd = pl.DataFrame({"key": ["x"], "_items": [3], "_values": ["v"]})
    cells = pl.DataFrame({"model": ["a"], "benchmark": ["x"], "score": [0.1], "n_items": [9]})
    kept = bob.Board(cells=cells, benchmarks=odd).retain(1)

    assert kept.benchmarks.select("_items", "_values", "n_items").row(0) == (3, "v", 9)


def test_min_observed_is_at_least_one() -> None:
    with pytest.raises(bob.ArrayError, match="at least 1"):
        board_of({"x": [0.1]}).retain(0)


def test_strict_refuses_to_assume_a_scale_and_says_what_to_declare() -> None:
    columns: dict[str, list[float | None]] = {"x": [10.0, 80.0], "y": [20.0, 30.0]}

    with pytest.raises(bob.BoardError, match=r"strict refuses.*x,0,100,true under key.*; and 1 more"):
        board_of(columns).retain(min_observed=1, strict=True)
    assert board_of(columns, lower=[0, 0], upper=[100, 100]).retain(min_observed=1, strict=True).adjustments == ()


def test_the_papers_snapshot_keeps_605_of_643_rows_with_its_coverage(shared: Path) -> None:
    board = bob.read_board(shared / "boards" / "artificial_analysis" / "2026-09-03.json")
    kept = board.retain()
    published = json.loads((shared / "paper" / "published.json").read_text())["aa_coverage"]["rows"]
    keys = kept.benchmarks["key"].to_list()

    assert board.models.height == 643
    assert kept.scores.shape == (605, 14)
    for row in published:
        column = kept.scores[:, keys.index(row["benchmark"])]
        assert (~np.isnan(column)).sum() == row["observed"]
        assert (column == 0).sum() == row["observed_zero"]
