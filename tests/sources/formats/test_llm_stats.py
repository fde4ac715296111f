"""llm-stats: scores, what its benchmark files add to them, and what its model files do."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats.llm_stats import FORMAT


def row(benchmark: str, score: Any, **changes: Any) -> dict[str, Any]:
    return {
        "model_benchmark_id": 1,
        "benchmark_id": benchmark,
        "model_id": "model-a",
        "score": score,
        "normalized_score": 0.5,
        "is_self_reported": True,
        "self_reported_source_link": "https://example.org/card",
        "analysis_method": "5-shot",
        "updated_at": "2025-07-19T19:56:11+00:00",
        "benchmark_name": benchmark.upper(),
        **changes,
    }


BENCHMARK = {
    "benchmark_id": "mt",
    "name": "MT-Bench",
    "parent_benchmark_id": None,
    "categories": ["roleplay", "communication"],
    "modality": "text",
    "max_score": 10,
    "language": "en",
    "description": "Talks judged over two turns.",
}
MODEL = {
    "model_id": "model-a",
    "name": "Model A",
    "organization_id": "maker",
    "release_date": "2024-11-20",
    "license_id": "apache-2.0",
    "param_count": 405,
    "multimodal": False,
}


def write(folder: Path, payload: Any, name: str = "benchmarks.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(payload), encoding="utf-8")
    return path


def test_scores_read_as_reported(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, [row("mmlu", 0.8), row("mt", 8, normalized_score=None)]))

    columns = ("model", "benchmark", "score", "normalized_score", "is_self_reported", "source")
    assert board.cells.select(columns).rows() == [
        ("model-a", "mmlu", 0.8, 0.5, True, "https://example.org/card"),
        ("model-a", "mt", 8.0, None, True, "https://example.org/card"),
    ]
    assert board.benchmarks.select("key", "name", "upper").rows() == [("mmlu", "MMLU", None), ("mt", "MT", None)]
    assert board.sources[0].format == "llm_stats"


def test_benchmark_and_model_files_add_bounds_texts_and_facts(tmp_path: Path) -> None:
    write(tmp_path, [row("mt", 8)], "a.json")
    write(tmp_path, BENCHMARK, "b.json")
    write(tmp_path, MODEL, "c.json")
    board = bob.read_board(tmp_path)

    assert board.benchmarks.select("key", "description", "category", "lower", "upper").rows() == [
        ("mt", "Talks judged over two turns.", "roleplay", 0.0, 10.0)
    ]
    assert board.models.select("key", "name", "creator", "release_date", "license", "param_count").rows() == [
        ("model-a", "Model A", "maker", date(2024, 11, 20), "apache-2.0", 405.0)
    ]


@pytest.mark.parametrize("payload", [BENCHMARK, MODEL, [BENCHMARK, {**BENCHMARK, "benchmark_id": "x"}]])
def test_alone_they_add_to_nothing(tmp_path: Path, payload: Any) -> None:
    with pytest.raises(bob.BoardError, match="adds to scores and has none of its own"):
        bob.read_board(write(tmp_path, payload))


def test_a_row_fewer_is_a_score_fewer(tmp_path: Path) -> None:
    assert bob.read_board(write(tmp_path, [row("mmlu", 0.8)])).cells.height == 1


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (
            [row("a", 1), {key: value for key, value in row("b", 1).items() if key != "score"}],
            r"rows\.1\.score: Field req",
        ),
        ([row("a", "0.5")], r"rows\.0\.score"),
        ([row("a", 10**400)], r"rows\.0\.score"),
        ({**BENCHMARK, "max_score": None}, r"rows\.0\.max_score"),
        ({**MODEL, "release_date": "soon"}, r"rows\.0\.release_date"),
        ([row("a", 1), "text"], r"rows\.1"),
    ],
)
def test_a_changed_structural_field_is_named(tmp_path: Path, payload: Any, words: str) -> None:
    with pytest.raises(bob.BoardError, match=words):
        bob.read_board(write(tmp_path, payload))


@pytest.mark.parametrize(
    "payload",
    [
        [{"model": "a", "benchmark": "b", "score": 1}],
        {"model_id": "a", "name": "A"},
        {"results": [{"benchmark_id": "a", "model_id": "b"}]},
        {"$schema": "x", "properties": {"benchmark_id": {}, "model_id": {}}},
        ["benchmark_id", "model_id"],
        [],
    ],
)
def test_it_refuses_its_neighbours(tmp_path: Path, payload: Any) -> None:
    assert not FORMAT.recognises(open_document(write(tmp_path, payload)))


def test_the_real_samples_read(shared: Path) -> None:
    folder = shared / "formats" / "llm_stats"
    board = bob.read_board(folder / "jamba-1.5-large.benchmarks.json")

    assert (board.models.height, board.benchmarks.height, board.cells.height) == (1, 8, 8)
    assert dict(board.cells.select("benchmark", "score").iter_rows())["arena-hard"] == 0.654
    with pytest.raises(bob.BoardError, match="adds to scores"):
        bob.read_board(folder / "mmlu.benchmark.json")
    whole = bob.read_board(folder)
    mmlu = whole.benchmarks.filter(whole.benchmarks["key"] == "mmlu")
    assert whole.cells.height == 8
    assert mmlu.select("category", "lower", "upper").rows() == [("general", 0.0, 1.0)]
