from __future__ import annotations

from collections.abc import Callable

import pytest

from balance_of_benchmarks.report.figures.lettering import measure_text


@pytest.mark.parametrize(
    "words",
    ["Curves and abilities", "MMMMM WWWW", "illicit fjord, 1/14", "θ + P / (P + 1) × Σ", "k · u · I · w", "τ²-Bench"],
)
@pytest.mark.parametrize("bold", [False, True])
def test_the_room_left_is_at_least_what_the_renderer_takes_and_not_twice_that(
    words: str, bold: bool, rendered_width: Callable[[str, float, bool], float]
) -> None:
    taken = rendered_width(words, 12.0, bold)

    assert taken <= measure_text(words, 12.0, bold=bold) + 1.0
    assert measure_text(words, 12.0, bold=bold) < 1.7 * taken


def test_room_grows_with_size_and_weight_and_an_unknown_letter_takes_a_full_one() -> None:
    assert measure_text("mean", 22.0) == 2 * measure_text("mean", 11.0)
    assert measure_text("mean", 11.0, bold=True) > measure_text("mean", 11.0)
    assert measure_text("語", 11.0) == 11.0
    assert measure_text("", 11.0) == 0.0
