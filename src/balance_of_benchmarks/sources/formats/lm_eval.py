"""lm-evaluation-harness: the results file of a run, of its present shape and of the one before version 0.4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Final

import polars as pl
from pydantic import BaseModel, ConfigDict, Field

from balance_of_benchmarks.board.settings import Adjustment
from balance_of_benchmarks.errors import BoardError
from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.reading import (
    Choice,
    Format,
    Measure,
    Reading,
    note_unnamed,
    pick_metrics,
    tabulate_measures,
    validate,
)

__all__ = ["FORMAT", "METRICS", "pick_numbers"]

METRICS: Final = (
    "acc_norm",
    "acc",
    "mc2",
    "exact_match",
    "pass@1",
    "pass_at_1",
    "em",
    "f1",
    "mcc",
    "bleu",
    "rougeL",
    "brier_score",
)
"""Where a task has several: length-normalized accuracy is what the leaderboards built on the harness show."""
_FILTERS: Final = ("none", "strict-match", "get-answer", "create_test")
_COUNTS: Final = ("samples", "sample_len")


class _Samples(BaseModel):
    model_config = ConfigDict(strict=True)
    effective: Annotated[int | None, Field(ge=0, lt=1 << 63)] = None


class _Results(BaseModel):
    # Numbers come out as floats; beside them stand names, "N/A" and, in later versions, anything.
    model_config = ConfigDict(strict=True)
    results: dict[str, dict[str, float | Any]]
    versions: dict[str, Any]
    group_subtasks: dict[str, list[str]] = {}
    higher_is_better: dict[str, dict[str, bool | None]] = {}
    n_samples: dict[str, _Samples] = Field({}, alias="n-samples")
    model_name: str | None = None
    date: float | str | None = None
    config: dict[str, Any] | None = None


def _recognises(document: Document) -> bool:
    return _is_samples(document) or (
        isinstance(document.mapping.get("results"), dict)
        and "versions" in document.mapping
        and "config_general" not in document.mapping
    )


def _is_samples(document: Document) -> bool:
    return {"doc_id", "resps", "filtered_resps"} <= document.first_row().keys()


def _read(document: Document, choice: Choice) -> Reading:
    """Take each task's preferred metric; a group that has a score of its own stands for its subtasks."""
    if _is_samples(document):
        message = f"{document.name} has the samples of a run: its scores are in the file results_*.json beside it"
        return Reading(adjustments=(Adjustment("file_skipped", (document.name,), message),))
    run = validate(_Results, document.content, str(document.path), FORMAT.title)
    model = _find_model(run)
    # Before 0.4 a file did not say, unless in its arguments.
    notes = () if model else (note_unnamed(document, document.stem, "put model_name into it, beside results"),)
    date = _as_date(run.date, document)
    measures = _measure(run, model or document.stem, date, choice)
    metrics = (metric for values in run.results.values() for metric in _rank_filters(values))
    return Reading(
        measures=tabulate_measures(measures),
        models=pl.DataFrame({"key": [model or document.stem]}),
        metrics=frozenset(metric.removesuffix(",none") for metric in metrics),
        date=date,
        adjustments=notes,
    )


def _measure(run: _Results, model: str, date: str | None, choice: Choice) -> Iterator[Measure]:
    group_of = {
        task: group
        for group, tasks in run.group_subtasks.items()
        if _rank_filters(run.results.get(group, {}))
        for task in tasks
        if task != group
    }
    for task, values in run.results.items():
        found = _rank_filters(values)
        samples = run.n_samples.get(task, _Samples())
        for metric, preference in pick_metrics(task, found, METRICS, choice):
            name, comma, variant = metric.partition(",")
            error = values.get(f"{name}_stderr{comma}{variant}")
            yield Measure(
                model,
                task,
                found[metric],
                metric=metric.removesuffix(",none"),
                preference=preference,
                aside=f"parts of {group_of[task]}" if task in group_of else None,
                standard_error=error if isinstance(error, float) else None,
                n_items=samples.effective or None,
                date=date,
                higher_is_better=run.higher_is_better.get(task, {}).get(name),
            )


def pick_numbers(values: Mapping[str, Any]) -> dict[str, float]:
    """Take of a task's validated values those that are scores: no texts, standard errors or counts."""
    return {
        key: value
        for key, value in values.items()
        if isinstance(value, float) and "stderr" not in key and key not in _COUNTS
    }


def _rank_filters(values: Mapping[str, Any]) -> dict[str, float]:
    """Take the scores, those of the preferred filter first."""
    places = {name: place for place, name in enumerate(_FILTERS)}
    found = pick_numbers(values)
    return dict(sorted(found.items(), key=lambda pair: places.get(pair[0].partition(",")[2] or "none", len(places))))


def _find_model(run: _Results) -> str | None:
    arguments = (run.config or {}).get("model_args")
    if isinstance(arguments, str):
        arguments = dict(part.partition("=")[::2] for part in arguments.split(","))
    named = arguments if isinstance(arguments, dict) else {}
    names = [run.model_name, *(named.get(argument) for argument in ("pretrained", "engine", "model"))]
    return next((name for name in names if isinstance(name, str) and name.strip()), None)


def _as_date(stamp: float | str | None, document: Document) -> str | None:
    if isinstance(stamp, str) or stamp is None:
        return stamp
    try:
        return datetime.fromtimestamp(stamp, UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError) as error:
        raise BoardError(f"{document.path} has the date {stamp!r}: expected seconds since 1970") from error


FORMAT: Final = Format("lm_eval", "results file of lm-evaluation-harness", _recognises, _read)
