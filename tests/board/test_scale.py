"""Scales: what a column is taken for, what is said of it, and what is left to its owner."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance_of_benchmarks.board.scale import SCALE_KINDS, Column, Mapped, Unmappable, map_column

NAN = float("nan")


def mapped(scores: list[float], **known: Any) -> Mapped:
    column = map_column(Column(key=known.pop("key", "x"), scores=np.array(scores), **known))
    assert isinstance(column, Mapped)
    return column


def kinds(column: Mapped) -> list[str]:
    return [note.kind for note in column.adjustments]


@pytest.mark.parametrize(
    ("scores", "known", "expected", "said"),
    [
        ([0.0, 0.4, NAN, 1.0], {}, [0.0, 0.4, NAN, 1.0], []),
        ([40.0, 100.0], {}, [0.4, 1.0], ["scale_proposed"]),
        # Correlations: Matthews' coefficient below 0.
        ([-0.5, 0.0, 1.0], {"metric": "mcc"}, [0.25, 0.5, 1.0], ["scale_proposed"]),
        ([-50.0, 0.0, 100.0], {}, [0.25, 0.5, 1.0], ["scale_proposed"]),
        # Word error rates: known by the metric, by the benchmark's name, or by exceeding 100 %.
        ([0.1, 0.4], {"metric": "WER"}, [0.9, 0.6], ["direction_proposed"]),
        ([10.0, 40.0], {"key": "librispeech_wer"}, [0.9, 0.6], ["direction_proposed"]),
        ([10.0, 20.0, 125.0], {}, [0.9, 0.8, 0.0], ["direction_proposed", "scores_clipped"]),
        ([10.0, 20.0, 80.0], {"board": "open_asr"}, [0.9, 0.8, 0.2], ["direction_proposed"]),
        # Ratings of 1 to 5 and 1 to 10, and percentages as low.
        ([3.0, 4.0, 5.0], {}, [0.5, 0.75, 1.0], ["scale_proposed"]),
        ([5.5, 8.2, 10.0], {}, [0.5, 0.8, 1.0], ["scale_proposed"]),
        ([1.0, 1.5, 5.0], {}, [0.01, 0.015, 0.05], ["scale_proposed"]),
        # Declared: nothing is assumed.
        ([3.0, 5.0], {"lower": 1.0, "upper": 5.0}, [0.5, 1.0], []),
        ([3.0, 5.0], {"lower": 1.0, "upper": 5.0, "higher_is_better": False}, [0.5, 0.0], []),
        # A declared lower bound that is the chance level: what lies below is chance.
        ([0.2, 0.25, 1.0], {"lower": 0.25, "upper": 1.0, "chance": 0.25}, [0.0, 0.0, 1.0], ["scores_clipped"]),
        # What stands for missing.
        ([-1.0, 0.5, 0.75], {}, [NAN, 0.5, 0.75], ["sentinel_value"]),
        ([999.0, 50.0, 75.0], {}, [NAN, 0.5, 0.75], ["sentinel_value", "scale_proposed"]),
        ([-1.0, 0.5, 0.75], {"lower": -1.0, "upper": 1.0}, [0.0, 0.75, 0.875], []),
        ([-1.0, -0.5, 1.0], {}, [0.0, 0.25, 1.0], ["scale_proposed"]),
        # Fractions among percentages, where several agree; one small percentage is what it says.
        ([0.75, 0.5, 60.0, 80.0], {}, [0.75, 0.5, 0.6, 0.8], ["mixed_scale", "scale_proposed"]),
        ([0.5, 60.0, 80.0, 70.0], {}, [0.005, 0.6, 0.8, 0.7], ["scale_proposed"]),
        # The weakest models of a hard test score a whole percent; that is not the whole test.
        ([1.0, 1.0, 14.0, 60.0, 80.0], {}, [0.01, 0.01, 0.14, 0.6, 0.8], ["scale_proposed"]),
        # Rounding past a bound is not being past it.
        ([1.0 + 1e-12, 0.5], {"lower": 0.0, "upper": 1.0}, [1.0, 0.5], []),
    ],
)
def test_a_column_is_taken_for_what_it_is(
    scores: list[float], known: dict[str, Any], expected: list[float], said: list[str]
) -> None:
    column = mapped(scores, **known)

    np.testing.assert_allclose(column.scores, expected, atol=1e-12)
    assert kinds(column) == said


def test_ratings_without_ends_get_the_range_they_span_and_a_margin() -> None:
    elo = mapped([1000.0, 1100.0, 1200.0], metric="elo")
    reward = mapped([-300.0, 100.0, 500.0])

    assert (elo.lower, elo.upper) == (980.0, 1220.0)
    assert (reward.lower, reward.upper) == (-380.0, 580.0)
    np.testing.assert_allclose(elo.scores, [20 / 240, 0.5, 220 / 240])


@pytest.mark.parametrize(
    ("scores", "known"),
    [
        ([2848.0, 16261.0, 78556.0], {}),  # a throughput has no end that means best
        ([1000.0, 1100.0, 1200.0], {"metric": "tokens per second"}),
        ([-1.0, 0.0, 1.0, 1e6], {}),  # one outlier would put all others in one place
        ([1200.0, 1300.0], {}),  # two scores span no scale
        ([0.5, 1.2], {"lower": 0.0, "upper": 1.0}),
        ([0.2, 0.5], {"lower": 0.25, "upper": 1.0}),
        ([300.0], {"lower": 200.0}),
    ],
)
def test_a_column_without_a_scale_is_left_to_its_owner(scores: list[float], known: dict[str, Any]) -> None:
    column = map_column(Column(key="a,b", scores=np.array(scores), **known))

    assert isinstance(column, Unmappable)
    assert column.fix.startswith('in benchmarks.csv: "a,b",')


def test_one_declared_bound_is_completed() -> None:
    np.testing.assert_allclose(mapped([0.25, 1.0], lower=-0.5).scores, [0.5, 1.0])


@pytest.mark.parametrize(
    ("key", "upwards"),
    [
        ("Hallucination Rate", False), ("attack_success_rate", False), ("normalized-error-task", False),
        ("median_loss_rescaled", False), ("Pile-test (BPB)", False), ("WER (%)", False), ("FID ↓", False),
        ("Toxicity (lower is better)", False), ("Speed of reading ↑", True), ("error ↑", True), ("win rate", True),
        ("Irrelevance Detection", True), ("loss of memory test", True), ("macro", True),
    ],
)  # fmt: skip
def test_a_name_says_which_way_is_better(key: str, upwards: bool) -> None:
    mapped = map_column(Column(key, np.array([0.2, 0.3, 0.4])))

    assert isinstance(mapped, Mapped)
    assert mapped.higher_is_better is upwards


def test_an_error_detection_benchmark_is_no_error_rate() -> None:
    assert mapped([0.2, 0.8], key="error_detection", metric="accuracy").higher_is_better


def test_a_column_of_nothing_but_a_filler_has_no_scores() -> None:
    column = map_column(Column("x", np.array([-1.0, -1.0, NAN])))

    assert isinstance(column, Unmappable)
    assert "stands for missing" in column.reason


@given(st.lists(st.floats(-1e9, 1e9), min_size=1), st.sampled_from([True, False, None]))
def test_a_mapped_column_lies_in_the_unit_interval_and_keeps_order(scores: list[float], upwards: bool | None) -> None:
    values = np.array(scores)
    column = map_column(Column("x", values, higher_is_better=upwards))
    if isinstance(column, Unmappable):
        return

    known = ~np.isnan(column.scores)
    assert ((column.scores[known] >= 0) & (column.scores[known] <= 1)).all()
    assert {note.kind for note in column.adjustments} <= set(SCALE_KINDS)
    if "mixed_scale" not in kinds(column):
        steps = np.diff(column.scores[known][np.argsort(values[known], kind="stable")])
        assert (steps >= 0).all() if column.higher_is_better else (steps <= 0).all()
