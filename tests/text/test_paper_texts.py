"""The default encoder on the paper's own texts: what they say of benchmarks and tasks comes out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.geometry.space import Space
from balance_of_benchmarks.paper.texts import PaperTexts, read_texts
from balance_of_benchmarks.ranking.abstention import NONSENSE, abstention_threshold
from balance_of_benchmarks.types import FloatArray

# The benchmarks each task is about; poetry is about none.
FAMILIES = {
    "software_engineering_agent": {"terminalbench_hard", "terminalbench_v2_1"},
    "math_competition_coach": {"aime", "aime_25", "math_500"},
    "customer_support_automation": {"tau2", "tau_banking"},
    "long_report_analysis": {"lcr"},
}


@pytest.fixture(scope="module")
def texts(shared: Path) -> PaperTexts:
    return read_texts(shared / "paper" / "texts.json")


@pytest.fixture(scope="module")
def space(texts: PaperTexts) -> Space:
    return bob.measure_space(bob.embed([*texts.descriptions.values()]), texts=[*texts.descriptions.values()])


def place(space: Space, text: str) -> FloatArray:
    """Distances of a text to the benchmarks, in medians."""
    distances: FloatArray = space.distances_to(bob.embed([text])[0]) / space.median
    return distances


def test_the_closest_pairs_are_the_papers_in_its_order(texts: PaperTexts, space: Space) -> None:
    keys = [*texts.descriptions]

    assert [{keys[pair.a], keys[pair.b]} for pair in space.closest_pairs(3)] == [
        {"aime", "aime_25"},
        {"terminalbench_hard", "terminalbench_v2_1"},
        {"tau2", "tau_banking"},
    ]


def test_every_paraphrase_lies_nearest_its_own_description(texts: PaperTexts) -> None:
    keys = [*texts.descriptions]
    assert texts.paraphrases.keys() == set(keys)
    between = bob.angular_distances(
        bob.embed([texts.paraphrases[key] for key in keys]), bob.embed([texts.descriptions[key] for key in keys])
    )

    assert between.argmin(axis=1).tolist() == [*range(len(keys))]


def test_every_canonical_task_lies_nearer_than_its_raw_form_and_poetry_farthest(
    texts: PaperTexts, space: Space
) -> None:
    canonical = {name: place(space, task.canonical).min() for name, task in texts.tasks.items()}
    raw = {name: place(space, task.query).min() for name, task in texts.tasks.items()}

    assert len(texts.tasks) == 5
    assert all(canonical[name] < raw[name] for name in texts.tasks)
    assert max(canonical, key=lambda name: canonical[name]) == "poetry_writing_partner"
    assert max(raw, key=lambda name: raw[name]) == "poetry_writing_partner"


@pytest.mark.parametrize("task", FAMILIES)
def test_the_benchmarks_a_task_is_about_are_its_nearest(texts: PaperTexts, space: Space, task: str) -> None:
    keys, family = [*texts.descriptions], FAMILIES[task]
    for text in (texts.tasks[task].query, texts.tasks[task].canonical):
        nearest = {keys[i] for i in np.argsort(place(space, text))[: len(family)]}
        assert nearest == family


def test_the_papers_five_tasks_are_answered_and_nonsense_is_not(texts: PaperTexts, space: Space) -> None:
    threshold = abstention_threshold(bob.find_encoder("wordllama").identity)
    assert threshold is not None

    assert all(place(space, task.canonical).min() <= threshold for task in texts.tasks.values())
    assert len(NONSENSE) == 20
    assert all(place(space, text).min() > threshold for text in NONSENSE)
