"""every_eval_ever records: scales, names, parts and aggregates, and what the project's converters make of a name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats.every_eval_ever import FORMAT


def entry(name: str, score: Any = 0.5, **changes: Any) -> dict[str, Any]:
    """An entry; what is not a field of it is one of its `metric_config`."""
    fields: dict[str, Any] = {
        key: changes.pop(key) for key in ("evaluation_result_id", "evaluation_timestamp") if key in changes
    }
    data = {"source_type": "url", "dataset_name": changes.pop("dataset_name", name), "url": ["x"]}
    details = changes.pop("score_details", {"score": score})
    config = {"lower_is_better": False, "score_type": "continuous", "min_score": 0.0, "max_score": 1.0, **changes}
    return {"evaluation_name": name, "source_data": data, "metric_config": config, "score_details": details, **fields}


def record(*entries: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {
        "schema_version": "0.2.2",
        "evaluation_id": "board/maker_x/1750000000",
        "retrieved_timestamp": "1750000000.5",
        "source_metadata": {"source_name": "Board", "source_organization_name": "Org"},
        "model_info": {"name": "X", "id": "maker/x", "developer": "Maker"},
        "evaluation_results": list(entries),
        **changes,
    }


def write(folder: Path, payload: Any, name: str = "record.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(payload), encoding="utf-8")
    return path


def scores(board: bob.Board) -> dict[str, float | None]:
    return dict(board.cells.select("benchmark", "score").iter_rows())


def asides(board: bob.Board) -> list[str]:
    return [note.message for note in board.adjustments if note.kind == "left_aside"]


def test_a_record_says_score_scale_and_where_it_is_from(tmp_path: Path) -> None:
    details = {"score": 8, "uncertainty": {"standard_error": {"value": 0.25}, "num_samples": 40}}
    uncertain = entry("wer", score_details=details, lower_is_better=True, max_score=100, metric_id="error_rate")
    plain = entry("quiz", evaluation_description="Share of riddles solved.", evaluation_timestamp="1700000000")
    model = {
        "name": "X",
        "id": "maker/x",
        "developer": "Maker",
        "additional_details": {"model_availability": "open_weights"},
    }
    board = bob.read_board(write(tmp_path, record(uncertain, plain, model_info=model)))

    assert board.cells.rows() == [
        ("maker/x", "wer", 8.0, 0.25, 40, "Board", "2025-06-15T15:06:40+00:00"),
        ("maker/x", "quiz", 0.5, None, None, "Board", "2023-11-14T22:13:20+00:00"),
    ]
    assert board.benchmarks.select("key", "description", "metric", "lower", "upper", "higher_is_better").rows() == [
        ("wer", None, "error_rate", 0.0, 100.0, False),
        ("quiz", "Share of riddles solved.", None, 0.0, 1.0, True),
    ]
    assert board.models.select("key", "name", "creator", "open_weights").rows() == [("maker/x", "X", "Maker", True)]
    assert board.settings.retrieved == "2025-06-15T15:06:40+00:00"


@pytest.mark.parametrize("bounds", [(None, None), ("-Infinity", "Infinity"), (float("-inf"), float("inf"))])
def test_no_bound_is_none(tmp_path: Path, bounds: tuple[Any, Any]) -> None:
    board = bob.read_board(write(tmp_path, record(entry("elo", 1200, min_score=bounds[0], max_score=bounds[1]))))

    assert board.benchmarks.select("lower", "upper").rows() == [(None, None)]


@pytest.mark.parametrize("details", [{}, {"score": None}, *({"score": v} for v in (float("nan"), "NaN", "-Infinity"))])
def test_a_score_that_is_none_is_listed_as_missing(tmp_path: Path, details: dict[str, Any]) -> None:
    board = bob.read_board(write(tmp_path, record(entry("quiz", score_details=details), entry("other"))))

    assert scores(board) == {"quiz": None, "other": 0.5}


def test_a_level_that_stands_for_unknown_is_missing(tmp_path: Path) -> None:
    levels = {"score_type": "levels", "level_names": ["low", "high"], "has_unknown_level": True}
    board = bob.read_board(write(tmp_path, record(entry("risk", -1, **levels), entry("delta", -1, min_score=-5))))

    assert scores(board) == {"risk": None, "delta": -1.0}


def test_objects_lists_and_lines_hold_the_same(tmp_path: Path) -> None:
    two = [record(entry("quiz")), record(entry("quiz", 0.25), model_info={"name": "Y", "id": "maker/y"})]
    lines = tmp_path / "records.jsonl"
    lines.write_text("".join(f"{json.dumps(row)}\n" for row in two), encoding="utf-8")
    listed = bob.read_board(write(tmp_path, two))

    assert bob.read_board(lines).cells.rows() == listed.cells.rows()
    assert listed.cells.select("model", "score").rows() == [("maker/x", 0.5), ("maker/y", 0.25)]
    assert bob.read_board(write(tmp_path, two[:1])).cells.height == 1


def test_parts_are_left_aside_for_their_whole(tmp_path: Path) -> None:
    by_name = [entry("GAIA", dataset_name="d"), entry("GAIA - Level 1", 0.75, dataset_name="d")]
    by_identifier = [
        entry("Pro (overall)", evaluation_result_id="pro/overall", dataset_name="d"),
        entry("Pro (law)", evaluation_result_id="pro/law", dataset_name="d"),
    ]
    by_dataset = [entry("Global Quiz"), entry("Arabic", dataset_name="global-quiz")]
    board = bob.read_board(write(tmp_path, record(*by_name, *by_identifier, *by_dataset)))

    assert list(scores(board)) == ["GAIA", "Pro (overall)", "Global Quiz"]
    assert asides(board) == [
        "left aside: GAIA - Level 1, parts of GAIA",
        "left aside: Pro (law), parts of Pro (overall)",
        "left aside: Arabic, parts of Global Quiz",
    ]
    asked = bob.read_board(write(tmp_path, record(*by_name)), also=["GAIA - Level 1"])
    assert scores(asked) == {"GAIA": 0.5, "GAIA - Level 1": 0.75}


def test_names_that_only_begin_alike_are_no_parts(tmp_path: Path) -> None:
    names = ["MMLU", "MMLU-Pro", "MATH", "MATH Level 5", "HumanEval", "HumanEval+"]
    board = bob.read_board(write(tmp_path, record(*(entry(name) for name in names))))

    assert list(scores(board)) == names


@pytest.mark.parametrize("name", ["Mean win rate", "Average", "Overall", "Score", "overall_accuracy"])
def test_an_aggregate_is_left_aside_unless_it_is_all_there_is(tmp_path: Path, name: str) -> None:
    board = bob.read_board(write(tmp_path, record(entry(name), entry("quiz"))))

    assert scores(board) == {"quiz": 0.5}
    assert asides(board) == [f"left aside: {name}, an aggregate of others"]
    assert list(scores(bob.read_board(write(tmp_path, record(entry(name)))))) == [name]


def test_ranks_costs_and_times_are_no_scores(tmp_path: Path) -> None:
    kinds = [entry("b.overall.rank", metric_kind="rank"), entry("b.overall.usd", metric_unit="USD", max_score=9)]
    rest = [entry("b.overall.accuracy", metric_kind="accuracy"), entry("b.live.accuracy")]
    board = bob.read_board(write(tmp_path, record(*kinds, *rest)))

    assert list(scores(board)) == ["b.overall.accuracy"]
    assert asides(board) == [
        "left aside: b.overall.rank, b.overall.usd, a rank, a cost or a time",
        "left aside: b.live.accuracy, parts of b.overall.accuracy",
    ]


def test_a_rank_beside_a_score_does_not_hide_it(tmp_path: Path) -> None:
    rank = entry("arena", 3, metric_id="place", metric_kind="rank", max_score=None)
    board = bob.read_board(write(tmp_path, record(rank, entry("arena", 0.6, metric_id="wins"))))

    assert scores(board) == {"arena": 0.6}


def test_of_several_metrics_one_makes_the_column(tmp_path: Path) -> None:
    path = write(
        tmp_path, record(entry("quiz", 0.1, metric_id="f1"), entry("quiz", 0.9, metric_name="Accuracy", metric_id=None))
    )

    assert scores(bob.read_board(path)) == {"quiz": 0.9}
    assert scores(bob.read_board(path, metric="f1")) == {"quiz": 0.1}


def test_metrics_without_a_name_are_known_by_their_descriptions(tmp_path: Path) -> None:
    twice = [entry("quiz", score, evaluation_description=text) for text, score in (("By hand.", 0.2), ("By key.", 0.4))]

    assert scores(bob.read_board(write(tmp_path, record(*twice)), metric="By key.")) == {"quiz": 0.4}


INSPECT = {"source_name": "inspect_ai", "source_type": "evaluation_run"}


@pytest.mark.parametrize(
    ("changes", "source", "benchmark", "metric"),
    [
        (
            {"name": "choice", "dataset_name": "arc", "evaluation_description": "accuracy"},
            INSPECT,
            "arc",
            "choice/accuracy",
        ),
        ({"name": "pack/gaia - judge", "evaluation_description": "mean"}, INSPECT, "gaia", "judge/mean"),
        ({"name": "exact_match test on mmlu", "dataset_name": "mmlu"}, {}, "mmlu", "exact_match test"),
        ({"name": "gsm8k/strict", "evaluation_description": "em (filter: strict)"}, {}, "gsm8k", "em (filter: strict)"),
        ({"name": "arc_easy", "evaluation_description": "acc"}, {}, "arc_easy", "acc"),
    ],
)
def test_a_converters_name_is_taken_apart(
    tmp_path: Path, changes: dict[str, Any], source: dict[str, Any], benchmark: str, metric: str
) -> None:
    board = bob.read_board(write(tmp_path, record(entry(**changes), source_metadata=source)))

    assert board.benchmarks.select("key", "description", "metric").rows() == [(benchmark, None, metric)]


def test_a_metric_of_the_test_split_is_one_of_its_dataset(tmp_path: Path) -> None:
    named = [
        entry(f"test_{metric}", score, dataset_name="riddles") for metric, score in (("mcc", 0.2), ("accuracy", 0.6))
    ]
    board = bob.read_board(write(tmp_path, record(*named)))

    assert scores(board) == {"riddles": 0.2}
    assert scores(bob.read_board(write(tmp_path, record(*named)), metric="test_accuracy")) == {"riddles": 0.6}


def test_an_index_of_records_is_said_to_be_one(tmp_path: Path) -> None:
    index = write(tmp_path, {"record_type": "aggregate", "object_path": "flat/x.json", "sha256": "0"}, "index.jsonl")
    whole = write(tmp_path, record(entry("quiz")))

    with pytest.raises(bob.BoardError, match="an index of records: expected the records themselves"):
        bob.read_board(index)
    assert bob.read_board([index, whole]).cells.height == 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"evaluation_results": None}, "evaluation_results"),
        ({"model_info": {"name": "X"}}, r"record 1 .*model_info\.id: Field required"),
        ({"evaluation_results": [{**entry("quiz"), "score_details": {"score": "half"}}]}, r"0\.score_details\.score"),
        ({"evaluation_results": [entry("quiz", lower_is_better=None)]}, r"0\.metric_config\.lower_is_better"),
    ],
)
def test_a_changed_field_is_named(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(bob.BoardError, match=words):
        bob.read_board(write(tmp_path, record(**changes)))


def test_a_renamed_field_is_named(tmp_path: Path) -> None:
    payload = record()
    payload["results"] = payload.pop("evaluation_results")
    with pytest.raises(bob.BoardError, match="evaluation_results: Field required"):
        bob.read_board(write(tmp_path, payload))


@pytest.mark.parametrize(
    "payload",
    [
        {"schema_version": "0.3.0", "evaluation_id": "x", "model_id": "m", "evaluation_name": "q", "sample_id": "1"},
        {"results": {"arc": {"acc": 0.5}}, "versions": {}},
        {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"evaluation_id": {}}},
        {"version": 2, "status": "success", "eval": {}},
        [],
        [[record()]],
    ],
)
def test_other_shapes_are_not_taken_for_it(tmp_path: Path, payload: Any) -> None:
    assert not FORMAT.recognises(open_document(write(tmp_path, payload)))


@pytest.mark.parametrize(
    ("name", "benchmarks", "cells", "known"),
    [
        ("datastore_object.json", 15, 1, ("MMLU-Pro (overall)", 0.5229)),
        ("demo_0.3.json", 1, 1, ("demo-source.demo_bench", 0.75)),
        ("real_0.2.0_helm_lite.json", 10, 9, ("WMT 2014", 0.172)),
        ("real_0.2.0_hfopenllm_v2.json", 6, 6, ("GPQA", 0.2592)),
        ("real_0.2.2_hal_gaia_agentic.json", 4, 1, ("GAIA", 0.6424)),
        ("sample_aggregate_test.json", 6, 6, ("MMLU-PRO", 0.1946)),
    ],
)
def test_real_records_read(shared: Path, name: str, benchmarks: int, cells: int, known: tuple[str, float]) -> None:
    board = bob.read_board(shared / "formats" / "every_eval_ever" / name)

    assert (board.models.height, board.benchmarks.height, board.cells.height) == (1, benchmarks, cells)
    assert known in scores(board).items()


def test_the_real_folder_makes_one_board(shared: Path) -> None:
    board = bob.read_board(shared / "formats" / "every_eval_ever")

    assert (board.models.height, board.benchmarks.height, board.cells.height) == (6, 36, 24)
    assert scores(board)["demo-source.demo_bench"] == 0.75  # the record's, not its samples' 1.0
