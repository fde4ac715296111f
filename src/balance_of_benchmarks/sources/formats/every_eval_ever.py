"""every_eval_ever: records of what a leaderboard or a run reports of one model, by its schemas 0.2 and 0.3."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from math import isfinite
from typing import Annotated, Final, Literal

import polars as pl
from pydantic import BaseModel, ConfigDict, Field

from balance_of_benchmarks.board.settings import Adjustment
from balance_of_benchmarks.sources.document import Document
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

# Where a benchmark is reported by several: the first of these words in a metric's name, the shorter name, as listed.
_METRICS: Final = ("accuracy", "acc_norm", "acc", "pass@1", "f1_score", "quasi_exact_match", "exact_match", "mean")
_AGGREGATE: Final = re.compile(r"(overall|mean|average|avg)( (score|accuracy|win rate))?|score")
_OVERALL: Final = re.compile(r"[./:]overall(?=[./:]|$)")
_NO_SCORES: Final = frozenset(
    ("rank", "position", "cost", "price", "usd", "latency", "time", "seconds", "ms", "tokens")
)

_Number = float | Literal["NaN", "Infinity", "-Infinity"]


class _Shape(BaseModel):
    model_config = ConfigDict(strict=True, protected_namespaces=())


class _Details(_Shape):
    model_availability: str | None = None


class _Model(_Shape):
    id: str
    name: str | None = None
    developer: str | None = None
    additional_details: _Details | None = None


class _Source(_Shape):
    source_name: str | None = None
    source_organization_name: str | None = None


class _Data(_Shape):
    dataset_name: str | None = None


class _Metric(_Shape):
    lower_is_better: bool
    evaluation_description: str | None = None
    metric_id: str | None = None
    metric_name: str | None = None
    metric_kind: str | None = None
    metric_unit: str | None = None
    min_score: _Number | None = None
    max_score: _Number | None = None
    has_unknown_level: bool | None = None


class _Error(_Shape):
    value: float | None = None


class _Uncertainty(_Shape):
    standard_error: _Error | None = None
    num_samples: Annotated[int, Field(ge=0, le=2**53)] | None = None


class _Score(_Shape):
    score: _Number | None = None
    uncertainty: _Uncertainty | None = None


class _Entry(_Shape):
    evaluation_name: str
    metric_config: _Metric
    score_details: _Score
    evaluation_result_id: str | None = None
    evaluation_timestamp: str | None = None
    source_data: _Data | None = None


class _Record(_Shape):
    model_info: _Model
    evaluation_results: list[_Entry]
    source_metadata: _Source
    evaluation_timestamp: str | None = None
    retrieved_timestamp: str | None = None


def _is_index(row: Mapping[str, object]) -> bool:
    return row.keys() >= {"record_type", "object_path"}


def _recognises(document: Document) -> bool:
    row = document.first_row()
    return _is_index(row) or (row.keys() >= {"schema_version", "evaluation_id"} and "sample_id" not in row)


def _read(document: Document, choice: Choice) -> Reading:
    """Take each benchmark's preferred metric; leave aside parts, aggregates, ranks, costs and times.

    The datastore's index, which holds no records but says where they lie, is said to be one.
    """
    if _is_index(document.first_row()):
        message = f"{document.name} is an index of records: expected the records themselves, from object_path"
        return Reading(adjustments=(Adjustment("file_skipped", (document.name,), message),))
    records = [
        validate(_Record, row, f"{document.path} record {number}", FORMAT.title)
        for number, row in enumerate(document.rows(), 1)
    ]
    results = [_name_results(record) for record in records]
    return Reading(
        measures=tabulate_measures(
            measure
            for record, named in zip(records, results, strict=True)
            for measure in _measure(record, named, choice)
        ),
        models=pl.DataFrame([_describe_model(record.model_info) for record in records], schema=_MODEL),
        benchmarks=pl.DataFrame(
            [{"key": result.benchmark, "description": _describe(result)} for named in results for result in named],
            schema={"key": pl.String, "description": pl.String},
        ),
        metrics=frozenset(result.metric for named in results for result in named if result.metric),
        date=max((_as_date(record.retrieved_timestamp) or "" for record in records), default="") or None,
    )


@dataclass(frozen=True, slots=True)
class _Result:
    benchmark: str
    metric: str
    entry: _Entry

    @property
    def identifier(self) -> str:
        return self.entry.evaluation_result_id or self.entry.evaluation_name


def _name_results(record: _Record) -> list[_Result]:
    names = [_name(entry, record.source_metadata) for entry in record.evaluation_results]
    often = Counter(benchmark for benchmark, _ in names)
    # What is reported several times without a name for the metric differs by its description.
    return [
        _Result(benchmark, metric or (often[benchmark] > 1 and entry.metric_config.evaluation_description) or "", entry)
        for (benchmark, metric), entry in zip(names, record.evaluation_results, strict=True)
    ]


def _name(entry: _Entry, source: _Source) -> tuple[str, str]:
    """Tell benchmark and metric apart, which each of the project's converters puts into the name in a way of its own.

    Taken as they are, "choice" would be a benchmark that every multiple-choice test shares, and one test would be
    as many benchmarks as it has metrics.
    """
    name, config = entry.evaluation_name, entry.metric_config
    dataset = entry.source_data.dataset_name if entry.source_data else None
    described = config.evaluation_description or ""
    metric = config.metric_id or config.metric_name or (described if " " not in described else "")
    if source.source_name == "inspect_ai":  # "task - scorer", at first only "scorer"
        task, dash, scorer = name.rpartition(" - ")
        benchmark = (task if dash else dataset) or name
        return benchmark.rpartition("/")[2] or benchmark, f"{scorer}/{metric}" if metric else scorer
    if dataset and name.endswith(f" on {dataset}"):  # HELM: "metric split perturbation on scenario"
        return dataset, name.removesuffix(f" on {dataset}")
    if dataset and name.startswith("test_"):  # EuroEval: "test_metric", of the split it is measured on
        return dataset, name
    task, _, rule = name.rpartition("/")
    if task and described.endswith(f"(filter: {rule})"):  # lm-evaluation-harness: "task/filter"
        return task, described
    return name, metric


def _measure(record: _Record, results: Sequence[_Result], choice: Choice) -> Iterator[Measure]:
    asides = _find_asides(results)
    found: dict[str, dict[str, list[int]]] = {}
    for place, result in enumerate(results):
        found.setdefault(result.benchmark, {}).setdefault(result.metric, []).append(place)
    for benchmark, places in found.items():
        # A rank that is listed with a score under one name must not stand in its way.
        order = sorted(places, key=lambda metric: (places[metric][0] in asides, *_rank(metric)))
        for metric, _ in pick_metrics(benchmark, places, order, choice):
            for place in places[metric]:
                yield _measure_one(record, results[place], asides.get(place))


def _measure_one(record: _Record, result: _Result, aside: str | None) -> Measure:
    entry, source = result.entry, record.source_metadata
    config, uncertainty = entry.metric_config, entry.score_details.uncertainty or _Uncertainty()
    score = entry.score_details.score
    stamp = entry.evaluation_timestamp or record.evaluation_timestamp or record.retrieved_timestamp
    return Measure(
        record.model_info.id,
        result.benchmark,
        None if score is None or (config.has_unknown_level and score == -1) else float(score),
        metric=result.metric or None,
        preference=_rank(result.metric)[0],
        aside=aside,
        standard_error=_finite((uncertainty.standard_error or _Error()).value),
        n_items=uncertainty.num_samples or None,
        date=_as_date(stamp),
        source=source.source_name or source.source_organization_name,
        lower=_finite(config.min_score),
        upper=_finite(config.max_score),
        higher_is_better=not config.lower_is_better,
    )


def _rank(metric: str) -> tuple[int, int]:
    words = re.split(r"[^\w@]+", metric.casefold())
    return next((place for place, word in enumerate(_METRICS) if word in words), len(_METRICS)), len(words)


def _find_asides(results: Sequence[_Result]) -> dict[int, str]:
    """Find by place what of a record is no benchmark of its own beside the others."""
    asides, scores = {}, {}
    for place, result in enumerate(results):
        config = result.entry.metric_config
        if {(config.metric_kind or "").casefold(), (config.metric_unit or "").casefold()} & _NO_SCORES:
            asides[place] = "a rank, a cost or a time"
        else:
            scores[place] = result
    single = {place: result for place, result in scores.items() if not _AGGREGATE.fullmatch(_fold(result.benchmark))}
    if single:
        asides |= dict.fromkeys(scores.keys() - single.keys(), "an aggregate of others")
    return asides | {place: f"parts of {whole}" for place, whole in _find_wholes(single).items()}


def _find_wholes(results: Mapping[int, _Result]) -> dict[int, str]:
    """Find what is a part: by its name, by its dataset's, or by an "overall" beside it in its identifier."""
    names = {_fold(result.benchmark): result.benchmark for result in results.values()}
    overall: dict[str, str] = {}
    for result in results.values():
        if found := _OVERALL.search(result.identifier):
            overall.setdefault(result.identifier[: found.start()], result.benchmark)
    wholes = {}
    for place, result in results.items():
        dataset = (result.entry.source_data and result.entry.source_data.dataset_name) or ""
        heads = [_fold(head) for head in (*_list_heads(result.benchmark, r" - |/|: "), dataset)]
        candidates = [names.get(head) for head in heads if head not in ("", _fold(result.benchmark))]
        if not _OVERALL.search(result.identifier):
            candidates += [overall.get(head) for head in _list_heads(result.identifier, r"[./:]")]
        if whole := next((whole for whole in candidates if whole and whole != result.benchmark), None):
            wholes[place] = whole
    return wholes


