"""The texts read otherwise: in other words, without lineage, by encoders of other sizes (Appendices E and F)."""

from __future__ import annotations

from typing import Final

import numpy as np

from balance_of_benchmarks.paper.protocol import CLOSE_PAIRS, TAU_PAIR
from balance_of_benchmarks.paper.readings import PAPER_ENCODER, Reading, Unread
from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.paper.values.heldout import mean_of
from balance_of_benchmarks.paper.values.value import Missing, Value, Values, fill_row, missing_row

__all__ = ["give_readings"]

_SIZES: Final = {"0.6B": "qwen3-0.6b", "4B": "qwen3-4b", "8B": "qwen3-8b"}
_PAIRS: Final = {"aime": CLOSE_PAIRS[0], "terminal": CLOSE_PAIRS[1], "tau": TAU_PAIR}


def give_readings(redone: Redone) -> Values:
    """Give the values of paraphrases, of texts without lineage and of the paper's encoders.

    Parameters
    ----------
    redone : Redone

    Returns
    -------
    Values
    """
    return {**_paraphrased(redone), **_stripped(redone), **_sizes(redone), **_spread(redone)}


def _paraphrased(redone: Redone) -> Values:
    said: tuple[Value, Value] = (Missing(f"{redone.texts.source} have no paraphrases"),) * 2
    if redone.paraphrased is not None:
        said = redone.paraphrased
    return {
        **fill_row("lineage", "", {"paraphrase_level": said[0], "paraphrase_profile": said[1]}),
        **fill_row("lineage", "", {"bob_level": mean_of(redone, "bob", "level")}),
        **fill_row("lineage", "", {"bob_profile": mean_of(redone, "bob", "profile")}),
    }


def _stripped(redone: Redone) -> Values:
    read, values = redone.stripped, fill_row("lineage", "", {"stripped_descriptions": len(redone.texts.stripped)})
    upper = np.triu_indices(len(redone.keys), 1)
    for pair, keys in _PAIRS.items():
        apart: Value
        rank: Value
        if isinstance(read, Unread):
            apart = rank = Missing(read.reason)
        else:
            apart = _apart(redone, read, *keys)
            rank = 1 + int((read.space.distances[upper] < apart).sum())
        values["lineage", "", f"distance_{pair}_pair_stripped"] = apart
        values["macros", "", f"bob{pair.capitalize()}PairStrippedDistThree"] = apart
        if pair == "tau":
            values["limitations", "", "distance_tau_pair_stripped"] = apart
        else:
            values["lineage", "", f"{pair}_pair_closeness_rank_stripped"] = rank
    if isinstance(read, Unread):
        return values | missing_row("lineage", "", ("stripped_level", "stripped_profile"), read.reason)
    return values | fill_row("lineage", "", {"stripped_level": read.level, "stripped_profile": read.profile})


def _apart(redone: Redone, read: Reading, first: str, second: str) -> float:
    return float(read.space.distances[redone.position(first), redone.position(second)])


def _sizes(redone: Redone) -> Values:
    """The table of the paper's three encoders; beside the main text's column stands ours, whatever it was made with."""
    values: Values = {}
    for size, name in _SIZES.items():
        read = next(row.reading for row in redone.encoders if row.name == name)
        column: dict[str, Value]
        if isinstance(read, Reading):
            column = {"level": read.level, "profile": read.profile, "copy_shift_ranks": read.copy_shift}
        elif name == PAPER_ENCODER:
            column = {
                "level": mean_of(redone, "bob", "level"),
                "profile": mean_of(redone, "bob", "profile"),
                "copy_shift_ranks": redone.relisting("inverse_density").mean.largest,
            }
        else:
            column = dict.fromkeys(("level", "profile", "copy_shift_ranks"), Missing(read.reason))
        for row, value in column.items():
            values |= fill_row("encoder_sizes", row, {size: value})
        values |= fill_row("embedding_size_text", "", {f"copy_shift_ranks_{size}": column["copy_shift_ranks"]})
    return values


def _spread(redone: Redone) -> Values:
    """How far level and profile vary over the three sizes, at most."""
    read = {row.name: row.reading for row in redone.encoders if row.name in _SIZES.values()}
    found = [reading for reading in read.values() if isinstance(reading, Reading)]
    value: Value = Missing("needs all three encoders of the paper: " + ", ".join(_SIZES.values()))
    if len(found) == len(_SIZES):
        value = float(max(np.ptp([r.level for r in found]), np.ptp([r.profile for r in found])))
    return {
        **fill_row("embedding_size_text", "", {"max_change_level_profile": value}),
        **fill_row("macros", "", {"bobEmbeddingHeadlineSpreadBoundThree": value}),
        **fill_row("ablations_controls", "", {"embedding_size_max_change": value}),
    }
