"""How far models move when others join them: a maker's models added, one snapshot after another (§4.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from balance_of_benchmarks.correlation import spearman
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.evaluation.baselines import weigh_by_covariance
from balance_of_benchmarks.evaluation.relisting import RankingShift, compare_rankings, fit_listing
from balance_of_benchmarks.evaluation.study import Study
from balance_of_benchmarks.types import FloatArray

__all__ = ["RULES", "PopulationShift", "SnapshotShift", "compare_snapshots", "shift_population"]

RULES: Final[dict[str, Callable[[Study], FloatArray]]] = {
    "bob": lambda study: fit_listing(study).ability,
    "score_covariance": lambda study: weigh_by_covariance(study.scores),
}
"""Global rankings by name: ours, with weights from descriptions, and one with weights from the models' own scores."""


@dataclass(frozen=True, slots=True)
class PopulationShift:
    """One maker's models join all others.

    Parameters
    ----------
    maker : str
    added : int
        How many models it brings.
    spearman : dict of str to float
        By rule (`RULES`): between the others' rankings without and with them; NaN where fewer than two are left.
    """

    maker: str
    added: int
    spearman: dict[str, float]


@dataclass(frozen=True, slots=True, eq=False)
class SnapshotShift:
    """What a later snapshot of a board changes.

    Parameters
    ----------
    common, added, removed : int
        Models.
    cells, changed : int
        Scores known in both snapshots of models and benchmarks in both, and how many of them differ.
    shifts : dict of str to RankingShift
        By rule (`RULES`): how far the common models move.
    """

    common: int
    added: int
    removed: int
    cells: int
    changed: int
    shifts: dict[str, RankingShift]


def shift_population(
    study: Study, makers: Sequence[str | None], *, only: Sequence[str] | None = None, least: int = 2
) -> tuple[PopulationShift, ...]:
    """Add each maker's models to all the others, and see how far those move.

    Parameters
    ----------
    study : Study
    makers : sequence of str or None, length M
    only : sequence of str, optional
        These makers; by default all with at least `least` models, the largest first.
    least : int

    Returns
    -------
    tuple of PopulationShift

    Notes
    -----
    §4.4. The weights come from descriptions and stay; curves, abilities and residuals are fitted anew.
    """
    names = np.array([maker or "" for maker in makers], dtype=object)
    if names.shape != (len(study.scores),):
        raise ArrayError(f"there are {names.size} makers for {len(study.scores)} models: expected one each")
    count = {str(name): int((names == name).sum()) for name in dict.fromkeys(names) if name}
    if only is None:
        wanted = sorted((name for name in count if count[name] >= least), key=lambda name: (-count[name], name))
    else:
        wanted = list(only)
        if unknown := [name for name in wanted if name not in count]:
            raise ArrayError(
                f"no model is by {', '.join(map(repr, unknown))}: the largest makers are {_largest(count)}"
            )
    after = {rule: rank(study) for rule, rank in RULES.items()}
    shifts = []
    for name in wanted:
        others = np.flatnonzero(names != name)
        before = study.take_models(others)
        shifts.append(
            PopulationShift(
                maker=name,
                added=count[name],
                spearman={
                    rule: _agree(rank(before), after[rule][others]) if others.size > 1 else float("nan")
                    for rule, rank in RULES.items()
                },
            )
        )
    return tuple(shifts)


def compare_snapshots(
    before: Study, models_before: Sequence[str], after: Study, models_after: Sequence[str]
) -> SnapshotShift:
    """Compare two snapshots of a board: which models and scores came, and how far the others moved.

    Parameters
    ----------
    before, after : Study
    models_before, models_after : sequence of str
        Keys of their models.

    Returns
    -------
    SnapshotShift
    """
    place = {key: row for row, key in enumerate(models_after)}
    rows = [(row, place[key]) for row, key in enumerate(models_before) if key in place]
    old, new = (np.array(side, dtype=np.int64) for side in (zip(*rows, strict=True) if rows else ((), ())))
    column = {key: i for i, key in enumerate(after.keys)}
    shared = [(i, column[key]) for i, key in enumerate(before.keys) if key in column]
    left, right = (np.array(side, dtype=np.int64) for side in (zip(*shared, strict=True) if shared else ((), ())))
    once, again = before.scores[np.ix_(old, left)], after.scores[np.ix_(new, right)]
    both = ~np.isnan(once) & ~np.isnan(again)
    return SnapshotShift(
        common=len(rows),
        added=len(models_after) - len(rows),
        removed=len(models_before) - len(rows),
        cells=int(both.sum()),
        changed=int((once[both] != again[both]).sum()),
        shifts={rule: compare_rankings(rank(before)[old], rank(after)[new]) for rule, rank in RULES.items()},
    )


def _agree(x: FloatArray, y: FloatArray) -> float:
    known = np.isfinite(x) & np.isfinite(y)
    return spearman(x[known], y[known])


def _largest(count: dict[str, int]) -> str:
    return ", ".join(map(repr, sorted(count, key=lambda name: -count[name])[:5])) or "unknown"
