"""lm-evaluation-harness: which metric of a task makes its column, what groups stand for, whose the scores are."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats.lm_eval import FORMAT

STAMP = 1_700_000_000


def run(**changes: Any) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "results": {
            "arc": {
                "alias": "arc",
                "acc,none": 0.4,
                "acc_stderr,none": 0.02,
                "acc_norm,none": 0.5,
                "acc_norm_stderr,none": "N/A",
            },
            "gsm8k": {"exact_match,flexible-extract": 0.7, "exact_match,strict-match": 0.6, "samples": 5},
        },
        "versions": {"arc": 1.0, "gsm8k": 3},
        "n-samples": {"arc": {"original": 200, "effective": 100}},
        "higher_is_better": {"arc": {"acc": True, "acc_norm": True}},
        "config": {"model_args": "pretrained=org/model,dtype=auto"},
        "date": STAMP,
    }
    return {**payload, **changes}


def write(folder: Path, payload: Any, name: str = "results.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(payload), encoding="utf-8")
    return path


def cells(board: bob.Board) -> list[tuple[str, str, float | None]]:
    return board.cells.select("model", "benchmark", "score").rows()


def test_a_task_has_one_column_of_its_preferred_metric_and_filter(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, run()))

    assert cells(board) == [("org/model", "arc", 0.5), ("org/model", "gsm8k", 0.6)]
    assert board.benchmarks.select("key", "metric", "higher_is_better").rows() == [
        ("arc", "acc_norm", True),
        ("gsm8k", "exact_match,strict-match", None),
    ]
    assert board.sources[0].format == "lm_eval"


def test_errors_counts_and_dates_come_along_and_not_available_is_missing(tmp_path: Path) -> None:
    default = bob.read_board(write(tmp_path, run()))
    other = bob.read_board(write(tmp_path, run()), metric="acc")

    assert default.cells.select("standard_error", "n_items").rows() == [(None, 100), (None, None)]
    arc = other.cells.filter(other.cells["benchmark"] == "arc")
    assert arc.select("score", "standard_error").rows() == [(0.4, 0.02)]
    assert default.settings.retrieved == datetime.fromtimestamp(STAMP, UTC).isoformat()


def test_another_metric_is_taken_by_name(tmp_path: Path) -> None:
    path = write(tmp_path, run())

    assert ("org/model", "gsm8k", 0.7) in cells(bob.read_board(path, metric="exact_match,flexible-extract"))
    with pytest.raises(bob.BoardError, match="acc_norms"):
        bob.read_board(path, metric="acc_norms")


def test_a_group_with_a_score_stands_for_its_subtasks(tmp_path: Path) -> None:
    results = {"mmlu": {"acc,none": 0.5}, "mmlu_law": {"acc,none": 0.4}, "bbh": {"alias": "bbh"}, "bbh_x": {"em": 0.1}}
    payload = run(results=results, group_subtasks={"mmlu": ["mmlu_law"], "bbh": ["bbh_x"], "bbh_x": ["bbh_x"]})
    board = bob.read_board(write(tmp_path, payload))

    assert board.cells["benchmark"].to_list() == ["mmlu", "bbh_x"]
    assert [note.message for note in board.adjustments] == ["left aside: mmlu_law, parts of mmlu"]
    both = bob.read_board(write(tmp_path, payload), also=["mmlu_law"])
    assert set(both.cells["benchmark"]) == {"mmlu", "mmlu_law", "bbh_x"}


def test_the_shape_before_version_0_4_reads_and_says_that_it_names_no_model(tmp_path: Path) -> None:
    old = {"results": {"arc": {"acc": 0.4, "acc_stderr": 0.01}}, "versions": {"arc": 0}}
    board = bob.read_board(write(tmp_path, old, "run-7.json"))

    assert cells(board) == [("run-7", "arc", 0.4)]
    assert board.cells["standard_error"][0] == 0.01
    assert [note.kind for note in board.adjustments] == ["model_unnamed"]


@pytest.mark.parametrize(
    ("change", "model"),
    [
        ({"model_name": "named"}, "named"),
        ({"config": {"model_args": {"pretrained": "org/dict"}}}, "org/dict"),
        ({"config": {"model_args": "model=gpt"}}, "gpt"),
    ],
)
def test_the_model_is_found_where_versions_put_it(tmp_path: Path, change: dict[str, Any], model: str) -> None:
    assert bob.read_board(write(tmp_path, run(**change))).models["key"].to_list() == [model]


def test_a_task_fewer_is_a_column_fewer(tmp_path: Path) -> None:
    payload = run()
    del payload["results"]["gsm8k"]

    assert cells(bob.read_board(write(tmp_path, payload))) == [("org/model", "arc", 0.5)]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"results": {"arc": 0.5}}, r"results\.arc"),
        ({"n-samples": {"arc": {"effective": "all"}}}, r"n-samples\.arc\.effective"),
        ({"n-samples": {"arc": {"effective": 2**63}}}, r"n-samples\.arc\.effective"),
        ({"group_subtasks": ["mmlu"]}, "group_subtasks"),
        ({"date": 1e300}, "the date 1e.300: expected seconds since 1970"),
    ],
)
def test_a_changed_structural_field_is_named(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    with pytest.raises(bob.BoardError, match=words):
        bob.read_board(write(tmp_path, run(**change)))


def test_samples_of_a_run_are_refused_with_the_place_of_its_scores(tmp_path: Path) -> None:
    sample = {"doc_id": 0, "doc": {}, "target": "1", "resps": [["1"]], "filtered_resps": ["1"], "exact_match": 1.0}
    path = tmp_path / "samples_arc.jsonl"
    # Only the first line is read: the second, which is no JSON, is never seen.
    path.write_text(f"{json.dumps(sample)}\n{{not read\n", encoding="utf-8")

    with pytest.raises(bob.BoardError, match=r"samples of a run: its scores are in the file results_\*\.json"):
        bob.read_board(path)
    write(tmp_path, run())
    board = bob.read_board(tmp_path)
    assert board.cells.height == 2
    assert [note.kind for note in board.adjustments] == ["file_skipped"]


@pytest.mark.parametrize(
    "payload",
    [
        {"config_general": {"model_name": "m"}, "results": {"a|b|0": {"acc": 1}}, "versions": {}},
        {"results": [{"model": "m"}], "versions": {}},
        {"data": [{"evaluations": {}}]},
        [{"doc_id": 1}],
        [1],
        "text",
    ],
)
def test_it_refuses_its_neighbours(tmp_path: Path, payload: Any) -> None:
    assert not FORMAT.recognises(open_document(write(tmp_path, [payload] if isinstance(payload, str) else payload)))


def test_the_real_samples_read(shared: Path) -> None:
    folder = shared / "formats" / "lm_eval"
    new = bob.read_board(folder / "results_2026-01-21T03-44-18.458309.json")
    old = bob.read_board(folder / "old_v0.2_arc_challenge-v2.0-res.json")

    assert (new.models.height, new.benchmarks.height, new.cells.height) == (1, 2, 2)
    assert new.models["key"][0] == "RylanSchaeffer/mem_Qwen3-93M_minerva_math_rep_0_sbst_1.0000_epch_1_ot_1"
    assert new.cells.select("score", "n_items").rows() == [(0.0, 5000), (0.0004, 5000)]
    assert cells(old) == [("old_v0.2_arc_challenge-v2.0-res", "arc_challenge", 0.28242320819112626)]
    with pytest.raises(bob.BoardError, match="samples of a run"):
        bob.read_board(folder / "samples_math_perturbed_full_2026-01-21T03-44-18.458309.jsonl")
    whole = bob.read_board(folder)
    assert (whole.models.height, whole.benchmarks.height, whole.cells.height) == (2, 3, 3)
