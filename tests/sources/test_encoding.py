"""Texts that are not in UTF-8: read where plainly of western Europe, refused where anything must be guessed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.encoding import decode_windows

TEXT = "model,créateur,x,y\nsmall,Société,61 %,0.5\ngroß,Büro – Köln,83 %,0.75\n"


@pytest.mark.parametrize(
    ("name", "text", "encoding"),
    [
        ("a.csv", TEXT, "cp1252"),
        ("a.csv", TEXT.replace("–", "-"), "latin-1"),
        ("a.tsv", TEXT.replace(",", "\t"), "cp1252"),
        ("a.json", '[{"model": "groß", "x": 83, "y": 0.75}, {"model": "small", "x": 61, "y": 0.5}]', "cp1252"),
        ("a.md", "# Größe\n\n| model | x | y |\n|---|---|---|\n| groß | 83 | 0.75 |\n| small | 61 | 0.5 |\n", "cp1252"),
        ("a.yml", "- model: groß\n  x: 83\n  y: 0.75\n- model: small\n  x: 61\n  y: 0.5\n", "cp1252"),
    ],
)
def test_a_text_of_western_europe_is_read_and_that_is_said(tmp_path: Path, name: str, text: str, encoding: str) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    board = bob.read_board(path)

    assert dict(board.cells.filter(board.cells["model"] == "groß").select("benchmark", "score").iter_rows()) == {
        "x": 83, "y": 0.75
    }  # fmt: skip
    said = [note.message for note in board.adjustments if note.kind == "encoding_assumed"]
    assert said == [f"{name} is not in UTF-8: taken for Windows-1252"]


def test_of_what_is_in_utf_8_nothing_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(TEXT.encode())

    assert bob.read_board(path).adjustments == ()


@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode(),
        bytes(range(256)),
        bytes(range(1, 256)) * 20,
        random.Random(0).randbytes(4000),  # noqa: S311 - no secret
        "модель,задача,оценка\nмаленькая,первая,61\nбольшая,первая,72\n".encode("cp1251"),
        "模型,分数\n小,61\n大,83\n".encode("gb18030"),
        "model,x\né,1\n".encode() + b"\xff,2\n",
        b"model,x\na\x81,1\n",
        b"\x89PNG\r\n\x1a\n" + b"x" * 100,
    ],
)
def test_what_needs_guessing_or_none_is_left_as_it_is(content: bytes) -> None:
    assert decode_windows(content) is None


def test_junk_makes_no_board(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"model,x,y\n" + bytes(range(1, 256)))
    with pytest.raises(bob.BoardError, match="is no table"):
        bob.read_board(path)
