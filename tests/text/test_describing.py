"""Texts that benchmarks lack: planned, written, frozen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.text.chat import ChatModel
from balance_of_benchmarks.text.describing import RECORDS, freeze_texts, plan_texts, write_texts
from balance_of_benchmarks.text.prompts import prompt_paraphrase
from balance_of_benchmarks.transport.attempts import Limits
from servers import chat as chat_server
from servers.chat import paragraph_of


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Any]:
    with chat_server.serve(tmp_path / "served") as running:
        yield running


def ask(server: Any, way: str, tmp_path: Path) -> ChatModel:
    limits = Limits(timeout=10, retries=0, total=60, first_wait=0)
    return ChatModel(server.url(way), "test-model", folder=tmp_path / "replies", limits=limits)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A board's folder, made by hand: three benchmarks, one of them described."""
    path = tmp_path / "board"
    path.mkdir()
    rows = [f"m{i},{key},{0.3 + i / 20:g}" for i in range(6) for key in ("algebra", "chat", "law")]
    (path / "scores.csv").write_text("model,benchmark,score\n" + "\n".join(rows) + "\n")
    (path / "benchmarks.csv").write_text(
        'key,name,description,track\nalgebra,Algebra,"Equations, to be solved.",maths\nchat,Chat,  ,\n'
    )
    return path


def test_what_lacks_a_text_is_planned_with_its_prompt(folder: Path) -> None:
    plan = plan_texts(bob.read_board(folder), about={"law": "Questions of the bar exam."})

    assert [(one.benchmark, one.column) for one in plan] == [
        *(("algebra", "paraphrase"), ("chat", "description"), ("chat", "paraphrase")),
        *(("law", "description"), ("law", "paraphrase")),
    ]
    assert plan[0].prompt == prompt_paraphrase("Equations, to be solved.")
    assert plan[2].prompt is None
    assert "Questions of the bar exam." in str(plan[3].prompt)


def test_the_plan_can_be_narrowed(folder: Path) -> None:
    plan = plan_texts(bob.read_board(folder), keys=["law"], paraphrase=False)

    assert [(one.benchmark, one.column) for one in plan] == [("law", "description")]


@pytest.mark.parametrize("options", [{"keys": ["lwa"]}, {"about": {"lwa": "x"}}])
def test_a_key_that_is_not_there_is_named(folder: Path, options: dict[str, Any]) -> None:
    with pytest.raises(bob.BoardError, match="'lwa' is not among the board's benchmarks; did you mean 'law'"):
        plan_texts(bob.read_board(folder), **options)


def test_a_board_with_all_its_texts_needs_none(demo: bob.Board) -> None:
    full = replace(demo, benchmarks=demo.benchmarks.with_columns(paraphrase=pl.col("description")))

    assert plan_texts(full) == ()


def test_paraphrases_are_of_the_descriptions_just_written(folder: Path, server: Any, tmp_path: Path) -> None:
    plan, seen = plan_texts(bob.read_board(folder)), list[tuple[int, int]]()
    written = write_texts(plan, ask(server, "plain", tmp_path), progress=lambda done, total: seen.append((done, total)))
    texts = {(text.benchmark, text.column): text for text in written.texts}

    assert plan[3].prompt is not None
    assert texts["law", "description"].text == paragraph_of(plan[3].prompt)
    assert texts["law", "paraphrase"].prompt == prompt_paraphrase(texts["law", "description"].text)
    assert (len(written.texts), written.recalled, written.failed) == (5, 0, ())
    assert seen == [(done, 5) for done in range(6)]


def test_texts_are_frozen_with_model_date_and_prompt(folder: Path, server: Any, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    written = write_texts(plan_texts(bob.read_board(folder)), ask(server, "plain", tmp_path))
    freeze_texts(folder, written.texts)
    board = bob.read_board(folder)
    records = [json.loads(line) for line in (folder / RECORDS).read_text().splitlines()]

    assert board.benchmarks["description"].null_count() == board.benchmarks["paraphrase"].null_count() == 0
    assert board.benchmarks["description"][0] == "Equations, to be solved."
    assert board.benchmarks["track"].to_list() == ["maths", None, None]
    assert [(record["benchmark"], record["column"]) for record in records] == [
        (text.benchmark, text.column) for text in written.texts
    ]
    assert set(records[0]) == {"benchmark", "column", "text", "model", "asked", "prompt", "digest"}
    assert records[0]["model"] == "test-model-0301"
    assert (folder / "scores.csv").read_bytes() == before["scores.csv"]
    assert {path.name for path in folder.iterdir()} == {*before, RECORDS}


def test_what_is_there_is_never_replaced(folder: Path, server: Any, tmp_path: Path) -> None:
    written = write_texts(plan_texts(bob.read_board(folder)), ask(server, "plain", tmp_path))
    freeze_texts(folder, written.texts)
    frozen = {path.name: path.read_bytes() for path in folder.iterdir()}
    freeze_texts(folder, [replace(text, text="Another text.") for text in written.texts])

    assert {path.name: path.read_bytes() for path in folder.iterdir()} == frozen
    assert plan_texts(bob.read_board(folder)) == ()


def test_a_second_board_is_described_from_what_is_kept(folder: Path, server: Any, tmp_path: Path) -> None:
    plan = plan_texts(bob.read_board(folder))
    first = write_texts(plan, ask(server, "plain", tmp_path))
    asked = len(server.questions())
    second = write_texts(plan, ask(server, "plain", tmp_path))

    assert second.texts == first.texts
    assert (second.recalled, len(server.questions())) == (5, asked)


def test_a_model_that_declines_costs_one_text_and_not_the_others(folder: Path, server: Any, tmp_path: Path) -> None:
    written = write_texts(plan_texts(bob.read_board(folder)), ask(server, "picky", tmp_path))

    assert [(text.benchmark, text.column) for text in written.texts] == [
        *(("algebra", "paraphrase"), ("law", "description")),
    ]
    whys = {(one.benchmark, one.column): why for one, why in written.failed}
    assert "declines" in whys["chat", "description"]
    assert whys["chat", "paraphrase"] == "its description was not written"
    assert "declines" in whys["law", "paraphrase"]


def test_what_came_before_a_service_died_is_not_asked_again(folder: Path, server: Any, tmp_path: Path) -> None:
    plan = plan_texts(bob.read_board(folder))
    chat = ask(server, "dying", tmp_path)
    for _ in range(2):
        with pytest.raises(bob.ChatError, match="503 Service Unavailable"):
            write_texts(plan, chat)

    assert len(server.questions()) == 4, "two answers, and the third question twice"


def test_a_record_that_was_cut_short_is_not_written_behind(folder: Path, server: Any, tmp_path: Path) -> None:
    written = write_texts(plan_texts(bob.read_board(folder)), ask(server, "plain", tmp_path))
    (folder / RECORDS).write_text('{"benchmark": "alg')

    with pytest.raises(bob.BoardError, match="does not end in a line break"):
        freeze_texts(folder, written.texts)


def test_no_texts_change_no_file(folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    freeze_texts(folder, [])

    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
