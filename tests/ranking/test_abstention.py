"""Where tasks end and nonsense begins."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.ranking.abstention import COVERED_TASKS, NONSENSE, abstention_threshold
from balance_of_benchmarks.sources.known import KNOWN_BENCHMARKS
from balance_of_benchmarks.text.encoder import EncoderIdentity
from balance_of_benchmarks.text.wordllama import WordLlamaEncoder

DESCRIPTIONS = [known.description for known in KNOWN_BENCHMARKS.values()]


def test_the_threshold_that_ships_is_the_calibrated_one() -> None:
    calibration = bob.calibrate_abstention("wordllama", DESCRIPTIONS)

    assert calibration.mistakes == 0
    assert abstention_threshold(WordLlamaEncoder().identity) == pytest.approx(calibration.threshold, abs=0.005)
    assert calibration.covered.max() < calibration.threshold < calibration.nonsense.min()


@pytest.mark.parametrize(
    ("kind", "write"),
    [
        ("", str),
        ("", lambda text: bob.TaskForm(text, text, (text,), text, text, text).write()),
        ("_canonical", str),
    ],
    ids=["raw", "form", "canonical"],
)
def test_of_texts_it_was_not_calibrated_on_the_limit_misjudges_at_most_one_in_twenty(
    fitted: bob.BalanceOfBenchmarks, kind: str, write: Callable[[str], str]
) -> None:
    texts = tomllib.loads((Path(__file__).parent / "abstention_texts.toml").read_text())
    missed, taken = (
        [text for text in texts[name + kind] if fitted.rank_for(write(text)).abstained is wrong]
        for name, wrong in (("covered", True), ("nonsense", False))
    )
    assert not {*texts["covered"], *texts["nonsense"]} & {*COVERED_TASKS, *NONSENSE}
    assert len(missed) <= len(texts["covered" + kind]) / 20
    assert len(taken) <= len(texts["nonsense" + kind]) / 20


def test_an_unknown_encoder_has_no_threshold() -> None:
    assert abstention_threshold(EncoderIdentity("other", "1")) is None


@pytest.mark.parametrize("text", COVERED_TASKS)
def test_covered_tasks_are_answered(fitted: bob.BalanceOfBenchmarks, text: str) -> None:
    assert not fitted.rank_for(text).abstained


@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_is_abstained_from(fitted: bob.BalanceOfBenchmarks, text: str) -> None:
    answer = fitted.rank_for(text)

    assert answer.abstained
    assert answer.support == 0.0
    assert answer.bandwidth is None
    assert "no evidence" in answer.why
    assert answer.table["model"].to_list() == fitted.ranking()["model"].to_list()
    assert answer.table["score"].to_list() == fitted.ranking()["score"].to_list()
