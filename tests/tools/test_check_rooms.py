"""The guard of the rooms' order can fire."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from check_rooms import find_faults, main


def test_this_package_keeps_the_order() -> None:
    assert main() == 0


@pytest.mark.parametrize(
    ("module", "source", "fault"),
    [
        ("board/a.py", "from balance_of_benchmarks.errors import BobError", False),
        ("ranking/a.py", "from balance_of_benchmarks.equating.fit import Fit", False),
        ("ranking/a.py", "import balance_of_benchmarks.ranking.order", False),
        ("equating/a.py", "from balance_of_benchmarks.ranking.order import place_models", True),
        ("text/a.py", "def f():\n    from balance_of_benchmarks.geometry import space", True),
        ("report/a.py", "from balance_of_benchmarks.cli import main", True),
        ("web/a.py", "from balance_of_benchmarks.cli import main", True),
        ("board/a.py", "import balance_of_benchmarks as bob", True),
        ("board/a.py", "from balance_of_benchmarks import geometry", True),
        ("errors.py", "from balance_of_benchmarks.board.board import Board", True),
        ("helpers/a.py", "x = 1", True),
    ],
)
def test_a_room_imports_only_rooms_above_it(module: str, source: str, fault: bool) -> None:
    assert bool(find_faults(module, source)) is fault
