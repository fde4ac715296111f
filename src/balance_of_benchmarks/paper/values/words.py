"""Descriptions, their distances and queries (§3.2-3.3, Appendices F to H)."""

from __future__ import annotations

import re
from typing import Final

from balance_of_benchmarks.paper.protocol import CLOSE_PAIRS, SENTENCES, TAU_PAIR, WORDS
from balance_of_benchmarks.paper.published import Place, find_published, read_published
from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.paper.values.heldout import compared_of, list_survivors, mean_of
from balance_of_benchmarks.paper.values.readings import give_readings
from balance_of_benchmarks.paper.values.stress import units_of
from balance_of_benchmarks.paper.values.value import Missing, Value, Values, fill_list, fill_row, missing_row
from balance_of_benchmarks.ranking.task import TaskRanking
from balance_of_benchmarks.text.local import BATCH, MAX_LENGTH

__all__ = ["give_words"]

_EXAMPLE: Final = "software_engineering_agent"
_MOVERS: Final = 3
_NO_TASK: Final = "the texts have no such task"


def give_words(redone: Redone) -> Values:
    """Give the values that texts and their vectors decide.

    Parameters
    ----------
    redone : Redone

    Returns
    -------
    Values
    """
    return {
        **_distances(redone),
        **_queries(redone),
        **_example(redone),
        **give_readings(redone),
        **_construction(redone),
        **_headlines(redone),
    }


def _distances(redone: Redone) -> Values:
    space = redone.study.space
    aime, terminal = (_apart(redone, *pair) for pair in CLOSE_PAIRS)
    tau, pairs = _apart(redone, *TAU_PAIR), len(redone.keys) * (len(redone.keys) - 1) // 2
    closest = {"distance_aime_pair": aime, "distance_terminal_pair": terminal}
    figure = {**closest, "distance_median_pairwise": space.median, "pairwise_distances": pairs}
    benchmarks = len(redone.keys)
    return {
        **fill_row("fig_teaser", "", {**figure, "descriptions": benchmarks, "equal_share_denominator": benchmarks}),
        **fill_row("introduction", "", {**figure, "descriptions": benchmarks}),
        **fill_row("introduction", "", {"equal_weight_share_denominator": benchmarks}),
        **fill_row("introduction", "", {"pool_benchmarks": len(redone.predictions.pools[0])}),
        **fill_row("limitations", "", {"distance_tau_pair": tau, "tau_pair_units": units_of(redone, *TAU_PAIR)}),
        **fill_row("limitations", "", {"heldout_benchmarks": len(redone.predictions.targets)}),
        **fill_row("lineage", "", {**closest, "distance_tau_pair": tau}),
        **fill_row(
            "macros",
            "",
            {
                "bobAimePairDistTwo": aime,
                "bobAimePairDistThree": aime,
                "bobTerminalPairDistTwo": terminal,
                "bobTerminalPairDistThree": terminal,
                "bobMedianPairDistTwo": space.median,
                "bobTauPairDistThree": tau,
            },
        ),
    }


def _apart(redone: Redone, first: str, second: str) -> float:
    return float(redone.study.space.distances[redone.position(first), redone.position(second)])


def _queries(redone: Redone) -> Values:
    values = fill_row("queries", "", {"median_benchmark_distance": redone.study.space.median})
    named = {place[1] for place in _places("queries") if place[1]}
    for task in sorted(named):
        answers = redone.answers.get(task)
        if answers is None:
            columns = ("distance_raw", "distance_canonical", "support_raw", "support_canonical")
            values |= missing_row("queries", task, columns, _NO_TASK)
            continue
        for form, answer in (("raw", answers.raw), ("canonical", answers.canonical)):
            found = {f"distance_{form}": answer.nearest[0].distance, f"support_{form}": answer.support}
            values |= fill_row("queries", task, found)
    return values


def _places(table: str) -> list[Place]:
    return [published.place for published in read_published() if published.place[0] == table]


