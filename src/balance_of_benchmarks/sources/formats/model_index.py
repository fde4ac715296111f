"""Hugging Face model cards: the `model-index` in the front matter of a README, or in a YAML file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import polars as pl
from pydantic import BaseModel, ConfigDict, Field

from balance_of_benchmarks.board.numbers import parse_numbers
from balance_of_benchmarks.board.settings import Adjustment
from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.formats.mteb import MAIN_METRICS
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

__all__ = ["FORMAT"]

_ERRORS: Final = ("wer", "cer", "mer", "wil", "ter", "eer", "loss", "perplexity", "mse", "rmse", "mae")
_SPREAD: Final = re.compile(r"±|\+/-")


class _Metric(BaseModel):
    model_config = ConfigDict(strict=True)
    type: str
    name: str | None = None
    value: float | str | None
    verified: bool | None = None


class _Dataset(BaseModel):
    # Configurations and arguments are whatever the card says: a text, a number, a mapping; and YAML takes "no",
    # which is Norwegian, for false.
    model_config = ConfigDict(strict=True)
    type: str
    name: str | None = None
    config: Any = None
    split: Any = None
    args: Any = None


class _Source(BaseModel):
    model_config = ConfigDict(strict=True)
    url: str | None = None


class _Result(BaseModel):
    model_config = ConfigDict(strict=True)
    task: Any = None  # kept to tell results apart only: its type and name are often swapped
    dataset: _Dataset | None = None
    metrics: list[_Metric]
    source: _Source | Any = None


class _Model(BaseModel):
    model_config = ConfigDict(strict=True)
    name: str | None = None
    results: list[_Result] | None = None


class _Card(BaseModel):
    model_config = ConfigDict(strict=True)
    models: list[_Model] = Field(alias="model-index")
    license: str | Any = None
    library_name: str | Any = None
    pipeline_tag: str | Any = None
    base_model: str | Any = None


class _Listed(NamedTuple):
    dataset: _Dataset
    result: _Result


_Gathered: TypeAlias = dict[str, dict[str, tuple[_Listed, _Metric]]]
_TOLD: Final = ("license", "library_name", "pipeline_tag", "base_model")


def _recognises(document: Document) -> bool:
    content = document.content if document.kind in ("front_matter", "yaml") else None
    return isinstance(content, dict) and bool(content.get("model-index"))


def _read(document: Document, choice: Choice) -> Reading:
    """Take of each dataset the metric listed first; of MTEB's, which lists them by name, the one it ranks by.

    Results on datasets of one type are told apart by configuration, split and so on only where they repeat a metric.
    """
    card = validate(_Card, document.content, str(document.path), FORMAT.title)
    told = {name: value if isinstance(value := getattr(card, name), str) else None for name in _TOLD}
    readings = [_read_model(model, told, document, choice) for model in card.models]
    return Reading(
        measures=pl.concat([reading.measures for reading in readings]),
        models=pl.concat([reading.models for reading in readings]),
        benchmarks=pl.concat([reading.benchmarks for reading in readings]),
        metrics=frozenset().union(*(reading.metrics for reading in readings)),
        adjustments=tuple(note for reading in readings for note in reading.adjustments),
    )


def _read_model(model: _Model, told: Mapping[str, str | None], document: Document, choice: Choice) -> Reading:
    results = model.results or []
    listed = [_Listed(result.dataset, result) for result in results if result.dataset is not None]
    name = (model.name or "").strip()
    key = name or _guess_model(document)
    notes = [] if name else [note_unnamed(document, key, "put a name into its model-index")]
    if len(listed) < len(results):
        message = (
            f"{document.name}: {len(results) - len(listed)} of {len(results)} results name no dataset, and are left out"
        )
        notes.append(Adjustment("result_skipped", (key,), message, "give each its dataset's type and name"))
    benchmarks = _name_benchmarks(listed)
    gathered = _gather(benchmarks, listed)
    rows = list(_measure(key, gathered, choice, str(document.path)))
    verified = pl.Series("verified", [entry.verified for _, entry in rows], dtype=pl.Boolean)
    names = [dataset.name for dataset, _ in listed]
    return Reading(
        measures=tabulate_measures(measure for measure, _ in rows).with_columns(verified),
        models=pl.DataFrame([{"key": key, **told}], schema=dict.fromkeys(("key", *_TOLD), pl.String())),
        benchmarks=pl.DataFrame({"key": benchmarks, "name": names}, schema={"key": pl.String, "name": pl.String}),
        metrics=frozenset(metric for found in gathered.values() for metric in found),
        adjustments=tuple(notes),
    )


def _measure(model: str, gathered: _Gathered, choice: Choice, place: str) -> Iterator[tuple[Measure, _Metric]]:
    for benchmark, found in gathered.items():
        order = MAIN_METRICS if benchmark.startswith("mteb/") else ()
        for metric, preference in pick_metrics(benchmark, found, order, choice):
            listed, entry = found[metric]
            source = listed.result.source
            percent = isinstance(entry.value, str) and "%" in entry.value
            measure = Measure(
                model,
                benchmark,
                _parse_value(entry.value, f"{place}: the {metric} of {benchmark}"),
                metric=metric,
                preference=preference,
                source=source.url if isinstance(source, _Source) else None,
                lower=0.0 if percent else None,
                upper=100.0 if percent else None,
                higher_is_better=False if entry.type.lower() in _ERRORS else None,
            )
            yield measure, entry


def _parse_value(value: float | str | None, place: str) -> float | None:
    """Read "77.0%" and "20.1 ± 1.2", of which what the spread is is not said."""
    if not isinstance(value, str):
        return value
    score: float | None = parse_numbers(pl.Series([_SPREAD.split(value)[0]]), place)[0]
    return score


def _gather(benchmarks: Sequence[str], results: Sequence[_Listed]) -> _Gathered:
    """Bring together what is said of each benchmark, by metrics in the order they are listed."""
    gathered: _Gathered = {}
    times: Counter[tuple[str, str]] = Counter()
    for benchmark, listed in zip(benchmarks, results, strict=True):
        found = gathered.setdefault(benchmark, {})
        for entry in listed.result.metrics:
            # A type that is taken gives way to the name that the card shows, and that to a number.
            metric = entry.name if entry.type in found and entry.name else entry.type
            times[benchmark, entry.type] += 1
            while metric in found:
                metric = f"{entry.type} ({times[benchmark, entry.type]})"
                times[benchmark, entry.type] += metric in found
            found[metric] = (listed, entry)
    return gathered


def _name_benchmarks(results: Sequence[_Listed]) -> list[str]:
    """Call each by its dataset's type, and by as little more as tells those of one type apart."""
    names = [dataset.type for dataset, _ in results]
    for detail in (
        [_as_text(dataset.config) for dataset, _ in results],
        [_as_text(dataset.split) for dataset, _ in results],
        [_as_text(dataset.args) for dataset, _ in results],
        [_as_text(dataset.name) for dataset, _ in results],
        [_as_text(result.task) for _, result in results],
    ):
        types = [{entry.type for entry in result.metrics} for _, result in results]
        measured = Counter((name, kind) for name, kinds in zip(names, types, strict=True) for kind in kinds)
        repeated = {name for (name, _), times in measured.items() if times > 1}
        known: dict[str, set[str]] = {}
        for name, value in zip(names, detail, strict=True):
            known.setdefault(name, set()).add(value)
        names = [
            f"{name}:{value}" if name in repeated and value and len(known[name]) > 1 else name
            for name, value in zip(names, detail, strict=True)
        ]
    return names


def _as_text(value: Any) -> str:
    parts = list(value.values()) if isinstance(value, dict) else [value]
    return ", ".join(sorted(str(part) for part in parts if isinstance(part, str | int | float)))


def _guess_model(document: Document) -> str:
    """Call the model by its repository, which is the folder that a card lies in."""
    folder = document.path.absolute().parent.name
    return folder if folder and document.stem.lower() == "readme" else document.stem


FORMAT: Final = Format("model_index", "Hugging Face model card", _recognises, _read)
