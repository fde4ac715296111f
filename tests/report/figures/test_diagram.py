from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import pytest
import vl_convert

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.report.figures.diagram import Arrow, Box, Diagram, Lane, draw_diagram
from balance_of_benchmarks.report.figures.factors import draw_factors
from balance_of_benchmarks.report.figures.pipeline import draw_pipeline

SVG = "{http://www.w3.org/2000/svg}"
FLOW = Diagram(
    "flow",
    "texts become vectors",
    (Box("a", "Texts & words", ("one each",), 0, 0, "texts"), Box("b", "Vectors", (), 0, 1)),
    (Arrow("a", "b", "right", "left", "an encoder makes of them", "texts"),),
    (Lane("from words", ("a",), "texts"),),
)
Frame = tuple[float, float, float, float]


def frames(svg: str, *, outlined: bool) -> list[Frame]:
    """Left, top, right and bottom of the boxes, or of the lanes."""
    rects = [rect for rect in ElementTree.fromstring(svg).iter(f"{SVG}rect") if "rx" in rect.attrib]  # noqa: S314
    found = []
    for rect in rects:
        if (rect.attrib["stroke"] != "none") == outlined:
            x, y, width, height = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
            found.append((x, y, x + width, y + height))
    return found


def overlap(one: Frame, other: Frame) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize(
    "svg", [draw_diagram(FLOW), draw_pipeline(), draw_factors()], ids=["flow", "pipeline", "factors"]
)
def test_no_word_leaves_its_box_and_no_box_touches_another(
    svg: str, rendered_width: Callable[[str, float, bool], float]
) -> None:
    root, boxes = ElementTree.fromstring(svg), frames(svg, outlined=True)  # noqa: S314
    page = (0.0, 0.0, float(root.attrib["width"]), float(root.attrib["height"]))

    assert not any(overlap(one, other) for one, other in combinations(boxes, 2))
    for text in root.iter(f"{SVG}text"):
        x, y, size = (float(text.attrib[name]) for name in ("x", "y", "font-size"))
        half = rendered_width(text.text or "", size, text.get("font-weight") == "bold") / 2
        words = (x - half, y - 0.8 * size, x + half, y + 0.25 * size)
        holders = [box for box in boxes if overlap(words, box)]
        assert len(holders) <= 1
        left, top, right, bottom = holders[0] if holders else page
        assert left <= words[0], text.text
        assert words[2] <= right, text.text
        assert top <= words[1], text.text
        assert words[3] <= bottom, text.text


@pytest.mark.parametrize("draw", [draw_pipeline, draw_factors])
def test_the_papers_diagrams_fit_a_page_say_what_they_show_and_come_out_the_same(draw: Callable[[], str]) -> None:
    svg = draw()
    root = ElementTree.fromstring(svg)  # noqa: S314

    assert float(root.attrib["width"]) <= 640
    assert root.findtext(f"{SVG}title")
    assert len(root.findtext(f"{SVG}desc") or "") > 100
    assert draw() == svg
    assert vl_convert.svg_to_png(svg)[:4] == b"\x89PNG"
    assert vl_convert.svg_to_pdf(svg)[:4] == b"%PDF"


def test_no_arrow_leads_from_scores_to_what_words_decide() -> None:
    boxes = frames(draw_pipeline(), outlined=True)
    words_lane, _ = frames(draw_pipeline(), outlined=False)
    root = ElementTree.fromstring(draw_pipeline())  # noqa: S314
    heads = [path for path in root.iter(f"{SVG}path") if path.attrib["fill"] != "none"]
    from_scores = [head for head in heads if head.attrib["fill"] == "#b8533a"]

    assert len(boxes) == 10
    assert len(from_scores) == 6
    for head in from_scores:
        x, y = map(float, head.attrib["d"][1:].split("L")[0].split())
        assert not overlap((x, y, x, y), words_lane)


def test_words_are_escaped_and_a_label_has_room_between_its_boxes(
    rendered_width: Callable[[str, float, bool], float],
) -> None:
    svg = draw_diagram(FLOW)
    left, right = frames(svg, outlined=True)

    assert "Texts &amp; words" in svg
    assert right[0] - left[2] > rendered_width("an encoder makes of them", 11.0, False)


def test_an_arrow_between_boxes_in_line_is_straight() -> None:
    boxes = (Box("a", "Scores", (), 0, 0), Box("b", "Much wider than that", (), 1, 0))
    svg = draw_diagram(Diagram("f", "d", boxes, (Arrow("a", "b", "bottom", "top"),)))
    line = next(path for path in ElementTree.fromstring(svg).iter(f"{SVG}path") if path.attrib["fill"] == "none")  # noqa: S314
    numbers = line.attrib["d"][1:].replace("C", " ").split()

    assert len(set(numbers[::2])) == 1


def test_a_diagram_that_cannot_be_laid_out_is_refused() -> None:
    first, second = FLOW.boxes
    with pytest.raises(ArrayError, match="without boxes"):
        draw_diagram(replace(FLOW, boxes=()))
    with pytest.raises(ArrayError, match="same name"):
        draw_diagram(replace(FLOW, boxes=(first, replace(second, name="a"))))
    with pytest.raises(ArrayError, match="one cell"):
        draw_diagram(replace(FLOW, boxes=(replace(first, columns=2), second)))
    with pytest.raises(ArrayError, match="'c'"):
        draw_diagram(replace(FLOW, arrows=(Arrow("a", "c", "right", "left"),)))
    with pytest.raises(ArrayError, match="'d'"):
        draw_diagram(replace(FLOW, lanes=(Lane("x", ("d",), "texts"),)))
