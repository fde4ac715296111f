"""VLA leaderboard: scores of robots' models, and the registry of the benchmarks they are on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Final

import polars as pl
from pydantic import BaseModel, ConfigDict, Field

from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.reading import Choice, Format, Measure, Reading, tabulate_measures, validate

__all__ = ["FORMAT"]

# Among a paper's tasks it keeps the average that the paper gives where that is by another protocol than the standard.
_REPORTED: Final = "reported_avg"


class _Entry(BaseModel):
    model_config = ConfigDict(strict=True)
    model: str
    display_name: str
    benchmark: str
    weight_type: str
    overall_score: float | None = None
    suite_scores: dict[str, float] = {}
    task_scores: dict[str, float] = {}
    reported_paper: str | None = None
    model_paper: str | None = None
    params: str | None = None
    notes: str | None = None
    date_added: str | None = None


class _Leaderboard(BaseModel):
    model_config = ConfigDict(strict=True)
    last_updated: str
    results: list[_Entry]


class _Metric(BaseModel):
    model_config = ConfigDict(strict=True)
    name: str
    range: Annotated[list[float], Field(min_length=2, max_length=2)]
    higher_is_better: bool


class _Benchmark(BaseModel):
    model_config = ConfigDict(strict=True)
    display_name: str
    metric: _Metric
    paper_url: str | None = None


class _Registry(BaseModel):
    model_config = ConfigDict(strict=True)
    benchmarks: dict[str, _Benchmark]


def _recognises(document: Document) -> bool:
    return _is_leaderboard(document) or _is_registry(document)


def _is_leaderboard(document: Document) -> bool:
    results = document.mapping.get("results")
    first = results[0] if isinstance(results, list) and results else None
    return isinstance(first, dict) and {"model", "benchmark", "weight_type"} <= first.keys()


def _is_registry(document: Document) -> bool:
    entries = document.mapping.values()
    return bool(entries) and all(
        isinstance(entry, dict) and {"display_name", "metric"} <= entry.keys() for entry in entries
    )


def _read(document: Document, choice: Choice) -> Reading:  # noqa: ARG001 - every format's signature
    """Take the overall score of each model on each benchmark, which is null for what is not by its protocol.

    A model measured by somebody else's paper has a key of its own and is another model.
    """
    if _is_registry(document):
        return _read_registry(document)
    board = validate(_Leaderboard, document.content, str(document.path), FORMAT.title)
    rows = [(entry, measure) for entry in board.results for measure in _measure(entry)]
    told = {"weight_type": [entry.weight_type for entry, _ in rows], "notes": [entry.notes for entry, _ in rows]}
    models = [(entry.model, entry.display_name, entry.params, entry.model_paper) for entry in board.results]
    return Reading(
        measures=tabulate_measures(measure for _, measure in rows).hstack(pl.DataFrame(told, schema=_texts(*told))),
        models=pl.DataFrame(models, schema=_texts("key", "name", "params", "model_paper"), orient="row"),
        attribution="VLA Leaderboard, https://github.com/allenai/vla-evaluation-harness",
        date=board.last_updated,
    )


def _measure(entry: _Entry) -> Iterator[Measure]:
    whole = Measure(
        entry.model, entry.benchmark, entry.overall_score, date=entry.date_added, source=entry.reported_paper
    )
    yield whole
    for part, score in {**entry.task_scores, **entry.suite_scores}.items():
        aside = "averages by a protocol of the paper's own" if part == _REPORTED else f"parts of {entry.benchmark}"
        yield replace(whole, benchmark=f"{entry.benchmark}:{part}", score=score, aside=aside)


def _read_registry(document: Document) -> Reading:
    payload = {"benchmarks": document.content}
    registry = validate(_Registry, payload, str(document.path), FORMAT.title).benchmarks
    rows = [
        {
            "key": key,
            "name": entry.display_name,
            "metric": entry.metric.name,
            "lower": entry.metric.range[0],
            "upper": entry.metric.range[1],
            "higher_is_better": entry.metric.higher_is_better,
            "paper_url": entry.paper_url,
        }
        for key, entry in registry.items()
    ]
    return Reading(benchmarks=pl.DataFrame(rows, schema_overrides={"paper_url": pl.String}))


def _texts(*names: str) -> dict[str, pl.DataType]:
    return dict.fromkeys(names, pl.String())


FORMAT: Final = Format("vla_leaderboard", "VLA leaderboard", _recognises, _read)
