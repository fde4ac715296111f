"""Mass, re-listing and its steps, populations: what list and models do to weights and ranks (§4.2, §4.4)."""

from __future__ import annotations

import numpy as np

from balance_of_benchmarks.geometry.density import effective_mass, marginal_mass
from balance_of_benchmarks.paper.protocol import CLOSE_PAIRS, COPIES, MAKERS, STEPS
from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.paper.values.value import Missing, Value, Values, fill_list, fill_row, missing_row
from balance_of_benchmarks.types import FloatArray

__all__ = ["give_stress"]

_PERCENTILE = 95
_TOPS = (10, 50)
_WIDE = np.pi


def give_stress(redone: Redone) -> Values:
    """Give the values of mass, re-listing and population shift.

    Parameters
    ----------
    redone : Redone

    Returns
    -------
    Values
    """
    return {**_mass(redone), **_relisting(redone), **_steps(redone), **_population(redone)}


def units_of(redone: Redone, *keys: str) -> float:
    """Weight of benchmarks where an average one weighs 1."""
    places = [redone.position(key) for key in keys]
    return float(redone.study.space.shares[places].sum() * len(redone.keys))


def mass_at(redone: Redone, multiple: float) -> float:
    """Effective mass at a density bandwidth in medians."""
    space = redone.study.space
    return float(np.asarray(effective_mass(space.distances, multiple * space.median)))


def _mass(redone: Redone) -> Values:
    space, added = redone.study.space, redone.steps_added
    masses = dict(zip(redone.keys, space.masses.tolist(), strict=True))
    gap = np.abs(redone.curve_added.mean - redone.curve_added.isolated).max()
    (first, second), (hard, newer) = CLOSE_PAIRS
    density = {
        "effective_mass_W": space.effective_mass,
        "W_at_multiple_0.05": mass_at(redone, 0.05),
        "W_at_multiple_1": mass_at(redone, 1.0),
        "W_range_low_multiple": 0.05,
    }
    # A list of one, so that the new point has no neighbour, or is where that one is.
    alone, here = (
        float(np.asarray(marginal_mass([_WIDE], [[0.0]], 0.1))),
        np.asarray(marginal_mass([0.0], [[0.0]], 0.1)),
    )
    table = "densification_duplication"
    return {
        **fill_row(
            "inverse_density_weighting",
            "",
            {
                "h_dens_multiple_of_median": space.rule.density_bandwidth,
                "benchmarks": len(redone.keys),
                "W_range_high_multiple": 1.0,
                "marginal_mass_unoccupied": alone,
                "marginal_mass_isolated_copy": float(here),
                **density,
            },
        ),
        **fill_row("sensitivity", "", {"h_dens_multiple_of_median": space.rule.density_bandwidth, **density}),
        **fill_row("sensitivity", "", {"h_dens": space.bandwidth}),
        **fill_row("fig_hquad", "", {"h_dens_multiple_of_median": space.rule.density_bandwidth}),
        **fill_row("fig_densification", "", {"random_placements": added.mass.shape[1], "band_sd": 1.0}),
        **fill_list(table, "insertion_distances", STEPS),
        **fill_list(table, "insertion_marginal_mass", added.mean.tolist()),
        **fill_row(
            table,
            "",
            {
                "insertion_max_gap_to_formula": float(gap),
                "insertion_random_placements": added.mass.shape[1],
                "effective_mass_W": space.effective_mass,
                "aime_pair_units": units_of(redone, first, second),
                "terminal_pair_units": units_of(redone, hard, newer),
                # In units of an average benchmark, which is what makes the paper's two come to 2.00.
                "two_isolated_units": 2.0 * float(np.mean(space.shares) * len(redone.keys)),
                **{f"leave_one_out_mass.{key}": masses[key] for key in (first, second, hard, newer, "lcr", "ifbench")},
            },
        ),
    }


