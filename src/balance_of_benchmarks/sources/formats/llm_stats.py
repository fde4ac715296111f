"""llm-stats: its files of a model's results, of benchmarks and of models."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Final, Generic, TypeVar

import polars as pl
from pydantic import BaseModel, ConfigDict, Field

from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.reading import Choice, Format, Measure, Reading, tabulate_measures, validate

__all__ = ["FORMAT"]


class _Score(BaseModel):
    model_config = ConfigDict(strict=True)
    benchmark_id: str
    model_id: str
    score: float
    normalized_score: float | None = None
    is_self_reported: bool | None = None
    self_reported_source_link: str | None = None
    analysis_method: str | None = None
    updated_at: str | None = None
    benchmark_name: str | None = None


class _Benchmark(BaseModel):
    model_config = ConfigDict(strict=True)
    benchmark_id: str
    name: str
    max_score: float
    categories: list[str] = []
    description: str | None = None
    parent_benchmark_id: str | None = None
    modality: str | None = None
    language: str | None = None
    paper_link: str | None = None


class _Model(BaseModel):
    model_config = ConfigDict(strict=True)
    model_id: str
    name: str
    organization_id: str
    release_date: Annotated[date | None, Field(strict=False)] = None
    license_id: str | None = None
    param_count: float | None = None
    multimodal: bool | None = None


_Row = TypeVar("_Row", bound=BaseModel)


class _Rows(BaseModel, Generic[_Row]):
    rows: list[_Row]


_CELL_TYPES: Final[dict[str, pl.DataType]] = {
    "normalized_score": pl.Float64(),
    "is_self_reported": pl.Boolean(),
    "analysis_method": pl.String(),
}
_BENCHMARK_TYPES: Final[dict[str, pl.DataType]] = {
    **dict.fromkeys(("key", "name", "description", "category"), pl.String()),
    **dict.fromkeys(("lower", "upper"), pl.Float64()),
    **dict.fromkeys(("parent", "modality", "language", "paper_link"), pl.String()),
}
_MODEL_TYPES: Final[dict[str, pl.DataType]] = {
    **dict.fromkeys(("key", "name", "creator", "license"), pl.String()),
    "release_date": pl.Date(),
    "param_count": pl.Float64(),
    "multimodal": pl.Boolean(),
}


def _recognises(document: Document) -> bool:
    keys = document.first_row().keys()
    return any(
        telling <= keys
        for telling in ({"benchmark_id", "model_id"}, {"benchmark_id", "modality"}, {"model_id", "organization_id"})
    )


def _read(document: Document, choice: Choice) -> Reading:  # noqa: ARG001 - every format's signature
    """Take every score as it was reported; the same brought to [0, 1] stands beside it as another column."""
    keys = document.first_row().keys()
    payload, place = {"rows": list(document.rows())}, str(document.path)
    attribution = "LLM Stats, https://llm-stats.com/"
    if "model_id" not in keys:
        rows = [_describe_benchmark(row) for row in validate(_Rows[_Benchmark], payload, place, FORMAT.title).rows]
        return Reading(benchmarks=pl.DataFrame(rows, schema=_BENCHMARK_TYPES), attribution=attribution)
    if "benchmark_id" not in keys:
        rows = [_describe_model(row) for row in validate(_Rows[_Model], payload, place, FORMAT.title).rows]
        return Reading(models=pl.DataFrame(rows, schema=_MODEL_TYPES), attribution=attribution)
    scores = validate(_Rows[_Score], payload, place, FORMAT.title).rows
    measures = [
        Measure(
            row.model_id,
            row.benchmark_id,
            row.score,
            date=row.updated_at,
            source=row.self_reported_source_link,
        )
        for row in scores
    ]
    others = pl.DataFrame([row.model_dump(include=set(_CELL_TYPES)) for row in scores], schema=_CELL_TYPES)
    names = {row.benchmark_id: row.benchmark_name for row in scores}
    return Reading(
        measures=tabulate_measures(measures).hstack(others),
        benchmarks=pl.DataFrame(
            {"key": list(names), "name": list(names.values())}, schema_overrides={"name": pl.String}
        ),
        attribution=attribution,
    )


def _describe_benchmark(row: _Benchmark) -> dict[str, Any]:
    return {
        "key": row.benchmark_id,
        "name": row.name,
        "description": row.description,
        "category": next(iter(row.categories), None),
        "lower": 0.0,
        "upper": row.max_score,
        "parent": row.parent_benchmark_id,
        "modality": row.modality,
        "language": row.language,
        "paper_link": row.paper_link,
    }


def _describe_model(row: _Model) -> dict[str, Any]:
    return {
        "key": row.model_id,
        "name": row.name,
        "creator": row.organization_id,
        "license": row.license_id,
        "release_date": row.release_date,
        "param_count": row.param_count,
        "multimodal": row.multimodal,
    }


FORMAT: Final = Format("llm_stats", "file of llm-stats", _recognises, _read)
