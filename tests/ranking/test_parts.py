"""Several tasks asked together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import balance_of_benchmarks as bob
from balance_of_benchmarks.ranking.parts import share_weights
from balance_of_benchmarks.ranking.relevance import mixed_relevance
from balance_of_benchmarks.text.encoder import EncoderIdentity

MATHS = "solve competition problems in number theory and geometry with full derivations"
SUPPORT = "customer service agent for a telephone company that calls internal tools"
TERMINAL = "work in a terminal: build software, run commands, fix failing builds without help"
KITTENS = "kittens sleeping in the sun"


def scores_of(answer: bob.TaskRanking) -> dict[str, float]:
    return dict(answer.table.select("model", "score").iter_rows())


def supports_of(answer: bob.TaskRanking) -> np.ndarray:
    """Support masses P, in the board's order of models."""
    support = answer.table.sort("model")["support"].to_numpy()
    masses: np.ndarray = support / (1 - support)
    return masses


@pytest.fixture(scope="module")
def asked(demo: bob.Board) -> bob.BalanceOfBenchmarks:
    return bob.BalanceOfBenchmarks(preset="paper", bandwidth=0.45).fit(demo)


def test_one_task_of_any_weight_is_the_task(asked: bob.BalanceOfBenchmarks) -> None:
    alone, weighted = asked.rank_for(MATHS), asked.rank_for({MATHS: 7.0})

    assert alone.table.equals(weighted.table)
    assert alone.why == weighted.why
    assert alone.text == weighted.text == MATHS
    assert weighted.parts[0].weight == 1.0


def test_a_part_of_weight_zero_changes_nothing(asked: bob.BalanceOfBenchmarks) -> None:
    alone, both = asked.rank_for(MATHS), asked.rank_for({MATHS: 1, SUPPORT: 0})

    np.testing.assert_allclose([*scores_of(both).values()], [*scores_of(alone).values()], rtol=1e-12)


@settings(max_examples=15)
@given(st.floats(0.01, 100), st.floats(0.01, 100), st.floats(0.1, 10))
def test_only_proportions_count_and_order_does_not(
    asked: bob.BalanceOfBenchmarks, first: float, second: float, factor: float
) -> None:
    one = scores_of(asked.rank_for({MATHS: first, SUPPORT: second}))
    other = scores_of(asked.rank_for({SUPPORT: second * factor, MATHS: first * factor}))

    assert one == pytest.approx(other, rel=1e-9, abs=1e-12)


@settings(max_examples=15)
@given(st.floats(0, 1))
def test_support_mass_is_the_average_of_the_parts(asked: bob.BalanceOfBenchmarks, share: float) -> None:
    both = supports_of(asked.rank_for({MATHS: share, SUPPORT: 1 - share}))
    alone = [supports_of(asked.rank_for(text)) for text in (MATHS, SUPPORT)]

    np.testing.assert_allclose(both, share * alone[0] + (1 - share) * alone[1], rtol=1e-8, atol=1e-12)


def test_a_rankings_adjustment_lies_between_those_of_its_parts(asked: bob.BalanceOfBenchmarks) -> None:
    field = asked.rank_for({MATHS: 1, SUPPORT: 1})._field
    parts = [asked.rank_for(text)._field for text in (MATHS, SUPPORT)]
    assert field is not None
    residuals = [part.residual for part in parts if part is not None]

    low, high = np.minimum(*residuals), np.maximum(*residuals)
    assert ((low - 1e-12 <= field.residual) & (field.residual <= high + 1e-12)).all()


def test_a_part_without_evidence_lowers_support_and_is_named(asked: bob.BalanceOfBenchmarks) -> None:
    alone, both = asked.rank_for(MATHS), asked.rank_for({MATHS: 0.75, KITTENS: 0.25})

    assert not both.abstained
    assert [part.abstained for part in both.parts] == [False, True]
    np.testing.assert_allclose(supports_of(both), 0.75 * supports_of(alone), rtol=1e-9)
    assert "no evidence on 1 of 2 parts, 25% of the whole" in both.why
    assert KITTENS in both.why
    assert both.order != asked.ranking()["model"].to_list()


def test_without_evidence_on_any_part_it_is_the_global_ranking(asked: bob.BalanceOfBenchmarks) -> None:
    answer = asked.rank_for({KITTENS: 1, "rain on the roof at midnight": 2})

    assert answer.abstained
    assert answer.bandwidth is None
    assert answer.support == 0.0
    assert answer.order == asked.ranking()["model"].to_list()
    assert "no evidence on this task" in answer.why


