"""Advice on a preset follows from the figures: the default unless the paper's method is surely ahead of it."""

from __future__ import annotations

import numpy as np
import pytest

from balance_of_benchmarks.evaluation.advice import advise_preset
from balance_of_benchmarks.evaluation.scoring import Verdicts
from balance_of_benchmarks.types import FloatArray

FOLDS = 12


def judge(lead: float, spread: float = 0.02, rival: float = -0.2) -> Verdicts:
    """Figures in which auto leads the paper's method, and a rival auto, by so much in both metrics."""
    rng = np.random.default_rng(0)
    paper = 0.5 + 0.1 * rng.normal(size=FOLDS)
    auto = paper + lead + spread * np.linspace(-1.0, 1.0, FOLDS)
    figures: FloatArray = np.stack([paper, auto, auto + rival + 0.01 * rng.normal(size=FOLDS)], axis=1)
    counts = np.full((FOLDS, 3), 100)
    return Verdicts(("bob", "bob:auto", "nearest"), {"level": figures, "profile": figures}, counts)


@pytest.mark.parametrize(
    ("lead", "spread", "preset", "words"),
    [
        (0.1, 0.02, "auto", "surely ahead of"),
        (0.01, 0.2, "auto", "not told apart from"),
        (-0.01, 0.2, "auto", "not told apart from"),
        (-0.1, 0.02, "paper", "surely behind"),
    ],
)
def test_the_default_stays_unless_it_is_surely_behind(lead: float, spread: float, preset: str, words: str) -> None:
    advice = advise_preset(judge(lead, spread), rng=np.random.default_rng(0))

    assert advice is not None
    assert advice.preset == preset
    assert words in advice.why
    assert advice.against_paper["level"].difference == pytest.approx(lead)


def test_ahead_in_one_figure_and_behind_in_the_other_is_said() -> None:
    up, down = judge(0.2), judge(-0.1)
    mixed = Verdicts(up.methods, {"level": up.values["level"], "profile": down.values["profile"]}, up.models)
    advice = advise_preset(mixed, rng=np.random.default_rng(0))

    assert advice is not None
    assert advice.preset == "auto"
    assert "ahead in one and behind in the other" in advice.why


@pytest.mark.parametrize(("rival", "behind"), [(-0.2, []), (0.2, [("level", "nearest"), ("profile", "nearest")])])
def test_a_rival_ahead_with_all_of_its_interval_is_named(rival: float, behind: list[tuple[str, str]]) -> None:
    advice = advise_preset(judge(0.1, rival=rival), rng=np.random.default_rng(0))

    assert advice is not None
    assert [(metric, id_) for metric, id_, _ in advice.behind] == behind


def test_without_the_default_among_the_methods_there_is_no_advice() -> None:
    verdicts = judge(0.1)
    fewer = Verdicts(("bob", "nearest"), {m: v[:, [0, 2]] for m, v in verdicts.values.items()}, verdicts.models[:, :2])

    assert advise_preset(fewer, rng=np.random.default_rng(0)) is None


def test_where_no_benchmark_tells_the_two_apart_there_is_no_advice() -> None:
    nothing = {metric: np.full((FOLDS, 3), np.nan) for metric in ("level", "profile")}
    verdicts = Verdicts(("bob", "bob:auto", "nearest"), nothing, np.zeros((FOLDS, 3), dtype=int))

    assert advise_preset(verdicts, rng=np.random.default_rng(0)) is None