def _example(redone: Redone) -> Values:
    table, answers = "illustrative_query", redone.answers.get(_EXAMPLE)
    if answers is None:
        return missing_row(table, "", [place[2] for place in _places(table)], _NO_TASK)
    answer = answers.canonical
    values: Values = fill_row(table, "", {"median_support": answer.support})
    for n, neighbour in enumerate(answer.nearest[:_MOVERS], 1):
        near: dict[str, Value] = {
            f"nearest.{n}.benchmark": neighbour.benchmark,
            f"nearest.{n}.distance": neighbour.distance,
        }
        values |= fill_row(table, "", near)
    moves = _list_moves(answer)
    movers = sorted(moves, key=lambda model: -abs(moves[model][1] - moves[model][0]))
    for n, mover in enumerate(movers[:_MOVERS], 1):
        values |= fill_row(table, "", {f"largest_rank_movers.{n}.model": mover})
        # Places are held against those of the model that the paper names.
        published = find_published((table, "", f"largest_rank_movers.{n}.model"))
        place = moves.get(published.text) if published is not None else None
        gone = Missing("the board has no such model")
        for side, end in enumerate(("from", "to")):
            values[table, "", f"largest_rank_movers.{n}.{end}"] = gone if place is None else place[side]
    return values | fill_list(table, "top_three", answer.table["model"].head(3).to_list())


def _list_moves(answer: TaskRanking) -> dict[str, tuple[int, int]]:
    """Global place and place for the task of every model that has both."""
    table = answer.table.drop_nulls(["rank", "global_rank"])
    return {row["model"]: (row["global_rank"], row["rank"]) for row in table.iter_rows(named=True)}


def _construction(redone: Redone) -> Values:
    texts = [redone.texts.descriptions[key] for key in redone.keys]
    counted = {
        "sentences": ([len(re.findall(r"[.!?](?=\s|$)", text)) for text in texts], SENTENCES),
        "words": ([len(text.split()) for text in texts], WORDS),
    }
    table = "text_construction"
    # What was asked of the texts, where they keep to it; where they do not, what they have.
    asked: Values = {}
    for name, (counts, (low, high)) in counted.items():
        asked |= fill_list(table, name, [min(low, *counts), max(high, *counts)])
    return {
        **fill_row(table, "", {"descriptions": len(texts), "queries": len(redone.answers)}),
        **fill_row(table, "", {"query_strings": 2 * len(redone.answers)}),
        **asked,
        **fill_row(table, "", {"max_sequence_length": MAX_LENGTH, "batch_size": BATCH}),
    }


def _headlines(redone: Redone) -> Values:
    """What abstract, introduction and macros repeat."""
    ours = {metric: mean_of(redone, "bob", metric) for metric in ("level", "profile", "isotonic")}
    matched, category = "control:support_matched", "control:category"
    return {
        **fill_row("abstract", "", {"profile_bob": ours["profile"]}),
        **fill_row("abstract", "", {"profile_equal_weight": mean_of(redone, "equal_weight", "profile")}),
        **fill_row("introduction", "", {"level_bob": ours["level"], "profile_bob": ours["profile"]}),
        **fill_list("macros", "bobClosePairHolmSurvivors", list_survivors(redone)),
        **fill_row(
            "macros",
            "",
            {
                "bobCharacteristicOnlyProfileThree": redone.constructions["B"].profile,
                "bobLinearFieldProfileThree": redone.constructions["C"].profile,
                "bobOutIndexLevelThree": mean_of(redone, "bob", "level", "outside_index"),
                "bobOutIndexProfileThree": mean_of(redone, "bob", "profile", "outside_index"),
                "bobAggregationProfileThree": ours["profile"],
                "bobAggregationIsotonicThree": ours["isotonic"],
                "bobMatchedDeltaThree": compared_of(redone, matched, "profile", "difference"),
                "bobCategoryResidualDeltaThree": compared_of(redone, category, "profile", "difference"),
                "bobMatchedHolmThree": compared_of(redone, matched, "profile", "p_holm"),
            },
        ),
    }
