"""Tables in texts: what is marked up in them, several of one text, and those under lines of merged cells."""

from __future__ import annotations

from pathlib import Path

import pytest

import balance_of_benchmarks as bob


def read(folder: Path, text: str, name: str = "page.md") -> bob.Board:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return bob.read_board(path)


def cells(board: bob.Board) -> dict[tuple[str, str], float]:
    return {
        (model, benchmark): score
        for model, benchmark, score in board.cells.select("model", "benchmark", "score").rows()
    }


def test_notes_breaks_tags_and_rows_that_part_a_table_are_no_part_of_names(tmp_path: Path) -> None:
    board = read(
        tmp_path,
        "# Ours\n\n| Model | Prompt | x [^1] | y<br>(3-shot) | z<sup>2</sup> |\n|:--|---|--:|---|---|\n"
        "| **Large ones** |  |  |\n| a [^2] | n/a | 50 | **75** | $20_{\\pm 0.5}$ |\n| Others |\n"
        "| [b](b.html) | none | 25 | 100 | 30&nbsp;± 1 | more |\n",
    )

    assert cells(board) == {
        ("a", "x"): 50, ("a", "y (3-shot)"): 75, ("a", "z"): 20,
        ("b", "x"): 25, ("b", "y (3-shot)"): 100, ("b", "z"): 30,
    }  # fmt: skip
    assert board.cells.filter(board.cells["benchmark"] == "z")["standard_error"].to_list() == [0.5, 1]
    assert board.models["key"].to_list() == ["a", "b"]


FIRST = "| model | x | y |\n|---|---|---|\n| a | 50 | 75 |\n| b | 25 | 100 |\n"


def test_several_tables_of_a_text_are_one_board_and_what_is_none_of_scores_is_passed_over(tmp_path: Path) -> None:
    text = f"## Files\n\n| model | file |\n|---|---|\n| a | a.bin |\n\n## One\n\n{FIRST}\n## Two\n\n{FIRST}"
    other = text.replace("## Two\n\n| model | x | y |", "## Two\n\n| model | z | w |")
    board = read(tmp_path, other)

    assert set(cells(board)) == {(model, key) for model in "ab" for key in "xyzw"}
    (note,) = (note for note in board.adjustments if note.kind == "tables_joined")
    assert note.message == ("page.md: read as one board: the tables under One, Two; passed over: those under Files")


def test_a_benchmark_that_models_have_in_two_tables_goes_by_their_headings(tmp_path: Path) -> None:
    board = read(tmp_path, f"## Five-shot\n\n{FIRST}\n## Zero-shot\n\n{FIRST.replace('50', '40')}")

    assert cells(board)["a", "Five-shot/x"] == 50
    assert cells(board)["a", "Zero-shot/x"] == 40
    assert board.benchmarks["key"].to_list() == ["Five-shot/x", "Five-shot/y", "Zero-shot/x", "Zero-shot/y"]


def test_a_benchmark_of_other_models_in_another_table_is_the_same_one(tmp_path: Path) -> None:
    board = read(tmp_path, f"## Open\n\n{FIRST}\n## Closed\n\n{FIRST.replace('| a', '| c').replace('| b', '| d')}")

    assert board.benchmarks["key"].to_list() == ["x", "y"]
    assert board.models["key"].to_list() == ["a", "b", "c", "d"]


def test_tables_without_headings_and_with_equal_ones_are_numbered(tmp_path: Path) -> None:
    bare = read(tmp_path, f"{FIRST}\n\n{FIRST}\n\n{FIRST}")
    equal = read(tmp_path, f"# Ours\n\n{FIRST}\n\n{FIRST}")

    assert bare.benchmarks["key"].to_list()[::2] == ["table 1/x", "table 2/x", "table 3/x"]
    assert equal.benchmarks["key"].to_list()[::2] == ["Ours/x", "Ours 2/x"]


def test_a_text_of_tables_none_of_which_has_scores_is_refused_with_the_reason_of_one(tmp_path: Path) -> None:
    with pytest.raises(
        bob.BoardError, match=r"none of 2 tables has scores, the first: .* under 'table 1' has the columns"
    ):
        read(tmp_path, "| a | b |\n|---|---|\n| c | d |\n\n| a | b |\n|---|---|\n| c | d |\n")


def test_a_benchmark_a_row_with_groups_beside_and_facts_on_models_among_them_is_turned(tmp_path: Path) -> None:
    board = read(
        tmp_path,
        "| | Benchmark (Metric) | # Shots | small | large |\n|---|---|---|---|---|\n"
        "| | Architecture | - | Dense | MoE |\n| | # Total Params | - | 7 | 70 |\n"
        "| English | Reading (EM) | 3-shot | 50 | **75** |\n"
        "| | Riddles (BPB) | - | 0.6 | 0.5 |\n| Code | Loops (Pass@1) | 0-shot | - | 25 |\n",
    )

    assert cells(board) == {
        ("small", "Reading (EM)"): 50, ("large", "Reading (EM)"): 75,
        ("small", "Riddles (BPB)"): 0.6, ("large", "Riddles (BPB)"): 0.5, ("large", "Loops (Pass@1)"): 25,
    }  # fmt: skip
    assert board.benchmarks["category"].to_list() == ["English", "English", "Code"]
    assert ("Architecture", "# Total Params") in [note.where for note in board.adjustments if note.kind == "left_aside"]


