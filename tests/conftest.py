"""What tests share: the demo board fitted once, and the folder of real data, where there is one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

import balance_of_benchmarks as bob
from balance_of_benchmarks.paper.redo import redo_paper
from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.paper.texts import own_texts

SHARED = Path(os.environ.get("BOB_SHARED", Path(__file__).parents[2] / "shared"))

# The same examples in every run, so that a landing is not refused by luck; time never decides a test.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Real boards and the paper's numbers, beside the checkout; not part of it."""
    if not (SHARED / "boards").is_dir():
        pytest.skip(f"no real boards at {SHARED}: set BOB_SHARED to the folder that has them")
    return SHARED


@pytest.fixture(scope="session")
def demo() -> bob.Board:
    return bob.read_board("demo")


@pytest.fixture(scope="session")
def fitted(demo: bob.Board) -> bob.BalanceOfBenchmarks:
    return bob.BalanceOfBenchmarks().fit(demo)


@pytest.fixture(scope="session")
def redone(demo: bob.Board) -> Redone:
    """The paper redone on the demo board, draws saved."""
    return redo_paper(demo, own_texts(), quick=True, jobs=2)
