"""What can go wrong by the user's hand: one class for each thing they were doing.

Every message says what was got, where, what was expected and what to try. The command line prints it as
one line and leaves with exit code 2; in Python each class is a ``ValueError``.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = [
    "ArrayError",
    "BoardError",
    "BobError",
    "ChatError",
    "EncoderError",
    "RankingError",
    "TaskError",
    "name_unknown",
]


class BobError(ValueError):
    """Anything the package refuses, with the reason and the remedy."""


class BoardError(BobError):
    """A board that cannot be read or is not valid: seen by whoever reads or builds one."""


class ArrayError(BobError):
    """An array of the wrong shape or content: seen by callers of the functions on plain arrays."""


class EncoderError(BobError):
    """A text that cannot be turned into a vector, or vectors that are not ones."""


class ChatError(BobError):
    """A language model that cannot be asked, or did not answer with a text."""


class RankingError(BobError):
    """A board that was read but cannot be ranked, for instance because it is too short."""


class TaskError(RankingError):
    """A task that cannot be asked of this board."""


def name_unknown(where: str, key: str, known: Iterable[str]) -> str:
    """Say that `key` is not among `where`, naming the nearest that are.

    Parameters
    ----------
    where : str
        "the board's models", say.
    key : str
    known : iterable of str

    Returns
    -------
    str
    """
    by_folded = {str(name).casefold(): str(name) for name in known}
    near = [by_folded[found] for found in get_close_matches(str(key).casefold(), by_folded, n=3, cutoff=0.5)]
    if near:
        return f"{key!r} is not among {where}; did you mean {', '.join(map(repr, near))}?"
    first = ", ".join(map(repr, [*by_folded.values()][:3]))
    return f"{key!r} is not among {where}" + (f"; the first of them are {first}" if first else "")
