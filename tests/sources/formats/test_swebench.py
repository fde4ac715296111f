"""SWE-bench: the share resolved, what it rests on, and what is not one of its files."""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats.swebench import FORMAT


def outcome(*, resolved: bool, **changes: Any) -> dict[str, Any]:
    return {"resolved": resolved, "cost": 0.5, "api_calls": 3, **changes}


def outcomes() -> dict[str, Any]:
    return {
        "alpha": {f"i{n}": outcome(resolved=n < 3) for n in range(4)},
        "beta": {"i0": outcome(resolved=True, cost=None), "i9": outcome(resolved=True)},
        "none": {},
    }


def write(folder: Path, payload: Any) -> Path:
    path = folder / "outcomes.json"
    path.write_text(json.dumps(payload), encoding="utf-8")
    return path


def test_a_model_scores_the_share_it_resolved_of_what_it_tried(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, outcomes()))

    assert board.cells.select("model", "benchmark", "score", "standard_error", "n_items", "mean_cost").rows() == [
        ("alpha", "swe_bench", 3 / 4, sqrt(3 / 4 * 1 / 4 / 4), 4, 0.5),
        ("beta", "swe_bench", 1.0, 0.0, 2, None),
        ("none", "swe_bench", None, None, None, None),
    ]
    assert board.models["key"].to_list() == ["alpha", "beta", "none"]
    assert board.benchmarks.select("key", "metric", "n_items", "lower", "upper", "higher_is_better").rows() == [
        ("swe_bench", "resolved", 5, 0.0, 1.0, True)
    ]


def test_an_instance_fewer_is_one_item_fewer(tmp_path: Path) -> None:
    payload = outcomes()
    del payload["alpha"]["i0"]
    board = bob.read_board(write(tmp_path, payload))

    assert board.cells.select("score", "n_items").row(0) == (2 / 3, 3)


@pytest.mark.parametrize(
    ("change", "words"),
    [({"solved": True}, r"alpha\.i1\.resolved: Field required"), ({"resolved": "yes"}, r"i1\.resolved.* got 'yes'")],
)
def test_a_changed_outcome_is_named(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    payload = outcomes()
    payload["alpha"]["i1"] = change
    with pytest.raises(bob.BoardError, match=words):
        bob.read_board(write(tmp_path, payload))


@pytest.mark.parametrize(
    "payload",
    [
        {"results": {"arc": {"acc": 0.5}}, "versions": {}},
        {"data": [{"evaluations": {}}]},
        {"resolved": ["i1"], "unresolved": ["i2"]},
        {"alpha": {"i1": True}},
        {"alpha": {}},
        {"leaderboards": [{"name": "Verified"}]},
        {"leaderboards": []},
        [{"alpha": {"i1": {"resolved": True}}}],
    ],
)
def test_other_shapes_are_not_taken_for_it(tmp_path: Path, payload: Any) -> None:
    assert not FORMAT.recognises(open_document(write(tmp_path, payload)))


def entry(name: str, resolved: float | None, **changes: Any) -> dict[str, Any]:
    tags = ["Model: small", "Org: Acme", "System: Attempts - 1"]
    return {"name": name, "folder": name, "resolved": resolved, "date": "2026-02-03", "tags": tags, **changes}


def leaderboards() -> dict[str, Any]:
    details = {f"i{n}": outcome(resolved=n < 3) for n in range(4)}
    return {
        "leaderboards": [
            {"name": "Verified", "results": [entry("a + small", 40.5, os_model=True), entry("b", None, tags=[])]},
            {"name": "bash-only", "results": [entry("c", 75, instance_cost=0.5, per_instance_details=details)]},
        ]
    }


def test_every_leaderboard_of_the_site_is_a_benchmark(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, leaderboards()))

    assert board.cells.select("model", "benchmark", "score", "standard_error", "n_items", "mean_cost").rows() == [
        ("a + small", "swe_bench_verified", 0.405, None, None, None),
        ("b", "swe_bench_verified", None, None, None, None),
        ("c", "swe_bench_bash_only", 0.75, sqrt(3 / 4 * 1 / 4 / 4), 4, 0.5),
    ]
    assert board.models.select("key", "creator", "language_model", "open_weights").row(0) == (
        "a + small", "Acme", "small", True
    )  # fmt: skip
    assert board.benchmarks.select("key", "name", "n_items").rows() == [
        ("swe_bench_verified", "SWE-bench Verified", None),
        ("swe_bench_bash_only", "SWE-bench bash-only", 4),
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"resolved": "40 %"}, r"leaderboards\.0\.results\.0\.resolved.* got '40 %'"),
        ({"resolved": 405}, "less than or equal to 100"),
        ({"per_instance_details": {"i1": {"solved": True}}}, r"i1\.resolved: Field required"),
    ],
)
def test_a_changed_entry_of_a_leaderboard_is_named(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    payload = leaderboards()
    payload["leaderboards"][0]["results"][0] |= change
    with pytest.raises(bob.BoardError, match=words):
        bob.read_board(write(tmp_path, payload))


def test_the_real_file_has_four_models_on_five_hundred_instances(shared: Path) -> None:
    board = bob.read_board(shared / "formats" / "swebench" / "info_for_leaderboard.json")

    assert (board.models.height, board.benchmarks.height, board.cells.height) == (4, 1, 4)
    assert board.cells.select("model", "score", "n_items").row(0) == ("gpt-5", 0.65, 500)
