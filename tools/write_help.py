"""Write docs/cli.md from the command's own help; ``--check`` compares. Run by ``make check``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parents[1] / "docs" / "cli.md"
COMMANDS: Final = ("rank", "weights", "curves", "evaluate", "paper", "check", "describe", "import", "fetch")
INTRODUCTION: Final = """# The command `bob`

This page is written by `tools/write_help.py` from the command's own help.

`BOARD` is a board folder ([board.md](board.md)), files of scores, or `demo` for the bundled, simulated board. Only
`bob fetch` ([fetch.md](fetch.md)) goes online; so do an `--encoder` that is a service, or a model this machine does not
have yet ([encoders.md](encoders.md)), and `bob describe` and `bob rank --canonical` where a language model is named
([describe.md](describe.md)). Tables are for people: at most as wide as the terminal, `--top` shortens them.
`--format json`, `csv` and `md` are for machines: always whole, keys instead of names, and in JSON `null` for what
is undefined ([json.md](json.md)). What was changed, assumed or left out is said on standard error, and so is what a CSV
has no place for: whose scores these are, whether they are simulated, what a task's ranking rests on.

Exit codes: 0 done, 1 a check failed, 2 bad input or usage.
"""


def write_page() -> str:
    """Collect the help of the command and of each subcommand."""
    parts = [INTRODUCTION]
    for command in ((), *((name,) for name in COMMANDS)):
        done = subprocess.run(
            [str(Path(sys.executable).parent / "bob"), *command, "--help"],
            env={**os.environ, "COLUMNS": "80", "TERM": "dumb"},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        lines = "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())
        parts.append(f"## {' '.join(('bob', *command))}\n\n```text\n{lines}\n```\n")
    return "\n".join(parts)


def main() -> int:
    """Write the page, or say whether it is up to date."""
    page = write_page()
    if "--check" not in sys.argv:
        PAGE.write_text(page, encoding="utf-8")
        return 0
    same = PAGE.read_text(encoding="utf-8") == page
    print(f"{PAGE.name}: {'up to date' if same else 'differs from the help: run tools/write_help.py'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
