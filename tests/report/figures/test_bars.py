from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.bars import Bar, draw_bars, measure_bars
from balance_of_benchmarks.report.figures.theme import MARK, OURS, Drawn

NAN = float("nan")
Render = Callable[[Drawn], tuple[float, float, list[str]]]
Rows = Callable[[Drawn, str], list[dict[str, Any]]]


def test_bars_keep_their_order_and_say_their_numbers(render: Render, rows_of: Rows) -> None:
    chart = draw_bars([Bar("b", 0.5), Bar("a", 1.0, marked=True)], axis="mass", reference=1.0, reference_label="all: 1")
    rows = rows_of(chart, "label")
    words = render(chart)[2]

    assert [(row["label"], row["words"], row["colour"]) for row in rows] == [("b", "0.50", OURS), ("a", "1.00", MARK)]
    assert {"a", "b", "mass", "all: 1", "0.50", "1.00"} <= set(words)
    assert chart.to_dict()["layer"][0]["encoding"]["y"]["sort"] == ["b", "a"]


def test_bars_begin_at_zero_whatever_their_sign() -> None:
    def domain(*values: float) -> list[float]:
        chart = draw_bars([Bar(str(i), value) for i, value in enumerate(values)], axis="mass")
        return list(chart.to_dict()["layer"][0]["encoding"]["x"]["scale"]["domain"])

    assert domain(0.4, 0.9) == [0.0, 0.9]
    assert domain(-0.1, 0.9) == [-0.1, 0.9]
    assert domain(0.0) == [0.0, 1.0]


def test_one_bar_is_enough_and_none_or_a_repeated_label_is_refused(render: Render) -> None:
    assert "1.00" in render(draw_bars([Bar("a", 1.0), Bar("b", NAN)], axis="mass"))[2]
    with pytest.raises(ArrayError, match="at least one"):
        draw_bars([Bar("a", NAN)], axis="mass")
    with pytest.raises(ArrayError, match="same label"):
        draw_bars([Bar("a", 1.0), Bar("a", 2.0)], axis="mass")


def test_height_follows_the_number_of_bars() -> None:
    few, many = (draw_bars([Bar(str(i), 1.0) for i in range(n)], axis="mass").to_dict()["height"] for n in (2, 20))

    assert (few, many) == (measure_bars(2), measure_bars(20))
    assert many > few
