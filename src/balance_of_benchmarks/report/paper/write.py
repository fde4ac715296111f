"""The redone paper as a folder: the report, the comparison, tables and figures."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from balance_of_benchmarks.paper.comparison import (
    VERDICTS,
    Basis,
    Comparison,
    compare_values,
    count_verdicts,
)
from balance_of_benchmarks.paper.kinds import KINDS
from balance_of_benchmarks.paper.others import OtherBoard
from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.paper.tables import lay_out_tables
from balance_of_benchmarks.paper.values import give_values
from balance_of_benchmarks.report.figures.drawing import write_figure
from balance_of_benchmarks.report.paper.encoders import describe_encoders
from balance_of_benchmarks.report.paper.figures import draw_figures
from balance_of_benchmarks.report.paper.summary import describe_other, describe_relisting, write_summary
from balance_of_benchmarks.report.paper.tables import print_difference, render_table, render_touchpoints
from balance_of_benchmarks.transport.files import write_atomically

__all__ = ["compare_paper", "describe_comparison", "write_paper"]


def compare_paper(redone: Redone) -> tuple[Comparison, ...]:
    """Set every published number beside ours."""
    basis = Basis(redone.texts.source, redone.encoder, redone.paper_vectors, redone.quick)
    return compare_values(give_values(redone), basis)


def write_paper(
    redone: Redone,
    comparisons: Sequence[Comparison],
    folder: Path,
    *,
    others: Sequence[OtherBoard] = (),
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Path, ...]:
    """Write tables, figures, the comparison and a summary.

    Parameters
    ----------
    redone : Redone
    comparisons : sequence of Comparison
        As `compare_paper` gives them.
    folder : Path
        Made where it is not there; files of the same names are replaced.
    others : sequence of OtherBoard
        What was found on boards that are not the paper's.
    progress : callable, optional
        Called with figures done and figures in all.

    Returns
    -------
    tuple of Path
    """
    tables, figures = lay_out_tables(comparisons), draw_figures(redone)
    rendered = {table.name: render_table(table) for table in tables} | {"touchpoints": render_touchpoints()}
    files = {
        folder / "README.md": write_summary(redone, comparisons, tables, figures, others),
        folder / "comparison.md": _write_comparison(redone, comparisons),
        folder / "comparison.json": json.dumps(
            describe_comparison(redone, comparisons, others), ensure_ascii=False, indent=1, allow_nan=False
        )
        + "\n",
        **{folder / "tables" / f"{name}{end}": text for name, ends in rendered.items() for end, text in ends.items()},
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text.encode())
    drawn: list[Path] = []
    for done, figure in enumerate(figures, 1):
        drawn += write_figure(figure, folder / "figures")
        if progress is not None:
            progress(done, len(figures))
    return (*files, *drawn)


def describe_comparison(
    redone: Redone, comparisons: Sequence[Comparison], others: Sequence[OtherBoard] = ()
) -> dict[str, Any]:
    """Give the comparison as JSON has it."""
    return {
        "board": redone.board.name,
        "texts": redone.texts.source,
        "encoder": redone.encoder,
        "paper_vectors": redone.paper_vectors,
        "quick": redone.quick,
        "verdicts": dict(count_verdicts(comparisons)),
        "numbers": [_describe_number(comparison) for comparison in comparisons],
        "encoders": describe_encoders(redone.encoders),
        "relisting": describe_relisting(redone),
        "other_boards": [describe_other(other) for other in others],
    }


def _describe_number(comparison: Comparison) -> dict[str, Any]:
    published = comparison.published
    table, row, column = published.place
    return {
        "table": table,
        "row": row or None,
        "column": column,
        "published": published.printed,
        "published_value": published.text if published.number is None else published.number,
        "ours": _clean(comparison.ours),
        "difference": _clean(comparison.difference),
        "verdict": comparison.verdict,
        "reason": comparison.reason,
        "kind": published.kind,
        "tolerance": KINDS[published.kind].tolerance,
    }


def _clean(value: float | str | None) -> float | str | None:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _write_comparison(redone: Redone, comparisons: Sequence[Comparison]) -> str:
    counts = count_verdicts(comparisons)
    lines = [
        "# Every published number beside ours",
        "",
        f"Board {redone.board.name}; {redone.texts.source}; {redone.encoder}."
        + (" A quick run: draws were saved." if redone.quick else ""),
        "",
        *(f"- {words}: {counts[verdict]}" for verdict, words in VERDICTS.items()),
        "",
        "Tolerances, one for each kind of number, were fixed before the first comparison.",
    ]
    place: tuple[str, str] | None = None
    for comparison in comparisons:
        table, row, column = comparison.published.place
        if place is None or place[0] != table:
            lines += ["", f"## {table}", "", "| number | published | ours | difference | verdict |"]
            lines += ["| --- | --- | --- | --- | --- |"]
        place = (table, row)
        verdict = VERDICTS[comparison.verdict] + (f": {comparison.reason}" if comparison.reason else "")
        name = f"{row}, {column}" if row else column
        cells = (name, comparison.published.printed, comparison.printed, print_difference(comparison), verdict)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"
