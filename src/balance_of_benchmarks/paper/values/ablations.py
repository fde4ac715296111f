"""Parts left out, texts dealt out at random, constants moved (§4.3, Appendices E and F)."""

from __future__ import annotations

from balance_of_benchmarks.evaluation.sensitivity import CAPS, FLOORS
from balance_of_benchmarks.evaluation.statistics import wilcoxon
from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.paper.values.heldout import mean_of
from balance_of_benchmarks.paper.values.value import Values, fill_list, fill_row
from balance_of_benchmarks.ranking.bandwidth import BANDWIDTHS

__all__ = ["give_ablations"]


def give_ablations(redone: Redone) -> Values:
    """Give the values of ablations and sensitivity.

    Parameters
    ----------
    redone : Redone

    Returns
    -------
    Values
    """
    return {**_rows(redone), **_text(redone), **_shuffling(redone), **_sensitivity(redone)}


def _rows(redone: Redone) -> Values:
    values: Values = {}
    for id_, figures in redone.constructions.items():
        columns = {"level": figures.level, "profile": figures.profile, "copy_shift_sigma": figures.copy_shift}
        values |= fill_row("ablation", id_, dict(columns))
    for method in ("bob", "bob:no_shrinkage", "bob:constant_shrinkage", "bob:flat"):
        values |= fill_row(
            "ablation",
            method,
            {metric: mean_of(redone, method, metric) for metric in ("level", "profile")},
        )
    values["ablation", "bob", "copy_shift_sigma"] = redone.relisting("inverse_density").mean.ability
    values["ablation", "bob:flat", "copy_shift_sigma"] = redone.flat.mean.ability
    values["ablation_appendix", "", "profile_linear_z_precision_weighted"] = redone.constructions["A"].profile
    return values


def _text(redone: Redone) -> Values:
    flat, ours = redone.flat.mean.ability, redone.relisting("inverse_density").mean.ability
    controls = {
        "profile_curves_only": redone.constructions["B"].profile,
        "profile_linear_field": redone.constructions["C"].profile,
        "profile_bob": mean_of(redone, "bob", "profile"),
        "level_no_shrinkage": mean_of(redone, "bob:no_shrinkage", "level"),
        "profile_no_shrinkage": mean_of(redone, "bob:no_shrinkage", "profile"),
        "level_constant_shrinkage": mean_of(redone, "bob:constant_shrinkage", "level"),
        "profile_constant_shrinkage": mean_of(redone, "bob:constant_shrinkage", "profile"),
        "profile_flat_weights": mean_of(redone, "bob:flat", "profile"),
        "copy_shift_sigma_bob": ours,
        "copy_shift_sigma_flat_weights": flat,
        "profile_nearest_residual": mean_of(redone, "control:nearest", "profile"),
    }
    return {
        **fill_row("ablations_controls", "", controls),
        **fill_row("introduction", "", {"flat_weights_movement_factor": flat / ours}),
        **fill_row(
            "validity",
            "",
            {
                "flat_weights_level": mean_of(redone, "bob:flat", "level"),
                "flat_weights_profile": mean_of(redone, "bob:flat", "profile"),
                "flat_weights_copy_shift_sigma": flat,
                "bob_copy_shift_sigma": ours,
                "flat_weights_p_vs_bob": _differ(redone, "bob:flat"),
                "bob_profile": mean_of(redone, "bob", "profile"),
                "latent_offset_level": mean_of(redone, "bob:latent_offset", "level"),
                "latent_offset_profile": mean_of(redone, "bob:latent_offset", "profile"),
                "info_weighted_support_level": mean_of(redone, "bob:information_in_support", "level"),
                "info_weighted_support_profile": mean_of(redone, "bob:information_in_support", "profile"),
                "info_weighted_support_p": _differ(redone, "bob:information_in_support"),
            },
        ),
    }


def _differ(redone: Redone, method: str) -> float:
    """Two-sided p of the profiles being alike: the text asks whether they differ, not whether ours is larger."""
    apart = redone.verdicts.of("bob", "profile") - redone.verdicts.of(method, "profile")
    return min(1.0, 2.0 * min(wilcoxon(apart), wilcoxon(-apart)))


def _shuffling(redone: Redone) -> Values:
    drawn = redone.shuffling.shuffled_profile
    mean, largest = float(drawn.mean()), float(drawn.max())
    ours = mean_of(redone, "bob", "profile")
    draws = {"shuffle_runs": len(drawn)}
    return {
        **fill_row("introduction", "", {"profile_shuffled_mean": mean, "profile_shuffled_max": largest}),
        **fill_row("ablations_controls", "", {"profile_shuffled_mean": mean, "profile_shuffled_max": largest, **draws}),
        **fill_row("limitations", "", {"profile_shuffled_mean": mean, "profile_bob": ours}),
        **fill_row("sensitivity", "", {"shuffled_profile_mean": mean, "profile_bob": ours, **draws}),
        **fill_row("fig_hquad", "", {"shuffled_profile_mean": mean, "profile_bob": ours, **draws}),
        **fill_row(
            "validity",
            "",
            {
                "shuffled_profile_mean": mean,
                "shuffled_profile_sd": float(drawn.std(ddof=1)),
                "shuffled_profile_max": largest,
                **draws,
            },
        ),
    }


def _sensitivity(redone: Redone) -> Values:
    choice, study = redone.bandwidth, redone.study
    constants = redone.model.fit_.settings
    usual = next(one for one in redone.robustness if one.setting == (constants.robust_cap, constants.robust_floor))
    level, profile = redone.nested
    table = "sensitivity"
    return {
        **fill_list(table, "h_grid_multiples", BANDWIDTHS),
        **fill_list(table, "h_criterion", choice.criterion),
        **fill_list(table, "robust_cap_grid", CAPS),
        **fill_list(table, "robust_floor_grid", FLOORS),
        **fill_row(
            table,
            "",
            {
                "h_selected": choice.multiple * study.space.median,
                "h_selected_multiple": choice.multiple,
                "nested_other_folds": len(redone.predictions.targets) - 1,
                "nested_level": level,
                "nested_profile": profile,
                "outer_pool_scale_level": mean_of(redone, "bob", "level"),
                "outer_pool_scale_profile": mean_of(redone, "bob", "profile"),
                "robust_max_change_level": max(abs(one.level - usual.level) for one in redone.robustness),
                "robust_max_change_profile": max(abs(one.profile - usual.profile) for one in redone.robustness),
                "noise_floor_doubled_weights_spearman": redone.noise_floors[2.0],
                "noise_floor_halved_weights_spearman": redone.noise_floors[0.5],
                "drop_gpqa_theta_spearman": redone.dropped["gpqa"],
            },
        ),
    }
