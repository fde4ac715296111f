"""The constants of the fit."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Final, Literal, get_args

import numpy as np

from balance_of_benchmarks.equating.curve import Link
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.geometry.points import check_positive
from balance_of_benchmarks.types import FloatArray

__all__ = ["AbilityScale", "FitSettings"]

AbilityScale = Literal["paper", "halfway", "standardized"]

# A line needs some slope to have a difficulty; a thousandth of the score range an SD of ability is next to none.
_SMALLEST_SLOPE: Final = 1e-3
# The curves are tabulated on the grid; the parabola between its points makes a finer one pointless.
_MOST_POINTS: Final = 10_000


@dataclass(frozen=True, slots=True)
class FitSettings:
    """Every constant of the fit, with the paper's values.

    Parameters
    ----------
    rounds : int
        Alternations of curves and abilities.
    grid_low, grid_high, grid_step : float
        Ability is searched from `grid_low` up to but not including `grid_high`.
    discrimination_low, discrimination_high : float
        Bounds of a.
    difficulty_low, difficulty_high : float
        Bounds of b.
    robust_cap : float
        Standardized residuals beyond it lose weight quadratically; infinite for no robust weights.
    robust_floor : float
        The least weight of a cell.
    robust_from : int
        First round, counting from 1, that uses robust weights: at least 2, for the first has no residuals yet.
    smallest_scale : float
        Least residual scale, a thousandth of the score range: a column that the curve fits perfectly must not
        outweigh all others without limit. The paper has none; on its board no scale is below .04.
    link : {"ogive", "linear"}
        Φ(a(θ - b)), or 1/2 + a(θ - b) for the ablation on a linear scale, whose curve has no difficulty bounds.
    ability_scale : {"paper", "halfway", "standardized"}
        What divides a benchmark's errors in the ability objective: nothing; the SD of its scores, so that its say is
        its weight and not its weight times the spread of its scores; or the root of that, halfway between.
    """

    rounds: int = 6
    grid_low: float = -3.5
    grid_high: float = 3.5
    grid_step: float = 0.02
    discrimination_low: float = 0.05
    discrimination_high: float = 10.0
    difficulty_low: float = -6.0
    difficulty_high: float = 6.0
    robust_cap: float = 3.0
    robust_floor: float = 1e-3
    robust_from: int = 2
    smallest_scale: float = 1e-3
    link: Link = "ogive"
    ability_scale: AbilityScale = "paper"

    def __post_init__(self) -> None:
        for name in ("grid_step", "discrimination_low", "robust_floor", "smallest_scale"):
            check_positive(getattr(self, name), name, "a positive number")
        if self.robust_cap != np.inf:
            check_positive(self.robust_cap, "robust_cap", "a positive number, or inf for no robust weights")
        if self.robust_floor > 1:
            raise ArrayError(f"robust_floor is {self.robust_floor}: expected at most 1, the weight of a cell in line")
        for name, least in (("rounds", 1), ("robust_from", 2)):
            value = getattr(self, name)
            if not isinstance(value, int) or value < least:
                raise ArrayError(f"{name} is {value!r}: expected a whole number of at least {least}")
        for name in ("grid", "discrimination", "difficulty"):
            low, high = getattr(self, f"{name}_low"), getattr(self, f"{name}_high")
            numbers = isinstance(low, Real) and isinstance(high, Real)
            if not (numbers and -np.inf < low < high < np.inf):
                raise ArrayError(
                    f"{name} runs from {low!r} to {high!r}: expected two numbers, the first below the second"
                )
        if not 3 <= self._grid_size <= _MOST_POINTS:
            raise ArrayError(f"the ability grid has {self._grid_size:.0f} points: expected 3 to {_MOST_POINTS}")
        if self.link not in ("ogive", "linear"):
            raise ArrayError(f"link is {self.link!r}: expected 'ogive' or 'linear'")
        if self.ability_scale not in get_args(AbilityScale):
            raise ArrayError(
                f"ability_scale is {self.ability_scale!r}: expected one of {', '.join(get_args(AbilityScale))}"
            )

    @property
    def scale_power(self) -> float:
        """Power of its scores' SD that a benchmark's errors are divided by."""
        return {"paper": 0.0, "halfway": 0.5, "standardized": 1.0}[self.ability_scale]

    @property
    def grid(self) -> FloatArray:
        """The ability grid, shape (G,)."""
        return self.grid_low + self.grid_step * np.arange(self._grid_size, dtype=np.float64)

    @property
    def _grid_size(self) -> float:
        return float(np.ceil((self.grid_high - self.grid_low) / self.grid_step - 1e-9))

    @property
    def bounds(self) -> FloatArray:
        """Lower and upper bound of a, then of b, shape (4,)."""
        difficulty = (self.difficulty_low, self.difficulty_high) if self.link == "ogive" else (-np.inf, np.inf)
        smallest = self.discrimination_low if self.link == "ogive" else _SMALLEST_SLOPE
        return np.array([smallest, self.discrimination_high, *difficulty])
