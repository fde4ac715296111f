"""`bob describe` and `bob rank --canonical` with a language model on loopback, run as a user runs them."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.text.prompts import prompt_canonical
from servers import chat
from servers.chat import paragraph_of

Run = Callable[..., "subprocess.CompletedProcess[str]"]
KEY = "sentinel-key-4711"
QUICK = ("--wait", "0", "--retries", "1", "--timeout", "20")
TASK = "answer customers with tools"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Any]:
    with chat.serve(tmp_path / "served") as running:
        yield running


@pytest.fixture
def ask(run: Run, tmp_path: Path, server: Any) -> Run:
    """Run with a folder of caches of this test's own, no model but the one given, and a key."""

    def run_bob(*arguments: str, way: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        model = () if way is None else ("--chat-url", server.url(way), "--chat-model", "test-model", *QUICK)
        names = {"BOB_CHAT_URL": "", "BOB_CHAT_MODEL": "", "BOB_CHAT_KEY": KEY, **environment}
        done = run(*arguments, *model, BOB_CACHE_DIR=str(tmp_path / "caches"), **names)
        assert KEY not in done.stdout + done.stderr
        return done

    return run_bob


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "board"
    path.mkdir()
    rows = [f"m{i},{key},{0.3 + i / 20:g}" for i in range(8) for key in ("algebra", "chat", "law")]
    (path / "scores.csv").write_text("model,benchmark,score\n" + "\n".join(rows) + "\n")
    (path / "benchmarks.csv").write_text('key,description\nalgebra,"Equations to be solved."\n')
    return path


# --- bob describe ----------------------------------------------------------------------------------------------


def test_a_folder_gets_the_texts_it_lacks_frozen(ask: Run, folder: Path, server: Any) -> None:
    done = ask("describe", str(folder), way="500x1")
    board = bob.read_board(folder)
    records = [json.loads(line) for line in (folder / "descriptions.jsonl").read_text().splitlines()]

    assert done.returncode == 0, done.stderr
    assert "5 texts, 0 of them kept from before; 0 not written" in done.stdout
    assert f"written to {folder}" in done.stderr
    assert board.benchmarks["description"].null_count() == 0
    assert [record["text"] for record in records] == [paragraph_of(record["prompt"]) for record in records]
    assert KEY not in "".join(path.read_text() for path in folder.iterdir())
    assert all(question["headers"]["authorization"] == f"Bearer {KEY}" for question in server.questions())

    again = ask("describe", str(folder), way="500x1")
    assert "every benchmark asked for has its texts" not in again.stdout
    assert "0 texts" in again.stdout
    assert len(server.questions()) == 6, "five texts, the first of them twice"


def test_kept_answers_describe_a_copy_of_the_board_without_asking_again(
    ask: Run, folder: Path, tmp_path: Path, server: Any
) -> None:
    (tmp_path / "copy").mkdir()
    for path in folder.iterdir():
        (tmp_path / "copy" / path.name).write_bytes(path.read_bytes())
    first = ask("describe", str(folder), "--no-paraphrase", "--key", "law", way="plain")
    done = ask("describe", str(tmp_path / "copy"), "--no-paraphrase", "--key", "law", way="plain")

    assert first.returncode == done.returncode == 0
    assert "1 texts, 1 of them kept from before" in done.stdout
    assert len(server.questions()) == 1
    assert (tmp_path / "copy" / "benchmarks.csv").read_text().count("free-response") == 1


def test_a_run_that_is_killed_half_way_is_gone_on_with(
    start: Callable[..., subprocess.Popen[str]], ask: Run, folder: Path, tmp_path: Path, server: Any
) -> None:
    arguments = ["describe", str(folder), "--chat-url", server.url("slow"), "--chat-model", "test-model"]
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    replies = tmp_path / "caches" / "replies"
    with start(*arguments, BOB_CACHE_DIR=str(tmp_path / "caches"), BOB_CHAT_KEY=KEY) as process:
        while len(list(replies.glob("*.json"))) < 2:
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
    kept = len(list(replies.glob("*.json")))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before, "all texts of a run or none"

    done = ask("describe", str(folder), way="slow")

    assert f"5 texts, {kept} of them kept from before; 0 not written" in done.stdout
    assert len(server.questions()) <= 6, "what was under way when it was killed is asked twice"
    assert bob.read_board(folder).benchmarks["paraphrase"].null_count() == 0


def test_a_board_that_is_no_folder_is_described_by_a_table(ask: Run, folder: Path, tmp_path: Path) -> None:
    scores = str(folder / "scores.csv")
    done = ask("describe", scores, "--no-paraphrase", "-f", "csv", way="plain")
    (tmp_path / "texts.csv").write_text(done.stdout)
    board = bob.read_board(scores, benchmarks=tmp_path / "texts.csv")

    assert "can be given to --benchmarks" in done.stderr
    assert board.benchmarks["description"].null_count() == 0
    assert not (folder / "descriptions.jsonl").exists()


def test_without_a_model_prompts_are_printed_to_paste(ask: Run, folder: Path, server: Any, tmp_path: Path) -> None:
    (tmp_path / "law.md").write_text("# Law\nQuestions of the bar exam.")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = ask("describe", str(folder), "--about", f"law={tmp_path / 'law.md'}")
    dry = ask("describe", str(folder), "--dry-run", "-f", "json", way="plain")

    assert "=== law: description ===" in done.stdout
    assert "Questions of the bar exam." in done.stdout
    assert "(asked once the description is there)" in done.stdout
    assert "no language model is named: paste these" in done.stderr
    assert [prompt["of"] for prompt in json.loads(dry.stdout)["prompts"]] == ["algebra", "chat", "chat", "law", "law"]
    assert (done.returncode, dry.returncode, server.questions()) == (0, 0, [])
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_texts_that_a_model_declines_are_told_and_leave_with_one(ask: Run, folder: Path) -> None:
    done = ask("describe", str(folder), "-f", "json", way="picky")
    answer = json.loads(done.stdout)

    assert done.returncode == 1
    assert [text["benchmark"] for text in answer["written"]] == ["algebra", "law"]
    assert "declines" in answer["failed"][0]["reason"]
    assert bob.read_board(folder).benchmarks["description"].null_count() == 1


@pytest.mark.parametrize(
    ("arguments", "way", "words"),
    [
        ([], "401", "answers 401 Unauthorized: is the key right"),
        ([], "503", "answers 503 Service Unavailable, at attempt 2 of 2"),
        ([], "no_json", "answers with what is no JSON"),
        (["--key", "lwa"], None, "'lwa' is not among the board's benchmarks; did you mean 'law'?"),
        (["--about", "law"], None, "expected a benchmark's key and a file"),
        (["--about", "law=none.md"], None, "the text on law cannot be read: none.md"),
        (["--chat-model", "m"], None, "give --chat-url too, or set BOB_CHAT_URL"),
        (["--chat-url", "https://host/v1"], None, "give --chat-model too, or set BOB_CHAT_MODEL"),
        (["--chat-url", "http://example.org/v1", "--chat-model", "m"], None, "is not encrypted"),
        (
            ["--timeout", "-1", "--chat-url", "https://host/v1", "--chat-model", "m"],
            None,
            "expected seconds, 0 or more",
        ),
    ],
)
def test_what_cannot_be_written_is_one_line(
    ask: Run, folder: Path, arguments: list[str], way: str | None, words: str
) -> None:
    done = ask("describe", str(folder), *arguments, way=way)

    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "descriptions.jsonl").exists()


