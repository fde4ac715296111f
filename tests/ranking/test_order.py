"""Places and ties."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from balance_of_benchmarks.ranking.order import order_models, place_models


@given(st.lists(st.one_of(st.just(float("nan")), st.integers(-2, 2).map(float)), max_size=20))
def test_a_place_is_one_more_than_the_number_of_better_models(scores: list[float]) -> None:
    values = np.array(scores)

    for value, place in zip(values, place_models(values), strict=True):
        assert place == (0 if np.isnan(value) else 1 + (values > value).sum())


def test_ties_are_listed_by_key_and_models_without_score_last() -> None:
    order = order_models(np.array([0.5, np.nan, 0.9, 0.5]), ["d", "a", "c", "b"])

    assert order.tolist() == [2, 3, 0, 1]
