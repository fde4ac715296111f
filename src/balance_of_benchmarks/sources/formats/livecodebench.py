"""LiveCodeBench: what its site publishes of a scenario, the pass rate of every model on every question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from math import sqrt
from statistics import fmean, stdev
from typing import Annotated, Final

import polars as pl
from pydantic import BaseModel, ConfigDict, Field

from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.reading import Choice, Format, Measure, Reading, tabulate_measures, validate

__all__ = ["FORMAT"]

_BENCHMARK: Final = "livecodebench"
_METRIC: Final = "pass@1"
_SCENARIOS: Final = {"generation": "code generation", "repair": "self-repair", "testgen": "test output prediction"}


class _Performance(BaseModel):
    model_config = ConfigDict(strict=True)
    question_id: str
    model: str
    pass_at_1: Annotated[float, Field(alias="pass@1", ge=0, le=100)]


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, protected_namespaces=())
    model_repr: str
    model_name: str | None = None
    release_date: float | None = None
    link: str | None = None


class _Site(BaseModel):
    model_config = ConfigDict(strict=True)
    performances: list[_Performance]
    models: list[_Model | str] = []


def _recognises(document: Document) -> bool:
    listed = document.mapping.get("performances")
    first = listed[0] if isinstance(listed, list) and listed else None
    return isinstance(first, dict) and {"question_id", "model", _METRIC} <= first.keys()


def _read(document: Document, choice: Choice) -> Reading:  # noqa: ARG001 - every format's signature
    """Take the mean over questions, as one column; a question asked several times counts once, by its mean.

    A column for every question would be hundreds of near copies of one benchmark, and questions differ in when they
    were published: the site's window of time is left to whoever cuts the file.
    """
    site = validate(_Site, document.content, str(document.path), FORMAT.title)
    scenario = next((name for name in (*_SCENARIOS, "execution") if name in document.path.stem.casefold()), None)
    key = f"{_BENCHMARK}_{scenario}" if scenario else _BENCHMARK
    name = f"LiveCodeBench, {_SCENARIOS.get(scenario, f'code {scenario}')}" if scenario else "LiveCodeBench"
    questions = {performance.question_id for performance in site.performances}
    known = [model for model in site.models if isinstance(model, _Model)]
    return Reading(
        measures=tabulate_measures(_measure(site.performances, key)),
        models=pl.DataFrame([_describe(model) for model in known], schema=_MODEL).unique(
            "key", keep="first", maintain_order=True
        ),
        benchmarks=pl.DataFrame([{"key": key, "name": name, "metric": _METRIC, "n_items": len(questions)}]),
        metrics=frozenset({_METRIC}),
    )


def _measure(performances: Sequence[_Performance], key: str) -> Iterator[Measure]:
    found: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for performance in performances:
        found[performance.model][performance.question_id].append(performance.pass_at_1 / 100)
    for model, asked in found.items():
        rates = [fmean(rates) for rates in asked.values()]
        yield Measure(
            model,
            key,
            fmean(rates),
            metric=_METRIC,
            standard_error=stdev(rates) / sqrt(len(rates)) if len(rates) > 1 else None,
            n_items=len(rates),
            lower=0,
            upper=1,
            higher_is_better=True,
        )


_MODEL: Final = {**dict.fromkeys(("key", "name", "link"), pl.String()), "release_date": pl.Date()}


def _describe(model: _Model) -> dict[str, str | date | None]:
    return {
        "key": model.model_repr,
        "name": model.model_name,
        "link": model.link,
        "release_date": _as_date(model.release_date),
    }


def _as_date(milliseconds: float | None) -> date | None:
    try:
        return None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC).date()
    except (ValueError, OverflowError, OSError):
        return None


FORMAT: Final = Format("livecodebench", "LiveCodeBench performances", _recognises, _read)
