"""Parts of folds and models."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.evaluation.splits import CLOSE, close_families, split_folds, split_models
from balance_of_benchmarks.evaluation.study import Study, study_board
from balance_of_benchmarks.types import FloatArray

MakeStudy = Callable[..., Study]


def at_angles(make_study: MakeStudy, degrees: list[float], texts: list[str | None] | None = None) -> Study:
    """Benchmarks on a circle; NaN for one without a text."""
    radians = np.deg2rad(degrees)
    vectors = np.column_stack([np.cos(radians), np.sin(radians)])
    study = make_study(benchmarks=len(degrees))
    return replace(study, space=bob.measure_space(vectors, texts=texts))


def test_a_family_is_whoever_is_near_and_near_to_those(make_study: MakeStudy) -> None:
    # Median 60 degrees or so: near is below 30. The first three are a chain, the ends of which are 40 apart.
    study = at_angles(make_study, [0.0, 20.0, 40.0, 90.0, 150.0, 155.0, float("nan")])

    assert 40.0 < np.rad2deg(study.space.median) < 80.0
    assert close_families(study) == {0: (1, 2), 1: (0, 2), 2: (0, 1), 4: (5,), 5: (4,)}
    assert close_families(study, 0.1) == {4: (5,), 5: (4,)}
    assert close_families(study, 1e-9) == {}


def test_the_threshold_is_in_medians(make_study: MakeStudy) -> None:
    study = at_angles(make_study, [0.0, 20.0, 90.0, 150.0])
    near = study.space.distances[0, 1] / study.space.median

    assert close_families(study, near * 1.001) == {0: (1,), 1: (0,)}
    assert close_families(study, near * 0.999) == {}


def test_copies_are_no_family_since_none_stays_in_a_pool(make_study: MakeStudy) -> None:
    alone = at_angles(make_study, [0.0, 0.0, 90.0, 170.0])
    with_twin = at_angles(make_study, [0.0, 0.0, 10.0, 90.0, 170.0])

    assert close_families(alone) == {}
    assert close_families(with_twin) == {0: (1, 2), 1: (0, 2), 2: (0, 1)}


def test_without_a_text_nobody_is_near(make_study: MakeStudy) -> None:
    assert close_families(make_study(without_text=(0, 1, 2, 3, 4, 5))) == {}


def test_folds_are_split_by_what_is_held_out(make_study: MakeStudy) -> None:
    study = at_angles(make_study, [0.0, 10.0, 80.0, 140.0, 200.0])
    study = replace(study, categories=("a", "a", "b", None, None))
    targets = np.array([4, 0, 2, 3])
    parts = split_folds(study, targets, np.array([True, False, False, False, True]))

    assert {name: part.tolist() for name, part in parts.items()} == {
        "all": [True] * 4,
        "without_close_pairs": [True, False, True, True],
        "without_single_categories": [False, True, False, False],
        "inside_index": [True, True, False, False],
        "outside_index": [False, False, True, True],
    }
    assert "inside_index" not in split_folds(study, targets)
    named = split_folds(study, targets, families={2: (3,), 3: (2,)})
    assert named["without_close_pairs"].tolist() == [True, True, False, False]


def test_models_are_split_by_coverage_and_by_era(make_study: MakeStudy) -> None:
    study = make_study(models=9)
    observed = (~np.isnan(study.scores)).sum(axis=1)
    days = [None, None, *(date(2025, 1, 1) + timedelta(days=d) for d in (5, 1, 9, 3, 3, 7, 0))]
    parts = split_models(study, pl.DataFrame({"release_date": days}, schema={"release_date": pl.Date}))

    np.testing.assert_array_equal(parts["well_covered"], observed > np.median(observed))
    np.testing.assert_array_equal(parts["sparsely_covered"], ~parts["well_covered"])
    assert parts["recent"].tolist() == [False, False, True, False, True, False, False, True, False]
    assert parts["older"].tolist() == [False, False, False, True, False, True, True, False, True]


def test_where_most_models_have_every_score_those_that_lack_some_stand_apart(make_study: MakeStudy) -> None:
    study, undated = make_study(models=9), pl.DataFrame({"release_date": [None] * 9}, schema={"release_date": pl.Date})
    scores = np.nan_to_num(study.scores, nan=0.5)
    whole = split_models(replace(study, scores=scores), undated)
    scores[:2, 0] = np.nan
    parts = split_models(replace(study, scores=scores), undated)

    assert whole == {}
    assert parts["sparsely_covered"].tolist() == [True, True, *[False] * 7]
    assert parts["well_covered"].tolist() == [False, False, *[True] * 7]


@pytest.mark.parametrize(
    "dates",
    [
        pl.Series("release_date", [None] * 9, dtype=pl.Date),
        pl.Series("release_date", [date(2025, 1, 1)] * 4 + [None] * 5, dtype=pl.Date),
        pl.Series("release_date", ["2025-01-01"] * 9),
    ],
    ids=["none", "too few", "no dates"],
)
def test_where_few_dates_are_known_there_are_no_eras(make_study: MakeStudy, dates: pl.Series) -> None:
    assert list(split_models(make_study(models=9), dates.to_frame())) == ["well_covered", "sparsely_covered"]


def close_pairs(kept: bob.RankableBoard, vectors: FloatArray, texts: list[str | None]) -> set[tuple[str, ...]]:
    study = study_board(kept, bob.measure_space(vectors, texts=texts))
    return {tuple(sorted(study.keys[j] for j in (i, *others))) for i, others in close_families(study).items()}


def test_on_the_papers_board_the_bundled_encoder_finds_the_families_that_are_documented(shared: Path) -> None:
    kept = bob.read_board(shared / "boards" / "artificial_analysis" / "2026-09-03.json").retain()
    texts = json.loads((shared / "paper" / "texts.json").read_text())["benchmarks"]
    papers = [texts[key]["description"] for key in kept.benchmarks["key"]]

    assert CLOSE == 0.5
    assert close_pairs(kept, bob.embed(papers), papers) == {("aime", "aime_25")}
    assert close_pairs(kept, bob.embed(kept.descriptions), kept.descriptions) == set()
