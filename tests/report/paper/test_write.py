"""The redone paper as a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from balance_of_benchmarks.paper.comparison import Comparison
from balance_of_benchmarks.paper.published import read_published
from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.paper.tables import TABLES
from balance_of_benchmarks.report.figures.captions import CAPTIONS
from balance_of_benchmarks.report.paper.overview import report_comparison
from balance_of_benchmarks.report.paper.write import compare_paper, write_paper
from balance_of_benchmarks.report.report import write_report

DIAGRAMS = {"pipeline", "factors"}


@pytest.fixture(scope="module")
def comparisons(redone: Redone) -> tuple[Comparison, ...]:
    return compare_paper(redone)


@pytest.fixture(scope="module")
def folder(redone: Redone, comparisons: tuple[Comparison, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("paper") / "out"
    write_paper(redone, comparisons, folder)
    return folder


def test_all_tables_and_figures_are_there_in_every_form(folder: Path) -> None:
    tables = {path.name for path in (folder / "tables").iterdir()}
    figures = {path.name for path in (folder / "figures").iterdir()}

    assert tables == {f"{name}{end}" for name in (*TABLES, "touchpoints") for end in (".csv", ".md", ".tex")}
    assert figures == {f"{name}{end}" for name in CAPTIONS for end in (".svg", ".pdf", ".png")} | {
        f"{name}.vl.json" for name in CAPTIONS if name not in DIAGRAMS
    }
    assert len(CAPTIONS) == 8


def test_the_comparison_has_a_row_for_every_number(folder: Path, comparisons: tuple[Comparison, ...]) -> None:
    answer: dict[str, Any] = json.loads((folder / "comparison.json").read_text(), parse_constant=pytest.fail)
    page = (folder / "comparison.md").read_text()

    assert len(answer["numbers"]) == len(read_published()) == sum(answer["verdicts"].values())
    assert all(
        (number["reason"] is not None) == (number["verdict"] in ("differs", "not_redone"))
        for number in answer["numbers"]
    )
    assert sum(line.startswith("| ") for line in page.splitlines()) == len(comparisons) + 2 * 50
    assert {row["weighting"] for row in answer["relisting"]} == {"equal_z", "inverse_density", "magnitude"}


def test_the_summary_says_what_it_rests_on_and_its_links_lead_somewhere(folder: Path) -> None:
    summary = (folder / "README.md").read_text()

    assert "simulated" in summary
    assert "quick run" in summary
    assert "our own descriptions" in summary
    for target in {part.split(")")[0] for part in summary.split("](")[1:]}:
        assert (folder / target).is_file(), target


def test_the_same_results_make_the_same_bytes(
    redone: Redone, comparisons: tuple[Comparison, ...], folder: Path, tmp_path: Path
) -> None:
    for path in write_paper(redone, comparisons, tmp_path):
        assert path.read_bytes() == (folder / path.relative_to(tmp_path)).read_bytes(), path.name


def test_the_overview_adds_up(redone: Redone, comparisons: tuple[Comparison, ...]) -> None:
    report = report_comparison(redone, comparisons)
    frame = report.frame

    assert frame["numbers"].sum() == len(comparisons)
    assert (frame["same"] + frame["within"] + frame["differs"] + frame["not_redone"]).to_list() == frame[
        "numbers"
    ].to_list()
    assert json.loads(write_report(report, "json"))["quick"] is True
