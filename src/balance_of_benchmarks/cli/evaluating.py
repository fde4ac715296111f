"""What `bob evaluate` does: fit, hold out, report, draw."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from balance_of_benchmarks.cli.commands import fit_model
from balance_of_benchmarks.cli.options import MethodOptions
from balance_of_benchmarks.cli.output import Patience, show, tell
from balance_of_benchmarks.errors import BobError
from balance_of_benchmarks.evaluation.evaluate import evaluate_board
from balance_of_benchmarks.report.evaluation import report_evaluation
from balance_of_benchmarks.report.figures.drawing import find_ending, render_drawing
from balance_of_benchmarks.report.figures.evaluation import draw_tests
from balance_of_benchmarks.report.report import Format
from balance_of_benchmarks.transport.files import write_atomically
from balance_of_benchmarks.transport.store import ArrayStore, cache_folder

__all__ = ["EvaluateOptions", "evaluate"]


@dataclass(frozen=True, slots=True)
class EvaluateOptions:
    """What only `bob evaluate` takes."""

    methods: list[str] | None
    folds: int
    draws: int
    close: float
    chart: str | None
    jobs: int | None
    fresh: bool
    seed: int


def evaluate(options: MethodOptions, wanted: EvaluateOptions, form: Format, top: int | None) -> None:
    """Show how well every method predicts the benchmarks of a board that are held out."""
    # A name no chart can have is refused before minutes are spent.
    chart = None if wanted.chart is None else Path(wanted.chart)
    ending = "" if chart is None else find_ending(chart)
    if chart is not None and not chart.parent.is_dir():
        raise BobError(f"{chart}: there is no folder {chart.parent}")
    model = fit_model(options, seed=wanted.seed)
    store = None if wanted.fresh else ArrayStore(cache_folder() / "evaluation")
    with Patience("holding benchmarks out") as bar:
        found = evaluate_board(
            model,
            methods=wanted.methods,
            most_folds=wanted.folds,
            model_draws=wanted.draws,
            closer_than=wanted.close,
            store=store,
            jobs=wanted.jobs,
            seed=wanted.seed,
            progress=bar.update,
        )
    if chart is not None:
        write_atomically(chart, render_drawing(draw_tests(found).to_dict(), ending))
        tell(f"the chart is in {chart}")
    show(report_evaluation(model, found), form, top)
