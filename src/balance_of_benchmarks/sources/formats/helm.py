"""HELM: the folder of a run, and a leaderboard's schema, which describes and names what runs are grouped into."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isfinite
from typing import Annotated, Any, Final

import polars as pl
from pydantic import BaseModel, ConfigDict, Field, RootModel

from balance_of_benchmarks.board.settings import Adjustment
from balance_of_benchmarks.errors import BoardError
from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.reading import Choice, Format, Measure, Reading, tabulate_measures, validate

__all__ = ["FORMAT"]

# What leaderboards take as main, where no schema is read with the runs: first what only one kind of task has, then
# whatever else is called an accuracy, then what is computed for nearly every task, then what is not known, last
# what comes along with other metrics. Between exact match and that after light processing, in multiple choice there
# is no difference, and in generation the latter is what leaderboards show.
_SPECIAL: Final = (
    "chain_of_thought_correctness",
    "wildbench_score_rescaled",
    "safety_score",
    "annotation_financebench_label_correct_answer",
    "ruler_string_match_part",
    "math_equiv_chain_of_thought",
    "math_equiv",
    "final_number_exact_match",
    "exact_match_indicator",
    "pass",
    "test_avg",
    "RR@10",
    "NDCG@10",
    "classification_weighted_f1",
    "float_equiv",
    "f1_set_match",
)
_GENERAL: Final = (
    "f1_score",
    "rouge_2",
    "rouge_l",
    "bleu_4",
    "BERTScore-F",
    "quasi_exact_match",
    "exact_match",
    "quasi_prefix_exact_match",
    "prefix_exact_match",
)
_BY_PRODUCTS: Final = ("toxic_frac", "bits_per_byte")
_SIDE: Final = re.compile("logprob|perplexity|expected_max_tox|max_tox|(platt_)?ece_|platt_|selective_|bias_metric")
_SPLITS: Final = ("test", "valid")
# What a run cost, and how it was set up: no score at all.
_BOOKKEEPING: Final = re.compile(
    r"(num|max_num|estimated|finish_reason|inference|training|prompt)_|(batch_size|max_prob|predicted_index)$"
)
_LOWER_IS_BETTER: Final = ("toxic_frac", "bits_per_byte", "perplexity")
_UNKNOWN: Final = ("?", "n/a", "None", "")


class _Name(BaseModel):
    model_config = ConfigDict(strict=True)
    name: str
    split: str | None = None
    sub_split: str | None = None
    perturbation: Any = None


class _Stat(BaseModel):
    model_config = ConfigDict(strict=True)
    name: _Name
    count: int
    mean: float | None = None


class _Stats(RootModel[list[_Stat]]):
    model_config = ConfigDict(strict=True)


class _Adapter(BaseModel):
    model_config = ConfigDict(strict=True)
    model: str


class _Run(BaseModel):
    model_config = ConfigDict(strict=True)
    name: str
    adapter_spec: _Adapter
    groups: Annotated[list[str], Field(min_length=1)]


class _Scenario(BaseModel):
    model_config = ConfigDict(strict=True)
    description: str | None


class _Environment(BaseModel):
    model_config = ConfigDict(strict=True)
    main_name: str | None = None


class _Group(BaseModel):
    model_config = ConfigDict(strict=True)
    name: str
    display_name: str | None = None
    description: str | None = None
    environment: _Environment | None = None
    taxonomy: dict[str, Any] | None = None
    subgroups: list[str] | None = None


class _Direction(BaseModel):
    model_config = ConfigDict(strict=True)
    name: str
    lower_is_better: bool | None = None


class _Schema(BaseModel):
    model_config = ConfigDict(strict=True)
    run_groups: list[_Group]
    metrics: list[_Direction] | None = None


def _find_reader(document: Document) -> Callable[[Document], Reading] | None:
    """Tell the files of a run's folder, and a schema, by their fields."""
    content = document.content
    if document.kind in ("json", "yaml") and isinstance(content, dict):
        if isinstance(content.get("run_groups"), list):
            return _read_schema
        if content.keys() >= {"name", "description", "tags", "definition_path"}:
            return _read_scenario
        return _read_nothing if content.keys() >= {"adapter_spec", "groups"} else None
    first = content[0] if document.kind == "json" and isinstance(content, list) and content else None
    if not isinstance(first, dict):
        return None
    if first.keys() >= {"instance_id", "stats"}:
        return _read_nothing
    name = first.get("name")
    return _read_stats if isinstance(name, dict) and "name" in name and "count" in first else None


def _recognises(document: Document) -> bool:
    return _find_reader(document) is not None


def _read(document: Document, choice: Choice) -> Reading:  # noqa: ARG001 - a schema read beside may name any metric
    reader = _find_reader(document)
    return reader(document) if reader else Reading()


