"""The register of descriptions: words, sentences, facets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance_of_benchmarks.paper.texts import OWN_TASKS
from balance_of_benchmarks.sources.known import KNOWN_BENCHMARKS
from balance_of_benchmarks.text.register import (
    FACETS,
    SENTENCES,
    WORDS,
    count_words,
    find_facets,
    missing_facets,
    split_sentences,
)


@given(st.text())
def test_sentences_hold_every_word_in_order(text: str) -> None:
    sentences = split_sentences(text)

    assert " ".join(sentences).split() == text.split()
    assert all(sentence == " ".join(sentence.split()) and sentence for sentence in sentences)


@given(st.lists(st.sampled_from(["Algebra is asked.", "Is it hard?", "Write code!"]), min_size=1, max_size=6))
def test_plain_sentences_are_told_apart(sentences: list[str]) -> None:
    assert split_sentences(" ".join(sentences)) == sentences


@pytest.mark.parametrize(
    "sentence",
    [
        "It has tasks, e.g. Sorting, and more.",
        "Version 2.1 of it has 3.5 times the items.",
        "J. Doe et al. Wrote it, approx. 500 items.",
        "Fields such as law, etc. are covered vs. Physics.",
    ],
)
def test_a_point_need_not_end_a_sentence(sentence: str) -> None:
    assert split_sentences(sentence) == [sentence]


def test_a_quotation_mark_stays_with_its_sentence() -> None:
    assert split_sentences('It asks "why?" Then it ends.') == ['It asks "why?"', "Then it ends."]


@given(st.lists(st.sampled_from(["word", "free-form", "2.1", "don't"])))
def test_words_are_counted_and_marks_are_not(words: list[str]) -> None:
    assert count_words(" - ".join(words)) == len(words)


@given(st.text(), st.text())
def test_a_longer_text_lacks_no_facet_that_a_shorter_one_has(text: str, more: str) -> None:
    assert set(missing_facets(f"{text}\n{more}")) <= set(missing_facets(text))


@given(st.text())
def test_a_facet_is_missing_where_no_word_of_it_is_found(text: str) -> None:
    assert {name for name, words in find_facets(text).items() if not words} == set(missing_facets(text))


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("Multiple-choice questions on physics in English test knowledge.", ()),
        ("Multiple-choice questions on physics test knowledge.", ()),
        ("Open questions on physics test knowledge.", ("answer_language",)),
        ("Lorem ipsum dolor sit amet.", tuple(FACETS)),
        ("The claws of a doption.", tuple(FACETS)),  # words of the lists count where they begin
    ],
)
def test_facets_are_found_by_their_words(text: str, missing: tuple[str, ...]) -> None:
    assert missing_facets(text) == missing


@pytest.mark.parametrize(
    "text",
    [
        "Patients' questions are answered in German.",
        "Stories are continued in Japanese or Korean.",
        "Queries are written in SQL.",
        "The reply is one of five options.",
        "The answer is a whole number.",
        "Answers are numbers between 0 and 1.",
        "A formula is asked for.",
        "The system submits a patch.",
        "Work is done in a shell.",
        "Competitive programming with hidden tests.",
    ],
)
def test_an_answer_language_is_named_or_needs_no_name(text: str) -> None:
    assert "answer_language" not in missing_facets(text)


@pytest.mark.parametrize(
    "text",
    [
        "A patient describes complaints and the system advises.",
        "The system talks with a simulated customer and calls tools.",
        "Essays are graded by a jury.",
        "A program checks every condition that a prompt sets.",  # the answer is prose
        "Questions on number theory are discussed.",
        "A large number of letters is summarised.",
        "It commands a vast vocabulary.",
        "Scripted users are calmed down.",
    ],
)
def test_speech_and_free_text_have_a_language_that_is_not_named(text: str) -> None:
    assert "answer_language" in missing_facets(text)


@pytest.mark.parametrize("key", KNOWN_BENCHMARKS)
def test_our_descriptions_are_in_the_register(key: str) -> None:
    text = KNOWN_BENCHMARKS[key].description

    assert WORDS[0] <= count_words(text) <= WORDS[1]
    assert SENTENCES[0] <= len(split_sentences(text)) <= SENTENCES[1]
    assert not {"domain", "item_format"} & set(missing_facets(text))


@pytest.mark.parametrize("name", OWN_TASKS)
def test_our_canonical_tasks_are_in_the_register(name: str) -> None:
    text = OWN_TASKS[name].canonical

    assert WORDS[0] <= count_words(text) <= WORDS[1]
    assert SENTENCES[0] <= len(split_sentences(text)) <= SENTENCES[1]


def test_the_papers_descriptions_are_in_the_register_it_asked_for(shared: Path) -> None:
    texts = json.loads((shared / "paper" / "texts.json").read_text())["benchmarks"]

    for text in (row["description"] for row in texts.values()):
        assert WORDS[0] <= count_words(text) <= WORDS[1]
        assert SENTENCES[0] <= len(split_sentences(text)) <= SENTENCES[1]
        assert not {"domain", "abilities", "item_format"} & set(missing_facets(text))


def test_the_papers_descriptions_leave_open_the_language_of_speech_and_free_text_only(shared: Path) -> None:
    texts = json.loads((shared / "paper" / "texts.json").read_text())["benchmarks"]
    open_ = {key for key, row in texts.items() if "answer_language" in missing_facets(row["description"])}

    assert open_ == {"ifbench", "lcr", "tau2", "tau_banking"}
