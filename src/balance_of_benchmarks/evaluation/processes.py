"""Work spread over processes: spawned, never forked, since compiled loops and their threads do not survive a fork."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final, TypeVar

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from balance_of_benchmarks.errors import ArrayError, BobError

__all__ = ["count_jobs", "map_spawned"]

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

# One thread each: as many processes as cores are at work already.
_SINGLE: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")

_work: Callable[[Any], Any] | None = None


def count_jobs(jobs: int | None) -> int:
    """Give the number of processes asked for, by default one a core."""
    if jobs is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs < 1:
        raise ArrayError(f"jobs is {jobs!r}: expected a number of processes, at least 1")
    return jobs


def map_spawned(
    work: Callable[[_Item], _Result],
    items: Sequence[_Item],
    *,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[_Result]:
    """Do the work on each item, in order, in this process or several.

    Parameters
    ----------
    work : callable
        Of one item; it must pickle, with all it holds, and is sent to each process once.
    items : sequence
    jobs : int
        With one, nothing is spawned.
    progress : callable, optional
        Called with items done and items in all.

    Yields
    ------
    result
        In the order of `items`, and the same whatever the number of processes.

    Raises
    ------
    BobError
        Where a process ended before its work did.
    """
    if jobs == 1 or len(items) < 2:
        for done, item in enumerate(items, 1):
            # As in a process of its own: sums over wide tables depend on the number of threads in their last digits.
            with threadpool_limits(limits=1, user_api="blas"):
                result = work(item)
            yield result
            if progress is not None:
                progress(done, len(items))
        return
    context = multiprocessing.get_context("spawn")
    before = {name: os.environ.get(name) for name in _SINGLE}
    os.environ.update(dict.fromkeys(_SINGLE, "1"))  # read when a process starts
    try:
        with ProcessPoolExecutor(min(jobs, len(items)), context, initializer=_begin, initargs=(work,)) as pool:
            try:
                for done, result in enumerate(pool.map(_do, items), 1):
                    yield result
                    if progress is not None:
                        progress(done, len(items))
            except BrokenProcessPool as error:
                raise BobError(
                    f"one of {jobs} processes ended before its work: for want of memory, or because the script that "
                    'asked for them does so outside of `if __name__ == "__main__":`; jobs=1 needs none'
                ) from error
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _begin(work: Callable[[Any], Any]) -> None:
    global _work
    _work = work


def _do(item: Any) -> Any:
    if _work is None:
        raise RuntimeError("a process was given an item before its work")
    return _work(item)
