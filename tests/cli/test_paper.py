"""`bob paper`, run as a user runs it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_the_demo_board_gives_a_whole_folder_by_the_first_encoder(run: Run, tmp_path: Path) -> None:
    where = ("--board", "demo", "--out", str(tmp_path / "out"))
    done = run("paper", *where, "--quick", "--encoder", "ngrams", "--encoder", "wordllama", "--format", "json")
    answer = json.loads(done.stdout)
    main = [row["encoder"] for row in answer["encoders"] if row["main"]]
    read = {row["encoder"] for row in answer["encoders"] if row["reason"] is None}

    assert done.returncode == 0, done.stderr
    assert answer["board"] == "demo (simulated)"
    assert answer["encoder"] == "ngrams"
    assert main == ["ngrams"]
    assert read >= {"ngrams", "wordllama"}
    assert "--encoder qwen3-8b" in (tmp_path / "out" / "README.md").read_text() or "qwen3-8b" in read
    assert answer["numbers"] == json.loads((tmp_path / "out" / "comparison.json").read_text())["numbers"]
    assert "begin with README.md" in done.stderr


@pytest.mark.parametrize(
    ("texts", "message"),
    [("{", "Invalid JSON"), ('{"benchmarks": {}}', "lack aime"), (None, "cannot be read")],
)
def test_texts_of_no_use_are_one_error_and_at_once(
    run_here: Run, tmp_path: Path, texts: str | None, message: str
) -> None:
    file = tmp_path / "texts.json"
    if texts is not None:
        file.write_text(texts)
    done = run_here("paper", "--board", "demo", "--out", str(tmp_path / "out"), "--texts", str(file))

    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_encoder_is_one_error_and_at_once(run_here: Run, tmp_path: Path) -> None:
    done = run_here("paper", "--board", "demo", "--out", str(tmp_path / "out"), "--encoder", "wordlama")

    assert done.returncode == 2
    assert "did you mean 'wordllama'" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_out_that_is_a_file_is_refused(run_here: Run, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("kept")
    done = run_here("paper", "--board", "demo", "--out", str(tmp_path / "out"))

    assert done.returncode == 2
    assert "cannot be made" in done.stderr
    assert (tmp_path / "out").read_text() == "kept"


def test_another_board_is_sent_to_evaluate(run_here: Run, tmp_path: Path) -> None:
    board = tmp_path / "scores.csv"
    board.write_text("model,a,b\n" + "".join(f"m{n},0.{n},0.{n}\n" for n in range(1, 9)))
    done = run_here("paper", "--board", str(board), "--out", str(tmp_path / "out"))

    assert done.returncode == 2
    assert "lacks 14 of the paper's fourteen benchmarks" in done.stderr
    assert "bob evaluate" in done.stderr
