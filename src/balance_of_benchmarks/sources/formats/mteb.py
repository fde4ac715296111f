"""MTEB: the results of one model on one task, and the description of the model beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
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

__all__ = ["FORMAT", "MAIN_METRICS"]

MAIN_METRICS: Final = (
    "main_score",
    "ndcg_at_10",
    "v_measure",
    "cos_sim_ap",
    "cos_sim_spearman",
    "map",
    "accuracy",
    "f1",
)
"""What each kind of task is ranked by, from the most telling on: before version 1.12 a file need not say."""
_SIMILARITIES: Final = ("cos_sim", "dot", "euclidean", "manhattan", "max", "similarity")


class _Subset(BaseModel):
    model_config = ConfigDict(strict=True, extra="allow")
    __pydantic_extra__: dict[str, float | Any] = Field(init=False)
    main_score: float | None


class _Task(BaseModel):
    model_config = ConfigDict(strict=True)
    scores: dict[str, list[_Subset]]
    task_name: str | None = None
    mteb_dataset_name: str | None = None


class _Model(BaseModel):
    model_config = ConfigDict(strict=True)
    name: str
    revision: str | None = None
    release_date: Annotated[date | None, Field(strict=False)] = None
    open_weights: bool | None = None
    license: str | None = None
    n_parameters: float | None = None


_MODEL_TYPES: Final[dict[str, pl.DataType]] = {
    **dict.fromkeys(("key", "revision", "license"), pl.String()),
    "release_date": pl.Date(),
    "open_weights": pl.Boolean(),
    "n_parameters": pl.Float64(),
}


def _recognises(document: Document) -> bool:
    keys = document.mapping.keys()
    if "mteb_dataset_name" in keys or _is_model(document):
        return True
    return isinstance(document.mapping.get("scores"), dict) and {"dataset_revision", "mteb_version"} <= keys


def _is_model(document: Document) -> bool:
    return {"name", "revision", "release_date", "languages"} <= document.mapping.keys()


def _read(document: Document, choice: Choice) -> Reading:
    """Take the task's main score: its mean over the subsets of the split ``test``, or else of the first split."""
    if _is_model(document):
        return Reading(models=_describe_model(document))
    payload = document.content if "scores" in document.mapping else _renew(document.mapping)
    task = validate(_Task, payload, str(document.path), FORMAT.title)
    split = "test" if "test" in task.scores else next(iter(task.scores), "")
    subsets = [{"main_score": subset.main_score, **subset.__pydantic_extra__} for subset in task.scores.get(split, ())]
    if not subsets:
        raise BoardError(f"{document.path} has no scores: expected a split such as test with at least one subset")
    models, notes = _find_model(document)
    benchmark = task.task_name or task.mteb_dataset_name or document.stem
    metrics = _average(subsets)
    measures = [
        Measure(models["key"][0], benchmark, metrics[metric], metric=metric, preference=preference)
        for metric, preference in pick_metrics(benchmark, metrics, ("main_score",), choice)
    ]
    return Reading(
        measures=tabulate_measures(measures).with_columns(split=pl.lit(split), n_subsets=pl.lit(len(subsets))),
        models=models,
        metrics=frozenset(metrics),
        adjustments=notes,
    )


def _average(subsets: Sequence[Mapping[str, Any]]) -> dict[str, float | None]:
    """Average over subsets what every one has a number of; the main score is missing where it is in one."""
    averages: dict[str, float | None] = {"main_score": None}
    for metric in subsets[0]:
        values = [subset.get(metric) for subset in subsets]
        numbers = [value for value in values if isinstance(value, float)]
        if len(numbers) == len(values):
            averages[metric] = sum(numbers) / len(numbers)
    return averages


def _renew(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Bring results of before version 1.12, whose splits stand beside the name, to the shape since."""
    scores = {}
    for split, values in payload.items():
        if isinstance(values, dict):
            # Subsets have values of their own, as similarities have.
            nested = [value for key, value in values.items() if isinstance(value, dict) and key not in _SIMILARITIES]
            scores[split] = [_name_main(_flatten(subset)) for subset in nested or [values]]
    return {"mteb_dataset_name": payload.get("mteb_dataset_name"), "scores": scores}


def _flatten(subset: Mapping[str, Any]) -> dict[str, Any]:
    flat = {}
    for metric, value in subset.items():
        flat.update(
            {f"{metric}_{name}": part for name, part in value.items()} if isinstance(value, dict) else {metric: value}
        )
    flat.pop("evaluation_time", None)
    return flat


def _name_main(metrics: dict[str, Any]) -> dict[str, Any]:
    main = next((metrics[name] for name in MAIN_METRICS if name in metrics), None)
    return metrics if main is None else {**metrics, "main_score": main}


def _find_model(document: Document) -> tuple[pl.DataFrame, tuple[Adjustment, ...]]:
    """Find which model it is of: by the description beside it, or by the folders MTEB puts its results in."""
    meta = document.beside("model_meta.json")
    if meta is not None and _is_model(meta):
        return _describe_model(meta), ()
    folder = document.path.absolute().parent
    above = folder.parent
    # results/<model>/<revision>/<task>.json, and results/<model>/<task>.json before there were revisions
    with_revision = "__" in above.name or above.parent.name == "results"
    if with_revision or above.name == "results":
        named = above if with_revision else folder
        return pl.DataFrame({"key": [named.name.replace("__", "/", 1)]}), ()
    model = folder.name or document.stem
    note = note_unnamed(document, model, "put the model_meta.json that MTEB writes beside it")
    return pl.DataFrame({"key": [model]}), (note,)


def _describe_model(document: Document) -> pl.DataFrame:
    model = validate(_Model, document.content, str(document.path), FORMAT.title)
    return pl.DataFrame([{"key": model.name, **model.model_dump(exclude={"name"})}], schema=_MODEL_TYPES)


FORMAT: Final = Format("mteb", "MTEB results", _recognises, _read)
