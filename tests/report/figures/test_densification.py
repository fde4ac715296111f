from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.evaluation.densification import densify
from balance_of_benchmarks.geometry.space import measure_space
from balance_of_benchmarks.report.figures.densification import AddedMass, ListedMass, PlacedPair, draw_densification
from balance_of_benchmarks.report.figures.theme import Drawn

Render = Callable[[Drawn], tuple[float, float, list[str]]]
Rows = Callable[[Drawn, str], list[dict[str, Any]]]
CURVE = [AddedMass(0.0, -0.02, 0.03, 0.0), AddedMass(0.5, 0.8, 0.05, 0.82), AddedMass(1.0, 1.0, 0.0, 1.0)]
LISTED = [ListedMass("HLE", 1.0), ListedMass("AIME", 0.4, near=True)]
PAIRS = [PlacedPair("AIME pair", 0.3, 0.5), PlacedPair("Terminal-Bench pair", 0.95, 0.9)]


def test_curve_band_closed_form_pairs_and_bars_are_in_it(render: Render, rows_of: Rows) -> None:
    chart = draw_densification(CURVE, LISTED, pairs=PAIRS, placements=168)
    words = render(chart)[2]

    assert rows_of(chart, "isolated")[0] == {
        "distance": 0.0,
        "mean": -0.02,
        "low": -0.05,
        "high": 0.01,
        "isolated": 0.0,
    }
    assert {"AIME pair", "Terminal-Bench pair", "mean ± SD of 168 placements", "1.00", "0.40"} <= set(words)


def test_words_of_a_pair_far_right_turn_left_so_that_they_stay_on_the_plot() -> None:
    marks = [
        layer["mark"]
        for layer in draw_densification(CURVE, LISTED, pairs=PAIRS).to_dict()["vconcat"][0]["hconcat"][0]["layer"]
        if layer["mark"]["type"] == "text" and layer["mark"]["color"] != "#6b6b6b"
    ]

    assert [mark["align"] for mark in marks] == ["right", "left"]


def test_results_of_the_evaluation_go_in_as_they_are(render: Render) -> None:
    space = measure_space(np.eye(3))
    found = densify(space, np.linspace(0.0, 1.5, 4), directions=2, rng=np.random.default_rng(0))
    curve = [AddedMass(*row) for row in zip(found.distance, found.mean, found.deviation, found.isolated, strict=True)]
    listed = [ListedMass(label, mass) for label, mass in zip("abc", space.masses, strict=True)]

    assert render(draw_densification(curve, listed))[0] <= 660


def test_one_point_or_a_curve_out_of_order_or_without_numbers_is_refused() -> None:
    with pytest.raises(ArrayError, match="no curve"):
        draw_densification(CURVE[:1], LISTED)
    with pytest.raises(ArrayError, match="ascend"):
        draw_densification(CURVE[::-1], LISTED)
    with pytest.raises(ArrayError, match="finite"):
        draw_densification([CURVE[0], replace(CURVE[1], mean=float("nan"))], LISTED)
    with pytest.raises(ArrayError, match="at least one"):
        draw_densification(CURVE, [])


def test_the_same_data_make_the_same_bytes() -> None:
    assert draw_densification(CURVE, LISTED, pairs=PAIRS).to_json() == (
        draw_densification(CURVE, LISTED, pairs=PAIRS).to_json()
    )
