"""A server on loopback, and answers in the shape of Artificial Analysis made here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from servers import files


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Any]:
    with files.serve(tmp_path / "served") as running:
        yield running
