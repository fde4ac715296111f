"""Diagrams as SVG: boxes on a grid as wide as their words need, arrows between them, lanes behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal
from xml.sax.saxutils import escape

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.grid import Frame, accumulate, share_out
from balance_of_benchmarks.report.figures.lettering import measure_text
from balance_of_benchmarks.report.figures.theme import EXACT, INK, MUTED, OURS, RIVAL

__all__ = ["Arrow", "Box", "Diagram", "Lane", "draw_diagram"]

Look = Literal["texts", "scores", "result", "plain"]
Side = Literal["left", "right", "top", "bottom"]

_TITLE: Final = 12.5  # size of a box's name
_LINE: Final = 11.0  # and of the words below it
_LEADING: Final = 15.0  # pixels from one line to the next
_PAD: Final = 10.0  # between a box's edge and its words
_EDGE: Final = 8.0  # around everything
_HEAD: Final = 7.0  # length of an arrow's head
_LEAST_REACH: Final = 10.0  # how far an arrow goes straight out, at least
_CORNER: Final = 14.0  # how near to a corner one may meet a box
_UPRIGHT: Final = ("left", "right")
_AROUND: Final = 9.0  # from a lane's edge to its boxes
_LANE_TITLE: Final = 22.0
# Outline, fill of a box, fill of a lane: the outlines differ in dashes too, for a reader of grey.
_LOOKS: Final[dict[Look, tuple[str, str, str]]] = {
    "texts": (OURS, "#ffffff", "#e9f0f8"),
    "scores": (RIVAL, "#ffffff", "#faefeb"),
    "result": (EXACT, "#e6f3ec", "#e6f3ec"),
    "plain": (MUTED, "#ffffff", "#f4f4f4"),
}
_DASHES: Final[dict[Look, str]] = {"scores": ' stroke-dasharray="6 2"'}


@dataclass(frozen=True, slots=True)
class Box:
    """Something that is given or computed, in a cell of the grid or over several.

    Parameters
    ----------
    name : str
        By which arrows know it.
    title : str
    lines : tuple of str
        Below the title; none is broken.
    row, column : int
        Of its first cell.
    look : {"texts", "scores", "result", "plain"}
        What it is made of.
    rows, columns : int
        How many cells it takes.
    """

    name: str
    title: str
    lines: tuple[str, ...]
    row: int
    column: int
    look: Look = "plain"
    rows: int = 1
    columns: int = 1


@dataclass(frozen=True, slots=True)
class Arrow:
    """From one box to another.

    Parameters
    ----------
    start, end : str
        Names of boxes.
    leaves, enters : {"left", "right", "top", "bottom"}
        Sides of the two.
    label : str
        Written upon it.
    look : {"texts", "scores", "result", "plain"}
        What it carries.
    """

    start: str
    end: str
    leaves: Side
    enters: Side
    label: str = ""
    look: Look = "plain"


@dataclass(frozen=True, slots=True)
class Lane:
    """A field behind boxes that belong together; it holds no other.

    Parameters
    ----------
    title : str
        Above the boxes.
    boxes : tuple of str
        Their names.
    look : {"texts", "scores", "result", "plain"}
    """

    title: str
    boxes: tuple[str, ...]
    look: Look


@dataclass(frozen=True, slots=True)
class Diagram:
    """A whole diagram.

    Parameters
    ----------
    title, description : str
        For readers who do not see it.
    boxes : tuple of Box
    arrows : tuple of Arrow
    lanes : tuple of Lane
    across, down : float
        Pixels between columns, or more where an arrow's label needs them, and between rows.
    """

    title: str
    description: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...] = ()
    lanes: tuple[Lane, ...] = ()
    across: float = 22.0
    down: float = 38.0


def draw_diagram(diagram: Diagram) -> str:
    """Lay a diagram out and write it as SVG.

    Parameters
    ----------
    diagram : Diagram

    Returns
    -------
    str
        Columns are as wide and rows as high as the words in them need, in whatever sans-serif font.

    Raises
    ------
    ArrayError
        Where there is no box, two have one name or one cell, or an arrow or a lane names none.

    Examples
    --------
    >>> boxes = (Box("a", "Texts", (), 0, 0), Box("b", "Vectors", ("one each",), 1, 0))
    >>> svg = draw_diagram(Diagram("flow", "texts become vectors", boxes, (Arrow("a", "b", "bottom", "top"),)))
    >>> svg.count("<rect"), svg.count("<path")
    (3, 2)
    """
    _check(diagram)
    frames = _lay_out(diagram)
    lanes = [(lane, _surround(lane, frames)) for lane in diagram.lanes]
    everything = [*frames.values(), *(frame for _, frame in lanes)]
    width = max(frame.right for frame in everything) + _EDGE
    height = max(frame.bottom for frame in everything) + _EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="sans-serif" role="img">',
        f"<title>{escape(diagram.title)}</title>",
        f"<desc>{escape(diagram.description)}</desc>",
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
    ]
    for lane, frame in lanes:
        colour, _, fill = _LOOKS[lane.look]
        parts.append(_write_frame(frame, fill, "none"))
        parts.append(_write(lane.title, frame.middle[0], frame.top + 16, _LINE + 0.5, colour, bold=True))
    parts += _write_arrows(diagram.arrows, frames)
    for box in diagram.boxes:
        parts += _write_box(box, frames[box.name])
    return "\n".join([*parts, "</svg>", ""])


def _check(diagram: Diagram) -> None:
    if not diagram.boxes:
        raise ArrayError("a diagram without boxes: expected at least one")
    names = [box.name for box in diagram.boxes]
    if len(set(names)) < len(names):
        raise ArrayError("two boxes have the same name: expected one name each")
    cells = [cell for box in diagram.boxes for cell in _cells(box)]
    if len(set(cells)) < len(cells):
        raise ArrayError("two boxes lie on one cell of the grid: expected a cell, or several, for each alone")
    asked = [name for arrow in diagram.arrows for name in (arrow.start, arrow.end)]
    for name in [*asked, *(name for lane in diagram.lanes for name in lane.boxes)]:
        if name not in names:
            raise ArrayError(f"no box is named {name!r}: expected one of {', '.join(names)}")


def _cells(box: Box) -> list[tuple[int, int]]:
    return [(box.row + i, box.column + j) for i in range(box.rows) for j in range(box.columns)]


def _lay_out(diagram: Diagram) -> dict[str, Frame]:
    """Give every box its place: columns as wide and rows as high as what is in them, those of a lane apart."""
    boxes = diagram.boxes
    n_rows, n_columns = max(box.row + box.rows for box in boxes), max(box.column + box.columns for box in boxes)
    across = [diagram.across] * (n_columns - 1)
    by_name = {box.name: box for box in boxes}
    for arrow in diagram.arrows:
        start, end = by_name[arrow.start], by_name[arrow.end]
        if arrow.label and {arrow.leaves, arrow.enters} <= {"left", "right"}:
            gap = max(start.column, end.column) - 1
            across[gap] = max(across[gap], measure_text(arrow.label, _LINE) + 2 * _HEAD + 12)
    down = [diagram.down] * (n_rows - 1)
    widths = share_out([(box.column, box.columns, _width(box)) for box in boxes], across)
    heights = share_out([(box.row, box.rows, _height(box)) for box in boxes], down)
    first = _EDGE + (_AROUND if diagram.lanes else 0.0)
    lefts = accumulate(widths, across, first)
    tops = accumulate(heights, down, first + (_LANE_TITLE if diagram.lanes else 0.0))
    frames = {}
    for box in boxes:
        last_column, last_row = box.column + box.columns - 1, box.row + box.rows - 1
        frames[box.name] = Frame(
            lefts[box.column],
            tops[box.row],
            lefts[last_column] + widths[last_column],
            tops[last_row] + heights[last_row],
        )
    return frames


def _width(box: Box) -> float:
    return 2 * _PAD + max(
        [measure_text(box.title, _TITLE, bold=True), *(measure_text(line, _LINE) for line in box.lines)]
    )


def _height(box: Box) -> float:
    return 2 * _PAD + _LEADING * (1 + len(box.lines))


def _surround(lane: Lane, frames: dict[str, Frame]) -> Frame:
    held = [frames[name] for name in lane.boxes]
    return Frame(
        min(frame.left for frame in held) - _AROUND,
        min(frame.top for frame in held) - _AROUND - _LANE_TITLE + 4,
        max(frame.right for frame in held) + _AROUND,
        max(frame.bottom for frame in held) + _AROUND,
    )


def _write_box(box: Box, frame: Frame) -> list[str]:
    colour, fill, _ = _LOOKS[box.look]
    x, y = frame.middle
    baseline = y - _LEADING * (1 + len(box.lines)) / 2 + 11.5
    words = [_write(box.title, x, baseline, _TITLE, INK, bold=True)]
    words += [_write(line, x, baseline + _LEADING * (i + 1), _LINE, INK) for i, line in enumerate(box.lines)]
    return [_write_frame(frame, fill, colour, _DASHES.get(box.look, "")), *words]


def _write_frame(frame: Frame, fill: str, stroke: str, more: str = "") -> str:
    size = f'width="{frame.right - frame.left:.1f}" height="{frame.bottom - frame.top:.1f}"'
    look = f'fill="{fill}" stroke="{stroke}" stroke-width="1.5"{more}'
    return f'<rect x="{frame.left:.1f}" y="{frame.top:.1f}" {size} rx="6" {look}/>'


def _write(words: str, x: float, y: float, size: float, colour: str, *, bold: bool = False, more: str = "") -> str:
    weight = ' font-weight="bold"' if bold else ""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="middle"'
    return f'<text {place} font-size="{size:g}"{weight} fill="{colour}"{more}>{escape(words)}</text>'


def _write_arrows(arrows: Sequence[Arrow], frames: dict[str, Frame]) -> list[str]:
    """Draw arrows as curves that leave and enter at right angles, and their labels upon them."""
    lines, labels = list[str](), list[str]()
    for arrow in arrows:
        colour = _LOOKS[arrow.look][0]
        (x1, y1), (x2, y2) = _find_ends(arrow, arrows, frames)
        (out_x, out_y), (in_x, in_y) = _outward(arrow.leaves), _outward(arrow.enters)
        # The curve ends where the head begins.
        x3, y3 = x2 + in_x * _HEAD, y2 + in_y * _HEAD
        reach = max(0.5 * abs((x3 - x1) * out_x + (y3 - y1) * out_y), _LEAST_REACH)
        curve = [(x1 + out_x * reach, y1 + out_y * reach), (x3 + in_x * reach, y3 + in_y * reach), (x3, y3)]
        path = f"M{x1:.1f} {y1:.1f}C" + " ".join(f"{x:.1f} {y:.1f}" for x, y in curve)
        lines.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        head = [(x2, y2), (x3 - in_y * 4, y3 + in_x * 4), (x3 + in_y * 4, y3 - in_x * 4)]
        lines.append(f'<path d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in head)}Z" fill="{colour}"/>')
        if arrow.label:
            labels.append(_write(arrow.label, (x1 + x2) / 2, (y1 + y2) / 2 - 5, _LINE, colour))
    return lines + labels


def _outward(side: Side) -> tuple[float, float]:
    return {"left": (-1.0, 0.0), "right": (1.0, 0.0), "top": (0.0, -1.0), "bottom": (0.0, 1.0)}[side]


def _find_ends(
    arrow: Arrow, arrows: Sequence[Arrow], frames: dict[str, Frame]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Find where an arrow leaves and enters: evenly spaced along a side, or straight across where it has one alone."""
    start, end = frames[arrow.start], frames[arrow.end]
    leaves = _find_place(arrow, arrow.start, arrow.leaves, arrows, frames)
    enters = _find_place(arrow, arrow.end, arrow.enters, arrows, frames)
    if (arrow.leaves in _UPRIGHT) == (arrow.enters in _UPRIGHT):
        if _count_at(arrow.end, arrow.enters, arrows) == 1:
            enters = _hold_within(leaves, end, arrow.enters)
        elif _count_at(arrow.start, arrow.leaves, arrows) == 1:
            leaves = _hold_within(enters, start, arrow.leaves)
    return _point(leaves, start, arrow.leaves), _point(enters, end, arrow.enters)


