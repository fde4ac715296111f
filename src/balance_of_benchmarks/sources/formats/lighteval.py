"""lighteval: the results file of a run, with tasks named ``suite|task|fewshot``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

import polars as pl
from pydantic import BaseModel, ConfigDict, Field

from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.formats.lm_eval import METRICS, pick_numbers
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

_AVERAGE: Final = ":_average"
_STAMP: Final = re.compile(r"(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2})")


class _General(BaseModel):
    # start_time and end_time count from when the machine was started: they are no dates.
    model_config = ConfigDict(strict=True)
    model_name: str
    model_sha: str | None = None
    model_dtype: str | None = None
    model_size: str | None = None


class _Task(BaseModel):
    model_config = ConfigDict(strict=True)
    effective_num_docs: Annotated[int | None, Field(lt=1 << 63)] = None
    metric: Any = None
    metrics: Any = None


class _Results(BaseModel):
    model_config = ConfigDict(strict=True)
    config_general: _General
    results: dict[str, dict[str, float | Any]]
    config_tasks: dict[str, _Task | Any] = {}


def _recognises(document: Document) -> bool:
    return isinstance(document.mapping.get("results"), dict) and "config_general" in document.mapping


def _read(document: Document, choice: Choice) -> Reading:
    """Take each task's preferred metric, by the order of lm-evaluation-harness, whose tasks it took over.

    An average over a task's subtasks stands for them; where there is none they are benchmarks of their own. A task
    is known by its name alone, unless it was run in two ways.
    """
    run = validate(_Results, document.content, str(document.path), FORMAT.title)
    stamp = _STAMP.search(document.path.name)
    date = ":".join(stamp.groups()) if stamp else None
    general = run.config_general
    model = {
        "key": general.model_name,
        "revision": general.model_sha or None,
        "dtype": general.model_dtype,
        "size": general.model_size,
    }
    return Reading(
        measures=tabulate_measures(_measure(run, date, choice)),
        models=pl.DataFrame([model], schema=dict.fromkeys(model, pl.String())),
        metrics=frozenset(metric for values in run.results.values() for metric in pick_numbers(values)),
        date=date,
    )


def _measure(run: _Results, date: str | None, choice: Choice) -> Iterator[Measure]:
    names = _name_tasks(run.results)
    tasks = [_split(entry)[0] for entry in run.results]
    groups = [task.removesuffix(_AVERAGE) for task in tasks if task.endswith(_AVERAGE)]
    for entry, values in run.results.items():
        found = pick_numbers(values)
        task = _find_task(entry, run.config_tasks)
        directions = _read_directions(task)
        count = task.effective_num_docs
        aside = _explain_aside(entry, groups)
        for metric, preference in pick_metrics(names[entry], found, METRICS, choice):
            error = values.get(f"{metric}_stderr")
            yield Measure(
                run.config_general.model_name,
                names[entry],
                found[metric],
                metric=metric,
                preference=preference,
                aside=aside,
                standard_error=error if isinstance(error, float) else None,
                n_items=count if count is not None and count > 0 else None,  # -1 stands for not known
                date=date,
                higher_is_better=directions.get(metric),
            )


def _split(entry: str) -> tuple[str, str]:
    """Tell the task's name from how it was run; the latest versions leave out the suite."""
    parts = entry.split("|")
    return (parts[0], "|".join(parts[1:])) if len(parts) < 3 else (parts[1], "|".join(parts[2:]))


def _explain_aside(entry: str, groups: Sequence[str]) -> str | None:
    """Say why an entry makes no column: it is the average of all, or one of the subtasks of an average there is."""
    if entry == "all":
        return "an aggregate of others"
    task = _split(entry)[0]
    parts = (f"parts of {group}" for group in groups if task.startswith(f"{group}:") and task != group + _AVERAGE)
    return next(parts, None)


def _name_tasks(entries: Mapping[str, Any]) -> dict[str, str]:
    """Name every entry by its task; with the number of shots, or by all of it, only where two would be one."""
    short = {entry: _split(entry)[0].removesuffix(_AVERAGE) for entry in entries}
    shots = {entry: f"{short[entry]}|{_split(entry)[1]}" for entry in entries}
    times, times_with_shots = Counter(short.values()), Counter(shots.values())
    longer = {entry: shots[entry] if times_with_shots[shots[entry]] == 1 else entry for entry in entries}
    return {entry: short[entry] if times[short[entry]] == 1 else longer[entry] for entry in entries}


def _find_task(entry: str, tasks: Mapping[str, Any]) -> _Task:
    """Find what is said of an entry's task, which is named with the number of shots or without."""
    while entry not in tasks and "|" in entry:
        entry = entry.rpartition("|")[0]
    task = tasks.get(entry)
    return task if isinstance(task, _Task) else _Task()


def _read_directions(task: _Task) -> dict[str, bool]:
    listed = task.metric if isinstance(task.metric, list) else task.metrics
    named = [metric for metric in listed if isinstance(metric, dict)] if isinstance(listed, list) else []
    return {
        metric["metric_name"]: metric["higher_is_better"]
        for metric in named
        if isinstance(metric.get("metric_name"), str) and isinstance(metric.get("higher_is_better"), bool)
    }


FORMAT: Final = Format("lighteval", "results file of lighteval", _recognises, _read)
