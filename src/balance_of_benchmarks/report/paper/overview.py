"""What `bob paper` answers: how many numbers agree, table by table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from balance_of_benchmarks.paper.comparison import VERDICTS, Comparison, count_verdicts
from balance_of_benchmarks.paper.others import OtherBoard
from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.report.paper.encoders import list_encoders
from balance_of_benchmarks.report.paper.write import describe_comparison
from balance_of_benchmarks.report.report import Column, Report

__all__ = ["report_comparison"]


def report_comparison(redone: Redone, comparisons: Sequence[Comparison], others: Sequence[OtherBoard] = ()) -> Report:
    """Report the verdicts on every published number.

    Parameters
    ----------
    redone : Redone
    comparisons : sequence of Comparison
    others : sequence of OtherBoard

    Returns
    -------
    Report
    """
    tables = dict.fromkeys(comparison.published.place[0] for comparison in comparisons)
    rows: list[dict[str, str | int]] = []
    for table in tables:
        of_table = [comparison for comparison in comparisons if comparison.published.place[0] == table]
        counted: dict[str, int] = dict(count_verdicts(of_table).items())
        rows.append({"table": table, "numbers": len(of_table), **counted})
    counts = count_verdicts(comparisons)
    basis = [f"texts: {redone.texts.source}; vectors: {redone.encoder}"]
    if redone.board.settings.simulated:
        basis.append("this board is simulated: its figures are not the paper's")
    if redone.quick:
        basis.append("a quick run: a tenth of the draws")
    best = redone.relisting("magnitude")
    return Report(
        payload=describe_comparison(redone, comparisons, others),
        frame=pl.DataFrame(rows),
        title=f"The paper's numbers, redone - {redone.board.name}",
        columns=(
            Column("table", "table or section", stretch=True),
            Column("numbers", "numbers"),
            Column("same", "same"),
            Column("within", "within"),
            Column("differs", "differs"),
            Column("not_redone", "not redone"),
        ),
        before=tuple(basis),
        after=(
            f"of {len(comparisons)}: " + "; ".join(f"{counts[verdict]} {words}" for verdict, words in VERDICTS.items()),
            f"level {redone.verdicts.mean('bob', 'level'):.3f}, profile {redone.verdicts.mean('bob', 'profile'):.3f}; "
            f"published .904, .483",
            f"listing again under magnitude weights: τ {best.mean.kendall:.4f}, largest change of rank "
            f"{best.largest.max():.0f}",
            *list_encoders(redone.encoders),
            *(_say_other(other) for other in others),
        ),
    )


def _say_other(other: OtherBoard) -> str:
    verdicts = other.found.verdicts
    rivals = [id_ for id_ in verdicts.methods if not id_.startswith("bob")]
    says = []
    for metric in ("level", "profile"):
        best = max(rivals, key=lambda id_: np.nan_to_num(verdicts.mean(id_, metric), nan=-np.inf))
        says.append(f"{metric} {verdicts.mean('bob', metric):.3f} ({best} {verdicts.mean(best, metric):.3f})")
    return f"on {other.board.name}: {', '.join(says)}"