# --- bob rank --canonical --------------------------------------------------------------------------------------


def test_the_canonical_text_is_shown_used_and_kept(ask: Run, server: Any) -> None:
    arguments = ("rank", "demo", "--bandwidth", "0.45", "--task", TASK, "--canonical", "-f", "json")
    first, second = ask(*arguments, way="changing"), ask(*arguments, way="changing")
    text = json.loads(first.stdout)["task"]["text"]

    assert text.startswith(paragraph_of(prompt_canonical(TASK)))
    assert second.stdout == first.stdout
    assert len(server.questions()) == 1
    assert "canonical text by test-model-0301, written 2" in first.stderr
    assert "canonical text by test-model-0301, kept from 2" in second.stderr


def test_the_environment_names_a_model_too(ask: Run, server: Any) -> None:
    done = ask(
        *("rank", "demo", "--bandwidth", "0.45", "--task", TASK, "--canonical", "-f", "json"),
        BOB_CHAT_URL=server.url("plain"),
        BOB_CHAT_MODEL="test-model",
    )

    assert json.loads(done.stdout)["task"]["text"] == paragraph_of(prompt_canonical(TASK))


def test_a_dry_run_prints_the_prompt_and_asks_nobody(ask: Run, server: Any) -> None:
    done = ask("rank", "demo", "--task", TASK, "--canonical", "--dry-run", way="plain")

    assert prompt_canonical(TASK) in done.stdout
    assert server.questions() == []


@pytest.mark.parametrize(
    ("arguments", "way", "words"),
    [
        (["--task", TASK, "--canonical"], None, "--canonical needs a language model"),
        (["--canonical"], "plain", "--canonical changes a task's text"),
        (["--task", TASK, "--dry-run"], "plain", "give --task and --canonical too"),
        (["--task", TASK, "--canonical"], "refusing", "declines: 'I cannot help with that.'"),
        (["--task", TASK, "--canonical"], "500", "answers 500 Internal Server Error"),
    ],
)
def test_a_task_that_cannot_be_rewritten_is_an_error(
    ask: Run, arguments: list[str], way: str | None, words: str
) -> None:
    done = ask("rank", "demo", *arguments, way=way)

    assert done.returncode == 2
    assert words in done.stderr
    assert done.stdout == ""
