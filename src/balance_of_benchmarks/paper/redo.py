"""The paper's experiments, run anew on a board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.evaluation.constructions import CONSTRUCTIONS, measure_construction
from balance_of_benchmarks.evaluation.densification import DIRECTIONS, densify
from balance_of_benchmarks.evaluation.evaluate import study_model
from balance_of_benchmarks.evaluation.methods import METHODS
from balance_of_benchmarks.evaluation.population import shift_population
from balance_of_benchmarks.evaluation.predictions import predict_held_out
from balance_of_benchmarks.evaluation.relisting import decompose_relisting, relist
from balance_of_benchmarks.evaluation.scoring import compare_methods, score_predictions
from balance_of_benchmarks.evaluation.sensitivity import drop_benchmarks, scale_noise_floors, sweep_robustness
from balance_of_benchmarks.evaluation.shuffling import shuffle_descriptions
from balance_of_benchmarks.geometry.density import effective_mass
from balance_of_benchmarks.paper.dressing import dress_board, keep_encoded
from balance_of_benchmarks.paper.experiments import (
    answer_tasks,
    choose_bandwidths,
    explain_by_ability,
    find_earlier,
    judge_earlier,
    measure_support_gap,
    score_paraphrased,
    split_parts,
)
from balance_of_benchmarks.paper.others import RELISTED
from balance_of_benchmarks.paper.protocol import COPIES, MAKERS, MOST_COPIES, PAPER_MEDIAN, SHUFFLES, STEPS
from balance_of_benchmarks.paper.readings import PAPER_ENCODER, read_encoders, read_stripped
from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.paper.texts import PaperTexts
from balance_of_benchmarks.ranking.estimator import BalanceOfBenchmarks
from balance_of_benchmarks.text.encoder import Encoder
from balance_of_benchmarks.text.registry import find_encoder
from balance_of_benchmarks.text.vectors import VectorFile

__all__ = ["redo_paper"]

# The paper's own and its variants; options beyond it are for boards unlike its.
_METHODS: Final = tuple(method.id for method in METHODS if method.family != "option")
_CURVE: Final = np.linspace(0.0, 1.6, 65)
"""Steps of the densification figure, in medians."""
_BANDWIDTHS: Final = np.geomspace(0.05, 1.0, 61)
"""Density bandwidths of the effective-mass figure, in medians; the first and the last are printed too."""


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
    board = dress_board(board, texts)
    encoder = find_encoder(encoder)
    texts = keep_encoded(texts, encoder) if isinstance(encoder, VectorFile) else texts
    encoders, stripped = read_encoders(board, encoder, further), read_stripped(board, texts, encoder)
    model = BalanceOfBenchmarks(preset="paper", encoder=encoder, abstain_beyond=float("inf"), seed=seed).fit(board)
    study = study_model(model)
    saved = 10 if quick else 1
    draws, copies = SHUFFLES // saved, COPIES if quick else MOST_COPIES
    seeds = iter(np.random.SeedSequence(seed).spawn(3))
    ticks = _Ticks(progress, folds=len(study.targets()), draws=draws)

    predictions = predict_held_out(study, _METHODS, jobs=jobs, seed=seed, progress=ticks.follow)
    verdicts = score_predictions(study, predictions)
    parts = split_parts(study, predictions.targets)
    rng = np.random.default_rng(next(seeds))
    tests = {name: compare_methods(verdicts, rng=rng, folds=folds) for name, folds in parts.items()}
    earlier_models = find_earlier(model)
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
    bandwidth, nested = choose_bandwidths(study, seed)
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
        variance_explained=explain_by_ability(study, predictions),
        support_gap=measure_support_gap(study, predictions),
        earlier=judge_earlier(study, earlier_models, jobs, seed),
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
        paraphrased=score_paraphrased(board, texts, model),
        stripped=stripped,
        encoders=encoders,
        answers=dict(answer_tasks(model, texts)),
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
