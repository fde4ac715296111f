"""Threads, forks and numba's layers: fits must neither hang, crash nor differ.

Each case runs in a process of its own, under numba's workqueue layer, which ends a process that enters it from
two threads at once.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PRELUDE = """
import numpy as np, balance_of_benchmarks as bob
rng = np.random.default_rng(0)
scores = np.clip(rng.normal(size=(300, 1)) * .2 + .5 + .05 * rng.normal(size=(300, 20)), 0, 1)
def fit(threads=2): return bob.fit_scores(scores, threads=threads).ability.tobytes()
expected = fit(1)
"""

CASES = {
    "two threads fit at once": """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    assert set(pool.map(lambda _: fit(), range(24))) == {expected}
""",
    "a forked child fits after its parent": """
import os
for _ in range(3):
    child = os.fork()
    if child == 0:
        os._exit(0 if fit() == expected else 3)
    assert os.waitpid(child, 0)[1] == 0
""",
    "a child forked while another thread fits": """
import os, threading
stop = threading.Event()
def work():
    while not stop.is_set():
        fit()
thread = threading.Thread(target=work); thread.start()
try:
    for _ in range(5):
        child = os.fork()
        if child == 0:
            os._exit(0 if fit() == expected else 3)
        assert os.waitpid(child, 0)[1] == 0
finally:
    stop.set(); thread.join()
""",
    "numba's own threads run beside": """
from numba import njit, prange
@njit(parallel=True)
def total(x):
    s = 0.0
    for i in prange(x.size): s += x[i]
    return s
total(np.ones(1000)); assert fit() == expected; assert total(np.ones(1000)) == 1000.0
""",
}


@pytest.mark.parametrize("case", CASES)
def test_fits_are_safe_when(case: str) -> None:
    environment = {**os.environ, "NUMBA_THREADING_LAYER": "workqueue", "PYTHONWARNINGS": "ignore"}
    run = subprocess.run(
        [sys.executable, "-c", PRELUDE + CASES[case]],
        env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert run.returncode == 0, run.stderr
