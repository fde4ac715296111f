"""Importing: a folder that a person can edit, made from anything, which loses nothing by being made again."""

from __future__ import annotations

import hashlib
from pathlib import Path

import polars as pl
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.importing import import_folder, select_listed

SCORES = "model,benchmark,score\na,x,0.5\na,y,0\nb,x,0.25\n"


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in sorted(folder.iterdir())}


def test_a_folder_is_written_with_where_it_came_from(tmp_path: Path) -> None:
    source = write(tmp_path / "scores.csv", SCORES)
    done = import_folder(bob.read_board(source), tmp_path / "board")
    board = bob.read_board(tmp_path / "board")

    assert done.words == "written to"
    assert board.cells.select("model", "benchmark", "score").rows() == [
        ("a", "x", 0.5),
        ("a", "y", 0.0),
        ("b", "x", 0.25),
    ]
    assert [(file.file, file.format) for file in board.sources] == [("scores.csv", "table")]
    assert board.sources[0].sha256 == hashlib.sha256(source.read_bytes()).hexdigest()


def test_importing_again_touches_no_file(tmp_path: Path) -> None:
    source = write(tmp_path / "scores.csv", SCORES)
    import_folder(bob.read_board(source), tmp_path / "board")
    before = contents(tmp_path / "board")

    assert import_folder(bob.read_board(source), tmp_path / "board").words == "unchanged in"
    assert contents(tmp_path / "board") == before


def test_another_board_is_not_written_over_unless_asked(tmp_path: Path) -> None:
    first, second = (
        bob.read_board(write(tmp_path / f"{i}.csv", text)) for i, text in enumerate((SCORES, SCORES + "b,y,1\n"))
    )
    import_folder(first, tmp_path / "board")
    before = contents(tmp_path / "board")

    with pytest.raises(bob.BoardError, match=r"holds another board already.*--update.*--replace"):
        import_folder(second, tmp_path / "board")
    assert contents(tmp_path / "board") == before
    import_folder(second, tmp_path / "board", replace=True)
    assert bob.read_board(tmp_path / "board").cells.height == 4
    with pytest.raises(bob.BoardError, match="one of them"):
        import_folder(second, tmp_path / "board", replace=True, update=True)


def test_updating_takes_new_scores_and_keeps_what_a_person_wrote(tmp_path: Path) -> None:
    old = bob.read_board(write(tmp_path / "old.csv", SCORES))
    new = bob.read_board(
        write(tmp_path / "new.csv", SCORES.replace("0.25", "0.75") + "c,z,1\n"),
        models=pl.DataFrame({"key": ["a"], "creator": ["New Maker"]}),
    )
    folder = tmp_path / "board"
    import_folder(old, folder)
    write(folder / "benchmarks.csv", "key,description,upper\nx,What x asks.,1\ny,What y asks.,1\n")
    write(folder / "models.csv", "key,creator,team\na,Old Maker,blue\nb,Its Maker,red\n")

    import_folder(new, folder, update=True)
    board = bob.read_board(folder)

    assert board.cells["score"].to_list() == [0.5, 0.0, 0.75, 1.0]
    assert board.benchmarks.select("key", "description").rows() == [
        ("x", "What x asks."),
        ("y", "What y asks."),
        ("z", None),
    ]
    assert board.models.select("key", "creator", "team").rows() == [
        ("a", "New Maker", "blue"),
        ("b", "Its Maker", "red"),
        ("c", None, None),
    ]
    assert import_folder(new, folder, update=True).words == "unchanged in"


@pytest.mark.parametrize("listing", ["y\nx\n", "key,category\ny,late\nx,early\n", "benchmark\ny\nx\n"])
def test_listed_benchmarks_are_selected_in_their_order(tmp_path: Path, listing: str) -> None:
    board = bob.read_board(write(tmp_path / "scores.csv", SCORES + "a,z,1\n"))
    chosen = select_listed(board, benchmarks=str(write(tmp_path / "listed.csv", listing)))

    assert chosen.benchmarks["key"].to_list() == ["y", "x"]
    assert chosen.cells.height == 3
    if "category" in listing:
        assert chosen.benchmarks["category"].to_list() == ["late", "early"]


def test_a_list_that_names_nobody_on_the_board_is_an_error(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path / "scores.csv", "model,gpqa\na,0.5\n"))

    with pytest.raises(bob.BoardError, match="did you mean 'gpqa'"):
        select_listed(board, benchmarks=str(write(tmp_path / "listed.csv", "GPQA_\n")))
    with pytest.raises(bob.BoardError, match="No such file"):
        select_listed(board, models=str(tmp_path / "gone"))
    with pytest.raises(bob.BoardError, match="no column key"):
        select_listed(board, models=str(write(tmp_path / "two.csv", "a,b\n1,2\n")))
