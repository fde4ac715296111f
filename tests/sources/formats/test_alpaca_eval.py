"""AlpacaEval: which of a leaderboard's win rates is the score."""

from __future__ import annotations

from pathlib import Path

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats.alpaca_eval import FORMAT

SECOND = """\
,win_rate,standard_error,n_total,discrete_win_rate,mode,avg_length,length_controlled_winrate,lc_standard_error
model-a,76.5,0.9,805,83.9,community,872,86.4,0.1
model-b,50.0,0,805,50.0,minimal,2049,50.0,0
model-c,10.0,1.5,800,9.0,verified,1000,,
"""
FIRST = """,win_rate,standard_error,n_total,mode,avg_length
model-a,95.5,0.7,804,minimal,1365
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "leaderboard.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_score_is_the_win_rate_corrected_for_length(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, SECOND))

    assert board.cells.select("model", "benchmark", "score", "standard_error", "n_items").rows() == [
        ("model-a", "alpaca_eval_2", 86.4, 0.1, 805),
        ("model-b", "alpaca_eval_2", 50.0, 0.0, 805),
        ("model-c", "alpaca_eval_2", None, None, 800),
    ]
    assert board.benchmarks.select("name", "metric", "lower", "upper").rows() == [
        ("AlpacaEval 2", "length_controlled_winrate", 0.0, 100.0)
    ]
    assert board.models.select("key", "mode", "avg_length").row(0) == ("model-a", "community", 872.0)
    assert board.sources[0].format == "alpaca_eval"


@pytest.mark.parametrize(("metric", "expected"), [("win_rate", (76.5, 0.9)), ("discrete_win_rate", (83.9, None))])
def test_another_win_rate_is_taken_by_name(tmp_path: Path, metric: str, expected: tuple[float, float | None]) -> None:
    board = bob.read_board(write(tmp_path, SECOND), metric=metric)

    assert board.cells.select("score", "standard_error").row(0) == expected


def test_a_leaderboard_without_correction_is_of_another_benchmark(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, FIRST))

    assert board.cells.select("benchmark", "score", "n_items").rows() == [("alpaca_eval", 95.5, 804)]


def test_a_row_fewer_is_a_model_fewer(tmp_path: Path) -> None:
    fewer = "\n".join(line for line in SECOND.splitlines() if not line.startswith("model-b"))

    assert bob.read_board(write(tmp_path, fewer)).models["key"].to_list() == ["model-a", "model-c"]


def test_what_is_no_number_is_said_with_its_column(tmp_path: Path) -> None:
    with pytest.raises(bob.BoardError, match="column length_controlled_winrate has 'high' in row 1"):
        bob.read_board(write(tmp_path, SECOND.replace("86.4", "high")))


@pytest.mark.parametrize(
    "text",
    [
        SECOND.replace(",win_rate", "model,win_rate", 1),
        SECOND.replace("n_total", "n_all"),
        ",x,y\na,1,2\n",
        "model,win_rate\na,1\n",
        '{"win_rate": 1, "standard_error": 1, "n_total": 1}',
    ],
)
def test_it_refuses_its_neighbours(tmp_path: Path, text: str) -> None:
    assert not FORMAT.recognises(open_document(write(tmp_path, text)))


def test_the_real_sample_reads(shared: Path) -> None:
    board = bob.read_board(shared / "formats" / "alpaca_eval" / "weighted_alpaca_eval_gpt4_turbo_leaderboard.csv")

    assert (board.models.height, board.benchmarks.height, board.cells.height) == (223, 1, 223)
    assert board.cells.select("model", "score").row(0) == ("NullModel", 86.45780691307947)
    assert board.cells["score"].null_count() == 0
