from __future__ import annotations

from typing import Any

import altair as alt
import pytest

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.lettering import measure_text
from balance_of_benchmarks.report.figures.marks import LINE, Mark, draw_marks

WIDTH = 250


def spans(marks: list[Mark]) -> list[tuple[float, float, float, float]]:
    """Pixels of each mark's line, from where to where its words go, and how far from the top, the highest first."""
    layers: list[dict[str, Any]] = [layer.to_dict() for layer in draw_marks(marks, alt.X("at:Q"), (0.0, 1.0), WIDTH)]
    found = []
    for rule, words in zip(layers[::2], layers[1::2], strict=True):
        (row,), top = words["datasets"][words["data"]["name"]], words["encoding"]["y"]["value"]
        assert rule["encoding"]["y"]["value"] - top <= 1
        pixel, wide = row["at"] * WIDTH, measure_text(row["words"], words["mark"]["fontSize"])
        left = pixel - 5 - wide if words["mark"]["align"] == "right" else pixel + 5
        found.append((pixel, left, left + wide, top))
    return found


@pytest.mark.parametrize(
    "places",
    [(0.1, 0.2), (0.02, 0.05, 0.7), (0.9, 0.95), (0.4, 0.97), (0.02, 0.98, 0.5), (0.5, 0.5), (0.25, 0.6)],
)
def test_words_stay_on_the_plot_and_no_line_crosses_them(places: tuple[float, ...]) -> None:
    drawn = spans([Mark(at, "true texts 0.475") for at in places])

    assert sorted(top for *_, top in drawn) == [LINE * i for i in range(len(places))]
    for pixel, left, right, top in drawn:
        assert left >= 0
        assert right <= WIDTH
        for other, _, _, higher in drawn:
            assert not (higher < top and left < other < right), (pixel, other)


def test_the_arrangement_does_not_hang_on_the_order_given() -> None:
    marks = [Mark(0.1, "a"), Mark(0.5, "b"), Mark(0.9, "c")]

    assert spans(marks) == spans(marks[::-1])


def test_too_many_marks_are_refused() -> None:
    with pytest.raises(ArrayError, match="at most 5"):
        spans([Mark(i / 10, "a") for i in range(6)])
    assert draw_marks([], alt.X("at:Q"), (0.0, 1.0), WIDTH) == []
