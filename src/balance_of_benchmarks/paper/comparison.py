"""Published and ours side by side, number by number, with a verdict on each."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.paper.kinds import KINDS
from balance_of_benchmarks.paper.published import Published, read_published
from balance_of_benchmarks.paper.reasons import explain_difference
from balance_of_benchmarks.paper.values.value import Missing, Value, Values

__all__ = ["VERDICTS", "Basis", "Comparison", "Verdict", "compare_values", "count_verdicts"]

Verdict = Literal["same", "within", "differs", "not_redone"]

VERDICTS: Final[dict[Verdict, str]] = {
    "same": "same to the printed digit",
    "within": "within the tolerance of its kind",
    "differs": "different",
    "not_redone": "cannot be redone",
}
_ROUNDING: Final = 1e-12  # what a difference of two decimal numbers may be off by
_FREE_DIGITS: Final = 6  # of a number that the paper prints without a fixed number of them


@dataclass(frozen=True, slots=True)
class Basis:
    """What our numbers rest on, as far as a verdict depends on it.

    Parameters
    ----------
    texts, encoder : str
    paper_vectors : bool
        Whether distances are in the paper's own space.
    quick : bool
        Whether draws were saved.
    """

    texts: str
    encoder: str
    paper_vectors: bool
    quick: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """One number.

    Parameters
    ----------
    published : Published
    ours : float, str or None
    difference : float or None
        Ours minus the published number.
    verdict : Verdict
    reason : str or None
        Of a number that differs or cannot be redone.
    """

    published: Published
    ours: float | str | None
    difference: float | None
    verdict: Verdict
    reason: str | None

    @property
    def printed(self) -> str:
        """Ours with the digits of the published number."""
        return print_value(self.ours, self.published)


def compare_values(values: Values, basis: Basis) -> tuple[Comparison, ...]:
    """Compare every published number with ours.

    Parameters
    ----------
    values : Values
        One for each published place.
    basis : Basis

    Returns
    -------
    tuple of Comparison
        In the order of the paper's tables and sections.

    Raises
    ------
    ArrayError
        Where a place has no value, not even one that says why.
    """
    numbers = read_published()
    if gone := [published.place for published in numbers if published.place not in values]:
        raise ArrayError(f"{len(gone)} published numbers have no value of ours, the first of them {gone[0]}")
    return tuple(_compare(published, values[published.place], basis) for published in numbers)


def count_verdicts(comparisons: Sequence[Comparison]) -> dict[Verdict, int]:
    """Count each verdict, all four of them."""
    counted = Counter(comparison.verdict for comparison in comparisons)
    return {verdict: counted[verdict] for verdict in VERDICTS}


def print_value(value: Value | None, published: Published) -> str:
    """Print a value as the paper would at that place."""
    if value is None or isinstance(value, Missing):
        return "-"
    if isinstance(value, str):
        return value
    if math.isnan(value):
        return "undefined"
    if published.digits is None:
        return f"{value:.{_FREE_DIGITS}g}"
    return f"{value + 0.0:.{published.digits}f}"


def _compare(published: Published, value: Value, basis: Basis) -> Comparison:
    if isinstance(value, Missing):
        return Comparison(published, None, None, "not_redone", value.reason)
    number = published.number
    if number is None or isinstance(value, str):
        same = str(value) == published.text
        reason = None if same else explain_difference(published, basis.texts, basis.encoder, quick=basis.quick)
        return Comparison(published, value, None, "same" if same else "differs", reason)
    kind, difference = KINDS[published.kind], value - number
    if kind.needs_vectors and not basis.paper_vectors:
        reason = f"a distance in the paper's vectors; ours is in those of {basis.encoder}, whose distances differ"
        return Comparison(published, value, difference, "not_redone", reason)
    if _agrees(value, published):
        return Comparison(published, value, difference, "same", None)
    if abs(difference) <= kind.tolerance + _ROUNDING:
        return Comparison(published, value, difference, "within", None)
    reason = explain_difference(published, basis.texts, basis.encoder, quick=basis.quick)
    return Comparison(published, value, difference, "differs", reason)


def _agrees(value: float, published: Published) -> bool:
    """Whether ours, printed as the paper prints, says the same."""
    number = published.number
    if number is None or math.isnan(value):
        return False
    if published.form == "lt":
        return value < number
    rounded = value if published.digits is None else round(value, published.digits)
    if published.form == "le":
        return rounded <= number + _ROUNDING
    if published.form == "ge":
        return rounded >= number - _ROUNDING
    return math.isclose(rounded, number, rel_tol=1e-9, abs_tol=_ROUNDING)
