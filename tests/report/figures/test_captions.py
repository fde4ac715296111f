from __future__ import annotations

from pathlib import Path

import pytest

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.captions import CAPTIONS, caption_figure
from balance_of_benchmarks.report.figures.drawing import write_figure
from balance_of_benchmarks.report.figures.forest import ForestRow, draw_forest
from balance_of_benchmarks.report.figures.pipeline import draw_pipeline


def test_a_chart_and_a_diagram_get_name_and_caption_and_can_be_written(tmp_path: Path) -> None:
    forest = caption_figure("aggregation_controls", draw_forest([ForestRow("a", 0.1, 0.0, 0.2)], axis="difference"))
    files = [*write_figure(forest, tmp_path), *write_figure(caption_figure("pipeline", draw_pipeline()), tmp_path)]

    assert forest.caption == CAPTIONS["aggregation_controls"]
    assert [path.name for path in files if path.suffix == ".svg"] == ["aggregation_controls.svg", "pipeline.svg"]
    assert len(files) == 7


def test_there_are_the_eight_figures_of_the_paper_and_no_other() -> None:
    assert len(CAPTIONS) == 8
    with pytest.raises(ArrayError, match="did you mean 'teaser'"):
        caption_figure("teasers", "<svg/>")
