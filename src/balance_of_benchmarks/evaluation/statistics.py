"""Paired tests and intervals over folds: who predicts held-out benchmarks better, and how surely (§4.1, Appendix C)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from balance_of_benchmarks.correlation import average_ranks
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.types import BoolArray, FloatArray, IntArray, as_floats

__all__ = [
    "Interval",
    "PairedComparison",
    "bootstrap_interval",
    "compare_pairs",
    "holm",
    "sign_flip",
    "standard_error",
    "wilcoxon",
]

# All sign vectors of this many differences are a million sums, done in a hundredth of a second.
_MOST_EXACT: Final = 20
# Beyond, so many are drawn: the smallest p that can come out is 1/65537.
_DRAWN_FLIPS: Final = 2**16
_FLIPS_AT_ONCE: Final = 2**12
# What rounding leaves of equal numbers, as a share of the numbers' size.
_NOISE: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Interval:
    """Ends of an interval; NaN where it is undefined."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """One method against another over the folds in which both are defined.

    Parameters
    ----------
    against : str
        The other method.
    difference : float
        Mean over folds of ours minus theirs.
    low, high : float
        Percentile bootstrap interval of that mean, 95 per cent.
    wins : int
        Folds in which ours is larger.
    folds : int
        Folds compared.
    p_wilcoxon, p_sign_flip : float
        One-sided: small where ours is larger.
    p_holm : float
        `p_wilcoxon` adjusted for the family it was compared in.
    """

    against: str
    difference: float
    low: float
    high: float
    wins: int
    folds: int
    p_wilcoxon: float
    p_sign_flip: float
    p_holm: float


def wilcoxon(differences: ArrayLike) -> float:
    """One-sided p of Wilcoxon's signed-rank test, exact with ties too.

    Use it to ask whether paired differences tend to be above zero, whatever their distribution's width.

    Parameters
    ----------
    differences : array-like of shape (F,)
        NaN where undefined: such folds are left out, and so are zeros, as Wilcoxon did.

    Returns
    -------
    float
        Probability, were every sign a fair coin, of a positive rank sum at least as large; NaN where no difference
        is left.

    Notes
    -----
    §4.1. Equal sizes share their mean rank. The distribution is that of these ranks, found by adding one at a time
    to a table of all rank sums: no normal approximation at any F, and time as F³ (a few seconds at a thousand).
    The paper does not say what it does with zeros, and no zero is among the differences whose p it prints.

    Examples
    --------
    >>> wilcoxon([0.1, 0.2, 0.3, -0.05])  # rank sums 9 and 10 of 0 to 10
    0.125
    """
    apart = _take_defined(differences)
    # Sizes that differ by rounding alone are ties, and zeros that rounding missed are zeros.
    sizes = np.round(np.abs(apart) / max(float(np.abs(apart).max(initial=0.0)), np.finfo(float).tiny), 12)
    apart, sizes = apart[sizes > 0], sizes[sizes > 0]
    if not apart.size:
        return float("nan")
    doubled = np.rint(2.0 * average_ranks(sizes)).astype(np.int64)  # midranks are halves
    return _upper_tail(doubled, int(doubled[apart > 0].sum()))


def _upper_tail(ranks: IntArray, least: int) -> float:
    """Probability that the ranks for which a fair coin shows heads sum to at least so much."""
    chance = np.zeros(int(ranks.sum()) + 1)
    chance[0] = 1.0
    for rank in ranks.tolist():
        chance[rank:] += chance[:-rank]
        chance *= 0.5
    return float(chance[least:].sum())


def sign_flip(differences: ArrayLike, *, rng: np.random.Generator | None = None) -> float:
    """One-sided p of the sign-flip test of the mean.

    Use it beside `wilcoxon`: it asks about the mean that is reported and lets large differences count as such.

    Parameters
    ----------
    differences : array-like of shape (F,)
        NaN where undefined: such folds are left out. Zeros stay and change nothing.
    rng : numpy.random.Generator, optional
        For more than 20 differences other than zero; not used below.

    Returns
    -------
    float
        Share of the 2^F sign vectors whose mean is at least the observed; above 20, (1 + count) / (1 + draws) over
        65536 drawn ones. NaN without a difference.

    Raises
    ------
    ArrayError
        Where signs are to be drawn and no `rng` is given.

    Notes
    -----
    Appendix C, "Held-out evaluation details": 2^14 sign vectors in the paper.

    Examples
    --------
    >>> sign_flip([0.1, 0.2, 0.3])
    0.125
    """
    apart = _take_defined(differences)
    if not apart.size:
        return float("nan")
    flipped = apart[apart != 0]
    # Sums that are equal but for the order of their terms reach the observed one.
    least = flipped.sum() - _NOISE * np.abs(flipped).sum()
    if flipped.size <= _MOST_EXACT:
        sums = np.zeros(1)
        for step in flipped:
            sums = np.concatenate([sums + step, sums - step])
        return float((sums >= least).mean())
    if rng is None:
        raise ArrayError(f"{flipped.size} differences have too many sign vectors to count: give rng to draw some")
    count = 0
    for _ in range(_DRAWN_FLIPS // _FLIPS_AT_ONCE):
        heads = rng.integers(0, 2, size=(_FLIPS_AT_ONCE, flipped.size), dtype=np.int8)
        count += int(((2.0 * heads - 1.0) @ flipped >= least).sum())
    return (1 + count) / (1 + _DRAWN_FLIPS)


def holm(p_values: ArrayLike) -> FloatArray:
    """Holm's step-down adjustment: below α, the whole family is wrong with probability at most α.

    Parameters
    ----------
    p_values : array-like of shape (K,)
        Of one family; NaN where a test was undefined, which then does not count.

    Returns
    -------
    ndarray of shape (K,)
        At least `p_values` and at most 1, in their order; NaN where they are.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = as_floats(p_values, "p_values")
    if p.ndim != 1 or (p < 0).any() or (p > 1).any():
        raise ArrayError(f"p_values are {p.tolist()}: expected a list of numbers from 0 to 1, or NaN")
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    adjusted = np.full(p.shape, np.nan)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(order.size, 0, -1)), 1.0)
    return adjusted


