"""The board folder: to the bit there and back, and by hand."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Literal

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import balance_of_benchmarks as bob

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=20)
KEY = TEXT.filter(lambda text: text.strip() != "")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def assert_same(board: bob.Board, other: bob.Board) -> None:
    for name in ("cells", "models", "benchmarks"):
        assert getattr(board, name).equals(getattr(other, name), null_equal=True), name
    assert board.settings == other.settings
    assert board.adjustments == other.adjustments


@pytest.mark.parametrize("scores", ["csv", "parquet"])
def test_the_demo_board_goes_round_to_the_bit(
    demo: bob.Board, tmp_path: Path, scores: Literal["csv", "parquet"]
) -> None:
    bob.write_folder(demo, tmp_path / "one", scores=scores)
    back = bob.read_board(tmp_path / "one")
    bob.write_folder(back, tmp_path / "two", scores=scores)

    assert_same(demo, back)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


@given(
    keys=st.lists(KEY, min_size=1, max_size=4, unique=True),
    scores=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=4, max_size=4),
    texts=st.lists(st.none() | TEXT, min_size=4, max_size=4),
    numbers=st.lists(st.none() | st.floats(allow_nan=False), min_size=4, max_size=4),
    wholes=st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), min_size=4, max_size=4),
    days=st.lists(st.none() | st.dates(date(1000, 1, 1)), min_size=4, max_size=4),
    times=st.lists(st.none() | st.datetimes(datetime(1000, 1, 1)), min_size=4, max_size=4),
    flags=st.lists(st.none() | st.booleans(), min_size=4, max_size=4),
    message=TEXT,
)
def test_any_board_goes_round_to_the_bit(
    tmp_path_factory: pytest.TempPathFactory, keys: list[str], message: str, **columns: list[object]
) -> None:
    folder = tmp_path_factory.mktemp("board")
    n = len(keys)
    extras = {name: values[:n] for name, values in columns.items() if name != "scores"}
    types = {"texts": pl.String, "numbers": pl.Float64, "wholes": pl.Int64, "days": pl.Date, "flags": pl.Boolean}
    models = pl.DataFrame({"key": keys, **extras}, schema={"key": pl.String, **types, "times": pl.Datetime("us")})
    board = bob.Board(
        cells=pl.DataFrame(
            {"model": keys, "benchmark": ["x"] * n, "score": columns["scores"][:n], "source": extras["texts"]}
        ),
        models=models,
        settings=bob.BoardSettings(name=message, attribution=message),
        adjustments=(bob.Adjustment("kind", (message,), message, message),),
    )
    bob.write_folder(board, folder)

    assert_same(board, bob.read_board(folder))


def test_a_folder_made_by_hand_needs_only_scores(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text("model,benchmark,score\na,x,0.5\nb,x,\n")
    (tmp_path / "models.csv").write_text("key,name,context,free,launched,note\na,Model A,8000,true,2026-01-01,1 x\n")
    board = bob.read_board(tmp_path)

    assert board.name == tmp_path.name
    assert board.cells["score"].to_list() == [0.5, None]
    extras = board.models.drop("open_weights")[["context", "free", "launched", "note"]]
    assert extras.dtypes == [pl.Int64, pl.Boolean, pl.Date, pl.String]
    assert board.models["key"].to_list() == ["a", "b"]


def test_a_large_or_odd_edit_is_named_with_its_place(tmp_path: Path, demo: bob.Board) -> None:
    def broken(name: str, old: str, new: str) -> Path:
        folder = bob.write_folder(demo, tmp_path / "broken")
        path = folder / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))
        return folder

    for name, old, new, words in (
        ("board.toml", "version = 1", "version = 2", "version = 2: Input should be 1"),
        ("board.toml", "[board]", "[board", "is not TOML"),
        ("board.toml", "simulated = true", "simulated = 'yes'", "simulated"),
        ("board.toml", "simulated = true", "color = 'red'", "color"),
        ("board.toml", "[board]", "types = 3\n[board]", "types = 3"),
        ("board.toml", "[board]", "types.models.a = []\n[board]", r"types\.models\.a = \[\]"),
        ("board.toml", "[board]", "types.models.a = 'float'\n[board]", "'text', 'number'"),
        ("board.toml", "[board]", "[[adjustments]]\nkind='a'\nwhere=3\nmessage=''\n[board]", r"where = 3"),
        ("scores.csv", "model,", "modell,", "expected one named 'model'"),
        ("scores.csv", "score", "model", "two columns named model"),
        ("benchmarks.csv", "true", "maybe", "expected true, false or nothing"),
    ):
        with pytest.raises(bob.BoardError, match=words):
            bob.read_board(broken(name, old, new))


def test_a_folders_tables_may_name_their_keys_after_the_thing(tmp_path: Path) -> None:
    (tmp_path / "board.toml").write_bytes(b"\xef\xbb\xbf[board]\nname = 'with a mark'\n")
    (tmp_path / "scores.csv").write_text("model,benchmark,score\na,x,1\n")
    (tmp_path / "benchmarks.csv").write_text("benchmark,description\nx,A text.\n")
    board = bob.read_board(tmp_path)

    assert board.name == "with a mark"
    assert board.benchmarks.select("key", "description").row(0) == ("x", "A text.")


def test_a_stated_type_that_does_not_fit_is_named(tmp_path: Path) -> None:
    (tmp_path / "board.toml").write_text('[types.models]\nsize = "integer"\n')
    (tmp_path / "scores.csv").write_text("model,benchmark,score\na,x,1\n")
    (tmp_path / "models.csv").write_text("key,size\na,big\n")

    with pytest.raises(bob.BoardError, match="row 1 has size = 'big': expected the type integer"):
        bob.read_board(tmp_path)


def test_digits_that_are_no_number_stay_text_and_odd_names_stay(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text("model,benchmark,score\na,x,1\n")
    (tmp_path / "models.csv").write_text('key,code,"say ""hi""",_row\na,007,1,2\n')
    board = bob.read_board(tmp_path)
    bob.write_folder(board, tmp_path / "again")

    assert board.models.select("code", 'say "hi"', "_row").row(0) == ("007", 1, 2)
    assert_same(
        bob.read_board(tmp_path / "again").select(),
        bob.Board(board.cells, board.models, board.benchmarks, bob.BoardSettings(name=tmp_path.name)),
    )


def test_writing_replaces_the_other_form_of_scores(tmp_path: Path, demo: bob.Board) -> None:
    bob.write_folder(demo, tmp_path)
    bob.write_folder(demo, tmp_path, scores="parquet")

    assert sorted(contents(tmp_path)) == ["benchmarks.csv", "board.toml", "models.csv", "scores.parquet"]


def test_a_file_is_not_overwritten_by_a_folder(tmp_path: Path, demo: bob.Board) -> None:
    (tmp_path / "taken").write_text("mine")

    with pytest.raises(bob.BoardError, match="is a file"):
        bob.write_folder(demo, tmp_path / "taken")
    assert (tmp_path / "taken").read_text() == "mine"


def test_a_mark_within_a_column_s_name_is_not_one_between_values(tmp_path: Path) -> None:
    name = "a;b;c;d;e;f;g;h;i"
    cells = pl.DataFrame({"model": ["m"], "benchmark": ["x"], "score": [0.5], name: ["kept"]})
    bob.write_folder(bob.Board(cells), tmp_path)

    assert bob.read_board(tmp_path).cells[name].to_list() == ["kept"]
