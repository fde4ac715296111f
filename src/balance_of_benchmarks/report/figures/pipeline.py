"""The method in one picture: what comes of the descriptions, what of the scores, and where the two meet."""

from __future__ import annotations

from balance_of_benchmarks.report.figures.diagram import Arrow, Box, Diagram, Lane, draw_diagram

__all__ = ["draw_pipeline"]


def draw_pipeline() -> str:
    """Draw how descriptions and scores become the global ranking and the ranking for a task.

    Returns
    -------
    str
        SVG.
    """
    return draw_diagram(
        Diagram(
            title="From descriptions and scores to rankings",
            description=(
                "Descriptions and the task become vectors; angles between them give weights and closeness to the task. "
                "Scores become curves, abilities and residuals. Weights enter the fit of abilities; nothing goes back "
                "from scores to weights. Abilities are the global ranking; with residuals near the task they are the "
                "ranking for it."
            ),
            boxes=(
                Box("task", "Your task", ("one sentence",), 0, 0, "texts"),
                Box("texts", "Descriptions", ("one a benchmark",), 0, 1, "texts"),
                Box("scores", "Scores", ("models × benchmarks,", "with gaps"), 0, 2, "scores", columns=2),
                Box("near", "Closeness", ("of each benchmark", "to the task"), 1, 0, "texts"),
                Box("weights", "Weights u", ("1 / local density:", "neighbours share"), 1, 1, "texts"),
                Box(
                    "fit",
                    "Curves and abilities",
                    ("one curve a benchmark,", "one θ a model"),
                    1,
                    2,
                    "scores",
                    columns=2,
                ),
                Box("residuals", "Residuals r", ("with information", "and cell weights"), 2, 2, "scores"),
                Box("ability", "Ability θ", ("one scale", "for all"), 2, 3, "scores"),
                Box(
                    "asked",
                    "Ranking for the task",
                    ("θ, moved by residuals near the task", "as far as support goes"),
                    3,
                    0,
                    "result",
                    columns=2,
                ),
                Box("overall", "Global ranking", ("by θ alone",), 3, 2, "result", columns=2),
            ),
            arrows=(
                Arrow("task", "near", "bottom", "top", look="texts"),
                Arrow("texts", "near", "bottom", "top", look="texts"),
                Arrow("texts", "weights", "bottom", "top", look="texts"),
                Arrow("scores", "fit", "bottom", "top", look="scores"),
                Arrow("weights", "fit", "right", "left", "weigh the fit", look="texts"),
                Arrow("fit", "residuals", "bottom", "top", look="scores"),
                Arrow("fit", "ability", "bottom", "top", look="scores"),
                Arrow("near", "asked", "bottom", "top", look="texts"),
                Arrow("weights", "asked", "bottom", "top", look="texts"),
                Arrow("residuals", "asked", "left", "top", look="scores"),
                Arrow("ability", "overall", "bottom", "top", look="scores"),
                Arrow("overall", "asked", "left", "right", "starts from θ", look="scores"),
            ),
            lanes=(
                Lane("from words alone", ("task", "texts", "near", "weights"), "texts"),
                Lane("from scores", ("scores", "fit", "residuals", "ability"), "scores"),
            ),
        )
    )
