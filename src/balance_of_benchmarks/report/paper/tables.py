"""A table of the paper as CSV, Markdown and LaTeX, ours beside the published."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Final

from balance_of_benchmarks.paper.comparison import Comparison, print_value
from balance_of_benchmarks.paper.tables import TOUCHPOINTS, PaperTable
from balance_of_benchmarks.report.latex import escape_latex

__all__ = ["render_table", "render_touchpoints"]

_MARK: Final = {"same": "", "within": "", "differs": "*", "not_redone": "†"}
_LEGEND: Final = "Ours, and the published number in brackets; * differs, † cannot be redone: comparison.md says why."


def render_table(table: PaperTable) -> dict[str, str]:
    """Write a table in every form.

    Parameters
    ----------
    table : PaperTable

    Returns
    -------
    dict of str to str
        By ending: ``.csv`` (each column twice, ours with all digits, then the published), ``.md`` and ``.tex``.
    """
    heads = ["", *(head for _, head in table.columns)]
    body = [[head, *(_show(table.cells.get((row, column))) for column, _ in table.columns)] for row, head in table.rows]
    notes = [f"{head}: {_show(comparison)}" for head, comparison in table.notes]
    return {
        ".csv": _write_csv(table),
        ".md": _write_markdown(table.title, heads, body, notes),
        ".tex": _write_latex(table.name, table.title, heads, body, notes),
    }


def render_touchpoints() -> dict[str, str]:
    """Write the table of places where scores enter, in every form."""
    title, heads = "Where scores enter the method", ["use of scores", "enters as", "role"]
    body = [[point.use, point.enters, point.role] for point in TOUCHPOINTS]
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([heads, *body])
    return {
        ".csv": file.getvalue(),
        ".md": _write_markdown(title, heads, body, [], legend=False),
        ".tex": _write_latex("touchpoints", title, heads, body, [], legend=False),
    }


def _show(comparison: Comparison | None) -> str:
    if comparison is None:
        return ""
    return f"{comparison.printed}{_MARK[comparison.verdict]} ({comparison.published.printed})"


def _write_csv(table: PaperTable) -> str:
    file = io.StringIO()
    out = csv.writer(file, lineterminator="\n")
    out.writerow(["row", "name", *(f"{column}{which}" for column, _ in table.columns for which in ("", "_published"))])
    for row, name in table.rows:
        cells = [table.cells.get((row, column)) for column, _ in table.columns]
        out.writerow([row, name, *(value for cell in cells for value in _both(cell))])
    for _, comparison in table.notes:
        out.writerow([comparison.published.place[2], "", *_both(comparison)])
    return file.getvalue()


def _both(cell: Comparison | None) -> tuple[str, str]:
    if cell is None:
        return "", ""
    ours = "" if cell.ours is None else str(cell.ours)
    return ours, cell.published.printed


def _write_markdown(
    title: str, heads: Sequence[str], body: Sequence[Sequence[str]], notes: Sequence[str], *, legend: bool = True
) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    parts = [f"# {title}", "\n".join([line(heads), line(["---"] * len(heads)), *map(line, body)])]
    parts += ["\n".join(f"- {note}" for note in notes)] if notes else []
    parts += [_LEGEND] if legend else []
    return "\n\n".join(parts) + "\n"


def _write_latex(
    name: str,
    title: str,
    heads: Sequence[str],
    body: Sequence[Sequence[str]],
    notes: Sequence[str],
    *,
    legend: bool = True,
) -> str:
    """Write a table for booktabs, scaled down to the line where it is wide."""

    def line(cells: Sequence[str]) -> str:
        return " & ".join(map(escape_latex, cells)) + r" \\"

    below = [*notes, *([_LEGEND] if legend else [])]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{escape_latex(title)}.}}",
            rf"\label{{tab:{name.replace('_', '-')}}}",
            r"\small",
            r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
            rf"\begin{{tabular}}{{l{'r' * (len(heads) - 1) if legend else 'l' * (len(heads) - 1)}}}",
            r"\toprule",
            line(heads),
            r"\midrule",
            *map(line, body),
            r"\bottomrule",
            r"\end{tabular}}",
            *([rf"\par\smallskip\footnotesize {escape_latex('; '.join(below))}"] if below else []),
            r"\end{table}",
            "",
        ]
    )


def print_difference(comparison: Comparison) -> str:
    """Print ours minus the published number, with one digit more than that has."""
    if comparison.difference is None:
        return "-"
    digits = comparison.published.digits
    if digits is None:
        return print_value(comparison.difference, comparison.published)
    return f"{comparison.difference:+.{digits + 1}f}"
