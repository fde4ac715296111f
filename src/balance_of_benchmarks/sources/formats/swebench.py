"""SWE-bench: outcomes of every instance, by model, as its site publishes them."""

from __future__ import annotations

from math import sqrt
from typing import Final

import polars as pl
from pydantic import BaseModel, ConfigDict, RootModel

from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.reading import Choice, Format, Measure, Reading, tabulate_measures, validate

__all__ = ["FORMAT"]

_BENCHMARK: Final = "swe_bench"
_METRIC: Final = "resolved"


class _Outcome(BaseModel):
    model_config = ConfigDict(strict=True)
    resolved: bool
    cost: float | None = None


class _Outcomes(RootModel[dict[str, dict[str, _Outcome]]]):
    model_config = ConfigDict(strict=True)


def _recognises(document: Document) -> bool:
    of_model = next(iter(document.mapping.values()), None)
    outcome = next(iter(of_model.values()), None) if isinstance(of_model, dict) else None
    return isinstance(outcome, dict) and "resolved" in outcome


def _read(document: Document, choice: Choice) -> Reading:  # noqa: ARG001 - every format's signature
    """Take the share of instances resolved, as one column.

    A column for every instance would be hundreds of near copies of one benchmark. Instances a model has no outcome
    of are not counted as failed: `n_items` says on how many its share rests.
    """
    outcomes = validate(_Outcomes, document.content, str(document.path), FORMAT.title).root
    measures = tabulate_measures(_measure(model, list(found.values())) for model, found in outcomes.items())
    instances = {instance for found in outcomes.values() for instance in found}
    benchmark = {"key": _BENCHMARK, "name": "SWE-bench", "metric": _METRIC, "n_items": len(instances) or None}
    return Reading(
        measures=measures.with_columns(
            mean_cost=pl.Series([_mean_cost(list(found.values())) for found in outcomes.values()], dtype=pl.Float64)
        ),
        models=pl.DataFrame({"key": list(outcomes)}, schema={"key": pl.String}),
        benchmarks=pl.DataFrame([benchmark]),
        metrics=frozenset({_METRIC}),
    )


def _measure(model: str, outcomes: list[_Outcome]) -> Measure:
    count = len(outcomes)
    share = sum(outcome.resolved for outcome in outcomes) / count if count else None
    return Measure(
        model,
        _BENCHMARK,
        share,
        metric=_METRIC,
        standard_error=None if share is None else sqrt(share * (1 - share) / count),
        n_items=count or None,
        lower=0,
        upper=1,
        higher_is_better=True,
    )


def _mean_cost(outcomes: list[_Outcome]) -> float | None:
    """US dollars an instance, where all of them have it."""
    costs = [outcome.cost for outcome in outcomes if outcome.cost is not None]
    return sum(costs) / len(costs) if costs and len(costs) == len(outcomes) else None


FORMAT: Final = Format("swebench", "SWE-bench outcomes by instance", _recognises, _read)
