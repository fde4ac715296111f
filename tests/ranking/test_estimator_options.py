"""The estimator's options beyond the paper: what they change, and that without them nothing is changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.ranking import estimator
from balance_of_benchmarks.ranking.order import place_models

TASK = "coach students for maths olympiads"


@pytest.fixture(scope="module")
def kriged(demo: bob.Board) -> bob.BalanceOfBenchmarks:
    return bob.BalanceOfBenchmarks().fit(demo)


def test_the_papers_preset_is_the_papers_values_named_to_the_bit(
    demo: bob.Board, fitted: bob.BalanceOfBenchmarks
) -> None:
    named = bob.BalanceOfBenchmarks(
        weighting="inverse_density", ability_scale="paper", field="kernel", settings=bob.FitSettings()
    ).fit(demo)

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
    model, ticks = bob.BalanceOfBenchmarks().fit(demo), list[tuple[int, int]]()
    model.rank_for(TASK, progress=lambda done, total: ticks.append((done, total)))
    first = model.rank_for(TASK).process

    assert ticks == [(done, 14) for done in range(1, 15)]
    assert model.rank_for("write python unit tests").process is first


def test_a_task_with_no_evidence_is_answered_with_the_global_ranking(demo: bob.Board) -> None:
    answer = bob.BalanceOfBenchmarks(abstain_beyond=0.01).fit(demo).rank_for(TASK)

    assert answer.abstained
    assert answer.process is None
    assert answer.table["score"].equals(answer.table["ability"].alias("score"))


def list_again(board: bob.Board, key: str, copies: int) -> bob.Board:
    """The board with a benchmark listed so many times more, word for word and score for score."""
    cells = [board.cells]
    rows = [board.benchmarks]
    for copy in range(copies):
        name = pl.lit(f"{key} again {copy}")
        cells.append(board.cells.filter(pl.col("benchmark") == key).with_columns(benchmark=name))
        rows.append(board.benchmarks.filter(pl.col("key") == key).with_columns(key=name))
    return bob.Board(pl.concat(cells), board.models, pl.concat(rows), board.settings)


@pytest.mark.parametrize(("key", "copies"), [("aime", 1), ("hle", 4)])
def test_listing_a_benchmark_again_moves_nobody_by_default(
    demo: bob.Board, kriged: bob.BalanceOfBenchmarks, key: str, copies: int
) -> None:
    # Five scores on distinct benchmarks are asked for either way: copies would let in whom the board left out.
    kept = kriged.kept_.models["key"].to_list()
    again = bob.BalanceOfBenchmarks().fit(list_again(demo.select(models=kept), key, copies))
    same = bob.BalanceOfBenchmarks().fit(demo.select(models=kept))

    for task in (None, TASK):
        before, after = (
            (model.ranking() if task is None else model.rank_for(task, category="mathematics").table).sort("model")
            for model in (same, again)
        )
        assert before["model"].equals(after["model"])
        np.testing.assert_array_equal(before["rank"].to_numpy(), after["rank"].to_numpy())
        for column in ("score", "ability"):
            np.testing.assert_allclose(before[column].to_numpy(), after[column].to_numpy(), atol=1e-9)


def test_a_task_of_a_named_category_hears_more_of_it(kriged: bob.BalanceOfBenchmarks) -> None:
    plain, named = kriged.rank_for(TASK), kriged.rank_for(TASK, category="mathematics")

    assert named.category == "mathematics"
    assert named.support > plain.support
    with pytest.raises(bob.TaskError, match="'mathematics'"):
        kriged.rank_for(TASK, category="mathemathics")


def test_several_tasks_are_read_together_by_default(kriged: bob.BalanceOfBenchmarks) -> None:
    other = "write and repair Python programs until their tests pass"
    both = kriged.rank_for({TASK: 3.0, other: 1.0}).table.sort("model")
    one, two = (kriged.rank_for(task).table.sort("model") for task in (TASK, other))

    expected = 0.75 * one["score"].to_numpy() + 0.25 * two["score"].to_numpy()
    np.testing.assert_allclose(both["score"].to_numpy(), expected, atol=1e-9)


def test_lists_too_long_for_dense_equations_are_read_by_the_kernel_average(
    demo: bob.Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(estimator, "MOST_POINTS", 10)

    answer = bob.BalanceOfBenchmarks().fit(demo).rank_for(TASK)
    assert answer.process is None
    assert answer.bandwidth is not None
    assert "of more than 10 distinct benchmarks (14 here) tasks are kriged only where" in answer.bandwidth.why
    asked_for = bob.BalanceOfBenchmarks(field="kernel").fit(demo).rank_for(TASK).bandwidth
    assert asked_for is not None
    assert "kriged" not in asked_for.why
    assert bob.BalanceOfBenchmarks(field="kriging").fit(demo).rank_for(TASK).process is not None


@pytest.mark.parametrize("option", [{"bandwidth": 0.4}, {"shrinkage": "none"}, {"information_in_support": True}])
def test_an_option_of_the_kernel_average_chooses_it(demo: bob.Board, option: dict[str, Any]) -> None:
    answer = bob.BalanceOfBenchmarks(**option).fit(demo).rank_for(TASK)

    assert answer.process is None
    assert answer.bandwidth is not None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"preset": "best"}, "auto, paper"),
        ({"field": "kriging", "shrinkage": np.ones(2)}, "are of the kernel average"),
        ({"settings": "fast"}, "expected a FitSettings"),
        ({"ability_scale": "raw"}, "paper, halfway, standardized"),
        ({"field": "nearest"}, "kernel, kriging"),
        ({"selection": "guess"}, "mixture, held_out, likelihood"),
        ({"field": "kriging", "bandwidth": 0.4}, "are of the kernel average"),
        ({"field": "kriging", "shrinkage": "none"}, "are of the kernel average"),
    ],
)
def test_bad_options_are_refused(demo: bob.Board, options: dict[str, object], words: str) -> None:
    with pytest.raises(bob.ArrayError, match=words):
        bob.BalanceOfBenchmarks(**options).fit(demo)  # type: ignore[arg-type]
