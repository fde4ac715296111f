"""Hugging Face evaluation results: a repository's ``.eval_results/*.yaml``, and what the Hub's API lists of them."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
from pydantic import BaseModel, ConfigDict

from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.reading import (
    Choice,
    Format,
    Measure,
    Reading,
    note_unnamed,
    tabulate_measures,
    validate,
)

__all__ = ["FORMAT"]

# What a dataset's only task is called, beside the dataset's own name.
_WHOLE: Final = ("default", "main")


class _Dataset(BaseModel):
    model_config = ConfigDict(strict=True)
    id: str
    task_id: str | None = None
    config: str | None = None  # what became task_id


class _Source(BaseModel):
    model_config = ConfigDict(strict=True)
    url: str | None = None


class _Result(BaseModel):
    model_config = ConfigDict(strict=True)
    dataset: _Dataset
    value: float
    date: str | None = None
    source: _Source | None = None
    notes: str | None = None


class _Results(BaseModel):
    model_config = ConfigDict(strict=True)
    results: list[_Result]


def _recognises(document: Document) -> bool:
    listed = document.content if document.kind in ("yaml", "front_matter", "json") else None
    first = _unwrap(listed[0]) if isinstance(listed, list) and listed else None
    dataset = first.get("dataset") if isinstance(first, dict) else None
    return isinstance(dataset, dict) and "id" in dataset


def _unwrap(item: Any) -> Any:
    """Take a result as it lies in a file, or out of what the API wraps it in."""
    return item["data"] if isinstance(item, dict) and {"filename", "data"} <= item.keys() else item


def _read(document: Document, choice: Choice) -> Reading:  # noqa: ARG001 - every format's signature
    """Take every result; a dataset's task joins its key only where the dataset may have several."""
    payload = {"results": [_unwrap(item) for item in document.content]}
    results = validate(_Results, payload, str(document.path), FORMAT.title).results
    model = _guess_model(document)
    measures = [
        Measure(
            model,
            _name_benchmark(result.dataset),
            result.value,
            date=result.date,
            source=result.source.url if result.source else None,
        )
        for result in results
    ]
    notes = pl.Series([result.notes for result in results], dtype=pl.String)
    return Reading(
        measures=tabulate_measures(measures).with_columns(notes=notes),
        models=pl.DataFrame({"key": [model]}),
        adjustments=(note_unnamed(document, model, _FIX[document.kind == "json"]),),
    )


# By whether it is an answer in JSON, or lies in a model's repository.
_FIX: Final = {True: "give the file the model's name", False: "give the folder of .eval_results the model's name"}


def _name_benchmark(dataset: _Dataset) -> str:
    task = dataset.task_id or dataset.config
    whole = task is None or task in (*_WHOLE, dataset.id.rpartition("/")[2])
    return dataset.id if whole else f"{dataset.id}:{task}"


def _guess_model(document: Document) -> str:
    """Call the model by its repository, which is the folder that holds `.eval_results`."""
    folder = document.path.absolute().parent
    if folder.name == ".eval_results":
        folder = folder.parent
    return document.stem if document.kind == "json" else folder.name or document.stem


FORMAT: Final = Format("eval_results", "Hugging Face evaluation results", _recognises, _read)
