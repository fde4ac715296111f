"""The paper's numeric tables: which rows and columns each has, under headings of our own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from balance_of_benchmarks.evaluation.constructions import CONSTRUCTIONS
from balance_of_benchmarks.evaluation.methods import METHODS
from balance_of_benchmarks.paper.comparison import Comparison
from balance_of_benchmarks.paper.protocol import MAKERS
from balance_of_benchmarks.sources.known import KNOWN_BENCHMARKS

__all__ = ["TABLES", "TOUCHPOINTS", "PaperTable", "TouchPoint", "lay_out_tables"]

TABLES: Final[dict[str, str]] = {
    "headline": "Benchmarks held out one at a time and predicted from the others: means over folds",
    "aggregation_controls": "Held-out profile of the residual field under different rules of relevance",
    "ablation": "The method in parts, and with one part changed",
    "population_shift": "Rank correlation of the other models' ranking without and with one maker's models",
    "coverage": "Scores of the retained models by benchmark",
    "index_split": "Held-out means by whether the published index includes the benchmark",
    "significance": "Ours less each baseline in profile: over all folds, and without the close pairs",
    "strict_profile": "Profile under three controls of general ability",
    "control_tests": "Ours less each rule of relevance: intervals, wins and tests",
    "control_choices": "What the inner folds chose for each benchmark held out",
    "control_folds": "Profile of ours less each rule of relevance, by fold",
    "control_population": "Profile before and after models joined the board",
    "folds": "Level and profile by fold",
    "encoder_sizes": "The main figures under encoders of three sizes",
    "queries": "Tasks in a person's words and in the register of descriptions",
    "curves": "Fitted curves and semantic weights",
    "top_ranking": "The first twenty by ability or by the published index",
}
"""The seventeen, by name, in the order of the paper."""


@dataclass(frozen=True, slots=True)
class TouchPoint:
    """One place where scores enter the method."""

    use: str
    enters: str
    role: str


TOUCHPOINTS: Final = (
    TouchPoint("fitting the curves", "a_i, b_i and θ_m, Eq. (1) and (2)", "puts scores on one scale; leaves residuals"),
    TouchPoint("residual scale", "σ_i in r_mi and in the information", "one spread a benchmark, with a binomial floor"),
    TouchPoint("mean information", "Ī_i in Eq. (4)", "lets precise benchmarks say more in the local mean"),
    TouchPoint("mean and spread of models", "standardized scores and θ_m", "sets units; turns no weight"),
    TouchPoint("robust cell weight", "w_mi in Eq. (2) and (4)", "keeps one odd score from deciding"),
    TouchPoint("held-out folds", "the field's bandwidth h", "chosen outside the fit; checked by nesting"),
)
"""The table of touch-points. Semantic weights are fixed before any of these; a test swaps the scores to see."""


@dataclass(frozen=True, slots=True)
class PaperTable:
    """One table, numbers at their places.

    Parameters
    ----------
    name, title : str
    rows, columns : tuple of (str, str)
        Ids and headings.
    cells : dict of (str, str) to Comparison
        By ids of row and column; a place the paper leaves blank is not there.
    notes : tuple of (str, Comparison)
        Numbers beside the table.
    """

    name: str
    title: str
    rows: tuple[tuple[str, str], ...]
    columns: tuple[tuple[str, str], ...]
    cells: dict[tuple[str, str], Comparison]
    notes: tuple[tuple[str, Comparison], ...]


def lay_out_tables(comparisons: Sequence[Comparison]) -> tuple[PaperTable, ...]:
    """Lay out all seventeen.

    Parameters
    ----------
    comparisons : sequence of Comparison
        Of all published numbers.

    Returns
    -------
    tuple of PaperTable
    """
    return tuple(
        _lay_out(name, title, [one for one in comparisons if one.published.place[0] == name])
        for name, title in TABLES.items()
    )


def _lay_out(name: str, title: str, comparisons: Sequence[Comparison]) -> PaperTable:
    inside = {one.published.place[1:]: one for one in comparisons if one.published.place[1]}
    beside = tuple((_head(one.published.place[2]), one) for one in comparisons if not one.published.place[1])
    rows = dict.fromkeys(row for row, _ in inside)
    columns = dict.fromkeys(column for _, column in inside)
    return PaperTable(
        name=name,
        title=title,
        rows=tuple((row, _name_row(row)) for row in rows),
        columns=tuple((column, _head(column)) for column in columns),
        cells=inside,
        notes=beside,
    )


_METHODS: Final = {method.id: method.title.removeprefix("... ") for method in METHODS}
_NAMES: Final = {
    **{key: known.name for key, known in KNOWN_BENCHMARKS.items()},
    **_METHODS,
    **{one.id: f"{one.id}: {one.title}" for one in CONSTRUCTIONS},
    **MAKERS,
    "mean": "Mean",
    "copy_shift_ranks": "Largest shift of four copies, ranks",
}
_HEADS: Final = {
    "level": "Level",
    "profile": "Profile",
    "isotonic": "Isotonic",
    "binned": "Binned",
    "quadratic": "Quadratic",
    "copy_shift_sigma": "Copy shift, SD",
    "p_holm": "p (Holm)",
    "p_wilcoxon": "p (Wilcoxon)",
    "p_sign_flip": "p (sign flip)",
    "p_isotonic": "p, isotonic",
    "delta.all": "Δ, all folds",
    "p.all": "p, all folds",
    "p_holm.all": "p (Holm), all folds",
    "delta.10": "Δ, 10 folds",
    "p.10": "p, 10 folds",
    "p_holm.10": "p (Holm), 10 folds",
    "profile_586": "Profile before",
    "profile_605": "Profile after",
    "score_covariance": "Score-covariance weights",
    "bob": "Balance of Benchmarks",
    "bandwidth": "h",
    "top_k": "k",
    "kmeans": "K-means K",
    "agglomerative": "Agglomerative K",
    "discrimination": "a",
    "difficulty": "b",
    "residual_scale": "σ",
    "r_squared": "R²",
    "weight": "v",
    "ability": "θ",
}


def _name_row(row: str) -> str:
    metric, _, method = row.partition(" ")
    if method in _METHODS:  # two metrics share a table
        return f"{_METHODS[method]}, {metric}"
    return _NAMES.get(row, row if " " in row else row.replace("_", " "))


def _head(column: str) -> str:
    if column in _HEADS:
        return _HEADS[column]
    if column.endswith("_se"):
        return f"{_head(column.removesuffix('_se'))} SE"
    method, _, metric = column.rpartition(".")
    if method in _METHODS:
        return f"{_METHODS[method]}, {metric}"
    return _METHODS.get(column, column.replace("_", " ").capitalize() if column.islower() else column)