def bootstrap_interval(
    differences: ArrayLike,
    *,
    rng: np.random.Generator,
    draws: int = 10_000,
    confidence: float = 0.95,
    groups: ArrayLike | None = None,
) -> Interval:
    """Percentile interval of a mean over folds, the folds drawn with replacement.

    It says how far the mean would move on other benchmarks of the same kind, which are what the folds sample. Give
    `groups` where some are not independent draws, for instance two editions of one benchmark.

    Parameters
    ----------
    differences : array-like of shape (F,)
        NaN where undefined: such folds are left out.
    rng : numpy.random.Generator
    draws : int
    confidence : float
        Between 0 and 1.
    groups : array-like of shape (F,), optional
        A label for each fold; folds with the same label are drawn together.

    Returns
    -------
    Interval
        NaN with fewer than two folds, or groups, of which nothing can be learnt about others. The order of the
        folds does not matter.

    Notes
    -----
    Appendix C. Draws of groups have different numbers of folds; each mean is over the folds it drew.

    Examples
    --------
    >>> bootstrap_interval([1.0, 1.0, 1.0], rng=np.random.default_rng(0))
    Interval(low=1.0, high=1.0)
    """
    if isinstance(draws, bool) or not isinstance(draws, int) or draws < 1:
        raise ArrayError(f"draws is {draws!r}: expected a whole number of at least 1")
    if not 0.0 < confidence < 1.0:
        raise ArrayError(f"confidence is {confidence!r}: expected a number between 0 and 1")
    values = _take_defined(differences)
    sums, sizes = np.sort(values), np.ones(values.size)
    if groups is not None:
        sums, sizes = _sum_groups(values, groups, ~np.isnan(as_floats(differences, "differences")))
    if sums.size < 2:
        return Interval(np.nan, np.nan)
    counts = rng.multinomial(sums.size, np.full(sums.size, 1.0 / sums.size), size=draws)
    tail = (1.0 - confidence) / 2.0
    low, high = np.quantile((counts @ sums) / (counts @ sizes), [tail, 1.0 - tail])
    return Interval(float(low), float(high))


