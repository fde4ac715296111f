from __future__ import annotations

import pytest

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.forest import ForestRow, draw_forest

NAN = float("nan")


def values(rows: list[ForestRow]) -> list[dict[str, object]]:
    chart = draw_forest(rows, axis="difference").to_dict()
    return list(chart["datasets"][chart["layer"][1]["data"]["name"]])


def test_a_row_says_its_mean_and_interval_in_words() -> None:
    row = values([ForestRow("nearest", 0.125, 0.055, 0.2114)])[0]

    assert (row["mean"], row["words"]) == (0.125, "+0.125 [+0.055, +0.211]")


def test_rows_without_an_interval_are_left_out_and_none_at_all_is_refused() -> None:
    assert [row["label"] for row in values([ForestRow("a", 0.1, NAN, NAN), ForestRow("b", 0.1, 0.0, 0.2)])] == ["b"]
    with pytest.raises(ArrayError, match="at least one"):
        draw_forest([ForestRow("a", NAN, 0.0, 1.0)], axis="difference")


def test_rows_of_one_label_stand_together_by_group() -> None:
    rows = [ForestRow("a", 0.1, 0.0, 0.2, "profile"), ForestRow("a", 0.2, 0.1, 0.3, "isotonic")]
    drawn = draw_forest(rows, axis="difference").to_dict()

    assert drawn["layer"][1]["encoding"]["y"]["sort"] == ["a"]
    assert drawn["layer"][1]["encoding"]["color"]["scale"]["domain"] == ["profile", "isotonic"]


def test_the_same_rows_make_the_same_bytes() -> None:
    rows = [ForestRow("a", 1 / 3, 0.1, 0.7)]

    assert draw_forest(rows, axis="x").to_json() == draw_forest(rows, axis="x").to_json()
