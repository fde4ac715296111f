"""The reports on descriptions: what a linter found, and texts without lineage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import polars as pl

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.geometry.wording import DescriptionCheck
from balance_of_benchmarks.report.check import report_findings
from balance_of_benchmarks.report.report import Column, Report
from balance_of_benchmarks.text.describing import Written
from balance_of_benchmarks.text.lineage import Stripped
from balance_of_benchmarks.text.register import count_words

__all__ = ["report_lint", "report_lint_table", "report_stripped", "report_written"]


def report_lint(check: DescriptionCheck) -> Report:
    """Report what was found on a board's descriptions.

    Parameters
    ----------
    check : DescriptionCheck

    Returns
    -------
    Report
        Its JSON has the table of benchmarks too.
    """
    described = check.table["words"].count()
    return report_findings(
        check.findings,
        payload={
            "board": check.board.name,
            "described": described,
            "placements": [placement.name for placement in check.placements],
        },
        more={"benchmarks": check.table.to_dicts()},
        title=f"Descriptions - {check.board.name}",
        before=f"{described} of {check.table.height} benchmarks are described; placed by: {_name_placements(check)}",
    )


def report_lint_table(check: DescriptionCheck) -> Report:
    """Report length, facets and weight of each description.

    Parameters
    ----------
    check : DescriptionCheck

    Returns
    -------
    Report
    """
    lists = [pl.col(name).list.join(", ", ignore_nulls=True) for name in ("missing_facets", "nearest")]
    return Report(
        payload={"board": check.board.name, "benchmarks": check.table.to_dicts()},
        frame=check.table.with_columns(lists),
        title=f"Texts and weights - {check.board.name}",
        columns=(
            Column("name", "benchmark", stretch=True),
            Column("words", "words"),
            Column("sentences", "sentences"),
            Column("template", "template", 2),
            Column("units", "units", 2),
            Column("units_low", "from", 2),
            Column("units_high", "to", 2),
        ),
        before=(f"units: weight, 1.00 being an equal share; from, to: over {_name_placements(check)}",),
        after=("template: share of phrases that three other descriptions have too",),
    )


def report_stripped(board: Board, stripped: Sequence[Stripped]) -> Report:
    """Report proposals of texts without mentions of other benchmarks.

    Parameters
    ----------
    board : Board
    stripped : sequence of Stripped

    Returns
    -------
    Report
        Its CSV has the columns key, description and paraphrase, as ``--benchmarks`` takes them.
    """
    proposed: dict[str, dict[str, str | None]] = {}
    for one in stripped:
        row = proposed.setdefault(one.benchmark, {"key": one.benchmark, "description": None, "paraphrase": None})
        row[one.column] = one.proposed
    texts = [("now", one.text) if kind == "now" else ("proposed", one.proposed) for one in stripped for kind in _KINDS]
    names = [f"{one.benchmark} ({one.column})" for one in stripped for _ in _KINDS]
    return Report(
        payload={"board": board.name, "stripped": [asdict(one) for one in stripped]},
        frame=pl.DataFrame(list(proposed.values()), schema=_TEXTS),
        shown=pl.DataFrame(
            {
                "benchmark": names,
                "kind": [kind for kind, _ in texts],
                "text": [text or "nothing would be left: write it anew" for _, text in texts],
            },
            schema={"benchmark": pl.String, "kind": pl.String, "text": pl.String},
        ),
        title=f"Without lineage - {board.name}",
        columns=(
            Column("benchmark", "benchmark"),
            Column("kind", ""),
            Column("text", "text", stretch=True, wrap=True),
        ),
        before=(
            f"{len(stripped)} texts speak of other benchmarks" if stripped else "no text speaks of another benchmark",
        ),
        after=("Proposals: read them. As CSV they are laid over the board by --benchmarks FILE.",) if stripped else (),
    )


def report_written(board: Board, written: Written) -> Report:
    """Report texts that a model wrote, and those that it did not.

    Parameters
    ----------
    board : Board
    written : Written

    Returns
    -------
    Report
        Its CSV has the columns key, description and paraphrase, as ``--benchmarks`` takes them.
    """
    rows: dict[str, dict[str, str | None]] = {}
    for text in written.texts:
        row = rows.setdefault(text.benchmark, {"key": text.benchmark, "description": None, "paraphrase": None})
        row[text.column] = text.text
    failed = [{"benchmark": one.benchmark, "column": one.column, "reason": why} for one, why in written.failed]
    shown = [(text.benchmark, text.column, count_words(text.text), text.text) for text in written.texts]
    return Report(
        payload={"board": board.name, "written": [asdict(text) for text in written.texts], "failed": failed},
        frame=pl.DataFrame(list(rows.values()), schema=_TEXTS),
        shown=pl.DataFrame(shown, schema=_SHOWN, orient="row"),
        title=f"Written - {board.name}",
        columns=(
            Column("benchmark", "benchmark"),
            Column("column", ""),
            Column("words", "words"),
            Column("text", "text", stretch=True, wrap=True),
        ),
        before=(f"{len(written.texts)} texts, {written.recalled} of them kept from before; {len(failed)} not written",),
        after=tuple(f"not written: {one['benchmark']} {one['column']}: {one['reason']}" for one in failed),
    )


_KINDS = ("now", "proposed")
_SHOWN = {"benchmark": pl.String, "column": pl.String, "words": pl.Int64, "text": pl.String}
_TEXTS = {"key": pl.String, "description": pl.String, "paraphrase": pl.String}


def _name_placements(check: DescriptionCheck) -> str:
    return "; ".join(placement.name for placement in check.placements)
