"""Which preset a board should be ranked by, and why: the two against each other, and the default against everybody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from balance_of_benchmarks.evaluation.methods import METHODS
from balance_of_benchmarks.evaluation.scoring import Verdicts
from balance_of_benchmarks.evaluation.statistics import PairedComparison, compare_pairs
from balance_of_benchmarks.ranking.presets import PresetName

__all__ = ["AUTO", "RIVALS", "Advice", "advise_preset"]

AUTO: Final = "bob:auto"
"""The default's id among the methods."""
RIVALS: Final = ("end_to_end", "practice", "reference")
"""Families of methods that are other people's, not ours with a part changed."""
_METRICS: Final = ("level", "profile")


@dataclass(frozen=True, slots=True)
class Advice:
    """The preset to use on a board.

    Parameters
    ----------
    preset : {"auto", "paper"}
    why : str
        One sentence.
    against_paper : dict of str to PairedComparison
        By metric: `auto` less the paper's method.
    against_rivals : dict of str to tuple of PairedComparison
        By metric: `auto` less every rival, p-values corrected over them all.
    """

    preset: PresetName
    why: str
    against_paper: dict[str, PairedComparison]
    against_rivals: dict[str, tuple[PairedComparison, ...]]

    @property
    def behind(self) -> tuple[tuple[str, str, PairedComparison], ...]:
        """Metric, id and comparison of each rival that is ahead of `auto` with all of the interval."""
        return tuple(
            (metric, pair.against, pair)
            for metric, pairs in self.against_rivals.items()
            for pair in pairs
            if pair.high < 0
        )


def advise_preset(verdicts: Verdicts, *, rng: np.random.Generator) -> Advice | None:
    """Advise by benchmarks held out.

    `auto` is what many boards earned, so it is left only where this one says surely that the paper's method predicts it
    better: ahead on the mean of level and profile, with the whole interval of one of the two.

    Parameters
    ----------
    verdicts : Verdicts
    rng : numpy.random.Generator
        For intervals over benchmarks.

    Returns
    -------
    Advice or None
        None where `auto` was not asked for, or no benchmark tells the two apart.
    """
    if AUTO not in verdicts.methods:
        return None
    rivals = [method.id for method in METHODS if method.family in RIVALS and method.id in verdicts.methods]
    paper, others = dict[str, PairedComparison](), dict[str, tuple[PairedComparison, ...]]()
    for metric in _METRICS:
        ours = verdicts.of(AUTO, metric)
        (paper[metric],) = compare_pairs(ours, {"bob": verdicts.of("bob", metric)}, rng=rng)
        others[metric] = compare_pairs(ours, {id_: verdicts.of(id_, metric) for id_ in rivals}, rng=rng)
    if not all(np.isfinite(pair.difference) for pair in paper.values()):
        return None
    told = " and ".join(
        f"{pair.difference:+.3f} in {metric} [{pair.low:+.3f}, {pair.high:+.3f}]" for metric, pair in paper.items()
    )
    lead = sum(pair.difference for pair in paper.values())
    if lead < 0 and any(pair.high < 0 for pair in paper.values()):
        return Advice("paper", f"on this board auto is surely behind the paper's method: {told}", paper, others)
    ahead, behind = any(pair.low > 0 for pair in paper.values()), any(pair.high < 0 for pair in paper.values())
    verdict = "not told apart from"
    if ahead:
        verdict = "ahead in one and behind in the other of" if behind else "surely ahead of"
    return Advice("auto", f"on this board auto is {verdict} the paper's method: {told}", paper, others)
