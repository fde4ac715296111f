"""What several commands take: each option is written once, as a field."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

__all__ = [
    "AbilityScaleName",
    "BoardOptions",
    "ChatModelOption",
    "ChatUrlOption",
    "DryRunOption",
    "FieldName",
    "Form",
    "FormOption",
    "FreshOption",
    "MethodOptions",
    "RetriesOption",
    "TimeoutOption",
    "TopOption",
    "WaitOption",
    "spread",
]

_Result = TypeVar("_Result")


class Form(StrEnum):
    """How a command answers."""

    table = "table"
    json = "json"
    csv = "csv"
    md = "md"


class WeightingName(StrEnum):
    """How benchmarks are weighted."""

    inverse_density = "inverse_density"
    magnitude = "magnitude"
    equal = "equal"


class PresetName(StrEnum):
    """What decides where nothing else is said."""

    auto = "auto"
    paper = "paper"


class AbilityScaleName(StrEnum):
    """What a benchmark's errors are divided by where abilities are fitted."""

    paper = "paper"
    halfway = "halfway"
    standardized = "standardized"


class FieldName(StrEnum):
    """How a task's residuals are told from those nearby."""

    kernel = "kernel"
    kriging = "kriging"


class DuplicatesName(StrEnum):
    """What becomes of several scores of one model on one benchmark."""

    mean = "mean"
    last = "last"
    error = "error"


FormOption = Annotated[Form, typer.Option("--format", "-f", help="Machine formats are always whole.")]
TopOption = Annotated[int | None, typer.Option(min=1, help="Rows shown on a terminal.")]


ChatUrlOption = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Language model: OpenAI-compatible, https://host/v1; or BOB_CHAT_URL."),
]
ChatModelOption = Annotated[
    str | None, typer.Option(metavar="NAME", help="Its name there; or BOB_CHAT_MODEL. A key: BOB_CHAT_KEY only.")
]
FreshOption = Annotated[bool, typer.Option("--fresh", help="Ask the model again what it has answered before.")]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Print what the model would be asked; ask nothing.")]
TimeoutOption = Annotated[float, typer.Option(metavar="SECONDS", help="Silence of the model that ends an attempt.")]
RetriesOption = Annotated[int, typer.Option(min=0, max=100, help="Attempts after the first.")]
WaitOption = Annotated[float, typer.Option(metavar="SECONDS", help="First wait between attempts; it doubles up to 60.")]


@dataclass(frozen=True, slots=True)
class BoardOptions:
    """Which board, and what is taken of it."""

    board: Annotated[
        str,
        typer.Argument(metavar="BOARD", help="A board folder, files of scores, or demo for the bundled board."),
    ]
    benchmarks: Annotated[
        str | None, typer.Option(metavar="FILE", help="Table with key, description, lower, upper, ...")
    ] = None
    models: Annotated[str | None, typer.Option(metavar="FILE", help="Table with key, name, creator, prices, ...")] = (
        None
    )
    metric: Annotated[
        list[str] | None,
        typer.Option(metavar="[KEY=]METRIC", help="Take another metric than the format prefers. Repeatable."),
    ] = None
    also: Annotated[
        list[str] | None, typer.Option(metavar="KEY", help="Take a benchmark that is left aside. Repeatable.")
    ] = None
    min_observed: Annotated[int, typer.Option(min=1, help="Models with fewer scores are not ranked.")] = 5


@dataclass(frozen=True, slots=True)
class MethodOptions(BoardOptions):
    """A board and how it is fitted."""

    duplicates: Annotated[DuplicatesName, typer.Option(help="Of several scores of a model on a benchmark.")] = (
        DuplicatesName.mean
    )
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse to assume a scale, a direction or what stands for missing.")
    ] = False
    preset: Annotated[
        PresetName, typer.Option(help="Default of options not given: what did best on many boards, or the paper's.")
    ] = PresetName.auto
    weighting: Annotated[
        WeightingName | None,
        typer.Option(help="How benchmarks are weighted; magnitude with auto, inverse_density with paper."),
    ] = None
    weight: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=NUMBER", help="Your own weights instead; those not named get 0. Repeatable."),
    ] = None
    target: Annotated[
        list[str] | None, typer.Option(metavar="KEY=NUMBER", help="Multiply a benchmark's weight. Repeatable.")
    ] = None
    density_bandwidth: Annotated[
        float, typer.Option(metavar="MEDIANS", help="Scale at which near benchmarks share weight.")
    ] = 0.25
    encoder: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="wordllama, ngrams, qwen3-8b, qwen3-4b, qwen3-0.6b, local:MODEL, local:FOLDER, "
            "https://HOST/v1#MODEL, or a file of vectors.",
        ),
    ] = "wordllama"
    dim: Annotated[int | None, typer.Option(metavar="N", help="Keep the first N components of vectors.")] = None
    batch: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Texts encoded at once, locally or by a service.")
    ] = None
    cache: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Folder where vectors are kept and found; the user's cache if omitted."),
    ] = None
    frozen: Annotated[bool, typer.Option("--frozen", help="Encode nothing: refuse a text without a kept vector.")] = (
        False
    )
    ability_scale: Annotated[
        AbilityScaleName | None,
        typer.Option(
            help="Divide errors by nothing, by the root of each benchmark's spread of scores, or by that spread; "
            "halfway with auto."
        ),
    ] = None


def spread(kind: type[Any]) -> Callable[[Callable[..., _Result]], Callable[..., _Result]]:
    """Let a command take the fields of `kind` as arguments and options of its own, and hand it one object.

    Parameters
    ----------
    kind : dataclass
        Its fields are annotated for typer; the command's first parameter is of this type.

    Returns
    -------
    callable
        A decorator.
    """
    hints = get_type_hints(kind, include_extras=True)
    shared = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.name == "board" else field.default,
            annotation=hints[field.name],
        )
        for field in fields(kind)
    ]

    def decorate(command: Callable[..., _Result]) -> Callable[..., _Result]:
        own_hints = get_type_hints(command, include_extras=True)
        own = [
            parameter.replace(annotation=own_hints[parameter.name], kind=inspect.Parameter.KEYWORD_ONLY)
            for parameter in list(inspect.signature(command).parameters.values())[1:]
        ]

        def run(**given: Any) -> _Result:
            options = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
            return command(options, **given)

        run.__name__, run.__doc__ = command.__name__, command.__doc__
        # The board first, then what only this command takes, then what it shares with others.
        parameters = [shared[0], *own, *shared[1:]]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return decorate
