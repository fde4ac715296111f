"""Inspect logs: packed and whole, finished and not, limited, of several scorers."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats.inspect_ai import FORMAT


def score(name: str, **metrics: float) -> dict[str, Any]:
    return {"name": name, "scorer": name, "metrics": {key: {"name": key, "value": v} for key, v in metrics.items()}}


def log(*scores: dict[str, Any], **changes: Any) -> dict[str, Any]:
    found = scores or (score("match", accuracy=0.25, stderr=0.125),)
    run = {
        "task": "pack/quiz",
        "model": "host/model-x",
        "created": "2026-01-02T03:04:05+00:00",
        "dataset": {"name": "quiz", "samples": 400},
        "config": {"limit": 10, "epochs": 2},
    }
    results = {"total_samples": 20, "completed_samples": 20, "scores": list(found)}
    return {
        "version": 2,
        "status": "success",
        "eval": {**run, **changes.pop("eval", {})},
        "results": results,
        **changes,
    }


def write(folder: Path, payload: Any, name: str = "log.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(payload), encoding="utf-8")
    return path


def pack(folder: Path, **members: Any) -> Path:
    path = folder / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, payload in members.items():
            archive.writestr(name, payload if isinstance(payload, str) else json.dumps(payload))
    return path


def test_a_log_says_model_task_score_and_what_was_run(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, log()))

    # 20 completed in 2 epochs are 10 samples, of a dataset of 400.
    assert board.cells.rows() == [("host/model-x", "quiz", 0.25, 0.125, 10, "pack/quiz", "2026-01-02T03:04:05+00:00")]
    assert board.benchmarks.select("key", "name", "n_items", "metric", "lower", "upper").rows() == [
        ("quiz", "pack/quiz", 400, "match/accuracy", 0.0, 1.0)
    ]


def test_a_packed_log_is_the_same_and_only_its_header_is_read(tmp_path: Path) -> None:
    packed = pack(tmp_path, **{"header.json": log(), "samples/1_epoch_1.json": "{not read", "summaries.json": "["})

    assert bob.read_board(packed).cells.rows() == bob.read_board(write(tmp_path, log())).cells.rows()


@pytest.mark.parametrize(
    ("scores", "metric", "value", "error"),
    [
        ([score("a", std=0.3, mean=0.5, stderr=0.1), score("b", accuracy=0.75, stderr=0.2)], "b/accuracy", 0.75, 0.2),
        ([score("a", f1=0.5, stderr=0.1), score("b", mean=0.25)], "b/mean", 0.25, None),
        ([score("a", f1=0.5, stderr=0.1), score("b", em=0.25)], "a/f1", 0.5, None),
    ],
)
def test_accuracy_comes_before_a_mean_before_what_is_first(
    tmp_path: Path, scores: list[Any], metric: str, value: float, error: float | None
) -> None:
    board = bob.read_board(write(tmp_path, log(*scores)))

    assert board.cells.select("score", "standard_error").rows() == [(value, error)]
    assert board.benchmarks["metric"].to_list() == [metric]


def test_another_scorer_is_taken_by_name(tmp_path: Path) -> None:
    path = write(tmp_path, log(score("a", accuracy=0.5), score("b", accuracy=0.75)))

    assert bob.read_board(path).cells["score"].to_list() == [0.5]
    assert bob.read_board(path, metric="b/accuracy").cells["score"].to_list() == [0.75]
    with pytest.raises(bob.BoardError, match="did you mean 'a/accuracy'"):
        bob.read_board(path, metric="a/acuracy")


def test_what_the_task_was_called_with_stands_beside_the_score(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, log(eval={"task_args_passed": {"subset": "hard", "shots": 5}})))

    assert board.cells["source"].to_list() == ["pack/quiz(subset=hard, shots=5)"]


def test_samples_a_scorer_counts_are_preferred(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, log({**score("a", accuracy=0.5), "scored_samples": 8})))

    assert board.cells["n_items"].to_list() == [8]


def test_a_cancelled_log_with_scores_is_taken_and_said(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, log(status="cancelled")))

    assert board.cells.height == 1
    assert [(note.kind, note.where) for note in board.adjustments] == [("run_incomplete", ("host/model-x",))]
    assert "the status 'cancelled'" in board.adjustments[0].message


@pytest.mark.parametrize("status", ["started", "error", "success"])
def test_a_log_without_scores_is_no_board_but_no_harm_among_others(tmp_path: Path, status: str) -> None:
    empty = write(tmp_path, log(status=status, results=None), "empty.json")
    whole = write(tmp_path, log())

    with pytest.raises(bob.BoardError, match=f"has no scores; its status is '{status}'"):
        bob.read_board(empty)
    board = bob.read_board([empty, whole])
    assert board.cells.height == 1
    assert [note.kind for note in board.adjustments] == ["run_incomplete"]


def test_a_packed_log_that_was_never_finished_is_said(tmp_path: Path) -> None:
    start = {name: value for name, value in log().items() if name != "results"}

    with pytest.raises(bob.BoardError, match="host/model-x on pack/quiz, was not finished"):
        bob.read_board(pack(tmp_path, **{"_journal/start.json": start}))


def test_a_log_packed_once_more_reads(tmp_path: Path) -> None:
    path = pack(tmp_path, **{"header.json": log()})
    again = tmp_path / "log.eval.gz"
    again.write_bytes(gzip.compress(path.read_bytes()))

    assert bob.read_board(again).cells.equals(bob.read_board(path).cells)


def test_a_packed_header_that_is_cut_or_damaged_is_said(tmp_path: Path) -> None:
    with pytest.raises(bob.BoardError, match=r"header\.json in .*log\.eval is not JSON"):
        bob.read_board(pack(tmp_path, **{"header.json": '{"version": 2, "status"'}))
    path = pack(tmp_path, **{"header.json": log()})
    content = path.read_bytes()
    path.write_bytes(content.replace(content[60:90], bytes(30)))
    with pytest.raises(bob.BoardError, match=r"header\.json in .*log\.eval cannot be unpacked"):
        bob.read_board(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"eval": {"model": None}}, r"eval\.model"),
        ({"results": {"score": []}}, r"results\.scores: Field required"),
        ({"results": {"scores": [{"name": "a", "metrics": {"accuracy": {"value": "half"}}}]}}, r"value.* got 'half'"),
    ],
)
def test_a_changed_field_is_named(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    with pytest.raises(bob.BoardError, match=words):
        bob.read_board(write(tmp_path, log(**change)))


@pytest.mark.parametrize(
    "payload",
    [
        {"results": {"arc": {"acc": 0.5}}, "versions": {}},
        {"schema_version": "0.2.0", "evaluation_id": "x", "evaluation_results": []},
        {"status": 200, "data": [{"evaluations": {}}]},
        [log()],
    ],
)
def test_other_shapes_are_not_taken_for_it(tmp_path: Path, payload: Any) -> None:
    assert not FORMAT.recognises(open_document(write(tmp_path, payload)))


def test_a_zip_of_something_else_is_not_taken_for_it(tmp_path: Path) -> None:
    assert not FORMAT.recognises(open_document(pack(tmp_path, **{"results.json": {}})))


@pytest.mark.parametrize(
    ("name", "model", "benchmark", "value", "items"),
    [
        ("data_arc_qwen.json", "ollama/qwen2.5:0.5b", "arc_easy", 1 / 3, 3),
        ("data_pubmedqa_gpt4o_mini.json", "openai/azure/gpt-4o-mini", "pubmedqa", 1.0, 2),
        ("log_formats.json", "ollama/llama3.1", "popularity", 0.0, 1),
        ("log_formats.eval", "ollama/llama3.1", "popularity", 0.0, 1),
        ("mmlu-summary-choices.eval", "openai/gpt-4o", "mmlu_0_shot", 0.0, 1),
        ("no-samples.json", "openai/gpt-4o-mini", "testtaskname", 2 / 3, 3),
    ],
)
def test_real_logs_read(shared: Path, name: str, model: str, benchmark: str, value: float, items: int) -> None:
    board = bob.read_board(shared / "formats" / "inspect_ai" / name)

    assert board.cells.select("model", "benchmark", "score", "n_items").rows() == [
        (model, benchmark, pytest.approx(value), items)
    ]
