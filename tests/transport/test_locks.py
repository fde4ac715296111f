"""A lock between processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from balance_of_benchmarks.transport.locks import LockedError, hold_lock

HOLD = """
import sys
from pathlib import Path
from balance_of_benchmarks.transport.locks import hold_lock
with hold_lock(Path(sys.argv[1]), 0):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_one_process_holds_it_and_however_that_ends_the_next_can(tmp_path: Path) -> None:
    place, waited = tmp_path / ".lock", []
    for end in ("killed", "done"):
        with subprocess.Popen(
            [sys.executable, "-c", HOLD, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == "held\n"
            with pytest.raises(LockedError), hold_lock(place, 0, lambda: waited.append(end)):  # noqa: B023
                raise AssertionError
            if end == "killed":
                other.kill()
        with hold_lock(place, 0, lambda: waited.append("needlessly")):
            pass

    assert waited == ["killed", "done"]
