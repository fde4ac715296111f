"""A service of embeddings on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from servers import embeddings


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Any]:
    with embeddings.serve(tmp_path / "service") as running:
        yield running


@pytest.fixture(scope="session")
def vector_of() -> Any:
    """What that service answers for a text."""
    return embeddings.vector_of


@pytest.fixture(autouse=True)
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder of caches of this test's own."""
    monkeypatch.setenv("BOB_CACHE_DIR", str(tmp_path / "caches"))
    monkeypatch.delenv("BOB_EMBEDDINGS_KEY", raising=False)
    return tmp_path / "caches"
