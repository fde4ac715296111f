"""What is said of a board as a whole, and of what happened to it on the way in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict

__all__ = ["Adjustment", "BoardSettings", "Duplicates", "SourceFile"]

Duplicates = Literal["mean", "last", "error"]


def _as_text(value: str) -> str:
    """Put a question mark for what is no character: bytes of a file's name that are in no known encoding."""
    return value.encode("utf-8", "replace").decode()


_Text = Annotated[str, AfterValidator(_as_text)]


@dataclass(frozen=True, slots=True)
class Adjustment:
    """One thing that was changed, assumed or left out, with what to write to have it otherwise.

    Parameters
    ----------
    kind : str
        A stable word, listed in docs/json.md.
    where : tuple of str
        Keys of the benchmarks or models concerned.
    message : str
    fix : str or None
    """

    kind: str
    where: tuple[str, ...]
    message: str
    fix: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "where", tuple(_as_text(key) for key in self.where))
        object.__setattr__(self, "message", _as_text(self.message))
        object.__setattr__(self, "fix", None if self.fix is None else _as_text(self.fix))


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file a board was made of.

    Parameters
    ----------
    file : str
        Its name, within the folder that was read where it was one; never where that lies on a machine.
    format : str
        What it was read as.
    sha256 : str
        Of its bytes.
    size : int
        In bytes.
    date : str or None
        When it was made or retrieved, where it says so; ISO 8601.
    """

    file: str
    format: str
    sha256: str
    size: int
    date: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "file", _as_text(self.file))


class BoardSettings(BaseModel):
    """The `[board]` table of `board.toml`.

    Parameters
    ----------
    name : str
        What to call the board.
    simulated : bool
        True for made-up data, which then says so wherever it shows.
    source : str or None
        The format or service it was read from.
    attribution : str or None
        Whom the data's licence asks to name.
    retrieved : str or None
        When the source was asked, ISO 8601.
    published_index : str or None
        Column of the models' table that holds the source's own ranking score.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: _Text = "board"
    simulated: bool = False
    source: _Text | None = None
    attribution: _Text | None = None
    retrieved: _Text | None = None
    published_index: _Text | None = None
