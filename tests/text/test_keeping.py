"""Vectors kept: found again bit for bit, refused when frozen and new, whole whatever happens, never wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.errors import EncoderError
from balance_of_benchmarks.text.encoder import EncoderIdentity
from balance_of_benchmarks.text.keeping import KeptEncoder, VectorCache
from balance_of_benchmarks.text.registry import find_encoder

TEXTS = [f"Text number {n}, of no great length." for n in range(150)]
# Encodes TEXTS in an order of its own and prints a digest of the vectors in the common one.
FILL = """
import hashlib, sys
from balance_of_benchmarks.text.registry import find_encoder
texts = sys.stdin.read().splitlines()
turned = texts[::-1] if sys.argv[2] == "backwards" else texts
encoder = find_encoder(sys.argv[1], batch=16)
encoder.encode(turned)
print(hashlib.sha256(encoder.encode(texts).tobytes()).hexdigest())
"""


class Counting:
    """An encoder that counts what it is asked for."""

    identity = EncoderIdentity("counting", "1", (("a", "b"),))

    def __init__(self, width: int = 3) -> None:
        self.asked: list[str] = []
        self.width = width

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        return np.array([[len(text), 1.0, *[0.5] * (self.width - 2)] for text in texts], dtype=np.float16)


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """The folder of one encoder, with three texts in one file."""
    KeptEncoder(Counting(), tmp_path).encode(["a", "bb", "ccc"])
    (folder,) = tmp_path.iterdir()
    return folder


def segment(folder: Path) -> Path:
    (path,) = folder.glob("*.jsonl")
    return path


def find_again(folder: Path) -> np.ndarray:
    return KeptEncoder(Counting(), folder.parent, frozen=True).encode(["a", "bb", "ccc"])


def start(name: str, order: str = "forwards") -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", FILL, name, order], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    process.stdin.write("\n".join(TEXTS))
    process.stdin.close()
    process.stdin = None
    return process


def count_encoded(service: Any) -> Counter[str]:
    """How often each text was asked for in company; alone it is only compared."""
    asked = (question["body"]["input"] for question in service.questions())
    return Counter(text for texts in asked if len(texts) > 1 for text in texts)


def test_a_vector_is_made_once_and_found_again_bit_for_bit(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    made = KeptEncoder(first, tmp_path).encode(["a", "bb", "a"])
    found = KeptEncoder(second, tmp_path).encode(["bb", "a", "bb"])

    assert first.asked == ["a", "bb", "a"]  # the last one alone, to compare
    assert second.asked == []
    assert made.dtype == found.dtype == np.float32
    assert found.tobytes() == made[[1, 0, 1]].tobytes()
    np.testing.assert_allclose(np.linalg.norm(made, axis=1), 1.0, atol=1e-7)


def test_only_what_is_new_is_encoded(tmp_path: Path) -> None:
    encoder = Counting()
    kept = KeptEncoder(encoder, tmp_path)
    kept.encode(["a"])
    kept.encode(["a", "bb"])

    assert encoder.asked == ["a", "bb"]


def test_other_encoders_have_folders_of_their_own(tmp_path: Path) -> None:
    identities = [
        EncoderIdentity("m", "1"),
        EncoderIdentity("m", "2"),
        EncoderIdentity("M", "1"),
        EncoderIdentity("m", "1", (("dim", "2"),)),
        EncoderIdentity("../m", "1"),
    ]
    folders = {VectorCache(tmp_path, identity).folder for identity in identities}

    assert len(folders) == len(identities)
    assert {folder.parent for folder in folders} == {tmp_path}


def test_frozen_refuses_what_is_new_and_asks_nobody(tmp_path: Path) -> None:
    KeptEncoder(Counting(), tmp_path).encode(["a"])
    encoder = Counting()
    frozen = KeptEncoder(encoder, tmp_path, frozen=True)

    assert frozen.encode(["a"]).shape == (1, 3)
    with pytest.raises(EncoderError, match=r"1 of 2 texts have no vector of counting.*'bb'.*without --frozen"):
        frozen.encode(["a", "bb"])
    assert encoder.asked == []


@pytest.mark.parametrize("name", ["wordllama", "ngrams"])
def test_every_encoder_can_be_frozen(tmp_path: Path, name: str) -> None:
    with pytest.raises(EncoderError, match=f"no vector of {name} .* without --frozen and with --cache {tmp_path}"):
        find_encoder(name, cache=tmp_path, frozen=True).encode(["a text"])

    made = find_encoder(name, cache=tmp_path).encode(["a text", "another"])
    found = find_encoder(name, cache=tmp_path, frozen=True).encode(["another", "a text"])
    assert found.tobytes() == made[::-1].tobytes() == find_encoder(name).encode(["another", "a text"]).tobytes()


def test_a_service_that_is_gone_is_not_missed_when_frozen(service: Any, caches: Path) -> None:
    made = find_encoder(service.name("plain")).encode(TEXTS[:5])
    asked = len(service.questions())
    found = find_encoder(service.name("plain"), frozen=True).encode(TEXTS[:5])

    assert found.tobytes() == made.tobytes()
    assert len(service.questions()) == asked
    assert (caches / "vectors").is_dir()


def test_frozen_writes_nothing(filled: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in filled.rglob("*")} | {filled: filled.stat().st_mtime_ns}
    find_again(filled)

    assert {path: path.stat().st_mtime_ns for path in filled.rglob("*")} | {filled: filled.stat().st_mtime_ns} == before


def test_the_manifest_says_whose_vectors_they_are_and_the_files_are_named_by_their_content(filled: Path) -> None:
    manifest = json.loads((filled / "manifest.json").read_text())
    lines = [json.loads(line) for line in segment(filled).read_text().splitlines()]

    assert manifest == {"format": 1, "name": "counting", "revision": "1", "options": {"a": "b"}, "dimensions": 3}
    assert [line["text"] for line in lines] == ["a", "bb", "ccc"]
    assert len(segment(filled).stem) == 64


def test_a_bit_more_or_less_anywhere_is_an_error_that_says_what_to_do(filled: Path) -> None:
    place, whole = segment(filled), segment(filled).read_bytes()
    changed = [whole[:at] + bytes([whole[at] ^ (1 << at % 8)]) + whole[at + 1 :] for at in range(0, len(whole), 3)]
    for content in [*changed, b"", whole[:-1], whole[:40], whole + b"\n", whole + whole]:
        place.write_bytes(content)
        with pytest.raises(EncoderError, match="is not as it was written: delete it, and its texts are encoded again"):
            find_again(filled)
    place.unlink()
    KeptEncoder(Counting(), filled.parent).encode(["a", "bb", "ccc"])

    assert segment(filled).read_bytes() == whole


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "is not there, or not as it was written"),
        ("{", "is not there, or not as it was written"),
        ("[]", "is not there, or not as it was written"),
        ('{"format": 2, "name": "counting", "vectors": "elsewhere"}', "is of format 2 and this version reads 1"),
        (
            '{"format": 1, "name": "other", "revision": "1", "options": {}, "dimensions": 3}',
            "is of another encoder, other 1",
        ),
    ],
)
def test_another_or_no_manifest_is_an_error_that_says_what_to_do(filled: Path, content: str | None, words: str) -> None:
    if content is None:
        (filled / "manifest.json").unlink()
    else:
        (filled / "manifest.json").write_text(content)
    with pytest.raises(EncoderError, match=words) as caught:
        find_again(filled)
    assert f"delete {filled}, or keep vectors in another folder" in str(caught.value)
    with pytest.raises(EncoderError, match=words):
        KeptEncoder(Counting(), filled.parent).encode(["new"])


def test_a_model_that_has_changed_its_width_is_refused(filled: Path) -> None:
    with pytest.raises(EncoderError, match="now gives 4 dimensions, and 3 are kept"):
        KeptEncoder(Counting(width=4), filled.parent).encode(["new"])


def test_two_vectors_of_one_text_are_refused_rather_than_chosen_from(filled: Path) -> None:
    cache = VectorCache(filled.parent, Counting.identity)
    cache.keep(["bb"], np.ones((1, 3), dtype=np.float32))
    with pytest.raises(EncoderError, match="two vectors for the text that begins 'bb'"):
        find_again(filled)


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EncoderError, match=r"cannot be kept in .* name a folder that can be written"):
        KeptEncoder(Counting(), tmp_path / "file").encode(["a"])


def test_what_a_killed_process_left_half_written_is_cleared_away(filled: Path) -> None:
    (filled / f".{'0' * 64}.jsonl.abc123").write_text("half")
    KeptEncoder(Counting(), filled.parent).encode(["new"])

    assert {path.name for path in filled.glob(".*")} == {".lock"}


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    KeptEncoder(Counting(), tmp_path, progress=lambda *done: told.append(done)).encode(TEXTS)

    assert told == [(64, 150), (128, 150), (150, 150)]


def test_a_process_killed_while_it_encodes_leaves_whole_files_and_the_next_goes_on(service: Any, caches: Path) -> None:
    name = service.name("one_by_one")
    with start(name) as process:
        deadline = time.monotonic() + 60
        while not list(caches.rglob("*.jsonl")):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(0.1)  # into the next texts
        os.kill(process.pid, signal.SIGKILL)
    left = len(VectorCache(caches / "vectors", find_encoder(name).identity).find())
    again = subprocess.run([sys.executable, "-c", FILL, name, ""], input="\n".join(TEXTS), text=True, check=False)
    whole = VectorCache(caches / "vectors", find_encoder(name).identity).find()

    assert 0 < left < len(TEXTS)
    assert again.returncode == 0
    assert whole.keys() == set(TEXTS)
    plain = find_encoder(service.name("plain")).encode(TEXTS)
    assert np.stack([whole[text] for text in TEXTS]).tobytes() == plain.tobytes()
    assert max(count_encoded(service).values()) <= 3  # before, once more after the kill, and here for comparison


def test_two_processes_fill_one_cache_and_encode_nothing_twice(service: Any, caches: Path) -> None:
    name = service.name("one_by_one")
    processes = [start(name, "forwards"), start(name, "backwards")]
    digests = {process.communicate(timeout=120)[0] for process in processes}

    assert [process.returncode for process in processes] == [0, 0]
    assert len(digests) == 1
    assert VectorCache(caches / "vectors", find_encoder(name).identity).find().keys() == set(TEXTS)
    assert set(count_encoded(service).values()) == {1}


def test_a_ranking_is_redone_bit_for_bit_when_frozen(demo: bob.Board, tmp_path: Path) -> None:
    task = "coach students for maths olympiads"
    tables = []
    for frozen in (False, True):
        model = bob.BalanceOfBenchmarks(encoder=find_encoder("wordllama", cache=tmp_path, frozen=frozen)).fit(demo)
        tables.append((model.ranking(), model.rank_for(task).table))

    assert tables[0][0].equals(tables[1][0])
    assert tables[0][1].equals(tables[1][1])
    assert tables[0][1].equals(bob.BalanceOfBenchmarks().fit(demo).rank_for(task).table)
