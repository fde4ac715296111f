"""The ranking for a task, taken apart: which quantities enter the local residual, and which the support."""

from __future__ import annotations

from balance_of_benchmarks.report.figures.diagram import Arrow, Box, Diagram, draw_diagram

__all__ = ["draw_factors"]


def draw_factors() -> str:
    """Draw what the score of a model for a task is made of.

    Returns
    -------
    str
        SVG.
    """
    both = ("w", "u", "k")
    return draw_diagram(
        Diagram(
            title="What a score for a task is made of",
            description=(
                "The local residual is the mean of a model's residuals r, weighted by information I, cell weight w, "
                "inverse density u and closeness k. The support P is the sum of w, u and k multiplied, without "
                "information. The score is ability θ plus P / (P + 1) times the local residual."
            ),
            boxes=(
                Box("r", "Residual r", ("above or below the curve",), 0, 0, "scores"),
                Box("I", "Information I", ("how far it separates models",), 1, 0, "scores"),
                Box("w", "Cell weight w", ("below 1 where far off",), 2, 0, "scores"),
                Box("u", "Inverse density u", ("neighbours share",), 3, 0, "texts"),
                Box("k", "Closeness k", ("of task and benchmark",), 4, 0, "texts"),
                Box("mean", "Local residual", ("mean of r, weighted by", "k · u · I · w"), 0, 1, "plain", rows=3),
                Box(
                    "support",
                    "Support P",
                    ("sum of k · u · w:", "I is no evidence,", "so it is left out"),
                    3,
                    1,
                    "plain",
                    rows=2,
                ),
                Box("theta", "Ability θ", ("of the whole fit",), 0, 2, "scores"),
                Box(
                    "score",
                    "Score for the task",
                    ("θ + P / (P + 1)", "× local residual", "no support: just θ"),
                    1,
                    2,
                    "result",
                    rows=4,
                ),
            ),
            arrows=(
                *(Arrow(name, "mean", "right", "left", look="scores") for name in ("r", "I")),
                *(Arrow(name, "mean", "right", "left", look="scores" if name == "w" else "texts") for name in both),
                *(Arrow(name, "support", "right", "left", look="scores" if name == "w" else "texts") for name in both),
                Arrow("theta", "score", "bottom", "top", look="scores"),
                Arrow("mean", "score", "right", "left"),
                Arrow("support", "score", "right", "left"),
            ),
            across=52.0,
            down=14.0,
        )
    )
