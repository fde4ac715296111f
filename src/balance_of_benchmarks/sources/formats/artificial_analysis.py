"""Artificial Analysis: the JSON its Data API answers with (v2, ``data/llms/models``)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final

import polars as pl
from pydantic import BaseModel, ConfigDict

from balance_of_benchmarks.board.settings import Adjustment
from balance_of_benchmarks.errors import BoardError
from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.known import KNOWN_BENCHMARKS, describe_benchmark
from balance_of_benchmarks.sources.reading import Choice, Format, Measure, Reading, tabulate_measures, validate

__all__ = ["FORMAT"]

_INDEX: Final = "artificial_analysis_intelligence_index"


class _Creator(BaseModel):
    model_config = ConfigDict(strict=True)
    name: str


class _Pricing(BaseModel):
    model_config = ConfigDict(strict=True)
    price_1m_blended_3_to_1: float | None = None
    price_1m_input_tokens: float | None = None
    price_1m_output_tokens: float | None = None


class _Row(BaseModel):
    # What a later version of the service adds is ignored; what it renames or retypes is an error.
    model_config = ConfigDict(strict=True)
    name: str
    slug: str
    model_creator: _Creator
    evaluations: dict[str, float | None]
    release_date: str | None = None
    pricing: _Pricing | None = None
    median_output_tokens_per_second: float | None = None
    median_time_to_first_token_seconds: float | None = None


class _Answer(BaseModel):
    model_config = ConfigDict(strict=True)
    data: list[_Row]


def _recognises(document: Document) -> bool:
    rows = document.mapping.get("data")
    return isinstance(rows, list) and bool(rows) and isinstance(rows[0], dict) and "evaluations" in rows[0]


def _read(document: Document, choice: Choice) -> Reading:  # noqa: ARG001 - every format's signature
    """Take every row, those with few scores too; the paper's fourteen fields unless others are asked for.

    A field of the fourteen that no row has is a benchmark without scores, so that answers from before it existed
    read. Fields that end in ``_index`` are the service's own rankings and describe models.
    """
    rows = validate(_Answer, document.content, str(document.path), FORMAT.title).data
    found = list(dict.fromkeys(field for row in rows for field in row.evaluations))
    indices = sorted(field for field in found if field.endswith("_index"))
    measures = [
        Measure(
            row.slug,
            field,
            row.evaluations[field],
            aside=None if field in KNOWN_BENCHMARKS else "not among the paper's fourteen",
            source="https://artificialanalysis.ai/",
        )
        for row in rows
        for field in dict.fromkeys([*KNOWN_BENCHMARKS, *found])
        if row.evaluations.get(field) is not None and field not in indices
    ]
    absent = [field for field in KNOWN_BENCHMARKS if field not in found]
    note = Adjustment("field_absent", tuple(absent), f"no row has {', '.join(absent)}: benchmarks without scores")
    return Reading(
        measures=tabulate_measures(measures),
        models=pl.DataFrame([_describe_model(row, indices, document.path) for row in rows], infer_schema_length=None),
        benchmarks=pl.DataFrame([describe_benchmark(field) for field in KNOWN_BENCHMARKS], infer_schema_length=None),
        attribution="Artificial Analysis, https://artificialanalysis.ai/",
        published_index=_INDEX if _INDEX in indices else None,
        adjustments=(note,) if absent else (),
    )


def _describe_model(row: _Row, indices: Sequence[str], path: Path) -> dict[str, Any]:
    pricing = row.pricing or _Pricing()
    return {
        "key": row.slug,
        "name": row.name,
        "creator": row.model_creator.name,
        "release_date": _as_date(row, path),
        "price_input": pricing.price_1m_input_tokens,
        "price_output": pricing.price_1m_output_tokens,
        "price_blended": pricing.price_1m_blended_3_to_1,
        "output_tokens_per_second": row.median_output_tokens_per_second,
        "seconds_to_first_token": row.median_time_to_first_token_seconds,
        **{field: row.evaluations.get(field) for field in indices},
    }


def _as_date(row: _Row, path: Path) -> date | None:
    if not row.release_date:
        return None
    try:
        return date.fromisoformat(row.release_date)
    except ValueError as error:
        raise BoardError(
            f"{path} gives {row.slug!r} the release date {row.release_date!r}: expected one like 2026-09-03"
        ) from error


FORMAT: Final = Format("artificial_analysis", "answer of the Artificial Analysis Data API", _recognises, _read)
