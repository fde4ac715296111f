"""Small made-up studies, on which every claim can be checked by hand or by brute force."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.evaluation.study import Study


def simulate_study(
    models: int = 40,
    benchmarks: int = 6,
    *,
    seed: int = 0,
    missing: float = 0.3,
    copies: tuple[int, ...] = (),
    without_text: tuple[int, ...] = (),
) -> Study:
    """Benchmarks of three kinds, whose texts lie together and whose residuals are shared in part.

    `copies` are benchmarks listed again, at the end.
    """
    rng = np.random.default_rng(seed)
    kind = np.arange(benchmarks) % 3
    ability, talent = rng.normal(size=(models, 1)), rng.normal(size=(models, 3))
    slope, place = rng.uniform(0.7, 1.5, benchmarks), rng.uniform(-1.0, 1.0, benchmarks)
    logits = slope * (ability - place) + 0.8 * talent[:, kind] + 0.4 * rng.normal(size=(models, benchmarks))
    scores = 1.0 / (1.0 + np.exp(-logits))
    scores[rng.random(scores.shape) < missing] = np.nan
    vectors = np.eye(3, 10)[kind] + 0.35 * rng.normal(size=(benchmarks, 10))
    vectors[list(without_text)] = np.nan
    place_of = [*range(benchmarks), *copies]
    return Study(
        scores=scores[:, place_of],
        space=bob.measure_space(vectors[place_of]),
        keys=tuple(f"b{i}" for i in range(len(place_of))),
        n_items=np.full(len(place_of), 100.0),
        categories=tuple("abc"[kind[i]] for i in place_of),
        index=ability[:, 0] + 0.3 * rng.normal(size=models),
    )


@pytest.fixture(scope="session")
def make_study() -> Callable[..., Study]:
    return simulate_study
