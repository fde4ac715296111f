"""The paper redone on its own board, with its own texts: what must come out, whatever the encoder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.paper.comparison import Comparison, count_verdicts
from balance_of_benchmarks.paper.kinds import KINDS
from balance_of_benchmarks.paper.published import find_published
from balance_of_benchmarks.paper.redo import redo_paper
from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.paper.texts import read_texts
from balance_of_benchmarks.report.paper.write import compare_paper

ROOT = Path(__file__).parents[2]
# Another processor sums in another order: so many numbers may lie on the edge of a verdict.
EDGE = 4


@pytest.fixture(scope="module")
def whole(shared: Path) -> Redone:
    board = bob.read_board(shared / "boards" / "artificial_analysis" / "2026-09-03.json")
    return redo_paper(board, read_texts(shared / "paper" / "texts.json"), jobs=2)


@pytest.fixture(scope="module")
def comparisons(whole: Redone) -> tuple[Comparison, ...]:
    return compare_paper(whole)


def published(table: str, row: str, column: str) -> float:
    found = find_published((table, row, column))
    assert found is not None
    assert found.number is not None
    return found.number


def test_the_method_holds_its_level_and_profile(whole: Redone) -> None:
    assert whole.verdicts.mean("bob", "level") >= 0.90
    assert whole.verdicts.mean("bob", "profile") >= 0.47


def test_equal_weight_has_the_published_level_in_every_fold(whole: Redone) -> None:
    for key, level in zip(whole.keys, whole.verdicts.of("equal_weight", "level"), strict=True):
        assert abs(level - published("folds", key, "equal_weight.level")) <= 0.001, key


@pytest.mark.parametrize("metric", ["level", "profile"])
@pytest.mark.parametrize(
    "method", ["equal_weight", "category", "published_index", "score_covariance", "first_component"]
)
def test_baselines_without_an_encoder_have_the_published_means(whole: Redone, method: str, metric: str) -> None:
    assert abs(whole.verdicts.mean(method, metric) - published("headline", method, metric)) <= 0.003


def test_listing_again_moves_rankings_as_published(whole: Redone) -> None:
    equal, ours, exact = (whole.relisting(rule).mean for rule in ("equal_z", "inverse_density", "magnitude"))

    assert round(equal.kendall, 3) == 0.936
    assert round(equal.largest, 1) == 98.9
    assert ours.kendall >= 0.99
    assert exact.kendall == pytest.approx(1.0, abs=1e-12)
    for relisting in whole.relistings["magnitude"]:
        assert len(relisting.relisted) == 14
        assert not relisting.largest.any()


def test_what_is_decided_by_scores_alone_agrees(comparisons: Sequence[Comparison]) -> None:
    """All but what docs/replication.md finds open or contradictory."""
    apart = [
        comparison
        for comparison in comparisons
        if comparison.verdict == "differs"
        and comparison.published.number is not None
        and not KINDS[comparison.published.kind].rests_on_texts
    ]
    explained = ("ablation", "copy_shift", "binned", "pool_ability", "profile_linear_z")
    for comparison in apart:
        assert any(word in "/".join(comparison.published.place) for word in explained), comparison.published.place


def test_other_words_and_texts_without_lineage_keep_the_prediction_and_the_close_pairs(
    comparisons: Sequence[Comparison],
) -> None:
    of_lineage = {one.published.place[2]: one.verdict for one in comparisons if one.published.place[0] == "lineage"}
    apart = {column for column, verdict in of_lineage.items() if verdict not in ("same", "within")}

    assert len(of_lineage) == 15
    assert apart == {column for column in of_lineage if column.startswith("distance_")}  # radians of another encoder


def test_tasks_come_nearer_and_gain_support_in_the_register(whole: Redone) -> None:
    assert len(whole.answers) == 5
    for answers in whole.answers.values():
        assert answers.canonical.nearest[0].distance < answers.raw.nearest[0].distance
        assert answers.canonical.support > answers.raw.support


def test_every_difference_has_a_reason(comparisons: Sequence[Comparison]) -> None:
    assert not [one.published.place for one in comparisons if one.reason == "not explained"]


def test_readme_and_docs_count_verdicts_as_they_come_out(comparisons: Sequence[Comparison]) -> None:
    counted = list(count_verdicts(comparisons).values())
    readme = " ".join((ROOT / "README.md").read_text().split())
    sentence = re.search(r"(\d+) come out .*? (\d+) within .*? (\d+) differ and (\d+) cannot", readme)
    assert sentence is not None
    page = (ROOT / "docs" / "paper.md").read_text()
    words = ("same to the printed digit", "within the tolerance of its kind", "different", "cannot be redone")
    table = [re.search(rf"^\| {word} \| (\d+) \|", page, re.MULTILINE) for word in words]

    assert np.abs(np.subtract(list(map(int, sentence.groups())), counted)).max() <= EDGE
    assert [int(row.group(1)) for row in table if row] == list(map(int, sentence.groups()))
    assert sum(counted) == 1287