def _find_place(arrow: Arrow, name: str, side: Side, arrows: Sequence[Arrow], frames: dict[str, Frame]) -> float:
    """Find an arrow's place along a side, among the others there by where their other ends lie."""
    axis = 1 if side in _UPRIGHT else 0
    others = {
        one: frames[other].middle[axis]
        for one in arrows
        for box, at, other in ((one.start, one.leaves, one.end), (one.end, one.enters, one.start))
        if box == name and at == side
    }
    place = sorted(others, key=others.__getitem__).index(arrow)
    low, high = _stretch(frames[name], side)
    return low + (place + 1) / (len(others) + 1) * (high - low)


def _count_at(name: str, side: Side, arrows: Sequence[Arrow]) -> int:
    return sum((name, side) in ((arrow.start, arrow.leaves), (arrow.end, arrow.enters)) for arrow in arrows)


def _hold_within(place: float, frame: Frame, side: Side) -> float:
    low, high = _stretch(frame, side)
    return min(max(place, low + _CORNER), high - _CORNER)


def _stretch(frame: Frame, side: Side) -> tuple[float, float]:
    return (frame.top, frame.bottom) if side in _UPRIGHT else (frame.left, frame.right)


def _point(place: float, frame: Frame, side: Side) -> tuple[float, float]:
    if side in _UPRIGHT:
        return (frame.left if side == "left" else frame.right), place
    return place, (frame.top if side == "top" else frame.bottom)
