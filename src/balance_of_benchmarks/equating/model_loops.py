"""The compiled loops over each model's cells: Eq. (2), and how many minima its loss has."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from balance_of_benchmarks.equating.compiled import compiled, vectorised
from balance_of_benchmarks.types import FloatArray, IntArray

__all__ = ["count_minima", "fit_abilities", "order_by_model"]

# Rounding noise of a loss that is zero but for it.
_RIPPLE: Final = 1e-15


@compiled
def order_by_model(model: IntArray, n_models: int, start: IntArray, cell: IntArray) -> None:
    """Fill the row order of cells that lie in column order: a counting sort, stable.

    Parameters
    ----------
    model : ndarray of int, shape (C,)
        Model of each cell.
    n_models : int
    start : ndarray of int, shape (M + 1,), written
        Where each model's cells begin in `cell`.
    cell : ndarray of int, shape (C,), written
        Positions in column order, model by model.
    """
    start[:] = 0
    for c in range(model.size):
        start[model[c] + 1] += 1
    for m in range(n_models):
        start[m + 1] += start[m]
    for c in range(model.size):
        m = model[c]
        cell[start[m]] = c
        start[m] += 1
    for m in range(n_models, 0, -1):
        start[m] = start[m - 1]
    start[0] = 0


@vectorised
def _add_loss(weight: float, score: float, expected: FloatArray, loss: FloatArray) -> None:
    for k in range(loss.size):
        error = score - expected[k]
        loss[k] += weight * error * error


@vectorised
def _smallest(values: FloatArray) -> float:
    least: float = values[0]
    for value in values:
        least = value if value < least else least
    return least


@compiled
def fit_abilities(
    lower: int,
    upper: int,
    start: IntArray,
    cell: IntArray,
    benchmark: IntArray,
    score: FloatArray,
    cell_weight: FloatArray,
    benchmark_weight: FloatArray,
    grid: FloatArray,
    table: FloatArray,
    ability: FloatArray,
    place: IntArray,
) -> None:
    """Eq. (2) for models `lower` to `upper`: the grid point of least loss, refined by a parabola.

    Writes θ into `ability` (NaN without a cell of positive weight) and the grid point into `place` (-1 then).
    """
    loss = np.empty(grid.size, dtype=table.dtype)
    step = grid[1] - grid[0]
    for m in range(lower, upper):
        loss[:] = 0.0
        total = 0.0
        for c in cell[start[m] : start[m + 1]]:
            i = benchmark[c]
            weight = cell_weight[c] * benchmark_weight[i]
            if weight > 0.0:
                total += weight
                _add_loss(weight, score[c], table[i], loss)
        if total == 0.0:
            ability[m] = np.nan
            place[m] = -1
            continue
        least = _smallest(loss)
        best = 0
        while loss[best] > least:
            best += 1
        place[m] = best
        ability[m] = grid[best]
        if 0 < best < grid.size - 1:
            bend = loss[best - 1] - 2.0 * loss[best] + loss[best + 1]
            if bend > 0.0:
                ability[m] += 0.5 * step * (loss[best - 1] - loss[best + 1]) / bend


@compiled
def count_minima(
    lower: int,
    upper: int,
    start: IntArray,
    cell: IntArray,
    benchmark: IntArray,
    score: FloatArray,
    benchmark_weight: FloatArray,
    scale: FloatArray,
    table: FloatArray,
    cap: float,
    barrier: float,
    minima: IntArray,
) -> None:
    """Count the minima over ability of each model's robust loss, whose stationary points the fit alternates to.

    With weights min(1, (cap/|r|)²) a residual costs r²/2 up to the cap and cap²(1/2 + ln|r/cap|) beyond. Two
    minima count as two when the wall between them rises by more than `barrier` of the loss above each.
    """
    points = table.shape[1]
    loss = np.empty(points)
    for m in range(lower, upper):
        loss[:] = 0.0
        for c in cell[start[m] : start[m + 1]]:
            i = benchmark[c]
            unit = benchmark_weight[i] * scale[i] * scale[i]
            if not unit > 0.0:
                continue
            for k in range(points):
                r = abs(score[c] - table[i, k]) / scale[i]
                if r <= cap:
                    loss[k] += unit * 0.5 * r * r
                else:
                    loss[k] += unit * cap * cap * (0.5 + math.log(r / cap))
        # Descend to a valley; once the loss has risen by the barrier, climb to a wall; a fall by the barrier
        # from there is the next valley.
        found = 1
        lowest = highest = loss[0]
        climbing = False
        for k in range(1, points):
            if climbing:
                highest = max(highest, loss[k])
                if highest - loss[k] > barrier * loss[k] + _RIPPLE:
                    found += 1
                    lowest = loss[k]
                    climbing = False
            else:
                lowest = min(lowest, loss[k])
                if loss[k] - lowest > barrier * lowest + _RIPPLE:
                    highest = loss[k]
                    climbing = True
        minima[m] = found