def _list_heads(text: str, separator: str) -> list[str]:
    """List what a name begins with, up to each of its first separators: sensible names have few."""
    return [text[: found.start()] for found in islice(re.finditer(separator, text), 8)]


def _fold(text: str) -> str:
    """Bring the ways in which one name is written together; a plus makes another name."""
    return re.sub(r"[^\w+]+|_+", " ", text).strip().casefold()


def _finite(value: _Number | None) -> float | None:
    return float(value) if value is not None and isfinite(float(value)) else None


def _as_date(stamp: str | None) -> str | None:
    """Read seconds since 1970, which the schema asks for; some write a date."""
    try:
        return datetime.fromtimestamp(float(stamp or ""), UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        return stamp or None


_MODEL: Final = {**dict.fromkeys(("key", "name", "creator"), pl.String()), "open_weights": pl.Boolean()}


def _describe_model(model: _Model) -> dict[str, str | bool | None]:
    weights = (model.additional_details or _Details()).model_availability or ""
    known = {"open_weights": True, "closed_weights": False}
    return {"key": model.id, "name": model.name, "creator": model.developer, "open_weights": known.get(weights)}


def _describe(result: _Result) -> str | None:
    """Take the description where it is more than the name of the metric."""
    described = result.entry.metric_config.evaluation_description or ""
    return described if " " in described and described != result.metric else None


FORMAT: Final = Format("every_eval_ever", "every_eval_ever record", _recognises, _read)
