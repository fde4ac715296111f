"""What the commands on the method do: parse the rest, call the library, print."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from balance_of_benchmarks.cli.asking import TaskOptions, ask_task, find_limit
from balance_of_benchmarks.cli.boards import read_from
from balance_of_benchmarks.cli.chatting import ChatOptions, Prompt, show_prompts
from balance_of_benchmarks.cli.options import FieldName, MethodOptions
from balance_of_benchmarks.cli.output import Patience, list_adjustments, show, tell
from balance_of_benchmarks.equating.warm import kernels_are_compiled, kernels_are_kept
from balance_of_benchmarks.errors import ArrayError, TaskError
from balance_of_benchmarks.ranking.estimator import BalanceOfBenchmarks
from balance_of_benchmarks.report.method import report_curves, report_ranking, report_weights
from balance_of_benchmarks.report.report import Format
from balance_of_benchmarks.text.prompts import prompt_canonical
from balance_of_benchmarks.text.registry import find_encoder

__all__ = ["ChatOptions", "TaskOptions", "curves", "fit_model", "rank", "weights"]


def rank(
    options: MethodOptions,
    asked: TaskOptions,
    draws: int,
    form: Format,
    top: int | None,
    *,
    field: FieldName | None,
    bandwidth: float | None,
    seed: int,
) -> None:
    """Rank a board, overall or for a task."""
    task = ask_task(asked)
    if asked.chat.dry_run:
        if task is None or not asked.canonical:
            raise TaskError("--dry-run prints what a language model would be asked: give --task and --canonical too")
        show_prompts([Prompt(text, "canonical form", prompt_canonical(text)) for text in task], "Prompts", form)
        return
    if task is None and field is not None:
        raise ArrayError("--field is how a task's residuals are found: give --task too, or leave it out")
    if task is None and bandwidth is not None:
        raise ArrayError("--bandwidth is the reach of a task's field: give --task too, or leave it out")
    if field == "kriging" and bandwidth is not None:
        raise ArrayError("--bandwidth is the reach of a kernel average: leave it out, or say --field kernel")
    if task is not None and draws:
        raise ArrayError("--draws goes with the global ranking: leave it out, or leave out --task")
    if task is None and asked.category is not None:
        raise ArrayError("--category is what a task is of: give --task too, or leave it out")
    if task is None and asked.abstain_beyond is not None:
        raise ArrayError("--abstain-beyond is how far a task may lie: give --task too, or leave it out")
    model = fit_model(options, field=field, bandwidth=bandwidth, abstain_beyond=asked.abstain_beyond, seed=seed)
    if task is None:
        with Patience("refitting") as bar:
            table = model.ranking(draws=draws, progress=bar.update)
        show(report_ranking(model, table), form, top)
        return
    with Patience("holding out benchmarks to choose by") as bar:
        answer = model.rank_for(task, category=asked.category, progress=bar.update)
    show(report_ranking(model, answer), form, top)


def weights(options: MethodOptions, form: Format, top: int | None) -> None:
    """Show weights."""
    show(report_weights(fit_model(options)), form, top)


def curves(options: MethodOptions, form: Format, top: int | None) -> None:
    """Show curves."""
    show(report_curves(fit_model(options)), form, top)


def fit_model(
    options: MethodOptions,
    *,
    field: FieldName | None = None,
    bandwidth: float | None = None,
    abstain_beyond: str | None = None,
    seed: int = 0,
) -> BalanceOfBenchmarks:
    """Read and fit the board that options name, and tell what was adjusted."""
    if options.weight and options.weighting is not None:
        raise ArrayError("--weight replaces --weighting: give one of them")
    bar = Patience("encoding texts")
    encoder = find_encoder(
        options.encoder,
        dim=options.dim,
        batch=options.batch,
        cache=options.cache,
        frozen=options.frozen,
        progress=bar.update,
        tell=tell,
    )
    model = BalanceOfBenchmarks(
        preset=options.preset.value,
        encoder=encoder,
        weighting=None if options.weighting is None else options.weighting.value,
        weights=_parse_pairs(options.weight, "--weight"),
        target=_parse_pairs(options.target, "--target"),
        density_bandwidth=options.density_bandwidth,
        min_observed=options.min_observed,
        duplicates=options.duplicates.value,
        strict=options.strict,
        ability_scale=None if options.ability_scale is None else options.ability_scale.value,
        field=None if field is None else field.value,
        bandwidth=bandwidth,
        abstain_beyond=find_limit(abstain_beyond, encoder),
        seed=seed,
    )
    board = read_from(options)
    with _without_linear_algebra():
        compiled = kernels_are_compiled()
    if not compiled:
        kept = "kept for the next time" if kernels_are_kept() else "not kept: set NUMBA_CACHE_DIR to a writable folder"
        tell(f"compiling the fit's loops, which takes some ten seconds; {kept}")
    with bar:
        model.fit(board)
    list_adjustments(model.adjustments_)
    return model


@contextmanager
def _without_linear_algebra() -> Iterator[None]:
    """Keep numba from importing SciPy's linear algebra, in this process, which is ours alone.

    numba looks for a BLAS when it loads its functions on arrays. The fit's loops call none, and where SciPy is
    installed the look takes a tenth of what ``bob rank demo`` takes. Whoever imports it later gets it.
    """
    modules: dict[str, object] = sys.modules  # type: ignore[assignment]
    hidden = "scipy.linalg" not in modules
    if hidden:
        modules["scipy.linalg"] = None
    try:
        yield
    finally:
        if hidden:
            del modules["scipy.linalg"]


def _parse_pairs(pairs: list[str] | None, option: str) -> dict[str, float] | None:
    if not pairs:
        return None
    parsed: dict[str, float] = {}
    for pair in pairs:
        key, _, number = pair.rpartition("=")
        if key in parsed:
            raise ArrayError(f"{option} names {key} twice: expected once")
        try:
            parsed[key] = float(number)
        except ValueError:
            key = ""
        if not key:
            raise ArrayError(f"{option} is {pair!r}: expected a benchmark's key and a number, like aime=2")
    return parsed
