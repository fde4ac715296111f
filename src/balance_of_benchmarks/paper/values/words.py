"""Descriptions, their distances, queries, other texts and encoders (§3.2-3.3, Appendices F to H)."""

from __future__ import annotations

import re
from typing import Final

from balance_of_benchmarks.evaluation.relisting import Relisting
from balance_of_benchmarks.paper.protocol import CLOSE_PAIRS, SENTENCES, WORDS
from balance_of_benchmarks.paper.published import Place, find_published, read_published
from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.paper.values.heldout import compared_of, list_survivors, mean_of
from balance_of_benchmarks.paper.values.stress import units_of
from balance_of_benchmarks.paper.values.value import Missing, Value, Values, fill_list, fill_row, missing_row
from balance_of_benchmarks.ranking.task import TaskRanking

__all__ = ["give_words"]

_EXAMPLE: Final = "software_engineering_agent"
_TAU: Final = ("tau2", "tau_banking")
_MOVERS: Final = 3
_NOT_PRINTED: Final = "the paper does not print its texts without lineage"
_OTHER_SIZES: Final = "needs vectors of another encoder of the paper: --vectors takes those of one"
_NO_TASK: Final = "the texts have no such task"
_ITS_ENCODER: Final = "a setting of the paper's encoder, which was not run"


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
        **_other_texts(redone),
        **_encoders(redone),
        **_construction(redone),
        **_headlines(redone),
    }


def _distances(redone: Redone) -> Values:
    space = redone.study.space
    aime, terminal = (_apart(redone, *pair) for pair in CLOSE_PAIRS)
    tau, pairs = _apart(redone, *_TAU), len(redone.keys) * (len(redone.keys) - 1) // 2
    closest = {"distance_aime_pair": aime, "distance_terminal_pair": terminal}
    figure = {**closest, "distance_median_pairwise": space.median, "pairwise_distances": pairs}
    benchmarks = len(redone.keys)
    return {
        **fill_row("fig_teaser", "", {**figure, "descriptions": benchmarks, "equal_share_denominator": benchmarks}),
        **fill_row("introduction", "", {**figure, "descriptions": benchmarks}),
        **fill_row("introduction", "", {"equal_weight_share_denominator": benchmarks}),
        **fill_row("introduction", "", {"pool_benchmarks": len(redone.predictions.pools[0])}),
        **fill_row("limitations", "", {"distance_tau_pair": tau, "tau_pair_units": units_of(redone, *_TAU)}),
        **fill_row("limitations", "", {"distance_tau_pair_stripped": Missing(_NOT_PRINTED)}),
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
                **{f"bob{name}PairStrippedDistThree": Missing(_NOT_PRINTED) for name in ("Aime", "Terminal", "Tau")},
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


def _other_texts(redone: Redone) -> Values:
    said: tuple[Value, Value] = (Missing(f"{redone.texts.source} have no paraphrases"),) * 2
    if redone.paraphrased is not None:
        said = redone.paraphrased
    stripped = ("stripped_level", "stripped_profile", "stripped_descriptions")
    ranks = ("aime_pair_closeness_rank_stripped", "terminal_pair_closeness_rank_stripped")
    distances = tuple(f"distance_{pair}_pair_stripped" for pair in ("aime", "terminal", "tau"))
    return {
        **fill_row("lineage", "", {"paraphrase_level": said[0], "paraphrase_profile": said[1]}),
        **fill_row("lineage", "", {"bob_level": mean_of(redone, "bob", "level")}),
        **fill_row("lineage", "", {"bob_profile": mean_of(redone, "bob", "profile")}),
        **missing_row("lineage", "", (*stripped, *ranks, *distances), _NOT_PRINTED),
    }


def _encoders(redone: Redone) -> Values:
    """The 8B column is the main text's: ours stands beside it. The other two need encoders of their own."""
    ours: Relisting = redone.relisting("inverse_density")
    column = {
        "level": mean_of(redone, "bob", "level"),
        "profile": mean_of(redone, "bob", "profile"),
        "copy_shift_ranks": ours.mean.largest,
    }
    values: Values = {}
    for row, value in column.items():
        values |= fill_row("encoder_sizes", row, {"8B": value})
        values |= missing_row("encoder_sizes", row, ("0.6B", "4B"), _OTHER_SIZES)
    return {
        **values,
        **fill_row("embedding_size_text", "", {"copy_shift_ranks_8B": ours.mean.largest}),
        **missing_row(
            "embedding_size_text",
            "",
            ("max_change_level_profile", "copy_shift_ranks_0.6B", "copy_shift_ranks_4B"),
            _OTHER_SIZES,
        ),
        **missing_row("macros", "", ("bobEmbeddingHeadlineSpreadBoundThree",), _OTHER_SIZES),
    }


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
        **missing_row(table, "", ("max_sequence_length", "batch_size"), _ITS_ENCODER),
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