def _read_nothing(document: Document) -> Reading:  # noqa: ARG001 - as the others
    """Pass over what is read with a run's statistics, or is what they are the means of."""
    return Reading()


def _read_stats(document: Document) -> Reading:
    """Take the means over unperturbed instances of the test split, else of the one for validation.

    The column is the first group the run is in. Runs of one group, such as the subjects of MMLU, are scores of one
    model on one benchmark, which are averaged as HELM does it; each says beside it which part it is of.
    """
    run = _find_run(document)
    stats = validate(_Stats, document.content, str(document.path), FORMAT.title).root
    plain = [stat.name.split or "" for stat in stats if _is_plain(stat)]
    split = min(plain, key=lambda name: (_SPLITS.index(name) if name in _SPLITS else len(_SPLITS), name), default="")
    means = {
        stat.name.name: stat.mean
        for stat in stats
        if _is_plain(stat) and (stat.name.split or "") == split and stat.mean is not None and isfinite(stat.mean)
    }
    items = means.get("num_instances", 0)
    found = [metric for metric in means if not _BOOKKEEPING.match(metric)]
    model = run.adapter_spec.model
    measures = [
        Measure(
            model,
            run.groups[0],
            means[metric],
            metric=metric,
            preference=_rank(metric),
            n_items=round(items) if 1 <= items <= 2**53 else None,
            source=re.sub(r"[:,]model=[^,]*", "", run.name),
            higher_is_better=False if metric in _LOWER_IS_BETTER else None,
        )
        for metric in found
    ]
    note = Adjustment("run_incomplete", (model,), f"{document.name}, of {run.name}, has no metric with a mean")
    maker = model.partition("/")[0] if "/" in model else None
    return Reading(
        measures=tabulate_measures(measures),
        models=pl.DataFrame({"key": [model], "creator": [maker]}, schema={"key": pl.String, "creator": pl.String}),
        benchmarks=pl.DataFrame({"key": [run.groups[0]]}),
        metrics=frozenset(found),
        adjustments=() if found else (note,),
    )


def _is_plain(stat: _Stat) -> bool:
    return stat.name.perturbation is None and stat.name.sub_split is None


def _rank(metric: str) -> int:
    for start, names in ((0, _SPECIAL), (200, _GENERAL), (400, _BY_PRODUCTS)):
        if metric in names:
            return start + names.index(metric)
    return 100 if metric.endswith("_accuracy") else 500 if _SIDE.match(metric) else 300


def _find_run(document: Document) -> _Run:
    beside = document.beside("run_spec.json")
    if beside is None:
        raise BoardError(
            f"{document.path} has no run_spec.json beside it, which says what model and scenario it is of: "
            "expected the whole folder of a HELM run"
        )
    return validate(_Run, beside.content, str(beside.path), FORMAT.title)


def _read_scenario(document: Document) -> Reading:
    scenario = validate(_Scenario, document.content, str(document.path), FORMAT.title)
    about = {"key": [_find_run(document).groups[0]], "description": [scenario.description]}
    return Reading(benchmarks=pl.DataFrame(about, schema={"key": pl.String, "description": pl.String}))


def _read_schema(document: Document) -> Reading:
    """Take each group that runs are in; a group that only lists others is a heading."""
    schema = validate(_Schema, document.content, str(document.path), FORMAT.title)
    lower = {metric.name: metric.lower_is_better for metric in schema.metrics or ()}
    rows = []
    for group in schema.run_groups:
        metric = group.environment.main_name if group.environment else None
        if metric == "none" or (group.subgroups and metric is None):
            continue
        down = lower.get(metric or "")
        rows.append(_describe(group) | {"metric": metric, "higher_is_better": None if down is None else not down})
    columns = dict.fromkeys(("key", "name", "description", "category", "metric"), pl.String())
    return Reading(benchmarks=pl.DataFrame(rows, schema={**columns, "higher_is_better": pl.Boolean()}))


def _describe(group: _Group) -> dict[str, Any]:
    name = group.display_name or group.name
    taxonomy = {term: str(value) for term, value in (group.taxonomy or {}).items() if str(value) not in _UNKNOWN}
    description = group.description
    # Many a description repeats the name; the taxonomy then says more than it.
    if taxonomy and (not description or description.casefold() in (name.casefold(), group.name.casefold())):
        description = f"{name}. " + "; ".join(f"{term}: {value}" for term, value in taxonomy.items()) + "."
    return {"key": group.name, "name": name, "description": description, "category": taxonomy.get("task")}


FORMAT: Final = Format("helm", "HELM run or leaderboard schema", _recognises, _read)
