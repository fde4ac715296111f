"""Abilities and curves by alternation: Eq. (1) and (2), §3.1, and the fitting details of Appendix G.9."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from balance_of_benchmarks.equating import benchmark_loops, model_loops
from balance_of_benchmarks.equating.cells import ObservedCells
from balance_of_benchmarks.equating.parallel import Ranges, available_threads
from balance_of_benchmarks.equating.result import Fit, FitCells
from balance_of_benchmarks.equating.settings import FitSettings
from balance_of_benchmarks.errors import ArrayError, RankingError
from balance_of_benchmarks.geometry.points import take_labels
from balance_of_benchmarks.types import FloatArray, as_floats, freeze

__all__ = ["fit_cells", "fit_scores", "refit_abilities", "score_deviations"]


def fit_scores(
    scores: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    n_items: ArrayLike | None = None,
    ability_scale: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    settings: FitSettings | None = None,
    threads: int | None = None,
) -> Fit:
    """Equate scores on one ability scale.

    Use it on plain arrays; `BalanceOfBenchmarks` does it on a board, weights and all.

    Parameters
    ----------
    scores : array-like of shape (M, N)
        In [0, 1], higher better; NaN where a model was not evaluated.
    weights : array-like of shape (N,), optional
        Semantic weights u or v; only their ratios matter. Equal by default. A benchmark of weight zero gets a
        curve and residuals but no say in the abilities.
    n_items : array-like of shape (N,), optional
        Number of items of each benchmark for the binomial floor of its residual scale; NaN where unknown.
    ability_scale : array-like of shape (N,), optional
        Divides each benchmark's errors in the ability objective. The paper has none, so a benchmark with a wide
        spread of scores weighs more than its v says; its score SD here makes v mean influence, which is what
        ``FitSettings(ability_scale="standardized")`` does.
    labels : array-like of int, shape (N,), optional
        Benchmarks with equal labels are copies of one point, as `Space.labels` says; all distinct by default. The
        fit itself does not ask, but its standard errors do.
    settings : FitSettings, optional
        The constants; the paper's by default.
    threads : int, optional
        By default one for small boards and one a core for large ones. The result is the same to the bit.

    Returns
    -------
    Fit

    Raises
    ------
    ArrayError
        For arrays of the wrong shape or content.
    RankingError
        With fewer than two models, or none with a cell of positive weight.

    Notes
    -----
    Eq. (1) and (2), §3.1; Appendix G.9. Start: weighted mean of observed z-scores. Then, six times: curves by
    weighted least squares given abilities, abilities by grid search and a parabola given curves, standardized.
    σ, w and Ī come from the last abilities without another curve fit.

    Examples
    --------
    >>> fit = fit_scores([[0.1, 0.2], [0.4, 0.5], [0.9, float("nan")]])
    >>> fit.ability.argsort().tolist(), fit.residuals.shape
    ([0, 1, 2], (3, 2))
    """
    return fit_cells(
        ObservedCells.from_matrix(scores),
        weights,
        n_items=n_items,
        ability_scale=ability_scale,
        labels=labels,
        settings=settings,
        threads=threads,
    )


def fit_cells(
    observed: ObservedCells,
    weights: ArrayLike | None = None,
    *,
    n_items: ArrayLike | None = None,
    ability_scale: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    settings: FitSettings | None = None,
    threads: int | None = None,
) -> Fit:
    """Equate the scores of observed cells; `fit_scores` for a board too large or too empty for a matrix.

    Parameters
    ----------
    observed : ObservedCells
    weights, n_items, ability_scale, labels, settings, threads
        As for `fit_scores`.

    Returns
    -------
    Fit
    """
    if not (settings is None or isinstance(settings, FitSettings)):
        raise ArrayError(f"settings is {settings!r}: expected a FitSettings, or None for the paper's constants")
    constants = settings or FitSettings()
    if constants.scale_power:
        if ability_scale is not None:
            words = f"by its numbers, and as {constants.ability_scale!r} in the settings"
            raise ArrayError(f"ability_scale is given twice: {words}")
        ability_scale = score_deviations(observed, constants.smallest_scale) ** constants.scale_power
    objective_weight = _objective_weight(observed.n_benchmarks, weights, ability_scale)
    items = _per_benchmark(n_items, observed.n_benchmarks, "n_items", np.nan)
    if (items <= 0).any():
        raise ArrayError("n_items must be positive, or NaN where unknown")
    points = np.arange(observed.n_benchmarks) if labels is None else take_labels(labels, observed.n_benchmarks)
    with Ranges(available_threads(observed.size, threads)) as ranges:
        loop = _Alternation(observed, objective_weight, items, constants, ranges)
        ability, change = loop.start(), np.nan
        for turn in range(1, constants.rounds + 1):
            if turn >= constants.robust_from:
                loop.weigh_cells(ability)
            loop.fit_curves(ability)
            before, ability = ability, loop.fit_abilities()
            change = float(np.abs(ability - before).max())
        loop.weigh_cells(ability)
        information = loop.measure_information(ability)
    unknown = loop.known == 0.0
    loop.residual[unknown[observed.model]] = np.nan
    # Where nothing was observed, or only of models without ability, the curve is still the one it started from.
    ability[unknown] = np.nan
    loop.discrimination[np.isnan(loop.scale)] = loop.difficulty[np.isnan(loop.scale)] = np.nan
    freeze(ability, loop.discrimination, loop.difficulty, loop.scale, information, loop.unexplained)
    freeze(objective_weight, points, loop.residual, loop.weight, loop.place, loop.floored)
    return Fit(
        ability=ability,
        discrimination=loop.discrimination,
        difficulty=loop.difficulty,
        residual_scale=loop.scale,
        information=information,
        r_squared=1.0 - loop.unexplained,
        objective_weight=objective_weight,
        labels=points,
        settings=constants,
        observed=observed,
        cells=FitCells(observed.model, observed.benchmark, loop.residual, loop.weight),
        _last_change=change,
        _place=loop.place,
        _floored=loop.floored,
    )


def refit_abilities(fit: Fit, weights: ArrayLike) -> FloatArray:
    """Refit abilities by Eq. (2) under other weights, with curves and cell weights held at the fit's.

    Use it to tell what weights alone do to a ranking from what curves and robust weights make of it.

    Parameters
    ----------
    fit : Fit
    weights : array-like of shape (N,)
        Semantic weights u or v of the fit's benchmarks, over the squared ability scale where it was given one; only
        their ratios matter. A copy shares its curve and cells with what it is a copy of, so the step on a list with
        copies is this one with the weights of each group added.

    Returns
    -------
    ndarray of shape (M,)
        Mean 0 and variance 1; NaN for a model without a cell of positive weight.

    Notes
    -----
    The cell weights held are the fit's last, one step after its abilities: under the fit's own weights these come
    out as they were but for what that step moves. Compare two refits, not a refit and its fit.
    """
    n = fit.observed.n_benchmarks
    with Ranges(available_threads(fit.observed.size)) as ranges:
        loop = _Alternation(fit.observed, _objective_weight(n, weights, None), np.full(n, np.nan), fit.settings, ranges)
        curved = np.isfinite(fit.discrimination)  # the loops may meet no NaN
        loop.discrimination[curved], loop.difficulty[curved] = fit.discrimination[curved], fit.difficulty[curved]
        loop.weight[:] = fit.cells.weight
        say = loop.weight * loop.objective_weight[fit.observed.benchmark]
        loop.known = (fit.observed.sum_by_model(say) > 0.0).astype(np.float64)
        ability = loop.fit_abilities()
    ability[loop.known == 0.0] = np.nan
    return ability


class _Alternation:
    """The state that the rounds hand on, and one method a step.

    `known` is 1 for models with a cell of positive weight; the others have ability 0 and cells of weight 0
    while the rounds run, so that the loops meet no NaN.
    """

    def __init__(
        self,
        observed: ObservedCells,
        objective_weight: FloatArray,
        n_items: FloatArray,
        settings: FitSettings,
        ranges: Ranges,
    ) -> None:
        m, n = observed.n_models, observed.n_benchmarks
        if m < 2:
            raise RankingError(f"there {'is one model' if m == 1 else 'are no models'}: ranking needs at least two")
        self.observed, self.objective_weight, self.n_items = observed, objective_weight, n_items
        self.settings, self.ranges, self.linear = settings, ranges, settings.link == "linear"
        self.grid, self.bounds = settings.grid, settings.bounds
        self.discrimination, self.difficulty = np.ones(n), np.zeros(n)
        self.residual, self.weight = np.full(observed.size, np.nan), np.ones(observed.size)
        self.scale, self.unexplained, self.floored = np.full(n, np.nan), np.full(n, np.nan), np.zeros(n, np.int64)
        self.place = np.full(m, -1)
        self.known = (observed.sum_by_model(objective_weight[observed.benchmark]) > 0.0).astype(np.float64)
        self.table = np.empty((n, self.grid.size))

    def start(self) -> FloatArray:
        """Weighted mean of observed z-scores, standardized."""
        cells, u = self.observed, self.objective_weight[self.observed.benchmark]
        total = np.where(self.known > 0.0, cells.sum_by_model(u), 1.0)
        self.weight[:] = self.known[cells.model]
        return _standardize(cells.sum_by_model(u * _column_z_scores(cells)) / total, self.known)

    def fit_curves(self, ability: FloatArray) -> None:
        cells = self.observed
        self.ranges.run(
            lambda low, high: benchmark_loops.fit_curves(
                low, high, cells.benchmark_start, cells.model, cells.score, self.weight, ability,
                self.bounds, self.linear, self.discrimination, self.difficulty,
            ),
            cells.n_benchmarks,
        )  # fmt: skip

    def fit_abilities(self) -> FloatArray:
        cells, ability = self.observed, np.empty(self.observed.n_models)
        self.ranges.run(
            lambda low, high: benchmark_loops.tabulate_curves(
                low, high, self.discrimination, self.difficulty, self.grid, self.linear, self.table
            ),
            cells.n_benchmarks,
        )
        self.ranges.run(
            lambda low, high: model_loops.fit_abilities(
                low, high, cells.model_start, cells.by_model, cells.benchmark, cells.score, self.weight,
                self.objective_weight, self.grid, self.table, ability, self.place,
            ),
            cells.n_models,
        )  # fmt: skip
        return _standardize(ability, self.known)

    def weigh_cells(self, ability: FloatArray) -> None:
        cells, constants = self.observed, self.settings
        self.ranges.run(
            lambda low, high: benchmark_loops.measure_residuals(
                low, high, cells.benchmark_start, cells.model, cells.score, ability, self.known,
                self.discrimination, self.difficulty, self.n_items, constants.smallest_scale, constants.robust_cap,
                constants.robust_floor, self.linear, self.residual, self.weight, self.scale, self.floored,
                self.unexplained,
            ),
            cells.n_benchmarks,
        )  # fmt: skip

    def measure_information(self, ability: FloatArray) -> FloatArray:
        information = np.empty(self.observed.n_benchmarks)
        self.ranges.run(
            lambda low, high: benchmark_loops.measure_information(
                low,
                high,
                ability,
                self.known,
                self.discrimination,
                self.difficulty,
                self.scale,
                self.linear,
                information,
            ),
            self.observed.n_benchmarks,
        )
        return information


def score_deviations(cells: ObservedCells, smallest: float) -> FloatArray:
    """Population SD of each benchmark's scores, shape (N,).

    Parameters
    ----------
    cells : ObservedCells
    smallest : float
        The least there is: nearly equal scores must not outweigh all others without limit.

    Returns
    -------
    ndarray of shape (N,)
        1 where nothing was observed.
    """
    _, deviation = _column_spread(cells)
    observed = np.diff(cells.benchmark_start) > 0
    return np.where(observed, np.maximum(deviation, smallest), 1.0)


def _column_spread(cells: ObservedCells) -> tuple[FloatArray, FloatArray]:
    """Each score less its column's mean, shape (C,), and the columns' population SDs, shape (N,)."""
    n = cells.n_benchmarks
    count = np.maximum(np.bincount(cells.benchmark, minlength=n), 1)
    mean = np.bincount(cells.benchmark, weights=cells.score, minlength=n) / count
    apart = cells.score - mean[cells.benchmark]
    return apart, np.sqrt(np.bincount(cells.benchmark, weights=apart**2, minlength=n) / count)


def _column_z_scores(cells: ObservedCells) -> FloatArray:
    """z-scores by the column's observed mean and population SD, shape (C,); 0 in a constant column."""
    apart, deviation = _column_spread(cells)
    # A column of equal numbers can have an SD of rounding noise, which must not be blown up to a signal.
    constant = deviation <= 1e-12
    z: FloatArray = np.where(
        constant[cells.benchmark], 0.0, apart / np.where(constant, 1.0, deviation)[cells.benchmark]
    )
    return z


