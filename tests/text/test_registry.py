"""Encoders by name, and those that need no model."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

import balance_of_benchmarks as bob
from balance_of_benchmarks.text.encoder import Encoder, EncoderIdentity
from balance_of_benchmarks.text.keeping import KeptEncoder
from balance_of_benchmarks.text.local import PRESETS, LocalEncoder
from balance_of_benchmarks.text.ngrams import NgramEncoder
from balance_of_benchmarks.text.registry import ENCODERS, find_encoder

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize("name", [*ENCODERS, f"local:maker/model@{COMMIT}", "https://host/v1#model"])
def test_every_name_gives_an_encoder_with_an_identity_before_anything_is_loaded(name: str) -> None:
    encoder = find_encoder(name)

    assert isinstance(encoder, Encoder)
    assert encoder.identity == find_encoder(name).identity


def test_the_papers_encoders_are_pinned() -> None:
    sizes = {name: preset.model for name, preset in PRESETS.items()}

    assert sizes == {f"qwen3-{size.lower()}": f"Qwen/Qwen3-Embedding-{size}" for size in ("8B", "4B", "0.6B")}
    for name, preset in PRESETS.items():
        assert len(preset.revision) == 40
        assert find_encoder(name).identity == EncoderIdentity(name, preset.revision, (("max_length", "1024"),))


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("qwen-8b", {}, "did you mean 'qwen3-8b'"),
        ("word", {}, "local:FOLDER, https://HOST"),
        ("local:", {}, "has no name"),
        ("local:/no/such/folder", {}, "there is no folder /no/such/folder"),
        ("wordllama", {"dim": 1}, "expected 2 or more"),
        ("wordllama", {"batch": 0}, "expected 1 text or more"),
        ("wordllama", {"batch": 8}, "wordllama encodes no batches"),
        (7, {}, "a int is not an encoder"),
    ],
)
def test_what_is_no_encoder_is_refused(name: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(bob.EncoderError, match=words):
        find_encoder(name, **options)


@pytest.mark.parametrize("name", ["qwen3-0.6b", f"local:maker/model@{COMMIT}"])
def test_without_the_extra_a_local_model_is_refused_with_what_to_install(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("balance_of_benchmarks.text.local.find_spec", lambda _: None)
    with pytest.raises(
        bob.EncoderError, match=r"needs torch, sentence_transformers, .* 'balance-of-benchmarks\[local\]'"
    ):
        bob.embed(["a text"], encoder=name)


def test_a_folder_with_a_model_is_known_by_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "weights").write_bytes(b"1")
    first = LocalEncoder(str(folder)).identity
    (folder / "weights").write_bytes(b"2")
    other = LocalEncoder(str(folder)).identity

    assert first.name == other.name == "local:model"
    assert first.revision != other.revision
    assert str(tmp_path) not in repr(first)
    with pytest.raises(bob.EncoderError, match="is a folder: it has no revision"):
        find_encoder(f"local:{folder}@main")


def test_a_folder_is_not_read_before_it_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> str:
        raise AssertionError

    monkeypatch.setattr("balance_of_benchmarks.text.local._digest_folder", refuse)
    find_encoder(f"local:{tmp_path}")


def test_only_what_is_dear_to_encode_is_kept_unless_asked_for(tmp_path: Path) -> None:
    assert not isinstance(find_encoder("wordllama"), KeptEncoder)
    assert not isinstance(find_encoder("ngrams"), KeptEncoder)
    assert isinstance(find_encoder("wordllama", cache=tmp_path), KeptEncoder)
    assert isinstance(find_encoder("ngrams", frozen=True), KeptEncoder)
    assert isinstance(find_encoder("qwen3-8b"), KeptEncoder)
    assert isinstance(find_encoder("https://host/v1#model"), KeptEncoder)


def test_an_estimator_with_an_encoder_can_be_cloned() -> None:
    for name in ("qwen3-8b", "https://host/v1#model", "wordllama"):
        encoder = find_encoder(name)
        assert clone(bob.BalanceOfBenchmarks(encoder=encoder)).encoder.identity == encoder.identity


def test_the_name_of_an_encoder_takes_no_time_to_look_up() -> None:
    code = (
        "import sys, balance_of_benchmarks as bob; bob.find_encoder('qwen3-8b').identity;"
        "sys.exit(any(m in sys.modules for m in ('torch', 'sentence_transformers', 'huggingface_hub', 'wordllama')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_shorter_default_is_another_encoder_and_not_calibrated(demo: bob.Board) -> None:
    whole, short = find_encoder("wordllama", dim=256), find_encoder("wordllama", dim=128)

    assert whole.identity == find_encoder("wordllama").identity != short.identity
    assert short.encode(["a text", "another"]).shape == (2, 128)
    answer = bob.BalanceOfBenchmarks(encoder=short, bandwidth=0.45).fit(demo).rank_for("maths olympiads")
    assert answer.threshold is None
    assert bob.BalanceOfBenchmarks(encoder=whole, bandwidth=0.45).fit(demo).rank_for("maths olympiads").threshold


def test_ngrams_see_spelling_and_no_meaning() -> None:
    vectors = bob.embed(["Solve algebra problems.", "SOLVE  algebra\nproblem", "Refund a customer's order."], "ngrams")
    likeness = vectors @ vectors.T

    assert likeness[0, 1] > 0.8
    assert likeness[0, 2] < 0.2


def test_ngrams_are_the_same_in_every_process() -> None:
    code = (
        "import hashlib, balance_of_benchmarks as bob;"
        "print(hashlib.sha256(bob.find_encoder('ngrams').encode(['Text', 'ÄÖÜ']).tobytes()).hexdigest())"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }

    assert len(runs) == 1


@given(st.lists(st.text(min_size=1, max_size=80).filter(lambda text: text.strip()), min_size=1, max_size=6))
def test_ngrams_of_any_text_are_one_unit_vector_whatever_its_company(texts: list[str]) -> None:
    vectors = NgramEncoder().encode(texts)

    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    for text, vector in zip(texts, vectors, strict=True):
        assert NgramEncoder().encode([text])[0].tobytes() == vector.tobytes()
