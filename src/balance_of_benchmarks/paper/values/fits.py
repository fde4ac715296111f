"""The board, the fit and the global ranking (§3.1, Appendices B.1, G and I)."""

from __future__ import annotations

from typing import Final

import numpy as np
import polars as pl
from scipy.stats import kendalltau

from balance_of_benchmarks.board.checks.check import check_board
from balance_of_benchmarks.board.checks.columns import NEAR
from balance_of_benchmarks.correlation import spearman
from balance_of_benchmarks.paper.protocol import CLOSE_PAIRS, TOP
from balance_of_benchmarks.paper.published import read_published
from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.paper.values.heldout import NO_INDEX
from balance_of_benchmarks.paper.values.value import Missing, Value, Values, fill_list, fill_row, missing_row
from balance_of_benchmarks.ranking.bandwidth import BANDWIDTHS
from balance_of_benchmarks.ranking.field import SUPPORT_SCALE
from balance_of_benchmarks.ranking.order import place_models

__all__ = ["give_fits"]

_EXPONENT: Final = 2  # of the robust weight, (cap / |r|)²
_RANKING: Final = ("observed", "rank", "ability", "index_rank", "index")


def give_fits(redone: Redone) -> Values:
    """Give the values of the board, the fit and the global ranking.

    Parameters
    ----------
    redone : Redone

    Returns
    -------
    Values
    """
    return {**_coverage(redone), **_snapshot(redone), **_curves(redone), **_fitting(redone), **_ranking(redone)}


def _coverage(redone: Redone) -> Values:
    table = check_board(redone.board).coverage
    values = fill_row("coverage", "", {"retained_rows": len(redone.study.scores)})
    for row in table.iter_rows(named=True):
        counts = {name: row[name] for name in ("observed", "null", "observed_zero")}
        values |= fill_row("coverage", row["benchmark"], counts)
    percent = {
        "aime_near_floor_percent": 100
        * table.row(by_predicate=pl.col("benchmark") == "aime", named=True)["near_floor"],
        "math_500_near_ceiling_percent": 100
        * table.row(by_predicate=pl.col("benchmark") == "math_500", named=True)["near_ceiling"],
    }
    settings = redone.model.fit_.settings
    robust = {"near_margin": NEAR, "robust_cap": settings.robust_cap, "robust_exponent": _EXPONENT}
    return {
        **values,
        **fill_row("introduction", "", percent),
        **fill_row("score_equating", "", {**percent, **robust}),
    }


def _snapshot(redone: Redone) -> Values:
    file = redone.board.sources[0] if redone.board.sources else None
    nothing = Missing("the board is of no file")
    rows, (retained, benchmarks) = redone.board.models.height, redone.study.scores.shape
    sha: Value = nothing if file is None else file.sha256
    date = redone.board.settings.retrieved or (file.date if file else None)
    retrieved: Value = str(date) if date else Missing("the board does not say when it was retrieved")
    return {
        **fill_row(
            "snapshot",
            "",
            {
                "retrieved": retrieved,
                "sha256": sha,
                "rows": rows,
                "retained_rows": retained,
                "min_benchmarks_numeric": redone.model.min_observed,
                "benchmarks": benchmarks,
            },
        ),
        **fill_row(
            "macros",
            "",
            {
                "bobAASnapshotRows": rows,
                "bobAARetainedRows": retained,
                "bobAASnapshotRetrieved": retrieved,
                "bobAASnapshotSha": sha,
            },
        ),
        **fill_row("abstract", "", {"models": retained, "benchmarks": benchmarks}),
        **fill_row("introduction", "", {"models": retained, "benchmarks": benchmarks}),
    }


def _curves(redone: Redone) -> Values:
    fit, shares = redone.model.fit_, redone.study.space.shares
    equal = 1.0 / len(redone.keys)
    values = fill_row("curves", "", {"equal_weighting_v": equal})
    for i, key in enumerate(redone.keys):
        row = {
            "discrimination": fit.discrimination[i],
            "difficulty": fit.difficulty[i],
            "residual_scale": fit.residual_scale[i],
            "r_squared": fit.r_squared[i],
            "weight": shares[i],
        }
        values |= fill_row("curves", key, {name: float(value) for name, value in row.items()})
    pair = [float(shares[redone.position(key)]) for key in CLOSE_PAIRS[0]]
    return values | fill_row(
        "audit_text",
        "",
        {"v_aime": pair[0], "v_aime_25": pair[1], "v_aime_pair": sum(pair), "v_two_equal": 2 * equal},
    )


def _fitting(redone: Redone) -> Values:
    fit = redone.model.fit_
    settings, known = fit.settings, fit.ability[np.isfinite(fit.ability)]
    return {
        **fill_list("fitting", "theta_grid", [settings.grid_low, settings.grid_high]),
        **fill_row(
            "fitting",
            "",
            {
                "rounds": settings.rounds,
                "theta_step": settings.grid_step,
                "theta_mean": float(known.mean()),
                "theta_variance": float(known.var()),
                "robust_cap": settings.robust_cap,
                "robust_exponent": _EXPONENT,
                "robust_floor": settings.robust_floor,
                "robust_from_round": settings.robust_from,
            },
        ),
        **fill_list("residual_field", "h_grid_multiples", BANDWIDTHS),
        **fill_row("residual_field", "", {"support_shrinkage_scale": SUPPORT_SCALE}),
    }


def _ranking(redone: Redone) -> Values:
    models, ability, index = redone.model.kept_.models, redone.model.fit_.ability, redone.study.index
    names = [published.place[1] for published in read_published() if published.place[0] == "top_ranking"]
    rows, values = dict.fromkeys(name for name in names if name), Values()
    if index is None:
        agreement: dict[str, Value] = dict.fromkeys(
            ("models_with_both_scores", "spearman", "kendall_tau"), Missing(NO_INDEX)
        )
        places = np.full(len(models), np.nan)
    else:
        both = np.isfinite(ability) & np.isfinite(index)
        agreement = {
            "models_with_both_scores": int(both.sum()),
            "spearman": spearman(ability[both], index[both]),
            "kendall_tau": float(kendalltau(ability[both], index[both]).statistic),
        }
        places = place_models(index)
    for table in ("top_ranking", "global_ranking"):
        values |= fill_row(table, "", {**agreement, "top_n": TOP})
    values |= fill_row("global_ranking", "", {"benchmarks": len(redone.keys)})
    observed, rank = (~np.isnan(redone.study.scores)).sum(axis=1), place_models(ability)
    position = {name: i for i, name in enumerate(models["name"].to_list())}
    for name in rows:
        if name not in position:
            values |= missing_row("top_ranking", name, _RANKING, "the board has no such model")
            continue
        i = position[name]
        listed = {"observed": int(observed[i]), "rank": float(rank[i]), "ability": float(ability[i])}
        of_index: dict[str, Value] = dict.fromkeys(("index_rank", "index"), Missing(NO_INDEX))
        if index is not None:
            of_index = {"index_rank": float(places[i]), "index": float(index[i])}
        values |= fill_row("top_ranking", name, {**listed, **of_index})
    return values
