"""How long the installed command takes from start to end, beside bare interpreters in the same run.

The yardstick is a Python that imports numpy, polars and numba, as a command that ranks must, and does nothing.
``python benchmarks/command_speed.py`` prints a table and checks no time.
"""

from __future__ import annotations

import platform
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Final

_ROUNDS: Final = 9
_BOB: Final = str(Path(sys.executable).parent / "bob")
_YARDSTICK: Final = 'python -c "import numpy, polars, numba"'
_COMMANDS: Final[dict[str, list[str]]] = {
    "python -c pass": [sys.executable, "-c", "pass"],
    _YARDSTICK: [sys.executable, "-c", "import numpy, polars, numba"],
    "bob --help": [_BOB, "--help"],
    "bob rank demo": [_BOB, "rank", "demo"],
    'bob rank demo --task "coach students for maths olympiads"': [
        _BOB, "rank", "demo", "--task", "coach students for maths olympiads",
    ],
    "bob rank demo --weighting equal": [_BOB, "rank", "demo", "--weighting", "equal"],
}  # fmt: skip


def main() -> None:
    """Run every command in turn, several rounds, and print the table."""
    for command in _COMMANDS.values():
        _time_command(command)  # untimed: brings files into memory and compiles what is not compiled yet
    seconds: dict[str, list[float]] = {name: [] for name in _COMMANDS}
    # In turn, not one after the other: a busy spell of the machine then meets all of them.
    for _ in range(_ROUNDS):
        for name, command in _COMMANDS.items():
            seconds[name].append(_time_command(command))
    print(f"Python {platform.python_version()}; wall seconds of {_ROUNDS} runs each; ratio of medians\n")
    print(_format_table(seconds, median(seconds[_YARDSTICK])))


def _time_command(command: list[str]) -> float:
    """Wall seconds of a command, which must succeed."""
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def _format_table(seconds: dict[str, list[float]], unit: float) -> str:
    wide = max(map(len, seconds))
    rows = [f"{'what':<{wide}}  median    best  ratio"]
    for name, taken in seconds.items():
        rows.append(f"{name:<{wide}}  {median(taken):>6.3f}  {min(taken):>6.3f}  {median(taken) / unit:>5.2f}")
    return "\n".join(rows)


if __name__ == "__main__":
    main()
