"""Tables as people keep them: what is read, what is left aside, and what is refused before it bends a board."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.headings import name_asides


def read(folder: Path, text: str, name: str = "scores.csv") -> bob.Board:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return bob.read_board(path)


def cells(board: bob.Board) -> list[tuple[str, str, float]]:
    return board.cells.select("model", "benchmark", "score").sort("benchmark", "model").rows()


GRID = [("a", "x", 0.5), ("b", "x", 0.25), ("a", "y", 0.75), ("b", "y", 1.0)]


@pytest.mark.parametrize(
    "text",
    [
        "model,benchmark,performance,is_math\na,x,0.5,no\na,y,0.75,no\nb,x,0.25,no\nb,y,1,no\n",
        "Model Name,Eval,Result\na,x,0.5\na,y,0.75\nb,x,0.25\nb,y,1\n",
        "model,dataset,accuracy,stderr\na,x,0.5,0.1\na,y,0.75,0.1\nb,x,0.25,0.1\nb,y,1,0.1\n",
        "id,task,model,Best score,Score\n1,x,a,9,0.5\n2,y,a,9,0.75\n3,x,b,9,0.25\n4,y,b,9,1\n",
    ],
)
def test_a_long_table_is_known_by_its_rows_whatever_its_scores_are_called(tmp_path: Path, text: str) -> None:
    assert cells(read(tmp_path, text)) == GRID


def test_the_only_numbers_of_a_long_table_are_its_scores_which_is_said(tmp_path: Path) -> None:
    board = read(tmp_path, "model,task,points\na,x,0.5\na,y,0.75\nb,x,0.25\nb,y,1\n")

    assert cells(board) == GRID
    assert [note.kind for note in board.adjustments] == ["score_column_assumed"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "model,task,f1,em\na,x,0.5,0.1\na,y,0.75,0.2\n",
            r"rows of models on benchmarks, and f1, em: call one .* score",
        ),
        ("model,task,score,value\na,x,fast,0.5\na,y,slow,0.75\n", r"column score has 'fast' in row 1"),
        ("model,task,dataset,acc\na,x,p,0.5\na,y,p,0.75\n", r"and task, dataset: call one of them benchmark"),
    ],
)
def test_a_long_table_that_can_be_read_in_two_ways_is_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(bob.BoardError, match=words):
        read(tmp_path, text)


def test_a_row_a_benchmark_and_a_column_a_model_is_turned_round_and_said(tmp_path: Path) -> None:
    board = read(tmp_path, "Benchmark,category,n_items,a,b,Average\nx,math,30,50%,25%,37\ny,code,,75%,100%,87\n")

    assert cells(board) == [(model, benchmark, 100 * score) for model, benchmark, score in GRID]
    assert board.benchmarks.select("key", "category", "n_items", "upper").rows() == [
        ("x", "math", 30, 100.0),
        ("y", "code", None, 100.0),
    ]
    assert [note.kind for note in board.adjustments] == ["table_transposed"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("1,234", "without the comma"),
        ("80.5 (75.2)", "the score alone"),
        ("80.5 (3)", "the score alone"),
        ("80.5 (+1.2)", "the score alone"),
        ("80.5 [81.0, 82.0]", "the score alone"),
        ("80.5 ± -0.3", "the score alone"),
        ("~80", "a finite number"),
        ("45/50", "a finite number"),
        ("inf", "a finite number"),
    ],
)
def test_a_column_of_what_was_meant_as_numbers_is_refused_not_passed_over(
    tmp_path: Path, value: str, words: str
) -> None:
    with pytest.raises(bob.BoardError, match=rf"column 'x' has .* in row 1: expected .*{words}"):
        read(tmp_path, f'model,x,y\na,"{value}",1\nb,"{value}",0\n')


@pytest.mark.parametrize(
    ("values", "scores", "errors", "taken_for"),
    [
        (("80.5 ± 0.3", "71±1"), (80.5, 71), (0.3, 1), "the standard error"),
        (("80.5 +/- 0.3", "71"), (80.5, 71), (0.3, None), "the standard error"),
        (("80,5 ± 0,3", "71,25 ± 1"), (80.5, 71.25), (0.3, 1), "the standard error"),
        (("80.5% ± 0.3%", "71 %"), (80.5, 71), (0.3, None), "the standard error"),
        (("80.5 (0.3)", "71.0 (1.25)"), (80.5, 71), (0.3, 1.25), "the standard error"),
        (("80 (0.3)", "71"), (80, 71), (0.3, None), "the standard error"),
        (("80.5 [78.54, 82.46]", "71 (70.02 – 71.98)"), (80.5, 71), (1, 0.5), "the 95 % interval"),
        (("80.5 (-1.96, +1.96)", "71 +1.96/-1.96"), (80.5, 71), (1, 1), "the 95 % interval"),
        (("**80.5**", "71*"), (80.5, 71), (None, None), "marks, left out"),
        (("80.5†", "71[^2]"), (80.5, 71), (None, None), "marks, left out"),
    ],
)
def test_what_stands_beside_a_score_is_its_error_or_a_mark_and_said(
    tmp_path: Path,
    values: tuple[str, str],
    scores: tuple[float, float],
    errors: tuple[float | None, float | None],
    taken_for: str,
) -> None:
    wide = read(tmp_path, f"model\tx\ny\t{values[0]}\nz\t{values[1]}\n")
    long = read(tmp_path, f"model\ttask\tscore\ny\tx\t{values[0]}\nz\tx\t{values[1]}\n")

    for board in (wide, long):
        assert board.cells["score"].to_list() == list(scores)
        assert board.cells["standard_error"].to_list() == [e if e is None else pytest.approx(e) for e in errors]
        (note,) = (note for note in board.adjustments if note.kind == "score_annotated")
        assert note.message.endswith(f"({values[0]!r}) is taken for {taken_for}")


def test_of_several_scores_in_a_cell_each_with_its_error_the_first_is_taken_and_said(tmp_path: Path) -> None:
    board = read(tmp_path, "model,x\na,29.5 ± 1.5 / 51.5 ± 1@@29.5\nb,30 ± 2@@30\n")

    assert board.cells.select("score", "standard_error").rows() == [(29.5, 1.5), (30, 2)]
    assert [note.message.partition("taken for ")[2] for note in board.adjustments] == [
        "further scores, left out", "the standard error"
    ]  # fmt: skip


def test_a_heading_says_that_it_is_an_interval(tmp_path: Path) -> None:
    board = read(tmp_path, "model,x (95% CI)\na,80.5 ± 1.96\nb,71 ± 3.92\n")

    assert board.cells["standard_error"].to_list() == [pytest.approx(1), pytest.approx(2)]


def test_an_error_is_a_fraction_where_its_score_is_made_one(tmp_path: Path) -> None:
    board = read(tmp_path, "model,x\na,80% ± 2%\nb,0.7\n")

    assert board.cells.select("score", "standard_error").rows() == [(0.8, 0.02), (0.7, None)]


def test_an_error_given_in_a_column_of_its_own_is_kept(tmp_path: Path) -> None:
    board = read(tmp_path, "model,task,score,standard_error\na,x,80 ± 2,1\nb,x,70 ± 3,\n")

    assert board.cells["standard_error"].to_list() == [1, 3]


def test_decimal_commas_are_read_where_they_can_be_nothing_else(tmp_path: Path) -> None:
    assert cells(read(tmp_path, 'model,x\na,"0,5"\nb,"0,125"\n')) == [("a", "x", 0.5), ("b", "x", 0.125)]
    assert cells(read(tmp_path, "model\tx\na\t80,5\nb\t1,234\n")) == [("a", "x", 80.5), ("b", "x", 1.234)]
    with pytest.raises(bob.BoardError, match="without the comma"):
        read(tmp_path, "model\tx\na\t80.5\nb\t1,5\n")


@pytest.mark.parametrize("header", ["Model (size),x,%", "Who,x,%", "MODEL [link],x,%"])
def test_a_heading_counts_without_its_brackets_and_one_of_marks_is_no_name(tmp_path: Path, header: str) -> None:
    board = read(tmp_path, f"{header}\na,0.5,75\nb,0.25,100\n")

    assert board.models["key"].to_list() == ["a", "b"]
    assert board.benchmarks["key"].to_list() == ["x", "%"]


def test_votes_cutoffs_and_licences_describe_models(tmp_path: Path) -> None:
    rows = '1,a,1374,+5/-5,"20,184",2023/10\n2,b,1300,+4/-4,"9,000",-\n'
    text = f"Rank* (UB),Model,Arena Score,95% CI,Votes,Knowledge Cutoff\n{rows}"
    board = read(tmp_path, text)

    assert board.benchmarks["key"].to_list() == ["Arena Score"]
    assert {"95% CI", "Votes", "Knowledge Cutoff"} <= set(board.models.columns)
    assert [note.where for note in board.adjustments if note.kind == "left_aside"] == [("Rank* (UB)",)]


@pytest.mark.parametrize(
    ("headings", "aside"),
    [
        (("IFEval Raw", "IFEval", "BBH Raw", "BBH"), {"IFEval Raw", "BBH Raw"}),
        (("acc", "acc_norm", "arc", "arc_stderr"), {"acc_norm", "arc_stderr"}),
        (("Mean (Task)", "Mean (TaskType)", "Rank (Borda)", "Memory Usage (MB)", "STS", "Retrieval"),
         {"Mean (Task)", "Mean (TaskType)", "Rank (Borda)", "Memory Usage (MB)"}),
        (("Mean win rate", "MMLU - EM", "GSM8K - EM"), {"Mean win rate"}),
        (("pass_rate_2", "total_cost", "seconds_per_case", "n"), {"total_cost", "seconds_per_case", "n"}),
        (("overall", "math"), set()),
        (("elo", "elo+", "elo-", "humaneval", "humaneval+"), {"elo+", "elo-"}),
        (("rating", "rating_q025", "rating_q975", "avg_tokens", "avg_len", "Average Summary Length (Words)"),
         {"rating_q025", "rating_q975", "avg_tokens", "avg_len", "Average Summary Length (Words)"}),
        (("time_train_s", "time_infer_s_per_1K", "Average steps", "num_bad", "pass_num_1", "vocabulary_size", "x"),
         {"time_train_s", "time_infer_s_per_1K", "Average steps", "num_bad", "pass_num_1", "vocabulary_size"}),
        (("val/overall", "val/art", "val/law", "pro/overall", "平均分", "音"), {"val/art", "val/law", "平均分"}),
        (("x_value", "x_normalized_score", "y_value", "y_normalized_score", "metadata_hub_hearts", "model_average"),
         {"x_normalized_score", "y_normalized_score", "metadata_hub_hearts", "model_average"}),
        (("MMLU", "MMLU Pro", "MATH", "MATH-500", "Error detection", "object_counting", "date_understanding"), set()),
    ],
)  # fmt: skip
def test_what_a_heading_says_is_no_benchmark_is_left_aside(headings: tuple[str, ...], aside: set[str]) -> None:
    assert set(name_asides(headings)) == aside


def test_counts_of_tests_beside_the_number_of_tests_are_no_scores(tmp_path: Path) -> None:
    text = "model,test_cases,pass_rate,timeouts,user_asks\na,225,20.4,5,13\nb,224,61.7,2,0\n"
    board = read(tmp_path, text)
    whole = read(tmp_path, text.replace("test_cases", "tests_done"))

    assert board.benchmarks["key"].to_list() == ["pass_rate"]
    assert ("timeouts", "user_asks") in [note.where for note in board.adjustments]
    assert "timeouts" in whole.benchmarks["key"].to_list()


def test_an_aggregate_that_most_models_have_without_its_parts_stays(tmp_path: Path) -> None:
    text = "model,overall,x,y\na,0.5,0.4,0.6\nb,0.7,,\nc,0.8,,\n"

    assert read(tmp_path, text).benchmarks["key"].to_list() == ["overall", "x", "y"]
    assert read(tmp_path, text.replace("b,0.7,,", "b,0.7,0.7,0.7")).benchmarks["key"].to_list() == ["x", "y"]


def test_the_only_scores_of_a_file_are_called_by_it_unless_its_name_says_nothing(tmp_path: Path) -> None:
    text = "model,rank,Score (AVG@5),Notes\na,1,0.5,\nb,2,0.25,\n"
    board = read(tmp_path, text, "simple_bench.csv")

    assert cells(board) == [("a", "simple_bench", 0.5), ("b", "simple_bench", 0.25)]
    assert board.benchmarks.select("key", "metric").rows() == [("simple_bench", "Score (AVG@5)")]
    assert [note.where for note in board.adjustments if note.kind == "benchmark_named"] == [("simple_bench",)]
    assert read(tmp_path, text, "results.csv").benchmarks["key"].to_list() == ["Score (AVG@5)"]
    assert (
        read(tmp_path, text.replace("Score", "Riddles"), "simple_bench.csv").benchmarks["key"][0] == "Riddles (AVG@5)"
    )


def test_files_of_one_score_each_are_as_many_benchmarks(tmp_path: Path) -> None:
    for name, score in (("riddles", 0.5), ("sums", 0.25)):
        (tmp_path / f"{name}.csv").write_text(f"model,score\na,{score}\nb,0.1\n")

    assert cells(bob.read_board(tmp_path)) == [
        ("a", "riddles", 0.5), ("b", "riddles", 0.1), ("a", "sums", 0.25), ("b", "sums", 0.1)
    ]  # fmt: skip


def test_objects_of_benchmarks_with_one_for_all_are_of_one_model(tmp_path: Path) -> None:
    payload = {name: {"corr": 3.0, "wrong": 1.0, "acc": acc} for name, acc in (("x", 0.5), ("y", 0.75), ("total", 0.6))}
    board = read(tmp_path, json.dumps(payload), "small_summary.json")

    assert cells(board) == [("small_summary", "x", 0.5), ("small_summary", "y", 0.75)]
    assert [note.kind for note in board.adjustments] == ["model_unnamed"]


def test_benchmarks_with_one_score_each_are_of_one_model_called_by_the_file(tmp_path: Path) -> None:
    board = read(tmp_path, "task,metric,value,stderr\nx,acc,0.5,0.01\ny,acc,0.75,0.02\n", "small.csv")

    assert cells(board) == [("small", "x", 0.5), ("small", "y", 0.75)]
    assert [note.kind for note in board.adjustments] == ["model_unnamed"]


def test_results_wrapped_with_a_date_are_read_by_the_whole_of_each_benchmark(tmp_path: Path) -> None:
    rows = {
        m: {"META": {"Parameters": "7B", "key": 3}, "x": {"Overall": s, "easy": s + 0.1, "hard": s - 0.1}}
        for m, s in (("a", 0.5), ("b", 0.25))
    }
    board = read(tmp_path, json.dumps({"time": "2026", "results": rows}), "vision.json")

    assert cells(board) == [("a", "x/Overall", 0.5), ("b", "x/Overall", 0.25)]
    assert {("x/easy", "x/hard"), ("META/key",)} <= {note.where for note in board.adjustments}


def test_a_table_of_facts_has_no_scores(tmp_path: Path) -> None:
    with pytest.raises(bob.BoardError, match=r"no scores in scores.csv: left aside: rank, params"):
        read(tmp_path, "model,rank,params\na,1,7\nb,2,70\n")


def test_a_row_of_averages_is_no_model(tmp_path: Path) -> None:
    board = read(tmp_path, "model,x,y\na,0.5,0.75\nb,0.25,1\nAverage,0.375,0.875\n")

    assert cells(board) == GRID
    assert board.models["key"].to_list() == ["a", "b"]
    assert [(note.kind, note.where) for note in board.adjustments] == [("left_aside", ("Average",))]


@pytest.mark.parametrize(
    "text",
    [
        "Results of the spring,,\nsaved on Monday,,\n,,\nmodel,x,y\na,0.5,0.75\nb,0.25,1\n",
        "# by a script\n# of 2026\nmodel,x,y\na,0.5,0.75\nb,0.25,1\n",
        "model,x,y,\na,0.5,0.75,\n,,,\nb,0.25,1,\n",
        "model|x|y\na|0.5|0.75\nb|0.25|1\n",
        "| Model | x | y |\n|:--|--:|---|\n| **a** | 0.5 | *0.75* |\n| [b](b.html) | `0.25` | 1 |\n\nEnd.\n",
        "# Results\n\nThese are ours.\n\n model | x | y\n --- | --- | ---\n a | 0.5 | 0.75\n b | 0.25 | 1\n",
    ],
)
def test_a_table_is_found_under_titles_and_in_markdown(tmp_path: Path, text: str) -> None:
    assert cells(read(tmp_path, text)) == GRID


def test_lines_above_a_table_are_named(tmp_path: Path) -> None:
    board = read(tmp_path, "Results of the spring\n\nmodel,x,y\na,0.5,0.75\nb,0.25,1\n")

    assert [note.message for note in board.adjustments] == [
        "scores.csv: passed over above its table: Results of the spring"
    ]


def test_a_header_of_several_lines_is_not_taken_for_a_title(tmp_path: Path) -> None:
    board = read(tmp_path, 'model,"x\n(0-shot)","y\n(5-shot)"\na,0.5,0.75\nb,0.25,1\n')

    assert board.benchmarks["key"].to_list() == ["x\n(0-shot)", "y\n(5-shot)"]


def test_a_header_one_name_short_is_no_title(tmp_path: Path) -> None:
    with pytest.raises(bob.BoardError, match="a row has more values than the first"):
        read(tmp_path, "x\ty\na\t0.5\t0.75\nb\t0.25\t1\n")


@pytest.mark.parametrize(
    "payload",
    [
        {"model": ["a", "b"], "x": [0.5, 0.25], "y": [0.75, 1]},
        {"model": {"0": "a", "1": "b"}, "x": {"0": 0.5, "1": 0.25}, "y": {"0": 0.75, "1": 1}},
        {"columns": ["model", "x", "y"], "index": [0, 1], "data": [["a", 0.5, 0.75], ["b", 0.25, 1]]},
        {"a": {"link": "l", "scores": {"x": 0.5, "y": 0.75}}, "b": {"link": "m", "scores": {"x": 0.25, "y": 1}}},
        [{"model": "a", "results": {"x": "0.5", "y": 0.75}}, {"model": "b", "results": {"x": 0.25, "y": "1"}}],
    ],
)
def test_json_tables_of_every_program_read(tmp_path: Path, payload: Any) -> None:
    assert cells(read(tmp_path, json.dumps(payload))) == GRID


def test_rows_in_yaml_read(tmp_path: Path) -> None:
    text = "- model: a\n  x: 0.5\n  y: 0.75\n- model: b\n  x: 0.25\n  y: 1\n  date: 2026-02-03\n"

    assert cells(read(tmp_path, text, "board.yml")) == GRID


def test_what_lies_deeper_is_named_by_its_path_and_models_by_their_objects(tmp_path: Path) -> None:
    board = read(tmp_path, json.dumps({m: {"pass@1": {"easy": 0.5, "hard": 0.1}, "size": 7} for m in "ab"}))

    assert board.benchmarks["key"].to_list() == ["pass@1/easy", "pass@1/hard"]
    assert [note.kind for note in board.adjustments] == ["model_column_assumed", "left_aside"]


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ([{"model": "a", "x": 10**400}, {"model": "b", "x": 1}], "an integer of 401 digits in row 1"),
        ([{"model": "a", "x": 0.5}, {"model": "b", "x": "fast"}], "'x' has 'fast' in row 2"),
        ([{"model": "a", **{f"x{i}": 1 for i in range(20_001)}}], "over 20,000 columns"),
        ({"name": "package", "scripts": {"test": "run"}, "files": {"a": "b"}}, "no known format"),
        ({"a": {"b": "c"}, "d": {"e": 1}}, "no known format"),
    ],
)
def test_json_that_is_no_sound_table_is_refused(tmp_path: Path, payload: Any, words: str) -> None:
    with pytest.raises(bob.BoardError, match=words):
        read(tmp_path, json.dumps(payload))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<!DOCTYPE html>\n<html><body>model,x</body></html>", "is a web page"),
        ("model,x,y\n", "and no rows"),
        ("model,x\n,0.5\nb,1\n", "row 1 has scores and no model"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n\n| c | d |\n|---|---|\n| 3 | 4 |\n", "expected model, benchmark and score"),
    ],
)
def test_what_is_no_table_of_scores_says_what_it_is(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(bob.BoardError, match=words):
        read(tmp_path, text)


def test_ten_thousand_columns_read_as_they_stand(tmp_path: Path) -> None:
    names = [f"b{i}" for i in range(10_000)]
    text = f"model,{','.join(names)}\n" + "".join(f"m{j},{','.join(['0.5'] * 10_000)}\n" for j in range(3))
    board = read(tmp_path, text)

    assert board.benchmarks["key"].to_list() == names
    assert board.cells.height == 30_000


def test_a_frame_of_too_many_columns_is_refused() -> None:
    frame = pl.DataFrame({"model": ["a"], **{f"b{i}": [0.5] for i in range(20_001)}})

    with pytest.raises(bob.BoardError, match="over 20,000 columns"):
        bob.read_board(frame)


@pytest.mark.parametrize("name", ["*", "^a.*$"])
def test_a_column_named_by_a_pattern_is_refused(tmp_path: Path, name: str) -> None:
    table, scores = tmp_path / "t.csv", tmp_path / "scores.csv"
    table.write_text(f"model,{name},ab\nm1,0.1,0.2\nm2,0.3,0.4\n")
    scores.write_text("model,ab\nm1,0.2\nm2,0.4\n")
    (tmp_path / "benchmarks.csv").write_text(f"key,name,{name}\nab,letters,1\n")
    pandas = json.dumps([{"model": "m1", name: 0.1, "ab": 0.2}, {"model": "m2", name: 0.3, "ab": 0.4}])
    (tmp_path / "t.json").write_text(pandas)

    frame = pl.DataFrame({"model": ["m1", "m2"], name: [0.1, 0.3], "ab": [0.2, 0.4]})

    for given, described in (
        (table, None),
        (tmp_path / "t.json", None),
        (scores, tmp_path / "benchmarks.csv"),
        (frame, None),
    ):
        with pytest.raises(bob.BoardError, match="expected a name, not a pattern"):
            bob.read_board(given, benchmarks=described)


def test_a_header_of_patterns_and_nothing_else_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text(",[,*")
    with pytest.raises(bob.BoardError, match="expected"):
        bob.read_board(table)
