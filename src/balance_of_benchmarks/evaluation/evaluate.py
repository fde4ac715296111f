"""The honest question on any board: whether the method predicts benchmarks it has not seen, and better than others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from balance_of_benchmarks.errors import RankingError
from balance_of_benchmarks.evaluation.advice import Advice, advise_preset
from balance_of_benchmarks.evaluation.keeping import predict_or_recall
from balance_of_benchmarks.evaluation.predictions import Predictions, count_left
from balance_of_benchmarks.evaluation.resampling import ModelDraws, cluster_models, resample_models
from balance_of_benchmarks.evaluation.scoring import Test, Verdicts, compare_methods, score_predictions
from balance_of_benchmarks.evaluation.splits import CLOSE, close_families, split_folds, split_models
from balance_of_benchmarks.evaluation.study import Study, study_board
from balance_of_benchmarks.ranking.estimator import BalanceOfBenchmarks
from balance_of_benchmarks.ranking.presets import PRESETS
from balance_of_benchmarks.transport.store import ArrayStore
from balance_of_benchmarks.types import BoolArray

__all__ = ["Evaluation", "Split", "evaluate_board", "study_model"]


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Figures over a part of the folds, or of the models.

    Parameters
    ----------
    name : str
    verdicts : Verdicts
        Of all folds, judged by the models of the part.
    folds : ndarray of bool, shape (F,)
        Which folds are in the part.
    models : int
        How many models are.
    """

    name: str
    verdicts: Verdicts
    folds: BoolArray
    models: int


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """Every method on every benchmark held out.

    Parameters
    ----------
    study : Study
    predictions : Predictions
    verdicts : Verdicts
    tests : tuple of Test
        Ours against each other method, by metric and family.
    splits : tuple of Split
    resampled : ModelDraws or None
        Where draws of models were asked for.
    advice : Advice or None
        Which preset to use; None where `bob:auto` was not among the methods.
    """

    study: Study
    predictions: Predictions
    verdicts: Verdicts
    tests: tuple[Test, ...]
    splits: tuple[Split, ...]
    resampled: ModelDraws | None = None
    advice: Advice | None = None


def study_model(model: BalanceOfBenchmarks) -> Study:
    """Make a study of what an estimator was fitted to.

    Parameters
    ----------
    model : BalanceOfBenchmarks
        Fitted.

    Returns
    -------
    Study

    Raises
    ------
    RankingError
        For a board without texts, of which no benchmark can be held out and placed.
    """
    space = model.space_
    if not space.has_text.any():
        raise RankingError(
            "no benchmark of this board has a description, so that none can be held out and placed among the others: "
            "add descriptions to benchmarks.csv"
        )
    settings = model.fit_.settings
    if model.preset == "auto":
        # What the estimator was not told is the paper's here: `bob` is the paper's method, `bob:auto` the preset.
        paper = PRESETS["paper"]
        if model.weighting is None and space.rule.given is None:
            space = space.reweigh(paper.weighting)
        settings = paper.settle(model.settings, model.ability_scale)
    return study_board(model.kept_, space, published_index=model.board_.settings.published_index, settings=settings)


def evaluate_board(
    model: BalanceOfBenchmarks,
    *,
    methods: Iterable[str] | None = None,
    most_folds: int | None = None,
    model_draws: int = 0,
    closer_than: float = CLOSE,
    store: ArrayStore | None = None,
    jobs: int | None = 1,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Hold out each benchmark of a board and let every method predict its ranking from the others.

    Parameters
    ----------
    model : BalanceOfBenchmarks
        Fitted; its encoder is what is tested, and the weighting and constants it was told; of others `bob` has the
        paper's and `bob:auto` the preset's.
    methods : iterable of str, optional
        Ids (`METHODS`); all by default.
    most_folds : int, optional
        On wide boards so many benchmarks are drawn to be held out.
    model_draws : int
        Bootstrap draws of models, clustered by maker; 0 for none.
    closer_than : float
        Benchmarks nearer than so many medians are near twins, for the splits.
    store : ArrayStore, optional
        Where predictions are kept and looked up.
    jobs : int, optional
        Processes; None for one a core.
    seed : int
        Of all that is drawn.
    progress : callable, optional
        Called with folds done and folds in all.

    Returns
    -------
    Evaluation

    Raises
    ------
    RankingError
        For a board without texts or with fewer than three benchmarks.

    Examples
    --------
    >>> import balance_of_benchmarks as bob
    >>> model = bob.BalanceOfBenchmarks().fit(bob.read_board("demo"))
    >>> found = evaluate_board(model, methods=["equal_weight"], most_folds=3)
    >>> found.predictions.methods, len(found.predictions.targets)
    (('bob', 'equal_weight'), 3)
    """
    study = study_model(model)
    targets = study.targets(most_folds, np.random.default_rng(seed))
    families = close_families(study, closer_than)
    twinned = [
        int(target)
        for target in targets
        if int(target) in families and count_left(study, int(target), families[int(target)]) >= 2
    ]
    total = len(targets) + len(twinned)

    def predict(held_out: Iterable[int], before: int, without: dict[int, tuple[int, ...]] | None) -> Predictions:
        return predict_or_recall(
            study,
            store,
            methods,
            texts=model.kept_.descriptions,
            encoder=_name_encoder(model),
            targets=list(held_out),
            families=without,
            jobs=jobs,
            seed=seed,
            progress=None if progress is None else lambda done, _: progress(before + done, total),
        )

    predictions = predict(map(int, targets), 0, None)
    verdicts = score_predictions(study, predictions)
    rng = np.random.default_rng(seed)
    tests = compare_methods(verdicts, rng=rng)
    parts = split_folds(study, predictions.targets, families=families)
    splits = [Split(name, verdicts, folds, len(study.scores)) for name, folds in parts.items() if folds.any()]
    if twinned:
        apart = predict(twinned, len(targets), families)
        strict = score_predictions(study, apart, metrics=("level", "profile"))
        here = np.isin(predictions.targets, twinned)
        splits.append(Split("with_its_family", verdicts, here, len(study.scores)))
        splits.append(Split("family_left_out", strict, np.ones(len(twinned), dtype=bool), len(study.scores)))
    everywhere = np.ones(len(targets), dtype=bool)
    for name, some in split_models(study, model.kept_.models).items():
        judged = score_predictions(study, predictions, models=some, metrics=("level", "profile"))
        splits.append(Split(name, judged, everywhere, int(some.sum())))
    resampled = None
    if model_draws:
        clusters = cluster_models(model.kept_.models)
        resampled = resample_models(study, predictions, clusters, draws=model_draws, rng=rng)
    # A generator of its own, so that asking for `auto` changes no other interval.
    advice = advise_preset(verdicts, rng=np.random.default_rng((seed, 1)))
    return Evaluation(study, predictions, verdicts, tests, tuple(splits), resampled, advice)


def _name_encoder(model: BalanceOfBenchmarks) -> str:
    """Say what made the vectors; those given as an array are known by themselves."""
    encoder = model.encoder_
    return "vectors" if isinstance(encoder, np.ndarray) else repr(encoder.identity)
