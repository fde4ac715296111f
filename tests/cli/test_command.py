"""The command, run as a user runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.cli.output import Patience

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_rank_prints_a_table_and_nothing_else_on_stdout(run: Run) -> None:
    done = run("rank", "demo", "--top", "3")

    assert done.returncode == 0
    assert "simulated" in done.stdout
    assert "... and 602 more" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("preset", [None, "auto", "paper"])
def test_json_is_what_python_gives(run: Run, demo: bob.Board, preset: Literal["auto", "paper"] | None) -> None:
    done = run("rank", "demo", "--top", "3", "--format", "json", *(["--preset", preset] if preset else []))
    answer = json.loads(done.stdout)
    table = bob.BalanceOfBenchmarks(preset=preset or "auto").fit(demo).ranking()

    assert answer["preset"] == (preset or "auto")
    assert len(answer["models"]) == 605  # --top shortens tables only
    assert [row["model"] for row in answer["models"]] == table["model"].to_list()
    assert answer["models"][0]["ability"] == table["ability"][0]


def test_a_category_is_asked_for_by_name(run_here: Run, demo: bob.Board) -> None:
    maths = ("rank", "demo", "--task", "coach students for maths olympiads", "--format", "json")
    answer = json.loads(run_here(*maths, "--category", "mathematics").stdout)
    unknown, alone = run_here(*maths, "--category", "mathmatics"), run_here("rank", "demo", "--category", "mathematics")

    assert answer["task"]["category"] == "mathematics"
    assert unknown.returncode == alone.returncode == 2
    assert "category is 'mathmatics': expected one of the board's, " in unknown.stderr
    assert all(repr(name) in unknown.stderr for name in demo.benchmarks["category"].drop_nulls())
    assert "give --task too" in alone.stderr


def test_a_task_is_answered_with_its_evidence(run: Run) -> None:
    done = run("rank", "demo", "--task", "coach students for maths olympiads", "--format", "json")
    task = json.loads(done.stdout)["task"]

    assert task["nearest"][0]["benchmark"] in {"aime", "aime_25", "math_500"}
    assert task["text"] == "coach students for maths olympiads"


@pytest.mark.parametrize("command", ["weights", "curves"])
@pytest.mark.parametrize("form", ["table", "json", "csv", "md"])
def test_weights_and_curves_speak_every_format(run_here: Run, command: str, form: str) -> None:
    done = run_here(command, "demo", "--format", form)

    assert done.returncode == 0
    assert "aime" in done.stdout.lower()
    assert "nan" not in done.stdout.lower().replace("finance", "")


def test_options_reach_the_method(run: Run) -> None:
    equal = json.loads(run("weights", "demo", "--weighting", "equal", "-f", "json").stdout)
    own = json.loads(run("weights", "demo", "--weight", "aime=3", "--weight", "hle=1", "-f", "json").stdout)
    wide = json.loads(run("weights", "demo", "--density-bandwidth", "1", "-f", "json").stdout)

    assert {row["weight"] for row in equal["benchmarks"]} == {1 / 14}
    assert own["benchmarks"][0]["weight"] == 0.75
    assert wide["effective_mass"] < 3
    assert [a["kind"] for a in own["adjustments"]][:1] == ["zero_weight"]


def test_what_was_left_out_is_said_on_stderr(run: Run, tmp_path: Path, demo: bob.Board) -> None:
    bob.write_folder(demo, tmp_path)
    with (tmp_path / "scores.csv").open("a") as file:
        file.write("short model,aime,0.5,,,,\n")
    done = run("rank", str(tmp_path), "--top", "1")

    assert done.returncode == 0
    assert "1 of 606 models are left out: fewer than 5 scores" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rank", "nowhere.csv"], "No such file"),
        (["rank", "tools"], "no scores in"),
        (["rank", __file__], "expected"),
        (["rank", "demo", "--task", " "], "expected a sentence"),
        (["rank", "demo", "--task", "maths", "--draws", "9"], "leave out --task"),
        (["rank", "demo", "--bandwidth", "-1", "--task", "maths"], "positive multiple"),
        (["weights", "demo", "--weight", "aime"], "like aime=2"),
        (["weights", "demo", "--weight", "amie=2"], "did you mean 'aime'"),
        (["weights", "demo", "--density-bandwidth", "0"], "positive multiple"),
        (["curves", "demo", "--min-observed", "15"], "cannot be ranked"),
        (["rank", "demo", "--seed", "-1", "--draws", "3"], "--seed"),
        (["rank", "demo", "--weight", "aime=nan"], "finite"),
        (["rank", "demo", "--weight", "aime=1", "--weight", "aime=2"], "names aime twice"),
        (["rank", "demo", "--weight", "AIME=1", "--weighting", "equal"], "give one of them"),
        (["rank", "demo", "--weight", "AIME_25=1"], "did you mean 'aime_25'"),
        (["rank", "demo", "--bandwidth", "0.4"], "give --task too"),
        (["rank", "demo", "--field", "kriging"], "give --task too"),
        (["rank", "demo", "--field", "kriging", "--task", "maths", "--bandwidth", "0.4"], "of a kernel average"),
        (["rank", "demo", "--draws", "3"], "at least 40"),
        (["rank", "/dev/zero"], "is not a file"),
        (["rank", "demo", "--format", "xml"], "xml"),
        (["rang", "demo"], "rang"),
    ],
)
def test_bad_input_is_one_error_and_exit_code_2(run_here: Run, arguments: list[str], words: str) -> None:
    done = run_here(*arguments)

    assert done.returncode == 2
    assert words in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_help_and_version_answer_without_the_library(run: Run) -> None:
    code = (
        "import sys; sys.argv = ['bob', '--help']\n"
        "from balance_of_benchmarks.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'polars', 'numba', 'scipy', 'wordllama'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "rank" in done.stdout
    assert run("--version").stdout == f"bob {bob.__version__}\n"


def test_ranking_imports_no_statistics_linear_algebra_service_or_encoder_it_does_not_need() -> None:
    code = (
        "import sys; sys.argv = ['bob', 'rank', 'demo', '--weighting', 'equal', '--top', '1']\n"
        "from balance_of_benchmarks.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'sklearn', 'scipy.stats', 'scipy.linalg', 'wordllama', 'tokenizers', 'pandas', 'pyarrow', 'httpx2'}\n"
        "heavy &= set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("form", ["table", "json", "md"])
def test_a_reader_that_has_enough_is_no_error(form: str) -> None:
    pipe = f"{sys.executable} -m balance_of_benchmarks rank demo --format {form} | head -n 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {pipe}"], capture_output=True, text=True, check=False)

    assert done.returncode == 0
    assert done.stderr == ""


def test_what_a_csv_has_no_place_for_is_said_beside_it(run: Run) -> None:
    done = run("rank", "demo", "--format", "csv", "--task", "kittens sleeping in the sun")

    assert done.stdout.startswith("model,name,rank,")
    assert len(done.stdout.splitlines()) == 1 + 605
    assert done.stderr.splitlines()[:3] == [
        "bob: 605 models, 14 benchmarks, 5441 scores",
        "bob: This board is simulated: its models, makers and scores are made up.",
        "bob: Task: kittens sleeping in the sun",
    ]
    assert "bob: Abstained: the board has no evidence on this task" in done.stderr


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-16"])
@pytest.mark.parametrize("form", ["table", "md"])
def test_an_output_of_any_encoding_is_written(encoding: str, form: str) -> None:
    code = [sys.executable, "-m", "balance_of_benchmarks", "weights", "demo", "--format", form]
    done = subprocess.run(code, env={**os.environ, "PYTHONIOENCODING": encoding}, capture_output=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "AIME" in done.stdout.decode(encoding)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full to write to")
def test_a_full_disk_is_said_in_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        code = [sys.executable, "-m", "balance_of_benchmarks", "curves", "demo", "-f", "json"]
        done = subprocess.run(code, stdout=full, stderr=subprocess.PIPE, text=True, check=False)

    assert done.returncode == 2
    assert done.stderr.splitlines() == ["bob: cannot write: No space left on device"]


def test_a_closed_output_is_no_traceback() -> None:
    command = f"{sys.executable} -m balance_of_benchmarks curves demo --format json >&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)

    assert done.returncode == 0
    assert "Traceback" not in done.stderr


def test_a_pipe_can_be_read_as_a_board(tmp_path: Path, demo: bob.Board) -> None:
    demo.cells.write_csv(tmp_path / "scores.csv")
    command = f"cat scores.csv | {sys.executable} -m balance_of_benchmarks rank /dev/stdin --weighting equal --top 1"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "605 models" in done.stdout


def test_an_interrupt_ends_draws_at_once(start: Callable[..., subprocess.Popen[str]]) -> None:
    with start("rank", "demo", "--draws", "50000") as process:
        time.sleep(6)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)

    assert process.returncode != 0
    assert "Traceback" not in errors


def test_many_alike_adjustments_are_told_in_one_line(run: Run, tmp_path: Path) -> None:
    header = ",".join(f"b{i}" for i in range(9))
    rows = "\n".join(f"m{m}," + ",".join(str(10 + m + i) for i in range(9)) for m in range(8))
    (tmp_path / "wide.csv").write_text(f"model,{header}\n{rows}\n")
    lines = run("rank", str(tmp_path / "wide.csv")).stderr.splitlines()

    assert len(lines) == 3
    assert "likewise 8 more (scale_proposed): b1, b2" in lines[1]


def test_names_cannot_command_the_terminal(run: Run, tmp_path: Path, demo: bob.Board) -> None:
    bob.write_folder(demo, tmp_path)
    path = tmp_path / "models.csv"
    path.write_text(path.read_text().replace("Brackenmoor Fulmar 5 Max (medium)", '"\x1b[31mred\nline"', 1))
    done = run("rank", str(tmp_path), "--top", "2")

    assert "\x1b" not in done.stdout
    assert " [31mred line" in done.stdout


def test_without_a_folder_to_keep_compiled_loops_it_still_ranks() -> None:
    code = (
        "import numba.core.caching as c\n"
        "for locator in c.CacheImpl._locator_classes: locator.from_function = classmethod(lambda *_: None)\n"
        "import sys; sys.argv = ['bob', 'curves', 'demo', '--top', '1']\n"
        "from balance_of_benchmarks.cli import main\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "not kept: set NUMBA_CACHE_DIR" in done.stderr


def test_a_first_run_that_compiles_says_so(run: Run, tmp_path: Path) -> None:
    done = run("curves", "demo", "--top", "1", NUMBA_CACHE_DIR=str(tmp_path))
    again = run("curves", "demo", "--top", "1", NUMBA_CACHE_DIR=str(tmp_path))

    assert "compiling the fit's loops" in done.stderr
    assert again.stderr == ""


def test_what_takes_long_writes_nothing_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("balance_of_benchmarks.cli.output._PATIENCE", -1.0)
    with Patience("counting") as bar:
        for done in range(3):
            bar.update(done, 3)

    assert capsys.readouterr() == ("", "")
