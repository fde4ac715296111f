"""What wording does to neighbours and weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.geometry.wording import find_disagreements, lint_descriptions, place_wordings
from balance_of_benchmarks.text.encoder import EncoderIdentity


class Letters:
    """Tells texts apart by how often each letter stands in them."""

    identity = EncoderIdentity("letters", "1")

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([[text.lower().count(chr(97 + i)) for i in range(26)] for text in texts], dtype=float)


def with_paraphrases(board: bob.Board, paraphrases: dict[str, str]) -> bob.Board:
    column = pl.Series([paraphrases.get(key) for key in board.benchmarks["key"]], dtype=pl.String)
    return replace(board, benchmarks=board.benchmarks.with_columns(paraphrase=column))


def test_one_wording_by_one_encoder_agrees_with_itself(demo: bob.Board) -> None:
    check = lint_descriptions(demo)

    assert [placement.name for placement in check.placements] == ["wordllama"]
    assert not [finding for finding in check.findings if finding.kind == "text_disagreement"]
    assert (check.table["units_low"] == check.table["units_high"]).all()


def test_the_first_weights_are_those_of_the_ranking(demo: bob.Board, fitted: bob.BalanceOfBenchmarks) -> None:
    table = lint_descriptions(demo, encoders=["wordllama", Letters()]).table

    np.testing.assert_allclose(table["units"].to_numpy(), fitted.space_.shares * 14, rtol=1e-12)
    assert table["benchmark"].to_list() == fitted.kept_.benchmarks["key"].to_list()


def test_the_interval_spans_what_each_encoder_alone_gives(demo: bob.Board) -> None:
    both = lint_descriptions(demo, encoders=["wordllama", Letters()])
    one = lint_descriptions(demo, encoders=["wordllama"]).table["units"].to_numpy()
    other = lint_descriptions(demo, encoders=[Letters()]).table["units"].to_numpy()

    np.testing.assert_array_equal(both.table["units_low"], np.minimum(one, other))
    np.testing.assert_array_equal(both.table["units_high"], np.maximum(one, other))
    found = [finding for finding in both.findings if finding.kind == "text_disagreement"]
    differing = both.table.filter(pl.col("nearest").list.n_unique() > 1)["benchmark"].to_list()
    assert sorted(finding.where[0] for finding in found) == sorted(differing)
    assert differing
    low, high = both.table.filter(benchmark=found[0].where[0]).select("units_low", "units_high").row(0)
    assert f"{low:.2f} to {high:.2f} equal shares" in found[0].message


def test_a_paraphrase_of_something_else_is_noticed(demo: bob.Board) -> None:
    bank = demo.benchmarks.filter(key="tau_banking")["description"][0]
    check = lint_descriptions(with_paraphrases(demo, {"aime": bank}))

    assert [placement.name for placement in check.placements] == ["wordllama", "wordllama, paraphrase"]
    found = {finding.where[0]: finding for finding in check.findings if finding.kind == "text_disagreement"}
    assert "paraphrase: tau_banking at 0.00" in found["aime"].message
    assert check.table.filter(benchmark="aime")["units_low"][0] < 0.6


def test_a_paraphrase_in_the_same_words_changes_nothing(demo: bob.Board) -> None:
    same = {row["key"]: row["description"] for row in demo.benchmarks.iter_rows(named=True)}
    check = lint_descriptions(with_paraphrases(demo, same))

    assert len(check.placements) == 1


def test_benchmarks_without_a_text_are_named_and_have_no_neighbour(demo: bob.Board) -> None:
    blank = pl.when(pl.col("key") == "aime").then(pl.lit(" ")).otherwise("description")
    check = lint_descriptions(replace(demo, benchmarks=demo.benchmarks.with_columns(description=blank)))
    row = check.table.filter(benchmark="aime").row(0, named=True)

    assert next(f for f in check.findings if f.kind == "text_missing").where == ("aime",)
    assert (row["words"], row["missing_facets"], row["template"], row["nearest"]) == (None, None, None, [None])


def test_a_board_without_any_text_is_looked_at_too(demo: bob.Board) -> None:
    bare = replace(demo, benchmarks=demo.benchmarks.drop("description"))
    check = lint_descriptions(bare)

    assert [finding.kind for finding in check.findings] == ["text_missing"]
    np.testing.assert_allclose(check.table["units"].to_numpy(), 1.0)


def test_a_permutation_of_benchmarks_permutes_the_answer(demo: bob.Board) -> None:
    turned = demo.select(benchmarks=demo.benchmarks["key"].to_list()[::-1])
    one, other = (lint_descriptions(board, encoders=["wordllama", Letters()]) for board in (demo, turned))
    columns = ["benchmark", "words", "nearest"]

    assert one.table.select(columns).sort("benchmark").equals(other.table.select(columns).sort("benchmark"))


def test_disagreements_come_widest_first(demo: bob.Board) -> None:
    kept = demo.retain()
    keys = kept.benchmarks["key"].to_list()
    placements = place_wordings(kept, ["wordllama", Letters()])
    widths = {key: np.ptp([placement.units[i] for placement in placements]) for i, key in enumerate(keys)}
    found = [widths[finding.where[0]] for finding in find_disagreements(keys, placements)]

    assert found == sorted(found, reverse=True)


@pytest.mark.parametrize("encoders", ["wordllama", []])
def test_encoders_are_a_list(demo: bob.Board, encoders: object) -> None:
    with pytest.raises(bob.EncoderError, match="expected a list of one or more"):
        lint_descriptions(demo, encoders=encoders)  # type: ignore[arg-type]


def test_an_unknown_encoder_is_named(demo: bob.Board) -> None:
    with pytest.raises(bob.EncoderError, match="'wordlama' is not among the encoders; did you mean 'wordllama'"):
        lint_descriptions(demo, encoders=["wordlama"])
