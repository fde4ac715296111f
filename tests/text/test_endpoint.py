"""An OpenAI-compatible service on loopback, in a process of its own: good answers, bad ones, and none."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from balance_of_benchmarks.errors import EncoderError
from balance_of_benchmarks.text.endpoint import EndpointEncoder
from balance_of_benchmarks.text.registry import find_encoder
from balance_of_benchmarks.transport.attempts import Limits

TEXTS = [f"Text number {n}, of no great length." for n in range(10)]
KEY = "sentinel-key-4711"
QUICK = Limits(timeout=10, retries=2, total=60, first_wait=0)

VectorOf = Callable[..., list[float]]
Ask = Callable[..., EndpointEncoder]


@pytest.fixture
def ask(service: Any) -> Ask:
    def make(way: str, limits: Limits = QUICK, **others: Any) -> EndpointEncoder:
        url, _, model = service.name(way).partition("#")
        return EndpointEncoder(url, model, limits=limits, **others)

    return make


def expect(vector_of: VectorOf, texts: list[str] = TEXTS) -> np.ndarray:
    return np.array([vector_of(text) for text in texts])


@pytest.mark.parametrize("way", ["plain", "shuffled", "long", "429x2", "500x2", "503x1", "cut", "drop", "slow"])
def test_every_text_gets_its_own_unit_vector_in_the_end(ask: Ask, vector_of: VectorOf, way: str) -> None:
    vectors = ask(way).encode(TEXTS)

    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, expect(vector_of), atol=1e-7)


def test_texts_are_asked_for_in_batches_and_answered_in_order(ask: Ask, service: Any, vector_of: VectorOf) -> None:
    vectors = ask("shuffled", batch=4).encode(TEXTS)

    np.testing.assert_allclose(vectors, expect(vector_of), atol=1e-7)
    assert [question["body"]["input"] for question in service.questions()] == [TEXTS[:4], TEXTS[4:8], TEXTS[8:]]
    assert {question["body"]["model"] for question in service.questions()} == {"test-model"}


def test_no_texts_are_not_asked_for(ask: Ask, service: Any) -> None:
    assert ask("plain").encode([]).shape == (0, 0)
    assert service.questions() == []


@pytest.mark.parametrize(
    ("way", "words", "asked"),
    [
        ("500", "answers 500 Internal Server Error, at attempt 3 of 3", 3),
        ("429", "answers 429 Too Many Requests and asks to wait 700 s", 1),
        ("401", r"answers 401 Unauthorized: is the key right", 1),
        ("404", r"answers 404 Not Found \('no: no key'\): are the address and the model right", 1),
        ("400", r"answers 400 Bad Request: 'no: no key'", 1),
        ("moved", "leads elsewhere", 1),
        ("narrower", "vectors of 7, 8 dimensions", 1),
        ("short", "10 texts with 9 vectors", 1),
        ("twice", "each from 0 to 9 once", 1),
        ("unnumbered", r"data.0.index: Field required", 1),
        ("words", r"data.0.embedding.0: Input should be a valid number", 1),
        ("nan", "one finite vector each", 1),
        ("zero", "no direction for 'Text number 0", 1),
        ("empty", "vectors of 0 dimensions", 1),
        ("no_json", "no JSON", 1),
        ("other_json", r"\(data: Field required\)", 1),
    ],
)
def test_what_is_no_answer_is_one_error_after_as_many_attempts_as_make_sense(
    ask: Ask, service: Any, way: str, words: str, asked: int
) -> None:
    with pytest.raises(EncoderError, match=words) as caught:
        ask(way).encode(TEXTS)

    assert f"127.0.0.1:{service.port}" in str(caught.value)
    assert len(service.questions()) == asked


def test_a_width_that_changes_between_answers_is_refused(ask: Ask) -> None:
    with pytest.raises(EncoderError, match="vectors of 8, 9 dimensions"):
        ask("changing", batch=5).encode(TEXTS)


def test_silence_ends_an_attempt(ask: Ask, service: Any) -> None:
    with pytest.raises(EncoderError, match=r"is silent for 0\.2 s, at attempt 2 of 2"):
        ask("stall", Limits(timeout=0.2, retries=1, first_wait=0)).encode(TEXTS)
    assert len(service.questions()) == 2


def test_all_of_it_has_a_bound(ask: Ask) -> None:
    with pytest.raises(EncoderError, match=r"too slow, and the 0\.1 s allowed"):
        ask("slow", Limits(timeout=10, retries=3, total=0.1, first_wait=0.2)).encode(TEXTS)


def test_an_answer_beyond_the_bound_is_not_taken(ask: Ask) -> None:
    with pytest.raises(EncoderError, match="more than 1,000 bytes"):
        ask("huge", Limits(timeout=10, retries=0, most_bytes=1000)).encode(TEXTS)


def test_nobody_there_is_said() -> None:
    with pytest.raises(EncoderError, match="cannot be connected to"):
        EndpointEncoder("http://127.0.0.1:9", "m", limits=Limits(retries=0)).encode(TEXTS)


def test_why_it_is_asked_again_is_told(ask: Ask) -> None:
    told: list[str] = []
    ask("429x1", tell=told.append).encode(TEXTS)

    assert len(told) == 1
    assert "answers 429 Too Many Requests: attempt 2 of 3" in told[0]


def test_the_key_goes_along_and_into_no_error_log_identity_or_cache(
    service: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, caches: Any
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("BOB_EMBEDDINGS_KEY", KEY)
    said = []
    for way in ("401", "400", "404", "moved", "429"):
        encoder = find_encoder(service.name(way))
        with pytest.raises(EncoderError) as caught:
            encoder.encode(TEXTS)
        assert caught.value.__cause__ is None
        said.append(f"{caught.value} {caught.value!r} {encoder!r} {encoder.identity!r}")
    find_encoder(service.name("plain")).encode(TEXTS)
    kept = "".join(path.read_text() for path in caches.rglob("*") if path.is_file())

    assert {question["headers"]["authorization"] for question in service.questions()} == {f"Bearer {KEY}"}
    assert "'no: Bearer *'" in said[1]
    assert "Text number 3" in kept
    assert KEY not in "".join(said) + caplog.text + kept


def test_a_password_and_a_query_are_not_part_of_the_identity_in_the_open(service: Any) -> None:
    encoder = find_encoder(f"http://user:{KEY}@127.0.0.1:{service.port}/plain/v1?api-version={KEY}#m")

    assert KEY not in repr(encoder.identity)
    assert encoder.encode(["a text"]).shape == (1, 8)
    assert service.questions()[0]["path"] == f"/plain/v1/embeddings?api-version={KEY}"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("http://127.0.0.1/v1", "asked for no model"),
        ("https://#m", "names a host"),
        ("ftp://host/v1#m", "no address of the web"),
        ("http://[::1#m", "cannot be understood"),
    ],
)
def test_an_address_that_cannot_be_asked_is_refused_at_once(name: str, words: str) -> None:
    with pytest.raises(EncoderError, match=words):
        find_encoder(name)


def test_a_key_does_not_travel_in_the_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOB_EMBEDDINGS_KEY", KEY)
    with pytest.raises(EncoderError, match="not encrypted") as caught:
        find_encoder("http://example.org/v1#m")
    assert KEY not in str(caught.value)


def test_it_can_be_asked_from_within_an_event_loop_as_a_notebook_has_one(ask: Ask, vector_of: VectorOf) -> None:
    async def cell() -> np.ndarray:
        return ask("plain").encode(TEXTS)

    np.testing.assert_allclose(asyncio.run(cell()), expect(vector_of), atol=1e-7)


def test_a_model_whose_vectors_depend_on_company_is_refused_and_taken_one_by_one(
    service: Any, vector_of: VectorOf
) -> None:
    with pytest.raises(EncoderError, match=r"another vector for the same text in other company.*--batch 1"):
        find_encoder(service.name("company")).encode(TEXTS)

    vectors = find_encoder(service.name("company"), batch=1).encode(TEXTS)
    np.testing.assert_allclose(vectors, expect(vector_of), atol=1e-7)


def test_vectors_can_be_shortened_and_are_unit_vectors_again(service: Any, vector_of: VectorOf) -> None:
    encoder = find_encoder(service.name("plain"), dim=3)
    short = expect(vector_of)[:, :3]

    np.testing.assert_allclose(encoder.encode(TEXTS), short / np.linalg.norm(short, axis=1, keepdims=True), atol=1e-7)
    assert ("dim", "3") in encoder.identity.options
    with pytest.raises(EncoderError, match="has 8 dimensions: they cannot be reduced to 9"):
        find_encoder(service.name("plain"), dim=9).encode(TEXTS)
    assert math.isclose(float(np.linalg.norm(encoder.encode(TEXTS)[0])), 1.0, abs_tol=1e-6)
