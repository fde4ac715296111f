"""Choosing the process of a task's residuals: by benchmarks held out, by likelihood, by both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np

from balance_of_benchmarks.equating.result import Fit
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.geometry.space import Space
from balance_of_benchmarks.ranking.folds import Fold, score_together
from balance_of_benchmarks.ranking.kriging import invert_patterns, log_likelihood, point_mass
from balance_of_benchmarks.ranking.process import (
    RESIDUALS,
    SIZES,
    Process,
    ProcessChoice,
    compare_categories,
    list_processes,
)
from balance_of_benchmarks.ranking.residuals import PatternGroup, PointResiduals
from balance_of_benchmarks.types import BoolArray, FloatArray, IntArray, freeze

__all__ = ["Selection", "choose_process", "share_evidence"]

Selection = Literal["mixture", "held_out", "likelihood"]

# Fewer held-out benchmarks have no spread that a candidate's lead could be judged by.
_FEWEST: Final = 2
# Variance of a figure between benchmarks; a rank correlation of n models adds 1 / (n - 1), so that what five models
# say counts for a tenth of what six hundred do.
_BETWEEN: Final = 0.02
# Before any benchmark was held out ability alone has the say of one.
_ALONE: Final = 1.0
_LEAST: Final = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True, slots=True, eq=False)
class _HeldOut:
    """A benchmark held out: whom it is judged by, and their residuals on the rest, at the points of the whole list.

    `models` (m,) were scored on it; `residuals` are (2, m, P), those of `RESIDUALS`, 0 where nothing was observed.
    """

    target: int
    point: int
    models: IntArray
    ability: FloatArray
    control: FloatArray
    scores: FloatArray
    residuals: FloatArray

    @property
    def trust(self) -> float:
        """Inverse variance of its figures, up to a factor."""
        return 1.0 / (_BETWEEN + 1.0 / (self.models.size - 1))


def choose_process(
    folds: Iterable[Fold],
    fit: Fit,
    space: Space,
    *,
    categories: Sequence[str | None] | None = None,
    selection: Selection = "mixture",
    candidates: tuple[Process, ...] | None = None,
    sizes: tuple[float, ...] = SIZES,
    progress: Callable[[int], None] | None = None,
) -> ProcessChoice:
    """Choose how residuals vary over description space.

    Parameters
    ----------
    folds : iterable of Fold
        Benchmarks of the list held out in turn, in its own unit of distance.
    fit : Fit
        Of the whole list, for the likelihood and for who was observed where.
    space : Space
        Of the whole list.
    categories : sequence of str or None, length N, optional
        Of the benchmarks; what they share by category is then a candidate too.
    selection : {"mixture", "held_out", "likelihood"}
        The mean of all candidates by the evidence for each; the one that predicts held-out benchmarks best; the one
        under which the curves' residuals are likeliest, its adjustment taken up whole.
    candidates : tuple of Process, optional
        `list_processes` by default.
    sizes : tuple of float
    progress : callable, optional
        Called with folds done.

    Returns
    -------
    ProcessChoice

    Notes
    -----
    Mixture: a candidate's share is the product of what it had before, of two likelihood ratios of "it predicts held-out
    benchmarks no worse than the best" (`share_evidence`), by level and by profile, and of exp(P (l - max l)), l its
    log-likelihood per residual of its kind and P the number of points: models share what no description tells, so that
    all of them together count as one. Before n folds ability alone has 1 / (1 + n) and the others share the rest; with
    fewer than two folds the answer is ability alone.
    """
    if selection not in get_args(Selection):
        raise ArrayError(f"selection is {selection!r}: expected one of {', '.join(get_args(Selection))}")
    alike = None if categories is None else compare_categories(categories)
    processes = list_processes(alike, space.labels) if candidates is None else candidates
    data = PointResiduals.of(fit)
    tests = [] if selection == "likelihood" else _hold_out(folds, data, space, progress)
    predicted, likelihood, bare = _krige_left_out(processes, data, space, alike, tests)
    figures, told = _judge(tests, predicted, sizes)
    trust = np.array([tests[i].trust for i in told])
    held_out = tuple(tests[i].target for i in told)
    shape = (len(processes), len(RESIDUALS), len(sizes))
    criterion = np.full(1 + int(np.prod(shape)), np.nan)
    if held_out:
        criterion = np.average(figures.mean(axis=2), axis=0, weights=trust)
    every = np.zeros(1 + int(np.prod(shape)))
    if selection == "likelihood":
        one = np.zeros(shape)
        one[np.argmax(likelihood[:, 0]), 0, np.argmin(np.abs(np.array(sizes) - 1.0))] = 1.0  # it says nothing of size
        every[1:] = one.reshape(-1)
        why = "the process under which the residuals are likeliest"
    elif len(held_out) < _FEWEST:
        every[0] = 1.0
        why = "fewer than two held-out benchmarks can tell processes apart: ability alone"
    elif selection == "held_out":
        every[np.argmax(criterion)] = 1.0
        why = f"best mean of level and profile over {len(held_out)} held-out benchmarks"
    else:
        lead = likelihood - likelihood.max(axis=0)
        likely = np.concatenate([[bare - likelihood[:, 0].max()], np.repeat(lead.reshape(-1), len(sizes))])
        every = _mix(figures, trust, np.unique(fit.labels).size * likely)
        why = f"mean of {every.size} candidates by {len(held_out)} held-out benchmarks and the residuals' likelihood"
    shares, by_candidate = every[1:].reshape(shape), criterion[1:].reshape(shape)
    freeze(shares, by_candidate, likelihood)
    return ProcessChoice(
        candidates=processes,
        sizes=sizes,
        shares=shares,
        alone=float(every[0]),
        criterion=by_candidate,
        criterion_alone=float(criterion[0]),
        likelihood=likelihood,
        held_out=held_out,
        alike=alike,
        why=why,
    )


def share_evidence(figures: FloatArray, trust: FloatArray) -> FloatArray:
    """Likelihood ratio of each candidate being as good as the best.

    Parameters
    ----------
    figures : ndarray of shape (n, ...)
        How well each candidate predicted each of n held-out benchmarks.
    trust : ndarray of shape (n,)
        Positive: inverse variance of each of those, up to a factor.

    Returns
    -------
    ndarray of the shape of a row
        1 for the best by its mean, less for the others, 0 for one that is worse by the same everywhere.

    Notes
    -----
    With deficits d_i against the best, normal with unknown variance over trust t_i, it is
    (Σ t_i (d_i - d̄)² / Σ t_i d_i²)^(n/2): what a paired t-test looks at, as a weight. n is Kish's (Σ t)² / Σ t².
    """
    each = figures.reshape(len(figures), -1)
    best = np.argmax(trust @ each)
    deficit = each[:, [best]] - each
    mean = trust @ deficit / trust.sum()
    square, spread = trust @ deficit**2, trust @ (deficit - mean) ** 2
    ratio = np.divide(spread, square, out=np.ones_like(square), where=square > 0)
    count = trust.sum() ** 2 / (trust**2).sum()
    shares: FloatArray = (ratio ** (count / 2.0)).reshape(figures.shape[1:])
    return shares


def _mix(figures: FloatArray, trust: FloatArray, likely: FloatArray) -> FloatArray:
    """Share of ability alone and of each candidate, (1 + K 2 S,): what it had before, times the evidence for it."""
    before = np.full(likely.size, len(figures) / (likely.size - 1))
    before[0] = _ALONE
    # In logarithms, so that on a wide board no product underflows everywhere.
    evidence = np.log(before) + likely
    for metric in range(figures.shape[2]):
        evidence += np.log(np.maximum(share_evidence(figures[:, :, metric], trust), _LEAST))
    odds = np.exp(evidence - evidence.max())
    shares: FloatArray = odds / odds.sum()
    return shares


def _hold_out(
    folds: Iterable[Fold], data: PointResiduals, space: Space, progress: Callable[[int], None] | None
) -> list[_HeldOut]:
    """Lay the folds' residuals out at the points of the whole list."""
    tests, mass = list[_HeldOut](), np.bincount(data.point, weights=point_mass(space))
    for done, fold in enumerate(folds, 1):
        pool = PointResiduals.of(fold.fit)
        seen: BoolArray = ~(np.isnan(fold.scores) | np.isnan(fold.fit.ability) | np.isnan(fold.ability))
        models = np.flatnonzero(seen & np.isfinite(data.fit.ability))
        # A point without mass is cut off from the rest: nothing can be predicted of it.
        point = int(data.point[fold.target])
        if mass[point] > 0 and models.size > 1:
            residuals = np.zeros((len(RESIDUALS), models.size, data.curve.shape[1]))
            for kind, at_pool in enumerate((pool.curve, pool.rank)):
                residuals[kind][:, data.point[fold.pool]] = at_pool[np.ix_(models, pool.point)]
            tests.append(
                _HeldOut(
                    target=fold.target,
                    point=point,
                    models=models,
                    ability=fold.fit.ability[models],
                    control=fold.ability[models],
                    scores=fold.scores[models],
                    residuals=residuals,
                )
            )
        if progress is not None:
            progress(done)
    return tests


