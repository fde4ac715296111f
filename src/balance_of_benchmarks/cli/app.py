"""The command line's grammar: what can be typed, and its help.

Nothing heavy is imported here, so that ``bob --help`` answers at once; each command imports what it runs when
it runs.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from balance_of_benchmarks import __version__
from balance_of_benchmarks.cli.options import (
    BoardOptions,
    ChatModelOption,
    ChatUrlOption,
    DryRunOption,
    FieldName,
    Form,
    FormOption,
    FreshOption,
    MethodOptions,
    RetriesOption,
    TimeoutOption,
    TopOption,
    WaitOption,
    spread,
)

__all__ = ["app"]

app = typer.Typer(
    name="bob",
    help="Balanced, task-conditioned rankings from tables of benchmark scores.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bob {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print it.")
    ] = False,
) -> None:
    """Balanced, task-conditioned rankings from tables of benchmark scores."""


@app.command()
@spread(MethodOptions)
def rank(
    options: MethodOptions,
    task: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="What the model is to do. Repeatable, each with its weight: '0.6: ...'."),
    ] = None,
    task_form: Annotated[
        str | None, typer.Option(metavar="FILE", help="Or a form that says it field by field, TOML: docs/tasks.md.")
    ] = None,
    prompts: Annotated[
        str | None, typer.Option(metavar="FILE", help="Or example prompts, one a line, .json or .jsonl.")
    ] = None,
    canonical: Annotated[
        bool, typer.Option("--canonical", help="Let a language model put the task into the register of descriptions.")
    ] = False,
    edit: Annotated[bool, typer.Option("--edit", help="Change the task's text in EDITOR before it is asked.")] = False,
    chat_url: ChatUrlOption = None,
    chat_model: ChatModelOption = None,
    fresh: FreshOption = False,
    dry_run: DryRunOption = False,
    timeout: TimeoutOption = 120.0,
    retries: RetriesOption = 4,
    wait: WaitOption = 1.0,
    top: TopOption = None,
    form: FormOption = Form.table,
    category: Annotated[
        str | None, typer.Option(metavar="NAME", help="The task's category, one of the board's; heeded by kriging.")
    ] = None,
    field: Annotated[
        FieldName | None,
        typer.Option(help="How a task is read off benchmarks near it; kriging with auto, up to 250 of them."),
    ] = None,
    bandwidth: Annotated[
        float | None,
        typer.Option(
            metavar="MEDIANS", help="Reach of --field kernel, which it implies; by held-out tests if omitted."
        ),
    ] = None,
    abstain_beyond: Annotated[
        str | None,
        typer.Option(
            metavar="MEDIANS", help="Farther tasks get the global ranking. Or calibrate: find the encoder's limit."
        ),
    ] = None,
    draws: Annotated[
        int, typer.Option(min=0, max=100_000, help="Bootstrap refits, 40 or more, for intervals, of ranks too.")
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Of whatever is drawn.")] = 0,
) -> None:
    """Rank a board's models, overall or for a task."""
    from balance_of_benchmarks.cli import commands

    chat = commands.ChatOptions(chat_url, chat_model, fresh, dry_run, timeout, retries, wait)
    asked = commands.TaskOptions(task, task_form, prompts, canonical, edit, category, abstain_beyond, chat)
    commands.rank(options, asked, draws, form.value, top, field=field, bandwidth=bandwidth, seed=seed)


@app.command()
@spread(MethodOptions)
def weights(options: MethodOptions, top: TopOption = None, form: FormOption = Form.table) -> None:
    """Show what each benchmark weighs, and which are nearly the same."""
    from balance_of_benchmarks.cli import commands

    commands.weights(options, form.value, top)


@app.command()
@spread(MethodOptions)
def curves(options: MethodOptions, top: TopOption = None, form: FormOption = Form.table) -> None:
    """Show how each benchmark's score rises with ability."""
    from balance_of_benchmarks.cli import commands

    commands.curves(options, form.value, top)


@app.command()
@spread(MethodOptions)
def evaluate(
    options: MethodOptions,
    method: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Only these and ours; all if omitted. Repeatable.")
    ] = None,
    folds: Annotated[
        int, typer.Option(min=2, metavar="N", help="On wider boards so many benchmarks are drawn to be held out.")
    ] = 32,
    draws: Annotated[
        int, typer.Option(min=0, max=100_000, help="Bootstrap draws of models, clustered by maker, for intervals.")
    ] = 0,
    close: Annotated[
        float, typer.Option(min=0.0, metavar="MEDIANS", help="Benchmarks nearer than this are near twins, for splits.")
    ] = 0.5,
    chart: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the differences: .svg, .png, .pdf or .json.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; one a core if omitted.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Compute again what was computed before.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Of whatever is drawn.")] = 0,
    top: TopOption = None,
    form: FormOption = Form.table,
) -> None:
    """Hold benchmarks out and see who predicts them: the method, its rivals, its variants."""
    from balance_of_benchmarks.cli.extras import require_extra

    require_extra("bob evaluate", "evaluate", "scipy", "sklearn", "threadpoolctl", "altair", "vl_convert")
    from balance_of_benchmarks.cli import evaluating

    wanted = evaluating.EvaluateOptions(method, folds, draws, close, chart, jobs, fresh, seed)
    evaluating.evaluate(options, wanted, form.value, top)


