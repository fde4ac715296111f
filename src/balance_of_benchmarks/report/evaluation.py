"""The report of held-out tests: every method in one table, with tests against ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

import numpy as np
import polars as pl

from balance_of_benchmarks.evaluation.advice import RIVALS, Advice
from balance_of_benchmarks.evaluation.evaluate import Evaluation, Split
from balance_of_benchmarks.evaluation.methods import METHODS
from balance_of_benchmarks.evaluation.scoring import Test, Verdicts
from balance_of_benchmarks.evaluation.statistics import PairedComparison
from balance_of_benchmarks.ranking.estimator import BalanceOfBenchmarks
from balance_of_benchmarks.report.method import describe_encoder, open_report
from balance_of_benchmarks.report.report import Column, Report

__all__ = ["report_evaluation"]

_LEVEL: Final = 0.05
"""What a corrected p-value is held against in the words below the table."""
_SPLIT_TITLES: Final = {
    "without_close_pairs": "without benchmarks that have a near twin",
    "without_single_categories": "without categories of one benchmark",
    "with_its_family": "benchmarks with near twins, twins in the pool",
    "family_left_out": "the same, the whole family left out",
    "well_covered": "judged by the better covered half of models",
    "sparsely_covered": "judged by the less covered half",
    "recent": "judged by the more recent half of models",
    "older": "judged by the older half",
}


def report_evaluation(model: BalanceOfBenchmarks, found: Evaluation) -> Report:
    """Report how well each method predicts benchmarks that it has not seen.

    Parameters
    ----------
    model : BalanceOfBenchmarks
        What was evaluated.
    found : Evaluation

    Returns
    -------
    Report
    """
    verdicts = found.verdicts
    tests = {(test.metric, test.result.against): test for test in found.tests}
    methods = [_describe(verdicts, found, id_) for id_ in verdicts.methods]
    payload = {
        "board": model.board_.name,
        "encoder": describe_encoder(model),
        "weighting": found.study.space.rule.name,
        "folds": _describe_folds(found),
        "methods": methods,
        "tests": [_describe_test(test) for test in found.tests],
        "splits": [_describe_split(split) for split in found.splits],
        "model_draws": _describe_draws(found),
        "advice": None if found.advice is None else _describe_advice(found.advice),
        "adjustments": [asdict(a) for a in model.adjustments_],
    }
    frame = pl.DataFrame(
        [_summarize(method, tests.get(("profile", method["method"]))) for method in methods],
        infer_schema_length=None,
    ).with_columns(pl.col(pl.Float64).fill_nan(None))
    return Report(
        payload=payload,
        frame=frame,
        title=f"Held-out benchmarks - {model.board_.name}",
        columns=(
            Column("title", "method", stretch=True),
            Column("level", "level", 3),
            Column("profile", "profile", 3),
            Column("profile_se", "se", 3),
            Column("difference", "ahead", 3),
            Column("low", "from", 3),
            Column("high", "to", 3),
            Column("p_holm", "p", 4),
        ),
        before=(*open_report(model), *_introduce(found)),
        after=(
            *_explain(),
            *_conclude(verdicts, found.tests),
            *_advise(found.advice),
            *_tell_splits(found),
            *_tell_draws(found),
        ),
    )


def _describe(verdicts: Verdicts, found: Evaluation, id_: str) -> dict[str, Any]:
    method = next(method for method in METHODS if method.id == id_)
    keys = found.study.keys
    figures = {metric: verdicts.of(id_, metric) for metric in verdicts.values}
    counts = verdicts.models[:, verdicts.methods.index(id_)]
    means: dict[str, Any] = {}
    for metric in verdicts.values:
        means[metric] = verdicts.mean(id_, metric)
        means[f"{metric}_se"] = verdicts.error(id_, metric)
    folds = [
        {"benchmark": keys[target], "models": int(counts[f]), **{m: float(v[f]) for m, v in figures.items()}}
        for f, target in enumerate(found.predictions.targets)
    ]
    return {"method": id_, "title": method.title, "family": method.family, **means, "folds": folds}


def _summarize(method: dict[str, Any], test: Test | None) -> dict[str, Any]:
    """One row of the table: a method's means, and how far ours is ahead of it in profile."""
    means = {key: value for key, value in method.items() if key != "folds"}
    result = None if test is None else test.result
    fields = ("difference", "low", "high", "p_holm")
    return means | {name: None if result is None else getattr(result, name) for name in fields}


def _describe_folds(found: Evaluation) -> list[dict[str, Any]]:
    predictions, keys = found.predictions, found.study.keys
    return [
        {
            "benchmark": keys[target],
            "models": int((~np.isnan(found.study.scores[:, target])).sum()),
            "pool": len(predictions.pools[f]),
            "nearest": float(predictions.nearest[f]),
            "chosen": {grid: float(values[f]) for grid, values in predictions.chosen.items()},
        }
        for f, target in enumerate(predictions.targets)
    ]


def _describe_test(test: Test) -> dict[str, Any]:
    result = asdict(test.result)
    return {"metric": test.metric, "family": test.family, "method": result.pop("against"), **result}


