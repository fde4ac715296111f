"""The field with other rules of relevance: figures, tests, choices, folds, a larger population (§4.1, Appendix B.2)."""

from __future__ import annotations

from typing import Final

import numpy as np

from balance_of_benchmarks.evaluation.methods import GRIDS
from balance_of_benchmarks.evaluation.rules import (
    CLUSTER_COUNTS,
    KMEANS_SEED,
    KMEANS_STARTS,
)
from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.paper.values.heldout import compared_of, error_of, mean_of
from balance_of_benchmarks.paper.values.value import Missing, Value, Values, fill_list, fill_row
from balance_of_benchmarks.ranking.bandwidth import BANDWIDTHS

__all__ = ["CONTROLS", "give_controls"]

CONTROLS: Final = tuple(
    f"control:{name}"
    for name in ("support_matched", "category", "top_k", "nearest", "radius", "kmeans", "agglomerative")
)
_GROWN: Final = ("bob", "control:support_matched", "control:category", "control:top_k", "control:nearest")
_INTERVAL_PERCENT: Final = 95


def give_controls(redone: Redone) -> Values:
    """Give the values of the mechanism-matched comparison.

    Parameters
    ----------
    redone : Redone

    Returns
    -------
    Values
    """
    return {
        **_means(redone),
        **_tests(redone),
        **_choices(redone),
        **_folds(redone),
        **_population(redone),
        **_setup(redone),
        **_text(redone),
    }


def _means(redone: Redone) -> Values:
    values: Values = {}
    for method in ("bob", *CONTROLS, "ability_only"):
        row: dict[str, Value] = {}
        for metric in ("profile", "isotonic"):
            row |= {metric: mean_of(redone, method, metric), f"{metric}_se": error_of(redone, method, metric)}
        if method in CONTROLS:
            row["p_holm"] = compared_of(redone, method, "profile", "p_holm")
        values |= fill_row("aggregation_controls", method, row)
    return values


def _tests(redone: Redone) -> Values:
    values = fill_row("control_tests", "", {"interval_percent": _INTERVAL_PERCENT})
    fields = ("difference", "low", "high", "wins", "p_wilcoxon", "p_sign_flip", "p_holm", "folds")
    for metric in ("profile", "isotonic"):
        for method in CONTROLS:
            row = {field: compared_of(redone, method, metric, field) for field in fields}
            values |= fill_row("control_tests", f"{metric} {method}", row)
    return values


def _choices(redone: Redone) -> Values:
    chosen = redone.predictions.chosen
    return {
        ("control_choices", redone.keys[target], grid.id): float(chosen[grid.id][f])
        for f, target in enumerate(redone.predictions.targets)
        for grid in GRIDS
    }


def _folds(redone: Redone) -> Values:
    ours = redone.verdicts.of("bob", "profile")
    return {
        ("control_folds", redone.keys[target], method): float(ours[f] - redone.verdicts.of(method, "profile")[f])
        for f, target in enumerate(redone.predictions.targets)
        for method in CONTROLS
    }


def _population(redone: Redone) -> Values:
    table, models = "control_population", len(redone.study.scores)
    if redone.earlier is None:
        nothing = Missing("the board does not hold the models of the earlier snapshot and later ones")
        columns = ("profile_586", "profile_605", "change")
        values: Values = {(table, method, column): nothing for method in _GROWN for column in columns}
        return values | fill_row(table, "", dict.fromkeys(("models_earlier", "models_later", "models_added"), nothing))
    before = int(redone.earlier_models.sum())
    values = fill_row(table, "", {"models_earlier": before, "models_later": models, "models_added": models - before})
    for method in _GROWN:
        then, now = redone.earlier.mean(method, "profile"), redone.verdicts.mean(method, "profile")
        values |= fill_row(table, method, {"profile_586": then, "profile_605": now, "change": now - then})
    return values


def _setup(redone: Redone) -> Values:
    table = "aggregation_setup"
    grids = {grid.id: grid.candidates for grid in GRIDS}
    return {
        **fill_row(
            table,
            "",
            {
                "kmeans_starts": KMEANS_STARTS,
                "kmeans_seed": KMEANS_SEED,
                "support_match_max_discrepancy": redone.support_gap,
                "pool_benchmarks": len(redone.predictions.pools[0]),
            },
        ),
        **fill_list(table, "h_grid_multiples", BANDWIDTHS),
        **fill_list(table, "k_grid", grids["top_k"]),
        **fill_list(table, "radius_grid_multiples", grids["radius"]),
        **fill_list(table, "cluster_count_grid", CLUSTER_COUNTS),
        **fill_row("fig_aggregation_controls", "", {"folds": len(redone.predictions.targets)}),
        **fill_row("fig_aggregation_controls", "", {"interval_percent": _INTERVAL_PERCENT}),
        **fill_row("reproducibility", "", {"inner_pool_benchmarks": len(redone.predictions.pools[0])}),
        **fill_row("reproducibility", "", {"kmeans_seed": KMEANS_SEED, "kmeans_starts": KMEANS_STARTS}),
    }


def _text(redone: Redone) -> Values:
    table, part = "aggregation_results_text", "without_single_categories"
    chosen, top_k = redone.predictions.chosen["bandwidth"], redone.predictions.chosen["top_k"]
    category = "control:category"
    earlier: dict[str, Value] = {
        "earlier_rows": int(redone.earlier_models.sum()),
        "rows_added": int((~redone.earlier_models).sum()),
        "cells_in_both_unchanged": int((~np.isnan(redone.study.scores[redone.earlier_models])).sum()),
    }
    return {
        **fill_row(table, "", earlier),
        **fill_list(table, "top_k_selected", [float(top_k.min()), float(top_k.max())]),
        **fill_row(
            table,
            "",
            {
                "h_selected_all_folds": _only(chosen.tolist()),
                "outer_folds": len(redone.predictions.targets),
                "singleton_free_comparisons": int(redone.parts[part].sum()),
                "singleton_free_delta_category_profile": compared_of(redone, category, "profile", "difference", part),
                "singleton_free_delta_category_isotonic": compared_of(redone, category, "isotonic", "difference", part),
                "singleton_free_p_profile": compared_of(redone, category, "profile", "p_wilcoxon", part),
                "singleton_free_p_isotonic": compared_of(redone, category, "isotonic", "p_wilcoxon", part),
                "later_rows": len(redone.study.scores),
                "bootstrap_interval_percent": _INTERVAL_PERCENT,
            },
        ),
    }


def _only(chosen: list[float]) -> Value:
    """The value all folds chose."""
    different = sorted(set(chosen))
    if len(different) == 1:
        return different[0]
    return Missing(f"the folds do not agree: {', '.join(f'{value:.2f}' for value in different)}")
