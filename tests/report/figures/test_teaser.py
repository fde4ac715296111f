from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.teaser import NearPair, WeightShare, draw_teaser
from balance_of_benchmarks.report.figures.theme import MARK, Drawn

SHARES = [WeightShare("AIME", 0.2, near=True), WeightShare("AIME'25", 0.2, near=True), WeightShare("HLE", 0.6)]
DISTANCES = [0.3, 0.9, 1.0]


def draw() -> Drawn:
    return draw_teaser(DISTANCES, SHARES, median=0.9, pairs=[NearPair("AIME pair", 0.3)])


def test_all_distances_the_pair_the_median_and_the_shares_are_in_it(
    render: Callable[[Drawn], tuple[float, float, list[str]]], rows_of: Callable[[Drawn, str], list[dict[str, Any]]]
) -> None:
    words = render(draw())[2]

    assert {"AIME pair 0.30", "median 0.90", "equal: 1/3", "60.0", "20.0"} <= set(words)
    assert sum(row["count"] for row in rows_of(draw(), "count")) == len(DISTANCES)
    shares = rows_of(draw(), "colour")
    assert [(row["label"], row["value"]) for row in shares] == [("HLE", 60.0), ("AIME", 20.0), ("AIME'25", 20.0)]
    assert [row["colour"] == MARK for row in shares] == [False, True, True]


def test_it_is_narrow_enough_for_the_width_of_a_page(
    render: Callable[[Drawn], tuple[float, float, list[str]]],
) -> None:
    # 640 pixels set on 5.5 inches make letters of 11 pixels 6.8 points high.
    assert render(draw())[0] <= 640


def test_nothing_to_weigh_or_no_distance_is_refused() -> None:
    with pytest.raises(ArrayError, match="share of the weight"):
        draw_teaser(DISTANCES, [], median=0.9)
    with pytest.raises(ArrayError, match="at least one"):
        draw_teaser([float("inf")], SHARES, median=0.9)


def test_the_same_data_make_the_same_bytes() -> None:
    assert draw().to_json() == draw().to_json()
