"""OpenCompass: the CSV that a summary of an evaluation is written to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import polars as pl

from balance_of_benchmarks.board.frames import conform
from balance_of_benchmarks.board.numbers import parse_numbers
from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.reading import Choice, Format, Measure, Reading, pick_metrics, tabulate_measures

__all__ = ["FORMAT"]

_COLUMNS: Final = ("dataset", "version", "metric", "mode")
_NOTHING: Final = "-"
# Others that it lists, as scores of judges, are on scales of their own.
_PERCENT: Final = re.compile(r"accuracy|exact_match|em|f1|bleu|rouge\w*|.*pass@\d+")


def _recognises(document: Document) -> bool:
    table = document.table
    return table is not None and table.columns[:4] == list(_COLUMNS) and set(table.dtypes[:4]) == {pl.String()}


def _read(document: Document, choice: Choice) -> Reading:
    """Take of each dataset the metric listed first; averages over datasets that are listed too are left aside.

    What has no metric was asked for and not evaluated, or is a heading.
    """
    place = str(document.path)
    table = conform(document.content, dict.fromkeys(_COLUMNS, pl.String()), place, keys=("dataset", "metric"))
    rows = table.filter(pl.col("metric") != _NOTHING)
    unscored = table.filter((pl.col("metric") == _NOTHING) & ~pl.col("dataset").str.starts_with("--"))
    scores = {model: parse_numbers(rows[model], f"{place}: column {model!r}") for model in table.columns[4:]}
    return Reading(
        measures=tabulate_measures(_measure(rows, scores, choice)),
        models=pl.DataFrame({"key": list(scores)}, schema={"key": pl.String()}),
        benchmarks=pl.DataFrame({"key": unscored["dataset"].unique(maintain_order=True)}),
        metrics=frozenset(rows["metric"]),
    )


def _measure(rows: pl.DataFrame, scores: Mapping[str, pl.Series], choice: Choice) -> Iterator[Measure]:
    places: dict[str, dict[str, int]] = {}
    for place, (dataset, metric) in enumerate(rows.select("dataset", "metric").iter_rows()):
        places.setdefault(dataset, {}).setdefault(metric, place)
    averages = set(rows.filter(pl.col("version") == _NOTHING)["dataset"])
    for dataset, found in places.items():
        repeats = dataset in averages and _are_parts_listed(dataset, places.keys() - averages, averages)
        for metric, preference in pick_metrics(dataset, found, (), choice):
            percent = _PERCENT.fullmatch(metric) is not None
            for model, column in scores.items():
                yield Measure(
                    model,
                    dataset,
                    column[found[metric]],
                    metric=metric,
                    preference=preference,
                    aside="an aggregate of others" if repeats else None,
                    lower=0.0 if percent else None,
                    upper=100.0 if percent else None,
                )


def _are_parts_listed(average: str, datasets: Iterable[str], averages: Iterable[str]) -> bool:
    """Tell whether what an average is over is there too: datasets with its first word, or averages with its name."""
    word = re.split("[-_]", average)[0].lower()
    parts = any(word in dataset.lower() for dataset in datasets)
    return parts or any(other.startswith((f"{average}-", f"{average}_")) for other in averages)


FORMAT: Final = Format("opencompass", "summary of OpenCompass", _recognises, _read)
