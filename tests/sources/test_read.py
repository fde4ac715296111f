"""read_board: what each kind of source becomes, and how others are refused."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import balance_of_benchmarks as bob

LONG = "model,benchmark,score,n_items\nalpha,x,0.5,100\nalpha,y,0,\nbeta,x,0.25,100\n"
WIDE = "model,x,y\nalpha,0.5,0\nbeta,0.25,\ngamma,,\n"


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def answer_row(**changes: Any) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": "1",
        "name": "Model One",
        "slug": "model-one",
        "release_date": "2026-01-31",
        "model_creator": {"id": "9", "name": "Maker"},
        "evaluations": {"gpqa": 0.5, "hle": 0, "aime": None, "some_index": 41.5, "other_eval": 0.9},
        "pricing": {"price_1m_blended_3_to_1": 1.5, "price_1m_input_tokens": 1, "price_1m_output_tokens": 3},
        "median_output_tokens_per_second": 80,
    }
    return {**row, **changes}


def write_answer(folder: Path, *rows: dict[str, Any]) -> Path:
    return write(folder, "answer.json", json.dumps({"status": 200, "data": list(rows)}))


def test_long_and_wide_tables_hold_the_same_scores(tmp_path: Path) -> None:
    long = bob.read_board(write(tmp_path, "long.csv", LONG))
    wide = bob.read_board(write(tmp_path, "wide.csv", WIDE))

    columns = ["model", "benchmark", "score"]
    assert long.cells.select(columns).sort(columns).rows() == wide.cells.select(columns).sort(columns).rows()
    assert long.cells["n_items"].to_list() == [100, None, 100]
    assert wide.models["key"].to_list() == ["alpha", "beta", "gamma"]


@pytest.mark.parametrize("name", ["scores.tsv", "semicolons", "scores.parquet", "scores.unusual"])
def test_content_not_ending_decides_what_a_file_is(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name.endswith("parquet"):
        pl.read_csv(LONG.encode()).write_parquet(path)
    else:
        path.write_text(LONG.replace(",", ";" if name == "semicolons" else "\t"))

    assert bob.read_board(path).cells.height == 3


def test_a_wide_tables_columns_on_models_describe_them(tmp_path: Path) -> None:
    text = "name,model,creator,release_date,x\nAlpha One,alpha,Maker,2026-01-01,0.5\n"
    board = bob.read_board(write(tmp_path, "wide.csv", text))

    assert board.benchmarks["key"].to_list() == ["x"]
    assert board.models.select("key", "name", "creator", "release_date").row(0) == (
        *("alpha", "Alpha One", "Maker"),
        date(2026, 1, 1),
    )


def test_the_index_pandas_writes_beside_keys_is_no_benchmark(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, "wide.csv", ",model,x\n0,a,1\n1,b,0\n"))

    assert board.benchmarks["key"].to_list() == ["x"]


def test_a_leaderboard_as_people_export_it_reads(tmp_path: Path) -> None:
    text = (
        "Rank,Model,Organization,License,Average ⬆️,MMLU,GSM8K,IFEval,MATH,#Params (B),Votes\n"
        "1,[Alpha](https://a.example),Acme,MIT,70,80.5,60%,70,-,8,1200\n"
        "2,Beta,Bolt,,65,70,60,65,40,70,900\n"
    )
    board = bob.read_board(write(tmp_path, "board.csv", text))

    assert board.benchmarks["key"].to_list() == ["MMLU", "GSM8K", "IFEval", "MATH"]
    assert board.models["key"].to_list() == ["Alpha", "Beta"]
    assert board.models.select("Organization", "License").rows() == [("Acme", "MIT"), ("Bolt", None)]
    assert {note.where for note in board.adjustments if note.kind == "left_aside"} == {
        ("Rank", "#Params (B)", "Votes"),
        ("Average ⬆️",),
    }
    assert "MMLU" in bob.read_board(tmp_path / "board.csv", also=["Average ⬆️"]).benchmarks["key"].to_list()


def test_the_first_column_of_texts_is_the_models_where_none_is_called_so(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, "board.csv", "Sprachmodell,MMLU,GSM8K\nAlpha,80,60\nBeta,70,50\n"))

    assert board.models["key"].to_list() == ["Alpha", "Beta"]
    assert [note.kind for note in board.adjustments] == ["model_column_assumed"]


def test_a_model_in_two_rows_of_a_wide_table_has_two_scores(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, "board.csv", "model,x\na,0.25\na,0.75\n"))

    assert board.models["key"].to_list() == ["a"]
    assert board.retain(1).scores.tolist() == [[0.5]]


@pytest.mark.parametrize(
    "payload",
    [
        [{"model": "a", "x": 0.5, "y": None}, {"model": "b", "x": 0.25, "y": 1}],
        {"rows": [{"model": "a", "x": 0.5}, {"model": "b", "x": 0.25, "y": 1}], "note": "of today"},
        {"a": {"x": 0.5, "y": None}, "b": {"x": 0.25, "y": 1}},
        {"rows": [{"row_idx": 0, "row": {"model": "a", "x": 0.5}}, {"row": {"model": "b", "x": 0.25, "y": 1}}]},
    ],
)
def test_tables_in_json_read_in_every_shape(tmp_path: Path, payload: Any) -> None:
    board = bob.read_board(write(tmp_path, "scores.json", json.dumps(payload)))

    assert board.cells.select("model", "benchmark", "score").sort("benchmark", "model").rows() == [
        ("a", "x", 0.5),
        ("b", "x", 0.25),
        ("b", "y", 1.0),
    ]


def test_extra_columns_have_the_types_they_look_like(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, "scores.csv", "model,benchmark,score,run,_row\na,x,0.5,7,008\n"))

    assert board.cells.select("run", "_row").row(0) == (7, "008")


def test_tables_given_beside_complete_and_override(tmp_path: Path) -> None:
    scores = write(tmp_path, "scores.csv", LONG)
    benchmarks = write(tmp_path, "benchmarks.csv", "key,description,lower,upper\nx,What x measures.,0,1\nz,New.,,\n")
    board = bob.read_board(str(scores), benchmarks=benchmarks, models=pl.DataFrame({"key": ["beta"], "team": ["B"]}))

    assert board.benchmarks.select("key", "description", "upper").rows() == [
        ("x", "What x measures.", 1.0),
        ("y", None, None),
        ("z", "New.", None),
    ]
    assert board.models.select("key", "name", "team").rows() == [("alpha", "alpha", None), ("beta", "beta", "B")]


def test_the_key_column_may_have_the_things_name(tmp_path: Path) -> None:
    scores = write(tmp_path, "scores.csv", LONG)
    board = bob.read_board(scores, benchmarks=pl.DataFrame({"benchmark": ["x"], "category": ["c"]}))

    assert board.benchmarks.select("key", "category").rows() == [("x", "c"), ("y", None)]
    with pytest.raises(bob.BoardError, match=r"gone\.csv cannot be read"):
        bob.read_board(scores, benchmarks=tmp_path / "gone.csv")


def test_an_artificial_analysis_answer_keeps_what_it_has(tmp_path: Path) -> None:
    board = bob.read_board(write_answer(tmp_path, answer_row(), answer_row(slug="two", name="Two", pricing=None)))
    one = board.models.row(0, named=True)

    assert board.models.height == 2
    assert board.benchmarks.height == 14
    assert board.cells.filter(pl.col("model") == "model-one").select("benchmark", "score").rows() == [
        ("gpqa", 0.5),
        ("hle", 0.0),
    ]
    assert (one["creator"], one["price_output"], one["output_tokens_per_second"]) == ("Maker", 3.0, 80.0)
    assert one["release_date"] == date(2026, 1, 31)
    assert one["some_index"] == 41.5
    assert board.models["price_input"][1] is None
    assert board.settings.attribution
    assert [a.kind for a in board.adjustments] == ["field_absent", "left_aside"]


def test_known_fields_bring_texts_categories_and_item_counts(tmp_path: Path) -> None:
    gpqa = bob.read_board(write_answer(tmp_path, answer_row())).benchmarks.filter(pl.col("key") == "gpqa")

    assert gpqa["n_items"][0] == 198
    assert gpqa["category"][0] == "knowledge"
    assert "198" in gpqa["description"][0]


def test_other_fields_are_taken_by_name(tmp_path: Path) -> None:
    board = bob.read_board(write_answer(tmp_path, answer_row()), also=["other_eval"])

    assert board.cells.select("benchmark", "score").rows() == [("gpqa", 0.5), ("hle", 0.0), ("other_eval", 0.9)]
    with pytest.raises(bob.BoardError, match="did you mean 'other_eval'"):
        bob.read_board(write_answer(tmp_path, answer_row()), also=["other_evals"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"slug": None}, r"data\.0\.slug"),
        ({"model_creator": "Maker"}, r"data\.0\.model_creator"),
        ({"evaluations": {"gpqa": "0.5"}}, r"data\.0\.evaluations\.gpqa"),
        ({"release_date": "soon"}, "expected one like 2026-09-03"),
    ],
)
def test_a_changed_structural_field_is_named(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    with pytest.raises(bob.BoardError, match=words):
        bob.read_board(write_answer(tmp_path, answer_row(**change)))


def test_a_missing_structural_field_is_named(tmp_path: Path) -> None:
    row = answer_row()
    del row["model_creator"]

    with pytest.raises(bob.BoardError, match="model_creator: Field required"):
        bob.read_board(write_answer(tmp_path, row))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b'{"data": [', "is not JSON"),
        (b'{"results": []}', "JSON of no known format: expected a table"),
        (b"[" * 100_000, "is not JSON"),
        (b"print('hello')\n", "expected model, benchmark and score"),
        (b"model,x,x\na,1,2\n", "two columns named x"),
        (b",model,x\n7,a,1\n", r"column 1 has no name; expected every column named"),
        (b"model,x\na,fast\nb,1\n", r"file: column 'x' has 'fast' in row 1: expected a finite number like 83\.9"),
        (b"\xff\xfe\x00\x01", "is no table|expected model"),
    ],
)
def test_what_is_no_board_is_refused_with_a_reason(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)

    with pytest.raises(bob.BoardError, match=words):
        bob.read_board(path)


def test_a_path_that_is_not_there_or_no_board_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(bob.BoardError, match="No such file"):
        bob.read_board(tmp_path / "nothing.csv")
    with pytest.raises(bob.BoardError, match="holds no files"):
        bob.read_board(tmp_path)
    with pytest.raises(bob.BoardError, match="not a table"):
        bob.read_board(42)
    with pytest.raises(bob.BoardError, match="cannot be read"):
        bob.read_board("a\0b")


def test_reading_never_refuses_a_short_board_but_ranking_does(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, "scores.csv", LONG))

    assert board.cells.height == 3
    with pytest.raises(
        bob.RankingError,
        match=r"0 models and 2 benchmarks remain.* fewer than 5 scores .--min-observed or min_observed below 5",
    ):
        bob.BalanceOfBenchmarks().fit(board)


@pytest.mark.parametrize(
    ("name", "models", "benchmarks"),
    [
        ("mteb/scores.csv", 662, 1555),
        ("helm_all/scores.csv", 216, 69),
        ("open_llm_v1_v2_joined/scores.csv", 7187, 12),
        ("livecodebench_items/scores.csv", 16, 1055),
        ("artificial_analysis/2026-08-21.json", 610, 14),
    ],
)
def test_real_boards_read_whole(shared: Path, name: str, models: int, benchmarks: int) -> None:
    board = bob.read_board(shared / "boards" / name)

    assert (board.models.height, board.benchmarks.height) == (models, benchmarks)


def test_a_folder_whose_scores_are_a_wide_table_is_read_as_files(tmp_path: Path) -> None:
    write(tmp_path, "scores.csv", WIDE)

    assert bob.read_board(tmp_path).benchmarks["key"].to_list() == ["x", "y"]


def test_a_file_of_a_folder_that_is_not_whole_is_said_apart(tmp_path: Path) -> None:
    write(tmp_path, "long.csv", LONG)
    write(tmp_path, "read.me", "Results of the spring.\n")
    write(tmp_path, "more.json", '{"results": {"x": {"acc')
    board = bob.read_board(tmp_path)

    assert [(note.kind, note.where) for note in board.adjustments] == [
        ("file_skipped", ("read.me",)),
        ("file_damaged", ("more.json",)),
    ]
    assert "file_damaged" in {finding.kind for finding in bob.check_board(board, min_observed=1).findings}


def test_the_source_names_formats_that_brought_scores(tmp_path: Path) -> None:
    write(tmp_path, "long.csv", LONG)
    write(tmp_path, "format.schema.json", '{"$schema": "s", "type": "object", "properties": {}}')

    assert bob.read_board(tmp_path).settings.source == "table"
