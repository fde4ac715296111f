from __future__ import annotations

from collections.abc import Callable

import pytest

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.shuffles import draw_shuffles
from balance_of_benchmarks.report.figures.theme import Drawn

NAN = float("nan")


def test_it_says_mean_observed_and_how_many_draws_reach_it(
    render: Callable[[Drawn], tuple[float, float, list[str]]],
) -> None:
    words = render(draw_shuffles([0.3, 0.4, 0.5, NAN], 0.5))[2]

    assert {"mean 0.400", "true texts 0.500, reached by 1 of 3", "mean held-out profile", "draws"} <= set(words)


def test_no_draw_or_nothing_observed_is_refused() -> None:
    with pytest.raises(ArrayError, match="at least one"):
        draw_shuffles([NAN], 0.5)
    with pytest.raises(ArrayError, match="finite"):
        draw_shuffles([0.3], NAN)


def test_the_same_data_make_the_same_bytes() -> None:
    assert draw_shuffles([0.3, 1 / 3], 0.5).to_json() == draw_shuffles([0.3, 1 / 3], 0.5).to_json()
