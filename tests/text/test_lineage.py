"""Mentions of other benchmarks, and texts without them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.known import KNOWN_BENCHMARKS
from balance_of_benchmarks.text.lineage import LineageFinder

BOARD = [("mmlu", "MMLU"), ("mmlu_pro", "MMLU-Pro"), ("aime", "AIME"), ("aime_25", "AIME'25"), ("law", "Law")]
PIECES = st.sampled_from(
    [
        *("MMLU", "MMLU-Pro", "AIME 2025", "AIME'25", "law", "questions", "measures", "system", "reasoning", "long"),
        *("a harder variant of", "than in", "from the", "and", "of the", ", ", ". ", "; ", ": ", " - ", "The", "It"),
        *("the same contest series", "successor to", "a revised edition", "of the exam family", "(", ")", "!", "?"),
    ]
)
finder = LineageFinder(BOARD)


@given(st.lists(PIECES, max_size=40).map(" ".join))
def test_what_is_stripped_speaks_of_no_other_and_says_nothing_new(text: str) -> None:
    stripped = finder.strip("mmlu_pro", text)

    if stripped is not None:
        assert finder.find("mmlu_pro", stripped) == ()
        assert finder.strip("mmlu_pro", stripped) == stripped
        left = iter(letters(text))
        assert all(letter in left for letter in letters(stripped)), "letters of the text, in its order"
    if not finder.find("mmlu_pro", text):
        assert stripped == text


def letters(text: str) -> list[str]:
    return [character for character in text.casefold() if character.isalnum()]


@given(st.text(), st.lists(st.tuples(st.text(), st.text()), max_size=5))
def test_any_text_and_any_names_are_taken(text: str, names: list[tuple[str, str]]) -> None:
    for mention in LineageFinder(names).find("key", text):
        assert text[mention.start : mention.end] == mention.words


@pytest.mark.parametrize(
    ("key", "text", "benchmarks"),
    [
        ("mmlu_pro", "MMLU-Pro builds on MMLU.", ["mmlu"]),
        ("mmlu", "MMLU-Pro came later than MMLU.", ["mmlu_pro"]),
        ("aime_25", "The AIME 2025 contest.", []),  # its own name, the year spelled out
        ("aime", "Unlike AIME 2025 it is old.", ["aime_25"]),
        ("mmlu", "Questions of law. Law is hard.", []),  # a word, not a name
        ("law", "Taken from mmlu.", []),
        ("law", "Taken from AIMED or XMMLU.", []),
        ("law", "A successor to older exams.", [None]),
        ("law", "The family of a patient is asked the same question.", []),
        ("law", "This model is harder to train on earlier releases of software.", []),
    ],
)
def test_names_and_relations_are_found(key: str, text: str, benchmarks: list[str | None]) -> None:
    assert [mention.benchmark for mention in finder.find(key, text)] == benchmarks


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        ("It asks ten more questions a page than in MMLU.", "It asks ten more questions a page."),
        (
            "It asks questions on law and medicine in English, as a harder variant of MMLU.",
            "It asks questions on law and medicine in English.",
        ),
        (
            "It is a revised edition of the exam that lawyers must pass in English.",
            "It is the exam that lawyers must pass in English.",
        ),
        (
            "A successor to MMLU: the system answers questions on law in English.",
            "The system answers questions on law in English.",
        ),
        ("It measures knowledge of law. It is a variant of MMLU.", "It measures knowledge of law."),
        ("A variant of MMLU.", None),
    ],
)
def test_as_little_is_cut_as_will_do(text: str, stripped: str | None) -> None:
    assert finder.strip("law", text) == stripped


def test_a_board_without_names_has_no_mention_of_one() -> None:
    assert LineageFinder([("-", "?")]).find("a", "AIME and MMLU - they are?") == ()


def test_lineage_is_stripped_from_paraphrases_too(demo: bob.Board) -> None:
    paraphrase = pl.when(pl.col("key") == "hle").then(pl.lit("It asks experts harder questions than MMLU-Pro does."))
    board = replace(demo, benchmarks=demo.benchmarks.with_columns(paraphrase=paraphrase))
    found = {(one.benchmark, one.column): one.proposed for one in bob.strip_lineage(board)}

    assert set(found) == {("mmlu_pro", "description"), ("aime_25", "description"), ("hle", "paraphrase")}
    assert found["hle", "paraphrase"] is None


def test_the_four_descriptions_the_paper_names_are_found_and_stripped(shared: Path) -> None:
    texts = json.loads((shared / "paper" / "texts.json").read_text())["benchmarks"]
    board = LineageFinder((key, known.name) for key, known in KNOWN_BENCHMARKS.items())
    descriptions = {key: row["description"] for key, row in texts.items()}
    found = {key for key, text in descriptions.items() if board.find(key, text)}

    assert found == {"aime_25", "mmlu_pro", "terminalbench_v2_1", "tau_banking"}
    assert all(len((board.strip(key, descriptions[key]) or "").split()) > 20 for key in found)
