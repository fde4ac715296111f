"""A server on loopback, and answers in the shape of Artificial Analysis made here."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

serve = runpy.run_path(str(Path(__file__).with_name("server.py")))["serve"]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Any]:
    with serve(tmp_path / "served") as running:
        yield running
