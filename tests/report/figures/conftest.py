from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import vl_convert

from balance_of_benchmarks.report.figures.theme import Drawn


@pytest.fixture(scope="session")
def rendered_width() -> Callable[[str, float, bool], float]:
    """How wide the renderer's own font sets words, found without our table of widths."""

    def measure(words: str, size: float, bold: bool) -> float:
        spec = {
            "data": {"values": [{}]},
            "width": 1,
            "height": 1,
            "padding": 0,
            "mark": {
                "type": "text", "text": words, "align": "left", "font": "sans-serif", "fontSize": size,
                "fontWeight": "bold" if bold else "normal",
            },
            "encoding": {"x": {"value": 0}},
            "config": {"view": {"stroke": None}},
        }  # fmt: skip
        return float(vl_convert.vegalite_to_scenegraph(spec)["width"])

    return measure


@pytest.fixture(scope="session")
def render() -> Callable[[Drawn], tuple[float, float, list[str]]]:
    """Width and height in pixels and the words of a chart as it is rendered."""

    def draw(chart: Drawn) -> tuple[float, float, list[str]]:
        svg = vl_convert.vegalite_to_svg(chart.to_dict())
        size = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg)
        assert size is not None
        words = [re.sub("&amp;", "&", found) for found in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]
        return float(size.group(1)), float(size.group(2)), words

    return draw


@pytest.fixture(scope="session")
def rows_of() -> Callable[[Drawn, str], list[dict[str, Any]]]:
    """Every row of a chart's data that has a field, in the order of its layers."""

    def collect(chart: Drawn, field: str) -> list[dict[str, Any]]:
        drawn = chart.to_dict()
        names = dict.fromkeys(_find_data(drawn))
        return [row for name in names for row in drawn["datasets"][name] if field in row]

    return collect


def _find_data(part: Any) -> Iterator[str]:
    """Names of the data of a chart's parts, the first first."""
    if isinstance(part, dict):
        if isinstance(part.get("data"), dict):
            yield part["data"]["name"]
        for name, inner in part.items():
            if name != "datasets":
                yield from _find_data(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from _find_data(inner)
