"""When a board has nothing to say on a task: a distance calibrated on tasks that make sense and texts that do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from balance_of_benchmarks.geometry.space import measure_space
from balance_of_benchmarks.text.embed import embed
from balance_of_benchmarks.text.encoder import Encoder, EncoderIdentity
from balance_of_benchmarks.text.tasks import TaskForm
from balance_of_benchmarks.types import FloatArray

__all__ = ["COVERED_TASKS", "NONSENSE", "Calibration", "abstention_threshold", "calibrate_abstention"]

COVERED_TASKS: Final = (
    "coach students for maths olympiads",
    "solve competition problems in number theory and geometry with full derivations",
    "answer questions from graduate physics and chemistry exams",
    "answer biology exam questions",
    "advise on questions of medicine, law and engineering that need expert knowledge",
    "write Python programs that solve algorithm contest problems",
    "competitive programming",
    "implement numerical methods for physics simulations in Python",
    "write python unit tests",
    "follow formatting instructions exactly: word counts, required keywords, sections in a given order",
    "answer questions about a bundle of long company reports",
    "summarise long legal contracts and find the clauses that contradict each other",
    "work in a terminal: build software, run commands, fix failing builds without help",
    "fix bugs in a repository from the terminal",
    "administer a Linux server from the shell",
    "customer support with tools",
    "handle refunds and bookings for an airline's customers, following company policy",
    "customer service agent for a telephone company that calls internal tools",
    "banking chat agent",
    "help bank customers with card disputes and transfers by calling banking tools",
)
"""Tasks that a board of the paper's fourteen benchmarks has evidence on, short and long."""

NONSENSE: Final = (
    "asdf qwer zxcv",
    "lorem ipsum dolor sit amet consectetur",
    "purple elephants dance on tuesday",
    "banana banana banana",
    "the the the the",
    "xyzzy plugh",
    "mmmmmmmm",
    "a cake of apples and cinnamon like my grandmother's",
    "weather tomorrow in Lisbon",
    "hgfjdk sla qowieur",
    "red blue green yellow",
    "how tall is the mountain over there",
    "the football match last night was boring",
    "kittens sleeping in the sun",
    "blorptang wibble frood",
    "rain on the roof at midnight",
    "sofa curtains lamp carpet",
    "left right left right left",
    "hello hello is anybody there",
    "three wet umbrellas in the hall",
)
"""Texts that no benchmark of that board bears on."""


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """Where an encoder puts the border between tasks and nonsense, in median distances.

    Parameters
    ----------
    threshold : float
        Middle of the gap that separates the two lists with the fewest mistakes.
    mistakes : int
        Tasks beyond it and nonsense within.
    covered, nonsense : ndarray of shape (2 n,)
        Distance of each text to its nearest benchmark, then of each written on a form.
    """

    threshold: float
    mistakes: int
    covered: FloatArray
    nonsense: FloatArray


# By encoder name and options, of which the width is one; docs/encoders.md shows the distances behind it and a test
# calibrates again. Middle of the gap between the farthest of COVERED_TASKS and the nearest of NONSENSE, as they are and
# on a form.
_THRESHOLDS: Final[dict[tuple[str, tuple[tuple[str, str], ...]], float]] = {("wordllama", (("dim", "256"),)): 1.08}


def abstention_threshold(identity: EncoderIdentity) -> float | None:
    """Give the calibrated threshold of an encoder, or None for one that was not calibrated.

    Parameters
    ----------
    identity : EncoderIdentity

    Returns
    -------
    float or None
        In multiples of the median distance.
    """
    return _THRESHOLDS.get((identity.name, identity.options))


def calibrate_abstention(
    encoder: str | Encoder,
    descriptions: Sequence[str],
    *,
    covered: Sequence[str] = COVERED_TASKS,
    nonsense: Sequence[str] = NONSENSE,
) -> Calibration:
    """Find the distance beyond which a text is no task for a board.

    Use it for an encoder of your own, and give the result to `BalanceOfBenchmarks` as ``abstain_beyond``. Each text is
    placed as it is and with every field of a `TaskForm` filled by it, for the words of the register bring anything
    nearer: the limit is to hold whichever way a task is asked.

    Parameters
    ----------
    encoder : str or Encoder
    descriptions : sequence of str
        The board's; its median distance is the unit.
    covered, nonsense : sequence of str
        Tasks the board covers and texts it does not.

    Returns
    -------
    Calibration
    """
    space = measure_space(embed(descriptions, encoder), texts=descriptions)
    near, far = (
        np.array([space.distances_to(vector).min() / space.median for vector in embed(texts, encoder)])
        for texts in (_ask_both_ways(covered), _ask_both_ways(nonsense))
    )
    places = np.sort(np.concatenate([near, far]))
    borders = (places[:-1] + places[1:]) / 2.0
    mistakes = np.array([(near > border).sum() + (far <= border).sum() for border in borders])
    widths = np.diff(places)
    best = int(np.lexsort((-widths, mistakes))[0])
    return Calibration(float(borders[best]), int(mistakes[best]), near, far)


def _ask_both_ways(texts: Sequence[str]) -> list[str]:
    return [*texts, *(TaskForm(text, text, (text,), text, text, text).write() for text in texts)]
