"""The report of held-out tests, and its chart."""

from __future__ import annotations

import io
import json
import math
from dataclasses import replace

import polars as pl
import pytest
from rich.console import Console

import balance_of_benchmarks as bob
from balance_of_benchmarks.evaluation.advice import Advice
from balance_of_benchmarks.evaluation.methods import METHODS
from balance_of_benchmarks.evaluation.statistics import PairedComparison
from balance_of_benchmarks.report.evaluation import report_evaluation
from balance_of_benchmarks.report.figures.evaluation import draw_tests
from balance_of_benchmarks.report.report import Report, print_report, write_report


@pytest.fixture(scope="module")
def found(fitted: bob.BalanceOfBenchmarks) -> bob.Evaluation:
    return bob.evaluate_board(fitted, methods=["equal_weight", "bob:magnitude"], most_folds=4, model_draws=20)


@pytest.fixture(scope="module")
def report(fitted: bob.BalanceOfBenchmarks, found: bob.Evaluation) -> Report:
    return report_evaluation(fitted, found)


def test_json_has_ours_first_and_the_figures_of_every_fold(report: Report, found: bob.Evaluation) -> None:
    answer = json.loads(write_report(report, "json"))
    ours = answer["methods"][0]

    assert [method["method"] for method in answer["methods"]] == ["bob", "equal_weight", "bob:magnitude"]
    assert len(answer["folds"]) == len(ours["folds"]) == 4
    assert math.isclose(ours["level"], sum(fold["level"] for fold in ours["folds"]) / 4)
    assert [fold["benchmark"] for fold in ours["folds"]] == [fold["benchmark"] for fold in answer["folds"]]
    assert ours["profile"] == pytest.approx(found.verdicts.mean("bob", "profile"))


def test_of_the_default_preset_the_papers_weighting_is_reported_as_ours_is_the_papers(demo: bob.Board) -> None:
    auto = bob.BalanceOfBenchmarks().fit(demo)
    report = report_evaluation(auto, bob.evaluate_board(auto, methods=["equal_weight"], most_folds=2, jobs=1))

    assert auto.space_.rule.name == "magnitude"
    assert report.payload["weighting"] == "inverse_density"
    assert any("'... auto, the default' is what bob rank does" in line for line in report.after)


def test_no_two_methods_look_the_same_in_a_terminal_of_80_columns() -> None:
    longest = len("First principal component")  # what the columns of figures leave at this width

    assert all(len(method.title) <= longest for method in METHODS)
    assert len({method.title for method in METHODS}) == len(METHODS)


def test_where_all_scores_are_equal_nobody_is_called_the_highest(demo: bob.Board) -> None:
    few = demo.benchmarks["key"].to_list()[:4]
    rows = [{"model": f"m{i}", **dict.fromkeys(few, 0.5)} for i in range(12)]
    board = bob.read_board(pl.DataFrame(rows), benchmarks=demo.benchmarks.filter(pl.col("key").is_in(few)))
    model = bob.BalanceOfBenchmarks(min_observed=2).fit(board)
    report = report_evaluation(model, bob.evaluate_board(model, methods=["equal_weight"], jobs=1))

    assert any(line.startswith("profile: no held-out benchmark can tell") for line in report.after)
    assert not any("nan" in line.split() for line in report.after)


def test_each_method_is_tested_by_each_metric_within_its_family(report: Report) -> None:
    tests = json.loads(write_report(report, "json"))["tests"]

    assert {(test["method"], test["family"]) for test in tests} == {
        ("equal_weight", "end_to_end"),
        ("bob:magnitude", "variant"),
    }
    assert {test["metric"] for test in tests} == {"level", "profile", "isotonic", "binned"}


@pytest.mark.parametrize("width", [80, 120])
def test_nothing_printed_is_wider_than_the_terminal(report: Report, width: int) -> None:
    out = io.StringIO()
    print_report(report, Console(file=out, width=width, highlight=False), None)

    assert max(map(len, out.getvalue().splitlines())) <= width
    assert "Equal weight" in out.getvalue()


def test_the_words_below_the_table_agree_with_it(report: Report, found: bob.Evaluation) -> None:
    profile = {id_: found.verdicts.mean(id_, "profile") for id_ in found.verdicts.methods}
    line = next(line for line in report.after if line.startswith("profile: the paper's method"))
    ahead = int(profile["bob"] > profile["equal_weight"])

    assert f"ahead of {ahead} of 1 rivals" in line
    assert line.endswith(f"{max(profile.values()):.3f}")


def test_the_chart_has_a_row_for_each_method_and_metric(found: bob.Evaluation) -> None:
    chart = draw_tests(found).to_dict()
    rows = next(rows for rows in chart["datasets"].values() if "label" in rows[0])

    assert {(row["label"], row["group"]) for row in rows} == {
        (title, metric) for title in ("Equal weight", "... magnitude weights") for metric in ("level", "profile")
    }


def test_the_preset_to_use_is_said_with_its_reason(fitted: bob.BalanceOfBenchmarks, found: bob.Evaluation) -> None:
    lead = {
        metric: PairedComparison(
            "bob", 0.02, 0.01, 0.03, wins=4, folds=4, p_wilcoxon=0.06, p_sign_flip=0.06, p_holm=0.06
        )
        for metric in ("level", "profile")
    }
    behind = replace(lead["level"], against="nearest", difference=-0.1, low=-0.2, high=-0.05, p_holm=1.0)
    advice = Advice("auto", "because", lead, {"level": (behind,), "profile": ()})
    report = report_evaluation(fitted, replace(found, advice=advice))

    assert "use --preset auto: because" in report.after
    assert "auto, level: ahead of 0 of 1 rivals, surely of 0" in report.after
    assert "Nearest benchmark is ahead of auto in level: 0.100 [0.050, 0.200]" in report.after
    assert report.payload["advice"]["against_rivals"]["level"][0]["method"] == "nearest"
    assert report_evaluation(fitted, replace(found, advice=None)).payload["advice"] is None


def test_a_rival_that_is_surely_ahead_is_named(fitted: bob.BalanceOfBenchmarks, found: bob.Evaluation) -> None:
    tests = [
        replace(test, result=replace(test.result, difference=-0.2, low=-0.3, high=-0.1))
        if (test.result.against, test.metric) == ("equal_weight", "profile")
        else test
        for test in found.tests
    ]
    report = report_evaluation(fitted, replace(found, tests=tuple(tests)))

    assert "profile: the paper's method is behind Equal weight, with all of the interval below 0" in report.after
    assert not any(line.startswith("level: the paper's method is behind") for line in report.after)
