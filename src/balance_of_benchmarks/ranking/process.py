"""Which Gaussian process the residuals follow: candidates, and the evidence for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product
from typing import Final, Literal, get_args

import numpy as np

from balance_of_benchmarks.equating.result import Fit
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.geometry.density import gaussian_kernel
from balance_of_benchmarks.geometry.points import check_positive
from balance_of_benchmarks.geometry.space import Space
from balance_of_benchmarks.ranking.folds import Fold, score_together
from balance_of_benchmarks.ranking.kriging import (
    KrigedField,
    PointResiduals,
    kriging_field,
    log_likelihood,
    point_mass,
)
from balance_of_benchmarks.types import FloatArray, freeze

__all__ = [
    "PROCESSES",
    "SIZES",
    "Covariance",
    "Process",
    "ProcessChoice",
    "Selection",
    "choose_process",
    "measure_covariance",
    "share_evidence",
]

Covariance = Literal["gaussian", "exponential"]
Selection = Literal["mixture", "held_out", "likelihood"]


def measure_covariance(distances: FloatArray, length: float, kind: Covariance) -> FloatArray:
    """Correlation of what a model's residuals at two descriptions have in common.

    Parameters
    ----------
    distances : ndarray
        Angles; infinite to a benchmark without a text.
    length : float
        In radians.
    kind : {"gaussian", "exponential"}
        exp(-d² / 2l²), or exp(-d / l) for a field that changes more abruptly nearby and reaches farther.

    Returns
    -------
    ndarray of the shape of `distances`
        1 at distance zero, 0 at infinity.
    """
    if kind == "gaussian":
        return gaussian_kernel(distances, length)
    if kind == "exponential":
        similarity: FloatArray = np.exp(-distances / check_positive(length, "length", "a positive angle"))
        return similarity
    raise ArrayError(f"covariance is {kind!r}: expected one of {', '.join(get_args(Covariance))}")


@dataclass(frozen=True, slots=True)
class Process:
    """How residuals vary over description space.

    Parameters
    ----------
    kind : {"gaussian", "exponential"}
    length : float
        In median distances.
    noise : float
        Variance of what a residual has of its own, as a multiple of what it shares with its neighbours. The two add
        up to one, the variance of a standardized residual.
    """

    kind: Covariance
    length: float
    noise: float

    @property
    def variance(self) -> float:
        """Variance of what is shared, 1 / (1 + noise)."""
        return 1.0 / (1.0 + self.noise)

    def covariance(self, distances: FloatArray, unit: float) -> FloatArray:
        """Covariance of residuals so many radians apart, noise aside; `unit` is the median distance."""
        return self.variance * measure_covariance(distances, self.length * unit, self.kind)


PROCESSES: Final = tuple(
    Process(kind, length, noise)
    for kind, length, noise in product(get_args(Covariance), (0.25, 0.5, 1.0, 2.0), (0.1, 0.3, 1.0, 3.0))
)
"""From fields that only near twins share to ones that span the board; from next to no noise to three parts in four."""
SIZES: Final = (0.0, 0.5, 1.0, 1.5, 2.0)
"""How much of the adjustment is taken up; 0 is ability alone, which is always a candidate."""
# Fewer held-out benchmarks have no spread that a candidate's lead could be judged by.
_FEWEST: Final = 2
# Variance of a figure between benchmarks; a rank correlation of n models adds 1 / (n - 1), so that what five models
# say counts for a tenth of what six hundred do.
_BETWEEN: Final = 0.02
_LEAST: Final = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True, slots=True, eq=False)
class ProcessChoice:
    """Processes and sizes with the share each has in the field.

    Parameters
    ----------
    candidates : tuple of Process, length K
    sizes : tuple of float, length S
    shares : ndarray of shape (K, S)
        They sum to one; a single one where one candidate was chosen.
    criterion : ndarray of shape (K, S)
        Mean of level and profile over held-out benchmarks, weighted by what their number of models makes it worth;
        NaN where none can tell.
    likelihood : ndarray of shape (K,)
        Log-likelihood of the residuals, per residual.
    held_out : tuple of int
        Positions of the benchmarks held out that can tell.
    why : str
    """

    candidates: tuple[Process, ...]
    sizes: tuple[float, ...]
    shares: FloatArray
    criterion: FloatArray
    likelihood: FloatArray
    held_out: tuple[int, ...]
    why: str

    @property
    def variance(self) -> float:
        """Variance of what residuals share with their neighbours under the mean of the covariances."""
        return float(self.shares.sum(axis=1) @ [process.variance for process in self.candidates])

    @property
    def noise(self) -> float:
        """Variance of what each has of its own."""
        return 1.0 - self.variance

    @property
    def size(self) -> float:
        """Mean size of the adjustment."""
        return float(self.shares.sum(axis=0) @ self.sizes)

    def covariance(self, distances: FloatArray, unit: float) -> FloatArray:
        """Mean of the candidates' covariances, which is one again."""
        total = np.zeros(np.shape(distances))
        for share, process in zip(self.shares.sum(axis=1), self.candidates, strict=True):
            if share > 0:
                total += share * process.covariance(distances, unit)
        return total

    def field(self, fit: Fit | PointResiduals, distances: FloatArray, space: Space) -> KrigedField:
        """Adjust abilities for a task.

        Parameters
        ----------
        fit : Fit or PointResiduals
        distances : ndarray of shape (N,)
            From the task to the benchmarks.
        space : Space
            Of the benchmarks; its median is the unit.

        Returns
        -------
        KrigedField
        """
        return kriging_field(
            fit,
            self.covariance(distances, space.median),
            self.covariance(space.distances, space.median),
            noise=self.noise,
            variance=self.variance,
            size=self.size,
            mass=point_mass(space),
        )


