"""`bob evaluate`, run as a user runs it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from balance_of_benchmarks.evaluation.splits import CLOSE

Run = Callable[..., "subprocess.CompletedProcess[str]"]

FEW = ("evaluate", "demo", "--method", "equal_weight", "--folds", "3", "--jobs", "1")


@pytest.fixture
def cache(tmp_path: Path) -> str:
    return str(tmp_path / "cache")


def test_a_second_run_answers_the_same_from_what_was_kept(run: Run, cache: str) -> None:
    once = run(*FEW, "--format", "json", BOB_CACHE_DIR=cache)
    kept = sorted(path.stat().st_mtime_ns for path in Path(cache).rglob("*") if path.is_file())
    again = run(*FEW, "--format", "json", BOB_CACHE_DIR=cache)

    assert once.returncode == again.returncode == 0
    assert once.stdout == again.stdout
    assert kept
    assert kept == sorted(path.stat().st_mtime_ns for path in Path(cache).rglob("*") if path.is_file())


def test_fresh_keeps_nothing(run: Run, cache: str) -> None:
    assert run(*FEW, "--fresh", BOB_CACHE_DIR=cache).returncode == 0
    assert not Path(cache).exists()


def test_the_chart_is_written_in_the_form_its_name_asks_for(run_here: Run, tmp_path: Path, cache: str) -> None:
    starts = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "json": b"{"}
    for ending, start in starts.items():
        done = run_here(*FEW, "--chart", str(tmp_path / f"a.{ending}"), BOB_CACHE_DIR=cache)

        assert done.returncode == 0, done.stderr
        assert (tmp_path / f"a.{ending}").read_bytes().startswith(start)
    assert json.loads((tmp_path / "a.json").read_text())["layer"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--chart", "a.gif"), "a chart is written as"),
        (("--chart", "no/such/a.svg"), "there is no folder"),
        (("--method", "magic"), "magic"),
        (("--folds", "1"), "--folds"),
    ],
)
def test_what_cannot_be_done_is_one_error_and_at_once(run_here: Run, arguments: tuple[str, ...], message: str) -> None:
    done = run_here("evaluate", "demo", *arguments)

    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_board_without_texts_says_that_none_can_be_held_out(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    table.write_text("model,a,b,c,d,e\n" + "".join(f"m{n},{n / 9},{n / 8},{n / 7},{n / 6},{n / 7}\n" for n in range(6)))
    done = run("evaluate", str(table))

    assert done.returncode == 2
    assert "no benchmark of this board has a description" in done.stderr


def test_how_near_twins_are_is_the_users_to_say(run: Run, cache: str) -> None:
    wide = json.loads(run(*FEW, "--folds", "14", "--close", "0.6", "-f", "json", BOB_CACHE_DIR=cache).stdout)
    usual = json.loads(run(*FEW, "--folds", "14", "-f", "json", BOB_CACHE_DIR=cache).stdout)
    left_out = {split["split"]: split["folds"] for split in wide["splits"]}

    assert left_out["family_left_out"] == left_out["with_its_family"] == 4
    assert "family_left_out" not in {split["split"] for split in usual["splits"]}
    assert wide["methods"] == usual["methods"]
    assert f"[default: {CLOSE}" in run("evaluate", "--help").stdout