def test_a_model_card_without_an_index_is_read_by_its_table(tmp_path: Path) -> None:
    board = read(tmp_path, f"---\nlicense: mit\ntags:\n- x\n---\n# Ours\n\n{FIRST}")

    assert cells(board)["a", "x"] == 50


@pytest.mark.parametrize(
    "above", ["Note: ours.\n\n", "- [link](x)\n\n", "<div align='center'>\n<!-- x -->\n</div>\n\n"]
)
def test_a_text_that_begins_like_something_else_is_read_by_its_table(tmp_path: Path, above: str) -> None:
    assert cells(read(tmp_path, above + FIRST))["a", "x"] == 50


def test_a_line_of_merged_cells_above_the_header_is_passed_over(tmp_path: Path) -> None:
    board = read(
        tmp_path, "Task,,,Reading,,Sums\nmodel,maker,rank,x,y,z\na,us,1,1,0.5,0.2\nb,them,2,0.5,0.7,0.1\n", "a.csv"
    )

    assert {key for _, key in cells(board)} == {"x", "y", "z"}
    assert "lines_skipped" in [note.kind for note in board.adjustments]


def test_headings_that_are_links_are_their_words(tmp_path: Path) -> None:
    board = read(tmp_path, "model,<a href='x.html'>x</a>,[y](y.html)\na,0.5,0.75\nb,0.25,1\n", "a.csv")

    assert board.benchmarks["key"].to_list() == ["x", "y"]


def test_a_table_as_lm_evaluation_harness_prints_it_is_of_one_model(tmp_path: Path) -> None:
    board = read(
        tmp_path,
        "hf (pretrained=small)\n|Tasks|Version|     Filter     |n-shot|  Metric   |   |Value |   |Stderr|\n"
        "|-----|------:|----------------|-----:|-----------|---|-----:|---|-----:|\n"
        "|sums |      3|flexible-extract|     5|exact_match|↑  |0.9007|±  |0.0082|\n"
        "|     |       |strict-match    |     5|exact_match|↑  |0.8848|±  |0.0088|\n"
        "|quiz |      2|none            |     0|acc        |↑  |0.7780|±  |0.0073|\n",
        "small.md",
    )

    assert cells(board) == {("small", "sums"): 0.9007, ("small", "quiz"): 0.778}
    assert set(board.benchmarks["metric"]) == {"exact_match,flexible-extract", "acc,none"}
    assert "model_unnamed" in [note.kind for note in board.adjustments]


def test_a_table_named_by_how_it_was_measured_goes_by_its_heading(tmp_path: Path) -> None:
    board = read(
        tmp_path, f"## All\n\n{FIRST}\n## Hard ones\n\n| model | Accuracy |\n|---|---|\n| a | 20 |\n| b | 10 |\n"
    )

    assert board.benchmarks["key"].to_list() == ["x", "y", "Hard ones"]


def test_a_row_of_settings_under_the_header_is_no_model(tmp_path: Path) -> None:
    board = read(tmp_path, FIRST.replace("| a |", "|  | 5-shot | 0-shot |\n| a |"))

    assert board.models["key"].to_list() == ["a", "b"]
    assert [note.message for note in board.adjustments if note.kind == "lines_skipped"] == [
        "left aside: 1 rows without a model and without a number: 5-shot, 0-shot"
    ]


def test_a_row_of_numbers_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(bob.BoardError, match="row 1 has scores and no model"):
        read(tmp_path, FIRST.replace("| a |", "|  | 5 | 0 |\n| a |"))


def test_a_table_of_settings_beside_one_of_models_is_passed_over(tmp_path: Path) -> None:
    other = FIRST.replace("model", "Quantization").replace("x", "z")
    board = read(tmp_path, f"## Ours\n\n{FIRST}\n## Packed\n\n{other}")

    assert board.benchmarks["key"].to_list() == ["x", "y"]
    assert board.adjustments[0].message.endswith("passed over: those under Packed")
    assert read(tmp_path, other).benchmarks["key"].to_list() == ["z", "y"]


def test_a_table_of_models_that_cannot_be_read_is_found(tmp_path: Path) -> None:
    board = read(tmp_path, f"## Ours\n\n{FIRST}\n## Spoiled\n\n{FIRST.replace('50', '45/50').replace('x', 'z')}")

    assert board.benchmarks["key"].to_list() == ["x", "y"]
    (found,) = (found for found in bob.check_board(board, min_observed=1).findings if found.kind == "table_skipped")
    assert "under 'Spoiled': column 'z' has '45/50' in row 1" in found.message
