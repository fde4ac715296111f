"""The bundled board: simulated, like the paper's, and recovered by the fit."""

from __future__ import annotations

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.correlation import spearman
from balance_of_benchmarks.equating.curve import expected_score
from balance_of_benchmarks.sources.demo import _characteristic_curve

# The paper's coverage table.
COVERAGE = {
    "aime": 192, "aime_25": 269, "gpqa": 604, "hle": 602, "ifbench": 449, "lcr": 535, "livecodebench": 343,
    "math_500": 191, "mmlu_pro": 345, "scicode": 602, "tau2": 439, "tau_banking": 203, "terminalbench_hard": 432,
    "terminalbench_v2_1": 235,
}  # fmt: skip


def test_it_has_the_papers_shape_and_says_that_it_is_simulated(demo: bob.Board) -> None:
    kept = demo.retain()
    counts = (~np.isnan(kept.scores)).sum(axis=0)

    assert kept.scores.shape == (605, 14)
    assert dict(zip(kept.benchmarks["key"], counts.tolist(), strict=True)) == COVERAGE
    assert demo.settings.simulated
    assert "simulated" in demo.name
    assert set(demo.cells["source"]) == {"simulated"}


def test_every_model_is_there_with_its_maker_price_and_date(demo: bob.Board) -> None:
    assert demo.models["key"].n_unique() == 605
    assert demo.models["name"].n_unique() == 605
    for column in ("creator", "release_date", "price_input", "price_output", "open_weights"):
        assert demo.models[column].null_count() == 0


def test_the_same_seed_is_the_same_board_and_another_another() -> None:
    make = bob.make_demo_board
    one, two, other = make(3), make(3), make(4)

    assert one.board.cells.equals(two.board.cells)
    assert one.truth.ability.tobytes() == two.truth.ability.tobytes()
    assert not one.board.cells.equals(other.board.cells)


def test_its_curve_code_is_its_own_and_right() -> None:
    x = np.linspace(-5, 5, 101)
    one, zero = np.array([1.0]), np.array([0.0])

    np.testing.assert_allclose(_characteristic_curve(x), expected_score(x, one, zero, "ogive"), atol=1e-5)


def test_residuals_are_heavy_tailed_and_shared_within_categories() -> None:
    residual = bob.make_demo_board().truth.residual
    keys = list(COVERAGE)
    pair = residual[:, [keys.index("aime"), keys.index("math_500"), keys.index("tau2")]]
    correlation = np.atleast_2d(np.corrcoef(pair.T))

    assert correlation[0, 1] == pytest.approx(0.5, abs=0.1)
    assert abs(correlation[0, 2]) < 0.1
    assert residual.std() == pytest.approx(1.0, abs=0.1)
    assert (np.abs(residual) > 4).mean() > 1e-4  # a normal distribution has 6e-5


@pytest.mark.parametrize("seed", range(20))
def test_the_fit_recovers_the_truth(seed: int) -> None:
    simulated = bob.make_demo_board(seed)
    kept, truth = simulated.board.retain(), simulated.truth
    fit = bob.fit_scores(kept.scores, n_items=kept.n_items)

    assert spearman(fit.ability, truth.ability) > 0.98
    np.testing.assert_allclose(fit.discrimination, truth.discrimination, rtol=0.2)
    np.testing.assert_allclose(fit.difficulty, truth.difficulty, atol=0.15)
    assert np.sqrt(np.mean((fit.ability - truth.ability) ** 2)) < 0.2
