"""Texts and vectors from files, and our own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.errors import BobError, EncoderError
from balance_of_benchmarks.paper.protocol import BENCHMARKS, SENTENCES, WORDS
from balance_of_benchmarks.paper.published import read_published
from balance_of_benchmarks.paper.texts import OWN_TASKS, PaperTexts, TaskText, own_texts, pick_vectors, read_texts
from balance_of_benchmarks.text.vectors import VectorFile, read_vectors


@pytest.fixture
def texts() -> PaperTexts:
    tasks = {"coach": TaskText("Coach pupils.", "The system coaches pupils.")}
    return PaperTexts("two texts", {"a": "Text a.", "b": "Text b."}, {"a": "Another a."}, tasks)


def save(path: Path, vectors: Mapping[str, Sequence[float]]) -> None:
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **{name: np.array(value) for name, value in vectors.items()})


def write(path: Path, content: object) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_a_file_of_texts_is_read(tmp_path: Path) -> None:
    file = write(
        tmp_path / "t.json",
        {
            "benchmarks": {
                "a": {"name": "A", "description": "One.", "paraphrase": "Uno."},
                "b": {"description": "Two."},
            },
            "queries": {"coach": {"query": "Coach.", "canonical": "It coaches."}},
        },
    )
    read = read_texts(file)

    assert read.descriptions == {"a": "One.", "b": "Two."}
    assert read.paraphrases == {"a": "Uno."}
    assert read.tasks == {"coach": TaskText("Coach.", "It coaches.")}
    assert read.source == "the descriptions of t.json"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "the file: Invalid JSON"),
        ({"queries": {}}, "benchmarks: Field required"),
        ({"benchmarks": {"a": {"description": 3}}}, "benchmarks.a.description"),
        ({"benchmarks": {}, "queries": {"x": {"query": "q"}}}, "queries.x.canonical"),
    ],
)
def test_a_file_of_another_shape_is_refused_by_its_place(tmp_path: Path, content: object, message: str) -> None:
    with pytest.raises(BobError, match=message):
        read_texts(write(tmp_path / "t.json", content))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BobError, match="cannot be read"):
        read_texts(tmp_path / "none.json")


def pick(path: Path, texts: PaperTexts) -> VectorFile:
    return pick_vectors(read_vectors(path), texts)


def test_vectors_are_found_by_their_text_and_no_other_is_known(tmp_path: Path, texts: PaperTexts) -> None:
    vectors = {"description/a": [1.0, 0.0], "description/b": [0.0, 1.0], "query/coach": [0.6, 0.8]}
    save(tmp_path / "v.npz", vectors)
    encoder = pick(tmp_path / "v.npz", texts)

    np.testing.assert_array_equal(encoder.encode(["Text b.", "Coach pupils."]), [[0.0, 1.0], [0.6, 0.8]])
    with pytest.raises(EncoderError, match="1 of 2 texts"):
        encoder.encode(["Text a.", "Another a."])


def test_a_description_without_a_vector_is_refused(tmp_path: Path, texts: PaperTexts) -> None:
    save(tmp_path / "v.npz", {"description/a": [1.0] * 2})
    with pytest.raises(BobError, match="description/b"):
        pick(tmp_path / "v.npz", texts)


def test_our_own_texts_are_of_the_fourteen_and_the_papers_five_tasks() -> None:
    own = own_texts()
    tasks = {place[1] for place in (one.place for one in read_published()) if place[0] == "queries" and place[1]}

    assert set(own.descriptions) == set(BENCHMARKS)
    assert set(own.tasks) == tasks


@pytest.mark.parametrize("task", sorted(OWN_TASKS))
def test_our_canonical_tasks_keep_the_register(task: str) -> None:
    canonical = OWN_TASKS[task].canonical
    assert SENTENCES[0] <= len(re.findall(r"[.](?:\s|$)", canonical)) <= SENTENCES[1]
    assert WORDS[0] <= len(canonical.split()) <= WORDS[1]
    assert len(OWN_TASKS[task].query.split()) < len(canonical.split())


def test_our_words_are_not_the_papers(shared: Path) -> None:
    def runs(text: str, length: int = 8) -> set[tuple[str, ...]]:
        words = re.findall(r"[a-z0-9]+", text.lower())
        return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}

    theirs, own = read_texts(shared / "paper" / "texts.json"), own_texts()
    printed = set().union(
        *(runs(text) for text in (*theirs.descriptions.values(), *theirs.paraphrases.values())),
        *(runs(task.query) | runs(task.canonical) for task in theirs.tasks.values()),
    )
    for text in (*own.descriptions.values(), *(t for task in own.tasks.values() for t in (task.query, task.canonical))):
        assert not runs(text) & printed, text


def test_a_file_of_the_encoders_own_vectors_changes_no_ranking(tmp_path: Path, demo: bob.Board) -> None:
    texts = own_texts()
    named = {f"description/{key}": text for key, text in texts.descriptions.items()}
    named |= {f"canonical/{name}": task.canonical for name, task in texts.tasks.items()}
    vectors = bob.embed(list(named.values()))
    save(tmp_path / "v.npz", dict(zip(named, vectors.tolist(), strict=True)))
    of_file = bob.BalanceOfBenchmarks(encoder=pick(tmp_path / "v.npz", texts), bandwidth=0.45).fit(demo)
    of_encoder = bob.BalanceOfBenchmarks(bandwidth=0.45).fit(demo)
    task = texts.tasks["math_competition_coach"].canonical

    np.testing.assert_allclose(of_file.space_.weights, of_encoder.space_.weights, atol=1e-12)
    assert of_file.rank_for(task).table["model"].to_list() == of_encoder.rank_for(task).table["model"].to_list()
