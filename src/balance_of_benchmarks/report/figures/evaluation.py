"""The chart of held-out tests: how far ours is ahead of every other method."""

from __future__ import annotations

from balance_of_benchmarks.evaluation.evaluate import Evaluation
from balance_of_benchmarks.evaluation.methods import METHODS
from balance_of_benchmarks.report.figures.forest import ForestRow, draw_forest
from balance_of_benchmarks.report.figures.theme import Drawn

__all__ = ["draw_tests"]


def draw_tests(found: Evaluation) -> Drawn:
    """Draw ours minus each other method, in level and in profile, with intervals over benchmarks.

    Parameters
    ----------
    found : Evaluation

    Returns
    -------
    altair chart
    """
    titles = {method.id: method.title for method in METHODS}
    rows = [
        ForestRow(titles[test.result.against], test.result.difference, test.result.low, test.result.high, test.metric)
        for test in found.tests
        if test.metric in ("level", "profile")
    ]
    order = {title: place for place, title in enumerate(titles.values())}
    rows.sort(key=lambda row: order[row.label])
    return draw_forest(
        rows,
        axis="the paper's method minus the other (right of the line: it predicts better)",
        title="Predicting benchmarks that are held out",
    )
