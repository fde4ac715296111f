"""Inspect: the log of an evaluation, whole as JSON or packed as ``.eval``, of which only the header is read."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Annotated, Any, Final

import polars as pl
from pydantic import BaseModel, ConfigDict, Field

from balance_of_benchmarks.board.settings import Adjustment
from balance_of_benchmarks.sources.document import Archive, Document
from balance_of_benchmarks.sources.reading import (
    Choice,
    Format,
    Measure,
    Reading,
    pick_metrics,
    tabulate_measures,
    validate,
)

__all__ = ["FORMAT"]

_HEADER: Final = "header.json"
_START: Final = "_journal/start.json"
_METRICS: Final = ("accuracy", "mean")
# What a scorer lists beside its metrics and is no score: how they vary.
_SPREADS: Final = ("stderr", "bootstrap_stderr", "std", "var")

_Count = Annotated[int, Field(ge=0, le=2**53)]


class _Dataset(BaseModel):
    model_config = ConfigDict(strict=True)
    samples: _Count | None = None


class _Config(BaseModel):
    model_config = ConfigDict(strict=True)
    epochs: _Count | None = None


class _Run(BaseModel):
    model_config = ConfigDict(strict=True)
    task: str
    model: str
    created: str | None = None
    dataset: _Dataset | None = None
    config: _Config | None = None
    task_args_passed: dict[str, Any] | None = None


class _Metric(BaseModel):
    model_config = ConfigDict(strict=True)
    value: float | None


class _Score(BaseModel):
    model_config = ConfigDict(strict=True)
    name: str
    metrics: dict[str, _Metric]
    scored_samples: _Count | None = None


class _Results(BaseModel):
    model_config = ConfigDict(strict=True)
    scores: list[_Score]
    completed_samples: _Count | None = None


class _Start(BaseModel):
    model_config = ConfigDict(strict=True)
    run: _Run = Field(alias="eval")


class _Log(_Start):
    status: str
    results: _Results | None = None


def _recognises(document: Document) -> bool:
    if isinstance(document.content, Archive):
        return _HEADER in document.content.names or _START in document.content.names
    return document.mapping.keys() >= {"version", "status", "eval"}


def _read(document: Document, choice: Choice) -> Reading:
    """Take accuracy of the first scorer that has it, else a mean, else what is listed first.

    The column has the task's name without the package that brings it. What the task was called with, which can make
    other samples of it, stands beside the score, and `n_items` counts what was run, not what the dataset has.
    """
    payload, place = document.content, str(document.path)
    if isinstance(payload, Archive):
        member = _HEADER if _HEADER in payload.names else _START
        payload, place = payload.read_json(member), f"{member} in {document.path}"
        if member == _START:
            run = validate(_Start, payload, place, FORMAT.title).run
            return Reading(adjustments=(_note(document, run, "was not finished: it has no scores"),))
    log = validate(_Log, payload, place, FORMAT.title)
    found = _list_metrics(log.results)
    if not found:
        return Reading(adjustments=(_note(document, log.run, f"has no scores; its status is {log.status!r}"),))
    key = log.run.task.rpartition("/")[2] or log.run.task
    measures = [
        _measure(log, key, metric, found[metric], preference)
        for metric, preference in pick_metrics(
            key, found, sorted(found, key=lambda name: _rank(found[name][1])), choice
        )
    ]
    samples = log.run.dataset.samples if log.run.dataset else None
    stopped = _note(document, log.run, f"has the status {log.status!r}: its scores may be of a part of the samples")
    return Reading(
        measures=tabulate_measures(measures),
        models=pl.DataFrame({"key": [log.run.model]}),
        benchmarks=pl.DataFrame([{"key": key, "name": log.run.task, "n_items": samples or None}], schema=_BENCHMARK),
        metrics=frozenset(found),
        date=log.run.created,
        adjustments=() if log.status == "success" else (stopped,),
    )


_BENCHMARK: Final = {"key": pl.String(), "name": pl.String(), "n_items": pl.Int64()}


def _list_metrics(results: _Results | None) -> Mapping[str, tuple[_Score, str]]:
    """Name each metric by its scorer, too: two scorers of one task are two ways of judging it."""
    return {
        f"{score.name}/{metric}": (score, metric)
        for score in (results.scores if results else ())
        for metric in score.metrics
        if metric not in _SPREADS
    }


def _rank(metric: str) -> int:
    return _METRICS.index(metric) if metric in _METRICS else len(_METRICS)


def _measure(log: _Log, key: str, name: str, found: tuple[_Score, str], preference: int) -> Measure:
    score, metric = found
    error = score.metrics["stderr"].value if "stderr" in score.metrics and metric in _METRICS else None
    return Measure(
        log.run.model,
        key,
        score.metrics[metric].value,
        metric=name,
        preference=preference,
        standard_error=error if error is not None and isfinite(error) else None,
        n_items=_count_items(log, score),
        date=log.run.created,
        source=_name_run(log.run),
        lower=0 if metric == "accuracy" else None,
        upper=1 if metric == "accuracy" else None,
        higher_is_better=True if metric == "accuracy" else None,
    )


def _count_items(log: _Log, score: _Score) -> int | None:
    """Count distinct samples: what is completed is counted once for every epoch."""
    completed = log.results.completed_samples if log.results else None
    epochs = (log.run.config.epochs if log.run.config else None) or 1
    return score.scored_samples or (completed // epochs if completed else None) or None


def _name_run(run: _Run) -> str:
    given = ", ".join(f"{name}={value}" for name, value in (run.task_args_passed or {}).items())
    return f"{run.task}({given})" if given else run.task


def _note(document: Document, run: _Run, what: str) -> Adjustment:
    return Adjustment("run_incomplete", (run.model,), f"{document.name}, the log of {run.model} on {run.task}, {what}")


FORMAT: Final = Format("inspect_ai", "Inspect log", _recognises, _read)
