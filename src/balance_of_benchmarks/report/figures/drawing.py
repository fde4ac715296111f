"""Figures to files: SVG, PDF and PNG of a chart or of a drawn SVG, and the chart's own specification."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import vl_convert

from balance_of_benchmarks.errors import BobError
from balance_of_benchmarks.transport.files import write_atomically

__all__ = ["Figure", "find_ending", "render_drawing", "write_figure"]

# Sharp on paper at the width of a column.
_SCALE: Final = 2.0
_ENDINGS: Final = (".svg", ".pdf", ".png")
_SPECIFICATION: Final = ".json"
_BOLD: Final = re.compile('<text[^>]*font-weight="bold"[^>]*>')
_BOLD_LINE: Final = 0.04
"""Of the size of letters: as thick as bold looks beside plain."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure, as a chart's specification or drawn as SVG.

    Parameters
    ----------
    name : str
        Of its files.
    caption : str
    drawn : dict or str
        A Vega-Lite specification, or SVG.
    """

    name: str
    caption: str
    drawn: dict[str, Any] | str


def write_figure(figure: Figure, folder: Path) -> tuple[Path, ...]:
    """Write a figure in every form.

    Parameters
    ----------
    figure : Figure
    folder : Path
        Made where it is not there.

    Returns
    -------
    tuple of Path
        SVG, PDF and PNG; for a chart its specification first, as ``.vl.json``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = {folder / f"{figure.name}{ending}": render_drawing(figure.drawn, ending) for ending in _ENDINGS}
    if not isinstance(figure.drawn, str):
        files = {folder / f"{figure.name}.vl.json": render_drawing(figure.drawn, _SPECIFICATION), **files}
    for path, content in files.items():
        write_atomically(path, content)
    return tuple(files)


def find_ending(path: Path) -> str:
    """Give the form that a file's name asks for.

    Parameters
    ----------
    path : Path

    Returns
    -------
    str
        ``.svg``, ``.pdf``, ``.png`` or ``.json``.

    Raises
    ------
    BobError
        For any other.
    """
    ending = path.suffix.lower()
    if ending not in (*_ENDINGS, _SPECIFICATION):
        raise BobError(f"{path}: a chart is written as .svg, .pdf, .png or .json, got {ending or 'no ending'!r}")
    return ending


def render_drawing(drawn: dict[str, Any] | str, ending: str) -> bytes:
    """Make a file's content of a drawing.

    Parameters
    ----------
    drawn : dict or str
        A Vega-Lite specification, or SVG.
    ending : str
        As `find_ending` gives it; ``.json`` for a specification only.

    Returns
    -------
    bytes
    """
    if ending == _SPECIFICATION:
        return (json.dumps(drawn, ensure_ascii=False, indent=1) + "\n").encode()
    svg = drawn if isinstance(drawn, str) else str(vl_convert.vegalite_to_svg(drawn))
    if ending == ".svg":
        return svg.encode()
    if ending == ".png":
        return bytes(vl_convert.svg_to_png(svg, scale=_SCALE))
    return bytes(vl_convert.svg_to_pdf(_BOLD.sub(_embolden, svg)))


def _embolden(text: re.Match[str]) -> str:
    """Draw bold letters with the plain font's and a line around them.

    The renderer lists a PDF's fonts in any order, another from run to run: with one font there is one.
    """
    tag = text[0].replace('font-weight="bold"', "")
    size, colour = (re.search(rf' {name}="([^"p]+)', tag) for name in ("font-size", "fill"))
    if " stroke=" in tag or size is None or colour is None:  # a halo behind letters has its line
        return tag
    line = f'stroke="{colour[1]}" stroke-width="{float(size[1]) * _BOLD_LINE:.2f}"'
    return tag.replace("<text", f"<text {line}", 1)
