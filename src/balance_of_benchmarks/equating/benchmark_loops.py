"""The compiled loops over each benchmark's cells: Eq. (1), the curves that fit best, residuals and information."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from balance_of_benchmarks.equating.compiled import compiled, vectorised
from balance_of_benchmarks.types import FloatArray, IntArray

__all__ = [
    "evaluate_ogive",
    "fit_curves",
    "measure_information",
    "measure_residuals",
    "tabulate_curves",
]

Column = tuple[IntArray, FloatArray, FloatArray]  # model, score and weight of one benchmark's cells

# Φ and φ are needed together, millions of times: tabulated every 1/64 and continued by Taylor's series, they
# come out in vector instructions, nine times as fast as by erfc and exp, and agree with them to 1e-13.
_KNOTS_PER_UNIT = 64
_REACH = 8.5  # beyond it Φ is 0 or 1 to the last bit
_KNOTS = np.arange(-_REACH * _KNOTS_PER_UNIT, _REACH * _KNOTS_PER_UNIT + 1) / _KNOTS_PER_UNIT
_LAST_KNOT = _KNOTS.size - 1
_CDF_AT_KNOT = np.array([0.5 * math.erfc(-knot * math.sqrt(0.5)) for knot in _KNOTS])
_PDF_AT_KNOT = np.exp(-0.5 * _KNOTS**2) / math.sqrt(2.0 * math.pi)

# Newton's steps double the correct digits: after one this small the next would be of 1e-10.
_LAST_STEP = 1e-5
_MOST_STEPS = 60
# A step must bring this share of what the gradient promises, or it is taken shorter.
_LEAST_GAIN = 0.01
# Below this share of the product of its diagonal a determinant is rounding; the damping brings it above.
_NEARLY_SINGULAR = 1e-10
_LEAST_DAMPING = 1e-6
# Keeps divisions defined where a curve is flat over all its cells.
_TINY = 1e-300

# What rounding leaves of the variance of a constant column.
_CONSTANT: Final = 1e-15


@vectorised
def _ogive(x: float) -> tuple[float, float]:
    """Φ(x) and φ(x), by Taylor's series around the nearest knot.

    The derivatives of φ there are its value times Hermite polynomials of the knot.
    """
    x = min(max(x, -_REACH), _REACH)
    # Clamped as a whole number too: a NaN, which must not come here, would read outside the table.
    knot: Any = min(max(np.int32((x + _REACH) * _KNOTS_PER_UNIT + 0.5), 0), _LAST_KNOT)
    y = knot / _KNOTS_PER_UNIT - _REACH
    d = x - y
    y2 = y * y
    h2 = (y2 - 1.0) / 2.0
    h3 = (3.0 - y2) * y / 6.0
    h4 = ((y2 - 6.0) * y2 + 3.0) / 24.0
    density = _PDF_AT_KNOT[knot]
    area = d * (1.0 + d * (-y / 2.0 + d * (h2 / 3.0 + d * (h3 / 4.0 + d * h4 / 5.0))))
    ratio = 1.0 + d * (-y + d * (h2 + d * (h3 + d * h4)))
    return _CDF_AT_KNOT[knot] + density * area, density * ratio


@vectorised
def evaluate_ogive(x: FloatArray, cdf: FloatArray, pdf: FloatArray) -> None:
    """Write Φ and φ of every number in `x`, all of shape (n,)."""
    for i in range(x.size):
        cdf[i], pdf[i] = _ogive(x[i])


@vectorised
def tabulate_curves(
    lower: int,
    upper: int,
    discrimination: FloatArray,
    difficulty: FloatArray,
    grid: FloatArray,
    linear: bool,
    table: FloatArray,
) -> None:
    """Write the expected score of benchmarks `lower` to `upper` at every grid point into `table` (N, G)."""
    for i in range(lower, upper):
        for k in range(grid.size):
            x = discrimination[i] * (grid[k] - difficulty[i])
            table[i, k] = 0.5 + x if linear else _ogive(x)[0]


@vectorised
def _curve_loss(cells: Column, ability: FloatArray, a: float, b: float, sums: FloatArray) -> float:
    """Half the weighted squared error of one ogive; its gradient and Hessian in (a, b) go into `sums`."""
    model, score, cell_weight = cells
    loss = g_a = g_b = h_aa = h_ab = h_bb = 0.0
    n_aa = n_ab = n_bb = 0.0
    for c in range(model.size):
        w = cell_weight[c]
        t = ability[model[c]] - b
        x = a * t
        expected, density = _ogive(x)
        error = expected - score[c]
        loss += 0.5 * w * error * error
        # dx/da = t, dx/db = -a, d²x/dadb = -1; Φ'' = -xφ.
        pull = w * error * density
        g_a += pull * t
        g_b -= pull * a
        gauss = w * density * density
        n_aa += gauss * t * t
        n_ab -= gauss * t * a
        n_bb += gauss * a * a
        newton = gauss - pull * x
        h_aa += newton * t * t
        h_ab -= newton * t * a + pull
        h_bb += newton * a * a
    sums[0], sums[1] = g_a, g_b
    sums[2], sums[3], sums[4] = h_aa, h_ab, h_bb
    sums[5], sums[6], sums[7] = n_aa, n_ab, n_bb
    return loss


@compiled
def _find_step(sums: FloatArray, damping: float, fixed_a: bool, fixed_b: bool) -> tuple[float, float, bool]:
    """Damped step in (a, b) by what `_curve_loss` wrote, and whether it is Newton's own."""
    g_a, g_b, h_aa, h_ab, h_bb = sums[0], sums[1], sums[2], sums[3], sums[4]
    newton = damping == 0.0
    if h_aa <= 0.0 or h_bb <= 0.0 or h_aa * h_bb - h_ab * h_ab <= _NEARLY_SINGULAR * h_aa * h_bb:
        h_aa, h_ab, h_bb = sums[5], sums[6], sums[7]  # not convex here, while Gauss and Newton's matrix is
        newton = False
        damping = max(damping, _LEAST_DAMPING)  # it may still be singular: of one cell it always is
    h_aa += damping * sums[5] + _TINY
    h_bb += damping * sums[7] + _TINY
    if fixed_a:
        return 0.0, -g_b / h_bb, newton
    if fixed_b:
        return -g_a / h_aa, 0.0, newton
    determinant = h_aa * h_bb - h_ab * h_ab
    if determinant <= 0.0:
        return 0.0, 0.0, newton  # so flat that its square is no number
    return (h_ab * g_b - h_bb * g_a) / determinant, (h_ab * g_a - h_aa * g_b) / determinant, newton


