"""The paper's experiments, run anew on a board: everything its tables and figures are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

import numpy as np

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.correlation import average_ranks
from balance_of_benchmarks.errors import BobError
from balance_of_benchmarks.evaluation.constructions import CONSTRUCTIONS, ConstructionFigures, measure_construction
from balance_of_benchmarks.evaluation.densification import DIRECTIONS, Densification, densify
from balance_of_benchmarks.evaluation.evaluate import study_model
from balance_of_benchmarks.evaluation.methods import METHODS
from balance_of_benchmarks.evaluation.population import PopulationShift, shift_population
from balance_of_benchmarks.evaluation.predictions import Predictions, predict_held_out
from balance_of_benchmarks.evaluation.relisting import (
    Relistable,
    Relisting,
    RelistingSteps,
    decompose_relisting,
    relist,
)
from balance_of_benchmarks.evaluation.rules import support_discrepancy
from balance_of_benchmarks.evaluation.scoring import Test, Verdicts, compare_methods, score_predictions
from balance_of_benchmarks.evaluation.sensitivity import (
    HeldOutMeans,
    drop_benchmarks,
    scale_noise_floors,
    sweep_robustness,
)
from balance_of_benchmarks.evaluation.shuffling import Shuffling, held_out_means, shuffle_descriptions
from balance_of_benchmarks.evaluation.splits import split_folds
from balance_of_benchmarks.evaluation.study import Study
from balance_of_benchmarks.geometry.density import effective_mass
from balance_of_benchmarks.paper.others import RELISTED
from balance_of_benchmarks.paper.protocol import (
    BENCHMARKS,
    CLOSE_PAIRS,
    COPIES,
    LATER_FROM,
    LATER_TOO,
    MAKERS,
    MOST_COPIES,
    OUTSIDE_INDEX,
    PAPER_MEDIAN,
    SHUFFLES,
    STEPS,
)
from balance_of_benchmarks.paper.readings import (
    PAPER_ENCODER,
    EncoderRow,
    Reading,
    Unread,
    describe_benchmarks,
    read_encoders,
    read_stripped,
)
from balance_of_benchmarks.paper.texts import PaperTexts
from balance_of_benchmarks.ranking.bandwidth import BANDWIDTHS, DEFAULT_BANDWIDTH, BandwidthChoice, choose_bandwidth
from balance_of_benchmarks.ranking.estimator import BalanceOfBenchmarks
from balance_of_benchmarks.ranking.field import residual_field
from balance_of_benchmarks.ranking.folds import iterate_folds
from balance_of_benchmarks.ranking.relevance import continuous_relevance
from balance_of_benchmarks.ranking.task import TaskRanking
from balance_of_benchmarks.text.encoder import Encoder
from balance_of_benchmarks.text.registry import find_encoder
from balance_of_benchmarks.text.vectors import VectorFile
from balance_of_benchmarks.types import BoolArray, FloatArray, IntArray

__all__ = ["Redone", "TaskAnswers", "redo_paper"]

# The paper's own and its variants; options beyond it are for boards unlike its.
_METHODS: Final = tuple(method.id for method in METHODS if method.family != "option")
_CURVE: Final = np.linspace(0.0, 1.6, 65)
"""Steps of the densification figure, in medians."""
_BANDWIDTHS: Final = np.geomspace(0.05, 1.0, 61)
"""Density bandwidths of the effective-mass figure, in medians; the first and the last are printed too."""


@dataclass(frozen=True, slots=True)
class TaskAnswers:
    """The rankings for one task, asked in a person's words and in the register of descriptions."""

    raw: TaskRanking
    canonical: TaskRanking


