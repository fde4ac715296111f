"""Atomic writing."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from balance_of_benchmarks.transport.files import write_atomically


def test_a_failed_write_leaves_the_old_content_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old")

    def fail(_: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, b"new")

    assert [p.name for p in tmp_path.iterdir()] == ["file"]
    assert path.read_bytes() == b"old"


def test_a_written_file_is_as_readable_as_any_other(tmp_path: Path) -> None:
    write_atomically(tmp_path / "ours", b"x")
    (tmp_path / "usual").write_bytes(b"x")

    assert stat.S_IMODE((tmp_path / "ours").stat().st_mode) == stat.S_IMODE((tmp_path / "usual").stat().st_mode)
