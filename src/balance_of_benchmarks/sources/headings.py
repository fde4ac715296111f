"""What a column of somebody's table is by its heading: the models, a benchmark, or something beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

__all__ = ["BENCHMARK_NAMES", "MODEL_NAMES", "SCORE_NAMES", "is_aggregate", "is_fact", "name_asides"]

MODEL_NAMES: Final = (
    "model", "model_name", "model name", "model_id", "model id", "models", "model version", "key", "name", "fullname",
    "system", "llm", "llm name", "method", "agent", "submission", "teamname", "team name", "team",
)  # fmt: skip
"""Most telling first."""
BENCHMARK_NAMES: Final = (
    "benchmark", "benchmark_name", "benchmark name", "task", "task_name", "task name", "dataset", "dataset_name",
    "dataset name", "evaluation", "eval", "eval_name",
)  # fmt: skip
SCORE_NAMES: Final = (
    "score", "value", "performance", "result", "metric_value", "mean_score", "mean score", "accuracy", "acc",
)  # fmt: skip

# Numbers that are no scores, by their headings: marks, and what stands in brackets, left out.
_FACT: Final = re.compile(
    r"#|no|(.* )?(id|teamid)|(.* )?(rank|ranking)|(rank|ranking) .*|"
    r"(.* )?votes?|battles|(hub )?likes|hub|downloads|year|"
    r"(total |active |act |number of |num |no of )*(params?|param|parameters)( b| m| bn)?|"
    r"(model )?(size|file size|disk size)( b| gb| mb)?|"
    r"(max |maximum )?(context|sequence|seq)( length| len| window| size)?|"
    r"(max|maximum) tokens|embedding (dim|dims|dimension|dimensions|size)|memory( usage)?( .*)?|vram( .*)?|zero shot|"
    r"(.* )?(price|cost)s?( (kg|usd|per .*|in .*|m|mtok))?|(input |output |total |max )?tokens( per second| s)?|"
    r"(.* )?(latency|throughput)( .*)?|speed( .*)?|(training )?(compute|flops?)( .*)?|"
    r"(.* )?(date|cutoff)|co[2₂]( .*)?|(run|wall|eval|evaluation|inference |total )? ?time( s| sec| seconds| ms)?|"
    r"(.* )?(seconds|secs)( .*)?|(num|number of|n) (items|samples|questions|tasks|tests|cases|models|runs|examples)|"
    r"(test cases|total tests|samples|n|submissioncount)|(.* )?(sample|item|vote|submission|test|run) counts?",
    re.I,
)
_ERROR: Final = (
    r"std ?err(or)?|standard (error|deviation)|std( dev)?|stdev|se|sem|variance|(\d+ )?(ci|confidence interval)( .*)?|"
    r"(ci )?(lower|upper)( ci| bound| limit)?|margin( of error)?"
)
# What a column says beside the one that has its name without this.
_BESIDE: Final = re.compile(rf"raw|norm|normali[sz]ed|rank|{_ERROR}", re.I)
_AGGREGATE: Final = re.compile(
    r"((global|overall|total|macro|micro|weighted|grand|task|benchmark|cross benchmark) )?"
    r"(average|avg|mean|overall|total|aggregate|durchschnitt|moyenne|promedio|media|平均)"
    r"( scores?| win rate| accuracy| acc| tasks?| all)?",
    re.I,
)
_ROWS_OF_ALL: Final = re.compile(rf"{_AGGREGATE.pattern}|median|std|min|max", re.I)
# An average of fewer parts may be a benchmark of its own.
_LEAST_PARTS: Final = 2

_FACTS: Final = "facts on models, not scores"
_AGGREGATES: Final = "aggregates of others"
_FIGURES: Final = "further figures of a benchmark that has a column"


def is_fact(heading: str) -> bool:
    """Tell whether a column's numbers are no scores: ranks, sizes, prices, dates, errors."""
    name = _clean(heading)
    return bool(_FACT.fullmatch(name.lstrip("# ") or name) or re.fullmatch(_ERROR, name, re.I))


def is_aggregate(name: str) -> bool:
    """Tell whether a row is none of one model but of all."""
    return bool(_ROWS_OF_ALL.fullmatch(_clean(name)))


def name_asides(headings: Sequence[str]) -> dict[str, str]:
    """Say why some of a wide table's columns make no benchmark unless asked for.

    Parameters
    ----------
    headings : sequence of str
        Of the columns that hold numbers.

    Returns
    -------
    dict of str to str
        Reason by heading, in words that follow a list of them.
    """
    cleaned = {heading: _clean(heading) for heading in headings}
    folded = {name.casefold() for name in cleaned.values()}
    asides = {}
    for heading, name in cleaned.items():
        base, _, last = name.rpartition(" ")
        longer, _, pair = base.rpartition(" ")
        if is_fact(heading):
            asides[heading] = _FACTS
        elif (base and base.casefold() in folded and _BESIDE.fullmatch(last)) or (
            longer and longer.casefold() in folded and _BESIDE.fullmatch(f"{pair} {last}")
        ):
            asides[heading] = _FIGURES
    scores = len(headings) - len(asides)
    for heading, name in cleaned.items():
        if heading not in asides and scores > _LEAST_PARTS and _AGGREGATE.fullmatch(name):
            asides[heading] = _AGGREGATES
    return asides


def _clean(heading: str) -> str:
    """Leave out marks, and what stands in brackets where anything stands before them."""
    bare = re.sub(r"\([^()]*\)|\[[^\[\]]*\]", " ", heading)
    words = re.sub(r"[^\w#₂]+", " ", bare.replace("_", " ")).strip()
    return " ".join((words or re.sub(r"[^\w#₂]+", " ", heading.replace("_", " "))).split())
