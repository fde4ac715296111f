"""What a board's wording does to its geometry: the linter of descriptions, and weights under other wordings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.board.checks.finding import SEVERITIES, Finding
from balance_of_benchmarks.board.retain import RankableBoard
from balance_of_benchmarks.errors import EncoderError
from balance_of_benchmarks.geometry.space import DENSITY_BANDWIDTH, Space, Weighting, measure_space
from balance_of_benchmarks.text.embed import embed
from balance_of_benchmarks.text.encoder import Encoder
from balance_of_benchmarks.text.register import count_words, missing_facets, split_sentences
from balance_of_benchmarks.text.registry import find_encoder
from balance_of_benchmarks.text.wording import find_wording_faults, template_share
from balance_of_benchmarks.types import FloatArray, IntArray

__all__ = ["DescriptionCheck", "Placement", "find_disagreements", "lint_descriptions", "place_wordings"]

_TEXT_MISSING: Final = "describe each in a paragraph of 40 to 80 words: bob describe writes the prompts"


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """A board's benchmarks where one wording and one encoder put them.

    Parameters
    ----------
    name : str
        The encoder's, and "paraphrase" where paraphrases stand for descriptions.
    units : ndarray of shape (N,)
        Weights, 1 being an equal share.
    nearest : ndarray of int, shape (N,)
        Position of each one's nearest; -1 where there is none.
    distance : ndarray of shape (N,)
        To it, in median distances; infinite where there is none.
    """

    name: str
    units: FloatArray
    nearest: IntArray
    distance: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class DescriptionCheck:
    """What was found on a board's descriptions.

    Parameters
    ----------
    board : Board
    findings : tuple of Finding
        The gravest first.
    table : polars.DataFrame
        One row a benchmark that would be ranked: `benchmark`, `name`, `words`, `sentences`, `missing_facets`,
        `template` (share of phrases found in three others), `units` (weight by the first placement), `units_low` and
        `units_high` (over all of them), and `nearest`, a list of the nearest in each.
    placements : tuple of Placement
    """

    board: Board
    findings: tuple[Finding, ...]
    table: pl.DataFrame
    placements: tuple[Placement, ...]


def lint_descriptions(
    board: Board,
    *,
    encoders: Sequence[str | Encoder] = ("wordllama",),
    min_observed: int = 5,
    weighting: Weighting = "inverse_density",
    density_bandwidth: float = DENSITY_BANDWIDTH,
) -> DescriptionCheck:
    """Look for what would bend a ranking in the words that benchmarks are described by.

    Use it before a board's descriptions are frozen: weights are a function of these texts and nothing else.

    Parameters
    ----------
    board : Board
    encoders : sequence of str or Encoder
        Each places the descriptions; the first places the paraphrases too, where the board has any.
    min_observed : int
        As for `Board.retain`.
    weighting, density_bandwidth
        As for `measure_space`.

    Returns
    -------
    DescriptionCheck

    Examples
    --------
    >>> import balance_of_benchmarks as bob
    >>> check = bob.lint_descriptions(bob.read_board("demo"))
    >>> sorted({finding.kind for finding in check.findings})
    ['text_facet', 'text_lineage']
    """
    kept = board.retain(min_observed)
    placements = place_wordings(kept, encoders, weighting=weighting, density_bandwidth=density_bandwidth)
    keys, texts = kept.benchmarks["key"].to_list(), kept.descriptions
    described = {key: text for key, text in zip(keys, texts, strict=True) if text is not None}
    findings = [*find_wording_faults(described, dict(board.benchmarks.select("key", "name").iter_rows()))]
    if missing := tuple(key for key in keys if key not in described):
        message = f"{len(missing)} of {len(keys)} benchmarks have no description"
        findings.append(Finding("text_missing", missing, message, _TEXT_MISSING))
    findings += find_disagreements(keys, placements)
    findings.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    return DescriptionCheck(board, tuple(findings), _tabulate(kept, placements), placements)


def place_wordings(
    kept: RankableBoard,
    encoders: Sequence[str | Encoder],
    *,
    weighting: Weighting = "inverse_density",
    density_bandwidth: float = DENSITY_BANDWIDTH,
) -> tuple[Placement, ...]:
    """Place a board's benchmarks by each encoder, and by paraphrases in the descriptions' stead.

    Parameters
    ----------
    kept : RankableBoard
    encoders : sequence of str or Encoder
    weighting, density_bandwidth
        As for `measure_space`.

    Returns
    -------
    tuple of Placement
        The first encoder's descriptions, its paraphrases if there are any (a benchmark without one keeps its
        description), then the other encoders'.
    """
    if isinstance(encoders, str) or not encoders:
        raise EncoderError(f"encoders is {encoders!r}: expected a list of one or more")
    chosen = [find_encoder(encoder) for encoder in encoders]
    texts, paraphrases = kept.descriptions, kept.benchmarks["paraphrase"].to_list()
    pairs = list(zip(texts, paraphrases, strict=True))
    reworded = [other if text and other and other.strip() else text for text, other in pairs]
    plan = [(encoder, encoder.identity.name, texts) for encoder in chosen]
    if reworded != texts:
        plan.insert(1, (chosen[0], f"{chosen[0].identity.name}, paraphrase", reworded))
    return tuple(
        _place(
            name,
            measure_space(
                embed(wording, encoder), texts=wording, weighting=weighting, density_bandwidth=density_bandwidth
            ),
        )
        for encoder, name, wording in plan
    )


def _place(name: str, space: Space) -> Placement:
    n = len(space.labels)
    away = space.distances.copy()
    np.fill_diagonal(away, np.inf)
    nearest = away.argmin(axis=1) if n else np.zeros(0, dtype=np.int64)
    distance = away[np.arange(n), nearest] / space.median if n else np.zeros(0)
    nearest = np.where(np.isfinite(distance), nearest, -1).astype(np.int64)
    return Placement(name, space.shares * n, nearest, distance)


def find_disagreements(keys: Sequence[str], placements: Sequence[Placement]) -> list[Finding]:
    """`text_disagreement`: benchmarks whose nearest neighbour is another one by another wording or encoder.

    Parameters
    ----------
    keys : sequence of str
    placements : sequence of Placement

    Returns
    -------
    list of Finding
        The widest interval of a weight first.
    """
    found = []
    for i, key in enumerate(keys):
        near = {placement.name: placement.nearest[i] for placement in placements}
        if len(set(near.values())) < 2:
            continue
        units = [float(placement.units[i]) for placement in placements]
        told = "; ".join(
            f"{placement.name}: {keys[placement.nearest[i]]} at {placement.distance[i]:.2f}"
            if placement.nearest[i] >= 0
            else f"{placement.name}: none"
            for placement in placements
        )
        message = f"{key} is nearest to another by another reading ({told}): its weight is {_interval(units)}"
        finding = Finding(
            "text_disagreement",
            (key,),
            message,
            "say more plainly what it measures; if it is plain, rank with both and see what changes",
        )
        found.append((max(units) - min(units), finding))
    return [finding for _, finding in sorted(found, key=lambda pair: -pair[0])]


def _interval(units: Sequence[float]) -> str:
    return f"{min(units):.2f} to {max(units):.2f} equal shares"


def _tabulate(kept: RankableBoard, placements: Sequence[Placement]) -> pl.DataFrame:
    texts, keys = kept.descriptions, kept.benchmarks["key"].to_list()
    units = np.array([placement.units for placement in placements])
    shares: Mapping[str, float] = template_share(
        {key: text for key, text in zip(keys, texts, strict=True) if text is not None}
    )
    return pl.DataFrame(
        {
            "benchmark": keys,
            "name": kept.benchmarks["name"],
            "words": pl.Series([None if text is None else count_words(text) for text in texts], dtype=pl.Int64),
            "sentences": pl.Series(
                [None if text is None else len(split_sentences(text)) for text in texts], dtype=pl.Int64
            ),
            "missing_facets": pl.Series(
                [None if text is None else list(missing_facets(text)) for text in texts], dtype=pl.List(pl.String)
            ),
            "template": pl.Series([shares.get(key) for key in keys], dtype=pl.Float64),
            "units": units[0],
            "units_low": units.min(axis=0),
            "units_high": units.max(axis=0),
            "nearest": pl.Series(
                [
                    [keys[placement.nearest[i]] if placement.nearest[i] >= 0 else None for placement in placements]
                    for i in range(len(keys))
                ],
                dtype=pl.List(pl.String),
            ),
        }
    )
