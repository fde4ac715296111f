"""OpenCompass: what a summary's rows become, and which of them are averages of others."""

from __future__ import annotations

from pathlib import Path

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats.opencompass import FORMAT

HEADER = "dataset,version,metric,mode,model-a,model-b"
SUMMARY = f"""{HEADER}
--------- Exam ---------,-,-,-,-,-
ceval-law,a110a1,accuracy,gen,25.00,-
ceval-fire,bc23f5,accuracy,gen,22.58,30.00
mbpp,830460,score,gen,40.00,41.00
mbpp,830460,pass,gen,200,205
ceval-stem,-,naive_average,gen,35.09,30.00
ceval,-,naive_average,gen,44.16,30.00
mmlu,-,naive_average,ppl,50.00,60.00
gsm8k,-,-,-,-,-
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "summary.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_rows_are_benchmarks_columns_models_and_a_dash_is_missing(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, SUMMARY))

    assert board.sources[0].format == "opencompass"
    assert board.models["key"].to_list() == ["model-a", "model-b"]
    table = {
        (model, benchmark): score
        for model, benchmark, score in board.cells.select("model", "benchmark", "score").rows()
    }
    assert table == {
        ("model-a", "ceval-law"): 25.0,
        ("model-b", "ceval-law"): None,
        ("model-a", "ceval-fire"): 22.58,
        ("model-b", "ceval-fire"): 30.0,
        ("model-a", "mbpp"): 40.0,
        ("model-b", "mbpp"): 41.0,
        ("model-a", "mmlu"): 50.0,
        ("model-b", "mmlu"): 60.0,
    }


def test_a_dataset_that_was_not_evaluated_stays_listed_and_a_heading_does_not(tmp_path: Path) -> None:
    keys = bob.read_board(write(tmp_path, SUMMARY)).benchmarks["key"].to_list()

    assert sorted(keys) == ["ceval-fire", "ceval-law", "gsm8k", "mbpp", "mmlu"]


def test_only_metrics_known_to_be_percentages_have_bounds(tmp_path: Path) -> None:
    benchmarks = bob.read_board(write(tmp_path, SUMMARY)).benchmarks
    bounds = {
        key: (metric, lower, upper)
        for key, metric, lower, upper in benchmarks.select("key", "metric", "lower", "upper").rows()
    }

    assert bounds["ceval-law"] == ("accuracy", 0.0, 100.0)
    assert bounds["mbpp"] == ("score", None, None)


def test_averages_are_left_aside_only_where_their_parts_are_listed(tmp_path: Path) -> None:
    path = write(tmp_path, SUMMARY)

    assert [note.where for note in bob.read_board(path).adjustments] == [("ceval-stem", "ceval")]
    assert "ceval" in set(bob.read_board(path, also=["ceval"]).cells["benchmark"])
    averages = "\n".join(
        line for line in SUMMARY.splitlines() if line[:5] not in ("ceval", "mbpp,") or "average" in line
    )
    assert set(bob.read_board(write(tmp_path, averages)).cells["benchmark"]) == {"ceval-stem", "mmlu"}


def test_another_metric_is_taken_by_name(tmp_path: Path) -> None:
    cells = bob.read_board(write(tmp_path, SUMMARY), metric="mbpp=pass").cells

    assert cells.filter(cells["benchmark"] == "mbpp")["score"].to_list() == [200.0, 205.0]


def test_a_row_fewer_is_a_benchmark_fewer(tmp_path: Path) -> None:
    fewer = SUMMARY.replace("ceval-law,a110a1,accuracy,gen,25.00,-\n", "")

    assert "ceval-law" not in bob.read_board(write(tmp_path, fewer)).benchmarks["key"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("25.00", "fast", "column 'model-a' has 'fast' in row 1"),
        ("ceval-law,a110a1,accuracy", "ceval-law,a110a1,", "row 2 has no metric"),
        ("mbpp,830460,score", ",830460,score", "row 4 has no dataset"),
    ],
)
def test_what_is_wrong_in_a_row_is_said(tmp_path: Path, old: str, new: str, words: str) -> None:
    with pytest.raises(bob.BoardError, match=words):
        bob.read_board(write(tmp_path, SUMMARY.replace(old, new)))


@pytest.mark.parametrize(
    "text",
    [
        "dataset,metric,model,score\na,acc,m,1\n",
        "model,dataset,score\na,b,1\n",
        HEADER.replace("mode,", "way,") + "\na,b,c,d,1,2\n",
        '{"dataset": "a", "version": "-"}',
    ],
)
def test_it_refuses_its_neighbours(tmp_path: Path, text: str) -> None:
    assert not FORMAT.recognises(open_document(write(tmp_path, text)))


def test_the_real_sample_reads(shared: Path) -> None:
    board = bob.read_board(shared / "formats" / "opencompass" / "summary_20240119_225509.csv")

    assert (board.models.height, board.benchmarks.height, board.cells.height) == (1, 19, 19)
    assert board.cells.filter(board.cells["benchmark"] == "ceval-metrology_engineer")["score"].to_list() == [50.0]
    assert [len(note.where) for note in board.adjustments] == [6]
