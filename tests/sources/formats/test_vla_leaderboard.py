"""VLA leaderboard: overall scores, their parts, and the registry; on data made after its published schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats.vla_leaderboard import FORMAT


def entry(model: str, benchmark: str, **changes: Any) -> dict[str, Any]:
    required = {
        "model": model,
        "display_name": model.title(),
        "benchmark": benchmark,
        "weight_type": "finetuned",
        "curated_by": "@someone",
        "date_added": "2026-03-04",
    }
    return {**required, **changes}


RESULTS = [
    entry("kim24openvla", "libero", overall_score=76.5, params="7B", suite_scores={"spatial": 84.7, "goal": 79}),
    entry("kim24openvla__zheng25xvla", "libero", overall_score=75, reported_paper="https://example.org/xvla"),
    entry("kim24openvla", "simpler", overall_score=None, task_scores={"pick_vm": 16.3, "reported_avg": 27.7}),
]
REGISTRY: dict[str, dict[str, Any]] = {
    "libero": {
        "display_name": "LIBERO",
        "metric": {"name": "success_rate", "unit": "%", "range": [0, 100], "higher_is_better": True},
    },
    "calvin": {
        "display_name": "CALVIN",
        "paper_url": "https://example.org/calvin",
        "metric": {"name": "avg_len", "unit": "subtasks", "range": [0, 5], "higher_is_better": True},
        "external_only": True,
    },
}


def leaderboard(*results: dict[str, Any]) -> dict[str, Any]:
    return {"last_updated": "2026-08-01", "results": list(results)}


def write(folder: Path, payload: Any, name: str = "leaderboard.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(payload), encoding="utf-8")
    return path


def test_overall_scores_are_read_and_one_that_is_null_stays_listed(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, leaderboard(*RESULTS)))

    assert board.cells.select("model", "benchmark", "score", "weight_type").rows() == [
        ("kim24openvla", "libero", 76.5, "finetuned"),
        ("kim24openvla__zheng25xvla", "libero", 75.0, "finetuned"),
        ("kim24openvla", "simpler", None, "finetuned"),
    ]
    assert board.models.select("key", "name", "params").row(0) == ("kim24openvla", "Kim24Openvla", "7B")
    assert board.settings.retrieved == "2026-08-01"
    assert board.sources[0].format == "vla_leaderboard"


def test_parts_are_left_aside_unless_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path, leaderboard(*RESULTS))

    assert {note.where for note in bob.read_board(path).adjustments} == {
        ("libero:spatial", "libero:goal"),
        ("simpler:pick_vm",),
        ("simpler:reported_avg",),
    }
    cells = bob.read_board(path, also=["libero:goal"]).cells
    assert cells.filter(cells["benchmark"] == "libero:goal")["score"].to_list() == [79.0]


def test_the_registry_adds_names_bounds_and_directions(tmp_path: Path) -> None:
    write(tmp_path, leaderboard(*RESULTS))
    registry = write(tmp_path, REGISTRY, "registry.json")
    board = bob.read_board(tmp_path)
    told = board.benchmarks.select("key", "name", "metric", "lower", "upper", "higher_is_better").rows()

    assert ("libero", "LIBERO", "success_rate", 0.0, 100.0, True) in told
    assert ("calvin", "CALVIN", "avg_len", 0.0, 5.0, True) in told
    with pytest.raises(bob.BoardError, match="adds to scores and has none of its own"):
        bob.read_board(registry)


def test_an_entry_fewer_is_a_score_fewer(tmp_path: Path) -> None:
    assert bob.read_board(write(tmp_path, leaderboard(*RESULTS[:2]))).cells.height == 2


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ({"results": RESULTS}, "last_updated: Field required"),
        (leaderboard({**RESULTS[0], "overall_score": "76.5"}), r"results\.0\.overall_score"),
        (leaderboard(RESULTS[0], {"model": "m"}), r"results\.1\.display_name: Field required"),
        (leaderboard({**RESULTS[0], "suite_scores": {"x": None}}), r"results\.0\.suite_scores\.x"),
        ({"libero": {"display_name": "L", "metric": {"name": "x", "range": [0], "higher_is_better": True}}}, r"range"),
        (
            {"libero": {"display_name": "L", "metric": {"name": "x", "range": [0, 1]}}},
            "higher_is_better: Field required",
        ),
    ],
)
def test_a_changed_structural_field_is_named(tmp_path: Path, payload: Any, words: str) -> None:
    with pytest.raises(bob.BoardError, match=words):
        bob.read_board(write(tmp_path, payload))


@pytest.mark.parametrize(
    "payload",
    [
        {"results": {"arc": {"acc": 1}}, "versions": {}},
        {"results": [{"model": "m", "benchmark": "b", "score": 1}]},
        {"results": []},
        {"a": {"display_name": "A"}},
        {"a": {"display_name": "A", "metric": {}}, "b": 1},
        {},
        [RESULTS[0]],
    ],
)
def test_it_refuses_its_neighbours(tmp_path: Path, payload: Any) -> None:
    assert not FORMAT.recognises(open_document(write(tmp_path, payload)))


def test_data_made_here_has_what_the_published_schemas_require(shared: Path) -> None:
    folder = shared / "formats" / "vla_leaderboard"
    board = json.loads((folder / "leaderboard.schema.json").read_text())
    registry = json.loads((folder / "benchmarks.schema.json").read_text())["additionalProperties"]
    item = board["properties"]["results"]["items"]

    assert set(board["required"]) == leaderboard().keys()
    for result in RESULTS:
        assert set(item["required"]) <= result.keys() <= item["properties"].keys()
    for benchmark in REGISTRY.values():
        assert set(registry["required"]) <= benchmark.keys() <= registry["properties"].keys()
        assert set(registry["properties"]["metric"]["required"]) == benchmark["metric"].keys()
