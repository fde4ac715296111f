"""How abilities move when other benchmarks had been drawn: refits on resampled lists."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from balance_of_benchmarks.equating.cells import ObservedCells
from balance_of_benchmarks.equating.fit import fit_cells
from balance_of_benchmarks.equating.parallel import available_threads
from balance_of_benchmarks.equating.settings import FitSettings
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.types import FloatArray, as_floats

__all__ = ["MOST_DRAWS", "bootstrap_abilities"]

MOST_DRAWS: Final = 100_000
"""More say nothing more, and their abilities would not fit in memory."""


def bootstrap_abilities(
    observed: ObservedCells,
    weights: ArrayLike | None = None,
    *,
    draws: int = 1000,
    rng: np.random.Generator,
    n_items: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    settings: FitSettings | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> FloatArray:
    """Refit on benchmarks drawn with replacement.

    Use it for intervals that say which places would hold on another list of benchmarks of the same kind: the
    benchmarks are what a leaderboard samples, so they are what is drawn, copies of one together.

    Parameters
    ----------
    observed : ObservedCells
    weights : array-like of shape (N,), optional
        A benchmark drawn k times counts k times its weight.
    draws : int
    rng : numpy.random.Generator
    n_items, labels, settings
        As for `fit_scores`.
    threads : int, optional
        Draws run side by side on so many; by default one a core. The result does not depend on it.
    progress : callable, optional
        Called with draws done and draws in all.

    Returns
    -------
    ndarray of shape (draws, M)
        Abilities; NaN where none of a model's benchmarks was drawn.
    """
    if not isinstance(draws, int) or not 1 <= draws <= MOST_DRAWS:
        raise ArrayError(f"draws is {draws!r}: expected a whole number from 1 to {MOST_DRAWS}")
    n = observed.n_benchmarks
    u = np.ones(n) if weights is None else as_floats(weights, "weights")
    # One fit of the list as it is says what is wrong with it, before a thousand do.
    whole = fit_cells(observed, u, n_items=n_items, labels=labels, settings=settings, threads=1)
    scored = np.diff(observed.benchmark_start) > 0
    points, point = np.unique(whole.labels, return_inverse=True)
    counts = rng.multinomial(points.size, np.full(points.size, 1.0 / points.size), size=draws)[:, point]
    abilities = np.full((draws, observed.n_models), np.nan)

    def refit(draw: int) -> None:
        drawn = counts[draw] * u
        if drawn[scored].any():  # a draw of weightless benchmarks alone ranks nobody: NaN
            abilities[draw] = fit_cells(observed, drawn, n_items=n_items, settings=settings, threads=1).ability

    with ThreadPoolExecutor(available_threads(observed.size * draws, threads)) as pool:
        try:
            for done, _ in enumerate(pool.map(refit, range(draws)), start=1):
                if progress is not None:
                    progress(done, draws)
        except BaseException:
            pool.shutdown(cancel_futures=True)  # an interrupt must not wait for the draws not yet begun
            raise
    return abilities
