"""LiveCodeBench: the mean over questions, each counted once, and what is not one of its files."""

from __future__ import annotations

import json
from datetime import date
from math import sqrt
from pathlib import Path
from statistics import stdev
from typing import Any

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats.livecodebench import FORMAT


def performance(question: str, model: str, rate: float, **changes: Any) -> dict[str, Any]:
    return {"question_id": question, "model": model, "date": 1, "difficulty": "easy", "pass@1": rate, **changes}


def site() -> dict[str, Any]:
    rates = [("q1", "small", 30.0), ("q1", "small", 10.0), ("q2", "small", 80.0), ("q1", "large", 100.0)]
    models = [
        {"model_repr": "small", "model_name": "acme/small", "release_date": 1672560000000, "link": "https://acme.test"},
        {"model_repr": "large", "model_name": "acme/large", "release_date": None},
    ]
    return {"performances": [performance(*row) for row in rates], "models": models, "date_marks": [1, 2]}


def write(folder: Path, payload: Any, name: str = "performances_generation.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(payload), encoding="utf-8")
    return path


def test_a_question_asked_twice_counts_once_by_its_mean(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, site()))
    small, large = board.cells.select("model", "benchmark", "score", "standard_error", "n_items").rows()

    error = stdev([0.2, 0.8]) / sqrt(2)
    assert small == ("small", "livecodebench_generation", pytest.approx(0.5), pytest.approx(error), 2)
    assert large == ("large", "livecodebench_generation", 1.0, None, 1)
    assert board.models.select("key", "name", "release_date").row(0) == ("small", "acme/small", date(2023, 1, 1))
    assert board.benchmarks.select("metric", "n_items", "lower", "upper").row(0) == ("pass@1", 2, 0.0, 1.0)


def test_files_of_several_scenarios_are_as_many_benchmarks(tmp_path: Path) -> None:
    names = ["performances_repair.json", "performances_testgen.json", "2024_02_26.json"]
    board = bob.read_board([write(tmp_path, site(), name) for name in names])

    assert board.benchmarks["key"].to_list() == ["livecodebench_repair", "livecodebench_testgen", "livecodebench"]


def test_a_question_fewer_is_one_item_fewer_and_models_may_be_names(tmp_path: Path) -> None:
    payload = {**site(), "models": ["small"]}
    del payload["performances"][2]

    assert bob.read_board(write(tmp_path, payload)).cells["n_items"].to_list() == [1, 1]


@pytest.mark.parametrize(
    ("change", "words"),
    [({"pass@1": "0.3"}, r"performances\.1\.pass@1.* got '0.3'"), ({"pass@1": 300.0}, "less than or equal to 100")],
)
def test_a_changed_rate_is_named(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    payload = site()
    payload["performances"][1] |= change
    with pytest.raises(bob.BoardError, match=words):
        bob.read_board(write(tmp_path, payload))


@pytest.mark.parametrize(
    "payload",
    [
        {"performances": []},
        {"performances": [{"model": "a", "accuracy": 0.5}]},
        {"results": {"arc": {"acc": 0.5}}, "versions": {}},
        {"leaderboards": [{"name": "Test", "results": []}]},
    ],
)
def test_other_shapes_are_not_taken_for_it(tmp_path: Path, payload: Any) -> None:
    assert not FORMAT.recognises(open_document(write(tmp_path, payload)))
