"""How long a task takes once a process is chosen: kriging beside the kernel average, on the shapes of two boards.

Seconds are this machine's; the ratios are what carries over. ``python benchmarks/task_speed.py`` prints a table.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any, Final

import numpy as np

import balance_of_benchmarks as bob
from balance_of_benchmarks.ranking.process import Process, ProcessChoice
from balance_of_benchmarks.types import FloatArray

_SEED: Final = 20260903
_REPEATS: Final = 15
# Models, benchmarks, share observed: of the paper's board, and of a wide one where hardly two models share a pattern.
_SHAPES: Final = ((605, 14, 0.63), (550, 100, 0.5))


def simulate(models: int, benchmarks: int, observed: float) -> tuple[FloatArray, FloatArray]:
    """Make up scores, every model with its own holes, and vectors."""
    rng = np.random.default_rng(_SEED)
    logits = rng.normal(size=(models, 1)) + rng.normal(size=(models, benchmarks))
    scores = 1.0 / (1.0 + np.exp(-logits))
    scores[rng.random(scores.shape) > observed] = np.nan
    scores[:, 0] = np.where(np.isnan(scores).all(axis=1), 0.5, scores[:, 0])
    return scores, rng.normal(size=(benchmarks, 32))


def clock(run: Callable[[], Any]) -> float:
    """Median time of a run, after one that does not count."""
    run()
    times = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return median(times)


def main() -> None:
    """Print the table."""
    process = Process("exponential", 0.5, 0.3)
    shares = np.full((1, 2, 1), 0.5)
    choice = ProcessChoice((process,), (1.0,), shares, 0.0, shares, 0.0, shares[:, :, 0], (), None, "given")
    print("| models x benchmarks | distinct patterns | kernel average, ms | kriging, ms | ratio |")
    print("| --- | --- | --- | --- | --- |")
    for models, benchmarks, observed in _SHAPES:
        scores, vectors = simulate(models, benchmarks, observed)
        space = bob.measure_space(vectors)
        fit = bob.fit_scores(scores, space.weights)
        distances = space.distances_to(np.random.default_rng(1).normal(size=32))
        relevance = bob.continuous_relevance(distances, 0.45 * space.median, space.weights)
        kernel = clock(lambda fit=fit, relevance=relevance: bob.residual_field(fit, relevance))  # type: ignore[misc]
        kriged = clock(lambda f=fit, d=distances, s=space: choice.field(f, d, s))  # type: ignore[misc]
        patterns = len(np.unique(np.isnan(scores), axis=0))
        print(
            f"| {models} x {benchmarks} | {patterns} | {1e3 * kernel:.1f} | {1e3 * kriged:.1f} | "
            f"{kriged / kernel:.0f} |"
        )


if __name__ == "__main__":
    main()
