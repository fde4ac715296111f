"""tau2-bench: a submission to its leaderboard, of text or of voice."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

import polars as pl
from pydantic import BaseModel, ConfigDict

from balance_of_benchmarks.errors import BoardError
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


class _Passes(BaseModel):
    """Percentages of tasks solved in each of so many trials; the leaderboard ranks by the first."""

    model_config = ConfigDict(strict=True)
    pass_1: float | None = None
    pass_2: float | None = None
    pass_3: float | None = None
    pass_4: float | None = None


class _Domain(_Passes):
    cost: float | None = None
    retrieval_config: str | None = None


class _Panel(BaseModel):
    """How a voice agent holds a conversation: shares, but for what `_COSTS` lists."""

    model_config = ConfigDict(strict=True)
    response_rate: float | None = None
    yield_rate: float | None = None
    selectivity_backchannel: float | None = None
    selectivity_vocal_tic: float | None = None
    selectivity_non_directed: float | None = None
    response_latency_mean: float | None = None
    yield_latency_mean: float | None = None
    agent_interruption_rate: float | None = None


# Seconds, and interruptions a turn, which may be more than one: lower is better and there is no upper end.
_COSTS: Final = ("response_latency_mean", "yield_latency_mean", "agent_interruption_rate")


class _Interaction(BaseModel):
    model_config = ConfigDict(strict=True)
    domains: dict[str, _Panel] | None = None


class _Methodology(BaseModel):
    model_config = ConfigDict(strict=True)
    evaluation_date: str | None = None
    tau2_bench_version: str | None = None
    user_simulator: str | None = None


class _Release(BaseModel):
    model_config = ConfigDict(strict=True)
    release_date: str | None = None


class _Submission(BaseModel):
    model_config = ConfigDict(strict=True, protected_namespaces=())
    model_name: str
    model_organization: str
    submitting_organization: str
    submission_date: str
    results: dict[str, _Domain | None]
    submission_type: str = "standard"
    modality: str = "text"
    reasoning_effort: str | None = None
    methodology: _Methodology | None = None
    model_release: _Release | None = None
    interaction_metrics: _Interaction | None = None


def _recognises(document: Document) -> bool:
    return document.mapping.keys() >= {"model_name", "submitting_organization", "results"}


def _read(document: Document, choice: Choice) -> Reading:
    """Take `pass_1` of every domain that was run; text and voice are different benchmarks.

    A model at another effort of reasoning is another model. Who ran it, with which user simulator and whether by the
    benchmark's own set-up stands beside each score.
    """
    submission = validate(_Submission, document.content, str(document.path), FORMAT.title)
    methodology = submission.methodology or _Methodology()
    words = ["tau2"] if submission.modality == "text" else ["tau2", submission.modality]
    prefix = "_".join(words)
    run = {name: domain for name, domain in submission.results.items() if domain is not None}
    found = {name: _find_metrics(submission, name, domain) for name, domain in run.items()}
    picked = [
        (name, metric, preference)
        for name in run
        for metric, preference in pick_metrics(f"{prefix}_{name}", found[name], list(_Passes.model_fields), choice)
    ]
    measures = [
        Measure(
            _make_key(submission),
            f"{prefix}_{name}",
            found[name][metric],
            metric=metric,
            preference=preference,
            date=methodology.evaluation_date or submission.submission_date,
            source=submission.submitting_organization,
            lower=0,
            upper=100 if metric in _Passes.model_fields else None if metric in _COSTS else 1,
            higher_is_better=metric not in _COSTS,
        )
        for name, metric, preference in picked
    ]
    return Reading(
        measures=tabulate_measures(measures).with_columns(
            pl.lit(submission.submission_type).alias("submission_type"),
            pl.lit(methodology.user_simulator, pl.String).alias("user_simulator"),
            pl.lit(methodology.tau2_bench_version, pl.String).alias("tau2_bench_version"),
            pl.Series("retrieval_config", [run[name].retrieval_config for name, *_ in picked], pl.String),
            pl.Series("mean_cost", [run[name].cost for name, *_ in picked], pl.Float64),
        ),
        models=pl.DataFrame([_describe_model(submission, document)], schema=_MODEL),
        benchmarks=pl.DataFrame(
            {
                "key": [f"{prefix}_{name}" for name in run],
                "name": [" ".join([*words, name]) for name in run],
            },
            schema={"key": pl.String, "name": pl.String},
        ),
        metrics=frozenset(metric for metrics in found.values() for metric in metrics),
        date=submission.submission_date,
    )


def _find_metrics(submission: _Submission, name: str, domain: _Domain) -> dict[str, float]:
    panels = (submission.interaction_metrics.domains if submission.interaction_metrics else None) or {}
    listed = domain.model_dump(include=set(_Passes.model_fields)) | panels.get(name, _Panel()).model_dump()
    return {metric: value for metric, value in listed.items() if value is not None}


def _make_key(submission: _Submission) -> str:
    text = f"{submission.model_name} {submission.reasoning_effort or ''}".casefold()
    return re.sub(r"[^\w.]+", "-", text).strip("-")


_MODEL: Final = {
    **dict.fromkeys(("key", "name", "creator"), pl.String()),
    "release_date": pl.Date(),
    "reasoning_effort": pl.String(),
}


def _describe_model(submission: _Submission, document: Document) -> dict[str, object]:
    effort = submission.reasoning_effort
    return {
        "key": _make_key(submission),
        "name": f"{submission.model_name} ({effort})" if effort else submission.model_name,
        "creator": submission.model_organization,
        "release_date": _as_date(submission.model_release, document),
        "reasoning_effort": effort,
    }


def _as_date(release: _Release | None, document: Document) -> date | None:
    if release is None or not release.release_date:
        return None
    try:
        return date.fromisoformat(release.release_date)
    except ValueError as error:
        raise BoardError(
            f"{document.path} has the release date {release.release_date!r}: expected one like 2026-09-03"
        ) from error


FORMAT: Final = Format("tau2", "submission to the tau2-bench leaderboard", _recognises, _read)