@compiled
def _fit_ogive(cells: Column, ability: FloatArray, a: float, b: float, bounds: FloatArray) -> tuple[float, float]:
    """Weighted least squares of one curve in a box, by damped Newton steps of bounded length from (a, b)."""
    a_low, a_high, b_low, b_high = bounds[0], bounds[1], bounds[2], bounds[3]
    here = np.empty(8)
    there = np.empty(8)
    loss = _curve_loss(cells, ability, a, b, here)
    damping = 0.0
    for _ in range(_MOST_STEPS):
        g_a, g_b = here[0], here[1]
        # A coordinate at its bound whose gradient pushes outwards stays there.
        fixed_a = (a <= a_low and g_a > 0.0) or (a >= a_high and g_a < 0.0)
        fixed_b = (b <= b_low and g_b > 0.0) or (b >= b_high and g_b < 0.0)
        if fixed_a and fixed_b:
            break
        step_a, step_b, newton = _find_step(here, damping, fixed_a, fixed_b)
        # A curve far from this one may lie beyond all cells, where the loss is flat and nothing leads back.
        beyond = max(1.0, step_a / a, -2.0 * step_a / a, abs(step_b))
        next_a = min(max(a + step_a / beyond, a_low), a_high)
        next_b = min(max(b + step_b / beyond, b_low), b_high)
        move_a, move_b = next_a - a, next_b - b
        moved = max(abs(move_a) / (1.0 + abs(a)), abs(move_b) / (1.0 + abs(b)))
        if moved < (_LAST_STEP if newton else _LAST_STEP**2):
            return next_a, next_b
        next_loss = _curve_loss(cells, ability, next_a, next_b, there)
        if next_loss <= loss + _LEAST_GAIN * min(g_a * move_a + g_b * move_b, 0.0):
            a, b, loss = next_a, next_b, next_loss
            here, there = there, here
            damping *= 0.1
            if damping < 1e-9:
                damping = 0.0
        else:
            damping = max(10.0 * damping, 1e-4)
    return a, b


@compiled
def _fit_line(cells: Column, ability: FloatArray, a: float, b: float, bounds: FloatArray) -> tuple[float, float]:
    """Weighted least squares of the line 1/2 + a(θ - b), kept in the box; (a, b) where it is undetermined."""
    a_low, a_high, b_low, b_high = bounds[0], bounds[1], bounds[2], bounds[3]
    model, score, cell_weight = cells
    total = mean_t = mean_s = 0.0
    for c in range(model.size):
        total += cell_weight[c]
        mean_t += cell_weight[c] * ability[model[c]]
        mean_s += cell_weight[c] * score[c]
    if total == 0.0:
        return a, b
    mean_t /= total
    mean_s /= total
    spread = shared = 0.0
    for c in range(model.size):
        apart = ability[model[c]] - mean_t
        spread += cell_weight[c] * apart * apart
        shared += cell_weight[c] * apart * (score[c] - mean_s)
    if spread > 0.0:
        a = min(max(shared / spread, a_low), a_high)
    b = min(max(mean_t - (mean_s - 0.5) / a, b_low), b_high)
    return a, b


