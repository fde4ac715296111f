"""How long a fit takes, beside two other ways to abilities and on boards of other shapes, as ratios in one run.

Seconds are this machine's; the ratios are what carries over. Nothing here checks a time: ``python
benchmarks/fit_speed.py`` prints a table and that is all.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any, Final

import girth
import numpy as np
from scipy.optimize import least_squares
from scipy.sparse import csr_array
from scipy.special import expit, ndtr

import balance_of_benchmarks as bob
from balance_of_benchmarks.correlation import spearman
from balance_of_benchmarks.equating.parallel import available_threads
from balance_of_benchmarks.types import BoolArray, FloatArray, IntArray

_SEED: Final = 20260903
_REPEATS: Final = 200
_DRAWS: Final = 1000
_CATEGORIES: Final = 5
# Models, benchmarks, share observed, repeats. The last two are there to see from how many cells on threads pay.
_SHAPES: Final = ((662, 1555, 0.10, 9), (7187, 12, 0.52, 9), (2000, 1555, 0.10, 9), (6000, 1555, 0.20, 3))


@dataclass(frozen=True, slots=True)
class _Demo:
    """The demo board as the fit takes it, and what the fit makes of it."""

    scores: FloatArray
    weights: FloatArray
    n_items: FloatArray
    cells: bob.ObservedCells
    ability: FloatArray


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the table; `seconds` has one entry a repeat."""

    what: str
    seconds: list[float]
    remark: str


def main() -> None:
    """Time everything and print the table."""
    demo = _read_demo()
    ours = _time_ours(demo)
    lines = [*ours, *_time_least_squares(demo), _time_graded(demo), _time_bootstrap(demo)]
    for models, benchmarks, share, repeats in _SHAPES:
        lines += _time_shape(models, benchmarks, share, repeats)
    print(
        f"Python {platform.python_version()}, numpy {np.__version__}, {os.cpu_count()} cores; "
        f"demo board {demo.scores.shape[0]} x {demo.scores.shape[1]}, {demo.cells.size} cells\n"
    )
    print(_format_table(lines, median(ours[0].seconds)))


def _read_demo() -> _Demo:
    kept = bob.read_board("demo").retain()
    weights = bob.measure_space(bob.embed(kept.descriptions)).weights
    cells = bob.ObservedCells.from_matrix(kept.scores)
    # This call is also the untimed one, after which the loops are compiled.
    ability = bob.fit_scores(kept.scores, weights, n_items=kept.n_items, threads=1).ability
    return _Demo(kept.scores, weights, kept.n_items, cells, ability)


def _time_ours(demo: _Demo) -> list[_Line]:
    lines = []
    for threads in (1, 2):
        fit = partial(bob.fit_scores, demo.scores, demo.weights, n_items=demo.n_items, threads=threads)
        seconds, _ = _repeat(fit, _REPEATS)
        name = f"bob.fit_scores, {_count_threads(threads)}"
        lines.append(_Line(name, seconds, f"from the matrix with NaN; {_per_cell(seconds, demo.cells.size)}"))
    return lines


def _time_least_squares(demo: _Demo) -> list[_Line]:
    lines = []
    for name, sparse, repeats in (("sparse exact Jacobian", True, 15), ("its own dense Jacobian", False, 1)):
        seconds, fit = _repeat(partial(_fit_least_squares, demo.scores, sparse), repeats)
        remark = f"{_compare(fit.ability, demo)}, {fit.steps} steps, squared error {fit.squared_error:.4f}"
        lines.append(_Line(f"scipy least_squares, {name}", seconds, remark))
    return lines


def _time_graded(demo: _Demo) -> _Line:
    responses = _cut_into_categories(demo.scores)
    seconds, fit = _repeat(partial(girth.grm_mml, responses), 5)
    remark = f"{_compare(fit['Ability'], demo)}, from {_CATEGORIES} ordered categories a benchmark"
    return _Line("girth graded response model", seconds, remark)


def _time_bootstrap(demo: _Demo) -> _Line:
    seconds, _ = _repeat(
        lambda: bob.bootstrap_abilities(
            demo.cells, demo.weights, draws=_DRAWS, rng=np.random.default_rng(_SEED), n_items=demo.n_items
        ),
        5,
    )
    threads = available_threads(demo.cells.size * _DRAWS)
    remark = f"{1e3 * median(seconds) / _DRAWS:.2f} ms a refit, {_count_threads(threads)}"
    return _Line(f"bob.bootstrap_abilities, {_DRAWS} refits", seconds, remark)


def _time_shape(models: int, benchmarks: int, share: float, repeats: int) -> list[_Line]:
    scores = _simulate_scores(models, benchmarks, share)
    size = int((~np.isnan(scores)).sum())
    lines = []
    for threads in (1, 2):
        seconds, _ = _repeat(partial(bob.fit_scores, scores, threads=threads), repeats)
        name = f"{models} x {benchmarks}, {share:.0%} full, {_count_threads(threads)}"
        lines.append(_Line(name, seconds, f"{size} cells; {_per_cell(seconds, size)}"))
    return lines


def _repeat(run: Callable[[], Any], repeats: int) -> tuple[list[float], Any]:
    """Seconds of each call, and what the last one returned."""
    seconds, result = [], None
    for _ in range(repeats):
        start = time.perf_counter()
        result = run()
        seconds.append(time.perf_counter() - start)
    return seconds, result


@dataclass(frozen=True, slots=True)
class _LeastSquaresFit:
    ability: FloatArray
    steps: int
    squared_error: float


