"""Which Gaussian process a task's residuals follow: candidates, the evidence for each, and their mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, Literal, get_args

import numpy as np

from balance_of_benchmarks.equating.result import Fit
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.geometry.density import gaussian_kernel
from balance_of_benchmarks.geometry.points import between_points, check_positive
from balance_of_benchmarks.geometry.space import Space
from balance_of_benchmarks.ranking.kriging import KrigedField, kriging_field, point_mass
from balance_of_benchmarks.ranking.residuals import PointResiduals
from balance_of_benchmarks.types import BoolArray, FloatArray, IntArray

__all__ = [
    "PROCESSES",
    "RESIDUALS",
    "SIZES",
    "Covariance",
    "Process",
    "ProcessChoice",
    "compare_categories",
    "list_processes",
    "measure_covariance",
]

Covariance = Literal["gaussian", "exponential"]

RESIDUALS: Final = ("curve", "rank")
"""What is kriged: how far scores lie from their curves, or places from those that abilities give."""


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
    by_category : float
        Of what is shared the part that all benchmarks of a category share, however their descriptions lie.
    """

    kind: Covariance
    length: float
    noise: float
    by_category: float = 0.0

    @property
    def variance(self) -> float:
        """Variance of what is shared, 1 / (1 + noise)."""
        return 1.0 / (1.0 + self.noise)

    def covariance(self, distances: FloatArray, unit: float, alike: BoolArray | None = None) -> FloatArray:
        """Covariance of residuals so many radians apart, noise aside.

        Parameters
        ----------
        distances : ndarray
        unit : float
            The median distance.
        alike : ndarray of bool, of its shape, optional
            Which have a category in common; none without it.
        """
        near = measure_covariance(distances, self.length * unit, self.kind)
        if self.by_category:
            same = 0.0 if alike is None else alike
            near = (1.0 - self.by_category) * near + self.by_category * same
        return self.variance * near


PROCESSES: Final = tuple(
    Process(kind, length, noise) for kind, length, noise in product(get_args(Covariance), (0.5, 1.0, 2.0), (0.1, 1.0))
)
"""From fields that only neighbours share to ones that span the board; from next to no noise to half."""
SIZES: Final = (0.5, 1.0)
"""How much of the adjustment is taken up; ability alone, which takes up nothing, is always a candidate."""
_BY_CATEGORY: Final = 0.5


def compare_categories(categories: Sequence[str | None], others: Sequence[str | None] | None = None) -> BoolArray:
    """Tell which benchmarks have a category in common; one without any has it with none.

    Parameters
    ----------
    categories : sequence of str or None, length N
    others : sequence of str or None, length K, optional
        The same by default.

    Returns
    -------
    ndarray of bool, shape (K, N)
    """
    columns = np.array(categories, dtype=object)
    alike: BoolArray = np.array(
        [[name is not None and name == other for other in columns] for name in (columns if others is None else others)],
        dtype=bool,
    ).reshape(-1, len(columns))
    return alike


def list_processes(alike: BoolArray | None, labels: IntArray) -> tuple[Process, ...]:
    """List the candidates: `PROCESSES`, and each with half of its field by category where categories tell any apart.

    Parameters
    ----------
    alike : ndarray of bool, shape (N, N), or None
        Which benchmarks have a category in common.
    labels : ndarray of int, shape (N,)
        Which are copies of one point: that those are alike tells nothing.

    Returns
    -------
    tuple of Process
    """
    if alike is None:
        return PROCESSES
    unlike = between_points(np.where(alike, 0.0, 1.0), labels)
    pairs = unlike[np.triu_indices(len(unlike), k=1)]
    if not pairs.any() or pairs.all():
        return PROCESSES
    return (*PROCESSES, *(Process(p.kind, p.length, p.noise, _BY_CATEGORY) for p in PROCESSES))


