"""`bob describe`, run as a user runs it."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import balance_of_benchmarks as bob

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_the_linter_says_what_it_found_and_leaves_with_one(run: Run) -> None:
    done = run("describe", "demo", "--lint")

    assert done.returncode == 1
    assert "14 of 14 benchmarks are described; placed by: wordllama; ngrams" in done.stdout
    assert "text_disagreement: ifbench is nearest to another by another reading" in done.stdout
    assert "text_lineage: aime_25 speaks of another benchmark" in done.stdout
    assert "Texts and weights" in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    assert done.stderr == ""


def test_every_form_of_the_linter_has_every_finding(run: Run) -> None:
    whole = json.loads(run("describe", "demo", "--lint", "-f", "json").stdout)
    rows = list(csv.DictReader(io.StringIO(run("describe", "demo", "--lint", "-f", "csv").stdout)))
    page = run("describe", "demo", "--lint", "-f", "md").stdout

    assert [row["message"] for row in rows] == [finding["message"] for finding in whole["findings"]]
    assert all(finding["message"] in page for finding in whole["findings"])
    assert [row["benchmark"] for row in whole["benchmarks"]][:2] == ["aime", "aime_25"]


def test_what_is_stripped_can_be_laid_over_the_board(run: Run, tmp_path: Path) -> None:
    (tmp_path / "stripped.csv").write_text(run("describe", "demo", "--strip-lineage", "-f", "csv").stdout)
    board = bob.read_board("demo", benchmarks=tmp_path / "stripped.csv")

    assert bob.strip_lineage(board) == ()
    assert board.benchmarks["description"].null_count() == 0


def test_a_proposal_stands_under_what_it_replaces(run: Run) -> None:
    done = run("describe", "demo", "--strip-lineage")

    assert done.returncode == 0
    assert "2 texts speak of other benchmarks" in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--lint", "--strip-lineage"], "does one thing at a time"),
        (["--lint", "--encoder", "nope"], "'nope' is not among the encoders"),
    ],
)
def test_what_cannot_be_done_is_one_line(run_here: Run, arguments: list[str], words: str) -> None:
    done = run_here("describe", "demo", *arguments)

    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