def _standardize(ability: FloatArray, known: FloatArray) -> FloatArray:
    """Mean 0 and population SD 1 over the known models, which are all 0 when equal; 0 for the others."""
    count = known.sum()
    if count == 0:
        raise RankingError("no model has a score of positive weight: give weight to a benchmark that has scores")
    # np.where, not a product: the loop writes NaN for a model it has no cell for.
    ability = np.where(known > 0.0, ability, 0.0)
    centred = np.where(known > 0.0, ability - ability.sum() / count, 0.0)
    deviation = float(np.sqrt((centred**2).sum() / count))
    return centred / deviation if deviation > 1e-12 else centred * 0.0


def _objective_weight(n: int, weights: ArrayLike | None, ability_scale: ArrayLike | None) -> FloatArray:
    u = _per_benchmark(weights, n, "weights", 1.0)
    scale = _per_benchmark(ability_scale, n, "ability_scale", 1.0)
    if not np.isfinite(u).all() or (u < 0).any():
        raise ArrayError("weights must be finite and not negative")
    if n == 0 or not u.any():
        raise RankingError(f"{'every weight is zero' if n else 'there are no benchmarks'}: ranking needs at least one")
    if not np.isfinite(scale).all() or (scale <= 0).any():
        raise ArrayError("ability_scale must be finite and positive")
    u = u / u.max()  # first, so that huge weights have a mean
    objective: FloatArray = u / u.mean() / scale**2
    return objective


def _per_benchmark(values: ArrayLike | None, n: int, name: str, default: float) -> FloatArray:
    array: FloatArray = np.full(n, default) if values is None else as_floats(values, name).copy()
    if array.shape != (n,):
        raise ArrayError(f"{name} has shape {array.shape}: expected ({n},), one for each benchmark")
    return array