def _relisting(redone: Redone) -> Values:
    ours, equal = redone.relisting("inverse_density"), redone.relisting("equal_z")
    displaced = {
        "displacement_median_ranks": ours.mean.median,
        "displacement_p95_ranks": ours.mean.high,
        "displacement_percentile": _PERCENTILE,
        "displacement_max_ranks": ours.mean.largest,
        "copies_added": COPIES,
        "scenarios": len(ours.relisted),
    }
    table, taus = "densification_duplication", (ours.mean.kendall, equal.mean.kendall)
    return {
        **fill_list(table, "top_sizes", _TOPS),
        **fill_row(
            table,
            "",
            {
                **displaced,
                **dict(zip(("kendall_tau_bob", "kendall_tau_equal_weight"), taus, strict=True)),
                "models": len(redone.study.scores),
                "bob_top10_scenarios_changed": int((ours.top_10 > 0).sum()),
                "bob_top10_models_changed_each": _each(ours.top_10),
                "bob_top50_scenarios_changed": int((ours.top_50 > 0).sum()),
                "equal_top10_models_changed_mean": equal.mean.top_10,
                "equal_top10_models_changed_max": float(equal.top_10.max()),
                "equal_top50_models_changed_mean": equal.mean.top_50,
                "equal_top50_models_changed_max": float(equal.top_50.max()),
            },
        ),
        **fill_row("limitations", "", displaced),
        **fill_row("fig_robustness", "", {"scenarios": len(ours.relisted)}),
        **fill_row("fig_robustness", "", {"kendall_tau_bob_four_copies": taus[0]}),
        **fill_row("fig_robustness", "", {"kendall_tau_equal_weight_four_copies": taus[1]}),
        **fill_row("encoder_sizes", "", {"copy_shift_ranks_equal_weight": equal.mean.largest}),
        **fill_row("embedding_size_text", "", {"copy_shift_ranks_equal_weight": equal.mean.largest}),
        **fill_row(
            "abstract",
            "",
            {
                "relisting_copies_added": COPIES,
                "relisting_kendall_tau_bob": taus[0],
                "relisting_kendall_tau_equal_weight": taus[1],
            },
        ),
    }


def _each(changed: FloatArray) -> Value:
    """How many of the first models each scenario changes, of those that change any."""
    numbers = sorted({int(value) for value in changed if value > 0})
    if len(numbers) == 1:
        return numbers[0]
    return Missing(f"not one number: {' or '.join(map(str, numbers))}" if numbers else "no scenario changes any")


def _steps(redone: Redone) -> Values:
    table, steps, space = "duplication_decomposition", redone.steps, redone.study.space
    neighbours = dict(zip(redone.keys, (space.density - 1.0).tolist(), strict=True))
    first = CLOSE_PAIRS[0]
    paired = {key for pair in CLOSE_PAIRS for key in pair}
    outside = [mass for key, mass in neighbours.items() if key not in paired]
    within = [neighbours[key] for key in first]
    return {
        **fill_list(table, "c_G_outside_close_pairs", [min(outside), max(outside)]),
        **fill_list(table, "c_G_aime_pair", [min(within), max(within)]),
        **fill_row(
            table,
            "",
            {
                "copies_added": COPIES,
                "displacement_max_ranks_invariant_weight_fixed_items": steps.forced.mean.largest,
                "displacement_max_ranks_actual_weight_fixed_items": steps.held.mean.largest,
                "displacement_max_ranks_refit": steps.refitted.mean.largest,
                "theta_max_change_sigma": steps.refitted.mean.ability,
                "adjacent_theta_gap_median": steps.refitted.gap,
                "scenarios": len(steps.refitted.relisted),
            },
        ),
    }


def _population(redone: Redone) -> Values:
    values: Values = {}
    for name in MAKERS:
        shift = redone.population.get(name)
        row: dict[str, Value] = dict.fromkeys(
            ("models_added", "score_covariance", "bob"), Missing(f"the board has no models by {MAKERS[name]}")
        )
        if shift is not None:
            row = {"models_added": shift.added, **shift.spearman}
        values |= fill_row("population_shift", name, row)
    shifts = list(redone.population.values())
    if not shifts:
        reason = "the board has no models by the makers that the paper adds"
        columns = ("models_added_min", "models_added_max", "spearman_bob_min")
        ranges = ("spearman_score_cov_range.1", "spearman_score_cov_range.2")
        return {
            **values,
            **missing_row("population_stability", "", (*columns, *ranges), reason),
            **missing_row("macros", "", ("bobPopulationMinAdded", "bobPopulationMaxAdded"), reason),
        }
    added, covariance = [s.added for s in shifts], [s.spearman["score_covariance"] for s in shifts]
    return {
        **values,
        **fill_list("population_stability", "spearman_score_cov_range", [min(covariance), max(covariance)]),
        **fill_row(
            "population_stability",
            "",
            {
                "models_added_min": min(added),
                "models_added_max": max(added),
                "spearman_bob_min": min(s.spearman["bob"] for s in shifts),
            },
        ),
        **fill_row("macros", "", {"bobPopulationMinAdded": min(added), "bobPopulationMaxAdded": max(added)}),
    }
