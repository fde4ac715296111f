"""`bob paper`, run as a user runs it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_the_demo_board_gives_a_whole_folder(run: Run, tmp_path: Path) -> None:
    done = run("paper", "--board", "demo", "--out", str(tmp_path / "out"), "--quick", "--format", "json")
    answer = json.loads(done.stdout)

    assert done.returncode == 0, done.stderr
    assert answer["board"] == "demo (simulated)"
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
