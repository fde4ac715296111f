"""The residual field: Eq. (4), §3.3, with the relevance as an argument."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from balance_of_benchmarks.equating.result import Fit
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.geometry.points import copy_shares
from balance_of_benchmarks.types import FloatArray

__all__ = ["SUPPORT_SCALE", "FieldKind", "ResidualKind", "Shrinkage", "TaskField", "residual_field"]

Shrinkage = Literal["support", "none"] | float
ResidualKind = Literal["standardized", "latent_offset"]
FieldKind = Literal["kernel", "kriging"]

SUPPORT_SCALE: Final = 1.0
"""Support mass, in benchmarks' worth, at which half of the adjustment is taken up."""


@dataclass(frozen=True, slots=True, eq=False)
class TaskField:
    """A task's score for each model and what it is made of.

    Parameters
    ----------
    score : ndarray of shape (M,)
        y: ability plus adjustment; NaN for a model without ability.
    residual : ndarray of shape (M,)
        r̂, the local residual average; 0 where nothing supports one.
    support_mass : ndarray of shape (M,)
        P, observed support in benchmarks' worth.
    support : ndarray of shape (M,)
        P / (P + 1).
    factor : ndarray of shape (M,)
        What multiplied r̂: the support, unless shrinkage was chosen otherwise.
    contribution : ndarray of shape (C,)
        The part of the adjustment that each observed cell brings; a model's sum to factor · r̂.
    """

    score: FloatArray
    residual: FloatArray
    support_mass: FloatArray
    support: FloatArray
    factor: FloatArray
    contribution: FloatArray


def residual_field(
    fit: Fit,
    relevance: FloatArray,
    *,
    shrinkage: Shrinkage = "support",
    residual: ResidualKind = "standardized",
    information_in_support: bool = False,
) -> TaskField:
    """Adjust abilities for a task by the residuals near it.

    Parameters
    ----------
    fit : Fit
    relevance : ndarray of shape (N,) or (M, N)
        g, non-negative; a row a model where the rule looks at what each model was observed on.
    shrinkage : {"support", "none"} or float
        P/(P + 1) as in the paper, 1, or a constant in [0, 1]. Whatever it is, a model without support keeps
        its ability.
    residual : {"standardized", "latent_offset"}
        r with precision Ī, or the first-order offset in ability (s - Φ)/(a φ) with precision (a φ / σ)².
    information_in_support : bool
        Whether P counts a benchmark by its information too, normalized to mean one over points, copies being one.

    Returns
    -------
    TaskField

    Notes
    -----
    Eq. (4), §3.3; the variants are those of §4.3 and Appendix D.1.
    """
    cells, known = fit.cells, np.isfinite(fit.ability)
    g = np.asarray(relevance, dtype=np.float64)
    if g.shape not in ((fit.observed.n_benchmarks,), (fit.observed.n_models, fit.observed.n_benchmarks)):
        raise ArrayError(f"relevance has shape {g.shape}: expected one for each benchmark, or for each cell")
    if not np.isfinite(g).all() or (g < 0).any():
        raise ArrayError("relevance must be finite and not negative")
    g = g[cells.benchmark] if g.ndim == 1 else g[cells.model, cells.benchmark]

    # Models without ability have cells of weight zero and residuals of NaN.
    r = np.where(known[cells.model], cells.residual, 0.0)
    precision = fit.information[cells.benchmark]
    if residual == "latent_offset":
        # (s - Φ)/(a φ) = rσ/f with precision (f/σ)²: in the sum below only their product f r/σ and (f/σ)² stand.
        sharpness = np.where(known[cells.model], fit.slopes, 0.0) / fit.residual_scale[cells.benchmark]
        precision = sharpness**2
        r = np.divide(r, sharpness, out=np.zeros_like(r), where=sharpness > 0)
    elif residual != "standardized":
        raise ArrayError(f"residual is {residual!r}: expected 'standardized' or 'latent_offset'")
    counted = g * cells.weight
    mass = counted * (fit.information / _mean_over_points(fit))[cells.benchmark] if information_in_support else counted

    support_mass = fit.observed.sum_by_model(mass)
    total = fit.observed.sum_by_model(counted * precision)
    supported = (support_mass > 0) & (total > 0)
    support = support_mass / (support_mass + SUPPORT_SCALE)
    factor = np.where(supported, _factor(shrinkage, support), 0.0)
    share = counted * precision / np.where(supported, total, 1.0)[cells.model]
    average = np.where(supported, fit.observed.sum_by_model(share * r), 0.0)
    return TaskField(
        score=fit.ability + factor * average,
        residual=average,
        support_mass=support_mass,
        support=support,
        factor=factor,
        contribution=factor[cells.model] * share * r,
    )


def _mean_over_points(fit: Fit) -> float:
    """Mean information, copies of one point counting together as one."""
    known = np.isfinite(fit.information)
    return float(np.average(fit.information[known], weights=copy_shares(fit.labels)[known]))


def _factor(shrinkage: Shrinkage, support: FloatArray) -> FloatArray:
    if isinstance(shrinkage, str) and shrinkage in ("support", "none"):
        return support if shrinkage == "support" else np.ones_like(support)
    if isinstance(shrinkage, int | float) and not isinstance(shrinkage, bool) and 0.0 <= shrinkage <= 1.0:
        return np.full_like(support, shrinkage)
    raise ArrayError(f"shrinkage is {shrinkage!r}: expected 'support', 'none' or a constant from 0 to 1")
