"""Rankings from paired comparisons: each benchmark is a judge who orders the models observed on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator, cg

from balance_of_benchmarks.correlation import average_ranks
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.types import BoolArray, FloatArray, IntArray

__all__ = ["PRIOR_PRECISION", "PairedFit", "count_beaten", "fit_bradley_terry", "label_components"]

# A prior of ten logits' SD: it matters only to models that win or lose nearly everything, and it makes one maximum.
PRIOR_PRECISION: Final = 0.01
# In logits. Newton's steps square near the maximum: after one of a thousandth about a millionth is left.
_TOLERANCE: Final = 1e-3
_MOST_STEPS: Final = 100
# Solving for a step more exactly than this saves no step.
_STEP_TOLERANCE: Final = 1e-4
# Rows of the table of all pairs that are in memory in float64 at a time.
_BLOCK: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class PairedFit:
    """Strengths of models by their comparisons, and how the fit went.

    Parameters
    ----------
    strength : ndarray of shape (M,)
        β, in logits, with mean zero over each component; NaN for a model that was compared with none.
    component : ndarray of int, shape (M,)
        Which models are tied by comparisons, numbered by their first; strengths in different ones are comparable by
        the prior alone, which gives both the same mean.
    steps : int
    last_change : float
        Largest change of a strength in the last step; the fit has converged where it is at most .001.
    """

    strength: FloatArray
    component: IntArray
    steps: int
    last_change: float

    @property
    def converged(self) -> bool:
        """Whether the last step was so small that the next one would be next to nothing."""
        return self.last_change <= _TOLERANCE


def count_beaten(scores: FloatArray) -> FloatArray:
    """Count for each observed cell the other models observed there that it beats, a tie for half.

    Parameters
    ----------
    scores : ndarray of shape (M, N)
        NaN where unobserved.

    Returns
    -------
    ndarray of shape (M, N)
        Multiples of 1/2; NaN where unobserved.

    Examples
    --------
    >>> count_beaten(np.array([[0.1], [0.5], [0.5], [np.nan]])).ravel().tolist()
    [0.0, 1.5, 1.5, nan]
    """
    beaten = np.full(scores.shape, np.nan)
    for i in range(scores.shape[1]):
        seen = ~np.isnan(scores[:, i])
        beaten[seen, i] = average_ranks(scores[seen, i]) - 1.0
    return beaten


def label_components(observed: BoolArray) -> IntArray:
    """Tell which models are tied to one another by common benchmarks, directly or through others.

    Parameters
    ----------
    observed : ndarray of bool, shape (M, N)

    Returns
    -------
    ndarray of int, shape (M,)
        The position of the first model of each one's component.
    """
    m, n = observed.shape
    model, benchmark = np.nonzero(observed)
    edges = csr_array((np.ones(model.size), (model, m + benchmark)), shape=(m + n, m + n))
    _, label = connected_components(edges, directed=False)
    _, first, component = np.unique(label[:m], return_index=True, return_inverse=True)
    firsts: IntArray = first[component].astype(np.int64)
    return firsts


def fit_bradley_terry(scores: FloatArray, *, precision: float = PRIOR_PRECISION) -> PairedFit:
    """Fit one strength a model to who beats whom on each benchmark.

    Use it where only orders are to be trusted, not distances between scores.

    Parameters
    ----------
    scores : ndarray of shape (M, N)
        NaN where unobserved.
    precision : float
        Of the prior on each strength, normal with mean zero. It must be positive: a model that wins always has no
        maximum without it, and neither have two groups of models that share no benchmark.

    Returns
    -------
    PairedFit

    Notes
    -----
    Bradley and Terry (1952); the model behind Chatbot Arena's ratings, here with benchmarks for voters. Every
    benchmark compares every pair of models observed on it, ties counting half for both. With n_ij comparisons of i and
    j, of which i wins b_i over all j, the maximum has b_i = Σ_j n_ij e_i / (e_i + e_j) + λ β_i where e = exp β: the
    wins and n = O O' of the observed cells O are all it needs.

    Newton's steps are found by conjugate gradients and halved while they overshoot. Gradients are in float64; the
    curvature, which only steers, is an M x M table in float32, so time and memory grow with M². The last step
    changes no strength by more than .001, after which they are exact to about a millionth.
    """
    if not 0.0 < precision < np.inf:
        raise ArrayError(f"precision is {precision!r}: expected a positive number, for instance {PRIOR_PRECISION}")
    observed = ~np.isnan(scores)
    component = label_components(observed)
    rivals = (observed * (observed.sum(axis=0) - 1)).sum(axis=1)
    compared = rivals > 0
    strength = np.full(len(scores), np.nan)
    if not compared.any():
        return PairedFit(strength, component, steps=0, last_change=0.0)

    ascent = _Ascent(
        wins=np.nansum(count_beaten(scores), axis=1)[compared],
        played=observed[compared].astype(np.float64),
        component=np.unique(component[compared], return_inverse=True)[1],
        precision=precision,
    )
    # The logit of the share won, half a comparison away from the ends, is near enough to need few steps.
    here = ascent.measure(np.log((ascent.wins + 0.5) / (rivals[compared] - ascent.wins + 0.5)))
    step, steps = ascent.newton_step(here), 1
    while np.abs(step).max() > _TOLERANCE and steps < _MOST_STEPS:
        here = ascent.climb(here, step)
        step, steps = ascent.newton_step(here), steps + 1
    strength[compared] = here.beta + step
    return PairedFit(strength, component, steps, last_change=float(np.abs(step).max()))


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """Strengths (m,), and the slope (m,) and curvature (m, m), less its diagonal, of the log-posterior there."""

    beta: FloatArray
    gradient: FloatArray
    curvature: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class _Ascent:
    """The log-posterior of m models that were compared, each with some other."""

    wins: FloatArray
    played: FloatArray
    component: IntArray
    precision: float

    def measure(self, beta: FloatArray) -> _Place:
        """Measure slope and curvature at some strengths, once those of each component have mean zero.

        Comparisons say nothing of that mean, and the prior has its maximum there.
        """
        beta = beta - (np.bincount(self.component, weights=beta) / np.bincount(self.component))[self.component]
        m, e = len(beta), np.exp(beta)
        expected, curvature = np.empty(m), np.empty((m, m), dtype=np.float32)
        for low in range(0, m, _BLOCK):
            rows = slice(low, low + _BLOCK)
            share = e[rows, None] / (e[rows, None] + e)
            won = self.played[rows] @ self.played.T
            np.fill_diagonal(won[:, rows], 0.0)  # nobody is a rival of their own
            won *= share
            expected[rows] = won.sum(axis=1)
            curvature[rows] = won * (1.0 - share)
        return _Place(beta, self.wins - expected - self.precision * beta, curvature)

    def climb(self, here: _Place, step: FloatArray) -> _Place:
        """Take a step; half of it while its end lies so far beyond the top that it slopes down half as steeply."""
        there = self.measure(here.beta + step)
        while there.gradient @ step < -0.5 * (here.gradient @ step):
            step = step / 2.0
            there = self.measure(here.beta + step)
        return there

    def newton_step(self, here: _Place) -> FloatArray:
        """Solve curvature times step = gradient."""
        m = len(here.beta)
        diagonal = here.curvature.sum(axis=1, dtype=np.float64) + self.precision

        def curve(v: FloatArray) -> FloatArray:
            product: FloatArray = diagonal * v.ravel() - here.curvature @ v.ravel().astype(np.float32)
            return product

        step, _ = cg(
            LinearOperator((m, m), matvec=curve, dtype=np.float64),
            here.gradient,
            rtol=_STEP_TOLERANCE,
            M=LinearOperator((m, m), matvec=lambda v: v.ravel() / diagonal, dtype=np.float64),
        )
        solved: FloatArray = step
        return solved
