"""What a format is, and what one file of it says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, TypeVar

import polars as pl
from pydantic import BaseModel, ValidationError

from balance_of_benchmarks.board.settings import Adjustment
from balance_of_benchmarks.errors import BoardError
from balance_of_benchmarks.sources.document import Document

__all__ = [
    "MEASURE_COLUMNS",
    "Choice",
    "Format",
    "Measure",
    "Reading",
    "note_unnamed",
    "pick_metrics",
    "tabulate_measures",
    "validate",
]

_Model = TypeVar("_Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Measure:
    """One score of one model on one benchmark by one metric.

    Parameters
    ----------
    model, benchmark : str
        Keys.
    score : float or None
        On its own scale; None where it was listed but not evaluated.
    metric : str or None
        Where a format has several, the name of the one this is.
    preference : int
        Of the metric: 0 for the one its format prefers, more for others. One column is made for a benchmark, of
        the metric that is preferred most.
    aside : str or None
        Why it makes no column unless asked for by name, in words that follow a list of keys: "parts of mmlu".
    standard_error, n_items, date, source
        As in a board's cells.
    lower, upper, higher_is_better
        As far as the file declares the metric's scale.
    """

    model: str
    benchmark: str
    score: float | None
    metric: str | None = None
    preference: int = 0
    aside: str | None = None
    standard_error: float | None = None
    n_items: int | None = None
    date: str | None = None
    source: str | None = None
    lower: float | None = None
    upper: float | None = None
    higher_is_better: bool | None = None


_TYPES: Final[dict[str, pl.DataType]] = {
    **dict.fromkeys(("model", "benchmark", "metric", "aside", "date", "source"), pl.String()),
    **dict.fromkeys(("score", "standard_error", "lower", "upper"), pl.Float64()),
    **dict.fromkeys(("preference", "n_items"), pl.Int64()),
    "higher_is_better": pl.Boolean(),
}
MEASURE_COLUMNS: Final[dict[str, pl.DataType]] = {f.name: _TYPES[f.name] for f in fields(Measure)}
"""A table of measures has these; one of plain scores may leave out all but the first three, and have others."""


def tabulate_measures(measures: Iterable[Measure]) -> pl.DataFrame:
    """Lay measures out as a table with `MEASURE_COLUMNS`."""
    rows = list(measures)
    return pl.DataFrame(
        {name: [getattr(row, name) for row in rows] for name in MEASURE_COLUMNS}, schema=MEASURE_COLUMNS
    )


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What one file says.

    Parameters
    ----------
    measures : polars.DataFrame
        As `tabulate_measures` makes it.
    models, benchmarks : polars.DataFrame
        What it says of them, with a column `key`; either may be empty.
    metrics : frozenset of str
        Every metric it has, those not taken too.
    name : str or None
        What the board is called.
    attribution : str or None
    published_index : str or None
        Column of `models` with the source's own ranking score.
    date : str or None
        When it was made or retrieved; ISO 8601.
    adjustments : tuple of Adjustment
    """

    measures: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=MEASURE_COLUMNS))
    models: pl.DataFrame = field(default_factory=pl.DataFrame)
    benchmarks: pl.DataFrame = field(default_factory=pl.DataFrame)
    metrics: frozenset[str] = frozenset()
    name: str | None = None
    attribution: str | None = None
    published_index: str | None = None
    date: str | None = None
    adjustments: tuple[Adjustment, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """What to take where a source has more than one column for a benchmark, or some it leaves aside.

    Parameters
    ----------
    metrics : tuple of str
        Metrics wanted, as ``acc`` for every benchmark that has it or ``arc_challenge=acc`` for one.
    also : tuple of str
        Keys of benchmarks to take that are left aside otherwise.
    """

    metrics: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    def wants(self, benchmark: str, metric: str) -> bool:
        """Tell whether a metric was asked for; a name up to a comma stands for all its variants."""
        asked = {f"{prefix}{name}" for prefix in ("", f"{benchmark}=") for name in (metric, metric.split(",")[0])}
        return not asked.isdisjoint(self.metrics)


@dataclass(frozen=True, slots=True)
class Format:
    """One shape in which people exchange scores; a module of `sources.formats` each.

    Parameters
    ----------
    name : str
        Stable; the module's.
    title : str
        For people.
    recognises : callable
        Tells by a document's structure, without reading all of it, whether it is one.
    read : callable
        Makes a reading of a document and a choice, or raises `BoardError` with what is wrong and where.
    """

    name: str
    title: str
    recognises: Callable[[Document], bool]
    read: Callable[[Document, Choice], Reading]


def pick_metrics(
    benchmark: str, found: Mapping[str, Any], order: Sequence[str], choice: Choice
) -> list[tuple[str, int]]:
    """Pick what makes measures of the metrics found for a benchmark: the preferred one and those asked for.

    Parameters
    ----------
    benchmark : str
    found : mapping
        By metric.
    order : sequence of str
        Names from the most preferred on; a metric's name up to a comma counts. Others come after, as found.
    choice : Choice

    Returns
    -------
    list of (str, int)
        Metric and preference.
    """
    places = {name: place for place, name in enumerate(order)}
    ranked = [
        (metric, places.get(metric, places.get(metric.split(",")[0], len(order) + place)))
        for place, metric in enumerate(found)
    ]
    ranked.sort(key=lambda pair: pair[1])
    return [pair for place, pair in enumerate(ranked) if place == 0 or choice.wants(benchmark, pair[0])]


def validate(shape: type[_Model], value: Any, place: str, title: str) -> _Model:
    """Validate a payload, or say which field of it is missing or of another type.

    Parameters
    ----------
    shape : pydantic model
    value : parsed JSON or YAML
    place : str
        Of the payload: a path, with a line where there is one.
    title : str
        Of the format, for the error.

    Returns
    -------
    pydantic model
    """
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        got = repr(first["input"])
        got = got if len(got) <= 60 else f"{got[:59]}…"
        message = f"{where}: {first['msg']}" + ("" if first["type"] == "missing" else f", got {got}")
        raise BoardError(f"{place} is no valid {title}: {message}") from error
    except RecursionError as error:
        raise BoardError(f"{place} is no valid {title}: it is nested too deeply") from error


def note_unnamed(document: Document, model: str, fix: str) -> Adjustment:
    """Say that a file names no model, so that its scores go under a name made of where it lies."""
    message = f"{document.name} does not say which model it is of: taken for {model}, after where it lies"
    return Adjustment("model_unnamed", (model,), message, fix)
