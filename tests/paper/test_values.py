"""Our values at the paper's places, on the demo board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.errors import BobError
from balance_of_benchmarks.paper.comparison import Basis, compare_values
from balance_of_benchmarks.paper.protocol import BENCHMARKS
from balance_of_benchmarks.paper.published import read_published
from balance_of_benchmarks.paper.redo import redo_paper
from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.paper.texts import own_texts
from balance_of_benchmarks.paper.values import give_values
from balance_of_benchmarks.paper.values.value import Missing


def test_every_published_place_has_a_value_and_no_other_has(redone: Redone) -> None:
    assert set(give_values(redone)) == {published.place for published in read_published()}


def test_values_are_numbers_words_or_reasons(redone: Redone) -> None:
    for place, value in give_values(redone).items():
        assert isinstance(value, int | float | str | Missing), place
        assert not isinstance(value, np.generic | bool), place


def test_the_constants_of_method_and_protocol_are_the_papers(redone: Redone) -> None:
    compared = compare_values(give_values(redone), Basis("own", "WordLlama", paper_vectors=False, quick=True))
    settings = [one for one in compared if one.published.kind == "setting" and one.verdict != "not_redone"]
    different = {one.published.place[2] for one in settings if one.verdict != "same"}

    assert len(settings) > 80
    # What a quick run saves.
    assert different == {"insertion_random_placements", "random_placements", "shuffle_runs"}


def test_the_demo_board_has_the_papers_coverage(redone: Redone) -> None:
    compared = compare_values(give_values(redone), Basis("own", "WordLlama", paper_vectors=False, quick=True))

    listed = [one for one in compared if one.published.place[0] == "coverage" and "zero" not in one.published.place[2]]

    assert len(listed) == 29
    assert {one.verdict for one in listed} == {"same"}


def test_values_are_those_of_the_results_they_are_taken_from(redone: Redone) -> None:
    values = give_values(redone)
    ours = redone.verdicts.of("bob", "profile")

    assert values["headline", "bob", "profile"] == pytest.approx(ours.mean())
    assert values["headline", "bob", "profile_se"] == pytest.approx(ours.std(ddof=1) / np.sqrt(14))
    assert values["folds", "gpqa", "bob.profile"] == ours[redone.keys.index("gpqa")]
    difference = ours - redone.verdicts.of("control:radius", "profile")
    assert values["control_tests", "profile control:radius", "difference"] == pytest.approx(difference.mean())
    assert values["control_folds", "gpqa", "control:radius"] == pytest.approx(difference[redone.keys.index("gpqa")])
    pair = [redone.position("aime"), redone.position("aime_25")]
    assert values["audit_text", "", "v_aime_pair"] == pytest.approx(redone.study.space.shares[pair].sum())
    assert values["fig_robustness", "", "kendall_tau_bob_four_copies"] == pytest.approx(
        redone.relistings["inverse_density"][3].kendall.mean()
    )


def test_magnitude_weights_are_moved_by_no_copy(redone: Redone) -> None:
    for relisting in redone.relistings["magnitude"]:
        assert not relisting.largest.any()
        assert relisting.ability.max() < 1e-9


def test_a_board_without_the_fourteen_is_refused(demo: bob.Board) -> None:
    with pytest.raises(BobError, match="lacks 2 of the paper's fourteen benchmarks: gpqa, hle"):
        redo_paper(demo.select(benchmarks=[key for key in BENCHMARKS if key not in ("gpqa", "hle")]), own_texts())


def test_texts_that_lack_a_benchmark_are_refused(demo: bob.Board) -> None:
    texts = own_texts()
    few = replace(texts, descriptions={key: text for key, text in texts.descriptions.items() if key != "hle"})

    with pytest.raises(BobError, match="our own descriptions lack hle"):
        redo_paper(demo, few)
