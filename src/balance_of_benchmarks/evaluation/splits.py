"""Parts of the folds, or of the models, over which figures are looked at apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import polars as pl

from balance_of_benchmarks.evaluation.study import Study
from balance_of_benchmarks.types import BoolArray, IntArray

__all__ = ["CLOSE", "close_families", "split_folds", "split_models"]

CLOSE: Final = 0.5
"""Benchmarks nearer than this many medians are a family: in the paper's vectors its two close pairs, no other.

Encoders and texts differ in how near they place relatives: with the bundled encoder the paper's texts leave one of the
pairs below it (.42 and .56), ours none (.59 and .59). Whoever knows the families names them instead.
"""


def close_families(study: Study, closer_than: float = CLOSE) -> dict[int, tuple[int, ...]]:
    """Find the near twins of each benchmark, for folds that leave out the whole family.

    Parameters
    ----------
    study : Study
    closer_than : float
        In medians; closeness is handed on from one to the next.

    Returns
    -------
    dict of int to tuple of int
        Only benchmarks that have any besides copies, which never stay in a pool.
    """
    near = study.space.distances < closer_than * study.space.median
    np.fill_diagonal(near, True)
    reach = near
    for _ in range(len(near)):
        further = (reach.astype(np.int64) @ near) > 0
        if (further == reach).all():
            break
        reach = further
    families = {i: tuple(int(j) for j in np.flatnonzero(row) if j != i) for i, row in enumerate(reach)}
    labels = study.space.labels
    return {i: others for i, others in families.items() if (labels[list(others)] != labels[i]).any()}


def split_folds(
    study: Study,
    targets: IntArray,
    index_parts: BoolArray | None = None,
    families: Mapping[int, Sequence[int]] | None = None,
) -> dict[str, BoolArray]:
    """Name parts of the folds by what kind of benchmark is held out.

    Parameters
    ----------
    study : Study
    targets : ndarray of int, shape (F,)
    index_parts : ndarray of bool, shape (N,), optional
        Which benchmarks the published index is made of.
    families : mapping of int to sequence of int, optional
        Near twins of the benchmarks that have any; from `close_families` by default.

    Returns
    -------
    dict of str to ndarray of bool, shape (F,)
        `all`, `without_close_pairs`, `without_single_categories`, and with `index_parts` `inside_index` and
        `outside_index`.
    """
    families = close_families(study) if families is None else families
    counts = {category: study.categories.count(category) for category in study.categories}
    shared = np.array([category is not None and counts[category] > 1 for category in study.categories])
    parts = {
        "all": np.ones(len(targets), dtype=bool),
        "without_close_pairs": np.array([int(target) not in families for target in targets]),
        "without_single_categories": shared[targets],
    }
    if index_parts is not None:
        parts |= {"inside_index": index_parts[targets], "outside_index": ~index_parts[targets]}
    return parts


def split_models(study: Study, models: pl.DataFrame) -> dict[str, BoolArray]:
    """Name parts of the models by how much they were observed and when they came out.

    Parameters
    ----------
    study : Study
    models : polars.DataFrame
        One row a model, with `release_date`.

    Returns
    -------
    dict of str to ndarray of bool, shape (M,)
        `well_covered` and `sparsely_covered` (more scores than the median model, or not; where more than half have
        the most there can be, as many as it, or not), and where half of the dates are known `recent` and `older`
        (after the median date, or not). A part that is nobody, or everybody, is left out.
    """
    observed = (~np.isnan(study.scores)).sum(axis=1)
    middle_count = np.median(observed)
    well = observed >= middle_count if middle_count == observed.max() else observed > middle_count
    parts = {"well_covered": well, "sparsely_covered": ~well}
    dates = models["release_date"]
    if dates.dtype == pl.Date and 2 * dates.count() >= len(models):
        days = dates.cast(pl.Int32).cast(pl.Float64).fill_null(float("nan")).to_numpy()
        middle = float(np.nanmedian(days))
        parts |= {"recent": days > middle, "older": days <= middle}
    return {name: part for name, part in parts.items() if part.any() and not part.all()}
