"""Board: what it takes, keeps, refuses, and selects."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from datetime import date

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.board.board import BENCHMARK_COLUMNS, CELL_COLUMNS, MODEL_COLUMNS

CELLS = {
    "model": ["m1", "m1", "m2", "m3"],
    "benchmark": ["x", "y", "x", "y"],
    "score": [0.5, 0.0, 1.0, None],
}


def small_board(models: pl.DataFrame | None = None) -> bob.Board:
    return bob.Board(cells=pl.DataFrame(CELLS), models=pl.DataFrame() if models is None else models)


def test_every_key_of_the_cells_gets_a_row_and_a_name() -> None:
    board = small_board(models=pl.DataFrame({"key": ["m0", "m2"], "name": ["Model 0", None]}))

    assert board.models.select("key", "name").rows() == [("m0", "Model 0"), ("m2", "m2"), ("m1", "m1"), ("m3", "m3")]
    assert board.benchmarks["key"].to_list() == ["x", "y"]


def test_standard_columns_come_first_and_typed_and_others_are_kept() -> None:
    models = pl.DataFrame({"colour": ["red"], "key": ["m1"], "release_date": ["2026-09-03"], "price_input": [3]})
    board = small_board(models=models)

    assert dict(zip(board.cells.columns, board.cells.dtypes, strict=True)) == CELL_COLUMNS
    assert board.models.columns == [*MODEL_COLUMNS, "colour"]
    assert board.models.dtypes[: len(MODEL_COLUMNS)] == list(MODEL_COLUMNS.values())
    assert board.benchmarks.dtypes == list(BENCHMARK_COLUMNS.values())
    assert board.models["release_date"][0] == date(2026, 9, 3)


def test_names_of_columns_may_differ_by_case_and_spaces() -> None:
    cells = pl.DataFrame({"Model": ["a"], " benchmark ": ["x"], "SCORE": [0.5]})
    board = bob.read_board(cells, benchmarks=pl.DataFrame({"Benchmark": ["x"], "Description": ["A text."]}))

    assert board.cells.select("model", "benchmark", "score").row(0) == ("a", "x", 0.5)
    assert board.benchmarks["description"][0] == "A text."


def test_missing_is_kept_apart_from_zero() -> None:
    board = bob.Board(cells=pl.DataFrame({**CELLS, "score": [0.5, 0.0, float("nan"), None]}))

    assert board.cells["score"].to_list() == [0.5, 0.0, None, None]


@pytest.mark.parametrize("make", [pl.DataFrame, pd.DataFrame, pa.table], ids=["polars", "pandas", "arrow"])
def test_frames_of_any_kind_come_in_as_they_are(make: object) -> None:
    board = bob.read_board(make(CELLS))  # type: ignore[operator]

    assert board.cells.select("model", "benchmark", "score").to_dict(as_series=False) == CELLS


def test_a_pandas_index_with_a_name_is_a_column() -> None:
    wide = pd.DataFrame({"model": ["a", "b"], "x": [0.1, 0.2], "y": [None, 0.4]}).set_index("model")
    board = bob.read_board(wide)

    assert board.cells.select("model", "benchmark", "score").rows() == [
        ("a", "x", 0.1),
        ("b", "x", 0.2),
        ("b", "y", 0.4),
    ]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"model": ["a", "b"], "benchmark": ["x", "x"], "score": [0.1, "--"]}),
        pd.DataFrame({"model": ["a", 3], "benchmark": ["x", "x"], "score": [0.1, 0.2]}),
        pd.DataFrame({"model": ["a"], "x": [0.1]}, index=pd.Index(["q"], name="x")),
        pl.DataFrame({"model": ["a"], "x": [[0.1, 0.2]]}),
        pl.DataFrame({"model": ["a"], "x": [date(2026, 1, 1)]}),
    ],
)
def test_a_frame_that_does_not_fit_is_a_board_error(frame: object) -> None:
    with pytest.raises(bob.BoardError):
        bob.read_board(frame)


def test_pandas_nan_is_missing() -> None:
    models = pd.DataFrame({"key": ["m1"], "price_input": [float("nan")]})

    assert bob.Board(cells=pl.DataFrame(CELLS), models=models).models["price_input"][0] is None


def test_a_lazy_frame_is_collected() -> None:
    assert bob.read_board(pl.DataFrame(CELLS).lazy()).cells.height == 4


def test_a_board_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        small_board().cells = pl.DataFrame()  # type: ignore[misc]


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ({"cells": {"model": ["a"], "score": [1.0]}}, "expected one named 'benchmark'"),
        ({"cells": {**CELLS, "score": [0.1, float("inf"), 0.2, 0.3]}}, "'m1' on 'y' is inf"),
        ({"cells": {**CELLS, "score": ["0.1", "a lot", "", None]}}, "row 2 has score = 'a lot': expected a number"),
        ({"cells": {**CELLS, "model": ["m1", None, "m2", "m3"]}}, "row 2 has no model"),
        ({"cells": {**CELLS, "benchmark": ["x", " ", "x", "y"]}}, "row 2 has no benchmark"),
        ({"models": {"key": ["m1", "m1"]}}, "models lists 'm1' more than once"),
        ({"models": {"key": ["m1"], "release_date": ["last year"]}}, "expected a date like 2026-09-03"),
        ({"models": {"key": ["m1"], "open_weights": ["perhaps"]}}, "expected true, false or nothing"),
        ({"models": {"name": ["m1"]}}, "expected one named 'key'"),
        ({"benchmarks": {"key": ["x"], "lower": [1.0], "upper": [0.0]}}, "lower below the upper"),
        ({"benchmarks": {"key": ["x"], "upper": [float("inf")]}}, "finite bounds"),
        ({"benchmarks": {"key": ["x"], "n_items": [1.5]}}, "expected a whole number"),
        ({"benchmarks": {"key": ["x"], "n_items": [0]}}, "n_items = 0: expected at least 1"),
        ({"benchmarks": {"key": ["x"], "lower_is_better": ["so so"]}}, "expected true, false or nothing"),
        ({"cells": {**CELLS, "score": [True, False, True, True]}}, "expected a number"),
        ({"cells": {**CELLS, "n_items": [-5, 1, 1, 1]}}, "n_items = -5"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tables: dict[str, dict[str, list[object]]], words: str) -> None:
    frames = {"cells": pl.DataFrame(CELLS), **{name: pl.DataFrame(table) for name, table in tables.items()}}

    with pytest.raises(bob.BoardError, match=words):
        bob.Board(**frames)  # type: ignore[arg-type]


def test_nested_extras_become_json_text_and_integers_stay_whole() -> None:
    models = pl.DataFrame({"key": ["m1"], "tags": [["a", "b"]], "context": pl.Series([8], dtype=pl.UInt16)})
    board = small_board(models=models)

    assert board.models.row(0, named=True)["tags"] == '["a", "b"]'
    assert board.models["context"].dtype == pl.Int64


def test_select_takes_keys_in_the_order_given() -> None:
    part = small_board().select(models=["m2", "m1"], benchmarks=["x"])

    assert part.models["key"].to_list() == ["m2", "m1"]
    assert part.cells.select("model", "benchmark").rows() == [("m1", "x"), ("m2", "x")]


def test_select_names_the_nearest_key_for_an_unknown_one() -> None:
    with pytest.raises(bob.BoardError, match=r"'aime_52' is not among .* did you mean 'aime_25'"):
        bob.read_board("demo").select(benchmarks=["aime_52"])
    with pytest.raises(bob.BoardError, match="expected a list of keys"):
        small_board().select(models="m1")
