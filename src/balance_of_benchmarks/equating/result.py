"""What a fit gives back: abilities, curves, residuals, and how it went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from balance_of_benchmarks.equating import model_loops
from balance_of_benchmarks.equating.cells import ObservedCells
from balance_of_benchmarks.equating.curve import expected_score, score_slope
from balance_of_benchmarks.equating.settings import FitSettings
from balance_of_benchmarks.types import BoolArray, FloatArray, IntArray

__all__ = ["Fit", "FitCells", "FitStatus"]

# A wall lower than a thousandth of the loss around it is not one a fit could be caught behind.
_BARRIER: Final = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class FitCells:
    """What the fit knows of each observed cell; the arrays are aligned, shape (C,).

    Parameters
    ----------
    model, benchmark : ndarray of int
        Positions; benchmarks ascend, and within one the models.
    residual : ndarray
        Standardized residual r; NaN for a model without ability.
    weight : ndarray
        Robust weight w.
    """

    model: IntArray
    benchmark: IntArray
    residual: FloatArray
    weight: FloatArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FitStatus:
    """How the fit went: look here before trusting an extreme value.

    Parameters
    ----------
    rounds : int
    last_change : float
        Largest change of an ability in the last round.
    at_bound : ndarray of bool, shape (N,)
        Curves with a parameter at its bound.
    at_grid_end : ndarray of bool, shape (M,)
        Abilities at the end of the grid: all scores at a floor or a ceiling.
    no_weight : ndarray of bool, shape (M,)
        Models without a cell of positive weight; their ability is NaN.
    floored : ndarray of int, shape (N,)
        1 where the residual scale was raised to the binomial sampling SD, 2 to the smallest scale.
    attenuated : int
        Cells whose robust weight is below 1.
    two_minima : ndarray of bool, shape (M,)
        Models whose robust loss has more than one minimum: a small change elsewhere may move them far.
    """

    rounds: int
    last_change: float
    at_bound: BoolArray
    at_grid_end: BoolArray
    no_weight: BoolArray
    floored: IntArray
    attenuated: int
    two_minima: BoolArray

    def __repr__(self) -> str:
        counts = ", ".join(
            f"{name} {np.count_nonzero(values)} of {values.size}"
            for name in ("at_bound", "floored", "at_grid_end", "no_weight", "two_minima")
            for values in [getattr(self, name)]
        )
        rounds = f"{self.rounds} rounds, last change {self.last_change:.3g}"
        return f"FitStatus({rounds}; {counts}; attenuated {self.attenuated})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Fit:
    """Abilities, curves and residuals of a board.

    Parameters
    ----------
    ability : ndarray of shape (M,)
        θ, mean 0 and variance 1 over models; NaN for a model without a cell of positive weight.
    discrimination, difficulty : ndarray of shape (N,)
        a and b of each curve; NaN for a benchmark without a score.
    residual_scale : ndarray of shape (N,)
        σ.
    information : ndarray of shape (N,)
        Ī, the mean over models.
    r_squared : ndarray of shape (N,)
        Share of a column's variance its curve explains; NaN for a constant column.
    objective_weight : ndarray of shape (N,)
        What multiplies a benchmark's squared errors in Eq. (2): v rescaled to mean one, over the squared
        ability scale if one was given.
    labels : ndarray of int, shape (N,)
        Which benchmarks are copies of one point.
    settings : FitSettings
    observed : ObservedCells
        The scores it was fitted to.
    cells : FitCells
    """

    ability: FloatArray
    discrimination: FloatArray
    difficulty: FloatArray
    residual_scale: FloatArray
    information: FloatArray
    r_squared: FloatArray
    objective_weight: FloatArray
    labels: IntArray
    settings: FitSettings
    observed: ObservedCells
    cells: FitCells
    _last_change: float
    _place: IntArray
    _floored: IntArray

    def __repr__(self) -> str:
        cells = self.observed
        return f"Fit({cells.n_models} models, {cells.n_benchmarks} benchmarks, {cells.size} scores)"

    @property
    def residuals(self) -> FloatArray:
        """Standardized residuals r as a matrix (M, N), NaN where unobserved; built on demand."""
        return self.observed.to_matrix(self.cells.residual)

    @property
    def cell_weights(self) -> FloatArray:
        """Robust weights w as a matrix (M, N), NaN where unobserved; built on demand."""
        return self.observed.to_matrix(self.cells.weight)

    @property
    def slopes(self) -> FloatArray:
        """Slope of its curve at each observed cell, a φ(a(θ - b)), shape (C,)."""
        model, benchmark = self.cells.model, self.cells.benchmark
        return score_slope(
            self.ability[model], self.discrimination[benchmark], self.difficulty[benchmark], self.settings.link
        )

    @property
    def standard_error(self) -> FloatArray:
        """Standard error of each ability, shape (M,); NaN at an end of the grid and without an ability.

        Notes
        -----
        The sandwich of Eq. (2): with c = w v and slope f = a φ, Var θ = Σ_p (Σ_{i at p} c f σ)² / (Σ c f²)² over
        points p, so that copies count as what they are, one residual. Here σ² counts each residual for
        1 - Σ_{i at p} c f² / Σ c f² of one, since θ was fitted to it. It answers how far θ would move had the
        model's residuals been drawn again, independently at each point; curves and weights are taken as known.
        Residuals of related benchmarks are not independent, so it is a lower bound (docs/method.md has figures).
        Unlike the paper, which gives abilities without an interval.
        """
        cells, benchmark = self.cells, self.cells.benchmark
        # A model without ability has slopes of NaN and cells of weight 0.
        slope, weight = np.nan_to_num(self.slopes), cells.weight * self.objective_weight[benchmark]
        bread = self.observed.sum_by_model(weight * slope**2)
        known = (bread > np.finfo(float).tiny) & np.isfinite(self.ability) & ~self.at_grid_end
        leverage = self._add_copies(weight * slope**2) / np.where(known, bread, 1.0)[cells.model]
        n = self.observed.n_benchmarks
        squares = np.bincount(benchmark, weights=np.nan_to_num(cells.residual) ** 2, minlength=n)
        freedom = np.bincount(benchmark, weights=1.0 - leverage, minlength=n)
        variance = self.residual_scale**2 * np.maximum(1.0, squares / np.maximum(freedom, 1.0))
        pull = weight * slope * np.sqrt(variance)[benchmark]
        meat = self.observed.sum_by_model(pull * self._add_copies(pull))
        error = np.full(len(bread), np.nan)
        error[known] = np.sqrt(meat[known]) / bread[known]
        return error

    def _add_copies(self, values: FloatArray) -> FloatArray:
        """Give each cell (C,) the sum over the model's cells at the same point."""
        points, point = np.unique(self.labels, return_inverse=True)
        if points.size == self.labels.size:
            return values
        pairs = self.cells.model * points.size + point[self.cells.benchmark]
        _, pair = np.unique(pairs, return_inverse=True)
        total: FloatArray = np.bincount(pair, weights=values).astype(np.float64)[pair]
        return total

    @property
    def at_grid_end(self) -> BoolArray:
        """Models whose ability is at an end of the grid, shape (M,): their scores set it no limit on that side."""
        ends: BoolArray = (self._place == 0) | (self._place == self.settings.grid.size - 1)
        return ends

    @property
    def status(self) -> FitStatus:
        """How the fit went; the search for second minima runs when this is asked."""
        low_a, high_a, low_b, high_b = self.settings.bounds
        a, b = self.discrimination, self.difficulty
        return FitStatus(
            rounds=self.settings.rounds,
            last_change=self._last_change,
            at_bound=(a <= low_a) | (a >= high_a) | (b <= low_b) | (b >= high_b),
            at_grid_end=self.at_grid_end,
            no_weight=self._place < 0,
            floored=self._floored,
            attenuated=int((self.cells.weight < 1.0).sum()),
            two_minima=_has_two_minima(self),
        )


def _has_two_minima(fit: Fit) -> BoolArray:
    cells, minima = fit.observed, np.zeros(fit.observed.n_models, np.int64)
    # Every fifth grid point: minima closer than a tenth of an SD are one for any purpose.
    grid = fit.settings.grid[::5]
    table = expected_score(grid, fit.discrimination[:, None], fit.difficulty[:, None], fit.settings.link)
    model_loops.count_minima(
        0, cells.n_models, cells.model_start, cells.by_model, cells.benchmark, cells.score, fit.objective_weight,
        fit.residual_scale, table, fit.settings.robust_cap, _BARRIER, minima,
    )  # fmt: skip
    return minima > 1
