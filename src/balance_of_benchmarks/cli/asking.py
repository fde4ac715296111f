"""The task that a command is asked with: as words, on a form, as prompts, and edited before use."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from balance_of_benchmarks.cli.chatting import ChatOptions, open_chat
from balance_of_benchmarks.cli.output import Patience, tell
from balance_of_benchmarks.errors import TaskError
from balance_of_benchmarks.ranking.abstention import calibrate_abstention
from balance_of_benchmarks.sources.known import KNOWN_BENCHMARKS
from balance_of_benchmarks.text.encoder import Encoder
from balance_of_benchmarks.text.prompts import prompt_canonical
from balance_of_benchmarks.text.tasks import read_forms, read_prompts, weigh_tasks

__all__ = ["TaskOptions", "ask_task", "find_limit"]

_CALIBRATE: Final = "calibrate"


@dataclass(frozen=True, slots=True)
class TaskOptions:
    """How ``bob rank`` was told of a task."""

    texts: list[str] | None
    form: str | None
    prompts: str | None
    canonical: bool
    edit: bool
    category: str | None
    abstain_beyond: str | None
    chat: ChatOptions


def ask_task(options: TaskOptions) -> dict[str, float] | None:
    """Give the texts asked with and their weights; None where no task was given."""
    ways = {"--task": options.texts, "--task-form": options.form, "--prompts": options.prompts}
    given = [name for name, value in ways.items() if value]
    if len(given) > 1:
        raise TaskError(f"{' and '.join(given)} each give the task: expected one of them")
    if not given:
        for name, wanted in (("--edit", options.edit), ("--canonical", options.canonical)):
            if wanted:
                raise TaskError(f"{name} changes a task's text: give --task or --task-form too")
        return None
    if options.form:
        tasks = read_forms(options.form)
    elif options.prompts:
        tasks = read_prompts(options.prompts)
    else:
        tasks = weigh_tasks(options.texts or ())
    if options.canonical and not options.chat.dry_run:
        tasks = rewrite_tasks(tasks, options.chat)
    return edit_tasks(tasks) if options.edit and not options.chat.dry_run else tasks


def find_limit(wanted: str | None, encoder: Encoder) -> float | None:
    """Give the limit of abstention that was named, or find that of an encoder; None for the one that is known."""
    if wanted is None:
        return None
    if wanted != _CALIBRATE:
        try:
            return float(wanted)
        except ValueError:
            raise TaskError(
                f"--abstain-beyond is {wanted!r}: expected a number of median distances, or {_CALIBRATE}"
            ) from None
    with Patience("placing the texts that the limit is calibrated on"):
        found = calibrate_abstention(encoder, [known.description for known in KNOWN_BENCHMARKS.values()])
    texts = len(found.covered) + len(found.nonsense)
    verdict = f"{found.mistakes} of {texts} texts are on the wrong side" if found.mistakes else "no text is misjudged"
    tell(f"calibrated: {encoder.identity.name} abstains beyond {found.threshold:.2f} median distances; {verdict}")
    return found.threshold


def rewrite_tasks(tasks: dict[str, float], options: ChatOptions) -> dict[str, float]:
    """Let a language model put each text into the register of descriptions."""
    chat = open_chat(options)
    if chat is None:
        raise TaskError(
            "--canonical needs a language model: give --chat-url and --chat-model; or paste what --dry-run prints, "
            "or fill in a form, --task-form"
        )
    rewritten: dict[str, float] = {}
    with Patience("rewriting the task") as bar:
        for done, (text, weight) in enumerate(tasks.items()):
            bar.update(done, len(tasks))
            reply = chat.ask(prompt_canonical(text))
            rewritten[reply.text] = rewritten.get(reply.text, 0.0) + weight
            when = "kept from" if reply.recalled else "written"
            tell(f"canonical text by {reply.model}, {when} {reply.asked}, answer {reply.digest[:12]}")
    return rewritten


def edit_tasks(tasks: dict[str, float]) -> dict[str, float]:
    """Let the texts be changed in the editor that VISUAL or EDITOR names; what is saved is asked with."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise TaskError("--edit needs an editor: set EDITOR to the command that starts one")
    several = len(tasks) > 1
    pages = [f"{weight:g}: {text}" if several else text for text, weight in tasks.items()]
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "task.txt"
        page.write_text("\n\n".join(pages) + "\n", encoding="utf-8")
        try:
            # The user's own command, as a shell would take it.
            done = subprocess.run([*shlex.split(editor), str(page)], check=False)  # noqa: S603
            edited = page.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise TaskError(f"the editor {editor!r} does not work: {error}; set EDITOR to one that does") from None
    if done.returncode:
        raise TaskError(f"the editor {editor!r} left with {done.returncode}: nothing is asked")
    paragraphs = [" ".join(block.split()) for block in edited.split("\n\n")]
    return weigh_tasks(paragraph for paragraph in paragraphs if paragraph)
