"""The report of a board's check: findings, and coverage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import polars as pl

from balance_of_benchmarks.board.checks.check import BoardCheck
from balance_of_benchmarks.board.checks.finding import Finding
from balance_of_benchmarks.report.report import Column, Report, printable

__all__ = ["annotate_findings", "report_check", "report_coverage", "report_findings"]

_MOST_ALIKE: Final = 3  # findings of one kind told one by one on a terminal
_SCHEMA: Final = {"kind": pl.String, "severity": pl.String, "where": pl.String, "message": pl.String, "fix": pl.String}
_COMMANDS: Final = {"error": "error", "warning": "warning", "note": "notice"}


def report_check(check: BoardCheck) -> Report:
    """Report what was found on a board.

    Parameters
    ----------
    check : BoardCheck

    Returns
    -------
    Report
        Its JSON has the coverage too.
    """
    board, kept = check.board, check.kept
    m, n = kept.scores.shape
    return report_findings(
        check.findings,
        payload={
            "board": board.name,
            "models": board.models.height,
            "benchmarks": board.benchmarks.height,
            "retained": m,
            "retained_benchmarks": n,
        },
        more={"coverage": check.coverage.to_dicts()},
        title=f"Check - {board.name}",
        before=f"{board.models.height} models, {board.benchmarks.height} benchmarks, {board.cells['score'].count()} "
        f"scores; {m} models and {n} benchmarks would be ranked",
    )


def report_findings(
    findings: Sequence[Finding], *, payload: dict[str, Any], more: dict[str, Any], title: str, before: str
) -> Report:
    """Report findings of whatever was checked.

    Parameters
    ----------
    findings : sequence of Finding
    payload, more : dict
        What the JSON has before and after them.
    title, before : str

    Returns
    -------
    Report
    """
    dicts = [_as_dict(finding) for finding in findings]
    rows = [{**finding, "where": "; ".join(finding["where"])} for finding in dicts]
    numbers = {severity: sum(f.severity == severity for f in findings) for severity in _COMMANDS}
    counts = [f"{number} {severity}{'' if number == 1 else 's'}" for severity, number in numbers.items()]
    return Report(
        payload={**payload, "findings": dicts, **more},
        frame=pl.DataFrame(rows, schema=_SCHEMA),
        shown=pl.DataFrame(list(_shorten(rows)), schema={"severity": pl.String, "finding": pl.String}),
        title=title,
        columns=(Column("severity", ""), Column("finding", "", stretch=True, wrap=True)),
        before=(before, f"found: {', '.join(counts)}" if rows else "nothing found"),
    )


def report_coverage(check: BoardCheck) -> Report:
    """Report how many of the retained models each benchmark has, and how many at its ends.

    Parameters
    ----------
    check : BoardCheck

    Returns
    -------
    Report
    """
    coverage = check.coverage
    return Report(
        payload={"board": check.board.name, "coverage": coverage.to_dicts()},
        frame=coverage,
        title=f"Coverage - {check.board.name}",
        columns=(
            Column("name", "benchmark", stretch=True),
            Column("observed", "observed"),
            Column("null", "null"),
            Column("observed_zero", "zero"),
            Column("near_floor", "at floor", 2),
            Column("near_ceiling", "at ceiling", 2),
        ),
        before=("of the models that would be ranked; at floor, at ceiling: share of the observed within .05 of it",),
    )


def annotate_findings(check: BoardCheck) -> Iterator[str]:
    """Write findings as the lines by which a GitHub workflow annotates its log.

    Parameters
    ----------
    check : BoardCheck

    Yields
    ------
    str
    """
    for finding in check.findings:
        text = printable(f"{finding.message} ({finding.fix})").replace("%", "%25")
        yield f"::{_COMMANDS[finding.severity]} title={finding.kind}::{text}"


def _as_dict(finding: Finding) -> dict[str, Any]:
    return {name: getattr(finding, name) for name in ("kind", "severity", "where", "message", "fix")}


def _shorten(rows: list[dict[str, str]]) -> Iterator[dict[str, str]]:
    """Tell findings for a terminal: the first few of a kind, each with what to do about it."""
    told: dict[str, int] = {}
    for place, row in enumerate(rows):
        kind = row["kind"]
        told[kind] = told.get(kind, 0) + 1
        if told[kind] <= _MOST_ALIKE:
            yield {"severity": row["severity"], "finding": f"{kind}: {row['message']}. -> {row['fix']}"}
        rest = sum(other["kind"] == kind for other in rows[place + 1 :])
        if told[kind] == _MOST_ALIKE and rest:
            yield {"severity": "", "finding": f"... and {rest} more {kind}; --format json has them all"}
