"""The command, started as a user starts it: another process, a terminal of 80 columns."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from balance_of_benchmarks.cli import main

Start = Callable[..., "subprocess.Popen[str]"]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def start() -> Start:
    def start_bob(*arguments: str, cwd: Path | None = None, **environment: str | None) -> subprocess.Popen[str]:
        """Start it with more in the environment, or less where a value is None."""
        given = {**os.environ, "COLUMNS": "80", "TERM": "dumb", **environment}
        return subprocess.Popen(
            [sys.executable, "-m", "balance_of_benchmarks", *arguments],
            cwd=cwd, env={key: value for key, value in given.items() if value is not None},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    return start_bob


@pytest.fixture(scope="session")
def run(start: Start) -> Run:
    def run_bob(*arguments: str, **others: str | Path | None) -> subprocess.CompletedProcess[str]:
        """Start it and wait for its end."""
        with start(*arguments, **others) as process:
            try:
                out, err = process.communicate(timeout=300)
            finally:
                process.kill()
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    return run_bob


@pytest.fixture
def run_here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The same without a process of its own, which takes a second to start: for tests that make many."""

    def run_bob(*arguments: str, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        for name, value in {"COLUMNS": "80", "TERM": "dumb", **environment}.items():
            monkeypatch.setenv(name, value)
        if cwd is not None:
            monkeypatch.chdir(cwd)
        monkeypatch.setattr(sys, "argv", ["bob", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        said = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, int(left.value.code or 0), said.out, said.err)

    return run_bob
