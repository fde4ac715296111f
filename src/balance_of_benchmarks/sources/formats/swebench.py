"""SWE-bench: what its site publishes, the outcomes of every instance by model and the leaderboards themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Annotated, Any, Final

import polars as pl
from pydantic import BaseModel, ConfigDict, Field, RootModel

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


class _Entry(BaseModel):
    model_config = ConfigDict(strict=True)
    name: str
    resolved: Annotated[float, Field(ge=0, le=100)] | None
    date: str | None = None
    site: str | list[str] | None = None
    tags: list[str] = []
    os_model: bool | None = None
    instance_cost: float | None = None
    per_instance_details: dict[str, _Outcome] | None = None


class _Leaderboard(BaseModel):
    model_config = ConfigDict(strict=True)
    name: str
    results: list[_Entry]


class _Leaderboards(BaseModel):
    model_config = ConfigDict(strict=True)
    leaderboards: list[_Leaderboard]


def _lists_leaderboards(document: Document) -> bool:
    listed = document.mapping.get("leaderboards")
    first = listed[0] if isinstance(listed, list) and listed else None
    return isinstance(first, dict) and {"name", "results"} <= first.keys()


def _recognises(document: Document) -> bool:
    of_model = next(iter(document.mapping.values()), None)
    outcome = next(iter(of_model.values()), None) if isinstance(of_model, dict) else None
    return (isinstance(outcome, dict) and "resolved" in outcome) or _lists_leaderboards(document)


def _read(document: Document, choice: Choice) -> Reading:  # noqa: ARG001 - every format's signature
    """Take the share of instances resolved: of outcomes as one column, of leaderboards as a column each.

    A column for every instance would be hundreds of near copies of one benchmark. Instances a model has no outcome
    of are not counted as failed: `n_items` says on how many its share rests.
    """
    if _lists_leaderboards(document):
        title = "leaderboards of SWE-bench"
        return _read_leaderboards(validate(_Leaderboards, document.content, str(document.path), title).leaderboards)
    outcomes = validate(_Outcomes, document.content, str(document.path), FORMAT.title).root
    measures = tabulate_measures(_measure(model, list(found.values())) for model, found in outcomes.items())
    instances = {instance for found in outcomes.values() for instance in found}
    return Reading(
        measures=measures.with_columns(
            mean_cost=pl.Series([_mean_cost(list(found.values())) for found in outcomes.values()], dtype=pl.Float64)
        ),
        models=pl.DataFrame({"key": list(outcomes)}, schema={"key": pl.String}),
        benchmarks=_describe(_BENCHMARK, "SWE-bench", instances),
        metrics=frozenset({_METRIC}),
    )


def _read_leaderboards(leaderboards: Sequence[_Leaderboard]) -> Reading:
    entries = [entry for board in leaderboards for entry in board.results]
    measures = tabulate_measures(measure for board in leaderboards for measure in _measure_entries(board))
    costs = pl.Series([entry.instance_cost for entry in entries], dtype=pl.Float64)
    known = [
        _describe(
            _key(board.name),
            f"SWE-bench {board.name}",
            {i for e in board.results for i in e.per_instance_details or ()},
        )
        for board in leaderboards
    ]
    return Reading(
        measures=measures.with_columns(mean_cost=costs),
        models=pl.DataFrame([_describe_system(entry) for entry in entries], schema=_SYSTEM).unique(
            "key", keep="first", maintain_order=True
        ),
        benchmarks=pl.concat(known) if known else pl.DataFrame(),
        metrics=frozenset({_METRIC}),
    )


def _measure_entries(board: _Leaderboard) -> Iterator[Measure]:
    for entry in board.results:
        of_instances = _measure(entry.name, list((entry.per_instance_details or {}).values()))
        yield Measure(
            entry.name,
            _key(board.name),
            None if entry.resolved is None else entry.resolved / 100,
            metric=_METRIC,
            standard_error=of_instances.standard_error,
            n_items=of_instances.n_items,
            date=entry.date,
            source=entry.site if isinstance(entry.site, str) else None,
            lower=0,
            upper=1,
            higher_is_better=True,
        )


def _key(leaderboard: str) -> str:
    return f"{_BENCHMARK}_{re.sub(r'[^a-z0-9]+', '_', leaderboard.casefold()).strip('_')}".rstrip("_")


def _describe(key: str, name: str, instances: set[str]) -> pl.DataFrame:
    known = {"key": key, "name": name, "metric": _METRIC, "n_items": len(instances) or None}
    return pl.DataFrame([known], schema_overrides={"n_items": pl.Int64})


_SYSTEM: Final = {**dict.fromkeys(("key", "creator", "language_model"), pl.String()), "open_weights": pl.Boolean()}


def _describe_system(entry: _Entry) -> dict[str, Any]:
    tags = dict(tag.split(": ", 1) for tag in reversed(entry.tags) if ": " in tag)
    return {
        "key": entry.name,
        "creator": tags.get("Org"),
        "language_model": tags.get("Model"),
        "open_weights": entry.os_model,
    }


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
