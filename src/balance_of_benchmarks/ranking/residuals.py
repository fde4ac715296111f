"""What models do beyond their ability, at the distinct points of a list: what a task's field is made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Final

import numpy as np

from balance_of_benchmarks.correlation import average_ranks
from balance_of_benchmarks.equating.result import Fit
from balance_of_benchmarks.types import BoolArray, FloatArray, IntArray

__all__ = ["PatternGroup", "PointResiduals", "rank_residuals"]

# Numbers in one stack of factorizations; 32 MB of them.
_STACKED: Final = 4_000_000
# Of a normal score: where ability tells a benchmark's order this well, what is left is ties and rounding.
_SMALLEST: Final = 0.05
_FEWEST: Final = 3  # a line leaves nothing of two


@dataclass(frozen=True, slots=True, eq=False)
class PatternGroup:
    """Models observed on equally many points, so that their equations can be solved in one stack.

    Parameters
    ----------
    points : ndarray of int, shape (Q, n)
        A row a pattern: the points observed.
    model : ndarray of int, shape (m,)
        Those of one pattern together.
    pattern : ndarray of int, shape (m,)
        Which row is each model's; ascending.
    """

    points: IntArray
    model: IntArray
    pattern: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class PointResiduals:
    """Residuals of a fit at the distinct points of its list, and who was observed where.

    Parameters
    ----------
    fit : Fit
    curve : ndarray of shape (M, P)
        Mean over the copies observed of r √w, which is r clipped at the fit's `robust_cap` until w is at its floor;
        0 where none was observed.
    rank : ndarray of shape (M, P)
        Mean over them of `rank_residuals`.
    point : ndarray of int, shape (N,)
        Which of them is each benchmark's.
    groups : tuple of PatternGroup
        Models by what they were observed on; one without ability is in none.
    """

    fit: Fit
    curve: FloatArray
    rank: FloatArray
    point: IntArray
    groups: tuple[PatternGroup, ...]

    @classmethod
    def of(cls, fit: Fit) -> PointResiduals:
        """Gather a fit's residuals by point."""
        cells, m = fit.cells, fit.observed.n_models
        labels, point = np.unique(fit.labels, return_inverse=True)
        place = cells.model * labels.size + point[cells.benchmark]
        count = np.bincount(place, minlength=m * labels.size)

        def mean(values: FloatArray) -> FloatArray:
            total = np.bincount(place, weights=values, minlength=count.size)
            at_points: FloatArray = (total / np.maximum(count, 1)).reshape(m, -1)
            return at_points

        observed = (count > 0).reshape(m, -1) & np.isfinite(fit.ability)[:, None]
        return cls(
            fit=fit,
            curve=mean(clip_residuals(fit)),
            rank=mean(rank_residuals(fit)),
            point=point.astype(np.int64),
            groups=_group_patterns(observed),
        )

    def blend(self, rank_share: float) -> FloatArray:
        """(1 - a) times the curves' residuals plus a times the ranks', shape (M, P)."""
        blended: FloatArray = (1.0 - rank_share) * self.curve + rank_share * self.rank
        return blended

    def share_cells(self, rank_share: float) -> FloatArray:
        """Give each cell (C,) its part of its model's blended residual at its point; copies have equal parts."""
        cells = self.fit.cells
        place = cells.model * self.curve.shape[1] + self.point[cells.benchmark]
        count = np.bincount(place, minlength=self.curve.size)[place]
        each = (1.0 - rank_share) * clip_residuals(self.fit) + rank_share * rank_residuals(self.fit)
        part: FloatArray = each / count
        return part


def clip_residuals(fit: Fit) -> FloatArray:
    """Give r √w of each cell (C,): the standardized residual, clipped where it is taken for an outlier."""
    cells = fit.cells
    clipped: FloatArray = np.where(np.isfinite(cells.residual), cells.residual, 0.0) * np.sqrt(cells.weight)
    return clipped


def rank_residuals(fit: Fit) -> FloatArray:
    """What a model's place on a benchmark has beyond its ability, on a scale that no shape of scores can bend.

    Use it beside the curve's residual, which says how far a score lies from its curve, for boards whose columns no
    curve fits: two bunches of models, most of them at a floor.

    Parameters
    ----------
    fit : Fit

    Returns
    -------
    ndarray of shape (C,)
        One a cell; 0 for a model without ability.

    Notes
    -----
    Scores of a benchmark are replaced by the normal quantiles of their places, z = N⁻¹((rank - 1/2)/n) with ties
    sharing theirs; what a line in ability leaves of them is divided by its SD.
    """
    observed, known = fit.observed, np.isfinite(fit.ability)
    left = np.zeros(observed.size)
    for start, end in zip(observed.benchmark_start[:-1], observed.benchmark_start[1:], strict=True):
        cells = start + np.flatnonzero(known[observed.model[start:end]])
        if cells.size >= _FEWEST:
            places = average_ranks(observed.score[cells])
            z = _normal_quantiles(cells.size)[np.round(2.0 * places).astype(np.int64) - 2]
            left[cells] = _beyond(fit.ability[observed.model[cells]], z - z.mean())
    return left


def _beyond(ability: FloatArray, z: FloatArray) -> FloatArray:
    """What a line in ability leaves of z, in its SDs."""
    centred = ability - ability.mean()
    square = float(centred @ centred)
    rest = z - centred * (float(centred @ z) / square if square > 0.0 else 0.0)
    scaled: FloatArray = rest / max(float(np.sqrt(np.mean(rest**2))), _SMALLEST)
    return scaled


@lru_cache(maxsize=4096)
def _normal_quantiles(n: int) -> FloatArray:
    """N⁻¹((rank - 1/2)/n) of the ranks 1, 3/2, 2, ... n, shape (2n - 1,)."""
    ranks = np.arange(2, 2 * n + 1) / 2.0
    quantiles = np.array([NormalDist().inv_cdf((rank - 0.5) / n) for rank in ranks])
    quantiles.flags.writeable = False  # the cache hands it to everybody
    return quantiles


def _group_patterns(observed: BoolArray) -> tuple[PatternGroup, ...]:
    """Find the distinct rows of (M, P), those with equally many points together."""
    _, rows, which = np.unique(np.packbits(observed, axis=1), axis=0, return_index=True, return_inverse=True)
    which = which.reshape(-1)  # its shape differs between versions of numpy
    count = observed[rows].sum(axis=1)
    groups = []
    for n in np.unique(count[count > 0]):
        alike = np.flatnonzero(count == n)
        for some in np.array_split(alike, -(-alike.size * int(n) ** 2 // _STACKED)):
            points = np.nonzero(observed[rows[some]])[1].reshape(some.size, n)
            model = np.flatnonzero(np.isin(which, some))
            model = model[np.argsort(which[model], kind="stable")]
            groups.append(PatternGroup(points, model, np.searchsorted(some, which[model])))
    return tuple(groups)