def test_parts_have_their_own_neighbours_and_the_whole_the_nearest_of_them(asked: bob.BalanceOfBenchmarks) -> None:
    answer = asked.rank_for({SUPPORT: 2, TERMINAL: 1, MATHS: 1})

    assert [part.weight for part in answer.parts] == [0.5, 0.25, 0.25]
    assert [part.nearest[0].benchmark for part in answer.parts] == ["tau2", "terminalbench_hard", "aime_25"]
    assert answer.nearest[0].distance == min(part.nearest[0].distance for part in answer.parts)
    assert answer.text == f"0.5: {SUPPORT}; 0.25: {TERMINAL}; 0.25: {MATHS}"
    assert asked.rank_for({f"{MATHS} {n}": 1 for n in range(5)}).text.endswith("; ... (5 tasks in all)")  # type: ignore[union-attr]


def test_reasons_of_a_mixture_sum_to_its_adjustment(asked: bob.BalanceOfBenchmarks) -> None:
    answer = asked.rank_for({MATHS: 1, TERMINAL: 3})
    model = answer.order[0]
    row = answer.table.row(0, named=True)

    assert answer.reasons(model)["contribution"].sum() == pytest.approx(row["score"] - row["ability"], abs=1e-12)


def test_whether_a_text_is_in_the_register_is_said(asked: bob.BalanceOfBenchmarks) -> None:
    long = f"In mathematics, the system does the following. It must {MATHS} " + "and explains each of its steps " * 8
    answer = asked.rank_for({MATHS: 1, f"{long}.": 1})

    assert [part.in_register for part in answer.parts] == [False, True]
    assert asked.rank_for(bob.embed([MATHS])[0]).parts[0].in_register is None


def test_an_uncalibrated_encoder_abstains_from_no_part(demo: bob.Board) -> None:
    class Letters:
        identity = EncoderIdentity("letters", "1")

        def encode(self, texts: Any) -> np.ndarray:
            return np.array([[text.count(chr(97 + i)) for i in range(26)] for text in texts], dtype=float)

    answer = bob.BalanceOfBenchmarks(encoder=Letters(), bandwidth=0.45).fit(demo).rank_for({MATHS: 1, KITTENS: 1})

    assert not any(part.abstained for part in answer.parts)
    assert "not calibrated" in answer.why


@given(st.dictionaries(st.text("ab", min_size=1), st.floats(0, 1e300), min_size=1))
def test_shares_sum_to_one(weights: dict[str, float]) -> None:
    if not any(weights.values()):
        with pytest.raises(bob.TaskError, match="every task has weight 0"):
            share_weights(weights)
    else:
        shares = share_weights(weights)
        assert shares.sum() == pytest.approx(1.0)
        assert ((shares >= 0) & (shares <= 1)).all()


@given(st.integers(1, 5), st.integers(1, 6))
def test_the_mean_of_one_relevance_is_that_relevance(k: int, n: int) -> None:
    g = np.linspace(0, 1, n)

    np.testing.assert_allclose(mixed_relevance(np.tile(g, (k, 1)), np.full(k, 1 / k)), g, rtol=1e-12)


@pytest.mark.parametrize(
    ("task", "words"),
    [
        ({}, "no task is given"),
        ({"maths": -1, "law": 2}, "the weight of 'maths' is -1: expected none below 0"),
        ({"maths": float("nan")}, "the weight of 'maths' is nan: expected a number"),
        ({"maths": "much"}, "the weight of 'maths' is 'much': expected a number"),
        ({"maths": True}, "the weight of 'maths' is True"),
        ({"maths": 0}, "every task has weight 0"),
        ({"???": 1}, "the task is '\\?\\?\\?'"),
        ({3: 1}, "the task is 3: expected a sentence"),
    ],
)
def test_what_is_no_mixture_of_tasks_is_refused(asked: bob.BalanceOfBenchmarks, task: Any, words: str) -> None:
    with pytest.raises(bob.TaskError, match=words):
        asked.rank_for(task)


def test_texts_cannot_be_placed_among_given_vectors(demo: bob.Board) -> None:
    vectors = bob.embed(demo.benchmarks["description"].to_list())
    model = bob.BalanceOfBenchmarks(encoder=vectors).fit(demo)

    with pytest.raises(bob.TaskError, match="a text cannot be placed"):
        model.rank_for({MATHS: 1, SUPPORT: 1})
