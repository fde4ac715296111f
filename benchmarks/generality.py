"""The method, its options and its rivals on many boards, benchmarks held out in turn: the table of docs/generality.md.

``python benchmarks/generality.py FOLDER [NAME ...]`` reads the boards under FOLDER (by default all that `list_boards`
names) and prints a line a board as it is done, then a table; every number chosen is chosen inside its fold.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np
import polars as pl

import balance_of_benchmarks as bob
from balance_of_benchmarks.equating.settings import AbilityScale
from balance_of_benchmarks.evaluation.advice import AUTO
from balance_of_benchmarks.evaluation.evaluate import study_model
from balance_of_benchmarks.evaluation.methods import METHODS
from balance_of_benchmarks.evaluation.panel import Panel
from balance_of_benchmarks.evaluation.predictions import predict_held_out
from balance_of_benchmarks.evaluation.rules import Clusterings
from balance_of_benchmarks.evaluation.scoring import Verdicts, score_predictions
from balance_of_benchmarks.evaluation.statistics import compare_pairs
from balance_of_benchmarks.evaluation.study import Study
from balance_of_benchmarks.ranking.choosing import Selection, choose_process

_SIMPLE: Final = tuple(method.id for method in METHODS if method.family in ("end_to_end", "practice", "reference"))
_OURS: Final = tuple(method.id for method in METHODS if method.family in ("ours", "option"))
_HELM: Final = ("helm_capabilities", "helm_classic", "helm_instruct", "helm_lite", "helm_mmlu")
_TASK_TYPES: Final = (
    "ImageClassification", "AudioClassification", "BitextMining", "Reranking", "PairClassification", "STS",
    "Clustering",
)  # fmt: skip
# Named groups of MTEB that mix types of task: where categories tell more than descriptions do.
_GROUPS: Final = (
    "MTEB(eng, v2)", "MTEB(Medical, v1)", "MTEB(Code, v1)", "MTEB(Law, v1)", "MTEB(fra, v1)", "MTEB(rus, v1)",
    "MTEB(kor, v2)", "MTEB(Indic, v1)", "MTEB(Scandinavian, v1)", "MIEB(lite)", "BEIR", "RAR-b", "LMEB",
)  # fmt: skip
# With fewer a rank correlation has a standard error above .2, and of five models a profile is little but noise.
_LEAST_MODELS: Final = 20
_BEST: Final = ("best simple level", "best simple profile")
_METRICS: Final = ("level", "profile")
_SURE: Final = 0.05


def list_boards(folder: Path) -> dict[str, Callable[[], bob.Board]]:
    """Name the boards under a folder, and how each is read."""
    snapshots = {
        f"artificial_analysis {day}": partial(bob.read_board, folder / "artificial_analysis" / f"{day}.json")
        for day in ("2026-08-21", "2026-09-03")
    }
    helm, joined = folder / "helm_all", folder / "open_llm_v1_v2_joined"
    return {
        **{name: partial(_read_part, helm, "leaderboard", name) for name in _HELM},
        **snapshots,
        "helm_all": partial(bob.read_board, helm / "scores.csv", benchmarks=helm / "benchmarks.csv"),
        "open_llm_v1_v2_joined": partial(bob.read_board, joined / "scores.csv", benchmarks=joined / "benchmarks.csv"),
        **{f"mteb {kind}": partial(_read_part, folder / "mteb", "category", kind) for kind in _TASK_TYPES},
        **{group: partial(_read_group, folder / "mteb", group) for group in _GROUPS},
    }  # fmt: skip


def _read_part(folder: Path, column: str, value: str) -> bob.Board:
    """Read the benchmarks of a board whose `column` says `value`, and what was scored on them."""
    benchmarks = pl.read_csv(folder / "benchmarks.csv", infer_schema_length=None)
    return _read_listed(folder, benchmarks.filter(pl.col(column) == value))


def _read_group(folder: Path, group: str) -> bob.Board:
    """Read the benchmarks that MTEB lists under a name, and what was scored on them."""
    listed = pl.read_csv(folder / "groups.csv").filter(pl.col("group") == group)["benchmark"]
    benchmarks = pl.read_csv(folder / "benchmarks.csv", infer_schema_length=None)
    return _read_listed(folder, benchmarks.filter(pl.col("benchmark").is_in(listed.implode())))


def _read_listed(folder: Path, benchmarks: pl.DataFrame) -> bob.Board:
    scores = pl.read_csv(folder / "scores.csv", infer_schema_length=None)
    scored = scores.filter(pl.col("benchmark").is_in(benchmarks["benchmark"].implode()))
    return bob.read_board(
        scored, benchmarks=benchmarks.filter(pl.col("benchmark").is_in(scored["benchmark"].implode()))
    )


def take_study(board: bob.Board, *, folds: int, models: int, rounds: int, seed: int) -> tuple[Study, list[int]]:
    """Draw the models that are looked at, and the benchmarks that are held out."""
    study = study_model(bob.BalanceOfBenchmarks(preset="paper", settings=bob.FitSettings(rounds=rounds)).fit(board))
    rng = np.random.default_rng(seed)
    if len(study.scores) > models:
        study = study.take_models(np.sort(rng.choice(len(study.scores), models, replace=False)))
    observed = np.isfinite(study.scores).sum(axis=0)
    able = [int(i) for i in study.targets() if observed[i] >= _LEAST_MODELS]
    return study, able if len(able) <= folds else np.sort(rng.choice(able, folds, replace=False)).tolist()


def compare_selections(study: Study, targets: Sequence[int], seed: int) -> list[str]:
    """Level and profile of kriging by each way to choose its process, under both ability scales."""
    cells = []
    for scale, selection in product(get_args(AbilityScale), get_args(Selection)):
        scaled = replace(study, settings=replace(study.settings or bob.FitSettings(), ability_scale=scale))
        figures = []
        for target in targets:
            panel = Panel(scaled, target, Clusterings(), seed=seed)
            question, space = panel.question, panel.question.pool.space
            folds = (trial.fold for trial in panel.inner)
            choice = choose_process(folds, question.fit, space, selection=selection)
            outcome = panel.trial.fold.score(choice.field(question.fit, question.distances, space).score)
            figures.append([outcome.level, outcome.profile])
        cells.append(" / ".join(f"{value:.3f}" for value in np.nanmean(figures, axis=0)))
    return cells


def evaluate(name: str, study: Study, targets: list[int], seed: int) -> dict[str, Any]:
    """Hold benchmarks out of a board and compare ours with every simple rule."""
    start = time.perf_counter()
    verdicts = score_predictions(
        study, predict_held_out(study, [*_OURS, *_SIMPLE], targets=targets, seed=seed), metrics=_METRICS
    )
    return {
        "board": name,
        "rounds": None if study.settings is None else study.settings.rounds,
        "models": len(study.scores),
        "benchmarks": len(study.keys),
        "folds": len(targets),
        "seconds": round(time.perf_counter() - start, 1),
        "means": {id_: [verdicts.mean(id_, metric) for metric in _METRICS] for id_ in verdicts.methods},
        "tests": {
            metric: {ours: _compare(verdicts, ours, metric, seed) for ours in _OURS if ours in verdicts.methods}
            for metric in _METRICS
        },
        "by_fold": {
            id_: {metric: verdicts.of(id_, metric).round(6).tolist() for metric in _METRICS} for id_ in verdicts.methods
        },
    }


def _compare(verdicts: Verdicts, ours: str, metric: str, seed: int) -> list[dict[str, Any]]:
    """Ours against each simple rule, corrected over all of them, and against the paper's method."""
    rng, mine = np.random.default_rng(seed), verdicts.of(ours, metric)
    simple = {id_: verdicts.of(id_, metric) for id_ in _SIMPLE if id_ in verdicts.methods}
    pairs = compare_pairs(mine, simple, rng=rng)
    if ours != "bob":
        pairs += compare_pairs(mine, {"bob": verdicts.of("bob", metric)}, rng=rng)
    return [
        {
            "against": pair.against,
            "difference": pair.difference,
            "low": pair.low,
            "high": pair.high,
            "wins": pair.wins,
            "folds": pair.folds,
            "p": pair.p_holm,
        }
        for pair in pairs
    ]