@compiled
def fit_curves(
    lower: int,
    upper: int,
    start: IntArray,
    model: IntArray,
    score: FloatArray,
    cell_weight: FloatArray,
    ability: FloatArray,
    bounds: FloatArray,
    linear: bool,
    discrimination: FloatArray,
    difficulty: FloatArray,
) -> None:
    """Fit the curves of benchmarks `lower` to `upper`, warm from what the last two arguments hold."""
    for i in range(lower, upper):
        column = slice(start[i], start[i + 1])
        cells = (model[column], score[column], cell_weight[column])
        if linear:
            fitted = _fit_line(cells, ability, discrimination[i], difficulty[i], bounds)
        else:
            fitted = _fit_ogive(cells, ability, discrimination[i], difficulty[i], bounds)
        discrimination[i], difficulty[i] = fitted


@vectorised
def _residuals_of(
    model: IntArray,
    score: FloatArray,
    ability: FloatArray,
    known: FloatArray,
    a: float,
    b: float,
    linear: bool,
    residual: FloatArray,
    sums: FloatArray,
) -> None:
    """Write s - p of one column; count, squares, p(1 - p), and the score's mean and squares go into `sums`."""
    count = squares = sampling = total = 0.0
    for c in range(model.size):
        x = a * (ability[model[c]] - b)
        p = 0.5 + x if linear else _ogive(x)[0]
        counted = known[model[c]]
        error = score[c] - p
        residual[c] = error
        count += counted
        squares += counted * error * error
        p = min(max(p, 0.0), 1.0)
        sampling += counted * p * (1.0 - p)
        total += counted * score[c]
    mean = total / max(count, 1.0)
    spread = 0.0
    for c in range(model.size):
        apart = score[c] - mean
        spread += known[model[c]] * apart * apart
    sums[0], sums[1], sums[2], sums[3] = count, squares, sampling, spread


@vectorised
def _mean_information(ability: FloatArray, known: FloatArray, a: float, b: float, linear: bool) -> float:
    """Mean of (a φ(a(θ - b)))² over the models with an ability, observed on this benchmark or not."""
    total = count = 0.0
    for m in range(ability.size):
        slope = a if linear else a * _ogive(a * (ability[m] - b))[1]
        total += known[m] * slope * slope
        count += known[m]
    return total / count


@compiled
def measure_residuals(
    lower: int,
    upper: int,
    start: IntArray,
    model: IntArray,
    score: FloatArray,
    ability: FloatArray,
    known: FloatArray,
    discrimination: FloatArray,
    difficulty: FloatArray,
    n_items: FloatArray,
    smallest_scale: float,
    cap: float,
    floor: float,
    linear: bool,
    residual: FloatArray,
    cell_weight: FloatArray,
    scale: FloatArray,
    floored: IntArray,
    unexplained: FloatArray,
) -> None:
    """Residual scale σ, standardized residuals r and robust weights w of benchmarks `lower` to `upper`.

    σ is the root mean square of the unweighted residuals, at least the binomial sampling SD
    sqrt(mean p(1 - p) / n) (`floored` = 1) and at least `smallest_scale` (`floored` = 2); w is min(1, (cap/|r|)²),
    at least `floor`. `unexplained` is 1 - R² of the curve. Models that are not `known` (0, not 1) have weight 0.
    """
    sums = np.empty(4)
    for i in range(lower, upper):
        column = slice(start[i], start[i + 1])
        a, b = discrimination[i], difficulty[i]
        _residuals_of(model[column], score[column], ability, known, a, b, linear, residual[column], sums)
        count, squares, sampling, spread = sums
        floored[i] = 0
        if count == 0.0:
            scale[i] = unexplained[i] = np.nan
            continue
        unexplained[i] = squares / spread if spread > _CONSTANT * count else np.nan
        sigma = math.sqrt(squares / count)
        binomial = math.sqrt(sampling / count / n_items[i]) if n_items[i] > 0.0 else 0.0
        if sigma < binomial:
            sigma, floored[i] = binomial, 1
        if sigma < smallest_scale:
            sigma, floored[i] = smallest_scale, 2
        scale[i] = sigma
        for c in range(start[i], start[i + 1]):
            r = residual[c] / sigma
            beyond = abs(r) / cap
            residual[c] = r
            cell_weight[c] = known[model[c]] * (max(1.0 / (beyond * beyond), floor) if beyond > 1.0 else 1.0)


@compiled
def measure_information(
    lower: int,
    upper: int,
    ability: FloatArray,
    known: FloatArray,
    discrimination: FloatArray,
    difficulty: FloatArray,
    scale: FloatArray,
    linear: bool,
    information: FloatArray,
) -> None:
    """Mean information Ī = mean of (a φ(a(θ - b)) / σ)² of benchmarks `lower` to `upper`."""
    for i in range(lower, upper):
        slopes = _mean_information(ability, known, discrimination[i], difficulty[i], linear)
        information[i] = slopes / (scale[i] * scale[i])