def _describe_split(split: Split) -> dict[str, Any]:
    verdicts = split.verdicts
    return {
        "split": split.name,
        "folds": int(split.folds.sum()),
        "models": split.models,
        "methods": [
            {"method": id_, **{m: verdicts.mean(id_, m, split.folds) for m in verdicts.values}}
            for id_ in verdicts.methods
        ],
    }


def _describe_draws(found: Evaluation) -> dict[str, Any] | None:
    drawn = found.resampled
    if drawn is None:
        return None
    return {
        "draws": len(drawn.level),
        "clusters": drawn.clusters,
        "methods": [
            {
                "method": id_,
                **{
                    f"{metric}_{end}": float(np.nanpercentile(values[:, k], place))
                    for metric, values in (("level", drawn.level), ("profile", drawn.profile))
                    for end, place in (("low", 2.5), ("high", 97.5))
                },
            }
            for k, id_ in enumerate(drawn.methods)
        ],
    }


def _introduce(found: Evaluation) -> list[str]:
    held, points = len(found.predictions.targets), found.study.space.firsts.size
    which = "all benchmarks" if held == points else f"{held} of {points} benchmarks"
    return [f"{which} held out in turn, and the models' order on each predicted from the others"]


def _explain() -> list[str]:
    return [
        "level: rank correlation with the held-out scores; profile: the same once general ability is taken out; "
        "se: of its mean over benchmarks",
        "rows with ... change a part of the paper's method; '... auto, the default' is what bob rank does",
        "ahead: the paper's method over this one in profile, with a 95 % interval over benchmarks, and the corrected "
        "one-sided p-value that it is ahead",
    ]


def _conclude(verdicts: Verdicts, tests: Sequence[Test]) -> list[str]:
    rivals = {method.id for method in METHODS if method.family in RIVALS}
    titles = {method.id: method.title for method in METHODS}
    lines = []
    for metric in ("level", "profile"):
        against = [test.result for test in tests if test.metric == metric and test.result.against in rivals]
        if not against:
            continue
        if np.isnan([verdicts.mean(id_, metric) for id_ in verdicts.methods]).all():
            lines.append(f"{metric}: no held-out benchmark can tell, having too few scores or the same for every model")
            continue
        ahead = sum(result.difference > 0 for result in against)
        surely = sum(result.p_holm < _LEVEL for result in against)
        best = max(verdicts.methods, key=lambda id_: np.nan_to_num(verdicts.mean(id_, metric), nan=-np.inf))
        lines.append(
            f"{metric}: the paper's method is ahead of {ahead} of {len(against)} rivals, "
            f"surely (p < {_LEVEL}) of {surely}; "
            f"highest of all rows: {titles[best].lstrip('. ')} {verdicts.mean(best, metric):.3f}"
        )
        behind = [titles[result.against] for result in against if result.high < 0]
        if behind:
            lines.append(
                f"{metric}: the paper's method is behind {', '.join(behind)}, with all of the interval below 0"
            )
    return lines


def _describe_advice(advice: Advice) -> dict[str, Any]:
    def describe(pairs: Sequence[PairedComparison]) -> list[dict[str, Any]]:
        return [{"method": fields.pop("against"), **fields} for fields in map(asdict, pairs)]

    return {
        "preset": advice.preset,
        "why": advice.why,
        "against_paper": {metric: describe([pair])[0] for metric, pair in advice.against_paper.items()},
        "against_rivals": {metric: describe(pairs) for metric, pairs in advice.against_rivals.items()},
    }


def _advise(advice: Advice | None) -> list[str]:
    if advice is None:
        return []
    titles = {method.id: method.title for method in METHODS}
    lines = [f"use --preset {advice.preset}: {advice.why}"]
    for metric, pairs in advice.against_rivals.items():
        ahead = sum(pair.difference > 0 for pair in pairs)
        surely = sum(pair.p_holm < _LEVEL for pair in pairs)
        lines += [f"auto, {metric}: ahead of {ahead} of {len(pairs)} rivals, surely of {surely}"] if pairs else []
    lines += [
        f"{titles[id_]} is ahead of auto in {metric}: {-pair.difference:.3f} [{-pair.high:.3f}, {-pair.low:.3f}]"
        for metric, id_, pair in advice.behind
    ]
    return lines


def _tell_splits(found: Evaluation) -> list[str]:
    lines = []
    for split in found.splits:
        everything = split.folds.sum() == len(found.predictions.targets) and split.models == len(found.study.scores)
        if split.name in _SPLIT_TITLES and not everything:
            level, profile = (split.verdicts.mean("bob", metric, split.folds) for metric in ("level", "profile"))
            folds = int(split.folds.sum())
            lines.append(f"the paper's, {_SPLIT_TITLES[split.name]}: {level:.3f}, {profile:.3f} ({folds} folds)")
    return lines


def _tell_draws(found: Evaluation) -> list[str]:
    drawn = _describe_draws(found)
    if drawn is None:
        return []
    ours = drawn["methods"][0]
    return [
        f"the paper's, 95 % over {drawn['draws']} draws of {drawn['clusters']} makers: "
        f"level {ours['level_low']:.3f} to "
        f"{ours['level_high']:.3f}, profile {ours['profile_low']:.3f} to {ours['profile_high']:.3f}"
    ]
