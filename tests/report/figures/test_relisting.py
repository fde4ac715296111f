from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.relisting import RelistedRanking, draw_relisting, spread_lines
from balance_of_benchmarks.report.figures.theme import Drawn

Render = Callable[[Drawn], tuple[float, float, list[str]]]
EXACT = RelistedRanking("magnitude", (1, 2), (1.0, 1.0), "exact")
OURS = RelistedRanking("inverse density", (1, 2), (0.999, 0.998), "ours")
EQUAL = RelistedRanking("equal weight", (1, 2), (0.98, 0.96), "rival")


def test_every_ranking_has_its_line_points_and_name(
    render: Render, rows_of: Callable[[Drawn, str], list[dict[str, Any]]]
) -> None:
    chart = draw_relisting([EXACT, OURS, EQUAL])

    assert [row["kendall"] for row in rows_of(chart, "kendall")] == [1.0, 1.0, 0.999, 0.998, 0.98, 0.96]
    assert {"magnitude", "inverse density", "equal weight"} <= set(render(chart)[2])
    assert render(chart)[0] <= 560


def test_rankings_differ_in_shape_and_dashes_and_not_only_in_colour() -> None:
    layers = draw_relisting([EXACT, OURS, EQUAL]).to_dict()["layer"]

    assert len({layer["mark"]["shape"] for layer in layers if layer["mark"]["type"] == "point"}) == 3
    assert len({tuple(layer["mark"]["strokeDash"]) for layer in layers if layer["mark"]["type"] == "line"}) == 3


def test_names_of_lines_that_end_together_do_not_lie_on_each_other() -> None:
    layers = draw_relisting([EXACT, OURS, EQUAL]).to_dict()["layer"]
    places = sorted(layer["encoding"]["y"]["value"] for layer in layers if layer["mark"]["type"] == "text")

    assert all(lower - upper >= 14 for upper, lower in pairwise(places))


@given(st.lists(st.floats(0, 300), max_size=8))
def test_spread_lines_keep_their_order_their_distance_and_their_mean(places: list[float]) -> None:
    spread = spread_lines(places, 14.0)
    ordered = sorted(spread)

    assert all(lower - upper >= 14.0 - 0.02 for upper, lower in pairwise(ordered))
    assert [spread[i] for i in sorted(range(len(places)), key=lambda i: (places[i], i))] == ordered
    assert sum(spread) == pytest.approx(sum(places), abs=0.1)


def test_one_point_is_drawn_and_a_point_without_a_number_left_out(render: Render) -> None:
    single = RelistedRanking("equal weight", (4, 8), (0.936, float("nan")))

    assert "equal weight" in render(draw_relisting([single]))[2]


def test_nothing_to_draw_or_data_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ArrayError, match="at least one"):
        draw_relisting([])
    with pytest.raises(ArrayError, match="at least one"):
        draw_relisting([RelistedRanking("a", (1,), (float("nan"),))])
    with pytest.raises(ArrayError, match="as many"):
        draw_relisting([RelistedRanking("a", (1, 2), (1.0,))])
    with pytest.raises(ArrayError, match="ascending"):
        draw_relisting([RelistedRanking("a", (2, 1), (1.0, 1.0))])
    with pytest.raises(ArrayError, match="same label"):
        draw_relisting([EXACT, EXACT])


def test_the_same_data_make_the_same_bytes() -> None:
    assert draw_relisting([OURS, EQUAL]).to_json() == draw_relisting([OURS, EQUAL]).to_json()
