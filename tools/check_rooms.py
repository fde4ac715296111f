"""Check that a room imports only rooms listed above it, and that nothing imports the doors.

The order is the way data takes; a room that reaches back would make a circle of it. Run by ``make check``.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Final

PACKAGE: Final = "balance_of_benchmarks"
SOURCE: Final = Path(__file__).parents[1] / "src" / PACKAGE
# First to last; a module beside the rooms (errors, types) is everybody's and may use none of them.
ROOMS: Final = (
    "transport", "board", "sources", "text", "geometry", "equating", "ranking", "evaluation", "paper", "report",
    "cli", "web",
)  # fmt: skip
DOORS: Final = ("cli", "web")
# The package's own door hands out names of every room; __main__ is the command.
OUTSIDE: Final = ("__init__", "__main__")


def imported_rooms(source: str) -> list[tuple[int, str]]:
    """List line and room of every import of this package in a module, those inside functions too."""
    found: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] if node.module != PACKAGE else [f"{PACKAGE}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == PACKAGE:
                found.append((node.lineno, parts[1] if len(parts) > 1 else "(the package itself)"))
    return found


def find_faults(module: str, source: str) -> list[str]:
    """Say what a module, named by its path in the package, imports that it must not."""
    room = module.split("/")[0] if "/" in module else None
    if room is not None and room not in ROOMS:
        return [f"{module}: {room} is not a room: add it to ROOMS where data passes it"]
    faults = []
    for line, target in imported_rooms(source):
        if target not in ROOMS:
            allowed = target != "(the package itself)" or room in DOORS
        elif room is None or target == room:
            allowed = room is not None
        else:
            allowed = ROOMS.index(target) < ROOMS.index(room) and target not in DOORS
        if not allowed:
            faults.append(f"{module}:{line}: imports {target}, which is not above {room or 'the rooms'}")
    return faults


def main() -> int:
    """Check every module; 1 when there is a fault."""
    faults = []
    for path in sorted(SOURCE.rglob("*.py")):
        module = path.relative_to(SOURCE).as_posix()
        if module.removesuffix(".py") not in OUTSIDE:
            faults += find_faults(module, path.read_text(encoding="utf-8"))
    print("\n".join(faults) or "rooms: each imports only rooms above it")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
