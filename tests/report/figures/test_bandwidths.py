from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.bandwidths import MassAtBandwidth, draw_bandwidths
from balance_of_benchmarks.report.figures.theme import Drawn

CURVE = [MassAtBandwidth(0.05, 14.0), MassAtBandwidth(0.25, 12.5), MassAtBandwidth(1.0, 1.6)]


def draw() -> Drawn:
    return draw_bandwidths(CURVE, listed=14, chosen=CURVE[1], closest=0.326)


def test_curve_number_listed_bandwidth_in_use_and_closest_pair_are_in_it(
    render: Callable[[Drawn], tuple[float, float, list[str]]], rows_of: Callable[[Drawn, str], list[dict[str, Any]]]
) -> None:
    # The curve, and the point in use.
    assert [row["mass"] for row in rows_of(draw(), "multiple")] == [14.0, 12.5, 1.6, 12.5]
    assert {"in use 0.25, W = 12.5", "closest pair 0.33", "all 14"} <= set(render(draw())[2])


def test_both_axes_begin_at_zero() -> None:
    line = draw().to_dict()["layer"][0]["encoding"]

    assert (line["x"]["scale"]["domain"][0], line["y"]["scale"]["domain"][0]) == (0, 0)
    assert line["y"]["scale"]["domain"][1] > 14


def test_one_point_or_a_curve_out_of_order_or_without_numbers_is_refused() -> None:
    with pytest.raises(ArrayError, match="no curve"):
        draw_bandwidths(CURVE[:1], listed=14, chosen=CURVE[1])
    with pytest.raises(ArrayError, match="ascend"):
        draw_bandwidths(CURVE[::-1], listed=14, chosen=CURVE[1])
    with pytest.raises(ArrayError, match="finite"):
        draw_bandwidths(CURVE, listed=14, chosen=MassAtBandwidth(0.25, float("nan")))
    with pytest.raises(ArrayError, match="no place"):
        draw_bandwidths(CURVE, listed=14, chosen=CURVE[1], closest=float("inf"))


def test_the_same_data_make_the_same_bytes() -> None:
    assert draw().to_json() == draw().to_json()