def choose_process(
    folds: Iterable[Fold],
    fit: Fit,
    space: Space,
    *,
    selection: Selection = "mixture",
    candidates: tuple[Process, ...] = PROCESSES,
    sizes: tuple[float, ...] = SIZES,
    progress: Callable[[int], None] | None = None,
) -> ProcessChoice:
    """Choose how residuals vary over description space.

    Parameters
    ----------
    folds : iterable of Fold
        Benchmarks of the list held out in turn, in its own unit of distance.
    fit : Fit
        Of the whole list, for the likelihood.
    space : Space
        Of the whole list.
    selection : {"mixture", "held_out", "likelihood"}
        The mean of all candidates by the evidence for each; the one that predicts held-out benchmarks best; the one
        under which the residuals are likeliest, its adjustment taken up whole.
    candidates : tuple of Process
    sizes : tuple of float
    progress : callable, optional
        Called with folds done.

    Returns
    -------
    ProcessChoice

    Notes
    -----
    Mixture: a candidate's share is the likelihood ratio of "it predicts held-out benchmarks no worse than the best
    one" (`share_evidence`) times exp(n l), l its log-likelihood per residual and n the number of points: models share
    what no description tells, so that all of them together count as one. Where few folds can tell, shares are spread
    over all candidates, ability alone among them. With fewer than two the answer is ability alone.
    """
    if selection not in get_args(Selection):
        raise ArrayError(f"selection is {selection!r}: expected one of {', '.join(get_args(Selection))}")
    likelihood = _measure_likelihoods(fit, space, candidates)
    held_out: tuple[int, ...] = ()
    figures, trust = np.empty((0, len(candidates), len(sizes))), np.empty(0)
    if selection != "likelihood":
        held_out, figures, trust = _hold_out(folds, candidates, sizes, progress)
    criterion = np.average(figures, axis=0, weights=trust) if held_out else np.full(figures.shape[1:], np.nan)
    shares = np.zeros(criterion.shape)
    if selection == "likelihood":
        shares[np.argmax(likelihood), np.argmin(np.abs(np.array(sizes) - 1.0))] = 1.0  # it says nothing of size
        why = "the process under which the residuals are likeliest"
    elif len(held_out) < _FEWEST:
        shares[0, np.argmin(sizes)] = 1.0
        why = "fewer than two held-out benchmarks can tell processes apart: ability alone"
    elif selection == "held_out":
        shares[np.unravel_index(np.argmax(criterion), criterion.shape)] = 1.0
        why = f"best mean of level and profile over {len(held_out)} held-out benchmarks"
    else:
        points = np.unique(fit.labels).size
        # In logarithms, so that on a wide board no product of the two underflows everywhere.
        evidence = np.log(np.maximum(share_evidence(figures, trust), _LEAST)) + points * likelihood[:, None]
        shares = np.exp(evidence - evidence.max())
        shares /= shares.sum()
        why = f"mean of {shares.size} candidates by {len(held_out)} held-out benchmarks and the residuals' likelihood"
    freeze(shares, criterion, likelihood)
    return ProcessChoice(candidates, sizes, shares, criterion, likelihood, held_out, why)


def _measure_likelihoods(fit: Fit, space: Space, candidates: tuple[Process, ...]) -> FloatArray:
    data, mass = PointResiduals.of(fit), point_mass(space)
    return np.array(
        [
            log_likelihood(
                data,
                process.covariance(space.distances, space.median),
                noise=1.0 - process.variance,
                variance=process.variance,
                mass=mass,
            )
            for process in candidates
        ]
    )


def _hold_out(
    folds: Iterable[Fold],
    candidates: tuple[Process, ...],
    sizes: tuple[float, ...],
    progress: Callable[[int], None] | None,
) -> tuple[tuple[int, ...], FloatArray, FloatArray]:
    """Judge the candidates: the folds that can tell, their figures, shape (n, K, S), and how far to trust each."""
    held_out, figures, trust = [], [], []
    for done, fold in enumerate(folds, 1):
        judged = _judge_candidates(fold, candidates, sizes)
        if not np.isnan(judged).any():
            held_out.append(fold.target)
            figures.append(judged)
            trust.append(1.0 / (_BETWEEN + 1.0 / (np.isfinite(fold.scores).sum() - 1)))
        if progress is not None:
            progress(done)
    return tuple(held_out), np.array(figures).reshape(-1, len(candidates), len(sizes)), np.array(trust)


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


def _judge_candidates(fold: Fold, candidates: tuple[Process, ...], sizes: tuple[float, ...]) -> FloatArray:
    """Mean of level and profile of each candidate in each size, shape (K, S)."""
    data, space, mass = PointResiduals.of(fold.fit), fold.space, point_mass(fold.space)
    residuals = np.array(
        [
            kriging_field(
                data,
                process.covariance(fold.distances, space.median),
                process.covariance(space.distances, space.median),
                noise=1.0 - process.variance,
                variance=process.variance,
                mass=mass,
            ).residual
            for process in candidates
        ]
    )
    predictions = fold.fit.ability + np.multiply.outer(sizes, residuals)
    figures = score_together(predictions.reshape(-1, residuals.shape[1]), fold.scores, fold.ability)
    mean: FloatArray = figures.mean(axis=1).reshape(len(sizes), len(candidates)).T
    return mean
