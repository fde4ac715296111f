"""The reports of the method itself: rankings, weights, curves."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

import numpy as np
import polars as pl

from balance_of_benchmarks.ranking.estimator import BalanceOfBenchmarks
from balance_of_benchmarks.ranking.task import TaskPart, TaskRanking
from balance_of_benchmarks.report.report import Column, Report

__all__ = ["describe_encoder", "open_report", "report_curves", "report_ranking", "report_weights"]

_LITTLE_SUPPORT: Final = 0.05
_MOST_PARTS: Final = 5  # told one by one
_DEFAULT: Final = "wordllama"
_LAST_RESORT: Final = " (spelling without meaning: a last resort, or a second opinion)"
_ON_MODELS: Final = ("no_ability", "ability_at_end", "two_minima")
_SIMULATED: Final = "This board is simulated: its models, makers and scores are made up."


def report_ranking(model: BalanceOfBenchmarks, ranking: pl.DataFrame | TaskRanking) -> Report:
    """Report a global ranking, as `ranking` gives it, or a task's, as `rank_for` does.

    Parameters
    ----------
    model : BalanceOfBenchmarks
        Fitted.
    ranking : polars.DataFrame or TaskRanking

    Returns
    -------
    Report
    """
    answer = ranking if isinstance(ranking, TaskRanking) else None
    table = ranking.table if isinstance(ranking, TaskRanking) else ranking
    table = table.select("model", "name", "rank", *(c for c in table.columns if c not in ("model", "name", "rank")))
    warnings = model.warnings_
    payload = {
        "board": model.board_.name,
        "encoder": describe_encoder(model),
        "preset": model.preset,
        "task": None if answer is None else _task_payload(answer),
        "models": table.to_dicts(),
        "adjustments": [asdict(a) for a in (*model.adjustments_, *warnings)],
    }
    columns = [Column("rank", "rank"), Column("name", "model", stretch=True), Column("score", "score", 2)]
    if answer is None:
        columns += [Column("low", "from", 2), Column("high", "to", 2)]
        columns += [Column("rank_low", "best", 0), Column("rank_high", "worst", 0)] if "rank_low" in table else []
        before, after = [], ["from, to: 95 % interval of the score"]
        after += ["best, worst: 95 % interval of the rank"] if "rank_low" in table else []
    else:
        columns += [Column("ability", "ability", 2), Column("global_rank", "overall"), Column("support", "support", 2)]
        before, after = _task_lines(answer), []
    columns.append(Column("observed", "scores"))
    after += [f"note: {note.message}" for note in warnings if note.kind in _ON_MODELS]
    return Report(
        payload=payload,
        frame=table,
        title=f"{'Ranking' if answer is None else 'Ranking for a task'} - {model.board_.name}",
        columns=tuple(columns),
        before=tuple(open_report(model) + before),
        after=tuple(after),
    )


def report_weights(model: BalanceOfBenchmarks, *, pairs: int = 5) -> Report:
    """Report what each benchmark weighs and which lie closest.

    Parameters
    ----------
    model : BalanceOfBenchmarks
        Fitted.
    pairs : int
        How many of the closest pairs to list.

    Returns
    -------
    Report
    """
    space, kept = model.space_, model.kept_
    keys, n = kept.benchmarks["key"].to_list(), kept.benchmarks.height
    frame = pl.DataFrame(
        {
            "benchmark": keys,
            "name": kept.benchmarks["name"],
            "weight": space.shares,
            "units": space.shares * n,
            "density": space.density,
            "mass": space.masses,
        }
    )
    names, found = kept.benchmarks["name"].to_list(), space.closest_pairs(pairs)
    # Without a single text the unit is a right angle that nothing was measured by.
    measured = bool(space.has_text.any())
    closest = [{"a": keys[p.a], "b": keys[p.b], "distance": p.distance} for p in found]
    payload = {
        "board": model.board_.name,
        "encoder": describe_encoder(model),
        "preset": model.preset,
        "weighting": space.rule.name,
        "effective_mass": space.effective_mass,
        "median_distance": space.median if measured else None,
        "bandwidth": space.bandwidth if measured else None,
        "benchmarks": frame.to_dicts(),
        "closest": closest,
        "adjustments": [asdict(a) for a in (*model.adjustments_, *model.warnings_)],
    }
    distances = "no benchmark has a description, so there are no distances"
    if measured:
        distances = f"median distance {space.median:.3f}, bandwidth {space.bandwidth:.3f} radians"
    mass, weighting = f"effective mass {space.effective_mass:.2f} of {n} benchmarks", space.rule.name.replace("_", " ")
    lines = [f"{mass} ({weighting}); {distances}"]
    after = ["units: 1.00 is an equal share; density: 1.00 is isolated; mass: what the list would lose with it"]
    unit = space.median
    after += [f"closest: {names[p.a]} - {names[p.b]}, {p.distance / unit:.2f} median distances" for p in found[:3]]
    return Report(
        payload=payload,
        frame=frame,
        title=f"Weights - {model.board_.name}",
        columns=(
            Column("name", "benchmark", stretch=True),
            Column("weight", "weight", 4),
            Column("units", "units", 2),
            Column("density", "density", 2),
            Column("mass", "mass", 2),
        ),
        before=tuple(open_report(model) + lines),
        after=tuple(after),
    )


def report_curves(model: BalanceOfBenchmarks) -> Report:
    """Report the characteristic curve of each benchmark.

    Parameters
    ----------
    model : BalanceOfBenchmarks
        Fitted.

    Returns
    -------
    Report
    """
    fit, kept = model.fit_, model.kept_
    status = fit.status
    frame = pl.DataFrame(
        {
            "benchmark": kept.benchmarks["key"],
            "name": kept.benchmarks["name"],
            "discrimination": fit.discrimination,
            "difficulty": fit.difficulty,
            "residual_scale": fit.residual_scale,
            "r_squared": fit.r_squared,
            "information": fit.information,
            "observed": fit.observed.benchmark_start[1:] - fit.observed.benchmark_start[:-1],
            "at_bound": status.at_bound,
            "floored": status.floored > 0,
        }
    ).with_columns(pl.col(pl.Float64).fill_nan(None))
    frame = frame.with_columns(
        reason=pl.when(pl.col("discrimination").is_null())
        .then(pl.lit("no model with an ability has a score on it"))
        .when(pl.col("r_squared").is_null())
        .then(pl.lit("equal scores leave nothing to explain"))
    )
    warnings = model.warnings_
    payload = {
        "board": model.board_.name,
        "encoder": describe_encoder(model),
        "preset": model.preset,
        "benchmarks": frame.to_dicts(),
        "status": {
            "rounds": status.rounds,
            "last_change": status.last_change,
            "attenuated": status.attenuated,
            "cells": fit.observed.size,
        },
        "adjustments": [asdict(a) for a in (*model.adjustments_, *warnings)],
    }
    return Report(
        payload=payload,
        frame=frame,
        title=f"Characteristic curves - {model.board_.name}",
        columns=(
            Column("name", "benchmark", stretch=True),
            Column("discrimination", "a", 2),
            Column("difficulty", "b", 2),
            Column("residual_scale", "sigma", 3),
            Column("r_squared", "R2", 2),
            Column("information", "info", 1),
            Column("observed", "models"),
        ),
        before=tuple(open_report(model)),
        after=(
            "a: how sharply it separates models; b: ability at which half is scored; sigma: residual scale",
            f"{status.rounds} rounds, last change {status.last_change:.3f}; {status.attenuated} of {fit.observed.size} "
            "scores lie so far off their curve that they count for less",
            *(f"note: {warning.message}" for warning in warnings),
        ),
    )


def open_report(model: BalanceOfBenchmarks) -> list[str]:
    """Say of every report what board it is on, and whether that is made up."""
    m, n = model.kept_.scores.shape
    lines = [f"{m} models, {n} benchmarks, {model.fit_.observed.size} scores"]
    settings = model.board_.settings
    if settings.simulated:
        lines.append(_SIMULATED)
    if settings.attribution:
        lines.append(f"Data: {settings.attribution}")
    described = describe_encoder(model)
    if described is not None and described["name"] != _DEFAULT:
        options = "".join(f", {name} {value}" for name, value in described["options"].items())
        lines.append(f"Vectors: {described['name']}{options}" + (_LAST_RESORT if described["name"] == "ngrams" else ""))
    return lines


def describe_encoder(model: BalanceOfBenchmarks) -> dict[str, Any] | None:
    """Say what made the vectors; None where they were given as an array."""
    encoder = model.encoder_
    if isinstance(encoder, np.ndarray):
        return None
    identity = encoder.identity
    return {"name": identity.name, "revision": identity.revision, "options": dict(identity.options)}


def _task_payload(answer: TaskRanking) -> dict[str, Any]:
    choice, process = answer.bandwidth, answer.process
    return {
        "text": answer.text,
        "category": answer.category,
        "parts": [{**asdict(part), "in_register": part.in_register} for part in answer.parts],
        "support": answer.support,
        "abstained": answer.abstained,
        "nearest": [asdict(neighbour) for neighbour in answer.nearest],
        "median_distance": answer.median_distance,
        "threshold": answer.threshold,
        "bandwidth": None if choice is None else {**asdict(choice), "held_out": len(choice.held_out)},
        "process": None
        if process is None
        else {
            "variance": process.variance,
            "noise": process.noise,
            "size": process.size,
            "rank_share": process.rank_share,
            "by_category": process.by_category,
            "alone": process.alone,
            "held_out": len(process.held_out),
            "why": process.why,
        },
        "why": answer.why,
    }


def _task_lines(answer: TaskRanking) -> list[str]:
    parts, unit = answer.parts, answer.median_distance
    if len(parts) == 1:
        of = "" if answer.category is None else f" ({answer.category})"
        lines = [f"Task{of}: {parts[0].text or '(a vector)'}"]
    else:
        lines = [f"{len(parts)} tasks together:", *(_part_line(part, unit) for part in parts[:_MOST_PARTS])]
        lines += [f"... and {len(parts) - _MOST_PARTS} more"] if len(parts) > _MOST_PARTS else []
    nearest = ", ".join(f"{near.benchmark} {near.distance / unit:.2f}" for near in answer.nearest[:3])
    lines.append(f"nearest (in median distances): {nearest}")
    raw = sum(part.in_register is False for part in parts)
    if raw:
        whose = "the task has" if len(parts) == 1 else f"{raw} of {len(parts)} tasks have"
        lines.append(
            f"note: {whose} not the length of a description, 40 to 80 words in 2 to 4 sentences; "
            "written like one, a task lies nearer (docs/tasks.md)"
        )
    if answer.threshold is None:
        lines.append(
            "note: the encoder is not calibrated for abstention, so a task off the board is not noticed; "
            "--abstain-beyond calibrate finds its limit"
        )
    if answer.abstained:
        return [*lines, f"Abstained: {answer.why}."]
    silent = [part for part in parts if part.abstained]
    if silent:
        lines.append(f"no evidence on {len(silent)} of {len(parts)}, {sum(part.weight for part in silent):.0%} of it")
    support = f"support {answer.support:.2f} (median over models)"
    if answer.support < _LITTLE_SUPPORT:
        support += ": little evidence, nearly the global ranking"
    if answer.process is not None:
        held_out = len(answer.process.held_out)
        if answer.process.size == 0.0:
            return [*lines, f"{support}; {answer.process.why}, so this is the global ranking"]
        taken = f"{answer.process.size:.2f} of the adjustment, as {held_out} held-out benchmarks say"
        return [*lines, f"{support}; kriging: {taken}"]
    if answer.category is not None:
        lines.append("note: the category has no say here: only kriging heeds it, and this is a kernel average")
    choice = answer.bandwidth
    reach = "" if choice is None else f"; bandwidth {choice.multiple:g} median distances ({choice.why})"
    return [*lines, f"{support}{reach}"]


def _part_line(part: TaskPart, unit: float) -> str:
    near = part.nearest[0]
    evidence = "no evidence, " if part.abstained else ""
    return f"{part.weight:.0%}: {part.text} ({evidence}nearest {near.benchmark} {near.distance / unit:.2f})"