@dataclass(frozen=True, slots=True, eq=False)
class ProcessChoice:
    """Candidates with the share each has in the field.

    Parameters
    ----------
    candidates : tuple of Process, length K
    sizes : tuple of float, length S
    shares : ndarray of shape (K, 2, S)
        By process, by what is kriged (`RESIDUALS`), by size.
    alone : float
        Share of ability alone; with `shares` it makes one.
    criterion : ndarray of shape (K, 2, S)
        Mean of level and profile over held-out benchmarks, weighted by what their number of models makes it worth;
        NaN where none can tell.
    criterion_alone : float
        Of ability alone.
    likelihood : ndarray of shape (K, 2)
        Log-likelihood of the residuals, per residual.
    held_out : tuple of int
        Positions of the benchmarks held out that can tell.
    alike : ndarray of bool, shape (N, N), or None
        Which benchmarks have a category in common.
    why : str
    """

    candidates: tuple[Process, ...]
    sizes: tuple[float, ...]
    shares: FloatArray
    alone: float
    criterion: FloatArray
    criterion_alone: float
    likelihood: FloatArray
    held_out: tuple[int, ...]
    alike: BoolArray | None
    why: str

    @property
    def _weights(self) -> FloatArray:
        """Share of each process in the covariance, shape (K,); ability alone has none."""
        share: FloatArray = self.shares.sum(axis=(1, 2))
        total = share.sum()
        return share / total if total > 0.0 else np.full(len(share), 1.0 / len(share))

    @property
    def variance(self) -> float:
        """Variance of what residuals share with their neighbours under the mean of the covariances."""
        return float(self._weights @ [process.variance for process in self.candidates])

    @property
    def noise(self) -> float:
        """Variance of what each has of its own."""
        return 1.0 - self.variance

    @property
    def size(self) -> float:
        """Mean size of the adjustment, that of ability alone being 0."""
        return float(self.shares.sum(axis=(0, 1)) @ self.sizes)

    @property
    def rank_share(self) -> float:
        """Share of the ranks' residuals in the adjustment."""
        of_ranks = float(self.shares[:, 1].sum(axis=0) @ self.sizes)
        return of_ranks / self.size if self.size > 0.0 else 0.0

    @property
    def by_category(self) -> float:
        """Of what is shared the part shared by category."""
        parts = self._weights * [process.variance for process in self.candidates]
        return float(parts @ [process.by_category for process in self.candidates] / parts.sum())

    def covariance(self, distances: FloatArray, unit: float, alike: BoolArray | None = None) -> FloatArray:
        """Mean of the candidates' covariances, which is one again; as `Process.covariance`."""
        total = np.zeros(np.shape(distances))
        for share, process in zip(self._weights, self.candidates, strict=True):
            if share > 0:
                total += share * process.covariance(distances, unit, alike)
        return total

    def field(
        self,
        fit: Fit | PointResiduals,
        distances: FloatArray,
        space: Space,
        *,
        peers: BoolArray | None = None,
        shares: FloatArray | None = None,
        between: FloatArray | None = None,
    ) -> KrigedField:
        """Adjust abilities for a task, or for several that share the work.

        Parameters
        ----------
        fit : Fit or PointResiduals
        distances : ndarray of shape (N,) or (K, N)
            From the task, or each of several, to the benchmarks; infinite where one is not to be heard.
        space : Space
            Of the benchmarks; its median is the unit.
        peers : ndarray of bool, shape (N,), optional
            Which benchmarks are of the task's category, where it is known.
        shares : ndarray of shape (K,), optional
            Of several tasks; they sum to 1.
        between : ndarray of shape (K, K), optional
            Distances between them.

        Returns
        -------
        KrigedField

        Notes
        -----
        Of several tasks what is asked for is their mean Σ s_k f(q_k), whose covariance with a benchmark is the mean of
        theirs and whose prior variance is s' C s, C their own covariances.
        """
        unit = space.median
        apart = np.atleast_2d(distances)
        share = np.ones(1) if shares is None else shares
        # A task that is not to be heard of is not heard of by its category either.
        alike = None if peers is None else np.array([np.isfinite(row).any() & peers for row in apart])
        among_tasks = np.zeros((1, 1)) if between is None else between
        together = np.eye(len(among_tasks), dtype=bool) if peers is None else np.ones(among_tasks.shape, dtype=bool)
        return kriging_field(
            fit,
            share @ self.covariance(apart, unit, alike),
            self.covariance(space.distances, unit, self.alike),
            noise=self.noise,
            variance=self.variance,
            size=self.size,
            rank_share=self.rank_share,
            mass=point_mass(space),
            at_task=float(share @ self.covariance(among_tasks, unit, together) @ share),
        )
