from __future__ import annotations

import pytest

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.bars import Bar, draw_bars
from balance_of_benchmarks.report.figures.panels import join_panels


def test_panels_are_lettered_in_rows_and_only_the_whole_carries_the_look() -> None:
    bars = draw_bars([Bar("a", 1.0)], axis="mass", title="what it adds")
    rows = join_panels([bars, draw_bars([Bar("b", 2.0)], axis="mass"), bars]).to_dict()

    assert [[panel["title"]["text"] for panel in row["hconcat"]] for row in rows["vconcat"]] == [
        ["(a) what it adds", "(b)"],
        ["(c) what it adds"],
    ]
    assert all("config" not in panel for row in rows["vconcat"] for panel in row["hconcat"])
    assert "axis" in rows["config"]


def test_panels_joined_stay_as_they_were() -> None:
    bars = draw_bars([Bar("a", 1.0)], axis="mass", title="what it adds")
    before = bars.to_json()
    join_panels([bars, bars])

    assert bars.to_json() == before


def test_one_panel_is_no_figure_of_panels() -> None:
    bars = draw_bars([Bar("a", 1.0)], axis="mass")
    with pytest.raises(ArrayError, match="at least 2"):
        join_panels([bars])
    with pytest.raises(ArrayError, match="columns"):
        join_panels([bars, bars], columns=0)
