"""Descriptions dealt out at random: what is left of a held-out figure when texts no longer say what was measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.evaluation.methods import CONTINUOUS
from balance_of_benchmarks.evaluation.panel import Panel
from balance_of_benchmarks.evaluation.processes import count_jobs, map_spawned
from balance_of_benchmarks.evaluation.rules import Clusterings
from balance_of_benchmarks.evaluation.study import Study, mean_observed
from balance_of_benchmarks.geometry.space import Space
from balance_of_benchmarks.ranking.bandwidth import DEFAULT_BANDWIDTH
from balance_of_benchmarks.ranking.field import residual_field
from balance_of_benchmarks.ranking.relevance import continuous_relevance
from balance_of_benchmarks.types import FloatArray, IntArray

__all__ = ["Shuffling", "held_out_means", "shuffle_descriptions"]


@dataclass(frozen=True, slots=True, eq=False)
class Shuffling:
    """Mean level and profile over folds, with the texts in their places and dealt out at random.

    Parameters
    ----------
    level, profile : float
        With every text where it belongs.
    shuffled_level, shuffled_profile : ndarray of shape (B,)
        In each draw.
    """

    level: float
    profile: float
    shuffled_level: FloatArray
    shuffled_profile: FloatArray

    @property
    def p_level(self) -> float:
        """One-sided p-value of the level: (1 + draws that reach it) / (1 + draws in which it is defined)."""
        return _permutation_p(self.level, self.shuffled_level)

    @property
    def p_profile(self) -> float:
        """One-sided p-value of the profile."""
        return _permutation_p(self.profile, self.shuffled_profile)


@dataclass(frozen=True, slots=True, eq=False)
class _Shuffle:
    """The work of one process: held-out means under one order of the texts after another."""

    study: Study
    multiple: float | None

    def __call__(self, order: IntArray) -> tuple[float, float]:
        return held_out_means(replace(self.study, space=_deal(self.study.space, order)), self.multiple)


def shuffle_descriptions(
    study: Study,
    *,
    draws: int = 200,
    multiple: float | None = DEFAULT_BANDWIDTH,
    jobs: int | None = 1,
    rng: np.random.Generator,
    progress: Callable[[int, int], None] | None = None,
) -> Shuffling:
    """Deal the descriptions out to the benchmarks at random, and hold each benchmark out again.

    Parameters
    ----------
    study : Study
    draws : int
    multiple : float, optional
        The field's bandwidth in medians, held at what was selected; None to select it in every fold of every draw.
    jobs : int, optional
        Processes; None for one a core. The result does not depend on it.
    rng : numpy.random.Generator
    progress : callable, optional
        Called with draws done and draws in all.

    Returns
    -------
    Shuffling

    Notes
    -----
    §4.3, Appendix E.1: the complete leave-one-benchmark-out procedure in every draw. Points are dealt, not listings:
    copies stay copies, for one of them in the pool would give the other's answer away.
    """
    if isinstance(draws, bool) or not isinstance(draws, int) or draws < 1:
        raise ArrayError(f"draws is {draws!r}: expected a whole number of at least 1")
    firsts = study.space.firsts
    point = np.searchsorted(firsts, study.space.labels)
    orders = [firsts[point], *(rng.permutation(firsts)[point] for _ in range(draws))]
    work = _Shuffle(study, multiple)
    report = None if progress is None else lambda done, _: progress(max(done - 1, 0), draws)
    (level, profile), *shuffled = map_spawned(work, orders, jobs=count_jobs(jobs), progress=report)
    levels, profiles = np.array(shuffled).T
    return Shuffling(level, profile, levels, profiles)


def held_out_means(study: Study, multiple: float | None = DEFAULT_BANDWIDTH) -> tuple[float, float]:
    """Mean level and profile of the method over the benchmarks that can be held out.

    Parameters
    ----------
    study : Study
    multiple : float, optional
        The field's bandwidth in the pool's medians; None to select it by inner folds.

    Returns
    -------
    tuple of float
        Over the folds in which each is defined; NaN where it is in none.
    """
    outcomes, clusterings = [], Clusterings()
    for target in study.targets():
        if multiple is None:
            panel = Panel(study, int(target), clusterings)
            trial, relevance = panel.trial, panel.relevance(CONTINUOUS)
        else:
            trial = study.hold_out(int(target))
            space = trial.fold.space
            relevance = continuous_relevance(trial.fold.distances, multiple * space.median, space.weights)
        judged = trial.fold.score(residual_field(trial.fold.fit, relevance).score)
        outcomes.append((judged.level, judged.profile))
    level, profile = mean_observed(np.array(outcomes).reshape(-1, 2).T)
    return float(level), float(profile)


def _deal(space: Space, order: IntArray) -> Space:
    """Give each benchmark the text of another; weights and targets of the user's own stay where they are."""
    dealt = replace(space.take(order, unit=space.median), rule=space.rule)
    return dealt.take(np.arange(len(order)), unit=space.median)


def _permutation_p(observed: float, drawn: FloatArray) -> float:
    known = drawn[~np.isnan(drawn)]
    return float((1 + (known >= observed).sum()) / (1 + known.size)) if np.isfinite(observed) else float("nan")
