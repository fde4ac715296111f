"""One look for every figure: colours, type, lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import altair as alt

__all__ = ["EXACT", "FAINT", "INK", "MARK", "MARKED", "MUTED", "OURS", "RIVAL", "Drawn", "dress", "tabulate"]

# Told apart by people who do not see red and green, on white paper, and in grey.
OURS: Final = "#2f6db3"
RIVAL: Final = "#b8533a"
EXACT: Final = "#2b8a5a"
MARK: Final = "#e08a1e"
MARKED: Final = "#a35f08"
"""Words about what is marked: dark enough to be read."""
INK: Final = "#222222"
MUTED: Final = "#6b6b6b"
FAINT: Final = "#e2e2e2"

_FONT: Final = "sans-serif"
_CONFIG: Final[dict[str, Any]] = {
    "background": "white",
    "font": _FONT,
    "view": {"stroke": None},
    "axis": {
        "domainColor": MUTED,
        "tickColor": MUTED,
        "gridColor": FAINT,
        "labelColor": INK,
        "titleColor": INK,
        "titleFontWeight": "normal",
        "labelFontSize": 11,
        "titleFontSize": 12,
        "labelLimit": 260,
    },
    "legend": {
        "labelColor": INK,
        "titleColor": INK,
        "titleFontWeight": "normal",
        "labelFontSize": 11,
        "titleFontSize": 11,
        "labelLimit": 260,
        "symbolStrokeWidth": 2,
    },
    "title": {"color": INK, "fontSize": 13, "anchor": "start", "fontWeight": "bold", "offset": 8},
    "range": {"category": [OURS, RIVAL, EXACT, MARK, MUTED]},
}

Drawn = alt.Chart | alt.LayerChart | alt.FacetChart | alt.HConcatChart | alt.VConcatChart
"""A chart of any make-up."""

# Digits that a reader could see, and no more: the rest differs from one processor to another.
_DIGITS: Final = 6


def dress(chart: Drawn) -> Drawn:
    """Give a finished chart the common look.

    Parameters
    ----------
    chart : altair chart
        At its top level: a part of another chart takes its look from that.

    Returns
    -------
    altair chart
    """
    dressed: Drawn = chart.configure(**_CONFIG)
    return dressed


def tabulate(rows: Sequence[dict[str, Any]]) -> alt.InlineData:
    """Make a chart's data of rows, numbers rounded to what can be seen.

    Parameters
    ----------
    rows : sequence of dict

    Returns
    -------
    altair.InlineData
    """
    return alt.InlineData(
        values=[
            {name: round(value, _DIGITS) if isinstance(value, float) else value for name, value in row.items()}
            for row in rows
        ]
    )