def _sum_groups(values: FloatArray, groups: ArrayLike, defined: BoolArray) -> tuple[FloatArray, FloatArray]:
    labels = np.asarray(groups)
    if labels.shape != defined.shape:
        raise ArrayError(f"groups have shape {labels.shape}: expected a label for each of {defined.size} folds")
    _, group, sizes = np.unique(labels[defined], return_inverse=True, return_counts=True)
    return np.bincount(group, weights=values).astype(np.float64), sizes.astype(np.float64)


def standard_error(values: ArrayLike) -> float:
    """Standard error of a mean over folds.

    Parameters
    ----------
    values : array-like of shape (F,)
        NaN where undefined: such folds are left out.

    Returns
    -------
    float
        SD with n - 1 over √n; NaN with fewer than two values.

    Examples
    --------
    >>> standard_error([1.0, 3.0])
    1.0
    """
    known = _take_defined(values)
    return float(known.std(ddof=1) / np.sqrt(known.size)) if known.size > 1 else float("nan")


def compare_pairs(
    ours: ArrayLike, others: Mapping[str, ArrayLike], *, rng: np.random.Generator, draws: int = 10_000
) -> tuple[PairedComparison, ...]:
    """Compare one method with each of a family over the same folds.

    Use it for a table of one metric: the p-values are adjusted for all methods of `others`, so pass the whole
    family that was planned and nothing else.

    Parameters
    ----------
    ours : array-like of shape (F,)
        A metric by fold; NaN where undefined.
    others : mapping of str to array-like of shape (F,)
        The same of each other method.
    rng : numpy.random.Generator
        One seed is drawn from it, and every comparison starts from that: none depends on what stands beside it.
    draws : int
        Of the bootstrap.

    Returns
    -------
    tuple of PairedComparison
        In the order of `others`.

    Notes
    -----
    §4.1, Appendix C.

    Examples
    --------
    >>> row, = compare_pairs([0.5, 0.4, 0.6], {"equal": [0.1, 0.2, 0.1]}, rng=np.random.default_rng(0))
    >>> row.against, row.wins, row.folds, row.p_wilcoxon
    ('equal', 3, 3, 0.125)
    """
    seed = int(rng.integers(2**63))
    apart = {name: _subtract(ours, theirs, name) for name, theirs in others.items()}
    p_values = [wilcoxon(differences) for differences in apart.values()]
    return tuple(
        _describe(name, differences, p, float(adjusted), np.random.default_rng(seed), draws)
        for (name, differences), p, adjusted in zip(apart.items(), p_values, holm(p_values), strict=True)
    )


def _describe(
    name: str, differences: FloatArray, p: float, adjusted: float, rng: np.random.Generator, draws: int
) -> PairedComparison:
    interval = bootstrap_interval(differences, rng=rng, draws=draws)
    known = differences[~np.isnan(differences)]
    return PairedComparison(
        against=name,
        difference=float(known.mean()) if known.size else float("nan"),
        low=interval.low,
        high=interval.high,
        wins=int((known > 0).sum()),
        folds=int(known.size),
        p_wilcoxon=p,
        p_sign_flip=sign_flip(known, rng=rng),
        p_holm=adjusted,
    )


def _subtract(ours: ArrayLike, theirs: ArrayLike, name: str) -> FloatArray:
    a, b = as_floats(ours, "ours"), as_floats(theirs, name)
    if a.shape != b.shape:
        raise ArrayError(
            f"{name!r} has shape {b.shape} and ours {a.shape}: expected a number for each of the same folds"
        )
    apart = a - b
    # Two methods that agree in a fold may differ in its last digits, which is no win.
    equal = np.abs(apart) <= _NOISE * (1.0 + np.abs(b))
    return np.where(equal, 0.0, apart)


def _take_defined(values: ArrayLike) -> FloatArray:
    numbers = as_floats(values, "values")
    if numbers.ndim != 1 or np.isinf(numbers).any():
        raise ArrayError(f"got numbers of shape {numbers.shape}: expected a finite one for each fold, or NaN")
    return numbers[~np.isnan(numbers)]
