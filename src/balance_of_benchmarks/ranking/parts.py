"""Tasks asked together: their shares, their neighbours, and what the board has to say on each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from balance_of_benchmarks.errors import TaskError
from balance_of_benchmarks.ranking.task import Neighbour, TaskPart
from balance_of_benchmarks.types import FloatArray

__all__ = ["explain_evidence", "list_nearest", "share_weights", "summarize_parts"]

_NEAREST: Final = 5
_TOLD: Final = 3  # parts told one by one


def share_weights(weights: Mapping[str, float]) -> FloatArray:
    """Turn the weights of tasks into shares of the whole, and refuse what is no task.

    Parameters
    ----------
    weights : mapping of str to float

    Returns
    -------
    ndarray of shape (K,)
        Sums to 1.

    Raises
    ------
    TaskError
    """
    if not weights:
        raise TaskError("no task is given: expected one or more, each with its weight")
    for text, weight in weights.items():
        if not isinstance(text, str) or not any(character.isalpha() for character in text):
            raise TaskError(f"the task is {text!r}: expected a sentence saying what the model is to do")
        if isinstance(weight, bool) or not isinstance(weight, int | float | np.number) or not math.isfinite(weight):
            raise TaskError(f"the weight of {text[:40]!r} is {weight!r}: expected a number")
        if weight < 0:
            raise TaskError(f"the weight of {text[:40]!r} is {weight:g}: expected none below 0")
    values = np.array([float(weight) for weight in weights.values()])
    # Divided by the largest first, so that no sum overflows.
    values = values / values.max() if values.any() else values
    if not values.any():
        raise TaskError("every task has weight 0: expected a positive one")
    shares: FloatArray = values / values.sum()
    return shares


def list_nearest(keys: Sequence[str], distances: FloatArray) -> tuple[Neighbour, ...]:
    """List the nearest benchmarks, nearest first.

    Parameters
    ----------
    keys : sequence of str
    distances : ndarray of shape (N,)
        Infinite where there is no text.

    Returns
    -------
    tuple of Neighbour
    """
    order = np.argsort(distances, kind="stable")[:_NEAREST]
    return tuple(Neighbour(keys[i], float(distances[i])) for i in order if np.isfinite(distances[i]))


def summarize_parts(parts: Sequence[TaskPart]) -> str | None:
    """Give the text of a task, or the first few of several with their shares.

    Parameters
    ----------
    parts : sequence of TaskPart

    Returns
    -------
    str or None
        None for a vector.
    """
    if len(parts) == 1:
        return parts[0].text
    told = "; ".join(f"{part.weight:.3g}: {part.text}" for part in parts[:_TOLD])
    return told + (f"; ... ({len(parts)} tasks in all)" if len(parts) > _TOLD else "")


def explain_evidence(
    parts: Sequence[TaskPart], nearest: Sequence[Neighbour], median: float, threshold: float | None
) -> str:
    """Say in a sentence what the board has on a task.

    Parameters
    ----------
    parts : sequence of TaskPart
    nearest : sequence of Neighbour
        To any of them.
    median : float
        The unit of distance.
    threshold : float or None
        In units.

    Returns
    -------
    str
    """
    near = f"{nearest[0].benchmark}", nearest[0].distance / median
    silent = [part for part in parts if part.abstained]
    if len(silent) == len(parts):
        return (
            f"the board has no evidence on this task: its nearest benchmark, {near[0]}, is "
            f"{near[1]:.2f} median distances away and the limit is {threshold:.2f}; this is the global ranking"
        )
    why = f"nearest benchmark {near[0]} at {near[1]:.2f} median distances"
    if silent:
        share = sum(part.weight for part in silent)
        told = ", ".join(repr(_cut(part.text)) for part in silent[:_TOLD]) + (", ..." if len(silent) > _TOLD else "")
        why += f"; no evidence on {len(silent)} of {len(parts)} parts, {share:.0%} of the whole, beyond the limit of "
        why += f"{threshold:.2f}: {told}"
    if threshold is None:
        why += "; the encoder is not calibrated for abstention, so a task off the board is not noticed"
    return why


def _cut(text: str | None, most: int = 60) -> str:
    return text or "" if len(text or "") <= most else f"{(text or '')[: most - 1]}…"
