"""Tables of HELM's leaderboards: the one of accuracies, its directions, and what is not one of its files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats.helm_tables import FORMAT


def table(title: str, headings: list[dict[str, Any]], *rows: list[Any]) -> dict[str, Any]:
    return {
        "title": title,
        "header": headings,
        "rows": [[{"value": value} for value in row] for row in rows],
        "links": [],
    }


def tables() -> list[dict[str, Any]]:
    headings: list[dict[str, Any]] = [
        {"value": "Model"},
        {"value": "Mean win rate", "lower_is_better": False},
        {"value": "Riddles - EM", "lower_is_better": False, "metadata": {"metric": "EM", "run_group": "Riddles"}},
        {"value": "Toxic - Toxic fraction", "lower_is_better": True},
    ]
    speeds = table("Efficiency", [{"value": "Model"}, {"value": "Riddles - Time (s)"}], ["small", 1.5])
    return [speeds, table("Accuracy", headings, ["small", 0.2, 0.5, 0.1], ["large", 0.8, 0.75, None])]


def write(folder: Path, payload: Any) -> Path:
    path = folder / "core_scenarios.json"
    path.write_text(json.dumps(payload), encoding="utf-8")
    return path


def test_the_table_of_accuracies_is_taken_with_its_directions(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, tables()))

    assert board.cells.select("model", "benchmark", "score").rows() == [
        ("small", "Riddles", 0.5), ("large", "Riddles", 0.75), ("small", "Toxic", 0.1), ("large", "Toxic", None)
    ]  # fmt: skip
    assert board.benchmarks.select("key", "metric", "higher_is_better").rows() == [
        ("Riddles", "EM", True), ("Toxic", "Toxic fraction", False)
    ]  # fmt: skip
    assert [note.where for note in board.adjustments] == [("Mean win rate",)]


def test_without_one_of_accuracies_the_first_is_taken(tmp_path: Path) -> None:
    payload = [{**tables()[1], "title": "Riddles"}]

    assert bob.read_board(write(tmp_path, payload)).cells.height == 4


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"header": [{"value": "Maker"}, *tables()[1]["header"][1:]]}, "no column of models in the table 'Accuracy'"),
        ({"rows": [[{"value": "small"}]]}, "a row of 1 values under 4 headings"),
        ({"rows": [[{"value": ["small"]}]]}, r"tables\.1\.rows\.0\.0\.value"),
        ({"rows": {"small": 1}}, r"tables\.1\.rows: Input should be a valid list"),
    ],
)
def test_a_changed_table_is_named(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    payload = tables()
    payload[1] |= change
    with pytest.raises(bob.BoardError, match=words):
        bob.read_board(write(tmp_path, payload))


@pytest.mark.parametrize(
    "payload",
    [
        [],
        [{"title": "x", "rows": []}],
        [{"title": "x", "rows": [], "header": []}],
        [{"name": {"name": "x"}, "count": 1}],
    ],
)
def test_other_shapes_are_not_taken_for_it(tmp_path: Path, payload: Any) -> None:
    assert not FORMAT.recognises(open_document(write(tmp_path, payload)))
