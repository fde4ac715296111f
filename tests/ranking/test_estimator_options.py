"""The estimator's options beyond the paper: what they change, and that without them nothing is changed."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.ranking.kriging import KrigedField
from balance_of_benchmarks.ranking.order import place_models

TASK = "coach students for maths olympiads"


@pytest.fixture(scope="module")
def kriged(demo: bob.Board) -> bob.BalanceOfBenchmarks:
    return bob.BalanceOfBenchmarks(field="kriging", ability_scale="standardized").fit(demo)


def test_the_papers_values_named_are_the_default_to_the_bit(demo: bob.Board, fitted: bob.BalanceOfBenchmarks) -> None:
    named = bob.BalanceOfBenchmarks(ability_scale="paper", field="kernel").fit(demo)

    np.testing.assert_array_equal(named.fit_.ability, fitted.fit_.ability)
    assert named.rank_for(TASK).table.equals(fitted.rank_for(TASK).table)


def test_a_task_is_answered_by_kriging_with_its_process_and_interval(kriged: bob.BalanceOfBenchmarks) -> None:
    answer = kriged.rank_for(TASK)
    table = answer.table.drop_nulls(["score", "low", "high"])

    assert answer.bandwidth is None
    assert answer.process is not None
    assert 0 < answer.process.size <= 2
    assert 0 < answer.support < 1
    assert place_models(answer.table["score"].to_numpy())[0] == answer.table["rank"][0] == 1
    assert (table["low"] < table["score"]).all()
    np.testing.assert_allclose(table["high"] - table["score"], table["score"] - table["low"], atol=1e-12)
    assert (table["high"] - table["low"] > 2 * 1.95 * table["standard_error"]).all()


def test_reasons_sum_to_the_adjustment(kriged: bob.BalanceOfBenchmarks) -> None:
    answer = kriged.rank_for(TASK)
    model = answer.order[3]
    row = answer.table.row(by_predicate=pl.col("model") == model, named=True)

    assert answer.reasons(model)["contribution"].sum() == pytest.approx(row["score"] - row["ability"], abs=1e-9)


def test_the_process_is_chosen_once_and_progress_is_told(demo: bob.Board) -> None:
    model, ticks = bob.BalanceOfBenchmarks(field="kriging").fit(demo), list[tuple[int, int]]()
    model.rank_for(TASK, progress=lambda done, total: ticks.append((done, total)))
    first = model.rank_for(TASK).process

    assert ticks == [(done, 14) for done in range(1, 15)]
    assert model.rank_for("write python unit tests").process is first


def test_a_task_with_no_evidence_is_answered_with_the_global_ranking(demo: bob.Board) -> None:
    answer = bob.BalanceOfBenchmarks(field="kriging", abstain_beyond=0.01).fit(demo).rank_for(TASK)

    assert answer.abstained
    assert answer.process is None
    assert answer.table["score"].equals(answer.table["ability"].alias("score"))


def test_listing_a_benchmark_again_moves_nobody(demo: bob.Board) -> None:
    kept = demo.retain()
    vectors = bob.embed(kept.descriptions)
    place = [*range(len(vectors)), 3, 3]

    def ask(columns: list[int]) -> KrigedField:
        space = bob.measure_space(vectors[columns], weighting="magnitude")
        settings = bob.FitSettings(ability_scale="standardized")
        fit = bob.fit_scores(kept.scores[:, columns], space.weights, labels=space.labels, settings=settings)
        among = np.exp(-space.distances / space.median)
        to_task = np.exp(-space.distances_to(bob.embed([TASK])[0]) / space.median)
        return bob.kriging_field(fit, to_task, among, noise=0.3)

    before, after = ask([*range(len(vectors))]), ask(place)

    np.testing.assert_allclose(after.score, before.score, atol=1e-9)
    np.testing.assert_array_equal(place_models(after.score), place_models(before.score))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ability_scale": "raw"}, "'paper' or 'standardized'"),
        ({"field": "nearest"}, "kernel, kriging"),
        ({"selection": "guess"}, "mixture, held_out, likelihood"),
        ({"field": "kriging", "bandwidth": 0.4}, "are of the kernel average"),
        ({"field": "kriging", "shrinkage": "none"}, "are of the kernel average"),
    ],
)
def test_bad_options_are_refused(demo: bob.Board, options: dict[str, object], words: str) -> None:
    with pytest.raises(bob.ArrayError, match=words):
        bob.BalanceOfBenchmarks(**options).fit(demo)  # type: ignore[arg-type]
