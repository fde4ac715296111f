"""lighteval: what a task is called, which entries are averages of others, what the configuration adds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats.lighteval import FORMAT


def run(results: dict[str, Any], **changes: Any) -> dict[str, Any]:
    general = {"model_name": "org/model", "model_sha": "abc", "model_dtype": None, "start_time": 1441827.2}
    return {"config_general": general, "results": results, "versions": {}, **changes}


def write(folder: Path, payload: Any, name: str = "results_2024-04-02T10-38-22.166273.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(payload), encoding="utf-8")
    return path


def scores(board: bob.Board) -> dict[str, float]:
    return dict(board.cells.select("benchmark", "score").iter_rows())


TASKS = {
    "harness|arc:challenge|25": {"acc": 0.4, "acc_stderr": 0.01, "acc_norm": 0.5, "acc_norm_stderr": 0.02},
    "harness|truthfulqa:mc|0": {"mc1": 0.2, "mc2": 0.3},
    "all": {"acc": 0.4, "acc_norm": 0.5},
}


def test_a_task_is_known_by_its_name_and_scored_by_its_preferred_metric(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, run(TASKS)))

    assert scores(board) == {"arc:challenge": 0.5, "truthfulqa:mc": 0.3}
    assert board.cells["standard_error"].to_list() == [0.02, None]
    assert board.models.select("key", "revision").rows() == [("org/model", "abc")]
    assert [note.message for note in board.adjustments] == ["left aside: all, an aggregate of others"]


def test_the_date_is_the_files_since_its_clock_is_no_calendar(tmp_path: Path) -> None:
    assert set(bob.read_board(write(tmp_path, run(TASKS))).cells["date"]) == {"2024-04-02T10:38:22"}
    assert set(bob.read_board(write(tmp_path, run(TASKS), "x.json")).cells["date"]) == {None}


def test_another_metric_is_taken_by_name(tmp_path: Path) -> None:
    path = write(tmp_path, run(TASKS))

    assert scores(bob.read_board(path, metric=["acc", "mc1"])) == {"arc:challenge": 0.4, "truthfulqa:mc": 0.2}
    assert scores(bob.read_board(path, also=["all"]))["all"] == 0.5


def test_an_average_stands_for_its_subtasks(tmp_path: Path) -> None:
    results = {f"leaderboard|mmlu:{name}|5": {"acc": score} for name, score in (("law", 0.2), ("_average", 0.3))}
    path = write(tmp_path, run(results))

    assert scores(bob.read_board(path)) == {"mmlu": 0.3}
    assert scores(bob.read_board(path, also=["mmlu:law"])) == {"mmlu": 0.3, "mmlu:law": 0.2}


def test_subtasks_without_an_average_are_benchmarks(tmp_path: Path) -> None:
    results = {f"harness|hendrycksTest-{name}|5": {"acc": 0.2} for name in ("law", "anatomy")}

    assert scores(bob.read_board(write(tmp_path, run(results)))) == {
        "hendrycksTest-law": 0.2,
        "hendrycksTest-anatomy": 0.2,
    }


def test_the_number_of_shots_joins_the_name_only_to_tell_two_apart(tmp_path: Path) -> None:
    results = {"lighteval|gsm8k|0": {"em": 0.1}, "lighteval|gsm8k|5": {"em": 0.2}, "lighteval|math|4|0": {"em": 0.3}}

    assert scores(bob.read_board(write(tmp_path, run(results)))) == {"gsm8k|0": 0.1, "gsm8k|5": 0.2, "math": 0.3}
    suites = {"helm|boolq|0": {"em": 0.1}, "harness|boolq|0": {"em": 0.2}, "arc|0": {"acc": 0.3}}
    assert scores(bob.read_board(write(tmp_path, run(suites)))) == {
        **{k: v["em"] for k, v in list(suites.items())[:2]},
        "arc": 0.3,
    }


def test_the_tasks_configuration_says_how_many_items_and_which_way(tmp_path: Path) -> None:
    told = {
        "lighteval|gsm8k": {"effective_num_docs": 50, "metric": [{"metric_name": "em", "higher_is_better": True}]},
        "lighteval|wiki|0": {"effective_num_docs": -1, "metrics": [{"metric_name": "ppl", "higher_is_better": False}]},
        "harness|arc:challenge": "LM Harness task",
    }
    results = {
        "lighteval|gsm8k|5": {"em": 0.1},
        "lighteval|wiki|0": {"ppl": 9},
        "harness|arc:challenge|25": {"acc": 0.4},
    }
    board = bob.read_board(write(tmp_path, run(results, config_tasks=told)))

    assert board.cells["n_items"].to_list() == [50, None, None]
    assert board.benchmarks["higher_is_better"].to_list() == [True, False, None]


def test_a_task_fewer_is_a_column_fewer(tmp_path: Path) -> None:
    fewer = {name: values for name, values in TASKS.items() if "truthful" not in name}

    assert scores(bob.read_board(write(tmp_path, run(fewer)))) == {"arc:challenge": 0.5}


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (run({"a|b|0": 0.5}), r"results\.a.b.0"),
        (run(TASKS, config_general={"name": "m"}), r"config_general\.model_name: Field required"),
        (run(TASKS, config_general=None), "config_general"),
    ],
)
def test_a_changed_structural_field_is_named(tmp_path: Path, payload: dict[str, Any], words: str) -> None:
    with pytest.raises(bob.BoardError, match=words):
        bob.read_board(write(tmp_path, payload))


@pytest.mark.parametrize(
    "payload",
    [
        {"results": {"arc": {"acc": 1}}, "versions": {"arc": 1}},
        {"config_general": {}},
        {"config_general": 1, "results": []},
    ],
)
def test_it_refuses_its_neighbours(tmp_path: Path, payload: Any) -> None:
    assert not FORMAT.recognises(open_document(write(tmp_path, payload)))


def test_the_real_sample_reads(shared: Path) -> None:
    board = bob.read_board(shared / "formats" / "lighteval" / "results_CBDDO-LLM-8B.json")

    assert board.sources[0].format == "lighteval"
    assert (board.models.height, board.benchmarks.height, board.cells.height) == (1, 7, 7)
    assert board.models["key"].to_list() == ["aerdincdal/CBDDO-LLM-8B-Instruct-v1"]
    assert scores(board)["hellaswag"] == 0.7633937462656841
