"""The command, run as a user runs it: another process, a terminal of 80 columns."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def run() -> Run:
    def run_bob(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "balance_of_benchmarks", *arguments],
            env={**os.environ, "COLUMNS": "80", "TERM": "dumb", **environment},
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip

    return run_bob
