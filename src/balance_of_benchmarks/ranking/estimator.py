"""All of the method in one estimator."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.board.retain import RankableBoard
from balance_of_benchmarks.board.settings import Adjustment, Duplicates
from balance_of_benchmarks.equating.bootstrap import bootstrap_abilities
from balance_of_benchmarks.equating.fit import fit_scores
from balance_of_benchmarks.equating.settings import AbilityScale, FitSettings
from balance_of_benchmarks.errors import ArrayError, BoardError, RankingError, TaskError, name_unknown
from balance_of_benchmarks.geometry.points import label_texts
from balance_of_benchmarks.geometry.space import DENSITY_BANDWIDTH, Space, Weighting, measure_space
from balance_of_benchmarks.ranking.bandwidth import BANDWIDTHS, BandwidthChoice, choose_bandwidth, draw_targets
from balance_of_benchmarks.ranking.field import FieldKind, ResidualKind, Shrinkage, TaskField, residual_field
from balance_of_benchmarks.ranking.folds import iterate_folds
from balance_of_benchmarks.ranking.kriging import PointResiduals
from balance_of_benchmarks.ranking.notes import list_adjustments, list_warnings
from balance_of_benchmarks.ranking.options import RankingOptions
from balance_of_benchmarks.ranking.parts import explain_evidence, list_nearest, share_weights, summarize_parts
from balance_of_benchmarks.ranking.process import ProcessChoice, Selection, choose_process
from balance_of_benchmarks.ranking.relevance import continuous_relevance, mixed_relevance
from balance_of_benchmarks.ranking.tables import bootstrap_intervals, kriging_intervals, tabulate_ranking
from balance_of_benchmarks.ranking.task import TaskPart, TaskRanking
from balance_of_benchmarks.text.embed import embed
from balance_of_benchmarks.text.encoder import Encoder
from balance_of_benchmarks.text.registry import find_encoder
from balance_of_benchmarks.text.vectors import VectorFile
from balance_of_benchmarks.types import FloatArray, as_floats

__all__ = ["BalanceOfBenchmarks"]

_LEAST_DRAWS: Final = 40  # with fewer the 2.5th percentile lies below the lowest draw


class BalanceOfBenchmarks:
    """Rank the models of a board, globally and for a task.

    Parameters
    ----------
    encoder : str, Encoder or ndarray
        What turns descriptions and tasks into vectors, by a name that `find_encoder` knows or what it gives; or vectors
        already made, one for each row of the board's benchmarks (a task must then be a vector too).
    weighting : {"inverse_density", "magnitude", "equal"}
        The paper's weights; weights that re-listing a benchmark leaves exactly alone; or one each.
    weights : mapping of str to float, or array-like of shape (N,), optional
        The user's own u in benchmark units instead, by key (0 for a key not named) or for each retained one.
    target : mapping of str to float, or array-like of shape (N,), optional
        Multiplies u (1 for a key not named).
    density_bandwidth : float
        h_dens in median distances.
    ability_scale : {"paper", "standardized"}, optional
        What divides a benchmark's errors where abilities are fitted: nothing, or its scores' SD, so that its say is its
        weight and not its weight times the spread of its scores. As in `settings` by default, which is the paper's.
    field : {"kernel", "kriging"}
        How a task's residuals are told from those nearby: the paper's kernel average, or a Gaussian process over
        description space, which trusts near duplicates together as far as one deserves.
    selection : {"mixture", "held_out", "likelihood"}
        What kriging's process is chosen by; see `choose_process`.
    bandwidth : float, optional
        The kernel average's h in median distances. By default it is chosen from `bandwidths` when the first task is
        asked.
    bandwidths : sequence of float
    min_observed : int
        Models with fewer scores are not ranked.
    duplicates : {"mean", "last", "error"}
        What to do where one model has several scores on one benchmark.
    strict : bool
        Refuse to assume anything of a benchmark's scale; see `Board.retain`.
    shrinkage : {"support", "none"} or float
        How far the field's adjustment is taken up; see `residual_field`.
    residual : {"standardized", "latent_offset"}
    information_in_support : bool
    abstain_beyond : float, optional
        Distance to the nearest benchmark, in medians, beyond which a task is answered with the global ranking.
        By default the value calibrated for the encoder; without one it never abstains and says so.
    settings : FitSettings, optional
        The constants of the fit.
    threads : int, optional
    seed : int
        For whatever is drawn: held-out benchmarks on wide boards, bootstrap lists.

    Attributes
    ----------
    board_ : Board
    kept_ : RankableBoard
    space_ : Space
    fit_ : Fit
    adjustments_ : tuple of Adjustment
        All that was changed, assumed or left out on the way to the ranking.

    Examples
    --------
    >>> import balance_of_benchmarks as bob
    >>> model = bob.BalanceOfBenchmarks().fit(bob.read_board("demo"))
    >>> model.ranking().height
    605
    >>> answer = model.rank_for("coach students for maths olympiads")
    >>> answer.nearest[0].benchmark in {"aime", "aime_25", "math_500"}, answer.abstained
    (True, False)
    """

    def __init__(
        self,
        *,
        encoder: str | Encoder | NDArray[Any] = "wordllama",
        weighting: Weighting = "inverse_density",
        weights: Mapping[str, float] | ArrayLike | None = None,
        target: Mapping[str, float] | ArrayLike | None = None,
        density_bandwidth: float = DENSITY_BANDWIDTH,
        ability_scale: AbilityScale | None = None,
        field: FieldKind = "kernel",
        selection: Selection = "mixture",
        bandwidth: float | None = None,
        bandwidths: Sequence[float] = BANDWIDTHS,
        min_observed: int = 5,
        duplicates: Duplicates = "mean",
        strict: bool = False,
        shrinkage: Shrinkage = "support",
        residual: ResidualKind = "standardized",
        information_in_support: bool = False,
        abstain_beyond: float | None = None,
        settings: FitSettings | None = None,
        threads: int | None = None,
        seed: int = 0,
    ) -> None:
        self.encoder = encoder
        self.weighting = weighting
        self.weights = weights
        self.target = target
        self.density_bandwidth = density_bandwidth
        self.ability_scale = ability_scale
        self.field = field
        self.selection = selection
        self.bandwidth = bandwidth
        self.bandwidths = bandwidths
        self.min_observed = min_observed
        self.duplicates = duplicates
        self.strict = strict
        self.shrinkage = shrinkage
        self.residual = residual
        self.information_in_support = information_in_support
        self.abstain_beyond = abstain_beyond
        self.settings = settings
        self.threads = threads
        self.seed = seed

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 - scikit-learn's signature
        """Give the constructor's arguments; `sklearn.base.clone` works by it."""
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self, **params: Any) -> BalanceOfBenchmarks:
        """Change constructor arguments; the next `fit` uses them."""
        names = self._parameter_names()
        for name, value in params.items():
            if name not in names:
                raise ArrayError(name_unknown("the parameters", name, names))
            setattr(self, name, value)
        return self

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        changed = [f"{k}={v!r}" for k, v in self.get_params().items() if v is not defaults[k].default]
        return f"BalanceOfBenchmarks({', '.join(changed)})"

    # --- fitting ------------------------------------------------------------------------------------------------

    def fit(self, board: Board, y: None = None) -> BalanceOfBenchmarks:  # noqa: ARG002 - scikit-learn's signature
        """Fit abilities and curves.

        Parameters
        ----------
        board : Board
        y : None
            Not used; there for scikit-learn.

        Returns
        -------
        BalanceOfBenchmarks
            Itself.

        Raises
        ------
        RankingError
            For a board with fewer than two rankable models, or no rankable benchmark.
        """
        if not isinstance(board, Board):
            raise BoardError(f"fit was given a {type(board).__name__}: expected a Board, as read_board returns")
        encoder = self.encoder if isinstance(self.encoder, np.ndarray) else find_encoder(self.encoder)
        options = RankingOptions(
            encoder=encoder,
            field=self.field,
            selection=self.selection,
            bandwidth=self.bandwidth,
            bandwidths=self.bandwidths,
            shrinkage=self.shrinkage,
            residual=self.residual,
            information_in_support=self.information_in_support,
            abstain_beyond=self.abstain_beyond,
            settings=_settle(self.settings, self.ability_scale),
            threads=self.threads,
            seed=self.seed,
        )
        kept = board.retain(self.min_observed, duplicates=self.duplicates, strict=self.strict)
        _require_rankable(board, kept, self.min_observed)
        # Everything is taken from the parameters here, and nothing of an earlier fit touched before this one is done.
        measure = partial(
            _measure,
            board,
            kept,
            encoder=encoder,
            weighting=self.weighting,
            density_bandwidth=self.density_bandwidth,
            weights=self.weights,
            target=self.target,
        )
        # Equal weights are known without loading an encoder.
        needs_no_text = self.weighting == "equal" and self.weights is None and self.target is None
        space = None if needs_no_text else measure()
        fit = fit_scores(
            kept.scores,
            None if space is None else space.weights,
            n_items=kept.n_items,
            labels=label_texts(kept.descriptions) if space is None else space.labels,
            settings=options.settings,
            threads=options.threads,
        )
        self.board_, self.kept_, self.fit_, self._options = board, kept, fit, options
        self.adjustments_ = list_adjustments(kept, space)
        self._weights = None if space is None else space.weights
        self._space: Space | None = space
        self._measure_space = measure
        self._choice: BandwidthChoice | None = None
        self._process: ProcessChoice | None = None
        self._residuals: PointResiduals | None = None
        return self

    @property
    def space_(self) -> Space:
        """The benchmarks in description space; measured when first needed."""
        self._fitted()
        if self._space is None:
            self._space = self._measure_space()
        return self._space

    @property
    def encoder_(self) -> Encoder | NDArray[Any]:
        """What gives the vectors, as it was found at the fit; or those given."""
        self._fitted()
        return self._options.encoder

    def _fitted(self) -> RankableBoard:
        if not hasattr(self, "kept_"):
            raise RankingError("nothing is fitted yet: call fit(board) first")
        return self.kept_

    @property
    def warnings_(self) -> tuple[Adjustment, ...]:
        """What the fit's status says of single models and benchmarks, in words."""
        return list_warnings(self._fitted(), self.fit_)

    # --- ranking ------------------------------------------------------------------------------------------------

    def ranking(self, *, draws: int = 0, progress: Callable[[int, int], None] | None = None) -> pl.DataFrame:
        """Give the global ranking.

        Parameters
        ----------
        draws : int
            With 40 or more, intervals come from so many refits on resampled benchmarks and ranks get
            intervals too; otherwise from each ability's standard error.
        progress : callable, optional
            Called with draws done and draws in all.

        Returns
        -------
        polars.DataFrame
            Best first: `rank` (equal scores share the best place, listed by key; null without ability), `model`,
            `name`, `creator`, `score` (the ability), `ability`, `standard_error`, `low` and `high` (95 %),
            `rank_low` and `rank_high` with `draws`, `support` (null: no task), `observed` (number of scores),
            `reason` (why a value is null).
        """
        kept = self._fitted()
        fit = self.fit_
        interval: dict[str, FloatArray] = {}
        if draws:
            if not isinstance(draws, int) or draws < _LEAST_DRAWS:
                raise ArrayError(f"draws is {draws!r}: a 95 % interval needs at least {_LEAST_DRAWS}")
            abilities = bootstrap_abilities(
                fit.observed,
                self._weights,
                draws=draws,
                rng=np.random.default_rng(self._options.seed),
                n_items=kept.n_items,
                labels=fit.labels,
                settings=self._options.settings,
                threads=self._options.threads,
                progress=progress,
            )
            interval = bootstrap_intervals(abilities)
        return tabulate_ranking(kept, fit, fit.ability, intervals=interval)

    def rank_for(
        self,
        task: str | Mapping[str, float] | ArrayLike,
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> TaskRanking:
        """Rank the models for a task, or for several that share the work.

        Parameters
        ----------
        task : str, mapping of str to float, or array-like of shape (d,)
            A sentence or paragraph saying what the model is to do; a benchmark description's register places it
            best. Or several, each with its weight, as ``{"support chat": 0.6, "write SQL": 0.4}``; only the
            proportions of weights matter. Or its vector.
        progress : callable, optional
            Called with folds done and folds in all while the bandwidth is chosen.

        Returns
        -------
        TaskRanking

        Raises
        ------
        TaskError
            For an empty text, a weight that is negative, or a board none of whose benchmarks has a text.

        Notes
        -----
        Of several tasks the relevance is the average of theirs by weight, `mixed_relevance`, and one residual field is
        read with it. A part beyond the abstention threshold has relevance zero, as it would have alone.
        """
        kept, space, options = self._fitted(), self.space_, self._options
        if not space.has_text.any():
            raise TaskError(
                "no benchmark of this board has a description, so no task can be near one: "
                "add descriptions to benchmarks.csv, or use the global ranking"
            )
        texts, shares, vectors = self._place_task(task)
        distances = np.array([space.distances_to(vector) for vector in vectors])
        threshold = options.threshold
        far = distances.min(axis=1) / space.median
        silent = np.zeros(len(far), dtype=bool) if threshold is None else far > threshold
        keys = kept.benchmarks["key"].to_list()
        parts = tuple(
            TaskPart(text, float(share), list_nearest(keys, row), bool(mute))
            for text, share, row, mute in zip(texts, shares, distances, silent, strict=True)
        )
        nearest = list_nearest(keys, distances.min(axis=0))

        choice, process, score = None, None, self.fit_.ability
        field: TaskField | None = None
        support, intervals = np.zeros_like(score), None
        if not silent.all() and options.field == "kriging":
            if len(vectors) > 1:
                raise TaskError(f"{len(vectors)} tasks together are ranked by field='kernel': kriging takes one task")
            process = self._choose_process(space, progress)
            # Who was observed where is the same for every task.
            self._residuals = self._residuals or PointResiduals.of(self.fit_)
            field = kriged = process.field(self._residuals, distances[0], space)
            intervals = kriging_intervals(self.fit_, kriged)
        elif not silent.all():
            choice = self._choose_bandwidth(space, progress)
            relevances = [continuous_relevance(row, choice.multiple * space.median, space.weights) for row in distances]
            field = residual_field(
                self.fit_,
                mixed_relevance(np.where(silent[:, None], 0.0, relevances), shares),
                shrinkage=options.shrinkage,
                residual=options.residual,
                information_in_support=options.information_in_support,
            )
        if field is not None:
            score, support = field.score, field.support
        return TaskRanking(
            text=summarize_parts(parts),
            parts=parts,
            table=tabulate_ranking(kept, self.fit_, score, support=support, intervals=intervals),
            support=float(np.median(support[np.isfinite(self.fit_.ability)])),
            nearest=nearest,
            median_distance=space.median,
            bandwidth=choice,
            process=process,
            abstained=bool(silent.all()),
            threshold=threshold,
            why=explain_evidence(parts, nearest, space.median, threshold),
            _kept=kept,
            _fit=self.fit_,
            _field=field,
            _distances=distances.min(axis=0),
        )

    def _place_task(
        self, task: str | Mapping[str, float] | ArrayLike
    ) -> tuple[Sequence[str | None], FloatArray, FloatArray]:
        """Give the texts (K,), shares (K,) and vectors (K, d) of what was asked."""
        if isinstance(task, str | Mapping):
            weights = {task: 1.0} if isinstance(task, str) else task
            shares = share_weights(weights)
            if _find_rows(self._options.encoder) is not None:
                raise TaskError(
                    "the vectors were given as an array, so a text cannot be placed: give the task's vector"
                )
            return list(weights), shares, embed(list(weights), self._options.encoder)
        vector = as_floats(task, "the task's vector")
        wanted = self.space_.vectors.shape[1]
        if vector.shape != (wanted,) or not np.isfinite(vector).all() or not vector.any():
            raise TaskError(
                f"the task's vector has shape {vector.shape}: expected ({wanted},), as the benchmarks have, "
                "finite and not zero"
            )
        return [None], np.ones(1), vector[None]

    def _choose_bandwidth(self, space: Space, progress: Callable[[int, int], None] | None) -> BandwidthChoice:
        options = self._options
        if options.bandwidth is not None:
            return BandwidthChoice(options.bandwidth, (options.bandwidth,), (float("nan"),), (), "given")
        if self._choice is None:
            self._choice = choose_bandwidth(
                self.kept_.scores,
                space,
                candidates=options.bandwidths,
                rng=np.random.default_rng(options.seed),
                n_items=self.kept_.n_items,
                shrinkage=options.shrinkage,
                residual=options.residual,
                information_in_support=options.information_in_support,
                settings=options.settings,
                threads=options.threads,
                progress=progress,
            )
        return self._choice

    def _choose_process(self, space: Space, progress: Callable[[int, int], None] | None) -> ProcessChoice:
        if self._process is None:
            options, scores = self._options, self.kept_.scores
            targets = draw_targets(scores, space, rng=options.generator())
            folds = iterate_folds(
                scores,
                space,
                targets,
                unit=space.median,
                n_items=self.kept_.n_items,
                settings=options.settings,
                threads=options.threads,
            )
            follow = None if progress is None else partial(_follow, progress, targets.size)
            self._process = choose_process(folds, self.fit_, space, selection=options.selection, progress=follow)
        return self._process


def _follow(progress: Callable[[int, int], None], total: int, done: int) -> None:
    progress(done, total)


def _settle(settings: FitSettings | None, scale: AbilityScale | None) -> FitSettings | None:
    """Put the ability scale asked for into the fit's constants."""
    if scale is None or not (settings is None or isinstance(settings, FitSettings)):
        return settings  # whatever else it is the fit refuses
    return replace(settings or FitSettings(), ability_scale=scale)


def _require_rankable(board: Board, kept: RankableBoard, min_observed: int) -> None:
    m, n = kept.scores.shape
    if m >= 2 and n >= 1:
        return
    # What became of the benchmarks explains what became of the models.
    left_out = [
        note for kind in ("benchmark_left_out", "models_left_out") for note in kept.adjustments if note.kind == kind
    ]
    reasons = "; ".join(f"{note.message} ({note.fix})" if note.fix else note.message for note in left_out[:3])
    raise RankingError(
        f"{board!r} cannot be ranked: {m} models and {n} benchmarks remain, expected at least 2 and 1"
        + (f". {reasons}" if reasons else f", with at least {min_observed} scores a model")
    )


def _measure(
    board: Board,
    kept: RankableBoard,
    *,
    encoder: Encoder | NDArray[Any],
    weighting: Weighting,
    density_bandwidth: float,
    weights: Mapping[str, float] | ArrayLike | None,
    target: Mapping[str, float] | ArrayLike | None,
) -> Space:
    """Place the retained benchmarks in description space."""
    keys = kept.benchmarks["key"].to_list()
    given = _find_rows(encoder)
    if given is not None:
        rows = board.benchmarks["key"].to_list()
        if given.shape[:1] != (len(rows),):
            raise ArrayError(
                f"encoder is an array of shape {given.shape}: expected one row for each of the board's "
                f"{len(rows)} benchmarks"
            )
        vectors = as_floats(given[[rows.index(key) for key in keys]], "encoder")
    elif isinstance(encoder, VectorFile):
        vectors = encoder.place(keys, kept.descriptions)
    else:
        vectors = embed(kept.descriptions, encoder)
    return measure_space(
        vectors,
        texts=kept.descriptions,
        weighting=weighting,
        density_bandwidth=density_bandwidth,
        weights=_by_key(weights, keys, "weights", 0.0),
        target=_by_key(target, keys, "target", 1.0),
    )


def _find_rows(encoder: Encoder | NDArray[Any]) -> NDArray[Any] | None:
    """Vectors that go with the board's benchmarks by their order alone."""
    return encoder.rows if isinstance(encoder, VectorFile) else encoder if isinstance(encoder, np.ndarray) else None


def _by_key(
    values: Mapping[str, float] | ArrayLike | None, keys: Sequence[str], name: str, default: float
) -> ArrayLike | None:
    if not isinstance(values, Mapping):
        return values
    for key in values:
        if key not in keys:
            raise ArrayError(name_unknown(f"the retained benchmarks ({name})", str(key), keys))
    return [values.get(key, default) for key in keys]
