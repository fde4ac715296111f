"""The paper's eight figures from what was redone."""

from __future__ import annotations

from itertools import combinations
from typing import Final

import numpy as np

from balance_of_benchmarks.evaluation.methods import METHODS
from balance_of_benchmarks.evaluation.relisting import Relistable
from balance_of_benchmarks.evaluation.splits import close_families
from balance_of_benchmarks.paper.protocol import CLOSE_PAIRS
from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.report.figures.bandwidths import MassAtBandwidth, draw_bandwidths
from balance_of_benchmarks.report.figures.captions import caption_figure
from balance_of_benchmarks.report.figures.densification import AddedMass, ListedMass, PlacedPair, draw_densification
from balance_of_benchmarks.report.figures.drawing import Figure
from balance_of_benchmarks.report.figures.factors import draw_factors
from balance_of_benchmarks.report.figures.forest import ForestRow, draw_forest
from balance_of_benchmarks.report.figures.panels import join_panels
from balance_of_benchmarks.report.figures.pipeline import draw_pipeline
from balance_of_benchmarks.report.figures.relisting import RelistedRanking, Role, draw_relisting
from balance_of_benchmarks.report.figures.saturation import SaturatedColumn, draw_saturation
from balance_of_benchmarks.report.figures.shuffles import draw_shuffles
from balance_of_benchmarks.report.figures.teaser import NearPair, WeightShare, draw_teaser
from balance_of_benchmarks.report.figures.theme import Drawn

__all__ = ["draw_figures"]

_SATURATED: Final = ("aime", "math_500")
_PAIR_LABELS: Final = ("AIME and AIME'25", "both Terminal-Benches")
_RANKINGS: Final[tuple[tuple[Relistable, str, Role], ...]] = (
    ("magnitude", "magnitude weights", "exact"),
    ("inverse_density", "inverse density", "ours"),
    ("equal_z", "equal weight", "rival"),
)


def draw_figures(redone: Redone) -> tuple[Figure, ...]:
    """Draw all eight.

    Parameters
    ----------
    redone : Redone

    Returns
    -------
    tuple of Figure
        In the order of the paper.
    """
    return (
        caption_figure("teaser", _draw_teaser(redone)),
        caption_figure("pipeline", draw_pipeline()),
        caption_figure("densification", _draw_densification(redone)),
        caption_figure("relisting", _draw_relisting(redone)),
        caption_figure("aggregation_controls", _draw_controls(redone)),
        caption_figure("bandwidths_and_shuffles", _draw_checks(redone)),
        caption_figure("saturation", _draw_saturation(redone)),
        caption_figure("factors", draw_factors()),
    )


def _names(redone: Redone) -> list[str]:
    return redone.model.kept_.benchmarks["name"].to_list()


def _near(redone: Redone) -> set[str]:
    """Benchmarks of the paper's close pairs, and whatever else these vectors put as near."""
    families = close_families(redone.study)
    return {key for pair in CLOSE_PAIRS for key in pair} | {redone.keys[i] for i in families}


def _pair_distances(redone: Redone) -> list[float]:
    space = redone.study.space
    return [float(space.distances[redone.position(first), redone.position(second)]) for first, second in CLOSE_PAIRS]


def _draw_teaser(redone: Redone) -> Drawn:
    space, near = redone.study.space, _near(redone)
    distances = [float(space.distances[i, j]) for i, j in combinations(range(len(redone.keys)), 2)]
    shares = [
        WeightShare(name, float(share), key in near)
        for name, share, key in zip(_names(redone), space.shares, redone.keys, strict=True)
    ]
    pairs = [NearPair(*pair) for pair in zip(_PAIR_LABELS, _pair_distances(redone), strict=True)]
    return draw_teaser(distances, shares, median=space.median, pairs=pairs)


def _draw_densification(redone: Redone) -> Drawn:
    added, space, near = redone.curve_added, redone.study.space, _near(redone)
    curve = [
        AddedMass(*map(float, point))
        for point in zip(added.distance, added.mean, added.deviation, added.isolated, strict=True)
    ]
    listed = [
        ListedMass(name, float(mass), key in near)
        for name, mass, key in zip(_names(redone), space.masses, redone.keys, strict=True)
    ]
    pairs = [
        PlacedPair(label, distance, float(np.interp(distance, added.distance, added.mean)))
        for label, distance in zip(_PAIR_LABELS, _pair_distances(redone), strict=True)
    ]
    return draw_densification(curve, listed, pairs=pairs, placements=added.mass.shape[1])


def _draw_relisting(redone: Redone) -> Drawn:
    return draw_relisting(
        [
            RelistedRanking(
                label,
                tuple(one.copies for one in redone.relistings[weighting]),
                tuple(one.mean.kendall for one in redone.relistings[weighting]),
                role,
            )
            for weighting, label, role in _RANKINGS
        ]
    )


def _draw_controls(redone: Redone) -> Drawn:
    titles = {method.id: method.title for method in METHODS}
    rows = [
        ForestRow(titles[test.result.against], test.result.difference, test.result.low, test.result.high, test.metric)
        for metric in ("profile", "isotonic")
        for test in redone.tests["all"]
        if test.family == "control" and test.metric == metric
    ]
    return draw_forest(rows, axis="ours less the control (right of the line: ours is better)")


def _draw_checks(redone: Redone) -> Drawn:
    space = redone.study.space
    multiples, masses = redone.masses
    curve = [MassAtBandwidth(float(multiple), float(mass)) for multiple, mass in zip(multiples, masses, strict=True)]
    return join_panels(
        [
            draw_bandwidths(
                curve,
                listed=len(redone.keys),
                chosen=MassAtBandwidth(space.rule.density_bandwidth, space.effective_mass),
                closest=space.closest_pairs(1)[0].distance / space.median,
                title="Effective mass by bandwidth",
            ),
            draw_shuffles(
                redone.shuffling.shuffled_profile.tolist(), redone.shuffling.profile, title="Shuffled descriptions"
            ),
        ]
    )


def _draw_saturation(redone: Redone) -> Drawn:
    fit, names = redone.model.fit_, _names(redone)
    columns = []
    for key in _SATURATED:
        i = redone.position(key)
        seen = ~np.isnan(redone.study.scores[:, i])
        columns.append(
            SaturatedColumn(
                names[i],
                tuple(fit.ability[seen].tolist()),
                tuple(redone.study.scores[seen, i].tolist()),
                float(fit.discrimination[i]),
                float(fit.difficulty[i]),
            )
        )
    return draw_saturation(columns)