def show(found: dict[str, Any]) -> str:
    """One row: the best simple rule by each metric, and ours."""
    cells = [found["board"], f"{found['models']} x {found['benchmarks']} ({found['folds']})"]
    for k in range(len(_METRICS)):
        known = {id_: found["means"][id_][k] for id_ in _SIMPLE if id_ in found["means"]}
        best = max(known, key=lambda id_: np.nan_to_num(known[id_], nan=-1.0))
        cells.append(f"{best} {known[best]:.3f}")
    cells += [" / ".join(f"{value:.3f}" for value in found["means"][id_]) for id_ in _OURS]
    return f"| {' | '.join(cells)} |"


def show_differences(found: dict[str, Any]) -> str:
    """One row: the default less the paper's method and less the best simple rule, 95 % intervals; who is surely behind.

    "Surely" is by Wilcoxon's test one-sided, corrected over all simple rules: of the default's lead, and of theirs.
    """
    cells, rng = [found["board"]], np.random.default_rng(0)
    for k, metric in enumerate(_METRICS):
        pairs = {pair["against"]: pair for pair in found["tests"][metric][AUTO]}
        simple = {id_: np.nan_to_num(found["means"][id_][k], nan=-1.0) for id_ in pairs if id_ != "bob"}
        for against in ("bob", max(simple, key=lambda id_: simple[id_])):
            pair = pairs[against]
            said = f"{pair['difference']:+.3f} [{pair['low']:+.3f}, {pair['high']:+.3f}]"
            cells.append(f"**{said}**" if pair["low"] > 0 or pair["high"] < 0 else said)
        auto = np.array(found["by_fold"][AUTO][metric])
        figures = {id_: np.array(found["by_fold"][id_][metric]) for id_ in simple}
        ahead = [pair.p_holm < _SURE for pair in compare_pairs(auto, figures, rng=rng)]
        behind = [pair.p_holm < _SURE for pair in compare_pairs(-auto, {i: -f for i, f in figures.items()}, rng=rng)]
        names = [id_ for id_, sure in zip(figures, behind, strict=True) if sure]
        cells.append(f"{sum(ahead)} of {len(ahead)}; {', '.join(names) or '-'}")
    return f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str]) -> int:
    """Evaluate the boards named and print their table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the boards are")
    parser.add_argument("names", nargs="*", help="of boards; all by default")
    parser.add_argument("--folds", type=int, default=16, help="benchmarks drawn to be held out of a wider board")
    parser.add_argument("--models", type=int, default=1500, help="models drawn of a longer board")
    parser.add_argument("--rounds", type=int, default=bob.FitSettings().rounds, help="of every fit")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--selections", action="store_true", help="compare the ways to choose kriging's process")
    parser.add_argument("--differences", type=Path, help="print the intervals kept in this file by --out, and stop")
    parser.add_argument("--out", type=Path, help="where all figures go, a line of JSON a board")
    given = parser.parse_args(arguments)
    if given.differences is not None:
        told = ("auto - paper", "auto - best simple", "surely ahead of; behind")
        heads = [f"{metric}: {what}" for metric, what in product(_METRICS, told)]
        print(f"| board | {' | '.join(heads)} |\n|{' --- |' * (1 + len(heads))}")
        for line in given.differences.read_text().splitlines():
            print(show_differences(json.loads(line)))
        return 0
    boards = list_boards(given.folder)
    each = _OURS
    if given.selections:
        each = tuple(f"{scale}, {way}" for scale, way in product(get_args(AbilityScale), get_args(Selection)))
    heading = ["board", "models x benchmarks (held out)", *([] if given.selections else _BEST), *each]
    print(f"| {' | '.join(heading)} |\n|{' --- |' * len(heading)}", flush=True)
    for name in given.names or boards:
        try:
            study, targets = take_study(
                boards[name](), folds=given.folds, models=given.models, rounds=given.rounds, seed=given.seed
            )
        except bob.BobError as error:
            print(f"| {name} | {error} |", flush=True)
            continue
        if given.selections:
            size = f"{len(study.scores)} x {len(study.keys)} ({len(targets)})"
            print(f"| {' | '.join([name, size, *compare_selections(study, targets, given.seed)])} |", flush=True)
            continue
        found = evaluate(name, study, targets, given.seed)
        print(show(found), flush=True)
        if given.out is not None:
            with given.out.open("a") as lines:
                lines.write(json.dumps(found) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
