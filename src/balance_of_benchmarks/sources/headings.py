"""What a column of somebody's table is by its heading: the models, a benchmark, or something beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from balance_of_benchmarks.types import FloatArray

__all__ = [
    "BENCHMARK_NAMES",
    "MODEL_NAMES",
    "SCORE_NAMES",
    "find_column",
    "is_aggregate",
    "is_fact",
    "is_generic",
    "is_remark",
    "name_asides",
    "names_nothing",
]

MODEL_NAMES: Final = (
    "model", "model_name", "model name", "model_id", "model id", "models", "model version", "key", "name", "fullname",
    "system", "llm", "llms", "llm name", "language model", "method", "agent", "submission", "checkpoint", "teamname",
    "team name", "team", "modell", "modèle", "modelo", "modello", "模型", "模型名称",
)  # fmt: skip
"""Most telling first."""
BENCHMARK_NAMES: Final = (
    "benchmark", "benchmark_name", "benchmark name", "task", "task_name", "task name", "dataset", "dataset_name",
    "dataset name", "evaluation", "eval", "eval_name", "tasks", "benchmarks", "datasets",
)  # fmt: skip
SCORE_NAMES: Final = (
    "score", "value", "performance", "result", "metric_value", "mean_score", "mean score", "accuracy", "acc",
)  # fmt: skip

# Numbers that are no scores, by their headings: marks, and what stands in brackets, left out.
_FACT: Final = re.compile(
    r"#|no|(.* )?(id|teamid)|(.* )?(rank|ranking)|(rank|ranking) .*|"
    r"(.* )?votes?|battles|(.* )?(likes|hearts|stars|downloads)|hub|year|versions?|(metadata|meta|info|features) .*|"
    r"(total |active |activated |act |number of |num |no of )*(params?|param|parameters)( b| m| bn| billions)?|"
    r"(model )?(size|file size|disk size)( b| gb| mb)?|"
    r"(max |maximum )?(context|sequence|seq)( length| len| window| size)?|"
    r"embedding (dim|dims|dimension|dimensions|size)|memory( usage)?( .*)?|vram( .*)?|"
    r"vocab(ulary)?( size)?|layers|hidden size|epochs?|seed|temperature|zero shot|(n|no of|num)? ?shots?|"
    r"(.* )?(price|cost)s?( (kg|usd|per .*|in .*|m|mtok))?|(.* )?tokens( .*)?|"
    r"(.* )?(length|len)( (words|chars|characters))?|"
    r"(avg|average|mean|median|total|max) (steps|turns|calls|words|rounds)|(api|instance) calls|"
    r"(.* )?(latency|throughput)( .*)?|speed( .*)?|(training )?(compute|flops?)( .*)?|"
    r"(.* )?(date|cutoff)|co[2₂]( .*)?|"
    r"((run|wall|eval|evaluation|inference|training|response|total|avg|average|mean|median) ?)*time"
    r"( (s|secs?|seconds|ms|min|minutes|h|hours|train|infer|inference|test|eval|taken|per|to)( .*)?)?|"
    r"(.* )?(seconds|secs)( .*)?|(num|number of) .*|.+ num( \d+)?|"
    r"n (items|samples|questions|tasks|tests|cases|models|runs|examples)|(.* )?imputed|"
    r"(test cases|total tests|samples|n|submissioncount)|(.* )?(sample|item|vote|submission|test|run) counts?",
    re.I,
)
_ERROR: Final = (
    r"std ?err(or)?|standard (error|deviation)|std( dev)?|stdev|se|sem|variance|(\d+ )?(ci|confidence interval)( .*)?|"
    r"((.* )?(ci|rating|score) )?(lower|upper)( ci| bound| limit)?|margin( of error)?|(.* )?q\d{2,3}"
)
# What a column says beside the one that has its name without this.
_BESIDE: Final = re.compile(rf"raw|norm|normali[sz]ed( scores?| value)?|rank|{_ERROR}", re.I)
_ITSELF: Final = re.compile(r" (value|score|raw)$", re.I)
_AGGREGATE: Final = re.compile(
    r"((global|overall|total|macro|micro|weighted|grand|task|model|benchmark|cross benchmark) )?"
    r"(average|avg|mean|overall|total|aggregate|durchschnitt|moyenne|promedio|media|平均|平均分|平均值|总分|综合)"
    r"( scores?| win rate| accuracy| acc| tasks?| all)?",
    re.I,
)
_REMARK: Final = re.compile(
    r"(.* )?(notes?|comments?|remarks?|links?|urls?|sources?|papers?|code|licen[sc]es?|organi[sz]ations?|country|"
    r"provider|developer|creator|authors?|tags|descriptions?|open data)",
    re.I,
)
_ROWS_OF_ALL: Final = re.compile(rf"{_AGGREGATE.pattern}|median|std|min|max", re.I)
# What says how many tests a row rests on: beside it, numbers of tests stand in a table as scores do.
_TESTS: Final = re.compile(
    r"test cases|total tests|(n|num|number of|total) (tests?|cases|items|questions|samples|tasks|examples)|n", re.I
)
# The only scores of a table that is called by what it measures.
_GENERIC: Final = re.compile(
    r"((overall|mean|average|avg|total|final|main|global|arena|test) )?"
    r"(scores?|accuracy|acc|performance|results?|value|points|rating|elo|success( rate)?|win ?rate|pass( rate| 1)|"
    rf"resolved)|{_AGGREGATE.pattern}",
    re.I,
)
_NO_NAMES: Final = re.compile(
    r"readme|index|results?|scores?|leader ?board|data|table|summary|output|export|test|all|main|overall|unknown|\d*",
    re.I,
)
# An average of fewer parts may be a benchmark of its own.
_LEAST_PARTS: Final = 2

_FACTS: Final = "facts on models, not scores"
_AGGREGATES: Final = "aggregates of others"
_COUNTS: Final = "counts of tests, beside the scores they make"
_FIGURES: Final = "further figures of a benchmark that has a column"


def find_column(columns: Sequence[str], names: Sequence[str]) -> str | None:
    """Find a column by its name, the most telling name first; then by its name without what stands in brackets."""
    exact = {column.strip().casefold(): column for column in reversed(columns)}
    cleaned = {_clean(column).casefold(): column for column in reversed(columns) if _clean(column)}
    return next((folded[name] for folded in (exact, cleaned) for name in names if name in folded), None)


def is_fact(heading: str) -> bool:
    """Tell whether a column's numbers are no scores: ranks, sizes, prices, dates, errors."""
    name = _clean(heading)
    return bool(_FACT.fullmatch(name.lstrip("# ") or name) or re.fullmatch(_ERROR, name, re.I))


