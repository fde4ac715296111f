"""How far figures hang on constants: robust weights, noise floors, both bandwidths, single benchmarks (Appendix F)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from balance_of_benchmarks.correlation import spearman
from balance_of_benchmarks.equating.settings import FitSettings
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.evaluation.relisting import fit_listing
from balance_of_benchmarks.evaluation.shuffling import held_out_means
from balance_of_benchmarks.evaluation.study import Study
from balance_of_benchmarks.geometry.points import check_positive
from balance_of_benchmarks.ranking.bandwidth import BANDWIDTHS, DEFAULT_BANDWIDTH
from balance_of_benchmarks.types import FloatArray

__all__ = [
    "CAPS",
    "DENSITIES",
    "FLOORS",
    "HeldOutMeans",
    "drop_benchmarks",
    "scale_noise_floors",
    "sweep_bandwidths",
    "sweep_densities",
    "sweep_robustness",
]

CAPS: Final = (2.0, 3.0, 4.0, 6.0)
FLOORS: Final = (1e-2, 1e-3, 1e-4)
"""The paper's sweep of the robust weight's cap and floor."""
DENSITIES: Final = (0.05, 0.10, 0.15, 0.20, 0.25, 0.35, 0.50, 0.70, 1.00)
"""Density bandwidths in medians, over the range of the paper's Figure 6a."""


@dataclass(frozen=True, slots=True)
class HeldOutMeans:
    """Mean level and profile over folds with one or two constants set."""

    setting: tuple[float, ...]
    level: float
    profile: float


def sweep_robustness(
    study: Study,
    caps: Sequence[float] = CAPS,
    floors: Sequence[float] = FLOORS,
    *,
    multiple: float = DEFAULT_BANDWIDTH,
) -> tuple[HeldOutMeans, ...]:
    """Hold benchmarks out under each cap and floor of the robust cell weight.

    Parameters
    ----------
    study : Study
    caps, floors : sequence of float
    multiple : float
        The field's bandwidth in the pool's medians.

    Returns
    -------
    tuple of HeldOutMeans
        `setting` is (cap, floor).
    """
    constants = study.settings or FitSettings()
    swept = []
    for cap in caps:
        for floor in floors:
            changed = replace(study, settings=replace(constants, robust_cap=cap, robust_floor=floor))
            swept.append(HeldOutMeans((cap, floor), *held_out_means(changed, multiple)))
    return tuple(swept)


def sweep_bandwidths(study: Study, multiples: Sequence[float] = BANDWIDTHS) -> tuple[HeldOutMeans, ...]:
    """Hold benchmarks out under each bandwidth of the field, in the pool's medians; `setting` is (multiple,)."""
    return tuple(HeldOutMeans((multiple,), *held_out_means(study, multiple)) for multiple in multiples)


def sweep_densities(
    study: Study, multiples: Sequence[float] = DENSITIES, *, multiple: float = DEFAULT_BANDWIDTH
) -> tuple[HeldOutMeans, ...]:
    """Hold benchmarks out under each bandwidth of the weights.

    Parameters
    ----------
    study : Study
    multiples : sequence of float
        Density bandwidths in medians; `effective_mass` gives W along them.
    multiple : float
        The field's bandwidth in the pool's medians.

    Returns
    -------
    tuple of HeldOutMeans
        `setting` is (density bandwidth,).
    """
    everything, swept = np.arange(len(study.keys)), []
    for density in multiples:
        check_positive(density, "a density bandwidth", "a positive multiple of the median distance")
        rule = replace(study.space.rule, density_bandwidth=density)
        space = replace(study.space, rule=rule).take(everything, unit=study.space.median)
        swept.append(HeldOutMeans((density,), *held_out_means(replace(study, space=space), multiple)))
    return tuple(swept)


def scale_noise_floors(study: Study, factor: float) -> float:
    """Multiply the binomial floors of the residual scales and see what becomes of the benchmarks' information.

    Parameters
    ----------
    study : Study
    factor : float
        Of the floors' variance, p(1 - p) / n.

    Returns
    -------
    float
        Spearman between the information of benchmarks before and after: 1 where no floor binds.

    Notes
    -----
    Appendix F speaks of benchmark weights; semantic weights know of no floor, so information is what it must mean.
    """
    check_positive(factor, "factor", "a positive number")
    before = fit_listing(study).information
    after = fit_listing(replace(study, n_items=study.n_items / factor)).information
    known = np.isfinite(before) & np.isfinite(after)
    return spearman(before[known], after[known])


def drop_benchmarks(study: Study) -> FloatArray:
    """Leave out one benchmark after the other and compare the abilities with those of the whole list.

    Parameters
    ----------
    study : Study

    Returns
    -------
    ndarray of shape (N,)
        Spearman over the models that both rank; NaN where the rest ranks nobody.
    """
    n = len(study.keys)
    if n < 2:
        raise ArrayError("one benchmark alone cannot be left out: expected at least 2")
    whole, agreement = fit_listing(study).ability, np.full(n, np.nan)
    for i in range(n):
        rest = study.take(np.delete(np.arange(n), i), unit=study.space.median)
        scored = rest.space.weights * ~np.isnan(rest.scores).all(axis=0)
        if scored.any():
            ability = fit_listing(rest).ability
            known = np.isfinite(whole) & np.isfinite(ability)
            agreement[i] = spearman(whole[known], ability[known])
    return agreement
