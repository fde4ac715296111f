"""The experiments that the paper makes beside those any board is evaluated by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.correlation import average_ranks
from balance_of_benchmarks.evaluation.evaluate import study_model
from balance_of_benchmarks.evaluation.predictions import Predictions, predict_held_out
from balance_of_benchmarks.evaluation.rules import support_discrepancy
from balance_of_benchmarks.evaluation.scoring import Verdicts, score_predictions
from balance_of_benchmarks.evaluation.shuffling import held_out_means
from balance_of_benchmarks.evaluation.splits import split_folds
from balance_of_benchmarks.evaluation.study import Study
from balance_of_benchmarks.paper.dressing import describe_as
from balance_of_benchmarks.paper.protocol import BENCHMARKS, CLOSE_PAIRS, LATER_FROM, LATER_TOO, OUTSIDE_INDEX
from balance_of_benchmarks.paper.redone import TaskAnswers
from balance_of_benchmarks.paper.texts import PaperTexts
from balance_of_benchmarks.ranking.bandwidth import BANDWIDTHS, DEFAULT_BANDWIDTH, BandwidthChoice, choose_bandwidth
from balance_of_benchmarks.ranking.estimator import BalanceOfBenchmarks
from balance_of_benchmarks.ranking.field import residual_field
from balance_of_benchmarks.ranking.folds import iterate_folds
from balance_of_benchmarks.ranking.relevance import continuous_relevance
from balance_of_benchmarks.types import BoolArray, FloatArray, IntArray

__all__ = [
    "answer_tasks",
    "choose_bandwidths",
    "explain_by_ability",
    "find_earlier",
    "judge_earlier",
    "measure_support_gap",
    "score_paraphrased",
    "split_parts",
]


def split_parts(study: Study, targets: IntArray) -> dict[str, BoolArray]:
    """The paper's parts of the folds; its close pairs are named, for another encoder may see others."""
    inside = np.array([key not in OUTSIDE_INDEX for key in study.keys])
    paired = {key for pair in CLOSE_PAIRS for key in pair}
    parts = split_folds(study, targets, inside)
    parts["without_close_pairs"] = np.array([study.keys[target] not in paired for target in targets])
    return parts


def explain_by_ability(study: Study, predictions: Predictions) -> FloatArray:
    """R² of a quadratic in pool ability on the ranks of each held-out benchmark's scores."""
    explained = []
    for f, target in enumerate(predictions.targets):
        scores, ability = study.scores[:, target], predictions.ability[f]
        used = ~np.isnan(scores + ability)
        ranks = average_ranks(scores[used])
        left = ranks - np.polyval(np.polyfit(ability[used], ranks, 2), ability[used])
        explained.append(1.0 - left.var() / ranks.var())
    return np.array(explained)


def measure_support_gap(study: Study, predictions: Predictions) -> float:
    """Largest difference in support between the support-matched rule and ours."""
    gaps = []
    for target, multiple in zip(predictions.targets, predictions.chosen["bandwidth"], strict=True):
        question = study.hold_out(int(target)).question
        space = question.pool.space
        gaps.append(
            support_discrepancy(
                question, continuous_relevance(question.distances, float(multiple) * space.median, space.weights)
            )
        )
    return max(gaps)


def find_earlier(model: BalanceOfBenchmarks) -> BoolArray:
    """Which of the retained models the earlier snapshot held, shape (M,)."""
    models = model.kept_.models
    later = (models["release_date"] >= LATER_FROM).fill_null(value=False) | models["key"].is_in(list(LATER_TOO))
    return cast("BoolArray", ~later.to_numpy())


def judge_earlier(study: Study, models: BoolArray, jobs: int | None, seed: int) -> Verdicts | None:
    """The main controls on the earlier snapshot's models alone; None where that leaves none or all."""
    if models.all() or not models.any():
        return None
    before = study.take_models(np.flatnonzero(models))
    rules = ("control:support_matched", "control:category", "control:top_k", "control:nearest")
    predictions = predict_held_out(before, rules, jobs=jobs, seed=seed)
    return score_predictions(before, predictions, metrics=("level", "profile"))


def choose_bandwidths(study: Study, seed: int) -> tuple[BandwidthChoice, tuple[float, float]]:
    """Choose h on the whole board, and in each fold by all others (Appendix F); distances in the board's unit."""
    space, settings = study.space, study.settings
    choice = choose_bandwidth(
        study.scores, space, rng=np.random.default_rng(seed), n_items=study.n_items, settings=settings
    )
    figures: list[list[list[float]]] = []
    for fold in iterate_folds(
        study.scores, space, study.targets(), unit=space.median, n_items=study.n_items, settings=settings
    ):
        outcomes = [
            fold.score(
                residual_field(
                    fold.fit, continuous_relevance(fold.distances, multiple * space.median, fold.space.weights)
                ).score
            )
            for multiple in BANDWIDTHS
        ]
        figures.append([[outcome.level, outcome.profile] for outcome in outcomes])
    told = np.array(figures)  # folds, bandwidths, level and profile
    criterion = told.mean(axis=2)
    chosen = [int(np.nanmean(np.delete(criterion, f, axis=0), axis=0).argmax()) for f in range(len(told))]
    level, profile = np.nanmean(told[np.arange(len(told)), chosen], axis=0)
    return choice, (float(level), float(profile))


def score_paraphrased(board: Board, texts: PaperTexts, model: BalanceOfBenchmarks) -> tuple[float, float] | None:
    """Mean level and profile with paraphrases in place of descriptions; None unless every benchmark has one."""
    if any(key not in texts.paraphrases for key in BENCHMARKS):
        return None
    parameters: dict[str, Any] = model.get_params()
    said_otherwise = BalanceOfBenchmarks(**parameters).fit(describe_as(board, texts.paraphrases))
    return held_out_means(study_model(said_otherwise))


def answer_tasks(model: BalanceOfBenchmarks, texts: PaperTexts) -> Iterator[tuple[str, TaskAnswers]]:
    """The ranking for each task, as a person asks it and in the register of descriptions."""
    # At the bandwidth of the paper; rankings are asked for whatever their support, as its table has them.
    parameters = {**model.get_params(), "bandwidth": DEFAULT_BANDWIDTH}
    asked = BalanceOfBenchmarks(**parameters).fit(model.board_)
    for name, task in texts.tasks.items():
        yield name, TaskAnswers(asked.rank_for(task.query), asked.rank_for(task.canonical))
