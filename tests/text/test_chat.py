"""A chat model behind a server that is slow, broken, declines or lies; and answers that are kept."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import balance_of_benchmarks as bob
from balance_of_benchmarks.text.chat import LIMITS, ChatModel, RefusedError
from balance_of_benchmarks.text.prompts import prompt_canonical, prompt_description, prompt_paraphrase
from balance_of_benchmarks.transport.attempts import Limits
from servers import chat as chat_server
from servers.chat import paragraph_of

KEY = "sentinel-key-4711"
QUICK = Limits(timeout=10, retries=2, total=60, first_wait=0)
PROMPT = "Describe AIME."

Open = Callable[..., ChatModel]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Any]:
    with chat_server.serve(tmp_path / "served") as running:
        yield running


@pytest.fixture
def chat(server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    monkeypatch.setenv("BOB_CHAT_KEY", KEY)

    def open_chat(way: str, limits: Limits = QUICK, **others: Any) -> ChatModel:
        return ChatModel(server.url(way), "test-model", folder=tmp_path / "replies", limits=limits, **others)

    return open_chat


def kept_in(folder: Path) -> list[Path]:
    return sorted((folder / "replies").glob("*.json"))


@pytest.mark.parametrize(
    "way", ["plain", "slow", "429x1", "500x2", "503x1", "cut", "drop", "fenced", "quoted", "marked"]
)
def test_a_paragraph_comes_whole_in_the_end(chat: Open, way: str) -> None:
    reply = chat(way).ask(PROMPT)

    assert reply.text.removesuffix("[31m") == paragraph_of(PROMPT)
    assert (reply.model, reply.recalled) == ("test-model-0301", False)


def test_half_a_character_anywhere_in_an_answer_is_kept_as_the_mark_for_none(chat: Open, tmp_path: Path) -> None:
    reply = chat("halved").ask(PROMPT)
    (kept,) = kept_in(tmp_path)

    assert (reply.text, reply.model) == (paragraph_of(PROMPT), "test-\ufffd")
    assert json.loads(kept.read_text(encoding="utf-8"))["response"]["id"] == "\ufffd"
    assert chat("halved").ask(PROMPT).recalled


def test_what_is_asked_is_the_model_and_the_prompt_with_the_key_in_its_header(chat: Open, server: Any) -> None:
    chat("plain").ask(PROMPT)
    (question,) = server.questions()

    assert question["body"] == {"model": "test-model", "messages": [{"role": "user", "content": PROMPT}]}
    assert question["headers"]["authorization"] == f"Bearer {KEY}"
    assert question["path"] == "/plain/v1/chat/completions"


def test_without_a_key_none_is_sent(chat: Open, server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BOB_CHAT_KEY")
    chat("plain").ask(PROMPT)

    assert "authorization" not in server.questions()[0]["headers"]


def test_a_whole_address_is_taken_as_it_is(server: Any, tmp_path: Path) -> None:
    ChatModel(f"{server.url('plain')}/chat/completions/", "test-model", folder=tmp_path).ask(PROMPT)

    assert server.questions()[0]["path"] == "/plain/v1/chat/completions"


# --- answers that are kept -------------------------------------------------------------------------------------


def test_what_was_answered_is_not_asked_again(chat: Open, server: Any) -> None:
    first, second = chat("changing").ask(PROMPT), chat("changing").ask(PROMPT)

    assert len(server.questions()) == 1
    assert (first.recalled, second.recalled) == (False, True)
    assert second == replace(first, recalled=True)


def test_kept_answers_need_no_network(chat: Open, tmp_path: Path, server: Any) -> None:
    first = chat("plain").ask(PROMPT)
    address = server.url("plain")
    dead = ChatModel(address, "test-model", folder=tmp_path / "replies", limits=replace(QUICK, retries=0))
    with chat_server.serve(tmp_path / "other") as other:
        unused = other.port
    gone = ChatModel(f"http://127.0.0.1:{unused}/plain/v1", "test-model", folder=tmp_path, limits=dead._limits)

    assert dead.ask(PROMPT).text == first.text
    assert len(server.questions()) == 1
    with pytest.raises(bob.ChatError, match="cannot be connected to"):
        gone.ask(PROMPT)


def test_it_is_asked_again_when_that_is_asked_for(chat: Open, server: Any) -> None:
    first, second = chat("changing").ask(PROMPT), chat("changing", fresh=True).ask(PROMPT)

    assert len(server.questions()) == 2
    assert first.text != second.text == chat("changing").ask(PROMPT).text


def test_another_model_prompt_or_address_is_another_question(chat: Open, server: Any, tmp_path: Path) -> None:
    digests = {
        chat("plain").ask(PROMPT).digest,
        chat("plain").ask(f"{PROMPT} ").digest,
        chat("slow").ask(PROMPT).digest,
        ChatModel(server.url("plain"), "other", folder=tmp_path / "replies").ask(PROMPT).digest,
    }

    assert len(digests) == 4
    assert {path.stem for path in kept_in(tmp_path)} == digests


def test_an_answer_is_kept_with_what_was_asked_and_when(chat: Open, tmp_path: Path) -> None:
    reply = chat("plain").ask(PROMPT)
    kept = json.loads(kept_in(tmp_path)[0].read_text())

    assert kept["request"]["body"]["messages"][0]["content"] == PROMPT
    assert kept["response"]["choices"][0]["message"]["content"] == reply.text
    assert kept["asked"] == reply.asked


def test_a_refusal_is_kept_too(chat: Open, server: Any) -> None:
    for _ in range(2):
        with pytest.raises(RefusedError, match=r"declines: 'I cannot help with that.'; try again with --fresh"):
            chat("refusing").ask(PROMPT)

    assert len(server.questions()) == 1


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("free-response", "multiple-choice"),
        lambda text: text.replace(PROMPT, "Describe HLE."),
        lambda _: "",
        lambda _: "[]",
        lambda text: text.replace('"asked"', '"when"'),
    ],
)
def test_a_damaged_answer_is_an_error_that_says_what_to_do(
    chat: Open, tmp_path: Path, spoil: Callable[[str], str]
) -> None:
    chat("plain").ask(PROMPT)
    (path,) = kept_in(tmp_path)
    path.write_text(spoil(path.read_text()))

    with pytest.raises(bob.ChatError, match="is damaged: delete it, and it is asked for again"):
        chat("plain").ask(PROMPT)
    path.unlink()
    assert chat("plain").ask(PROMPT).text == paragraph_of(PROMPT)


def test_an_answer_kept_by_another_version_is_not_read(chat: Open, tmp_path: Path) -> None:
    chat("plain").ask(PROMPT)
    (path,) = kept_in(tmp_path)
    path.write_text(path.read_text().replace('"version": 1', '"version": 2'))

    with pytest.raises(bob.ChatError, match="is of version 2, this is 1: delete it"):
        chat("plain").ask(PROMPT)


def test_answers_are_kept_in_the_folder_of_caches(server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOB_CACHE_DIR", str(tmp_path / "caches"))
    reply = ChatModel(server.url("plain"), "test-model").ask(PROMPT)

    assert (tmp_path / "caches" / "replies" / f"{reply.digest}.json").is_file()


def test_a_folder_that_cannot_be_written_is_said(server: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(bob.ChatError, match="set BOB_CACHE_DIR to a folder that can"):
        ChatModel(server.url("plain"), "test-model", folder=tmp_path / "file" / "replies").ask(PROMPT)


# --- faults ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("400", r"answers 400 Bad Request: 'no: Bearer \*'"),
        ("401", "answers 401 Unauthorized: is the key right"),
        ("404", r"answers 404 Not Found .*are the address and the model right"),
        ("429", "answers 429 Too Many Requests and asks to wait 700 s"),
        ("500", "answers 500 Internal Server Error, at attempt 3 of 3"),
        ("no_json", "answers with what is no JSON"),
        ("other_json", r"answers otherwise than /v1/chat/completions does \(choices: Field required\)"),
        ("list", r"answers otherwise than /v1/chat/completions does"),
        ("typed", r"choices.0.message.content: Input should be a valid string"),
        ("deep", r"answers (otherwise than|with JSON nested too deeply|with what is no JSON)"),
        ("moved", "leads elsewhere: give the address it leads to"),
    ],
)
def test_a_service_that_does_not_answer_says_why(chat: Open, way: str, words: str) -> None:
    with pytest.raises(bob.ChatError, match=words) as raised:
        chat(way).ask(PROMPT)

    assert not isinstance(raised.value, RefusedError)
    assert KEY not in str(raised.value)


def test_a_silent_service_is_given_up(chat: Open) -> None:
    with pytest.raises(bob.ChatError, match=r"is silent for 0.3 s, at attempt 2 of 2"):
        chat("stall", Limits(timeout=0.3, retries=1, total=60, first_wait=0)).ask(PROMPT)


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("refusing", "declines: 'I cannot help with that.'"),
        ("sorry", "writes 8 words, no paragraph: \"I'm sorry"),
        ("filtered", "declines: 'its service filtered the answer'"),
        ("cut_off", "was cut off before its end"),
        ("thinking", "writes 0 words, no paragraph"),
        ("void", "writes 0 words"),
        ("choiceless", "answers with no choice"),
        ("essay", r"writes \d+ words, no paragraph: .*…"),
    ],
)
def test_an_answer_that_is_no_paragraph_is_refused(chat: Open, way: str, words: str) -> None:
    with pytest.raises(RefusedError, match=words):
        chat(way).ask(PROMPT)


def test_the_key_is_in_no_file_no_log_and_no_text(chat: Open, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    told: list[str] = []
    reply = chat("echo").ask(PROMPT)
    chat("429x1", tell=told.append).ask(PROMPT)
    for way in ("400", "401", "500"):
        with pytest.raises(bob.ChatError) as raised:
            chat(way, tell=told.append).ask(PROMPT)
        assert KEY not in str(raised.value)

    assert reply.text.endswith("Bearer *")
    assert all(KEY not in path.read_text() for path in kept_in(tmp_path))
    assert told
    assert KEY not in "".join(told) + caplog.text + repr(chat("plain"))


@pytest.mark.parametrize(
    ("url", "model", "words"),
    [
        ("ftp://host/v1", "m", "is no address of the web"),
        ("http://example.org/v1", "m", "is not encrypted, so that the key could be read"),
        ("https://example.org/v1", " ", "is asked for no model"),
        ("https://", "m", "expected one that begins with https"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_it_is(
    monkeypatch: pytest.MonkeyPatch, url: str, model: str, words: str
) -> None:
    monkeypatch.setenv("BOB_CHAT_KEY", KEY)
    with pytest.raises(bob.ChatError, match=words):
        ChatModel(url, model)


def test_a_model_has_time_to_think() -> None:
    assert LIMITS.timeout >= 60


# --- prompts ---------------------------------------------------------------------------------------------------


@given(st.text(min_size=1).map(str.strip).filter(bool))
def test_a_prompt_holds_what_it_is_about(text: str) -> None:
    assert text in prompt_paraphrase(text)
    assert text in prompt_canonical(text)
    assert text in prompt_description({"key": "a"}, text)


@pytest.mark.parametrize(
    "prompt", [prompt_description({"key": "a"}), prompt_paraphrase("It measures."), prompt_canonical("write SQL")]
)
def test_every_prompt_asks_for_the_register(prompt: str) -> None:
    assert "one paragraph of plain English, 2 to 4 sentences and about 40 to 80 words" in prompt


def test_a_description_is_asked_for_with_what_is_known_and_nothing_of_ours() -> None:
    known = {"key": "aime", "name": "AIME", "n_items": 30, "category": None, "lower": 0.0, "track": "maths\nset"}
    prompt = prompt_description(known, " ")

    assert prompt.endswith("Facts:\nName: AIME\nKey: aime\nNumber of items: 30\ntrack: maths set")
    assert "names of models" in prompt
    for facet in ("domain", "abilities", "form its items come", "language"):
        assert facet in prompt


def test_of_a_long_text_the_beginning_is_given() -> None:
    assert len(prompt_description({"key": "a"}, "x" * 100_000)) < 22_000
