"""Verdicts: what counts as the same number."""

from __future__ import annotations

import math
from fnmatch import fnmatchcase

import pytest

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.paper.comparison import (
    Basis,
    Comparison,
    compare_values,
    count_verdicts,
    print_value,
)
from balance_of_benchmarks.paper.kinds import KINDS
from balance_of_benchmarks.paper.published import Place, Published, find_published, read_published
from balance_of_benchmarks.paper.reasons import FOUND
from balance_of_benchmarks.paper.values.value import Missing, Value, Values

IN_ITS_SPACE = Basis("texts", "encoder", paper_vectors=True, quick=False)
ELSEWHERE = Basis("texts", "WordLlama", paper_vectors=False, quick=False)
LEVEL = ("headline", "bob", "level")  # 0.904, of tolerance .01
COUNT = ("coverage", "aime", "observed")  # 192


def as_printed() -> Values:
    """Values that hold all that is printed."""
    inside = {"lt": 0.5, "le": 1.0, "ge": 1.0}
    return {
        one.place: one.text if one.number is None else one.number * inside.get(one.form, 1.0)
        for one in read_published()
    }


def judge(place: Place, value: Value, basis: Basis = IN_ITS_SPACE) -> Comparison:
    compared = compare_values({**as_printed(), place: value}, basis)
    return next(one for one in compared if one.published.place == place)


def test_the_printed_numbers_agree_with_themselves() -> None:
    compared = compare_values(as_printed(), IN_ITS_SPACE)

    assert count_verdicts(compared) == {"same": len(read_published()), "within": 0, "differs": 0, "not_redone": 0}
    assert [one.published for one in compared] == list(read_published())


@pytest.mark.parametrize(
    ("place", "value", "verdict"),
    [
        (LEVEL, 0.9044, "same"),
        (LEVEL, 0.9046, "within"),
        (LEVEL, 0.914, "within"),
        (LEVEL, 0.9141, "differs"),
        (LEVEL, math.nan, "differs"),
        (COUNT, 192, "same"),
        (COUNT, 193, "differs"),
        (("significance", "equal_weight", "p.all"), 0.0009, "same"),  # < 0.001
        (("significance", "equal_weight", "p.all"), 0.0011, "within"),
        (("embedding_size_text", "", "max_change_level_profile"), 0.0024, "same"),  # at most .002
        (("embedding_size_text", "", "max_change_level_profile"), 0.0026, "within"),
        (("population_stability", "", "spearman_bob_min"), 0.99986, "same"),  # at least .9999, rounded
        (("population_stability", "", "spearman_bob_min"), 0.9997, "differs"),
        (("introduction", "", "flat_weights_movement_factor"), 12.9, "within"),  # about 10
        (("control_tests", "profile control:support_matched", "low"), 0.0001, "same"),  # -0.000
        (("significance", "", "excluded_in_10.1"), "aime", "same"),
        (("significance", "", "excluded_in_10.1"), "hle", "differs"),
    ],
)
def test_a_value_is_judged_by_the_printed_digits_and_the_tolerance_of_its_kind(
    place: Place, value: Value, verdict: str
) -> None:
    one = judge(place, value)

    assert one.verdict == verdict
    assert (one.reason is not None) == (verdict == "differs")


def test_what_has_no_value_says_why() -> None:
    one = judge(LEVEL, Missing("the board has no such thing"))

    assert (one.verdict, one.ours, one.reason) == ("not_redone", None, "the board has no such thing")
    assert one.printed == "-"


def test_distances_are_held_against_the_papers_only_in_its_space() -> None:
    place = ("fig_teaser", "", "distance_median_pairwise")

    assert judge(place, 1.2).verdict == "differs"
    elsewhere = judge(place, 1.2, ELSEWHERE)
    assert (elsewhere.verdict, elsewhere.ours) == ("not_redone", 1.2)
    assert "WordLlama" in str(elsewhere.reason)


def test_every_reason_that_was_found_is_of_a_published_number_and_of_no_other_reasons_number() -> None:
    places = ["/".join(one.place) for one in read_published()]

    for i, (pattern, _) in enumerate(FOUND):
        met = [place for place in places if fnmatchcase(place, pattern)]
        assert any(not any(fnmatchcase(place, earlier) for earlier, _ in FOUND[:i]) for place in met), pattern


def test_a_reason_that_hangs_on_texts_names_them() -> None:
    one = judge(("control_choices", "scicode", "top_k"), 5.0, ELSEWHERE)

    assert "texts in WordLlama" in str(one.reason)
    assert "observed" in str(one.reason)


def test_a_place_without_any_value_is_an_error() -> None:
    values = as_printed()
    del values[LEVEL]

    with pytest.raises(ArrayError, match="1 published numbers have no value"):
        compare_values(values, IN_ITS_SPACE)


def test_ours_is_printed_as_the_paper_prints() -> None:
    published = find_published(LEVEL)
    assert published is not None
    assert [print_value(value, published) for value in (0.90361, -0.0001, math.nan, "words", None)] == [
        *("0.904", "-0.000", "undefined", "words", "-"),
    ]


def test_every_kind_can_differ() -> None:
    first: dict[str, Published] = {}
    for published in read_published():
        if published.number is not None and published.form == "exact":
            first.setdefault(published.kind, published)
    for name, published in first.items():
        assert published.number is not None
        far = published.number + 2 * KINDS[name].tolerance + 1.0
        assert judge(published.place, far).verdict == "differs", name
