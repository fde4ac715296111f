"""What the paper's experiments came to on a board: everything its tables and figures are made of."""

from __future__ import annotations

from dataclasses import dataclass

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.evaluation.constructions import ConstructionFigures
from balance_of_benchmarks.evaluation.densification import Densification
from balance_of_benchmarks.evaluation.population import PopulationShift
from balance_of_benchmarks.evaluation.predictions import Predictions
from balance_of_benchmarks.evaluation.relisting import Relistable, Relisting, RelistingSteps
from balance_of_benchmarks.evaluation.scoring import Test, Verdicts
from balance_of_benchmarks.evaluation.sensitivity import HeldOutMeans
from balance_of_benchmarks.evaluation.shuffling import Shuffling
from balance_of_benchmarks.evaluation.study import Study
from balance_of_benchmarks.paper.protocol import COPIES
from balance_of_benchmarks.paper.readings import EncoderRow, Reading, Unread
from balance_of_benchmarks.paper.texts import PaperTexts
from balance_of_benchmarks.ranking.bandwidth import BandwidthChoice
from balance_of_benchmarks.ranking.estimator import BalanceOfBenchmarks
from balance_of_benchmarks.ranking.task import TaskRanking
from balance_of_benchmarks.types import BoolArray, FloatArray

__all__ = ["Redone", "TaskAnswers"]


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
