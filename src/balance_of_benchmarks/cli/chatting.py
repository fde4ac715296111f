"""The language model that commands may ask: which, how, or what it would be asked."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from balance_of_benchmarks.cli.output import show, tell, write_out
from balance_of_benchmarks.errors import ChatError
from balance_of_benchmarks.report.report import Column, Format, Report

if TYPE_CHECKING:
    from balance_of_benchmarks.text.chat import ChatModel

__all__ = ["ChatOptions", "Prompt", "open_chat", "show_prompts"]


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """How a command was told of a language model."""

    url: str | None
    model: str | None
    fresh: bool
    dry_run: bool
    timeout: float
    retries: int
    wait: float


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model would be asked, and what for; None where that hangs on an answer yet to come."""

    of: str
    kind: str
    text: str | None


def open_chat(options: ChatOptions) -> ChatModel | None:
    """Give the model that options or the environment name; None where neither does."""
    # Here, since what speaks to services takes a while to load and most rankings ask no model.
    from balance_of_benchmarks.text.chat import MODEL_VARIABLE, URL_VARIABLE, ChatModel
    from balance_of_benchmarks.transport.attempts import Limits

    url = options.url or os.environ.get(URL_VARIABLE)
    model = options.model or os.environ.get(MODEL_VARIABLE)
    if not url and not model:
        return None
    if not url or not model:
        missing, variable = ("--chat-url", URL_VARIABLE) if not url else ("--chat-model", MODEL_VARIABLE)
        raise ChatError(f"a language model has an address and a name: give {missing} too, or set {variable}")
    limits = Limits(timeout=options.timeout, retries=options.retries, first_wait=options.wait)
    return ChatModel(url, model, fresh=options.fresh, limits=limits, tell=tell)


def show_prompts(prompts: Sequence[Prompt], title: str, form: Format) -> None:
    """Print prompts to be pasted: on a terminal as they are, else as a report."""
    if form == "table":
        for prompt in prompts:
            text = prompt.text or "(asked once the description is there)"
            write_out(f"=== {prompt.of}: {prompt.kind} ===\n{text}\n\n")
        return
    rows = [{"of": prompt.of, "kind": prompt.kind, "prompt": prompt.text} for prompt in prompts]
    show(
        Report(
            payload={"prompts": rows},
            frame=pl.DataFrame(rows, schema={"of": pl.String, "kind": pl.String, "prompt": pl.String}),
            title=title,
            columns=(Column("of", "of"), Column("kind", "kind"), Column("prompt", "prompt", stretch=True)),
        ),
        form,
        None,
    )
