"""Where a board's benchmarks and what is asked of it lie in description space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.board.retain import RankableBoard
from balance_of_benchmarks.errors import ArrayError, TaskError, name_unknown
from balance_of_benchmarks.geometry.space import Space, Weighting, measure_space
from balance_of_benchmarks.ranking.parts import share_weights
from balance_of_benchmarks.text.embed import embed
from balance_of_benchmarks.text.encoder import Encoder
from balance_of_benchmarks.text.vectors import VectorFile
from balance_of_benchmarks.types import FloatArray, as_floats

__all__ = ["Asked", "place_benchmarks", "place_task"]

Asked = str | Mapping[str, float] | ArrayLike
"""A task's text; several, each with its weight; or a vector."""


def place_benchmarks(
    board: Board,
    kept: RankableBoard,
    *,
    encoder: Encoder | NDArray[Any],
    weighting: Weighting,
    density_bandwidth: float,
    weights: Mapping[str, float] | ArrayLike | None,
    target: Mapping[str, float] | ArrayLike | None,
) -> Space:
    """Place the retained benchmarks, and weigh them.

    Parameters
    ----------
    board : Board
        In whose order vectors given by rows are.
    kept : RankableBoard
    encoder, weighting, density_bandwidth, weights, target
        As for `BalanceOfBenchmarks`.

    Returns
    -------
    Space
    """
    keys = kept.benchmarks["key"].to_list()
    given = _find_rows(encoder)
    if given is not None:
        rows = board.benchmarks["key"].to_list()
        if given.shape[:1] != (len(rows),):
            raise ArrayError(
                f"encoder is an array of shape {given.shape}: expected one row for each of the board's "
                f"{len(rows)} benchmarks"
            )
        vectors = as_floats(given[[rows.index(key) for key in keys]], "encoder")
    elif isinstance(encoder, VectorFile):
        vectors = encoder.place(keys, kept.descriptions)
    else:
        vectors = embed(kept.descriptions, encoder)
    return measure_space(
        vectors,
        texts=kept.descriptions,
        weighting=weighting,
        density_bandwidth=density_bandwidth,
        weights=_by_key(weights, keys, "weights", 0.0),
        target=_by_key(target, keys, "target", 1.0),
    )


def place_task(
    task: Asked, encoder: Encoder | NDArray[Any], width: int
) -> tuple[list[str | None], FloatArray, FloatArray]:
    """Place what was asked.

    Parameters
    ----------
    task : str, mapping of str to float, or array-like of shape (d,)
    encoder : Encoder or ndarray
    width : int
        d, of the benchmarks' vectors.

    Returns
    -------
    list of str or None, length K
        The texts; None for a vector.
    ndarray of shape (K,)
        Shares, which sum to 1.
    ndarray of shape (K, d)
    """
    if isinstance(task, str | Mapping):
        weights = {task: 1.0} if isinstance(task, str) else task
        shares = share_weights(weights)
        if _find_rows(encoder) is not None:
            raise TaskError("the vectors were given as an array, so a text cannot be placed: give the task's vector")
        return [*weights], shares, embed(list(weights), encoder)
    vector = as_floats(task, "the task's vector")
    if vector.shape != (width,) or not np.isfinite(vector).all() or not vector.any():
        raise TaskError(
            f"the task's vector has shape {vector.shape}: expected ({width},), as the benchmarks have, "
            "finite and not zero"
        )
    return [None], np.ones(1), vector[None]


def _find_rows(encoder: Encoder | NDArray[Any]) -> NDArray[Any] | None:
    """Vectors that go with the board's benchmarks by their order alone."""
    return encoder.rows if isinstance(encoder, VectorFile) else encoder if isinstance(encoder, np.ndarray) else None


def _by_key(
    values: Mapping[str, float] | ArrayLike | None, keys: Sequence[str], name: str, default: float
) -> ArrayLike | None:
    if not isinstance(values, Mapping):
        return values
    for key in values:
        if key not in keys:
            raise ArrayError(name_unknown(f"the retained benchmarks ({name})", str(key), keys))
    return [values.get(key, default) for key in keys]
