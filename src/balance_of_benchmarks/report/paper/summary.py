"""The page that opens a redone paper: what agrees, what does not, and what the paper does not ask."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from balance_of_benchmarks.evaluation.relisting import Relistable
from balance_of_benchmarks.paper.comparison import VERDICTS, Comparison, count_verdicts
from balance_of_benchmarks.paper.others import OtherBoard
from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.paper.tables import PaperTable
from balance_of_benchmarks.report.figures.drawing import Figure
from balance_of_benchmarks.report.paper.encoders import tabulate_encoders

__all__ = ["describe_other", "describe_relisting", "write_summary"]

_WEIGHTINGS: Final[dict[Relistable, str]] = {
    "equal_z": "equal weights of z-scores",
    "inverse_density": "the paper's inverse density",
    "magnitude": "magnitude weights",
}
_LED: Final = ("bob", "equal_weight", "category", "published_index", "ability_only", "bob:magnitude")


def describe_relisting(redone: Redone) -> list[dict[str, Any]]:
    """Give the test of re-listing under every weighting and number of copies, as JSON has it."""
    return [
        {
            "weighting": weighting,
            "copies": relisting.copies,
            "scenarios": len(relisting.relisted),
            "scenarios_moved": int((relisting.largest > 0).sum()),
            "displacement_largest_of_all": float(relisting.largest.max()),
            **asdict(relisting.mean),
        }
        for weighting, relistings in redone.relistings.items()
        for relisting in relistings
    ]


def describe_other(other: OtherBoard) -> dict[str, Any]:
    """Give what was found on another board, as JSON has it."""
    verdicts = other.found.verdicts
    return {
        "board": other.board.name,
        "models": other.models,
        "benchmarks": other.benchmarks,
        "folds": len(other.found.predictions.targets),
        "methods": [
            {"method": id_, **{metric: _or_none(verdicts.mean(id_, metric)) for metric in ("level", "profile")}}
            for id_ in verdicts.methods
        ],
        "relisting": [
            {"weighting": weighting, "copies": relisting.copies, **asdict(relisting.mean)}
            for weighting, relisting in other.relistings.items()
        ],
    }


def write_summary(
    redone: Redone,
    comparisons: Sequence[Comparison],
    tables: Sequence[PaperTable],
    figures: Sequence[Figure],
    others: Sequence[OtherBoard] = (),
) -> str:
    """Write the summary as Markdown.

    Parameters
    ----------
    redone : Redone
    comparisons : sequence of Comparison
    tables : sequence of PaperTable
    figures : sequence of Figure
    others : sequence of OtherBoard

    Returns
    -------
    str
    """
    counts = count_verdicts(comparisons)
    parts = [
        "# The paper, redone",
        _say_basis(redone),
        f"Of {len(comparisons)} published numbers:\n"
        + "\n".join(f"- {counts[verdict]} {words}" for verdict, words in VERDICTS.items()),
        "[Every number](comparison.md), also as [JSON](comparison.json).",
        "## Held-out benchmarks",
        _table_heldout(redone),
        "## Encoders",
        tabulate_encoders(redone.encoders),
        "## Listing a benchmark again, with weights that no copy can move",
        _table_relisting(redone),
        *(["## Other boards", _table_others(others), _table_others_relisted(others)] if others else []),
        "## Tables",
        "\n".join(
            [f"- [{t.name}](tables/{t.name}.md): {t.title}" for t in tables]
            + ["- [touchpoints](tables/touchpoints.md): Where scores enter the method"]
        ),
        "## Figures",
        "\n\n".join(f"![{f.name}](figures/{f.name}.svg)\n\n{f.caption}" for f in figures),
    ]
    said = dict.fromkeys(board.settings.attribution for board in (redone.board, *(other.board for other in others)))
    parts += [f"Data: {attribution}" for attribution in said if attribution]
    return "\n\n".join(parts) + "\n"


def _say_basis(redone: Redone) -> str:
    models, benchmarks = redone.study.scores.shape
    says = [f"Board {redone.board.name}: {models} models retained, {benchmarks} benchmarks."]
    if redone.board.settings.simulated:
        says.append("This board is simulated: its models, makers and scores are made up.")
    says.append(f"Texts: {redone.texts.source}. Vectors: {redone.encoder}.")
    if not redone.paper_vectors:
        says.append(
            "The paper has Qwen3-Embedding-8B, so figures that hang on distances between texts differ; "
            "those of scores alone do not."
        )
    if redone.quick:
        says.append("This was a quick run, with a tenth of the draws.")
    return " ".join(says)


def _table_heldout(redone: Redone) -> str:
    lines = ["| method | level | profile |", "| --- | --- | --- |"]
    for method in _LED:
        if method in redone.verdicts.methods:
            level, profile = (redone.verdicts.mean(method, metric) for metric in ("level", "profile"))
            lines.append(f"| `{method}` | {level:.3f} | {profile:.3f} |")
    return "\n".join(lines)


def _table_relisting(redone: Redone) -> str:
    lines = [
        "| weights | copies | Kendall τ, mean | largest change of rank, mean | largest of all |",
        "| --- | --- | --- | --- | --- |",
    ]
    for weighting, words in _WEIGHTINGS.items():
        for relisting in redone.relistings[weighting]:
            if relisting.copies in (1, 4, 10):
                mean = relisting.mean
                lines.append(
                    f"| {words} | {relisting.copies} | {mean.kendall:.4f} | {mean.largest:.1f} | "
                    f"{relisting.largest.max():.0f} |"
                )
    return "\n".join(lines)


def _or_none(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _table_others(others: Sequence[OtherBoard]) -> str:
    """Level and profile of every method on every other board; the highest of a column in bold."""
    heads = [f"{other.board.name}, {other.models} x {other.benchmarks}" for other in others]
    methods = dict.fromkeys(id_ for other in others for id_ in other.found.verdicts.methods)
    columns = [
        {id_: other.found.verdicts.mean(id_, metric) for id_ in other.found.verdicts.methods}
        for other in others
        for metric in ("level", "profile")
    ]
    best = [max((value for value in column.values() if math.isfinite(value)), default=math.nan) for column in columns]
    lines = [
        "| level, profile | " + " | ".join(heads) + " |",
        "| --- " * (1 + len(heads)) + "|",
    ]
    for id_ in methods:
        shown = [_bold(column.get(id_, math.nan), top) for column, top in zip(columns, best, strict=True)]
        pairs = [f"{level}, {profile}" for level, profile in zip(shown[::2], shown[1::2], strict=True)]
        lines.append(f"| `{id_}` | " + " | ".join(pairs) + " |")
    return "\n".join(lines)


def _bold(value: float, best: float) -> str:
    if not math.isfinite(value):
        return "-"
    return f"**{value:.3f}**" if value == best else f"{value:.3f}"


def _table_others_relisted(others: Sequence[OtherBoard]) -> str:
    lines = [
        "| four copies | board | Kendall τ, mean | largest change of rank, mean | largest of all |",
        "| --- | --- | --- | --- | --- |",
    ]
    for other in others:
        for weighting, words in _WEIGHTINGS.items():
            found = other.relistings[weighting]
            lines.append(
                f"| {words} | {other.board.name} | {found.mean.kendall:.4f} | {found.mean.largest:.1f} | "
                f"{found.largest.max():.0f} |"
            )
    return "\n".join(lines)
