"""Work spread over processes: in order, the same, and with a clear end when one of them fails."""

from __future__ import annotations

import os
from functools import partial

import numpy as np
import pytest
from threadpoolctl import threadpool_info  # type: ignore[import-untyped]

import balance_of_benchmarks as bob
from balance_of_benchmarks.correlation import average_ranks
from balance_of_benchmarks.evaluation.processes import count_jobs, map_spawned

# What is sent to a process must be importable there, which a test module is not: the work is the package's or Python's.


def test_results_come_in_the_order_of_the_items_from_one_process_or_two() -> None:
    items = [np.array([3.0, 1.0]), np.array([1.0, 2.0]), np.array([5.0, 5.0])]
    expected = [[2.0, 1.0], [1.0, 2.0], [1.5, 1.5]]

    for jobs in (1, 2):
        told: list[tuple[int, int]] = []
        done = map_spawned(average_ranks, items, jobs=jobs, progress=lambda done, all_: told.append((done, all_)))  # noqa: B023
        assert [ranks.tolist() for ranks in done] == expected
        assert told == [(1, 3), (2, 3), (3, 3)]


def test_processes_start_with_one_thread_each_and_leave_this_one_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("NUMBA_NUM_THREADS", raising=False)

    assert list(map_spawned(os.getenv, ["OMP_NUM_THREADS", "NUMBA_NUM_THREADS"], jobs=2)) == ["1", "1"]
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "NUMBA_NUM_THREADS" not in os.environ


def test_work_in_this_process_has_one_thread_of_linear_algebra_too() -> None:
    def threads(_: int) -> list[int]:
        return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]

    before = threads(0)

    assert set(*map_spawned(threads, [0])) <= {1}
    assert threads(0) == before


def test_one_item_spawns_nothing() -> None:
    assert list(map_spawned(lambda item: (item, os.getpid()), ["a"], jobs=4)) == [
        ("a", os.getpid())
    ]  # would not pickle
    assert list(map_spawned(average_ranks, [], jobs=4)) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_the_work_is_raised_here(jobs: int) -> None:
    with pytest.raises(bob.ArrayError, match="jobs is 0"):
        list(map_spawned(count_jobs, [1, 0, 2], jobs=jobs))


def test_a_process_that_dies_is_reported_with_what_to_try() -> None:
    with pytest.raises(bob.BobError, match=r"one of 2 processes ended before its work.*jobs=1"):
        list(map_spawned(os._exit, [1, 1], jobs=2))


def test_work_may_carry_data() -> None:
    work = partial(np.add, np.ones(3))

    assert [row.tolist() for row in map_spawned(work, [1.0, 2.0], jobs=2)] == [[2.0] * 3, [3.0] * 3]


def test_none_is_a_process_a_core() -> None:
    assert 1 <= count_jobs(None) <= (os.cpu_count() or 1)
    assert count_jobs(3) == 3
    for jobs in (0, -1, 1.0, True, "2"):
        with pytest.raises(bob.ArrayError, match="at least 1"):
            count_jobs(jobs)  # type: ignore[arg-type]
