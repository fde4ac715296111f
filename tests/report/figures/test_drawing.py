from __future__ import annotations

import json
from pathlib import Path

from balance_of_benchmarks.report.figures.drawing import Figure, write_figure
from balance_of_benchmarks.report.figures.forest import ForestRow, draw_forest

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="red"/></svg>'


def test_a_chart_becomes_its_specification_and_three_pictures(tmp_path: Path) -> None:
    chart = draw_forest([ForestRow("a", 0.1, 0.0, 0.2)], axis="difference").to_dict()
    files = write_figure(Figure("forest", "", chart), tmp_path / "new")

    assert [path.name for path in files] == ["forest.vl.json", "forest.svg", "forest.pdf", "forest.png"]
    assert json.loads(files[0].read_text()) == chart
    assert [path.read_bytes()[:4] for path in files[1:]] == [b"<svg", b"%PDF", b"\x89PNG"]


def test_a_drawing_is_written_as_it_is_and_as_two_pictures(tmp_path: Path) -> None:
    files = write_figure(Figure("flow", "", SVG), tmp_path)

    assert files[0].read_text() == SVG
    assert [path.read_bytes()[:4] for path in files[1:]] == [b"%PDF", b"\x89PNG"]


def test_the_same_chart_makes_the_same_pictures(tmp_path: Path) -> None:
    chart = draw_forest([ForestRow("a", 1 / 3, 0.0, 0.7)], axis="difference").to_dict()
    once = [path.read_bytes() for path in write_figure(Figure("a", "", chart), tmp_path / "1")]
    again = [path.read_bytes() for path in write_figure(Figure("a", "", chart), tmp_path / "2")]

    assert once[:2] == again[:2]
    assert once[3] == again[3]
