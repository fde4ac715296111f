"""The texts a redone paper rests on: our own, or a file with the paper's; which vectors of a file are theirs."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from balance_of_benchmarks.errors import BobError
from balance_of_benchmarks.paper.paraphrases import OWN_PARAPHRASES
from balance_of_benchmarks.sources.known import KNOWN_BENCHMARKS
from balance_of_benchmarks.text.lineage import LineageFinder
from balance_of_benchmarks.text.vectors import VectorFile

__all__ = ["OWN_TASKS", "PaperTexts", "TaskText", "own_texts", "pick_vectors", "read_texts"]


@dataclass(frozen=True, slots=True)
class TaskText:
    """A task as a person asks for it, and in the register of descriptions."""

    query: str
    canonical: str


@dataclass(frozen=True, slots=True)
class PaperTexts:
    """Texts by benchmark key, and tasks by name.

    Parameters
    ----------
    source : str
        Whose they are, for the report.
    descriptions, paraphrases : dict of str to str
        Paraphrases may be of none, or of all that are described.
    tasks : dict of str to TaskText
    stripped : dict of str to str or None
        Descriptions without lineage, of those that speak of another benchmark; None where nothing would be left.
    """

    source: str
    descriptions: dict[str, str]
    paraphrases: dict[str, str]
    tasks: dict[str, TaskText]
    stripped: dict[str, str | None] = field(default_factory=dict)


# The paper's five tasks in words of our own, named as in its table.
OWN_TASKS: Final[dict[str, TaskText]] = {
    "customer_support_automation": TaskText(
        query="Answer the customers of an online subscription service and carry out refunds and changes of plan with "
        "our tools, always within company policy.",
        canonical="The system serves the customers of a subscription service in conversation. It looks up accounts, "
        "carries out refunds and changes of plan through the company's tools, and keeps to its written policy "
        "throughout. A case counts as solved when the account is left in exactly the state that the policy calls for.",
    ),
    "long_report_analysis": TaskText(
        query="Read stacks of long company filings and technical reports and answer questions whose evidence is spread "
        "over hundreds of pages.",
        canonical="The system is given several long documents at once, such as regulatory filings and technical "
        "reports of hundreds of pages, and answers questions about them in English. Each answer requires finding "
        "passages that lie far apart, connecting what they say and reasoning faithfully from them.",
    ),
    "math_competition_coach": TaskText(
        query="Train pupils for the qualifying rounds of the mathematics olympiad with full solutions in algebra, "
        "combinatorics, geometry and number theory.",
        canonical="The system coaches students for mathematics olympiads. It solves competition problems in algebra, "
        "combinatorics, geometry and number theory by long exact derivations that end in the right answer, and "
        "explains each step so that a student can follow and repeat it.",
    ),
    "poetry_writing_partner": TaskText(
        query="Help a poet to draft and revise poems, with a feeling for image, rhythm and the breaking of lines.",
        canonical="The system writes and revises poems together with a human author. It proposes images, rhythms and "
        "line breaks and answers the mood of a draft in a fitting voice. The work asks for literary imagination and "
        "taste; there is no right answer to be checked.",
    ),
    "software_engineering_agent": TaskText(
        query="Work by itself in a terminal on a real code base: plan a change, edit the files, run build and tests, "
        "and find the fault when they fail.",
        canonical="The system works as a software engineer in a real repository without human help. In a terminal it "
        "plans changes over many steps, edits files, runs builds and tests, reads their output and corrects its own "
        "mistakes. Success is decided by automatic tests of the final state of the code.",
    ),
}


def own_texts() -> PaperTexts:
    """Give the texts that ship with the package."""
    descriptions = {key: known.description for key, known in KNOWN_BENCHMARKS.items()}
    return PaperTexts("our own descriptions", descriptions, OWN_PARAPHRASES, OWN_TASKS, _strip(descriptions))


class _Benchmark(BaseModel):
    model_config = ConfigDict(extra="ignore")
    description: str
    paraphrase: str | None = None
    stripped: str | None = None


class _Task(BaseModel):
    model_config = ConfigDict(extra="ignore")
    query: str
    canonical: str


class _File(BaseModel):
    model_config = ConfigDict(extra="ignore")
    benchmarks: dict[str, _Benchmark]
    queries: dict[str, _Task] = {}


def read_texts(path: Path) -> PaperTexts:
    """Read texts from a JSON file.

    Parameters
    ----------
    path : Path
        ``{"benchmarks": {key: {"description", "paraphrase", "stripped"}}, "queries": {task: {"query", "canonical"}}}``;
        paraphrases, texts without lineage and queries may be left out.

    Returns
    -------
    PaperTexts

    Raises
    ------
    BobError
        Where it cannot be read or does not have that shape.
    """
    try:
        read = _File.model_validate_json(path.read_bytes())
    except OSError as error:
        raise BobError(f"the texts cannot be read: {path}: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise BobError(
            f'{path}: {place}: {first["msg"]}; expected {{"benchmarks": {{key: {{"description": ...}}}}, '
            '"queries": {task: {"query", "canonical"}}}'
        ) from None
    descriptions = {key: text.description for key, text in read.benchmarks.items()}
    return PaperTexts(
        source=f"the descriptions of {path.name}",
        descriptions=descriptions,
        paraphrases={key: text.paraphrase for key, text in read.benchmarks.items() if text.paraphrase},
        tasks={name: TaskText(task.query, task.canonical) for name, task in read.queries.items()},
        stripped=_strip(descriptions) | {key: text.stripped for key, text in read.benchmarks.items() if text.stripped},
    )


def _strip(descriptions: dict[str, str]) -> dict[str, str | None]:
    """Propose texts for those that speak of another of the fourteen, as `bob describe --strip-lineage` does."""
    finder = LineageFinder((key, known.name) for key, known in KNOWN_BENCHMARKS.items())
    return {key: finder.strip(key, text) for key, text in descriptions.items() if finder.find(key, text)}


def pick_vectors(file: VectorFile, texts: PaperTexts) -> VectorFile:
    """Find the texts' vectors in a file.

    Parameters
    ----------
    file : VectorFile
        Named by text, or ``description/KEY``, ``paraphrase/KEY``, ``stripped/KEY``, ``query/TASK`` and
        ``canonical/TASK``.
    texts : PaperTexts
        Descriptions must be there, and of the others those that are to be used.

    Returns
    -------
    VectorFile
        By text.

    Raises
    ------
    BobError
    """
    named = _name_texts(texts)
    found = file.rename({text: text for text in named.values()} | named)
    for name, text in named.items():
        if name.startswith("description/") and text not in found.named:
            raise BobError(f"{file.identity.name}: nothing named {name!r}: expected a vector for each description")
    return found


def _name_texts(texts: PaperTexts) -> dict[str, str]:
    return {
        **{f"description/{key}": text for key, text in texts.descriptions.items()},
        **{f"paraphrase/{key}": text for key, text in texts.paraphrases.items()},
        **{f"stripped/{key}": text for key, text in texts.stripped.items() if text},
        **{f"query/{name}": task.query for name, task in texts.tasks.items()},
        **{f"canonical/{name}": task.canonical for name, task in texts.tasks.items()},
    }