def _krige_left_out(
    processes: tuple[Process, ...],
    data: PointResiduals,
    space: Space,
    alike: BoolArray | None,
    tests: Sequence[_HeldOut],
) -> tuple[list[FloatArray], FloatArray, float]:
    """What each process predicts of every benchmark held out, (K, 2, m) each; likelihoods (K, 2) and of no process."""
    predicted = [np.zeros((len(processes), len(RESIDUALS), test.models.size)) for test in tests]
    likelihood = np.zeros((len(processes), len(RESIDUALS)))
    mass, kinds = point_mass(space), np.stack([data.curve, data.rank])
    cells = max(sum(group.points.shape[1] * group.model.size for group in data.groups), 1)
    for k, process in enumerate(processes):
        among = process.covariance(space.distances, space.median, alike)
        noise, variance = 1.0 - process.variance, process.variance
        for group, inverse in invert_patterns(data, among, noise=noise, variance=variance, mass=mass):
            likelihood[k] += log_likelihood(kinds, group, inverse) / cells
            for test, found in zip(tests, predicted, strict=True):
                _leave_out(test, group, inverse, found[k])
    bare = -0.5 * float((data.curve**2).sum() / cells + np.log(2.0 * np.pi))
    return predicted, likelihood, bare


def _leave_out(test: _HeldOut, group: PatternGroup, inverse: FloatArray, found: FloatArray) -> None:
    """Fill in (2, m) for the models of a group that were observed on the point held out."""
    at, where = np.nonzero(group.points == test.point)
    if not at.size:
        return
    weight = -inverse[at, where] / inverse[at, where, where][:, None]
    weight[np.arange(at.size), where] = 0.0
    row = np.searchsorted(at, group.pattern)
    mine = np.flatnonzero((row < at.size) & (at[np.minimum(row, at.size - 1)] == group.pattern))
    place = np.searchsorted(test.models, group.model[mine])
    known = (place < test.models.size) & (test.models[np.minimum(place, test.models.size - 1)] == group.model[mine])
    mine, place = mine[known], place[known]
    points = group.points[group.pattern[mine]]
    found[:, place] = (test.residuals[:, place[:, None], points] * weight[row[mine]]).sum(axis=2)


def _judge(
    tests: Sequence[_HeldOut], predicted: Sequence[FloatArray], sizes: tuple[float, ...]
) -> tuple[FloatArray, IntArray]:
    """Level and profile of ability alone and of each candidate, (n, 1 + K 2 S, 2), in the tests that can tell."""
    kinds = predicted[0].shape[:2] if predicted else (0, 0)
    figures = np.zeros((len(tests), 1 + int(np.prod(kinds)) * len(sizes), 2))  # ability alone first
    for row, test, residual in zip(figures, tests, predicted, strict=True):
        adjusted = test.ability + residual[:, :, None] * np.array(sizes)[:, None]
        candidates = np.concatenate([test.ability[None], adjusted.reshape(-1, test.models.size)])
        row[:] = score_together(candidates, test.scores, test.control)
    told: IntArray = np.flatnonzero(np.isfinite(figures).all(axis=(1, 2)))
    return figures[told], told
