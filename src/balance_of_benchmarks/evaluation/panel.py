"""One outer fold and what its methods share: inner folds, and the numbers chosen by them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from balance_of_benchmarks.equating.settings import AbilityScale, FitSettings
from balance_of_benchmarks.evaluation.rules import Clusterings
from balance_of_benchmarks.evaluation.study import Question, Study, Trial
from balance_of_benchmarks.geometry.space import Weighting
from balance_of_benchmarks.ranking.choosing import choose_process
from balance_of_benchmarks.ranking.field import residual_field
from balance_of_benchmarks.ranking.presets import PRESETS, PresetName
from balance_of_benchmarks.ranking.process import ProcessChoice
from balance_of_benchmarks.types import FloatArray

__all__ = ["Grid", "Panel", "Selection"]

# On wide boards a sample of inner folds tells candidates apart as well; each costs a refit.
_MOST_INNER = 32


@dataclass(frozen=True, slots=True)
class Grid:
    """A relevance rule with one number to choose.

    Parameters
    ----------
    id : str
    candidates : tuple of float
    default : float
        Where no inner fold can tell.
    relevance : callable
        Of a question, the pool's clusterings and the number: g, or None where the number means nothing, such as
        more clusters than there are texts.
    """

    id: str
    candidates: tuple[float, ...]
    default: float
    relevance: Callable[[Question, Clusterings, float], FloatArray | None]


@dataclass(frozen=True, slots=True)
class Selection:
    """A number chosen by inner folds.

    Parameters
    ----------
    value : float
    criterion : tuple of float
        Mean inner profile of each candidate, over the inner folds in which any is defined; NaN for one that is not
        defined in all of those, since means over different folds cannot be compared.
    """

    value: float
    criterion: tuple[float, ...]


class Panel:
    """An outer fold as its methods see it: the question, its inner folds, and what was chosen by them.

    The benchmark held out is in no inner fold, as a target or in a pool.

    Parameters
    ----------
    study : Study
    target : int
    clusterings : Clusterings
        Shared by all folds of the study.
    without : tuple of int
        Further benchmarks to leave out of the pool.
    seed : int
        Draws inner folds on wide boards.
    """

    def __init__(
        self, study: Study, target: int, clusterings: Clusterings, *, without: tuple[int, ...] = (), seed: int = 0
    ) -> None:
        self.study, self.target, self.clusterings, self.without, self.seed = study, target, clusterings, without, seed
        self.trial = study.hold_out(target, without=without)
        self._chosen: dict[str, Selection] = {}
        self._others: dict[Weighting | AbilityScale | PresetName, Panel] = {}
        self._processes: dict[bool, ProcessChoice] = {}

    @property
    def question(self) -> Question:
        """What the methods are asked."""
        return self.trial.question

    @cached_property
    def inner(self) -> tuple[Trial, ...]:
        """Each benchmark of the pool held out in turn, distances in units of the outer pool."""
        pool = self.question.pool
        targets = pool.targets(_MOST_INNER, np.random.default_rng(self.seed))
        return tuple(pool.trials([int(i) for i in targets], unit=pool.space.median))

    def process(self, *, by_category: bool = False) -> ProcessChoice:
        """Choose the Gaussian process of the pool's residuals by the inner folds and the likelihood.

        Parameters
        ----------
        by_category : bool
            Whether the benchmarks' categories are known to it.
        """
        if by_category not in self._processes:
            pool = self.question.pool
            self._processes[by_category] = choose_process(
                (trial.fold for trial in self.inner),
                self.question.fit,
                pool.space,
                categories=pool.categories if by_category else None,
            )
        return self._processes[by_category]

    def choose(self, grid: Grid) -> Selection:
        """Choose a rule's number by the mean profile over inner folds."""
        if grid.id not in self._chosen:
            profiles = np.array([self._profiles(grid, trial) for trial in self.inner]).reshape(-1, len(grid.candidates))
            told = ~np.isnan(profiles).all(axis=1)
            nothing = (float("nan"),) * len(grid.candidates)
            criterion = tuple(map(float, profiles[told].mean(axis=0))) if told.any() else nothing
            known = [value for value in criterion if np.isfinite(value)]
            best = grid.candidates[criterion.index(max(known))] if known else grid.default
            self._chosen[grid.id] = Selection(best, criterion)
        return self._chosen[grid.id]

    def relevance(self, grid: Grid) -> FloatArray:
        """Relevance of the pool by a rule with its number chosen."""
        found = grid.relevance(self.question, self.clusterings, self.choose(grid).value)
        return np.zeros(len(self.question.distances)) if found is None else found

    def chosen(self, grid: Grid) -> float:
        """What was chosen for a rule; NaN where no method asked."""
        return self._chosen[grid.id].value if grid.id in self._chosen else float("nan")

    def reweighted(self, weighting: Weighting) -> Panel:
        """Give the same fold under other weights."""
        if weighting not in self._others:
            self._others[weighting] = self._of(replace(self.study, space=self.study.space.reweigh(weighting)))
        return self._others[weighting]

    def rescaled(self, scale: AbilityScale) -> Panel:
        """Give the same fold with another ability scale in its fits."""
        if scale not in self._others:
            settings = replace(self.study.settings or FitSettings(), ability_scale=scale)
            self._others[scale] = self._of(replace(self.study, settings=settings))
        return self._others[scale]

    def under(self, preset: PresetName) -> Panel:
        """Give the same fold under a preset's weights, unless the user gave some, and constants."""
        if preset not in self._others:
            chosen, space = PRESETS[preset], self.study.space
            space = space.reweigh(chosen.weighting) if space.rule.given is None else space
            self._others[preset] = self._of(replace(self.study, space=space, settings=chosen.settings))
        return self._others[preset]

    def _of(self, study: Study) -> Panel:
        return Panel(study, self.target, self.clusterings, without=self.without, seed=self.seed)

    def _profiles(self, grid: Grid, trial: Trial) -> list[float]:
        """Profile of each candidate in an inner fold; NaN where its number means nothing."""
        profiles = []
        for value in grid.candidates:
            relevance = grid.relevance(trial.question, self.clusterings, value)
            field = None if relevance is None else residual_field(trial.question.fit, relevance)
            profiles.append(float("nan") if field is None else trial.fold.score(field.score).profile)
        return profiles
