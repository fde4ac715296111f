"""Charts side by side, lettered as a paper letters them."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase
from typing import Final

import altair as alt

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.theme import Drawn, dress

__all__ = ["join_panels"]

_BETWEEN: Final = 26  # pixels


def join_panels(panels: Sequence[Drawn], *, columns: int = 2) -> Drawn:
    """Put finished charts into one figure, each with a letter before its title.

    Parameters
    ----------
    panels : sequence of altair chart
        As the drawing functions give them, with or without titles; they stay as they are.
    columns : int
        How many stand beside each other; the rest go below.

    Returns
    -------
    altair chart

    Raises
    ------
    ArrayError
        For fewer than two panels, or no column.

    Examples
    --------
    >>> from balance_of_benchmarks.report.figures.bars import Bar, draw_bars
    >>> bars = draw_bars([Bar("a", 1.0)], axis="mass", title="what each adds")
    >>> [panel["title"]["text"] for panel in join_panels([bars, bars]).to_dict()["vconcat"][0]["hconcat"]]
    ['(a) what each adds', '(b) what each adds']
    """
    if len(panels) < 2:
        raise ArrayError(f"{len(panels)} panels to join: expected at least 2")
    if columns < 1:
        raise ArrayError(f"{columns} columns of panels: expected at least 1")
    lettered = [_letter(panel, f"({ascii_lowercase[i]})") for i, panel in enumerate(panels)]
    rows = [
        alt.hconcat(*lettered[start : start + columns], spacing=_BETWEEN).resolve_scale(color="independent")
        for start in range(0, len(lettered), columns)
    ]
    return dress(alt.vconcat(*rows, spacing=_BETWEEN))


def _letter(panel: Drawn, letter: str) -> Drawn:
    """Copy a chart with its letter, without the look that only a whole figure may carry."""
    copied = panel.copy(deep=True)
    copied.config = alt.Undefined
    title = panel.title if isinstance(panel.title, str) else ""
    copied.title = alt.TitleParams(f"{letter} {title}".rstrip(), frame="bounds")
    return copied
