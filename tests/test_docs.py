"""The docs say what is so: every snippet and command in them is run, every word they promise is looked up."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import balance_of_benchmarks as bob

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SOURCES = "\n".join(path.read_text() for path in sorted((ROOT / "src").rglob("*.py")))


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, demo: bob.Board) -> Path:
    """A user's folder, with a board's files under the names the docs use."""
    monkeypatch.chdir(tmp_path)
    demo.cells.write_csv("scores.csv")
    demo.benchmarks.write_csv("benchmarks.csv")
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_snippet_runs_and_prints_what_the_page_says(page: Path, workplace: Path) -> None:
    namespace: dict[str, object] = {"__name__": "docs"}
    printed = ""
    text = page.read_text()
    for fence in FENCE.finditer(text):
        language, body = fence.groups()
        if language == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(body, f"{page.name} snippet", "exec"), namespace)  # noqa: S102 - that is what is tested
            printed = out.getvalue()
        elif language == "text" and text[: fence.start()].rstrip().endswith("prints"):
            assert printed == body
        elif language == "sh":
            for line in body.splitlines():
                run_command(line, workplace)


def run_command(line: str, folder: Path) -> None:
    words = shlex.split(line, comments=True)
    allowed = {0, 1} if {"check", "--lint"} & set(words) else {0}  # a check may find something
    assert words[0] == "bob", f"a command the docs tests cannot run: {line}"
    done = subprocess.run(
        [sys.executable, "-m", "balance_of_benchmarks", *words[1:]],
        cwd=folder, env={**os.environ, "COLUMNS": "80"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in allowed, f"{line}: {done.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_inside_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_make_target_named_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))

    for block in re.findall(r"(?:^|`)make ([a-z -]+?)(?:`|\s*#|$)", page.read_text(), re.MULTILINE):
        assert set(block.split()) <= targets, block


def test_ci_runs_the_commands_of_the_readme() -> None:
    block = next(body for _, body in FENCE.findall((ROOT / "README.md").read_text()) if body.startswith("make"))
    commands = [line.split("#")[0].strip() for line in block.splitlines()]

    assert commands == ["make demo", "make test", "make test-local"]
    assert [line for line in (ROOT / ".ci" / "run").read_text().splitlines() if line.startswith("make")] == commands


def test_every_kind_of_adjustment_is_documented_and_every_documented_one_exists() -> None:
    page = (ROOT / "docs" / "json.md").read_text()
    table = page[page.index("| kind | meaning |") :]
    documented = set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE))
    calls = (r"Adjustment\(\s*", r"_note_skipped\(")
    used = {kind for call in calls for kind in re.findall(call + r"\"(\w+)\"", SOURCES)}
    used |= set(re.findall(r"\(\s*\"(\w+)\",\s*(?:models|benchmarks),", SOURCES))

    assert documented == used


def test_the_longest_list_that_is_kriged_is_named_as_it_is() -> None:
    from balance_of_benchmarks.ranking.presets import MOST_POINTS

    for page in ("method", "generality", "tasks", "cli"):
        named = re.findall(r"(?:than|to) (\d+) (?:distinct|of them)", (ROOT / "docs" / f"{page}.md").read_text())
        assert named == [str(MOST_POINTS)], page


def test_every_kind_of_finding_is_documented_with_its_severity() -> None:
    from balance_of_benchmarks.board.checks.finding import KINDS

    page = (ROOT / "docs" / "check.md").read_text()
    rows = re.findall(r"^\| (`.*?`) \| (error|warning|note) \|", page, re.MULTILINE)
    documented = {kind: severity for kinds, severity in rows for kind in re.findall(r"`(\w+)`", kinds)}

    assert documented == KINDS


def test_every_key_of_the_json_answers_is_documented(fitted: bob.BalanceOfBenchmarks) -> None:
    from balance_of_benchmarks.report.describe import report_lint, report_stripped, report_written
    from balance_of_benchmarks.report.evaluation import report_evaluation
    from balance_of_benchmarks.report.method import report_curves, report_ranking, report_weights
    from balance_of_benchmarks.text.describing import MissingText, Written, WrittenText

    text = WrittenText("hle", "description", "It asks.", "a-model", "2026-01-01", "Describe.", "00")
    written = Written((text,), 0, ((MissingText("aime", "paraphrase", None), "declined"),))
    page = (ROOT / "docs" / "json.md").read_text()
    documented = set(re.findall(r"[`\"](\w+)[`\"]", page))
    reports = [
        report_ranking(fitted, fitted.ranking(draws=40)),
        report_ranking(fitted, fitted.rank_for("coach students for maths olympiads")),
        report_weights(fitted),
        report_curves(fitted),
        report_lint(bob.lint_descriptions(fitted.board_)),
        report_written(fitted.board_, written),
        report_stripped(fitted.board_, bob.strip_lineage(fitted.board_)),
        report_evaluation(
            fitted, bob.evaluate_board(fitted, methods=["equal_weight"], most_folds=3, model_draws=5, jobs=1)
        ),
    ]

    for report in reports:
        assert find_keys(report.payload) <= documented


def find_keys(value: object) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {key for inner in value.values() for key in find_keys(inner)}
    if isinstance(value, list | tuple):
        return {key for inner in value for key in find_keys(inner)}
    return set()


def test_every_public_name_resolves_and_is_described() -> None:
    for name in bob.__all__:
        assert getattr(bob, name).__doc__, name


def test_every_dependency_has_its_line() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text()
    project = (ROOT / "pyproject.toml").read_text()
    for block in re.findall(r"(?:dependencies|evaluate|web|local|cluster|dev) = \[(.*?)\]\n", project, re.DOTALL):
        for name in set(re.findall(r"\"([a-zA-Z0-9-]+)", block)) - {"balance-of-benchmarks"}:
            assert name in page, name


def test_every_format_has_its_page() -> None:
    from balance_of_benchmarks.sources.registry import list_formats

    folder = ROOT / "docs" / "sources"
    index = (folder / "index.md").read_text()
    for form in list_formats():
        if form.name not in ("table", "json_schema"):
            assert (folder / f"{form.name}.md").is_file(), form.name
            assert f"]({form.name}.md)" in index, form.name


def test_columns_of_the_tables_are_documented() -> None:
    from balance_of_benchmarks.board.board import BENCHMARK_COLUMNS, CELL_COLUMNS, MODEL_COLUMNS

    page = (ROOT / "docs" / "board.md").read_text()
    for column in (*CELL_COLUMNS, *MODEL_COLUMNS, *BENCHMARK_COLUMNS, *bob.BoardSettings.model_fields):
        assert f"`{column}`" in page, column
