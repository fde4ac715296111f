"""Choosing the field's bandwidth h by leaving benchmarks out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from balance_of_benchmarks.equating.settings import FitSettings
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.geometry.points import check_positive
from balance_of_benchmarks.geometry.space import Space
from balance_of_benchmarks.ranking.field import ResidualKind, Shrinkage, residual_field
from balance_of_benchmarks.ranking.folds import find_targets, iterate_folds
from balance_of_benchmarks.ranking.relevance import continuous_relevance
from balance_of_benchmarks.types import FloatArray, IntArray

__all__ = ["BANDWIDTHS", "DEFAULT_BANDWIDTH", "BandwidthChoice", "check_bandwidths", "choose_bandwidth", "draw_targets"]

BANDWIDTHS: Final = (0.30, 0.45, 0.60)
"""The paper's grid, in multiples of the median distance."""
DEFAULT_BANDWIDTH: Final = 0.45
"""Where no fold can tell; every fold of the paper's board chooses it."""
# Each held-out benchmark costs a refit: on wide boards a sample tells the three bandwidths apart as well.
_MOST_FOLDS: Final = 32


@dataclass(frozen=True, slots=True)
class BandwidthChoice:
    """A bandwidth and what it was chosen by.

    Parameters
    ----------
    multiple : float
        In median distances.
    candidates : tuple of float
    criterion : tuple of float
        Mean of level and profile over held-out benchmarks, aligned with `candidates`; NaN where undefined.
    held_out : tuple of int
        Positions of the benchmarks held out, each the first listed of its copies.
    why : str
    """

    multiple: float
    candidates: tuple[float, ...]
    criterion: tuple[float, ...]
    held_out: tuple[int, ...]
    why: str


def check_bandwidths(candidates: object) -> tuple[float, ...]:
    """Take a list of multiples of the median distance.

    Parameters
    ----------
    candidates : object
        Whatever the caller was given.

    Returns
    -------
    tuple of float
    """
    expected = "positive multiples of the median distance, at least one"
    if isinstance(candidates, str) or not isinstance(candidates, Iterable) or not (listed := tuple(candidates)):
        raise ArrayError(f"bandwidths are {candidates!r}: expected {expected}")
    return tuple(check_positive(multiple, f"among {candidates!r} a bandwidth", expected) for multiple in listed)


def draw_targets(
    scores: FloatArray, space: Space, most: int = _MOST_FOLDS, rng: np.random.Generator | None = None
) -> IntArray:
    """Find the benchmarks to hold out when something is to be chosen for tasks: described ones.

    Parameters
    ----------
    scores : ndarray of shape (M, N)
    space : Space
    most : int
        So many of them are drawn where there are more (`Space.draw`); copies count as one.
    rng : numpy.random.Generator, optional
        For that; the same every time by default.

    Returns
    -------
    ndarray of int
        Ascending; empty where there is only one, which leaves nothing to predict it from.
    """
    targets = find_targets(scores, space)
    targets = targets[space.has_text[targets]]
    targets = space.draw(targets, most, rng or np.random.default_rng(0))
    return targets if targets.size > 1 else targets[:0]


def choose_bandwidth(
    scores: FloatArray,
    space: Space,
    *,
    candidates: Sequence[float] = BANDWIDTHS,
    most_folds: int = _MOST_FOLDS,
    rng: np.random.Generator,
    n_items: ArrayLike | None = None,
    shrinkage: Shrinkage = "support",
    residual: ResidualKind = "standardized",
    information_in_support: bool = False,
    settings: FitSettings | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> BandwidthChoice:
    """Choose h by predicting held-out benchmarks from their texts.

    Parameters
    ----------
    scores : ndarray of shape (M, N)
    space : Space
    candidates : sequence of float
        Multiples of the median distance.
    most_folds : int
        At most so many benchmarks are held out, drawn by `rng` on wider boards; copies count as one.
    rng : numpy.random.Generator
    n_items, settings, threads
        As for `fit_scores`.
    shrinkage, residual, information_in_support
        As for `residual_field`.
    progress : callable, optional
        Called with folds done and folds in all.

    Returns
    -------
    BandwidthChoice
        The first best candidate; the paper's .45 when no fold can tell.

    Notes
    -----
    Appendix F: the mean of level and profile under leave-one-benchmark-out. Folds keep the list's own unit. A point
    is held out once, whole, and in the order of first listing, so that listing a benchmark again changes no fold.
    """
    multiples = check_bandwidths(candidates)
    targets = draw_targets(scores, space, most_folds, rng)
    outcome = np.full((targets.size, len(multiples), 2), np.nan)
    if targets.size:
        folds = iterate_folds(
            scores, space, targets, unit=space.median, n_items=n_items, settings=settings, threads=threads
        )
        for place, fold in enumerate(folds):
            for k, multiple in enumerate(multiples):
                relevance = continuous_relevance(fold.distances, multiple * space.median, fold.space.weights)
                field = residual_field(
                    fold.fit,
                    relevance,
                    shrinkage=shrinkage,
                    residual=residual,
                    information_in_support=information_in_support,
                )
                held_out = fold.score(field.score)
                outcome[place, k] = held_out.level, held_out.profile
            if progress is not None:
                progress(place + 1, targets.size)
    told = ~np.isnan(outcome).any(axis=(1, 2))
    held_out_positions = tuple(int(target) for target in targets[told])
    if not told.any():
        return BandwidthChoice(
            DEFAULT_BANDWIDTH, multiples, (float("nan"),) * len(multiples), (),
            "no held-out benchmark can tell bandwidths apart: the paper's value",
        )  # fmt: skip
    criterion = outcome[told].mean(axis=(0, 2))
    best = multiples[int(np.argmax(criterion))]
    return BandwidthChoice(
        best, multiples, tuple(float(c) for c in criterion), held_out_positions,
        f"best mean of level and profile over {int(told.sum())} held-out benchmarks",
    )  # fmt: skip