def is_remark(heading: str) -> bool:
    """Tell whether a column holds words even where nobody wrote any: notes, links, licences."""
    return bool(_REMARK.fullmatch(_clean(heading)))


def is_aggregate(name: str) -> bool:
    """Tell whether a row is none of one model but of all."""
    return bool(_ROWS_OF_ALL.fullmatch(_clean(name)))


def is_generic(heading: str) -> bool:
    """Tell whether a heading says how it was measured and not what: score, accuracy, Elo."""
    return bool(_GENERIC.fullmatch(_clean(heading)))


def names_nothing(stem: str) -> bool:
    """Tell whether a file's name says nothing of what is in it: results, README, data."""
    return bool(_NO_NAMES.fullmatch(_clean(stem)))


def name_asides(headings: Sequence[str], scores: FloatArray | None = None) -> dict[str, str]:
    """Say why some of a wide table's columns make no benchmark unless asked for.

    Parameters
    ----------
    headings : sequence of str
        Of the columns that hold numbers.
    scores : ndarray of shape (columns, rows), optional
        What they hold, NaN where missing. Given, counts of tests are told apart from scores; and an aggregate that
        most rows have without its parts is no aside, but all there is of them.

    Returns
    -------
    dict of str to str
        Reason by heading, in words that follow a list of them.
    """
    cleaned = {heading: _clean(heading) for heading in headings}
    folded = {name.casefold() for name in cleaned.values()}
    folded |= {_ITSELF.sub("", name) for name in folded}
    both_ends = {heading for heading in headings if heading[-1:] in "+-" and _has_other_end(heading, set(headings))}
    asides = {}
    for heading, name in cleaned.items():
        base, _, last = name.rpartition(" ")
        longer, _, pair = base.rpartition(" ")
        if is_fact(heading):
            asides[heading] = _FACTS
        elif (
            heading in both_ends
            or (base and base.casefold() in folded and _BESIDE.fullmatch(last))
            or (longer and longer.casefold() in folded and _BESIDE.fullmatch(f"{pair} {last}"))
        ):
            asides[heading] = _FIGURES
    if scores is not None and any(_TESTS.fullmatch(name) for name in cleaned.values()):
        whole = {
            heading: _is_whole(row) for heading, row in zip(headings, scores, strict=True) if heading not in asides
        }
        if not all(whole.values()):
            asides |= {heading: _COUNTS for heading, counts in whole.items() if counts}
    return asides | dict(_name_wholes(headings, asides, scores))


def _name_wholes(
    headings: Sequence[str], asides: Mapping[str, str], scores: FloatArray | None
) -> Iterator[tuple[str, str]]:
    """Tell averages from what they are of: of a whole table they stand aside, of one benchmark's parts they stand."""
    places = {heading: place for place, heading in enumerate(headings)}
    for heading in headings:
        head, slash, last = heading.rpartition("/")
        if heading in asides or not _AGGREGATE.fullmatch(_clean(last)):
            continue
        parts = [o for o in headings if o != heading and o not in asides and o.startswith(head + slash)]
        if len(parts) < _LEAST_PARTS:
            continue
        whole = np.ones((1, 1)) if scores is None else scores[[places[heading]]]
        members = np.ones((1, 1)) if scores is None else scores[[places[part] for part in parts]]
        if slash and _covers(whole, members):
            yield from ((part, f"parts of {heading}") for part in parts)
        elif not slash and _covers(members, whole):
            yield heading, _AGGREGATES


def _has_other_end(heading: str, headings: set[str]) -> bool:
    """Tell whether X+, X- and X are all there: how far an interval reaches up and down."""
    return {heading[:-1], f"{heading[:-1]}+", f"{heading[:-1]}-"} <= headings


def _is_whole(row: FloatArray) -> bool:
    seen = row[~np.isnan(row)]
    return bool(((seen >= 0) & (seen == np.round(seen))).all())


def _covers(some: FloatArray, others: FloatArray) -> bool:
    """Tell whether at least half of the rows that have any of the others have any of some."""
    rows = (~np.isnan(others)).any(axis=0)
    return not rows.any() or bool((~np.isnan(some[:, rows])).any(axis=0).mean() >= 1 / 2)


def _clean(heading: str) -> str:
    """Leave out marks, and what stands in brackets where anything stands before them."""
    bare = re.sub(r"\([^()]*\)|\[[^\[\]]*\]", " ", heading)
    words = re.sub(r"[^\w#₂]+", " ", bare.replace("_", " ")).strip()
    return " ".join((words or re.sub(r"[^\w#₂]+", " ", heading.replace("_", " "))).split())