@dataclass(frozen=True, slots=True, eq=False)
class Redone:
    """All results, on one board with one set of texts.

    Parameters
    ----------
    board : Board
        With the descriptions that were used.
    texts : PaperTexts
    encoder : str
        Its name.
    paper_vectors : bool
        Whether they were given, or made by the paper's encoder: distances may be held against the paper's.
    quick : bool
        Whether draws were saved.
    model : BalanceOfBenchmarks
    study : Study
    predictions : Predictions
        By every method on every fold.
    verdicts : Verdicts
    tests : dict of str to tuple of Test
        Over `all` folds, and the parts in `parts`.
    parts : dict of str to ndarray of bool, shape (F,)
    variance_explained : ndarray of shape (F,)
        R² of a quadratic in pool ability on the held-out ranking.
    support_gap : float
        Largest difference in support between the support-matched rule and ours.
    earlier : Verdicts or None
        On the models of the earlier snapshot; None where the board does not hold both.
    earlier_models : ndarray of bool, shape (M,)
    bandwidth : BandwidthChoice
        Of h on the whole board.
    nested : tuple of float
        Mean level and profile where each fold takes h by the other folds.
    relistings : dict of str to tuple of Relisting
        By weighting, with 1, 2, ... copies.
    flat : Relisting
        The method with flat weights.
    steps : RelistingSteps
    steps_added, curve_added : Densification
        At the steps that are printed, and along the figure's curve.
    masses : tuple of ndarray of shape (B,)
        Density bandwidths in medians, and W at each.
    constructions : dict of str to ConstructionFigures
    population : dict of str to PopulationShift
        By the paper's name of a maker; of those the board has.
    shuffling : Shuffling
    robustness : tuple of HeldOutMeans
    noise_floors : dict of float to float
        Spearman of the benchmarks' information with floors times so much.
    dropped : dict of str to float
        Spearman of abilities without a benchmark.
    paraphrased : tuple of float or None
        Mean level and profile with paraphrases in place of descriptions.
    stripped : Reading or Unread
        With descriptions that speak of no other benchmark.
    encoders : tuple of EncoderRow
        The main figures under every encoder that was asked for or could be had.
    answers : dict of str to TaskAnswers
        By task.
    """

    board: Board
    texts: PaperTexts
    encoder: str
    paper_vectors: bool
    quick: bool
    model: BalanceOfBenchmarks
    study: Study
    predictions: Predictions
    verdicts: Verdicts
    tests: dict[str, tuple[Test, ...]]
    parts: dict[str, BoolArray]
    variance_explained: FloatArray
    support_gap: float
    earlier: Verdicts | None
    earlier_models: BoolArray
    bandwidth: BandwidthChoice
    nested: tuple[float, float]
    relistings: dict[Relistable, tuple[Relisting, ...]]
    flat: Relisting
    steps: RelistingSteps
    steps_added: Densification
    curve_added: Densification
    masses: tuple[FloatArray, FloatArray]
    constructions: dict[str, ConstructionFigures]
    population: dict[str, PopulationShift]
    shuffling: Shuffling
    robustness: tuple[HeldOutMeans, ...]
    noise_floors: dict[float, float]
    dropped: dict[str, float]
    paraphrased: tuple[float, float] | None
    stripped: Reading | Unread
    encoders: tuple[EncoderRow, ...]
    answers: dict[str, TaskAnswers]

    @property
    def keys(self) -> tuple[str, ...]:
        """The benchmarks' keys."""
        return self.study.keys

    def position(self, key: str) -> int:
        """Where a benchmark stands."""
        return self.study.keys.index(key)

    def relisting(self, weighting: Relistable) -> Relisting:
        """The test of re-listing with the paper's four copies."""
        return self.relistings[weighting][COPIES - 1]

    def test(self, method: str, metric: str, part: str = "all") -> Test | None:
        """Ours against a method by a metric, over some of the folds."""
        return next((t for t in self.tests[part] if (t.metric, t.result.against) == (metric, method)), None)


