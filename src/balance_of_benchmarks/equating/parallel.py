"""Ranges of models or benchmarks over threads, and the compilation of the loops they run."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from balance_of_benchmarks.errors import ArrayError

__all__ = ["Ranges", "available_threads"]

# Below this many observed cells a pool costs more than it saves (measured: benchmarks/fit_speed.py).
_CELLS_WORTH_THREADS: Final = 200_000


def available_threads(n_cells: int, threads: int | None = None) -> int:
    """Decide how many threads a fit of `n_cells` observed cells uses.

    Parameters
    ----------
    n_cells : int
    threads : int, optional
        The caller's wish; by default one for small boards and one a core for large ones.

    Returns
    -------
    int
        At least 1. The result of a fit does not depend on it.
    """
    if threads is not None:
        if not isinstance(threads, int) or threads < 1:
            raise ArrayError(f"threads is {threads!r}: expected a whole number of at least 1, or None")
        return threads
    if n_cells < _CELLS_WORTH_THREADS:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Ranges:
    """Threads for the length of one fit; use it in a ``with`` statement.

    Each fit makes and ends its own: nothing is left for a forked child to inherit broken, and two fits at once
    share nothing.

    Parameters
    ----------
    threads : int
        With one, everything runs in the caller's.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def __enter__(self) -> Ranges:
        return self

    def __exit__(self, *_: object) -> None:
        if self.pool is not None:
            self.pool.shutdown()

    def run(self, loop: Callable[[int, int], None], length: int) -> None:
        """Call ``loop(lower, upper)`` so that [0, length) is covered once.

        Parameters
        ----------
        loop : callable
            Must write only what belongs to its range.
        length : int
        """
        if self.pool is None or length <= 1:
            loop(0, length)
            return
        # Four ranges a thread even out unequal rows without any bookkeeping.
        pieces = min(length, 4 * self.threads)
        edges = [length * piece // pieces for piece in range(pieces + 1)]
        list(self.pool.map(loop, edges[:-1], edges[1:]))
