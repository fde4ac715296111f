"""The commands on boards, run as a user runs them."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import balance_of_benchmarks as bob

Run = Callable[..., "subprocess.CompletedProcess[str]"]

SENTINEL = "model,x,y,z\na,0.5,0.4,-1\nb,0.6,0.5,0.3\nc,0.7,0.7,0.5\n"


@pytest.fixture
def faulty(tmp_path: Path) -> str:
    (tmp_path / "faulty.csv").write_text(SENTINEL)
    return str(tmp_path / "faulty.csv")


@pytest.fixture
def clean(tmp_path: Path) -> str:
    rows = "".join(f"m{i},{0.3 + i / 50},{0.2 + i / 60},{0.4 + i / 70}\n" for i in range(12))
    (tmp_path / "scores.csv").write_text("model,x,y,z\n" + rows)
    text = "A collection of questions about {} that are answered in free form and graded automatically by exact match."
    with (tmp_path / "benchmarks.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("key", "description"), *((k, text.format(k * 3)) for k in "xyz")])
    return str(tmp_path / "scores.csv")


def test_a_clean_board_is_left_with_zero_and_no_findings(run: Run, clean: str) -> None:
    done = run("check", clean, "--benchmarks", str(Path(clean).parent / "benchmarks.csv"), "--min-observed", "3")

    assert (done.returncode, "nothing found" in done.stdout) == (0, True)


def test_findings_leave_with_one_and_name_kind_place_and_remedy(run: Run, faulty: str) -> None:
    done = run("check", faulty, "--min-observed", "1", "--format", "json")
    answer = json.loads(done.stdout)

    assert done.returncode == 1
    assert {"board", "models", "benchmarks", "retained", "findings", "coverage"} <= set(answer)
    assert answer["findings"][0] == {
        "kind": "sentinel_value",
        "severity": "error",
        "where": ["z"],
        "message": "z: 1 score of -1 is taken for missing",
        "fix": "leave them empty in the source, or declare a lower bound that admits them",
    }
    assert (answer["models"], answer["benchmarks"], answer["retained"]) == (3, 3, 3)
    assert [row["null"] for row in answer["coverage"]] == [0, 0, 1]


def test_every_form_of_a_check_has_every_finding(run_here: Run, faulty: str) -> None:
    whole = json.loads(run_here("check", faulty, "-f", "json").stdout)["findings"]
    rows = list(csv.DictReader(io.StringIO(run_here("check", faulty, "-f", "csv").stdout)))
    annotations = run_here("check", faulty, "-f", "github").stdout.splitlines()
    page = run_here("check", faulty, "-f", "md").stdout

    assert [row["kind"] for row in rows] == [finding["kind"] for finding in whole]
    assert len(annotations) == len(whole)
    assert annotations[0].startswith("::error title=")
    assert all(finding["message"].replace("|", "\\|") in page for finding in whole)
    assert "# Coverage" in page
    assert all(len(line) <= 80 for line in run_here("check", faulty).stdout.splitlines())


@pytest.mark.parametrize("content", ["print('hello')\n", "Dear all,\nthis is no board.\n", "", "{}", "\x00\x01"])
def test_what_is_no_board_leaves_with_two(run_here: Run, tmp_path: Path, content: str) -> None:
    (tmp_path / "file").write_text(content)
    done = run_here("check", str(tmp_path / "file"))

    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("bob: ")
    assert len(done.stderr.splitlines()) == 1


def test_import_says_what_it_took_and_the_folder_ranks(run: Run, tmp_path: Path, faulty: str) -> None:
    done = run("import", faulty, str(tmp_path / "board"), "--name", "mine")
    again = run("import", faulty, str(tmp_path / "board"), "--name", "mine")

    assert done.returncode == 0
    assert "1 file read as table" in done.stderr
    assert "written to" in done.stdout
    assert "unchanged in" in again.stdout
    assert bob.read_board(tmp_path / "board").name == "mine"
    assert run("rank", str(tmp_path / "board"), "--min-observed", "1").returncode == 0


def test_several_files_make_one_board(run_here: Run, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("model,x\na,0.5\n")
    (tmp_path / "two.csv").write_text("model,y\na,0.25\n")
    done = run_here("import", str(tmp_path / "one.csv"), str(tmp_path / "two.csv"), str(tmp_path / "board"))

    assert "2 files read as table" in done.stderr
    board = bob.read_board(tmp_path / "board")
    assert board.cells.select("model", "benchmark", "score").rows() == [("a", "x", 0.5), ("a", "y", 0.25)]


def test_import_without_a_folder_to_write_is_an_error(run_here: Run, faulty: str) -> None:
    done = run_here("import", faulty)

    assert done.returncode == 2
    assert "expected what to import and then the folder to write" in done.stderr


def test_strict_refuses_to_assume(run_here: Run, faulty: str) -> None:
    done = run_here("rank", faulty, "--min-observed", "1", "--strict")

    assert done.returncode == 2
    assert "strict refuses" in done.stderr


def test_metrics_and_benchmarks_left_aside_are_taken_by_name(run_here: Run, tmp_path: Path) -> None:
    file = tmp_path / "long.csv"
    rows = [f"m{i},x,{metric},0.{i}{digit}" for i in range(1, 9) for digit, metric in enumerate(("em", "f1"), 1)]
    file.write_text("model,benchmark,metric,score\n" + "\n".join(rows) + "\n")
    wanted = run_here("rank", str(file), "--metric", "f1", "--min-observed", "1", "-f", "json")
    unknown = run_here("rank", str(file), "--metric", "bleu", "--min-observed", "1")

    assert wanted.returncode == 0
    assert unknown.returncode == 2
    assert "'bleu' is not among the metrics there are" in unknown.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_an_import_killed_while_writing_leaves_the_old_board(
    start: Callable[..., subprocess.Popen[str]], run: Run, tmp_path: Path
) -> None:
    folder = tmp_path / "board"
    old = tmp_path / "old.csv"
    old.write_text("model,x\na,0.5\n")
    assert run("import", str(old), str(folder)).returncode == 0
    rows = "".join(f"m{i},b{j},0.5\n" for i in range(3000) for j in range(30))
    (tmp_path / "new.csv").write_text("model,benchmark,score\n" + rows)

    outcomes = set()
    for delay in (0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0, 1.5):
        with start("import", "--replace", str(tmp_path / "new.csv"), str(folder)) as process:
            time.sleep(delay)
            process.kill()
        board = bob.read_board(folder)
        assert board.cells.height in (1, 90_000)
        outcomes.add(board.cells.height)
        run("import", "--replace", str(old), str(folder))
    assert 1 in outcomes
