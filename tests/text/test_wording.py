"""Faults of wording: each is found where it was planted, and none where there is none."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from balance_of_benchmarks.sources.known import KNOWN_BENCHMARKS
from balance_of_benchmarks.text.wording import NEAR_COPY, find_wording_faults, near_copies, template_share

WORDS = st.lists(st.sampled_from(["one", "two", "three", "four", "five", "six", "seven", "8"]), max_size=12).map(
    " ".join
)
TEXTS = st.lists(WORDS, max_size=8).map(lambda texts: {f"b{i}": text for i, text in enumerate(texts)})
TEMPLATE = "This test is one of many of our large collection and asks the system hard questions about {} at school."


def kinds(texts: dict[str, str]) -> list[str]:
    return [finding.kind for finding in find_wording_faults(texts, {key: key for key in texts})]


@given(TEXTS)
def test_shares_lie_between_none_and_all_and_order_does_not_matter(texts: dict[str, str]) -> None:
    shares = template_share(texts)
    backwards = dict(reversed(texts.items()))

    assert all(0 <= share <= 1 for share in shares.values())
    assert template_share(backwards) == shares
    pairs = near_copies(texts)
    assert all(NEAR_COPY <= share < 1 for *_, share in pairs)
    assert len({frozenset(pair[:2]) for pair in pairs}) == len(pairs)
    # Of texts alike but for digits the first stands for all, so that only numbers are compared.
    assert sorted(share for *_, share in near_copies(backwards)) == sorted(share for *_, share in pairs)


@given(TEXTS, WORDS)
def test_one_more_text_makes_no_other_less_like_a_template(texts: dict[str, str], more: str) -> None:
    before, after = template_share(texts), template_share({**texts, "more": more})

    assert all(after[key] >= before[key] for key in texts)


def test_descriptions_off_one_template_are_found() -> None:
    texts = {name: TEMPLATE.format(name) for name in ("law", "physics", "history")}
    assert set(template_share(texts).values()) == {0.0}, "three texts: two others"

    texts["music"] = TEMPLATE.format("music")
    assert min(template_share(texts).values()) > 0.5
    assert "text_template" in kinds(texts)


def test_near_copies_are_found_and_copies_left_to_the_check_of_boards() -> None:
    texts = {"a": TEMPLATE.format("law"), "b": TEMPLATE.format("physics"), "c": TEMPLATE.format("law") + " 7"}

    assert [pair[:2] for pair in near_copies(texts)] == [("a", "b")]
    assert kinds(texts).count("text_near_copy") == 1


def test_length_and_sentences_are_counted() -> None:
    texts = {"short": "Physics questions in English test knowledge.", "fine": "Algebra is asked here. " * 12}
    found = {finding.kind: finding for finding in find_wording_faults(texts, {})}

    assert found["text_length"].where == ("short",)
    assert "short (6)" in found["text_length"].message
    assert found["text_sentences"].where == ("short", "fine")


def test_a_mention_is_told_with_the_words_it_is_made_in() -> None:
    texts = {"a": "Harder than SciCode.", "b": "Python."}
    found = [f for f in find_wording_faults(texts, {"a": "A", "b": "B", "scicode": "SciCode"}) if "lineage" in f.kind]

    assert [finding.where for finding in found] == [("a",)]
    assert "“SciCode” (scicode)" in found[0].message


def test_nothing_is_found_among_no_texts() -> None:
    assert kinds({}) == []


def test_our_descriptions_share_no_template_and_are_no_copies() -> None:
    texts = {key: known.description for key, known in KNOWN_BENCHMARKS.items()}

    assert max(template_share(texts).values()) == 0.0
    assert near_copies(texts) == []
