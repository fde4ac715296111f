"""The texts that ship for the paper's fourteen benchmarks."""

import re

import pytest

from balance_of_benchmarks.sources.known import KNOWN_BENCHMARKS


@pytest.mark.parametrize("key", sorted(KNOWN_BENCHMARKS))
def test_every_description_keeps_the_register(key: str) -> None:
    text = KNOWN_BENCHMARKS[key].description
    sentences = re.findall(r"[.](?:\s|$)", text)

    assert 40 <= len(text.split()) <= 80
    assert 2 <= len(sentences) <= 4


def test_the_fourteen_fields_of_the_paper_are_known() -> None:
    expected = {
        *("aime", "aime_25", "math_500", "gpqa", "hle", "mmlu_pro", "livecodebench", "scicode", "ifbench", "lcr"),
        *("tau2", "tau_banking", "terminalbench_hard", "terminalbench_v2_1"),
    }
    assert set(KNOWN_BENCHMARKS) == expected


def test_only_multiple_choice_has_a_chance_level() -> None:
    guessable = {key: known.chance for key, known in KNOWN_BENCHMARKS.items() if known.chance}
    assert guessable == {"gpqa": 0.25, "mmlu_pro": 0.1}
