"""The characteristic curve and what follows from it: pure formulas of Eq. (1), §3.1."""

from __future__ import annotations

from typing import Literal

import numpy as np

from balance_of_benchmarks.equating.benchmark_loops import evaluate_ogive
from balance_of_benchmarks.types import FloatArray

__all__ = ["Link", "expected_score", "score_slope"]

Link = Literal["ogive", "linear"]


def expected_score(ability: FloatArray, discrimination: FloatArray, difficulty: FloatArray, link: Link) -> FloatArray:
    """Score expected of an ability: Φ(a(θ - b)).

    Parameters
    ----------
    ability, discrimination, difficulty : ndarray
        θ, a, b; broadcast against each other. Typical values: θ in [-3, 3], a in [.3, 2], b in [-2, 2].
    link : {"ogive", "linear"}
        ``"linear"`` replaces Φ(x) by 1/2 + x, the ablation on a linear scale.

    Returns
    -------
    ndarray
        1/2 where θ = b, whatever the link.
    """
    x = discrimination * (ability - difficulty)
    return _normal(x)[0] if link == "ogive" else 0.5 + x


def score_slope(ability: FloatArray, discrimination: FloatArray, difficulty: FloatArray, link: Link) -> FloatArray:
    """Slope of the curve in ability: a φ(a(θ - b)), or a on the linear scale.

    Parameters
    ----------
    ability, discrimination, difficulty : ndarray
    link : {"ogive", "linear"}

    Returns
    -------
    ndarray
    """
    x = discrimination * (ability - difficulty)
    return discrimination * (_normal(x)[1] if link == "ogive" else np.ones_like(x))


def _normal(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Φ and φ of an array of any shape, by the fit's own code; NaN where `x` is, which that code may not meet."""
    cdf, pdf = np.full(x.shape, np.nan), np.full(x.shape, np.nan)
    known = ~np.isnan(x)
    known_cdf, known_pdf = np.empty(known.sum()), np.empty(known.sum())
    evaluate_ogive(x[known], known_cdf, known_pdf)
    cdf[known], pdf[known] = known_cdf, known_pdf
    return cdf, pdf