def redo_paper(
    board: Board,
    texts: PaperTexts,
    *,
    encoder: str | Encoder = "wordllama",
    further: Sequence[str | Encoder] = (),
    quick: bool = False,
    jobs: int | None = 1,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Redone:
    """Run every experiment of the paper.

    Parameters
    ----------
    board : Board
        With the paper's fourteen benchmarks; others are left out.
    texts : PaperTexts
    encoder : str or Encoder
        Of a file of vectors, what `pick_vectors` gives.
    further : sequence of str or Encoder
        The main figures are taken under these too.
    quick : bool
        A tenth of the draws, for a first look.
    jobs : int, optional
        Processes; None for one a core. No figure depends on it.
    seed : int
        Of all that is drawn.
    progress : callable, optional
        Called with work done and work in all.

    Returns
    -------
    Redone

    Raises
    ------
    BobError
        Where the board lacks a benchmark of the paper, or the texts a description.
    """
    board = _dress_board(board, texts)
    encoder = find_encoder(encoder)
    texts = _keep_encoded(texts, encoder) if isinstance(encoder, VectorFile) else texts
    encoders, stripped = read_encoders(board, encoder, further), read_stripped(board, texts, encoder)
    model = BalanceOfBenchmarks(encoder=encoder, abstain_beyond=float("inf"), seed=seed).fit(board)
    study = study_model(model)
    saved = 10 if quick else 1
    draws, copies = SHUFFLES // saved, COPIES if quick else MOST_COPIES
    seeds = iter(np.random.SeedSequence(seed).spawn(3))
    ticks = _Ticks(progress, folds=len(study.targets()), draws=draws)

    predictions = predict_held_out(study, _METHODS, jobs=jobs, seed=seed, progress=ticks.follow)
    verdicts = score_predictions(study, predictions)
    parts = _split(study, predictions.targets)
    rng = np.random.default_rng(next(seeds))
    tests = {name: compare_methods(verdicts, rng=rng, folds=folds) for name, folds in parts.items()}
    earlier_models = _find_earlier(model)
    ticks.tick()
    shuffling = shuffle_descriptions(
        study, draws=draws, jobs=jobs, rng=np.random.default_rng(next(seeds)), progress=ticks.follow
    )
    directions = max(DIRECTIONS // saved, 1)
    added = np.random.default_rng(next(seeds))
    steps_added, curve_added = (
        densify(study.space, np.asarray(steps) * study.space.median, directions=directions, rng=added)
        for steps in (np.array(STEPS) / PAPER_MEDIAN, _CURVE)
    )
    relistings = {
        weighting: tuple(relist(study, copies=n, weighting=weighting) for n in range(1, copies + 1))
        for weighting in RELISTED
    }
    ticks.tick()
    bandwidth, nested = _choose(study, seed)
    creators = model.kept_.models["creator"].to_list()
    present = {name: maker for name, maker in MAKERS.items() if maker in creators}
    shifts = shift_population(study, creators, only=list(present.values())) if present else ()
    constructions = {one.id: measure_construction(study, one) for one in CONSTRUCTIONS}
    ticks.tick()
    return Redone(
        board=board,
        texts=texts,
        encoder=encoder.identity.name,
        paper_vectors=isinstance(encoder, VectorFile) or encoder.identity.name == PAPER_ENCODER,
        quick=quick,
        model=model,
        study=study,
        predictions=predictions,
        verdicts=verdicts,
        tests=tests,
        parts=parts,
        variance_explained=_explain_by_ability(study, predictions),
        support_gap=_match_support(study, predictions),
        earlier=_judge_earlier(study, earlier_models, jobs, seed),
        earlier_models=earlier_models,
        bandwidth=bandwidth,
        nested=nested,
        relistings=relistings,
        flat=relist(study, copies=COPIES, weighting="equal"),
        steps=decompose_relisting(study, copies=COPIES),
        steps_added=steps_added,
        curve_added=curve_added,
        masses=(_BANDWIDTHS, np.asarray(effective_mass(study.space.distances, _BANDWIDTHS * study.space.median))),
        constructions=constructions,
        population=dict(zip(present, shifts, strict=True)),
        shuffling=shuffling,
        robustness=sweep_robustness(study),
        noise_floors={factor: scale_noise_floors(study, factor) for factor in (0.5, 2.0)},
        dropped=dict(zip(study.keys, drop_benchmarks(study).tolist(), strict=True)),
        paraphrased=_paraphrase(board, texts, model),
        stripped=stripped,
        encoders=encoders,
        answers=dict(_answer(model, texts)),
    )


class _Ticks:
    """One bar over stages of different make."""

    def __init__(self, progress: Callable[[int, int], None] | None, *, folds: int, draws: int) -> None:
        # A fold with all methods takes as long as a score of draws.
        self.progress, self.done, self.sizes = progress, 0.0, iter((20.0 * folds, draws, 20.0, 20.0))
        self.total, self.size = 20.0 * folds + draws + 60.0, 20.0 * folds

    def follow(self, done: int, total: int) -> None:
        if self.progress is not None:
            self.progress(round(self.done + self.size * done / total), round(self.total))

    def tick(self) -> None:
        self.follow(1, 1)
        self.done += next(self.sizes)
        self.size = 20.0


def _dress_board(board: Board, texts: PaperTexts) -> Board:
    """The paper's benchmarks of a board, under the given texts."""
    known = set(board.benchmarks["key"])
    if missing := [key for key in BENCHMARKS if key not in known]:
        raise BobError(
            f"{board.name} lacks {len(missing)} of the paper's fourteen benchmarks: {', '.join(missing)}; "
            "`bob evaluate` takes any board"
        )
    if untold := [key for key in BENCHMARKS if key not in texts.descriptions]:
        raise BobError(f"{texts.source} lack {', '.join(untold)}: expected a description of each of the fourteen")
    board = board.select(benchmarks=[key for key in board.benchmarks["key"] if key in BENCHMARKS])
    return describe_benchmarks(board, texts.descriptions)


def _keep_encoded(texts: PaperTexts, vectors: VectorFile) -> PaperTexts:
    """What of the paraphrases and tasks a file of vectors knows."""
    known = vectors.named
    return replace(
        texts,
        paraphrases={key: text for key, text in texts.paraphrases.items() if text in known},
        tasks={name: task for name, task in texts.tasks.items() if task.query in known and task.canonical in known},
    )


def _split(study: Study, targets: IntArray) -> dict[str, BoolArray]:
    """The paper's parts of the folds; its close pairs are named, for another encoder may see others."""
    inside = np.array([key not in OUTSIDE_INDEX for key in study.keys])
    paired = {key for pair in CLOSE_PAIRS for key in pair}
    parts = split_folds(study, targets, inside)
    parts["without_close_pairs"] = np.array([study.keys[target] not in paired for target in targets])
    return parts


def _explain_by_ability(study: Study, predictions: Predictions) -> FloatArray:
    """R² of a quadratic in pool ability on the ranks of each held-out benchmark's scores."""
    explained = []
    for f, target in enumerate(predictions.targets):
        scores, ability = study.scores[:, target], predictions.ability[f]
        used = ~np.isnan(scores + ability)
        ranks = average_ranks(scores[used])
        left = ranks - np.polyval(np.polyfit(ability[used], ranks, 2), ability[used])
        explained.append(1.0 - left.var() / ranks.var())
    return np.array(explained)


def _match_support(study: Study, predictions: Predictions) -> float:
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


def _find_earlier(model: BalanceOfBenchmarks) -> BoolArray:
    models = model.kept_.models
    later = (models["release_date"] >= LATER_FROM).fill_null(value=False) | models["key"].is_in(list(LATER_TOO))
    return cast("BoolArray", ~later.to_numpy())


def _judge_earlier(study: Study, models: BoolArray, jobs: int | None, seed: int) -> Verdicts | None:
    if models.all() or not models.any():
        return None
    before = study.take_models(np.flatnonzero(models))
    rules = ("control:support_matched", "control:category", "control:top_k", "control:nearest")
    predictions = predict_held_out(before, rules, jobs=jobs, seed=seed)
    return score_predictions(before, predictions, metrics=("level", "profile"))


def _choose(study: Study, seed: int) -> tuple[BandwidthChoice, tuple[float, float]]:
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


def _paraphrase(board: Board, texts: PaperTexts, model: BalanceOfBenchmarks) -> tuple[float, float] | None:
    if any(key not in texts.paraphrases for key in BENCHMARKS):
        return None
    parameters: dict[str, Any] = model.get_params()
    said_otherwise = BalanceOfBenchmarks(**parameters).fit(describe_benchmarks(board, texts.paraphrases))
    return held_out_means(study_model(said_otherwise))


def _answer(model: BalanceOfBenchmarks, texts: PaperTexts) -> Iterator[tuple[str, TaskAnswers]]:
    # At the bandwidth of the paper; rankings are asked for whatever their support, as its table has them.
    parameters = {**model.get_params(), "bandwidth": DEFAULT_BANDWIDTH}
    asked = BalanceOfBenchmarks(**parameters).fit(model.board_)
    for name, task in texts.tasks.items():
        yield name, TaskAnswers(asked.rank_for(task.query), asked.rank_for(task.canonical))
