"""All of the method in one estimator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from balance_of_benchmarks.errors import ArrayError, BoardError, RankingError, TaskError
from balance_of_benchmarks.geometry.points import label_texts
from balance_of_benchmarks.geometry.space import DENSITY_BANDWIDTH, Space, Weighting
from balance_of_benchmarks.ranking.bandwidth import BANDWIDTHS
from balance_of_benchmarks.ranking.choosing import Selection
from balance_of_benchmarks.ranking.field import FieldKind, ResidualKind, Shrinkage
from balance_of_benchmarks.ranking.notes import list_adjustments, list_warnings, require_rankable
from balance_of_benchmarks.ranking.options import RankingOptions, asks_for_kernel
from balance_of_benchmarks.ranking.parameters import Parameters
from balance_of_benchmarks.ranking.parts import explain_evidence, list_nearest, summarize_parts
from balance_of_benchmarks.ranking.placing import Asked, place_benchmarks, place_task
from balance_of_benchmarks.ranking.presets import MOST_POINTS, Preset, PresetName, find_preset
from balance_of_benchmarks.ranking.reading import TaskReader, find_peers
from balance_of_benchmarks.ranking.tables import bootstrap_intervals, tabulate_ranking
from balance_of_benchmarks.ranking.task import TaskPart, TaskRanking
from balance_of_benchmarks.text.encoder import Encoder
from balance_of_benchmarks.text.registry import find_encoder
from balance_of_benchmarks.types import FloatArray

__all__ = ["BalanceOfBenchmarks"]

_LEAST_DRAWS: Final = 40  # with fewer the 2.5th percentile lies below the lowest draw


class BalanceOfBenchmarks(Parameters):
    """Rank the models of a board, globally and for a task.

    Parameters
    ----------
    preset : {"auto", "paper"}
        What decides where nothing else is said: the product's method, which docs/generality.md tests on many boards, or
        the paper's to the bit. `auto` weighs by magnitude, fits abilities halfway between raw and standardized errors,
        and reads tasks by kriging.
    encoder : str, Encoder or ndarray
        What turns descriptions and tasks into vectors, by a name that `find_encoder` knows or what it gives; or vectors
        already made, one for each row of the board's benchmarks (a task must then be a vector too).
    weighting : {"inverse_density", "magnitude", "equal"}, optional
        The paper's weights; weights that re-listing a benchmark leaves exactly alone; or one each.
    weights : mapping of str to float, or array-like of shape (N,), optional
        The user's own u in benchmark units instead, by key (0 for a key not named) or for each retained one.
    target : mapping of str to float, or array-like of shape (N,), optional
        Multiplies u (1 for a key not named).
    density_bandwidth : float
        h_dens in median distances.
    ability_scale : {"paper", "halfway", "standardized"}, optional
        What divides a benchmark's errors where abilities are fitted; see `FitSettings`.
    field : {"kernel", "kriging"}, optional
        How a task's residuals are told from those nearby: the paper's kernel average, or a Gaussian process over
        description space, which trusts near duplicates together as far as one deserves. An option that only the
        kernel average has (`bandwidth`, `shrinkage`, `residual`, `information_in_support`) chooses it too.
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
        The constants of the fit, instead of the preset's.
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
        preset: PresetName = "auto",
        encoder: str | Encoder | NDArray[Any] = "wordllama",
        weighting: Weighting | None = None,
        weights: Mapping[str, float] | ArrayLike | None = None,
        target: Mapping[str, float] | ArrayLike | None = None,
        density_bandwidth: float = DENSITY_BANDWIDTH,
        ability_scale: AbilityScale | None = None,
        field: FieldKind | None = None,
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
        self.preset = preset
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
        preset = find_preset(self.preset)
        weighting = preset.weighting if self.weighting is None else self.weighting
        options = RankingOptions(
            encoder=encoder,
            field=self._choose_field(preset),
            kriges_at_most=MOST_POINTS if self.field is None else None,
            selection=self.selection,
            bandwidth=self.bandwidth,
            bandwidths=self.bandwidths,
            shrinkage=self.shrinkage,
            residual=self.residual,
            information_in_support=self.information_in_support,
            abstain_beyond=self.abstain_beyond,
            settings=preset.settle(self.settings, self.ability_scale),
            threads=self.threads,
            seed=self.seed,
        )
        kept = board.retain(self.min_observed, duplicates=self.duplicates, strict=self.strict)
        require_rankable(board, kept, self.min_observed)
        # Everything is taken from the parameters here, and nothing of an earlier fit touched before this one is done.
        measure = partial(
            place_benchmarks,
            board,
            kept,
            encoder=encoder,
            weighting=weighting,
            density_bandwidth=self.density_bandwidth,
            weights=self.weights,
            target=self.target,
        )
        # Equal weights are known without loading an encoder.
        needs_no_text = weighting == "equal" and self.weights is None and self.target is None
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
        self._reading: TaskReader | None = None
        return self

    def _choose_field(self, preset: Preset) -> FieldKind:
        """Give the field asked for: by name, or by an option that only the kernel average has."""
        if self.field is not None:
            return self.field
        kernel = self.bandwidth, self.shrinkage, self.residual, self.information_in_support
        return "kernel" if asks_for_kernel(*kernel) else preset.field

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

    def _reader(self, space: Space) -> TaskReader:
        """Give what reads tasks; what it chooses is chosen once a fit."""
        if self._reading is None:
            self._reading = TaskReader(self.kept_, space, self.fit_, self._options)
        return self._reading

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
        task: Asked,
        *,
        category: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> TaskRanking:
        """Rank the models for a task, or for several that share the work.

        Parameters
        ----------
        task : str, mapping of str to float, or array-like of shape (d,)
            A sentence or paragraph saying what the model is to do; a benchmark description's register places it
            best. Or several, each with its weight, as ``{"support chat": 0.6, "write SQL": 0.4}``; only the
            proportions of weights matter. Or its vector.
        category : str, optional
            Of the board's categories the one the task is of: kriging then counts what benchmarks of a category share,
            however they are described.
        progress : callable, optional
            Called with folds done and folds in all while the bandwidth or the process is chosen.

        Returns
        -------
        TaskRanking

        Raises
        ------
        TaskError
            For an empty text, a weight that is negative, a category the board has not, or a board none of whose
            benchmarks has a text.

        Notes
        -----
        Of several tasks the mean is ranked, by weight: the kernel average has the average of their relevances
        (`mixed_relevance`), kriging that of their covariances. A part beyond the abstention threshold is not heard of.
        """
        kept, space, options = self._fitted(), self.space_, self._options
        if not space.has_text.any():
            raise TaskError(
                "no benchmark of this board has a description, so no task can be near one: "
                "add descriptions to benchmarks.csv, or use the global ranking"
            )
        texts, shares, vectors = place_task(task, options.encoder, space.vectors.shape[1])
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
        peers = find_peers(category, kept.benchmarks["category"].to_list())
        read = None
        if not silent.all():
            heard = np.where(silent[:, None], np.inf, distances)
            read = self._reader(space).read(vectors, heard, shares, peers, progress=progress)
        score = self.fit_.ability if read is None else read.field.score
        support = np.zeros_like(score) if read is None else read.field.support
        return TaskRanking(
            text=summarize_parts(parts),
            parts=parts,
            category=category,
            table=tabulate_ranking(
                kept, self.fit_, score, support=support, intervals=None if read is None else read.intervals
            ),
            support=float(np.median(support[np.isfinite(self.fit_.ability)])),
            nearest=nearest,
            median_distance=space.median,
            bandwidth=None if read is None else read.bandwidth,
            process=None if read is None else read.process,
            abstained=bool(silent.all()),
            threshold=threshold,
            why=explain_evidence(parts, nearest, space.median, threshold),
            _kept=kept,
            _fit=self.fit_,
            _field=None if read is None else read.field,
            _distances=distances.min(axis=0),
        )
