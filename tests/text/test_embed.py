"""Texts to vectors."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.text.encoder import Encoder, EncoderIdentity
from balance_of_benchmarks.text.wordllama import WordLlamaEncoder

TEXTS = ["Competition mathematics for strong students.", "Customer service with tools.", "maths"]


class Fixed:
    """An encoder that answers with what it was given."""

    identity = EncoderIdentity("fixed", "1")

    def __init__(self, answer: object) -> None:
        self.answer = np.asarray(answer)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return self.answer[: len(texts)] if self.answer.ndim else self.answer


def test_vectors_have_unit_length_and_missing_texts_none() -> None:
    vectors = bob.embed([TEXTS[0], None, TEXTS[1]])

    np.testing.assert_allclose(np.linalg.norm(vectors[[0, 2]], axis=1), 1.0, atol=1e-12)
    assert np.isnan(vectors[1]).all()


def test_a_vector_does_not_depend_on_its_company() -> None:
    together = bob.embed([*TEXTS, "word " * 500])

    for i, text in enumerate(TEXTS):
        assert bob.embed([text])[0].tobytes() == together[i].tobytes()


def test_the_default_encoder_is_an_encoder_and_names_itself() -> None:
    encoder = WordLlamaEncoder()

    assert isinstance(encoder, Encoder)
    assert encoder.identity.name == "wordllama"
    assert encoder.identity.revision
    assert encoder.encode(TEXTS).dtype == np.float32
    assert encoder.encode([]).shape == (0, 256)


def test_loading_it_leaves_logging_alone() -> None:
    code = (
        "import logging, balance_of_benchmarks as bob; before = logging.root.handlers[:], logging.root.level;"
        "bob.embed(['x y']); assert (logging.root.handlers, logging.root.level) == (before[0], before[1])"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert logging.getLogger("balance_of_benchmarks").handlers == []


def test_a_child_forked_while_another_thread_embeds_embeds_too() -> None:
    code = """
import os, threading, balance_of_benchmarks as bob
bob.embed(["a"]); stop = threading.Event()
def work():
    while not stop.is_set(): bob.embed(["word " * 200] * 20)
thread = threading.Thread(target=work); thread.start()
try:
    for _ in range(4):
        child = os.fork()
        if child == 0:
            bob.embed(["b"]); os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
finally:
    stop.set(); thread.join()
"""
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, timeout=120, capture_output=True, check=False)

    assert done.returncode == 0, done.stderr


def test_no_texts_at_all_need_no_encoder() -> None:
    assert np.isnan(bob.embed([None, None], encoder=Fixed([[1.0]]))).all()


def test_an_encoder_or_an_array_of_ones_own_is_taken() -> None:
    vectors = np.array([[3.0, 4.0], [0.0, 2.0]])

    assert bob.embed(["a", "b"], encoder=Fixed(vectors)).tolist() == [[0.6, 0.8], [0.0, 1.0]]
    assert bob.embed(["a", None], encoder=vectors)[0].tolist() == [0.6, 0.8]


@pytest.mark.parametrize(
    ("texts", "encoder", "words"),
    [
        (["a", " "], "wordllama", "text 1 is ' '"),
        ([""], "wordllama", "expected words"),
        ("a text", "wordllama", "expected a list"),
        (["a"], "wordlama", "did you mean 'wordllama'"),
        (["a"], 7, "is not an encoder"),
        (["a", "b"], Fixed([[1.0, 0.0]]), "one finite vector each"),
        (["a"], Fixed([[np.nan, 0.0]]), "one finite vector each"),
        (["a"], Fixed([[0.0, 0.0]]), "no direction for 'a'"),
        (["a", "b"], np.ones((3, 2)), "one finite vector each"),
    ],
)
def test_what_gives_no_direction_is_refused(texts: list[str], encoder: object, words: str) -> None:
    with pytest.raises(bob.EncoderError, match=words):
        bob.embed(texts, encoder=encoder)  # type: ignore[arg-type]
