"""MTEB: what a task's score is over its subsets, and whose it is."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats.mteb import FORMAT

META = {
    "name": "org/model",
    "revision": "abc",
    "release_date": "2024-02-08",
    "languages": ["eng-Latn"],
    "open_weights": True,
    "license": "mit",
    "n_parameters": 118_000_000,
    "n_active_parameters_override": None,
}
SUBSETS = [
    {"hf_subset": "de", "languages": ["deu-Latn"], "main_score": 0.25, "pearson": 0.5, "accuracy": 1},
    {"hf_subset": "en", "languages": ["eng-Latn"], "main_score": 0.75, "pearson": 0.25},
]


def task(**changes: Any) -> dict[str, Any]:
    scores = {"validation": [{"hf_subset": "de", "main_score": 0.9}], "test": SUBSETS}
    payload = {"dataset_revision": "d31", "task_name": "STS", "mteb_version": "1.18.0", "scores": scores}
    return {**payload, **changes}


def write(folder: Path, payload: Any, name: str = "STS.json") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(payload), encoding="utf-8")
    return path


def score(board: bob.Board) -> float | None:
    (value,) = board.cells["score"]
    return None if value is None else float(value)


def test_the_score_is_the_mean_over_the_test_splits_subsets(tmp_path: Path) -> None:
    write(tmp_path, META, "model_meta.json")
    board = bob.read_board(write(tmp_path, task()))

    assert board.cells.select("model", "benchmark", "score", "split", "n_subsets").rows() == [
        ("org/model", "STS", (0.25 + 0.75) / 2, "test", 2)
    ]
    assert board.benchmarks["metric"].to_list() == ["main_score"]
    assert board.adjustments == ()


def test_without_a_test_split_the_first_is_taken(tmp_path: Path) -> None:
    payload = task(scores={"dev": SUBSETS[:1], "train": SUBSETS[1:]})

    assert score(bob.read_board(write(tmp_path, payload))) == 0.25


def test_the_description_beside_adds_the_models_facts(tmp_path: Path) -> None:
    meta = write(tmp_path, META, "model_meta.json")
    write(tmp_path, task())
    (model,) = bob.read_board(tmp_path).models.iter_rows(named=True)

    assert {
        name: model[name] for name in ("key", "release_date", "open_weights", "license", "n_parameters", "revision")
    } == {
        "key": "org/model",
        "release_date": date(2024, 2, 8),
        "open_weights": True,
        "license": "mit",
        "n_parameters": 118e6,
        "revision": "abc",
    }
    with pytest.raises(bob.BoardError, match="adds to scores and has none of its own"):
        bob.read_board(meta)


@pytest.mark.parametrize(
    ("name", "model", "said"),
    [
        ("results/org__model/abc/STS.json", "org/model", False),
        ("clone/org__model/abc/STS.json", "org/model", False),
        ("results/model/STS.json", "model", False),
        ("mine/STS.json", "mine", True),
    ],
)
def test_without_a_description_the_folders_name_the_model(tmp_path: Path, name: str, model: str, said: bool) -> None:
    board = bob.read_board(write(tmp_path, task(), name))

    assert board.models["key"].to_list() == [model]
    assert [note.kind for note in board.adjustments] == ["model_unnamed"] * said


def test_another_metric_is_taken_by_name_where_every_subset_has_it(tmp_path: Path) -> None:
    path = write(tmp_path, task())

    assert score(bob.read_board(path, metric="pearson")) == (0.5 + 0.25) / 2
    with pytest.raises(bob.BoardError, match="accuracy"):
        bob.read_board(path, metric="accuracy")


def test_a_subset_fewer_changes_the_mean_and_one_without_a_score_makes_it_missing(tmp_path: Path) -> None:
    assert score(bob.read_board(write(tmp_path, task(scores={"test": SUBSETS[1:]})))) == 0.75
    unscored = [*SUBSETS, {"hf_subset": "fr", "main_score": None}]
    assert score(bob.read_board(write(tmp_path, task(scores={"test": unscored})))) is None


@pytest.mark.parametrize(
    ("split", "expected"),
    [
        ({"map_at_10": 0.1, "ndcg_at_10": 0.2, "evaluation_time": 9.5}, 0.2),
        ({"cos_sim": {"pearson": 0.1, "spearman": 0.3}, "evaluation_time": 9.5}, 0.3),
        ({"cos_sim": {"accuracy": 0.1, "ap": 0.4}, "max": {"ap": 0.9}}, 0.4),
        ({"en": {"accuracy": 0.5, "f1": 0.1}, "de": {"accuracy": 0.25, "f1": 0.1}, "evaluation_time": 9.5}, 0.375),
        ({"accuracy": 0.5, "main_score": 81.5}, 81.5),
    ],
)
def test_files_from_before_1_12_read_by_what_their_kind_of_task_is_ranked_by(
    tmp_path: Path, split: dict[str, Any], expected: float
) -> None:
    old = {"dataset_revision": None, "mteb_dataset_name": "Old", "mteb_version": "1.1.1", "test": split}
    board = bob.read_board(write(tmp_path, old))

    assert board.cells.select("benchmark", "score").rows() == [("Old", expected)]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"scores": {"test": [{"hf_subset": "de", "score": 0.5}]}}, r"scores\.test\.0\.main_score: Field required"),
        ({"scores": {"test": [{"main_score": "0.5"}]}}, r"scores\.test\.0\.main_score"),
        ({"scores": {"test": SUBSETS[0]}}, r"scores\.test"),
        ({"scores": {}}, "has no scores: expected a split"),
        ({"scores": {"test": []}}, "has no scores: expected a split"),
        ({"task_name": 5}, "task_name"),
    ],
)
def test_a_changed_structural_field_is_named(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    with pytest.raises(bob.BoardError, match=words):
        bob.read_board(write(tmp_path, task(**change)))


def test_a_wrong_description_beside_is_an_error_that_names_its_field(tmp_path: Path) -> None:
    write(tmp_path, {**META, "release_date": "soon"}, "model_meta.json")

    with pytest.raises(bob.BoardError, match=r"model_meta\.json is no valid MTEB results: release_date"):
        bob.read_board(write(tmp_path, task()))


@pytest.mark.parametrize(
    "payload",
    [
        {"scores": {"test": []}, "task_name": "x"},
        {"scores": [1], "dataset_revision": "", "mteb_version": ""},
        {"name": "model", "release_date": "2024-01-01", "slug": "m"},
        {"results": {"a": {"acc": 1}}, "versions": {}},
        [{"mteb_dataset_name": "x"}],
    ],
)
def test_it_refuses_its_neighbours(tmp_path: Path, payload: Any) -> None:
    assert not FORMAT.recognises(open_document(write(tmp_path, payload)))


def test_the_real_samples_read(shared: Path) -> None:
    folder = shared / "formats" / "mteb"
    board = bob.read_board(folder)
    scores = dict(board.cells.select("benchmark", "score").iter_rows())

    assert (board.models.height, board.benchmarks.height, board.cells.height) == (1, 4, 4)
    assert board.models.select("key", "open_weights").row(0) == ("intfloat/multilingual-e5-small", True)
    assert (scores["NFCorpus"], scores["ArguAna"], scores["Banking77Classification"]) == (
        0.33289,
        0.61524,
        0.8170129870129872,
    )
    subsets = json.loads((folder / "STS22.v2.json").read_text())["scores"]["test"]
    assert scores["STS22.v2"] == pytest.approx(sum(subset["main_score"] for subset in subsets) / 18)
    for name in ("NFCorpus.json", "STS22.v2.json", "external_ArguAna.json", "Banking77Classification.json"):
        assert bob.read_board(folder / name).cells.height == 1
