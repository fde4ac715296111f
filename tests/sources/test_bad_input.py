"""Bad input by the thousand: whatever is done to a good file, it is read or refused in words; `make fuzz` goes on."""

from __future__ import annotations

import os
import random
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources import document
from balance_of_benchmarks.sources.registry import list_formats

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from fuzz_readers import find_seeds, spoil, try_input

SEEDS = list(find_seeds())


def test_every_format_has_seeds_that_it_recognises() -> None:
    formats = {form.name: form for form in list_formats()}

    assert {path.parent.name for path in SEEDS} == set(formats)
    for path in SEEDS:
        assert formats[path.parent.name].recognises(document.open_document(path)), path


@pytest.mark.parametrize("seed", SEEDS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_spoiled_file_is_read_or_refused(tmp_path: Path, seed: Path) -> None:
    whole = seed.read_bytes()
    path = tmp_path / seed.name

    @settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.integers(0, 2**32 - 1), st.integers(1, 3))
    def try_spoiled(number: int, times: int) -> None:
        chance, content = random.Random(number), whole  # noqa: S311 - no secret
        for _ in range(times):
            content = spoil(content, chance)
        path.write_bytes(content)
        try_input(path)

    try_spoiled()


@given(st.binary(max_size=400))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_read_or_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    try_input(tmp_path / "file")


def test_a_pipe_nobody_writes_to_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "_PATIENCE", 0)
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(bob.BoardError, match="a pipe that nobody wrote to"):
        bob.read_board(tmp_path / "pipe")


def test_a_pipe_whose_writer_comes_late_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=("model,x\na,0.5\n",))
    writer.start()
    board = bob.read_board(path)
    writer.join()

    assert board.cells["score"].to_list() == [0.5]


def test_halves_of_characters_in_json_are_replaced(tmp_path: Path) -> None:
    rows = '[{"model": "a\\ud800", "x\\udc00": 0.1, "y": 0.2}, {"model": "\\ud83d\\ude00", "x\\udc00": 0.3, "y": 0.4}]'
    (tmp_path / "scores.json").write_text(rows)
    board = bob.read_board(tmp_path / "scores.json")

    assert board.models["key"].to_list() == ["a\ufffd", "\U0001f600"]
    assert board.benchmarks["key"].to_list() == ["x\ufffd", "y"]


def test_halves_of_characters_in_notes_do_not_keep_a_board_from_its_folder(tmp_path: Path) -> None:
    scores = '{"task_scores": {"reported_avg\\ud800": 0.1}, "overall_score": 0.5, "model": "a", "display_name": "A", '
    scores += '"benchmark": "b", "weight_type": "shared"}'
    (tmp_path / "scores.json").write_text(f'{{"last_updated": "2026-01-01", "results": [{scores}]}}')
    board = bob.read_board(tmp_path / "scores.json")

    assert "\ufffd" in board.adjustments[0].message
    assert bob.read_board(bob.write_folder(board, tmp_path / "out")).cells.equals(board.cells)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no file names that are no text")
def test_a_file_whose_name_is_no_text_comes_in(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.csv")
    path.write_text("model,a,b\nx,0.1,0.2\ny,0.3,0.4\n")
    board = bob.read_board(path)

    assert (board.name, board.sources[0].file) == ("caf?", "caf?.csv")
    assert bob.read_board(bob.write_folder(board, tmp_path / "out")).sources == board.sources
