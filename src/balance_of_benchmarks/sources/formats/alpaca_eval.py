"""AlpacaEval: its leaderboards as CSV, one row a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import polars as pl

from balance_of_benchmarks.board.numbers import parse_numbers
from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.reading import Choice, Format, Measure, Reading, pick_metrics, tabulate_measures

__all__ = ["FORMAT"]

# Corrected for length first, since judges favour the longer answer.
_METRICS: Final = ("length_controlled_winrate", "win_rate", "discrete_win_rate")
_ERRORS: Final = {"length_controlled_winrate": "lc_standard_error", "win_rate": "standard_error"}


def _recognises(document: Document) -> bool:
    table = document.table
    if table is None or table.dtypes[:1] != [pl.String]:
        return False
    return table.columns[0] == "" and {"win_rate", "standard_error", "n_total"} <= set(table.columns)


def _read(document: Document, choice: Choice) -> Reading:
    """Take the win rate that is corrected for length; a leaderboard without it is of the first AlpacaEval."""
    table = document.content
    numbers = {
        name: parse_numbers(table[name], f"{document.path}: column {name}")
        for name in (*_METRICS, *_ERRORS.values(), "n_total", "avg_length")
        if name in table.columns
    }
    second = "length_controlled_winrate" in numbers
    benchmark = (
        {"key": "alpaca_eval_2", "name": "AlpacaEval 2"} if second else {"key": "alpaca_eval", "name": "AlpacaEval"}
    )
    metrics = [metric for metric in _METRICS if metric in numbers]
    modes = table["mode"] if "mode" in table.columns else pl.Series([None] * table.height, dtype=pl.String)
    return Reading(
        measures=tabulate_measures(_measure(table[""], numbers, benchmark["key"], metrics, choice)),
        models=pl.DataFrame({"key": table[""], "mode": modes, "avg_length": numbers.get("avg_length")}),
        benchmarks=pl.DataFrame([benchmark]),
        metrics=frozenset(metrics),
        attribution="AlpacaEval, https://tatsu-lab.github.io/alpaca_eval/",
    )


def _measure(
    models: pl.Series, numbers: Mapping[str, pl.Series], benchmark: str, metrics: Sequence[str], choice: Choice
) -> Iterator[Measure]:
    nothing = pl.Series([None] * models.len(), dtype=pl.Float64)
    n_items = numbers["n_total"].cast(pl.Int64, strict=False)
    for metric, preference in pick_metrics(benchmark, dict.fromkeys(metrics), (), choice):
        errors = numbers.get(_ERRORS.get(metric, ""), nothing)
        for model, score, error, items in zip(models, numbers[metric], errors, n_items, strict=True):
            yield Measure(
                model,
                benchmark,
                score,
                metric=metric,
                preference=preference,
                standard_error=error,
                n_items=items,
                lower=0.0,
                upper=100.0,
            )


FORMAT: Final = Format("alpaca_eval", "leaderboard of AlpacaEval", _recognises, _read)
