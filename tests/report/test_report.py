"""Reports: whole and clean for machines, short for people."""

from __future__ import annotations

import io
import json
import math
from datetime import date

import polars as pl
import pytest
from rich.console import Console

import balance_of_benchmarks as bob
from balance_of_benchmarks.report.method import report_curves, report_ranking, report_weights
from balance_of_benchmarks.report.report import Report, clean, print_report, write_report


def show(report: Report, width: int, top: int | None = None) -> list[str]:
    out = io.StringIO()
    print_report(report, Console(file=out, width=width, highlight=False), top)
    return out.getvalue().splitlines()


@pytest.fixture(scope="module")
def reports(fitted: bob.BalanceOfBenchmarks) -> dict[str, Report]:
    return {
        "rank": report_ranking(fitted, fitted.ranking()),
        "task": report_ranking(fitted, fitted.rank_for("coach students for maths olympiads")),
        "abstained": report_ranking(fitted, fitted.rank_for("kittens sleeping in the sun")),
        "bootstrap": report_ranking(fitted, fitted.ranking(draws=40)),
        "weights": report_weights(fitted),
        "curves": report_curves(fitted),
    }


@pytest.mark.parametrize("name", ["rank", "task", "abstained", "bootstrap", "weights", "curves"])
@pytest.mark.parametrize("width", [60, 80, 120])
def test_nothing_printed_is_wider_than_the_terminal_or_cut_but_names(
    reports: dict[str, Report], name: str, width: int
) -> None:
    lines = show(reports[name], width, top=12)

    assert max(map(len, lines)) <= width
    header = next(line for line in lines if line.split()[:1] in (["rank"], ["benchmark"]))
    assert header.split()[-1] in ("scores", "mass", "models")


def test_a_terminal_shows_the_top_and_says_how_many_more(reports: dict[str, Report]) -> None:
    lines = show(reports["rank"], 80, top=3)

    assert "... and 602 more" in lines
    assert any("simulated" in line for line in lines)


def test_json_is_whole_and_has_keys_not_names(reports: dict[str, Report]) -> None:
    answer = json.loads(write_report(reports["rank"], "json"))

    assert len(answer["models"]) == 605
    assert answer["task"] is None
    assert answer["board"] == "demo (simulated)"
    assert all(model["model"] == model["model"].lower() for model in answer["models"])
    assert [model["rank"] for model in answer["models"]] == list(range(1, 606))


def test_a_tasks_json_says_what_it_rests_on(reports: dict[str, Report]) -> None:
    task = json.loads(write_report(reports["task"], "json"))["task"]
    abstained = json.loads(write_report(reports["abstained"], "json"))["task"]

    assert set(task) == {
        *("text", "parts", "support", "abstained", "nearest", "median_distance", "threshold", "bandwidth"),
        *("process", "why", "category"),
    }
    assert task["nearest"][0].keys() == {"benchmark", "distance"}
    assert (task["abstained"], abstained["abstained"], abstained["support"]) == (False, True, 0.0)


def test_a_kriged_tasks_json_says_what_process_it_rests_on(demo: bob.Board) -> None:
    model = bob.BalanceOfBenchmarks().fit(demo)
    report = report_ranking(model, model.rank_for("coach students for maths olympiads", category="mathematics"))
    answer = json.loads(write_report(report, "json"))
    task = answer["task"]

    assert answer["preset"] == "auto"
    assert task["category"] == "mathematics"
    assert any("Task (mathematics): coach" in line for line in show(report, 200, top=1))

    assert task["bandwidth"] is None
    assert set(task["process"]) == {
        *("variance", "noise", "size", "rank_share", "by_category", "alone", "held_out", "why"),
    }
    assert 0 < task["process"]["by_category"] <= 0.5
    assert task["process"]["held_out"] == 14
    assert task["process"]["variance"] + task["process"]["noise"] == pytest.approx(1.0)
    assert any("kriging" in line and "bandwidth" not in line for line in show(report, 200, top=1))


def test_weights_json_has_the_documented_keys(reports: dict[str, Report]) -> None:
    answer = json.loads(write_report(reports["weights"], "json"))

    assert sum(row["weight"] for row in answer["benchmarks"]) == pytest.approx(1.0)
    assert answer["benchmarks"][0].keys() >= {"benchmark", "weight", "density", "mass"}
    assert answer["closest"][0].keys() == {"a", "b", "distance"}
    assert answer.keys() >= {"effective_mass", "median_distance", "bandwidth"}


def test_a_board_without_texts_has_weights_and_no_distances(demo: bob.Board) -> None:
    report = report_weights(bob.BalanceOfBenchmarks().fit(bob.Board(demo.cells)))
    answer = json.loads(write_report(report, "json"))

    assert answer["median_distance"] is answer["bandwidth"] is None
    assert answer["adjustments"][0]["kind"] == "text_missing"  # the reason
    assert [row["weight"] for row in answer["benchmarks"]] == pytest.approx([1 / 14] * 14, abs=1e-15)
    assert "no benchmark has a description, so there are no distances" in show(report, 120)[2]


def test_curves_json_has_the_documented_keys(reports: dict[str, Report]) -> None:
    rows = json.loads(write_report(reports["curves"], "json"))["benchmarks"]

    assert rows[0].keys() >= {
        *("benchmark", "discrimination", "difficulty", "residual_scale", "r_squared", "information", "observed"),
    }


@pytest.mark.parametrize("form", ["json", "csv", "md"])
@pytest.mark.parametrize("name", ["rank", "task", "weights", "curves"])
def test_machine_formats_are_whole(reports: dict[str, Report], name: str, form: str) -> None:
    text = write_report(reports[name], form)  # type: ignore[arg-type]

    assert text.endswith("\n")
    if form == "csv":
        assert pl.read_csv(text.encode()).height == reports[name].frame.height
    if form == "md":
        assert text.count("\n| ") == reports[name].frame.height + 2  # the header and the line below it


def test_json_knows_neither_nan_nor_infinity() -> None:
    dirty = {"a": math.nan, "b": [math.inf, (1, -math.inf)], "c": date(2026, 9, 3), "d": True, "e": None}

    assert clean(dirty) == {"a": None, "b": [None, [1, None]], "c": "2026-09-03", "d": True, "e": None}


def test_markdown_cells_cannot_break_the_table() -> None:
    report = Report({}, pl.DataFrame({"name": ["a|b\nc"], "x": [None]}), "Title", ())

    assert write_report(report, "md").splitlines()[-1] == "| a\\|b c |  |"
