"""JSON schemas: told apart from results, whatever they describe."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats.json_schema import FORMAT

SCHEMA = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"model": {}}}


def write(folder: Path, payload: Any, name: str = "results.schema.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(payload), encoding="utf-8")
    return path


def test_a_schema_alone_is_refused_as_one(tmp_path: Path) -> None:
    with pytest.raises(bob.BoardError, match="a JSON schema, which describes a format: expected results in it"):
        bob.read_board(write(tmp_path, SCHEMA))


def test_a_schema_beside_results_is_said_and_passed_over(tmp_path: Path) -> None:
    write(tmp_path, SCHEMA)
    (tmp_path / "scores.csv").write_text("model,benchmark,score\na,x,0.5\n", encoding="utf-8")
    board = bob.read_board([tmp_path / "results.schema.json", tmp_path / "scores.csv"])

    assert board.cells.height == 1
    assert [(note.kind, note.where) for note in board.adjustments] == [("file_skipped", ("results.schema.json",))]


@pytest.mark.parametrize(
    "payload",
    [
        {"$schema": "./results.schema.json", "properties": []},  # results that name the schema they follow
        {"$schema": 7, "properties": {}},
        {"properties": {}},
        [SCHEMA],
        "text",
    ],
)
def test_what_is_no_schema_is_not_taken_for_one(tmp_path: Path, payload: Any) -> None:
    assert not FORMAT.recognises(open_document(write(tmp_path, payload)))


def test_every_real_schema_is_known_for_one(shared: Path) -> None:
    found = sorted((shared / "formats").glob("*/*schema.json"))

    assert len(found) == 8
    assert all(FORMAT.recognises(open_document(path)) for path in found)
