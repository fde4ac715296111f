"""What rankings are asked with after a fit: the estimator's parameters as they were then."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

import numpy as np
from numpy.typing import NDArray

from balance_of_benchmarks.equating.settings import FitSettings
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.geometry.points import check_positive
from balance_of_benchmarks.ranking.abstention import abstention_threshold
from balance_of_benchmarks.ranking.bandwidth import check_bandwidths
from balance_of_benchmarks.ranking.choosing import Selection
from balance_of_benchmarks.ranking.field import FieldKind, ResidualKind, Shrinkage
from balance_of_benchmarks.text.encoder import Encoder

__all__ = ["RankingOptions", "asks_for_kernel"]

_KERNEL_DEFAULTS: Final = (None, "support", "standardized", False)


def asks_for_kernel(*given: Any) -> bool:
    """Tell whether an option was given that only the kernel average has.

    Parameters
    ----------
    *given
        `bandwidth`, `shrinkage`, `residual` and `information_in_support`, whatever the caller was given for them.

    Returns
    -------
    bool
    """
    return any(np.ndim(one) or one != usual for one, usual in zip(given, _KERNEL_DEFAULTS, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class RankingOptions:
    """Parameters of `BalanceOfBenchmarks` that are used after its fit, under its names; checked here.

    They are taken once, at the fit: a later change of the estimator's is for its next fit.
    """

    encoder: Encoder | NDArray[Any]
    field: FieldKind
    kriges_at_most: int | None
    selection: Selection
    bandwidth: float | None
    bandwidths: Sequence[float]
    shrinkage: Shrinkage
    residual: ResidualKind
    information_in_support: bool
    abstain_beyond: float | None
    settings: FitSettings | None
    threads: int | None
    seed: int

    def __post_init__(self) -> None:
        for name, value, known in (
            ("field", self.field, get_args(FieldKind)),
            ("selection", self.selection, get_args(Selection)),
        ):
            if value not in known:
                raise ArrayError(f"{name} is {value!r}: expected one of {', '.join(known)}")
        kernel = self.bandwidth, self.shrinkage, self.residual, self.information_in_support
        if self.field == "kriging" and asks_for_kernel(*kernel):
            raise ArrayError(
                "bandwidth, shrinkage, residual and information_in_support are of the kernel average: "
                "leave them out, or say field='kernel'"
            )
        if self.bandwidth is not None:
            bandwidth = check_positive(self.bandwidth, "bandwidth", "a positive multiple of the median distance")
            object.__setattr__(self, "bandwidth", bandwidth)
        # A list is its owner's to change.
        object.__setattr__(self, "bandwidths", check_bandwidths(self.bandwidths))
        if not (self.abstain_beyond is None or self.abstain_beyond == math.inf):
            check_positive(self.abstain_beyond, "abstain_beyond", "a positive multiple of the median distance, or inf")
        if not isinstance(self.seed, int) or self.seed < 0:
            raise ArrayError(f"seed is {self.seed!r}: expected a whole number of at least 0")

    @property
    def threshold(self) -> float | None:
        """Distance to the nearest benchmark, in medians, beyond which to abstain; None for an unknown encoder."""
        if self.abstain_beyond is not None:
            return self.abstain_beyond
        if isinstance(self.encoder, np.ndarray):
            return None
        return abstention_threshold(self.encoder.identity)

    def kriges(self, points: int) -> bool:
        """Tell whether tasks are read by kriging on a list of so many points."""
        return self.field == "kriging" and (self.kriges_at_most is None or points <= self.kriges_at_most)

    def generator(self) -> np.random.Generator:
        """Begin the seed's random numbers anew."""
        return np.random.default_rng(self.seed)
