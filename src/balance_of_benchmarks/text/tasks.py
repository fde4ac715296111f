"""Tasks in a person's words: with weights, on a form, or as a file of example prompts."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from balance_of_benchmarks.errors import TaskError

__all__ = ["TaskForm", "read_forms", "read_prompts", "weigh_tasks"]

# "0.6: text", "60%: text", or as people say it, "60 % text".
_WEIGHTED: Final = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*(?:(%)(?:\s*:)?|:)\s*(\S.*)", re.DOTALL)
_FIELDS_OF_PROMPTS: Final = ("prompt", "text", "input", "task")


@dataclass(frozen=True, slots=True)
class TaskForm:
    """What is to be known of a task, field by field; `write` makes a text in the register of descriptions of it.

    Use it where no language model is at hand: a filled form lies nearer to the benchmarks than a sentence does.

    Parameters
    ----------
    does : str
        What the system does, beginning with a verb: "answers customers in chat".
    domain : str
        The field of work: "customer support for a subscription business".
    abilities : tuple of str
        What it takes: "dialogue over several turns", "calling tools".
    receives, gives : str
        Input and output: "messages and account data", "replies and calls of internal tools".
    success : str
        What counts as success: "the account is left as the policy calls for".

    Examples
    --------
    >>> TaskForm("answer exam questions", "chemistry", gives="a number", success="the number is right").write()
    'In chemistry, the system is to answer exam questions. It gives a number. Success means that the number is right.'
    """

    does: str
    domain: str
    abilities: tuple[str, ...] = ()
    receives: str = ""
    gives: str = ""
    success: str = ""

    def __post_init__(self) -> None:
        for name in ("does", "domain"):
            if not _trim(getattr(self, name)):
                raise TaskError(f"the form's {name} is empty: expected words; only what follows domain may be left out")

    def write(self) -> str:
        """Write the form as a paragraph in the register of descriptions.

        Returns
        -------
        str
        """
        does = _trim(self.does)
        sentences = [f"In {_trim(self.domain)}, the system {does if _is_third_person(does) else f'is to {does}'}."]
        passes = [
            f"{verb} {text}" for verb, text in (("receives", self.receives), ("gives", self.gives)) if _trim(text)
        ]
        if passes:
            sentences.append(f"It {' and '.join(_trim(text) for text in passes)}.")
        if abilities := [ability for ability in map(_trim, self.abilities) if ability]:
            sentences.append(f"This requires {_enumerate(abilities)}.")
        if _trim(self.success):
            sentences.append(f"Success means that {_trim(self.success)}.")
        return " ".join(sentences)


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid")
    weight: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    does: str
    domain: str
    abilities: tuple[str, ...] = ()
    receives: str = ""
    gives: str = ""
    success: str = ""

    def write(self) -> str:
        return TaskForm(**{field.name: getattr(self, field.name) for field in fields(TaskForm)}).write()


class _Forms(BaseModel):
    model_config = ConfigDict(extra="forbid")
    task: list[_Form] = Field(min_length=1)


def read_forms(path: str | Path) -> dict[str, float]:
    """Read a task's form, or several with weights, from a TOML file, and write each as a text.

    Parameters
    ----------
    path : str or Path
        The fields of `TaskForm`, or ``[[task]]`` tables of them, each with a `weight` or none with one.

    Returns
    -------
    dict of str to float
        As `BalanceOfBenchmarks.rank_for` takes it.

    Raises
    ------
    TaskError
    """
    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise TaskError(f"the form cannot be read: {path}: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise TaskError(f'{path} is no TOML: {error}; expected lines like domain = "customer support"') from None
    try:
        forms = _Forms.model_validate(content if "task" in content else {"task": [content]}).task
        return _gather((form.weight, form.write()) for form in forms)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"][2:]) or "task"
        names = ", ".join(field.name for field in fields(TaskForm))
        raise TaskError(
            f"{path}: {place}: {first['msg']}; expected {names}, and weight where there are several"
        ) from None
    except TaskError as error:
        raise TaskError(f"{path}: {error}") from None


def weigh_tasks(texts: Iterable[str]) -> dict[str, float]:
    """Read tasks that may begin with their weight, as in ``"0.6: answer customers"`` or ``"60 %: ..."``.

    Parameters
    ----------
    texts : iterable of str

    Returns
    -------
    dict of str to float
        By text; 1 each where none has a weight. Only proportions matter; a task given twice counts twice.

    Raises
    ------
    TaskError
        When some have a weight and others none.

    Examples
    --------
    >>> weigh_tasks(["60 %: answer customers", "0.4: write SQL"])
    {'answer customers': 0.6, 'write SQL': 0.4}
    """
    return _gather(map(_split_weight, texts))


def read_prompts(path: str | Path) -> dict[str, float]:
    """Read example prompts, which together say what the models are to do.

    Parameters
    ----------
    path : str or Path
        A prompt a line; or, in a ``.json`` or ``.jsonl`` file, texts or objects with `prompt` (or `text`, `input`,
        `task`) and, if any, `weight`.

    Returns
    -------
    dict of str to float
        By prompt; one that is there twice counts twice.

    Raises
    ------
    TaskError
    """
    path = Path(path)
    try:
        content = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise TaskError(f"the prompts cannot be read: {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise TaskError(f"{path} is no text in UTF-8: expected a prompt a line, or JSON") from None
    lines = [(n, line) for n, line in enumerate(content.splitlines(), 1) if line.strip()]
    try:
        if path.suffix == ".json":
            listed = json.loads(content)
            if not isinstance(listed, list):
                raise TaskError(f"{path} holds a {type(listed).__name__}: expected a list of prompts")
            pairs = [_read_prompt(row, f"{path}: prompt {n}") for n, row in enumerate(listed, 1)]
        elif path.suffix == ".jsonl":
            pairs = [_read_prompt(json.loads(line), f"{path}:{n}") for n, line in lines]
        else:
            pairs = [(None, " ".join(line.split())) for _, line in lines]
    except (json.JSONDecodeError, RecursionError) as error:
        raise TaskError(f"{path} is no JSON: {error}; expected prompts, as texts or objects with prompt") from None
    if not pairs:
        raise TaskError(f"{path} holds no prompt: expected one a line")
    return _gather(pairs)


def _read_prompt(row: Any, place: str) -> tuple[float | None, str]:
    if isinstance(row, str):
        return None, row
    found = next((row[name] for name in _FIELDS_OF_PROMPTS if name in row), None) if isinstance(row, Mapping) else None
    if not isinstance(found, str):
        raise TaskError(f"{place} is {json.dumps(row)[:60]}: expected a text, or an object whose prompt is one")
    weight = row.get("weight")
    if isinstance(weight, bool) or not isinstance(weight, int | float | None):
        raise TaskError(f"{place} has weight {json.dumps(weight)[:20]}: expected a number")
    return weight, found


def _split_weight(text: str) -> tuple[float | None, str]:
    found = _WEIGHTED.fullmatch(text)
    if found is None:
        return None, text
    number, percent, rest = found.groups()
    return float(number) / (100 if percent else 1), rest.strip()


def _gather(pairs: Iterable[tuple[float | None, str]]) -> dict[str, float]:
    """Add up weights by text; all have one or none."""
    listed = list(pairs)
    bare = [text for weight, text in listed if weight is None]
    if bare and len(bare) < len(listed):
        raise TaskError(
            f"{len(listed) - len(bare)} of {len(listed)} tasks have a weight and {bare[0][:40]!r} has none: "
            "expected a weight for each, or for none"
        )
    gathered: dict[str, float] = {}
    for weight, text in listed:
        gathered[text] = gathered.get(text, 0.0) + (1.0 if weight is None else weight)
    return gathered


def _trim(text: str) -> str:
    """Make a field part of a sentence: no full stop, a small first letter but of a name or an acronym."""
    words = " ".join(text.split()).rstrip(" .;,")
    first = words.split(" ", 1)[0]
    return (
        words if any(c.isupper() or c.isdigit() for c in first[1:]) or first == "I" else words[:1].lower() + words[1:]
    )


def _is_third_person(does: str) -> bool:
    """Tell "answers customers" from "answer customers", by the first word's end."""
    verb = does.split(" ", 1)[0]
    return verb.endswith("s") and not verb.endswith("ss")


def _enumerate(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
