from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.drawing import render_drawing
from balance_of_benchmarks.report.figures.saturation import SaturatedColumn, count_scores, draw_saturation
from balance_of_benchmarks.report.figures.theme import Drawn

HARD = SaturatedColumn("AIME", (-1.0, 0.0, 1.0, 2.0), (0.0, 0.05, 0.3, 0.96), 1.2, 1.0)
EASY = SaturatedColumn("MATH-500", (-1.0, 0.0, 1.0), (0.5, 0.95, 1.0), 1.2, -1.0)


@given(st.lists(st.floats(0, 1), max_size=50))
def test_bars_at_the_ends_hold_just_the_scores_near_them(scores: list[float]) -> None:
    count = count_scores(scores)

    assert sum(count) == len(scores)
    # Within rounding: a score that is the border up to a billionth is on it.
    assert count[0] == sum(score <= 0.05 + 4e-11 for score in scores)
    assert count[-1] == sum(score >= 0.95 - 4e-11 for score in scores)


def test_shares_near_the_ends_names_scores_and_curves_are_in_it(
    render: Callable[[Drawn], tuple[float, float, list[str]]], rows_of: Callable[[Drawn, str], list[dict[str, Any]]]
) -> None:
    chart = draw_saturation([HARD, EASY])
    width, _, words = render(chart)

    assert {"AIME, 4 models", "MATH-500, 3 models", "50%", "25%", "67%", "0%", "ability θ"} <= set(words)
    assert width <= 640
    points = [(row["ability"], row["score"]) for row in rows_of(chart, "ability")]
    assert {*zip(HARD.ability, HARD.score, strict=True), *zip(EASY.ability, EASY.score, strict=True)} <= set(points)
    # The curves go through 1/2 where ability is difficulty.
    assert {(1.0, 0.5), (-1.0, 0.5)} <= set(points)


def test_other_than_two_columns_or_one_that_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(ArrayError, match="expected 2"):
        draw_saturation([HARD])
    with pytest.raises(ArrayError, match="at least one"):
        draw_saturation([HARD, replace(EASY, ability=(), score=())])
    with pytest.raises(ArrayError, match="as many"):
        draw_saturation([HARD, replace(EASY, ability=(0.0,))])
    with pytest.raises(ArrayError, match="outside"):
        draw_saturation([HARD, replace(EASY, score=(0.5, 95.0, 1.0))])
    with pytest.raises(ArrayError, match="no curve"):
        draw_saturation([HARD, replace(EASY, difficulty=float("nan"))])


def test_one_score_each_is_enough(render: Callable[[Drawn], tuple[float, float, list[str]]]) -> None:
    single = [replace(column, ability=column.ability[:1], score=column.score[:1]) for column in (HARD, EASY)]

    assert "AIME, 1 models" not in render(draw_saturation(single))[2]
    assert "AIME, 1 model" in render(draw_saturation(single))[2]


def test_the_same_data_make_the_same_bytes() -> None:
    drawn = draw_saturation([HARD, EASY])

    assert drawn.to_json() == draw_saturation([HARD, EASY]).to_json()
    assert len({render_drawing(drawn.to_dict(), ".pdf") for _ in range(5)}) == 1
