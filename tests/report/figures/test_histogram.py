from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.histogram import choose_unit, draw_histogram
from balance_of_benchmarks.report.figures.marks import Mark
from balance_of_benchmarks.report.figures.theme import Drawn

NAN, INF = float("nan"), float("inf")


def bins(values: list[float], marks: tuple[Mark, ...] = ()) -> list[dict[str, Any]]:
    datasets = draw_histogram(values, axis="x", counted="draws", marks=marks).to_dict()["datasets"]
    return [row for rows in datasets.values() for row in rows if "count" in row]


@settings(max_examples=80, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60))
def test_every_value_is_counted_once(values: list[float]) -> None:
    assert sum(row["count"] for row in bins(values)) == len(values)


@given(st.floats(1e-6, 1e6), st.integers(1, 30))
def test_no_more_parts_than_asked_and_a_round_length(length: float, parts: int) -> None:
    unit = choose_unit(length, parts)

    assert length / unit <= parts * (1 + 1e-5)
    assert f"{unit:e}"[:3] in {"1.0", "2.0", "2.5", "5.0"}


def test_values_without_a_number_are_left_out_and_none_at_all_is_refused() -> None:
    assert [row["count"] for row in bins([0.1, 0.1, NAN, INF])] == [2]
    with pytest.raises(ArrayError, match="at least one"):
        bins([INF])
    with pytest.raises(ArrayError, match="no place"):
        bins([0.1], (Mark(NAN, "observed"),))


def test_a_mark_outside_the_bars_widens_the_axis_and_its_words_stand_above_them(
    render: Callable[[Drawn], tuple[float, float, list[str]]],
) -> None:
    chart = draw_histogram([0.3, 0.31, 0.35], axis="profile", counted="draws", marks=[Mark(0.6, "observed 0.600")])
    drawn = chart.to_dict()
    low, high = drawn["layer"][0]["encoding"]["x"]["scale"]["domain"]
    tallest = max(row["count"] for row in bins([0.3, 0.31, 0.35]))

    assert low < 0.3
    assert high > 0.6
    assert drawn["layer"][0]["encoding"]["y"]["scale"]["domain"][1] > tallest
    assert {"observed 0.600", "profile", "draws"} <= set(render(chart)[2])


def test_the_same_values_make_the_same_bytes() -> None:
    values, marks = [1 / 3, 0.2, 0.7], [Mark(0.5, "a"), Mark(0.5, "b")]
    once, again = (draw_histogram(values, axis="x", counted="n", marks=marks).to_json() for _ in range(2))

    assert once == again
