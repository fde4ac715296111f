"""The table of encoders: the paper's main figures under each that is here, and what the others would take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from balance_of_benchmarks.paper.published import find_published
from balance_of_benchmarks.paper.readings import EncoderRow, Reading, Unread

__all__ = ["describe_encoders", "list_encoders", "tabulate_encoders"]

_COLUMNS: Final = {"qwen3-0.6b": "0.6B", "qwen3-4b": "4B", "qwen3-8b": "8B"}
_FIGURES: Final = ("level", "profile", "copy_shift_ranks")


def describe_encoders(rows: Sequence[EncoderRow]) -> list[dict[str, Any]]:
    """Give the rows as JSON has them.

    Parameters
    ----------
    rows : sequence of EncoderRow

    Returns
    -------
    list of dict
    """
    return [
        {
            "encoder": row.name,
            "main": row.main,
            "level": read.level if read else None,
            "profile": read.profile if read else None,
            "copy_shift_ranks": read.copy_shift if read else None,
            "median_distance": read.space.median if read else None,
            "effective_mass": read.space.effective_mass if read else None,
            "reason": row.reading.reason if isinstance(row.reading, Unread) else None,
        }
        for row in rows
        for read in [row.reading if isinstance(row.reading, Reading) else None]
    ]


def tabulate_encoders(rows: Sequence[EncoderRow]) -> str:
    """Write the rows as a Markdown table, the published figures of the paper's three in brackets.

    Parameters
    ----------
    rows : sequence of EncoderRow

    Returns
    -------
    str
    """
    lines = [
        "| encoder | level | profile | four copies, ranks | W | median, radians |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        name = f"**`{row.name}`**" if row.main else f"`{row.name}`"
        cells = [f"{ours}{_publish(row.name, figure)}" for ours, figure in zip(_print(row), _FIGURES, strict=True)]
        read = row.reading
        rest = ["-", "-"]
        if isinstance(read, Reading):
            rest = [f"{read.space.effective_mass:.2f}", f"{read.space.median:.3f}"]
        lines.append("| " + " | ".join([name, *cells, *rest]) + " |")
    notes = [f"`{row.name}` cannot be redone: {row.reading.reason}." for row in rows if isinstance(row.reading, Unread)]
    said = "Everything else rests on the encoder in bold. Published figures in brackets; h is .45 medians throughout."
    return "\n\n".join(["\n".join(lines), said, *notes])


def list_encoders(rows: Sequence[EncoderRow]) -> tuple[str, ...]:
    """Say for a terminal what was found with each encoder, and which are not here.

    Parameters
    ----------
    rows : sequence of EncoderRow

    Returns
    -------
    tuple of str
    """
    gone = [row.name for row in rows if isinstance(row.reading, Unread)]
    told = [
        f"encoder {row.name}: level {row.reading.level:.3f}, profile {row.reading.profile:.3f}, four copies "
        f"{row.reading.copy_shift:.1f} ranks"
        for row in rows
        if isinstance(row.reading, Reading)
    ]
    if gone:
        told.append(f"weights not here: {', '.join(gone)}; --encoder NAME fetches one and runs it")
    return tuple(told)


def _print(row: EncoderRow) -> tuple[str, str, str]:
    read = row.reading
    if isinstance(read, Unread):
        return "-", "-", "-"
    return f"{read.level:.3f}", f"{read.profile:.3f}", f"{read.copy_shift:.1f}"


def _publish(name: str, figure: str) -> str:
    found = find_published(("encoder_sizes", figure, _COLUMNS.get(name, "")))
    return "" if found is None else f" ({found.printed})"
