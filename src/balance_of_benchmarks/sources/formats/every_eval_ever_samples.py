"""every_eval_ever: outcomes of single samples, a line each, by its instance-level schema."""

from __future__ import annotations

from collections import Counter
from math import isfinite, sqrt
from typing import Final, Literal

import polars as pl
from pydantic import BaseModel, ConfigDict

from balance_of_benchmarks.board.settings import Adjustment
from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.reading import Choice, Format, Measure, Reading, tabulate_measures, validate

__all__ = ["FORMAT"]

_METRIC: Final = "mean over samples"
# Samples lie beside the record that reports on them, which then counts: the two must never be averaged.
_LAST: Final = 1000


class _Outcome(BaseModel):
    model_config = ConfigDict(strict=True)
    score: float | Literal["NaN", "Infinity", "-Infinity"] | None = None


class _Sample(BaseModel):
    model_config = ConfigDict(strict=True, protected_namespaces=())
    model_id: str
    evaluation_name: str
    sample_id: str | int
    evaluation: _Outcome
    evaluation_result_id: str | None = None


def _recognises(document: Document) -> bool:
    return document.first_row().keys() >= {"schema_version", "evaluation_id", "sample_id"}


def _read(document: Document, choice: Choice) -> Reading:  # noqa: ARG001 - every format's signature
    """Take the mean over samples, each the mean of its attempts, of each model on each benchmark.

    Of a sample only the sum and the number of its scores are kept, so that a file of any length is read. A model's
    results on one benchmark by several metrics are told apart by the results' identifiers.
    """
    sums: dict[tuple[str, str, str | None], dict[str | int, tuple[float, int]]] = {}
    unscored = 0
    for number, row in enumerate(document.rows(), 1):
        sample = validate(_Sample, row, f"{document.path} record {number}", FORMAT.title)
        of_result = sums.setdefault((sample.model_id, sample.evaluation_name, sample.evaluation_result_id), {})
        score = sample.evaluation.score
        if score is None or not isfinite(float(score)):
            unscored += 1
            continue
        total, attempts = of_result.get(sample.sample_id, (0.0, 0))
        of_result[sample.sample_id] = (total + float(score), attempts + 1)
    results = Counter(key[:2] for key in sums)
    measures = []
    for (model, benchmark, result), samples in sums.items():
        mean, error = _average([total / attempts for total, attempts in samples.values()])
        measures.append(
            Measure(
                model,
                benchmark,
                mean,
                metric=f"{_METRIC}, {result}" if result and results[model, benchmark] > 1 else _METRIC,
                preference=_LAST,
                standard_error=error,
                n_items=len(samples) or None,
            )
        )
    message = f"{document.name}: {unscored} samples without a finite score are not counted"
    note = Adjustment("sample_unscored", tuple(dict.fromkeys(measure.model for measure in measures)), message)
    return Reading(
        measures=tabulate_measures(measures),
        models=pl.DataFrame({"key": [measure.model for measure in measures]}, schema={"key": pl.String}),
        metrics=frozenset(measure.metric for measure in measures if measure.metric),
        adjustments=(note,) if unscored else (),
    )


def _average(scores: list[float]) -> tuple[float | None, float | None]:
    """Give the mean and its standard error, which two samples are needed for."""
    count = len(scores)
    if not count:
        return None, None
    mean = sum(scores) / count
    if count < 2:
        return mean, None
    error = sqrt(sum((score - mean) * (score - mean) for score in scores) / (count - 1) / count)
    return mean, error if isfinite(error) else None


FORMAT: Final = Format("every_eval_ever_samples", "every_eval_ever samples", _recognises, _read)
