"""Hugging Face evaluation results: whose they are, and what their benchmarks are called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats.eval_results import FORMAT

RESULTS = """- dataset:
    id: org/known
    task_id: hard
  value: 20.9
  date: 2026-01-14
  notes: no-tools
  source:
    name: Model card
    url: https://example.org/card
- dataset:
    id: org/other
    task_id: default
  value: 41
"""
ANSWER = [
    {
        "filename": ".eval_results/a.yaml",
        "verified": False,
        "data": {"dataset": {"id": "org/known", "task_id": "hard"}, "value": 5.5},
    }
]


def write(folder: Path, text: str, name: str = "model/.eval_results/a.yaml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_results_are_of_the_repository_they_lie_in(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, RESULTS))

    assert board.cells.select("model", "benchmark", "score", "date", "source", "notes").rows() == [
        ("model", "org/known:hard", 20.9, "2026-01-14", "https://example.org/card", "no-tools"),
        ("model", "org/other", 41.0, None, None, None),
    ]
    assert [note.kind for note in board.adjustments] == ["model_unnamed"]
    assert board.sources[0].format == "eval_results"


def test_a_folder_of_repositories_makes_one_board(tmp_path: Path) -> None:
    write(tmp_path, RESULTS, "one/.eval_results/a.yaml")
    write(tmp_path, RESULTS, "two/.eval_results/b.yml")

    board = bob.read_board(tmp_path)
    assert (board.models["key"].to_list(), board.benchmarks.height) == (["one", "two"], 2)


def test_the_apis_answer_is_called_after_its_file(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, json.dumps(ANSWER), "answer.json"))

    assert board.cells.select("model", "benchmark", "score").rows() == [("answer", "org/known:hard", 5.5)]


@pytest.mark.parametrize(
    ("dataset", "key"),
    [
        ("{id: org/a}", "org/a"),
        ("{id: org/a, task_id: main}", "org/a"),
        ("{id: org/a, task_id: a}", "org/a"),
        ("{id: org/a, task_id: b}", "org/a:b"),
        ("{id: org/a, config: c}", "org/a:c"),
    ],
)
def test_a_task_joins_the_datasets_name_where_it_says_more(tmp_path: Path, dataset: str, key: str) -> None:
    board = bob.read_board(write(tmp_path, f"- dataset: {dataset}\n  value: 1\n"))

    assert board.benchmarks["key"].to_list() == [key]


def test_a_result_fewer_is_a_score_fewer(tmp_path: Path) -> None:
    assert bob.read_board(write(tmp_path, RESULTS.partition("- dataset:\n    id: org/other")[0])).cells.height == 1


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("  value: 20.9", "  score: 20.9", r"results\.0\.value: Field required"),
        ("value: 41", "value: high", r"results\.1\.value"),
        ("id: org/other", "name: org/other", r"results\.1\.dataset\.id: Field required"),
        ("id: org/known", "id: 5", r"results\.0\.dataset\.id"),
    ],
)
def test_a_changed_structural_field_is_named(tmp_path: Path, old: str, new: str, words: str) -> None:
    with pytest.raises(bob.BoardError, match=words):
        bob.read_board(write(tmp_path, RESULTS.replace(old, new)))


@pytest.mark.parametrize(
    "text",
    [
        "- dataset: name\n  value: 1\n",
        "- benchmark:\n    id: x\n  value: 1\n",
        "model-index:\n- name: m\n  results: []\n",
        '[{"benchmark_id": "a", "model_id": "b"}]',
        '[{"filename": "a", "data": 5}]',
        '{"dataset": {"id": "x"}}',
        "[]",
    ],
)
def test_it_refuses_its_neighbours(tmp_path: Path, text: str) -> None:
    assert not FORMAT.recognises(open_document(write(tmp_path, text)))


def test_the_real_samples_read(shared: Path) -> None:
    folder = shared / "formats" / "hf_eval_results"

    for path, model, score in (
        (folder / ".eval_results" / "gsm8k.yaml", "hf_eval_results", 96.06),
        (folder / "api_response_sample.json", "api_response_sample", 86.2),
    ):
        assert bob.read_board(path).cells.select("model", "benchmark", "score").rows() == [
            (model, "openai/gsm8k", score)
        ]
    assert bob.read_board(folder).cells.height == 2