class _LogisticProblem:
    """Squared error of sigmoid(a(θ - b)) over the observed cells, in all parameters at once.

    The parameters are θ of each model, then a, then b of each benchmark. The scale is pinned by holding the best
    covered benchmark at a = 1, b = 0, as the Epoch Capabilities Index pins it; there is no ridge, weight or bound.
    """

    def __init__(self, cells: bob.ObservedCells) -> None:
        m, n = cells.n_models, cells.n_benchmarks
        anchor = int(np.diff(cells.benchmark_start).argmax())
        self.cells = cells
        self.start = np.concatenate([_mean_z_scores(cells), np.ones(n), np.zeros(n)])
        self.free: BoolArray = np.ones(m + 2 * n, dtype=bool)
        self.free[[m + anchor, m + n + anchor]] = False
        self.rows: IntArray = np.repeat(np.arange(cells.size), 3)
        places = np.stack([cells.model, m + cells.benchmark, m + n + cells.benchmark], axis=1).ravel()
        self.kept = self.free[places]
        self.columns: IntArray = (np.cumsum(self.free) - 1)[places][self.kept]

    def residuals(self, free: FloatArray) -> FloatArray:
        apart, a = self._unpack(free)
        errors: FloatArray = expit(a * apart) - self.cells.score
        return errors

    def jacobian(self, free: FloatArray) -> csr_array:
        apart, a = self._unpack(free)
        expected = expit(a * apart)
        slope = expected * (1.0 - expected)
        values = np.stack([slope * a, slope * apart, -slope * a], axis=1).ravel()[self.kept]
        return csr_array((values, (self.rows[self.kept], self.columns)), shape=(self.cells.size, free.size))

    def fill(self, free: FloatArray) -> FloatArray:
        """All parameters, those held fixed included."""
        whole = self.start.copy()
        whole[self.free] = free
        return whole

    def _unpack(self, free: FloatArray) -> tuple[FloatArray, FloatArray]:
        """θ - b and a of each cell."""
        m, n = self.cells.n_models, self.cells.n_benchmarks
        whole = self.fill(free)
        a, b = whole[m : m + n], whole[m + n :]
        return whole[self.cells.model] - b[self.cells.benchmark], a[self.cells.benchmark]


def _fit_least_squares(scores: FloatArray, sparse: bool) -> _LeastSquaresFit:
    """Fit logistic curves jointly, columns built from the matrix as ours are.

    With `sparse`, the quickest of the ways least_squares offers here: exact derivatives in a sparse matrix, steps by
    LSMR. Without, as it runs when told nothing: differences, a dense matrix and its singular values.
    """
    cells = bob.ObservedCells.from_matrix(scores)
    problem = _LogisticProblem(cells)
    told: dict[str, Any] = {"jac": problem.jacobian, "tr_solver": "lsmr", "x_scale": "jac"} if sparse else {}
    result = least_squares(problem.residuals, problem.start[problem.free], method="trf", **told)
    return _LeastSquaresFit(problem.fill(result.x)[: cells.n_models], int(result.nfev), 2.0 * float(result.cost))


def _mean_z_scores(cells: bob.ObservedCells) -> FloatArray:
    """Each model's mean z-score over its columns."""
    table = cells.to_matrix(cells.score)
    z = (table - np.nanmean(table, axis=0)) / np.nanstd(table, axis=0)
    means: FloatArray = np.nanmean(z, axis=1)
    return means


def _cut_into_categories(scores: FloatArray) -> IntArray:
    """Ordered categories of about equal size within each benchmark, benchmarks x models, missing ones tagged."""
    edges = np.nanquantile(scores, np.arange(1, _CATEGORIES) / _CATEGORIES, axis=0)
    category = np.where(np.isnan(scores), -1, (scores > edges[:, None, :]).sum(axis=0))
    tagged: IntArray = girth.tag_missing_data(category.T, list(range(_CATEGORIES)))
    return tagged


def _simulate_scores(models: int, benchmarks: int, share: float) -> FloatArray:
    """Scores on ogive curves with a little noise, missing at random."""
    rng = np.random.default_rng(_SEED)
    ability = rng.normal(size=(models, 1))
    a, b = rng.uniform(0.4, 1.8, benchmarks), rng.normal(0.0, 1.0, benchmarks)
    noisy = ndtr(a * (ability - b)) + rng.normal(0.0, 0.07, (models, benchmarks))
    scores: FloatArray = np.where(rng.random((models, benchmarks)) < share, np.clip(noisy, 0.0, 1.0), np.nan)
    return scores


def _compare(ability: FloatArray, demo: _Demo) -> str:
    return f"Spearman with ours {spearman(ability, demo.ability):.4f}"


def _count_threads(threads: int) -> str:
    return "1 thread" if threads == 1 else f"{threads} threads"


def _per_cell(seconds: list[float], size: int) -> str:
    return f"{1e6 * median(seconds) / size:.2f} µs a cell"


def _format_table(lines: list[_Line], unit: float) -> str:
    """Aligned columns; ratios are of medians, to `unit` seconds."""
    table = [("what", "median", "best", "ratio", "remark")]
    for line in lines:
        middle = median(line.seconds)
        ratio = middle / unit
        repeats = f"{len(line.seconds)} x" if len(line.seconds) > 1 else "once"
        table.append(
            (
                line.what,
                f"{1e3 * middle:.2f} ms",
                f"{1e3 * min(line.seconds):.2f} ms",
                f"{ratio:.2f}" if ratio < 10.0 else f"{ratio:.0f}",
                f"{line.remark}; {repeats}",
            )
        )
    wide = [max(len(row[i]) for row in table) for i in range(4)]
    return "\n".join(
        f"{what:<{wide[0]}}  {middle:>{wide[1]}}  {best:>{wide[2]}}  {ratio:>{wide[3]}}  {remark}"
        for what, middle, best, ratio, remark in table
    )


if __name__ == "__main__":
    main()
