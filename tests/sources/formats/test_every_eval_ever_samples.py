"""every_eval_ever samples: means over them, read line by line, and what becomes of them beside their record."""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats import every_eval_ever
from balance_of_benchmarks.sources.formats.every_eval_ever_samples import FORMAT


def sample(number: int, score: Any, **changes: Any) -> dict[str, Any]:
    return {
        "schema_version": "0.3.0",
        "evaluation_id": "quiz/maker_x/1",
        "model_id": "maker/x",
        "evaluation_name": "quiz",
        "sample_id": f"s{number}",
        "interaction_type": "single_turn",
        "evaluation": {"score": score, "is_correct": True},
        **changes,
    }


def write(folder: Path, *rows: dict[str, Any], name: str = "x_samples.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_a_model_scores_the_mean_over_samples(tmp_path: Path) -> None:
    rows = [sample(n, score) for n, score in enumerate([1.0, 0.0, 1.0, 1.0])]
    board = bob.read_board(write(tmp_path, *rows, sample(0, 0.5, model_id="maker/y")))

    variance = (3 * (1 / 4) ** 2 + (3 / 4) ** 2) / 3
    assert board.cells.select("model", "benchmark", "score", "standard_error", "n_items").rows() == [
        ("maker/x", "quiz", 0.75, pytest.approx(sqrt(variance / 4)), 4),
        ("maker/y", "quiz", 0.5, None, 1),
    ]
    assert bob.read_board(write(tmp_path, *rows[:3])).cells.select("score", "n_items").rows() == [(2 / 3, 3)]


def test_a_sample_tried_often_counts_once(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, sample(1, 1.0), sample(1, 0.0), sample(1, 0.5), sample(2, 0.0)))

    assert board.cells.select("score", "n_items").rows() == [(0.25, 2)]


@pytest.mark.parametrize("score", [None, float("nan"), "NaN", float("inf")])
def test_samples_without_a_score_are_counted_out_loud(tmp_path: Path, score: Any) -> None:
    board = bob.read_board(write(tmp_path, sample(1, score), sample(2, 1.0)))

    assert board.cells.select("score", "n_items").rows() == [(1.0, 1)]
    assert [(note.kind, note.message) for note in board.adjustments] == [
        ("sample_unscored", "x_samples.jsonl: 1 samples without a finite score are not counted")
    ]


def test_results_by_several_metrics_are_told_apart(tmp_path: Path) -> None:
    by_match = [sample(n, 1.0, evaluation_result_id="match") for n in range(2)]
    by_f1 = [sample(n, 0.5, evaluation_result_id="f1") for n in range(2)]
    path = write(tmp_path, *by_match, *by_f1)

    assert bob.read_board(path).cells["score"].to_list() == [0.5]
    assert bob.read_board(path, metric="mean over samples, match").cells["score"].to_list() == [1.0]


def test_samples_are_never_averaged_with_the_record_of_them(tmp_path: Path) -> None:
    record = {
        "schema_version": "0.3.0",
        "evaluation_id": "quiz/maker_x/1",
        "source_metadata": {"source_name": "Board"},
        "model_info": {"name": "X", "id": "maker/x"},
        "evaluation_results": [
            {
                "evaluation_name": "quiz",
                "metric_config": {"metric_id": "accuracy", "lower_is_better": False, "min_score": 0, "max_score": 1},
                "score_details": {"score": 0.75},
            }
        ],
    }
    (tmp_path / "x.json").write_text(json.dumps(record), encoding="utf-8")
    write(tmp_path, sample(1, 1.0), sample(2, 1.0))
    board = bob.read_board([tmp_path / "x.json", tmp_path / "x_samples.jsonl"])

    assert board.cells["score"].to_list() == [0.75]
    assert board.benchmarks["metric"].to_list() == ["accuracy"]


def test_a_changed_row_is_named_with_its_number(tmp_path: Path) -> None:
    renamed = sample(2, 1.0)
    renamed["model"] = renamed.pop("model_id")
    with pytest.raises(bob.BoardError, match=r"record 2 .*model_id: Field required"):
        bob.read_board(write(tmp_path, sample(1, 1.0), renamed))
    with pytest.raises(bob.BoardError, match=r"record 1 .*evaluation\.score"):
        bob.read_board(write(tmp_path, sample(1, "right")))


@pytest.mark.parametrize(
    "row",
    [
        {"schema_version": "0.3.0", "evaluation_id": "x", "evaluation_results": []},
        {"doc_id": 0, "target": "a", "resps": []},
        {"record_type": "instance", "object_path": "x"},
    ],
)
def test_other_shapes_are_not_taken_for_it(tmp_path: Path, row: dict[str, Any]) -> None:
    assert not FORMAT.recognises(open_document(write(tmp_path, row, row)))


def test_samples_are_not_taken_for_a_record(tmp_path: Path) -> None:
    document = open_document(write(tmp_path, sample(1, 1.0), sample(2, 1.0)))

    assert FORMAT.recognises(document)
    assert not every_eval_ever.FORMAT.recognises(document)


def test_the_real_samples_read(shared: Path) -> None:
    board = bob.read_board(shared / "formats" / "every_eval_ever" / "demo_0.3_samples.jsonl")

    assert board.cells.select("model", "benchmark", "score", "n_items").rows() == [
        ("demo-org/demo-model", "demo-source.demo_bench", 1.0, 1)
    ]
