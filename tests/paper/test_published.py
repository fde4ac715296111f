from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from balance_of_benchmarks.paper.kinds import KINDS
from balance_of_benchmarks.paper.published import find_published, read_published

# Sections whose numbers we file under another name.
TABLES = {
    "aa_coverage": "coverage",
    "aggregation_significance": "control_tests",
    "aggregation_selection": "control_choices",
    "aggregation_perfold": "control_folds",
    "aggregation_population": "control_population",
    "perfold": "folds",
    "robustness": "encoder_sizes",
    "query_norm": "queries",
    "audit_aa": "curves",
    "top_rankings": "top_ranking",
}
BOUNDS = {"lt", "le", "ge", "approx"}


def numbers_in(value: Any, form: str = "exact") -> Iterator[tuple[str, float]]:
    """Every number inside, with the form it is printed in; a flag is no number."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield form, float(value)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from numbers_in(inner, name if name in BOUNDS else form)
    elif isinstance(value, list):
        for inner in value:
            yield from numbers_in(inner, form)


def test_every_published_number_is_there_once_and_no_other(shared: Path) -> None:
    sections = json.loads((shared / "paper" / "published.json").read_text())
    printed: Counter[tuple[str, str, float]] = Counter()
    for name, section in sections.items():
        if name == "conventions":
            continue
        rows = [{key: value for key, value in row.items() if key != "decimals"} for row in section.get("rows", [])]
        for form, number in numbers_in([rows, section.get("values", {})]):
            printed[TABLES.get(name, name), form, number] += 1
    ours = Counter((p.place[0], p.form, p.number) for p in read_published() if p.number is not None)

    assert ours == printed
    assert sum(ours.values()) > 1200


def test_no_place_is_given_twice_and_every_kind_is_known() -> None:
    places = [published.place for published in read_published()]

    assert len(set(places)) == len(places)
    assert {published.kind for published in read_published()} == set(KINDS)


def test_digits_are_those_printed() -> None:
    for published in read_published():
        if published.digits is not None and published.number is not None:
            assert published.text == f"{published.number:.{published.digits}f}", published.place


def test_tolerances_are_finite_and_those_of_what_is_counted_are_zero() -> None:
    assert all(kind.basis and math.isfinite(kind.tolerance) and kind.tolerance >= 0 for kind in KINDS.values())
    assert all(KINDS[name].tolerance == 0 for name in ("count", "setting", "source", "choice", "fact"))


def test_a_place_without_a_number_is_none() -> None:
    assert find_published(("headline", "bob", "price")) is None
