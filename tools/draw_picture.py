"""Draw the README's picture: what listing a benchmark again does to a ranking, by weighting.

Every benchmark of the demo board is listed again, one to ten times, and the board is ranked anew; the picture
shows how far the model that moves most moves, averaged over the fourteen benchmarks. ``--check`` computes it
again and compares with what is in the repository; run by ``make check``.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Final, get_args

import numpy as np

import balance_of_benchmarks as bob
from balance_of_benchmarks.geometry.space import Weighting
from balance_of_benchmarks.ranking.order import place_models

PICTURE: Final = Path(__file__).parents[1] / "docs" / "relisting.svg"
MOST_COPIES: Final = 10
# Another processor may round a near tie the other way; more than that is another result.
TOLERANCE: Final = 1.0
LABELS: Final[dict[str, tuple[str, str]]] = {
    "equal": ("equal weights", "#b8533a"),
    "inverse_density": ("inverse density (the paper)", "#2f6db3"),
    "magnitude": ("magnitude: exactly nothing", "#2b8a5a"),
}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 380, 64, 210, 64, 52


def measure_displacement() -> dict[str, list[float]]:
    """Mean over benchmarks of the largest change of rank, for 0 to ten added copies, by weighting."""
    kept = bob.read_board("demo").retain()
    vectors, texts = bob.embed(kept.descriptions), kept.descriptions
    displacement: dict[str, list[float]] = {}
    for weighting in get_args(Weighting):
        series = []
        for copies in range(MOST_COPIES + 1):
            moved = [
                np.abs(
                    _rank(vectors, texts, kept, weighting, twin, copies) - _rank(vectors, texts, kept, weighting, 0, 0)
                ).max()
                for twin in range(kept.scores.shape[1])
            ]
            series.append(round(float(np.mean(moved)), 2))
        displacement[weighting] = series
    return {name: displacement[name] for name in LABELS}


def _rank(
    vectors: np.ndarray, texts: list[str | None], kept: bob.RankableBoard, weighting: Weighting, twin: int, copies: int
) -> np.ndarray:
    place = [*range(len(texts)), *[twin] * copies]
    space = bob.measure_space(vectors[place], texts=[texts[i] for i in place], weighting=weighting)
    fit = bob.fit_scores(kept.scores[:, place], space.weights, n_items=kept.n_items[place])
    # Ranks by ability rounded far below any difference that means anything, so that equal ones stay equal.
    return place_models(np.round(fit.ability, 9))


def draw(displacement: dict[str, list[float]]) -> str:
    """Draw the series as a line chart that carries its numbers in its description."""
    highest = 20 * int(np.ceil(max(map(max, displacement.values())) / 20))

    def x(copies: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * copies / MOST_COPIES

    def y(ranks: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * ranks / highest

    def text(at_x: float, at_y: float, words: str, colour: str = "#555", anchor: str = "start", more: str = "") -> str:
        return f'<text x="{at_x:.1f}" y="{at_y:.1f}" fill="{colour}" text-anchor="{anchor}"{more}>{words}</text>'

    subtitle = "largest change of rank among 605 models, mean over 14 benchmarks; simulated board"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"',
        '     font-size="13">',
        "<title>Listing a benchmark again: ranks moved by the model that moves most</title>",
        f"<desc>{json.dumps(displacement)}</desc>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        text(LEFT, 26, "List one benchmark again: who moves?", "#222", more=' font-size="16" font-weight="bold"'),
        text(LEFT, 46, subtitle),
        text(x(MOST_COPIES / 2), HEIGHT - 12, "copies added", anchor="middle"),
    ]
    for tick in range(0, highest + 1, highest // 4):
        ends = f'x1="{LEFT}" x2="{x(MOST_COPIES):.0f}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"'
        parts += [f'<line {ends} stroke="#e2e2e2"/>', text(LEFT - 8, y(tick) + 4, str(tick), anchor="end")]
    for copies in range(0, MOST_COPIES + 1, 2):
        parts.append(text(x(copies), HEIGHT - BOTTOM + 20, str(copies), anchor="middle"))
    for name, series in displacement.items():
        label, colour = LABELS[name]
        line = " ".join(f"{x(copies):.1f},{y(ranks):.1f}" for copies, ranks in enumerate(series))
        end_x, end_y = x(MOST_COPIES), y(series[-1])
        parts += [
            f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2.5"/>',
            f'<circle cx="{end_x:.1f}" cy="{end_y:.1f}" r="4" fill="{colour}"/>',
            text(end_x + 10, end_y + 4, label, colour),
        ]
    return "\n".join([*parts, "</svg>", ""])


def main() -> int:
    """Draw the picture, or check the one that is there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    displacement = measure_displacement()
    if not parser.parse_args().check:
        PICTURE.write_text(draw(displacement), encoding="utf-8")
        return 0
    text = PICTURE.read_text(encoding="utf-8")
    found = re.search(r"<desc>(.*)</desc>", text)
    shown: dict[str, list[float]] = json.loads(found.group(1)) if found else {}
    same = shown.keys() == displacement.keys() and text == draw(shown)
    same = same and all(np.abs(np.subtract(shown[name], displacement[name])).max() <= TOLERANCE for name in shown)
    print(f"{PICTURE.name}: {'as computed' if same else 'differs from what is computed: run tools/draw_picture.py'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
