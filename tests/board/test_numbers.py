"""Numbers as people write them, and what is refused because it can be read in two ways."""

from __future__ import annotations

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import balance_of_benchmarks as bob
from balance_of_benchmarks.board.numbers import MISSING_WORDS, has_percent_sign, parse_numbers


@pytest.mark.parametrize(
    ("text", "number"),
    [("77.0%", 77.0), ("77 %", 77.0), (" .5 ", 0.5), ("-1.", -1.0), ("+2e-3", 0.002), ("0", 0.0), ("1E2%", 100.0)],
)
def test_a_number_is_read_on_its_own_scale(text: str, number: float) -> None:
    assert parse_numbers(pl.Series([text, "1"]), "x").to_list() == [number, 1.0]


@pytest.mark.parametrize("word", [*MISSING_WORDS, "NA", " N/A ", "None", None])
def test_a_word_for_missing_is_missing(word: str | None) -> None:
    assert parse_numbers(pl.Series([word, "1%"], dtype=pl.String), "x").to_list() == [None, 1.0]


@pytest.mark.parametrize(
    "text", ["1,234", "1.234,5", "inf", "-Infinity", "0x10", "1 2", "12 points", "%", "1e999", "=1+1"]
)
def test_what_is_no_one_number_is_refused_with_its_row(text: str) -> None:
    with pytest.raises(bob.BoardError, match=r"^the column has .* in row 2: expected "):
        parse_numbers(pl.Series(["1", text]), "the column")


def test_numbers_that_are_numbers_already_pass_and_nan_is_missing() -> None:
    assert parse_numbers(pl.Series([1, 2]), "x").to_list() == [1.0, 2.0]
    assert parse_numbers(pl.Series([1.5, float("nan")]), "x").to_list() == [1.5, None]
    with pytest.raises(bob.BoardError, match="holds Boolean"):
        parse_numbers(pl.Series([True]), "x")


def test_percent_signs_are_told() -> None:
    assert has_percent_sign(pl.Series(["1%", "1", None])).to_list() == [True, False, False]
    assert has_percent_sign(pl.Series([1.0])).to_list() == [False]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_python_writes_is_read_back_to_the_bit(number: float) -> None:
    read = parse_numbers(pl.Series([repr(number), "5%"]), "x").to_list()[0]

    assert read == number
    assert math.copysign(1, read) == math.copysign(1, number)
