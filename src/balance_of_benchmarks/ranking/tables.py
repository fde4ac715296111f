"""Rankings as tables: one row a model, best first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import polars as pl

from balance_of_benchmarks.board.retain import RankableBoard
from balance_of_benchmarks.equating.result import Fit
from balance_of_benchmarks.ranking.kriging import KrigedField
from balance_of_benchmarks.ranking.order import order_models, place_models
from balance_of_benchmarks.types import FloatArray, IntArray

__all__ = ["bootstrap_intervals", "kriging_intervals", "tabulate_ranking"]

_NORMAL_95: Final = 1.959963984540054


def tabulate_ranking(
    kept: RankableBoard,
    fit: Fit,
    score: FloatArray,
    *,
    support: FloatArray | None = None,
    intervals: Mapping[str, FloatArray] | None = None,
) -> pl.DataFrame:
    """Lay out a ranking by `score`; `BalanceOfBenchmarks.ranking` describes the columns.

    Parameters
    ----------
    kept : RankableBoard
    fit : Fit
    score : ndarray of shape (M,)
        NaN for a model without a place.
    support : ndarray of shape (M,), optional
        Of a task's ranking, which then has the global rank beside.
    intervals : mapping of str to ndarray of shape (M,), optional
        As `bootstrap_intervals` gives them; by default the standard error's.

    Returns
    -------
    polars.DataFrame
    """
    keys, error = kept.models["key"].to_list(), fit.standard_error
    bounds = intervals or {"low": fit.ability - _NORMAL_95 * error, "high": fit.ability + _NORMAL_95 * error}
    if support is None:
        evidence = {"support": pl.Series([None] * len(keys), dtype=pl.Float64)}
    else:
        global_rank = _as_ranks(place_models(fit.ability))
        evidence = {"support": pl.Series(support), "global_rank": global_rank}
    reason = np.where(np.isnan(error), "scores at a floor or ceiling give no standard error", "")
    reason = np.where(np.isfinite(fit.ability), reason, "no score on a benchmark of positive weight")
    table = pl.DataFrame(
        {
            "rank": _as_ranks(place_models(score)),
            "model": kept.models["key"],
            "name": kept.models["name"],
            "creator": kept.models["creator"],
            "score": score,
            "ability": fit.ability,
            "standard_error": error,
            **bounds,
            **evidence,
            "observed": kept.observed,
            "reason": pl.Series([str(text) or None for text in reason], dtype=pl.String),
        }
    ).with_columns(pl.col(pl.Float64).fill_nan(None))
    return table.select(pl.all().gather(order_models(score, keys).tolist()))


def bootstrap_intervals(abilities: FloatArray) -> dict[str, FloatArray]:
    """95 % percentile intervals of ability and rank over draws.

    Parameters
    ----------
    abilities : ndarray of shape (B, M)

    Returns
    -------
    dict of str to ndarray of shape (M,)
        `low`, `high`, `rank_low`, `rank_high`; NaN for a model that no draw ranks.
    """
    places = np.array([place_models(row) for row in abilities], dtype=np.float64)
    places[places == 0] = np.nan
    ever = np.isfinite(abilities).any(axis=0)
    bounds = np.full((4, abilities.shape[1]), np.nan)
    bounds[:2, ever] = np.nanpercentile(abilities[:, ever], [2.5, 97.5], axis=0)
    bounds[2:, ever] = np.nanpercentile(places[:, ever], [2.5, 97.5], axis=0)
    return dict(zip(("low", "high", "rank_low", "rank_high"), bounds, strict=True))


def kriging_intervals(fit: Fit, field: KrigedField) -> dict[str, FloatArray]:
    """95 % intervals of a task's scores: the ability's standard error and the adjustment's posterior SD, independent.

    Parameters
    ----------
    fit : Fit
    field : KrigedField

    Returns
    -------
    dict of str to ndarray of shape (M,)
        `low` and `high`.
    """
    reach = _NORMAL_95 * np.hypot(fit.standard_error, field.deviation)
    return {"low": field.score - reach, "high": field.score + reach}


def _as_ranks(places: IntArray) -> pl.Series:
    """Make 0, no place, a null."""
    return pl.Series([int(place) or None for place in places], dtype=pl.Int64)
