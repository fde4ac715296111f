"""The paper's main figures where its texts are read otherwise: by other encoders, in other words, without lineage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.errors import EncoderError
from balance_of_benchmarks.evaluation.evaluate import study_model
from balance_of_benchmarks.evaluation.relisting import relist
from balance_of_benchmarks.evaluation.shuffling import held_out_means
from balance_of_benchmarks.geometry.space import Space
from balance_of_benchmarks.paper.dressing import describe_as
from balance_of_benchmarks.paper.protocol import COPIES
from balance_of_benchmarks.paper.texts import PaperTexts
from balance_of_benchmarks.ranking.estimator import BalanceOfBenchmarks
from balance_of_benchmarks.text.encoder import Encoder
from balance_of_benchmarks.text.keeping import VectorCache
from balance_of_benchmarks.text.local import PRESETS, weights_are_here
from balance_of_benchmarks.text.registry import find_encoder
from balance_of_benchmarks.transport.store import cache_folder

__all__ = ["PAPER_ENCODER", "EncoderRow", "Reading", "Unread", "read_encoders", "read_stripped"]

PAPER_ENCODER: Final = "qwen3-8b"
"""Ours of the paper's main encoder; the other two sizes are presets too."""
_ALWAYS: Final = (*PRESETS, "wordllama", "ngrams")


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The main figures under one encoder and one wording.

    Parameters
    ----------
    space : Space
        Where the benchmarks stand; its distances, median and weights.
    level, profile : float
        Means over the benchmarks held out, with the field's bandwidth at the paper's .45 medians.
    copy_shift : float
        Largest change of rank when a benchmark is listed four times more, mean over benchmarks.
    """

    space: Space
    level: float
    profile: float
    copy_shift: float


@dataclass(frozen=True, slots=True)
class Unread:
    """There is no reading, and why."""

    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class EncoderRow:
    """One row of the table of encoders.

    Parameters
    ----------
    name : str
    main : bool
        Whether everything else was redone with it.
    reading : Reading or Unread
    """

    name: str
    main: bool
    reading: Reading | Unread


def read_board_by(board: Board, encoder: str | Encoder) -> Reading:
    """Fit a described board with an encoder's vectors, and take the main figures.

    Parameters
    ----------
    board : Board
    encoder : str or Encoder

    Returns
    -------
    Reading
    """
    model = BalanceOfBenchmarks(preset="paper", encoder=encoder, abstain_beyond=float("inf")).fit(board)
    study = study_model(model)
    level, profile = held_out_means(study)
    shifted = relist(study, copies=COPIES, weighting="inverse_density").mean.largest
    return Reading(study.space, level, profile, shifted)


def read_encoders(board: Board, main: Encoder, further: Sequence[str | Encoder] = ()) -> tuple[EncoderRow, ...]:
    """Take the main figures under every encoder that is asked for or can be had.

    Parameters
    ----------
    board : Board
        Under the texts that are redone.
    main : Encoder
    further : sequence of str or Encoder
        A failure of one of these is the caller's to hear of.

    Returns
    -------
    tuple of EncoderRow
        The three of the paper, WordLlama and n-grams, whether asked for or not, and the others behind them. Of the
        paper's three, one whose vectors are not kept and whose weights are not on this machine is `Unread`: nothing
        of such a size is downloaded without being asked for.

    Raises
    ------
    EncoderError
    """
    # By identity, for two files of vectors may have one name.
    asked = {encoder.identity: encoder for encoder in (main, *map(find_encoder, further))}
    rows = [
        EncoderRow(identity.name, main=n == 0, reading=read_board_by(board, encoder))
        for n, (identity, encoder) in enumerate(asked.items())
    ]
    for name in _ALWAYS:
        if all(row.name != name for row in rows):
            rows.append(EncoderRow(name, main=False, reading=_read_unasked(board, name)))
    return tuple(sorted(rows, key=lambda row: _ALWAYS.index(row.name) if row.name in _ALWAYS else len(_ALWAYS)))


def _read_unasked(board: Board, name: str) -> Reading | Unread:
    """Take the figures of an encoder that nobody asked for, by vectors it has left or by weights that are here."""
    encoder = find_encoder(name)
    if name in PRESETS:
        kept = VectorCache(cache_folder() / "vectors", encoder.identity).find()
        whole = all(text in kept for text in board.benchmarks["description"])
        if not whole and not weights_are_here(PRESETS[name]):
            return Unread(f"its weights are not here: bob paper --encoder {name}, the rest as now, fetches and runs it")
    try:
        return read_board_by(board, encoder)
    except EncoderError as error:  # it was not asked for: it may not end what was
        return Unread(str(error))


def read_stripped(board: Board, texts: PaperTexts, encoder: Encoder) -> Reading | Unread:
    """Take the main figures with descriptions that speak of no other benchmark.

    Parameters
    ----------
    board : Board
        Under the texts that are redone.
    texts : PaperTexts
    encoder : Encoder

    Returns
    -------
    Reading or Unread

    Notes
    -----
    Appendix E, "Lineage-stripped descriptions". Unlike the paper, which does not print its four texts: what is cut is
    what `LineageFinder.strip` cuts, unless a file of texts says otherwise.
    """
    if nothing := [key for key, text in texts.stripped.items() if text is None]:
        return Unread(f"nothing is left of {', '.join(nothing)} without lineage: the file of texts can give it")
    whole = texts.descriptions | {key: text for key, text in texts.stripped.items() if text is not None}
    try:
        return read_board_by(describe_as(board, whole), encoder)
    except EncoderError:
        # A file of vectors; any other encoder that fails has failed before.
        return Unread(f"{encoder.identity.name} has no vectors of the texts without lineage, named stripped/KEY")
