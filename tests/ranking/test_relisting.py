"""Listing a benchmark again on the paper's board: four copies of each in turn."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.geometry.space import Weighting
from balance_of_benchmarks.ranking.order import place_models
from balance_of_benchmarks.types import FloatArray

COPIES = 4


def displace(kept: bob.RankableBoard, rank: Callable[[list[int]], FloatArray]) -> tuple[FloatArray, FloatArray]:
    """Largest change of rank and of ability in each of the scenarios."""
    n = kept.scores.shape[1]
    before = rank([*range(n)])
    after = [rank([*range(n), *[twin] * COPIES]) for twin in range(n)]
    ranks = [np.abs(place_models(before) - place_models(scores)).max() for scores in after]
    return np.array(ranks, dtype=float), np.array([np.abs(before - scores).max() for scores in after])


@pytest.fixture(scope="module")
def kept(shared: Path) -> bob.RankableBoard:
    return bob.read_board(shared / "boards" / "artificial_analysis" / "2026-09-03.json").retain()


def measure(kept: bob.RankableBoard, shared: Path, weighting: Weighting) -> tuple[FloatArray, FloatArray]:
    texts = json.loads((shared / "paper" / "texts.json").read_text())["benchmarks"]
    descriptions = [texts[key]["description"] for key in kept.benchmarks["key"]]
    vectors = bob.embed(descriptions)

    def rank(place: list[int]) -> FloatArray:
        space = bob.measure_space(vectors[place], texts=[descriptions[i] for i in place], weighting=weighting)
        return bob.fit_scores(kept.scores[:, place], space.weights, n_items=kept.n_items[place]).ability

    return displace(kept, rank)


def test_magnitude_weights_move_nobody(kept: bob.RankableBoard, shared: Path) -> None:
    ranks, abilities = measure(kept, shared, "magnitude")

    assert not ranks.any()
    assert abilities.max() < 1e-9


def test_inverse_density_moves_a_few_ranks(kept: bob.RankableBoard, shared: Path) -> None:
    ranks, _ = measure(kept, shared, "inverse_density")

    assert ranks.mean() < 20
    assert np.median(ranks) < 10


def test_equal_weighting_of_z_scores_moves_as_published(kept: bob.RankableBoard) -> None:
    z = (kept.scores - np.nanmean(kept.scores, axis=0)) / np.nanstd(kept.scores, axis=0)
    ranks, _ = displace(kept, lambda place: np.asarray(np.nanmean(z[:, place], axis=1)))

    assert round(float(ranks.mean()), 1) == 98.9
