"""Our value at every place where the paper prints a number; one module for each part of it."""

from __future__ import annotations

from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.paper.values.ablations import give_ablations
from balance_of_benchmarks.paper.values.controls import give_controls
from balance_of_benchmarks.paper.values.fits import give_fits
from balance_of_benchmarks.paper.values.heldout import give_heldout
from balance_of_benchmarks.paper.values.stress import give_stress
from balance_of_benchmarks.paper.values.value import Values
from balance_of_benchmarks.paper.values.words import give_words

__all__ = ["give_values"]


def give_values(redone: Redone) -> Values:
    """Give our value at every place.

    Parameters
    ----------
    redone : Redone

    Returns
    -------
    Values
        One for each place of `read_published`, `Missing` with the reason where there is none.
    """
    values: Values = {}
    for give in (give_heldout, give_controls, give_stress, give_ablations, give_fits, give_words):
        values |= give(redone)
    return values
