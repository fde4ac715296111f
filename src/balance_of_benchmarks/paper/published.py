"""Every number the paper prints, in a layout of our own: one row a number, in ``published.csv`` beside this module."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal

__all__ = ["Place", "Published", "find_published", "read_published"]

Form = Literal["exact", "lt", "le", "ge", "approx"]
"""How a number is printed: as it is, as a bound, or as "about"."""

Place = tuple[str, str, str]
"""Table or section, row, column: where the paper prints a number."""

_FILE: Final = "published.csv"


@dataclass(frozen=True, slots=True)
class Published:
    """A number of the paper.

    Parameters
    ----------
    place : Place
        Rows and columns that are methods have our ids; the row is empty for a number in running text.
    text : str
        As printed, without what `form` says; words for what is no number.
    form : {"exact", "lt", "le", "ge", "approx"}
    digits : int or None
        Printed after the point; None for words and powers of ten.
    kind : str
        Of `KINDS`.
    """

    place: Place
    text: str
    form: Form
    digits: int | None
    kind: str

    @property
    def number(self) -> float | None:
        """Its value; None for words."""
        return None if self.kind == "fact" else float(self.text)

    @property
    def printed(self) -> str:
        """As the paper prints it."""
        signs = {"exact": "", "lt": "< ", "le": "at most ", "ge": "at least ", "approx": "about "}
        return signs[self.form] + self.text


@cache
def read_published() -> tuple[Published, ...]:
    """Read all of them, in the order of the paper's tables and sections."""
    text = files("balance_of_benchmarks.paper").joinpath(_FILE).read_text(encoding="utf-8")
    return tuple(
        Published(
            place=(row["table"], row["row"], row["column"]),
            text=row["value"],
            form=_as_form(row["form"]),
            digits=int(row["digits"]) if row["digits"] else None,
            kind=row["kind"],
        )
        for row in csv.DictReader(text.splitlines())
    )


@cache
def _by_place() -> dict[Place, Published]:
    return {published.place: published for published in read_published()}


def find_published(place: Place) -> Published | None:
    """Give the number printed at a place, None where there is none.

    Parameters
    ----------
    place : Place

    Returns
    -------
    Published or None

    Examples
    --------
    >>> find_published(("headline", "bob", "profile")).printed
    '0.483'
    """
    return _by_place().get(place)


def _as_form(word: str) -> Form:
    forms: dict[str, Form] = {"exact": "exact", "lt": "lt", "le": "le", "ge": "ge", "approx": "approx"}
    return forms[word]
