"""The observed cells of a score matrix, in the two orders the fit walks them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from balance_of_benchmarks.equating.model_loops import order_by_model
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.types import FloatArray, IntArray, as_floats, freeze

__all__ = ["ObservedCells"]


@dataclass(frozen=True, slots=True, eq=False)
class ObservedCells:
    """Scores of the observed cells, benchmark by benchmark; nothing is stored for a missing one.

    Time and memory of everything built on it grow with the number of cells, not with M x N.

    Parameters
    ----------
    n_models, n_benchmarks : int
        M and N.
    score : ndarray of shape (C,)
        In [0, 1].
    model, benchmark : ndarray of int, shape (C,)
        Where each score stands; benchmarks ascend, and within one the models.
    benchmark_start : ndarray of int, shape (N + 1,)
        Where each benchmark's cells begin.
    by_model : ndarray of int, shape (C,)
        Positions of the cells model by model.
    model_start : ndarray of int, shape (M + 1,)
        Where each model's cells begin in `by_model`.
    """

    n_models: int
    n_benchmarks: int
    score: FloatArray
    model: IntArray
    benchmark: IntArray
    benchmark_start: IntArray
    by_model: IntArray
    model_start: IntArray

    @classmethod
    def from_matrix(cls, scores: ArrayLike) -> ObservedCells:
        """Collect the cells of a matrix (M, N) that are not NaN.

        Raises
        ------
        ArrayError
            For anything but a table of numbers in [0, 1] and NaN.
        """
        matrix = as_floats(scores, "scores")
        if matrix.ndim != 2:
            raise ArrayError(f"scores have shape {matrix.shape}: expected a table (models, benchmarks)")
        columns = matrix.T
        benchmark, model = np.nonzero(~np.isnan(columns))
        return cls._assemble(matrix.shape[0], matrix.shape[1], model, benchmark, columns[benchmark, model])

    @classmethod
    def from_triplets(
        cls, model: ArrayLike, benchmark: ArrayLike, score: ArrayLike, n_models: int, n_benchmarks: int
    ) -> ObservedCells:
        """Collect cells given as three aligned arrays, in any order, each cell at most once.

        Raises
        ------
        ArrayError
            For positions outside the table, a cell given twice, or a score outside [0, 1].
        """
        rows = np.asarray(model, dtype=np.int64)
        columns = np.asarray(benchmark, dtype=np.int64)
        values = as_floats(score, "score")
        if not rows.shape == columns.shape == values.shape or rows.ndim != 1:
            raise ArrayError(
                f"cells have shapes {rows.shape}, {columns.shape}, {values.shape}: expected three equal lengths"
            )
        for name, place, size in (("model", rows, n_models), ("benchmark", columns, n_benchmarks)):
            if place.size and (place.min() < 0 or place.max() >= size):
                raise ArrayError(
                    f"{name} positions reach from {place.min()} to {place.max()}: expected 0 to {size - 1}"
                )
        order = np.lexsort((rows, columns))
        rows, columns, values = rows[order], columns[order], values[order]
        again = np.flatnonzero((np.diff(rows) == 0) & (np.diff(columns) == 0))
        if again.size:
            raise ArrayError(f"model {rows[again[0]]} has two scores on benchmark {columns[again[0]]}: expected one")
        return cls._assemble(n_models, n_benchmarks, rows, columns, values)

    @classmethod
    def _assemble(
        cls, n_models: int, n_benchmarks: int, model: IntArray, benchmark: IntArray, score: FloatArray
    ) -> ObservedCells:
        outside = np.flatnonzero(~((score >= 0.0) & (score <= 1.0)))
        if outside.size:
            c = outside[0]
            raise ArrayError(
                f"the score of model {model[c]} on benchmark {benchmark[c]} is {score[c]}: expected 0 to 1 or NaN; "
                "Board.retain maps other scales"
            )
        # np.nonzero hands out strided views; the loops are compiled for contiguous arrays only.
        model, benchmark = np.ascontiguousarray(model), np.ascontiguousarray(benchmark)
        by_model, model_start = np.empty(model.size, np.int64), np.empty(n_models + 1, np.int64)
        order_by_model(model, n_models, model_start, by_model)
        start = np.searchsorted(benchmark, np.arange(n_benchmarks + 1)).astype(np.int64)
        # Always read-only, also because the loops are compiled for it.
        freeze(score, model, benchmark, start, by_model, model_start)
        return cls(n_models, n_benchmarks, score, model, benchmark, start, by_model, model_start)

    @property
    def size(self) -> int:
        """C, the number of observed cells."""
        return int(self.score.size)

    def to_matrix(self, values: FloatArray) -> FloatArray:
        """Lay out one value a cell (C,) as a matrix (M, N), NaN where nothing was observed."""
        matrix = np.full((self.n_models, self.n_benchmarks), np.nan)
        matrix[self.model, self.benchmark] = values
        return matrix

    def sum_by_model(self, values: FloatArray) -> FloatArray:
        """Add up one value a cell (C,) for each model, shape (M,)."""
        total: FloatArray = np.bincount(self.model, weights=values, minlength=self.n_models).astype(np.float64)
        return total
