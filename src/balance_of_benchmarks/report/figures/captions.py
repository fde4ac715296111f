"""The figures of the paper by name, each with its caption, in our own words."""

from __future__ import annotations

from typing import Final

from balance_of_benchmarks.errors import ArrayError, name_unknown
from balance_of_benchmarks.report.figures.drawing import Figure
from balance_of_benchmarks.report.figures.theme import Drawn

__all__ = ["CAPTIONS", "caption_figure"]

CAPTIONS: Final[dict[str, str]] = {
    "teaser": (
        "Some benchmarks are described almost alike, and an average counts them twice. (a) Angles between all pairs of "
        "descriptions; near pairs are pointed out. (b) What each benchmark counts for under inverse-density weights, "
        "members of near pairs in orange."
    ),
    "pipeline": (
        "How a ranking comes about. Weights and closeness to the task are found from words alone (solid outlines); "
        "scores (dashed outlines) meet them in the fit and in the final rankings, and never lead back to the weights."
    ),
    "densification": (
        "What a benchmark adds grows with its distance from those listed. (a) Mean over random placements at each "
        "distance, with a band of one standard deviation, and the closed form for a list of one; orange: where listed "
        "pairs lie. (b) How much effective mass the list loses without each benchmark; orange: members of near pairs."
    ),
    "relisting": (
        "Agreement of the ranking with itself when one benchmark is listed again. Each point is the mean over "
        "scenarios, one for each benchmark; nothing is drawn at random, so there is no interval. The axis does not "
        "begin at zero."
    ),
    "aggregation_controls": (
        "Held-out profile of the method less that of each control, which shares everything but the relevance of "
        "benchmarks: mean over held-out benchmarks, and the interval that a bootstrap over them gives."
    ),
    "bandwidths_and_shuffles": (
        "Two checks. (a) What the list is worth in isolated benchmarks, by the bandwidth of the density. (b) Held-out "
        "profile when descriptions are dealt out to benchmarks at random, and when each is where it belongs."
    ),
    "saturation": (
        "Two benchmarks that separate models in different ranges. (a) Scores; coloured bars, with their share of the "
        "models, are within 0.05 of floor or ceiling. (b) The same models on one scale of ability, and "
        "the fitted curves."
    ),
    "factors": (
        "What enters the score of a model for a task. Dashed outlines come from scores, solid blue ones from words. "
        "Information steers the local mean but is no evidence of its own, so support does without it."
    ),
}
"""By the name of the figure's files, in the order of the paper."""


def caption_figure(name: str, drawn: Drawn | str) -> Figure:
    """Give a drawn figure of the paper its name and caption, ready to be written.

    Parameters
    ----------
    name : str
        One of `CAPTIONS`.
    drawn : altair chart or str
        A chart, or a diagram as SVG.

    Returns
    -------
    Figure

    Raises
    ------
    ArrayError
        For another name.

    Examples
    --------
    >>> caption_figure("pipeline", "<svg/>").caption[:28]
    'How a ranking comes about. W'
    """
    if name not in CAPTIONS:
        raise ArrayError(name_unknown("the figures of the paper", name, CAPTIONS))
    return Figure(name, CAPTIONS[name], drawn if isinstance(drawn, str) else drawn.to_dict())