@app.command()
def paper(
    board: Annotated[
        str, typer.Option(metavar="FILE", help="The paper's board, or another with its fourteen benchmarks; or demo.")
    ],
    out: Annotated[str, typer.Option(metavar="DIR", help="Folder to write; files of the same names are replaced.")],
    also: Annotated[
        list[str] | None,
        typer.Option(metavar="BOARD", help="Another board, to see whether it holds there too. Repeatable."),
    ] = None,
    texts: Annotated[
        str | None, typer.Option(metavar="FILE", help="JSON with descriptions and queries; our own if omitted.")
    ] = None,
    vectors: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Vectors of those texts, .npz or .parquet: an encoder before those of --encoder."
        ),
    ] = None,
    encoder: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="As for bob rank; wordllama if omitted. Repeatable: those after the first are set beside it.",
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A tenth of the draws, for a first look.")] = False,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; one a core if omitted.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of whatever is drawn.")] = 0,
    form: FormOption = Form.table,
) -> None:
    """Redo the paper: its tables and figures, and every number it prints beside ours."""
    from balance_of_benchmarks.cli.extras import require_extra

    require_extra("bob paper", "evaluate", "scipy", "sklearn", "threadpoolctl", "altair", "vl_convert")
    from balance_of_benchmarks.cli import papering

    papering.paper(papering.PaperOptions(board, out, also, texts, vectors, encoder, quick, jobs, seed), form.value)


class CheckForm(StrEnum):
    """How `bob check` answers."""

    table = "table"
    json = "json"
    csv = "csv"
    md = "md"
    github = "github"


@app.command()
@spread(BoardOptions)
def check(
    options: BoardOptions,
    form: Annotated[
        CheckForm, typer.Option("--format", "-f", help="github: annotations for a workflow's log.")
    ] = CheckForm.table,
) -> None:
    """Say what would bend a ranking of a board; exit code 1 when there is something."""
    from balance_of_benchmarks.cli import boards

    raise typer.Exit(boards.check(options, form.value))


@app.command()
@spread(BoardOptions)
def describe(
    options: BoardOptions,
    lint: Annotated[
        bool, typer.Option("--lint", help="Say what is wrong with the descriptions; exit code 1 when anything is.")
    ] = False,
    strip_lineage: Annotated[
        bool, typer.Option("--strip-lineage", help="Propose texts that do not speak of other benchmarks.")
    ] = False,
    key: Annotated[
        list[str] | None, typer.Option(metavar="KEY", help="Write texts of this benchmark only. Repeatable.")
    ] = None,
    about: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=FILE", help="A README or other text on a benchmark, for the model. Repeatable."),
    ] = None,
    paraphrase: Annotated[bool, typer.Option("--paraphrase/--no-paraphrase", help="Write paraphrases too.")] = True,
    chat_url: ChatUrlOption = None,
    chat_model: ChatModelOption = None,
    fresh: FreshOption = False,
    dry_run: DryRunOption = False,
    timeout: TimeoutOption = 120.0,
    retries: RetriesOption = 4,
    wait: WaitOption = 1.0,
    encoder: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="With --lint: place the texts by it; wordllama and ngrams if omitted. Repeatable."
        ),
    ] = None,
    top: TopOption = None,
    form: FormOption = Form.table,
) -> None:
    """Describe benchmarks that have no text, by a language model; look at descriptions."""
    from balance_of_benchmarks.cli import describing

    chat = describing.ChatOptions(chat_url, chat_model, fresh, dry_run, timeout, retries, wait)
    wanted = describing.DescribeOptions(
        lint, strip_lineage, encoder or ["wordllama", "ngrams"], key, about, paraphrase, chat
    )
    raise typer.Exit(describing.describe(options, wanted, form.value, top))


@app.command("import")
def import_(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="IN... OUT", help="Files of any known format, or folders of them; a folder to write."),
    ],
    benchmarks: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Take these only: a list of keys, or a table that describes them."),
    ] = None,
    models: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Take these only: a list of keys, or a table that describes them."),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(metavar="[KEY=]METRIC", help="Take another metric than the format prefers. Repeatable."),
    ] = None,
    also: Annotated[
        list[str] | None, typer.Option(metavar="KEY", help="Take a benchmark that is left aside. Repeatable.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="What to call the board.")] = None,
    parquet: Annotated[bool, typer.Option("--parquet", help="Write scores.parquet, for millions of scores.")] = False,
    update: Annotated[
        bool, typer.Option("--update", help="Take new scores into OUT and keep what its tables say.")
    ] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Write over another board in OUT.")] = False,
) -> None:
    """Turn files of scores into a board folder that a person can edit."""
    from balance_of_benchmarks.cli import boards

    boards.import_board(
        paths, benchmarks, models, metric, also, name=name, parquet=parquet, update=update, replace=replace
    )


@app.command()
def fetch(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE", help="artificial-analysis, every-eval-ever, livebench, or an address, https://..."
        ),
    ],
    out: Annotated[str, typer.Option(metavar="DIR", help="Folder for the snapshots of all sources.")] = "snapshots",
    url: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Where to ask a named source instead of its usual address.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be asked and written; ask and write nothing.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume/--no-resume", help="Go on with what an earlier fetch left half-way.")
    ] = True,
    timeout: Annotated[float, typer.Option(metavar="SECONDS", help="Silence that ends an attempt.")] = 30.0,
    retries: Annotated[int, typer.Option(min=0, max=100, help="Attempts after the first.")] = 4,
    wait: Annotated[
        float, typer.Option(metavar="SECONDS", help="First wait between attempts; it doubles up to 60.")
    ] = 1.0,
    total: Annotated[float, typer.Option(metavar="SECONDS", help="Bound on all of it.")] = 1800.0,
    form: FormOption = Form.table,
) -> None:
    """Fetch a board from the web, whole and read, as a dated snapshot."""
    from balance_of_benchmarks.cli import fetching
    from balance_of_benchmarks.transport.attempts import Limits

    limits = Limits(timeout=timeout, retries=retries, total=total, first_wait=wait)
    fetching.run_fetch(fetching.FetchOptions(source, out, url, dry_run, resume, limits), form.value)
