from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from balance_of_benchmarks.report.figures.drawing import Figure, render_drawing, write_figure
from balance_of_benchmarks.report.figures.forest import ForestRow, draw_forest

LETTERED = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="80" font-family="sans-serif">'
    '<text x="5" y="20" font-size="12" fill="#222222">plain θ</text>'
    '<text x="5" y="50" font-size="12" font-weight="bold" fill="none" stroke="white" stroke-width="3">bold ρ</text>'
    '<text x="5" y="50" font-size="12px" font-weight="bold" fill="#222222">bold ρ</text></svg>'
)
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


@pytest.mark.parametrize("kind", ["chart", "drawing"])
def test_the_same_figure_makes_the_same_files_bold_letters_or_not(tmp_path: Path, kind: str) -> None:
    chart = draw_forest([ForestRow("a", 1 / 3, 0.0, 0.7)], axis="difference").properties(title="In bold").to_dict()
    figure = Figure("a", "", chart if kind == "chart" else LETTERED)
    files = [[path.read_bytes() for path in write_figure(figure, tmp_path / str(n))] for n in range(8)]

    assert all(again == files[0] for again in files)
    assert b"bold" in files[0][-3]


def test_a_pdf_keeps_its_letters_and_their_halo() -> None:
    pdf = render_drawing(LETTERED, ".pdf")
    plain = render_drawing(LETTERED.replace("bold", "normal"), ".pdf")

    assert len(set(re.findall(rb"/BaseFont /[\w+-]+", pdf))) == 1
    assert pdf != plain
