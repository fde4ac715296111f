"""Why scores are equated: two benchmarks that tell models apart at different abilities, and their curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import altair as alt
import numpy as np

from balance_of_benchmarks.board.checks.columns import NEAR
from balance_of_benchmarks.equating.curve import expected_score
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.histogram import BAR, count_axis
from balance_of_benchmarks.report.figures.panels import join_panels
from balance_of_benchmarks.report.figures.theme import INK, OURS, RIVAL, Drawn, dress, tabulate

__all__ = ["SaturatedColumn", "draw_saturation"]

_WIDTH: Final = 230
_HEIGHT: Final = 104  # of one histogram
_BETWEEN: Final = 14
_NAME: Final = 18  # the pixels at its top that its name takes
_UNDER: Final = 3  # bars at an end that the share written there is as wide as
_STEPS: Final = 121  # along a curve
_COLOURS: Final = (OURS, RIVAL)
# Points let curves through by being pale, not clear: a PDF lists its hundreds of clear marks in any order.
_PALE: Final = ("#acc5e1", "#e3bab0")
_SHAPES: Final = ("circle", "triangle-up")
_DASHES: Final = ([1, 0], [6, 3])


@dataclass(frozen=True, slots=True)
class SaturatedColumn:
    """A benchmark's scores and its curve.

    Parameters
    ----------
    label : str
    ability : tuple of float
        θ of the models scored.
    score : tuple of float
        Theirs, as many, on [0, 1].
    discrimination, difficulty : float
        a and b of the curve Φ(a(θ - b)).
    """

    label: str
    ability: tuple[float, ...]
    score: tuple[float, ...]
    discrimination: float
    difficulty: float


def draw_saturation(columns: Sequence[SaturatedColumn]) -> Drawn:
    """Draw the scores of two benchmarks, one near its floor and one near its ceiling, beside their curves.

    Parameters
    ----------
    columns : sequence of SaturatedColumn
        Two; the harder first, say.

    Returns
    -------
    altair chart

    Raises
    ------
    ArrayError
        For other than two columns, or one without scores, with scores outside [0, 1], or without a curve.

    Notes
    -----
    A score is near floor or ceiling within `NEAR`, which is also how wide the bars are: a bar at an end is just those.

    Examples
    --------
    >>> hard = SaturatedColumn("hard", (-1.0, 0.0, 1.0), (0.02, 0.1, 0.5), 1.2, 1.0)
    >>> easy = SaturatedColumn("easy", (-1.0, 0.0, 1.0), (0.5, 0.9, 0.97), 1.2, -1.0)
    >>> [panel["title"]["text"] for panel in draw_saturation([hard, easy]).to_dict()["vconcat"][0]["hconcat"]]
    ['(a) Scores pile up at the ends', '(b) Curves on one scale of ability']
    """
    if len(columns) != 2:
        raise ArrayError(f"{len(columns)} benchmarks to compare: expected 2")
    for column in columns:
        _check(column)
    piled = [
        _draw_scores(column, colour, last=column is columns[-1])
        for column, colour in zip(columns, _COLOURS, strict=True)
    ]
    stacked = alt.vconcat(*piled, spacing=_BETWEEN).properties(title="Scores pile up at the ends")
    return join_panels([stacked, _draw_curves(columns)])


def _check(column: SaturatedColumn) -> None:
    scores = np.array(column.score, dtype=np.float64)
    if not scores.size or len(column.ability) != scores.size:
        raise ArrayError(
            f"{column.label} has {scores.size} scores and {len(column.ability)} abilities: "
            "expected as many, and at least one"
        )
    if not ((scores >= 0) & (scores <= 1)).all() or not all(map(math.isfinite, column.ability)):
        raise ArrayError(f"{column.label} has a score outside [0, 1], or an ability that is no number")
    if not (math.isfinite(column.discrimination) and math.isfinite(column.difficulty)):
        raise ArrayError(f"{column.label} has no curve: expected finite discrimination and difficulty")


def count_scores(scores: Sequence[float]) -> list[int]:
    """Count scores in bars as wide as `NEAR`.

    Parameters
    ----------
    scores : sequence of float
        On [0, 1].

    Returns
    -------
    list of int
        A score on the border of two bars counts as nearer to its end, so that the bars at the ends hold all near them.

    Examples
    --------
    >>> count_scores([0.0, 0.05, 0.051, 0.95])[:2], count_scores([0.95])[-1]
    ([2, 1], 1)
    """
    bars = round(1 / NEAR)
    count = [0] * bars
    for score in scores:
        place = round(score / NEAR, 9)
        bar = math.ceil(place) - 1 if score <= 0.5 else math.floor(place)
        count[min(max(bar, 0), bars - 1)] += 1
    return count


def _draw_scores(column: SaturatedColumn, colour: str, *, last: bool) -> Drawn:
    count = count_scores(column.score)
    rows = [
        {"from": i * NEAR, "to": (i + 1) * NEAR, "count": n, "colour": colour if i in (0, len(count) - 1) else BAR}
        for i, n in enumerate(count)
    ]
    # Room at the top for the name, and for a share above the tallest bar.
    top = max(count) * _HEIGHT / (_HEIGHT - 2 * _NAME)
    x = alt.X(
        "from:Q",
        title="score" if last else None,
        scale=alt.Scale(domain=[0, 1], nice=False),
        axis=alt.Axis(grid=False, tickCount=5, labels=last, ticks=last, zindex=1),
    )
    y = alt.Y(
        "count:Q",
        title="models",
        scale=alt.Scale(domain=[0, round(top, 6)], nice=False),
        axis=count_axis(max(count)),
    )
    name = f"{column.label}, {len(column.score)} model{'s' * (len(column.score) > 1)}"
    words = alt.Chart(tabulate([{"words": name}])).mark_text(fontSize=11, color=INK, baseline="top")
    layers: list[alt.Chart] = [
        alt.Chart(tabulate(rows))
        .mark_bar(stroke="white", strokeWidth=1)
        .encode(x=x, x2="to:Q", y=y, y2=alt.datum(0), color=alt.Color("colour:N", scale=None)),
        words.encode(x=alt.value(_WIDTH / 2), y=alt.value(0), text="words:N"),
    ]
    for left, bars in ((True, count[:_UNDER]), (False, count[: -_UNDER - 1 : -1])):
        # Above the bars that the words would otherwise lie on.
        share = alt.Chart(tabulate([{"words": f"{bars[0] / len(column.score):.0%}", "count": max(bars)}]))
        words = share.mark_text(
            align="left" if left else "right", baseline="bottom", dy=-2, fontSize=11, fontWeight="bold", color=colour
        )
        layers.append(words.encode(x=alt.value(1 if left else _WIDTH - 1), y="count:Q", text="words:N"))
    return alt.layer(*layers).properties(width=_WIDTH, height=_HEIGHT)


def _draw_curves(columns: Sequence[SaturatedColumn]) -> Drawn:
    height = 2 * _HEIGHT + _BETWEEN
    low = min(min(column.ability) for column in columns)
    high = max(max(column.ability) for column in columns)
    margin = 0.02 * max(high - low, 1.0)
    grid = np.linspace(low - margin, high + margin, _STEPS)
    x = alt.X(
        "ability:Q",
        title="ability θ",
        scale=alt.Scale(domain=[round(float(grid[0]), 6), round(float(grid[-1]), 6)], nice=False, zero=False),
        axis=alt.Axis(grid=False, tickCount=6),
    )
    y = alt.Y(
        "score:Q",
        title="score",
        scale=alt.Scale(domain=[0, 1.04], nice=False),
        axis=alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1], grid=False),
    )
    points, curves, names = list[alt.Chart](), list[alt.Chart](), list[alt.Chart]()
    easier = min(columns, key=lambda column: column.difficulty)
    for column, colour, pale, shape, dash in zip(columns, _COLOURS, _PALE, _SHAPES, _DASHES, strict=True):
        seen = [{"ability": float(t), "score": float(s)} for t, s in zip(column.ability, column.score, strict=True)]
        a, b = np.array(column.discrimination), np.array(column.difficulty)
        expected = expected_score(grid, a, b, "ogive")
        line = [{"ability": float(t), "score": float(s)} for t, s in zip(grid, expected, strict=True)]
        points.append(
            alt.Chart(tabulate(seen))
            .mark_point(filled=True, shape=shape, size=12, opacity=1, color=pale)
            .encode(x=x, y=y)
        )
        curves.append(
            alt.Chart(tabulate(line)).mark_line(color=colour, strokeWidth=2.4, strokeDash=dash).encode(x=x, y=y)
        )
        # Beside the curve's middle: the easier one's on its left, the other's on its right.
        left = column is easier
        middle = alt.Chart(tabulate([{"ability": float(b), "score": 0.5, "words": column.label}]))
        # Letters with a white rim, and again without it, so that points do not blur them.
        names += [
            middle.mark_text(
                align="right" if left else "left",
                dx=-12 if left else 12,
                fontSize=12,
                fontWeight="bold",
                color=colour,
                stroke="white",
                strokeWidth=rim,
            ).encode(x=x, y=y, text="words:N")
            for rim in (4, 0)
        ]
    return dress(
        alt.layer(*points, *curves, *names).properties(
            width=_WIDTH, height=height, title="Curves on one scale of ability"
        )
    )
