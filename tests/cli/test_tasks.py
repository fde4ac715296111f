"""`bob rank` for tasks on forms, with weights, as prompts, edited: run as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import balance_of_benchmarks as bob

Run = Callable[..., "subprocess.CompletedProcess[str]"]
FORM = 'does = "answers customers in chat"\ndomain = "customer support"\nabilities = ["calling tools"]\n'
QUICK = ("--bandwidth", "0.45")


def rank(run: Run, *arguments: str, **environment: str) -> dict[str, object]:
    done = run("rank", "demo", *QUICK, "-f", "json", *arguments, **environment)
    assert done.returncode == 0, done.stderr
    answer: dict[str, object] = json.loads(done.stdout)["task"]
    return answer


def test_weighted_tasks_are_ranked_as_the_library_does(run_here: Run, demo: bob.Board) -> None:
    shown = rank(run_here, "--task", "60 %: customer support with tools", "--task", "0.4: administer a Linux server")
    asked = {"customer support with tools": 0.6, "administer a Linux server": 0.4}
    answer = bob.BalanceOfBenchmarks(bandwidth=0.45).fit(demo).rank_for(asked)

    assert shown["text"] == answer.text
    assert shown["support"] == answer.support
    assert [(part["text"], part["weight"]) for part in shown["parts"]] == [  # type: ignore[attr-defined]
        (part.text, part.weight) for part in answer.parts
    ]


def test_the_terminal_shows_the_text_used_its_neighbours_and_its_register(run: Run, tmp_path: Path) -> None:
    (tmp_path / "task.toml").write_text(FORM)
    done = run("rank", "demo", *QUICK, "--task-form", str(tmp_path / "task.toml"), "--top", "3")
    shown = " ".join(done.stdout.split())

    assert "Task: In customer support, the system answers customers in chat. This requires calling tools." in shown
    assert "nearest (in median distances): tau2" in shown
    assert "note: the task has not the length of a description" in shown
    assert "support 0." in shown


def test_a_category_that_the_kernel_average_cannot_heed_is_said_to_have_no_say(run_here: Run) -> None:
    task = ("--task", "coach students for maths olympiads", "--category", "mathematics", "--top", "3")
    kernel = run_here("rank", "demo", *QUICK, *task)
    kriged = run_here("rank", "demo", *task)

    assert "note: the category has no say here" in kernel.stdout
    assert "(given)" in kernel.stdout
    assert "no say" not in kriged.stdout


def test_a_category_on_a_board_without_any_is_refused_with_what_to_add(run_here: Run, tmp_path: Path) -> None:
    path = write_table(tmp_path)
    done = run_here("rank", *path, "--task", "solve equations by hand", "--category", "mathematics")

    assert done.returncode == 2
    assert "category is 'mathematics', and no benchmark of this board has one: add a category column" in done.stderr


def test_where_nothing_can_be_held_out_the_answer_is_the_global_ranking_and_says_so(
    run_here: Run, tmp_path: Path
) -> None:
    path = write_table(tmp_path, described=1)
    done = run_here("rank", *path, "--task", "questions on topic 0, right or wrong")

    shown = " ".join(done.stdout.split())
    assert "fewer than two held-out benchmarks can tell processes apart: ability alone, so this is the global" in shown
    assert "held-out benchmarks say" not in shown


def test_a_bandwidth_with_kriging_is_refused_in_the_commands_own_words(run_here: Run) -> None:
    done = run_here("rank", "demo", *QUICK, "--field", "kriging", "--task", "solve equations by hand")

    assert done.returncode == 2
    assert "--bandwidth is the reach of a kernel average: leave it out, or say --field kernel" in done.stderr


def write_table(folder: Path, described: int = 6) -> tuple[str, ...]:
    """Write twenty-four models on six benchmarks, of which some have a description and none a category."""
    keys = [f"b{j}" for j in range(6)]
    rows = [[f"m{i}", *(str(20 + 2 * i + 3 * ((i * (j + 2)) % 5)) for j in range(6))] for i in range(24)]
    (folder / "scores.csv").write_text("\n".join(",".join(row) for row in [["model", *keys], *rows]))
    texts = [f"{key},questions on topic {j}" for j, key in enumerate(keys[:described])]
    (folder / "texts.csv").write_text("\n".join(["key,description", *texts]))
    return str(folder / "scores.csv"), "--benchmarks", str(folder / "texts.csv")


def test_each_of_several_tasks_is_told_with_its_evidence(run_here: Run) -> None:
    done = run_here(
        "rank", "demo", *QUICK, "--task", "3: banking chat agent", "--task", "1: kittens sleeping in the sun"
    )
    shown = " ".join(done.stdout.split())

    assert "75%: banking chat agent (nearest tau_banking" in shown
    assert "25%: kittens sleeping in the sun (no evidence, nearest" in shown
    assert "no evidence on 1 of 2, 25% of it" in shown


def test_an_encoder_without_a_limit_says_so_and_gets_one_by_calibration(run_here: Run) -> None:
    asked = ("rank", "demo", *QUICK, "--dim", "128", "--task", "kittens sleeping in the sun", "--top", "3")
    without, calibrated = run_here(*asked), run_here(*asked, "--abstain-beyond", "calibrate")

    assert "not calibrated for abstention" in " ".join(without.stdout.split())
    assert "Abstained" not in without.stdout
    assert "Abstained: the board has no evidence" in calibrated.stdout
    assert "not calibrated" not in calibrated.stdout
    assert "calibrated: wordllama abstains beyond" in calibrated.stderr


@pytest.mark.parametrize(("limit", "abstained"), [("0.1", True), ("1.08", False), ("inf", False)])
def test_a_limit_can_be_set_by_hand(run_here: Run, limit: str, abstained: bool) -> None:
    shown = rank(run_here, "--task", "coach students for maths olympiads", "--abstain-beyond", limit)
    assert shown["abstained"] is abstained


def test_prompts_count_alike(run_here: Run, tmp_path: Path) -> None:
    (tmp_path / "prompts.txt").write_text("\n".join(f"solve equation {n} in algebra" for n in range(7)))
    shown = rank(run_here, "--prompts", str(tmp_path / "prompts.txt"))
    table = run_here("rank", "demo", *QUICK, "--top", "1", "--prompts", str(tmp_path / "prompts.txt")).stdout

    assert {part["weight"] for part in shown["parts"]} == {1 / 7}  # type: ignore[attr-defined]
    assert "7 tasks together:" in table
    assert "... and 2 more" in table


def test_what_the_editor_saves_is_asked(run: Run, tmp_path: Path) -> None:
    editor = tmp_path / "editor.py"
    editor.write_text("import pathlib, sys\np = pathlib.Path(sys.argv[1])\np.write_text(p.read_text().upper())\n")
    shown = rank(
        run, "--edit", "--task", "3: algebra", "--task", "1: law", EDITOR=f"{sys.executable} {editor}", VISUAL=""
    )

    assert [(part["text"], part["weight"]) for part in shown["parts"]] == [  # type: ignore[attr-defined]
        ("ALGEBRA", 0.75),
        ("LAW", 0.25),
    ]


@pytest.mark.parametrize(
    ("arguments", "editor", "words"),
    [
        (["--task", "a: b", "--prompts", "x"], "", "--task and --prompts each give the task"),
        (["--edit"], "", "--edit changes a task's text"),
        (["--edit", "--task", "law"], "", "set EDITOR"),
        (["--edit", "--task", "law"], "false", "left with 1: nothing is asked"),
        (["--edit", "--task", "law"], "no-such-editor", "does not work"),
        (["--edit", "--task", "law"], "'", "does not work"),
        (["--task", "0.5: law", "--task", "maths"], "", "expected a weight for each, or for none"),
        (["--task", "0: law"], "", "every task has weight 0"),
        (["--task-form", "none.toml"], "", "the form cannot be read: none.toml"),
        (["--prompts", "none.txt"], "", "the prompts cannot be read: none.txt"),
        (["--task", "law", "--draws", "50"], "", "--draws goes with the global ranking"),
        (["--task", "law", "--abstain-beyond", "far"], "", "expected a number of median distances, or calibrate"),
        (["--task", "law", "--abstain-beyond", "-1"], "", "expected a positive multiple"),
        (["--abstain-beyond", "1"], "", "give --task too"),
    ],
)
def test_what_cannot_be_asked_is_one_line(run_here: Run, arguments: list[str], editor: str, words: str) -> None:
    done = run_here("rank", "demo", *arguments, EDITOR=editor, VISUAL="")

    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
