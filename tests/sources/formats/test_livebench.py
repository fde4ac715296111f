"""LiveBench: a release's table, its categories, and its costs, which are no scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats.livebench import FORMAT

TASKS = ("AMPS_Hard", "connections", "math_comp", "olympiad", "plot_unscrambling", "tablejoin", "typos")
HEADER = ",".join(("model", *TASKS))
TABLE = f"{HEADER}\nmodel-a,99.0,1,2,3,4,5,6\nmodel-b,50,10,20,30,40,,60\n"
CATEGORIES = {"Mathematics": ["AMPS_Hard", "math_comp", "olympiad"], "Data Analysis": ["tablejoin"]}


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_table_has_bounds_and_the_date_of_its_release(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, "table_2026_06_25.csv", TABLE))

    assert (board.models.height, board.benchmarks.height, board.cells.height) == (2, len(TASKS), 2 * len(TASKS) - 1)
    assert set(board.benchmarks.select("lower", "upper").rows()) == {(0.0, 100.0)}
    assert set(board.cells["date"]) == {"2026-06-25"}
    assert board.settings.attribution is not None
    assert board.settings.attribution.startswith("LiveBench")
    assert board.sources[0].format == "livebench"


def test_another_name_costs_only_the_date(tmp_path: Path) -> None:
    assert set(bob.read_board(write(tmp_path, "mine.csv", TABLE)).cells["date"]) == {None}


def test_categories_are_added_to_the_tasks(tmp_path: Path) -> None:
    write(tmp_path, "table_2026_06_25.csv", TABLE)
    path = write(tmp_path, "categories_2026_06_25.json", json.dumps(CATEGORIES))
    board = bob.read_board(tmp_path)
    categories = dict(board.benchmarks.select("key", "category").iter_rows())

    assert (categories["olympiad"], categories["tablejoin"], categories["typos"]) == (
        "Mathematics",
        "Data Analysis",
        None,
    )
    assert board.benchmarks.height == len(TASKS)
    with pytest.raises(bob.BoardError, match="adds to scores and has none of its own"):
        bob.read_board(path)


def test_costs_are_refused_and_in_a_folder_left_out_with_the_reason(tmp_path: Path) -> None:
    header = ",".join((HEADER, *(f"nq_{task}" for task in TASKS), "cost_per_question"))
    values = ",".join("1" for _ in range(2 * len(TASKS) + 1))
    path = write(tmp_path, "cost_2026_06_25.csv", f"{header}\nmodel-a,{values}\n")

    with pytest.raises(bob.BoardError, match=r"says what questions cost and has no scores"):
        bob.read_board(path)
    write(tmp_path, "table_2026_06_25.csv", TABLE)
    board = bob.read_board(tmp_path)
    assert [note.where for note in board.adjustments] == [("cost_2026_06_25.csv",)]
    assert board.cells.filter(board.cells["benchmark"] == "AMPS_Hard")["score"].to_list() == [99.0, 50.0]


def test_a_row_fewer_is_a_model_fewer_and_a_wrong_cell_is_named(tmp_path: Path) -> None:
    fewer = "\n".join(TABLE.splitlines()[:2])

    assert bob.read_board(write(tmp_path, "t.csv", fewer)).models["key"].to_list() == ["model-a"]
    with pytest.raises(bob.BoardError, match="column 'AMPS_Hard' has 'ninety' in row 1"):
        bob.read_board(write(tmp_path, "t.csv", TABLE.replace("99.0", "ninety")))


@pytest.mark.parametrize(
    "text",
    [
        "model,AMPS_Hard,olympiad\na,1,2\n",
        TABLE.replace("model,", "system,", 1),
        '{"org__model": ["results/org__model/abc/STS.json"]}',
        '{"a": ["x"], "b": ["x"]}',
        '{"a": ["x"], "b": []}',
        '{"a": ["x", 1]}',
        '{"a": {"b": "c"}}',
        "{}",
        '[["a"]]',
    ],
)
def test_it_refuses_its_neighbours(tmp_path: Path, text: str) -> None:
    assert not FORMAT.recognises(open_document(write(tmp_path, "file", text)))


def test_the_real_samples_read(shared: Path) -> None:
    folder = shared / "formats" / "livebench_csv"
    table = bob.read_board(folder / "table_2026_06_25.csv")
    whole = bob.read_board(folder)

    assert (table.models.height, table.benchmarks.height, table.cells.height) == (46, 23, 1058)
    assert table.cells.select("model", "benchmark", "score").row(0) == (
        *("claude-opus-4-5-20251101-thinking-64k-high-effort", "AMPS_Hard"),
        99.0,
    )
    assert (whole.benchmarks.height, whole.benchmarks["category"].n_unique()) == (23, 7)
    assert whole.benchmarks["category"].null_count() == 0
    with pytest.raises(bob.BoardError, match="what questions cost"):
        bob.read_board(folder / "cost_2026_06_25.csv")
    with pytest.raises(bob.BoardError, match="adds to scores"):
        bob.read_board(folder / "categories_2026_06_25.json")
