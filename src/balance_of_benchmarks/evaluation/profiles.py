"""Profile under stricter controls of general ability: isotonic and binned (Appendix C, Table strict-profile).

`score_prediction` removes a quadratic in pool ability from both rankings. A monotone function of ability that is no
quadratic survives that; these two leave it nothing, or little, to survive in.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from scipy.optimize import isotonic_regression

from balance_of_benchmarks.correlation import average_ranks, spearman
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.types import BoolArray, FloatArray, IntArray

__all__ = ["BINS", "FEWEST_IN_BIN", "binned_profile", "isotonic_profile", "mean_isotonic_profile"]

# The paper's: ability deciles, of which those with fewer models than this say nothing.
BINS: Final = 10
FEWEST_IN_BIN: Final = 15
# Decimals to which abilities, and what is left of ranks, are compared: what differs beyond is rounding, and tied.
# Left untied, residuals that are equal on paper move a fold of the paper's board by up to .0003 at random.
_DECIMALS: Final = 12
_RANK_DECIMALS: Final = 9


def isotonic_profile(
    prediction: FloatArray, scores: FloatArray, ability: FloatArray, *, seed: int = 0, folds: int = 2
) -> float:
    """Correlation of a prediction with scores once any increasing function of ability is removed from both.

    The strictest control: a method that only rescales general ability comes out near zero.

    Parameters
    ----------
    prediction : ndarray of shape (M,)
        NaN where the method says nothing: such models are left out.
    scores : ndarray of shape (M,)
        The target's, NaN where unobserved.
    ability : ndarray of shape (M,)
        Pool ability.
    seed : int
        Of the split. The split goes by the models' places, so another order of the models is another split.
    folds : int
        Parts of the models; each is predicted by a regression fitted to the others.

    Returns
    -------
    float
        NaN with fewer than two models a fold, or where prediction or scores are constant.

    Raises
    ------
    ArrayError
        Unless `folds` is a whole number of at least 2.

    Notes
    -----
    Appendix C. Both sides are ranked over the same models; the increasing least-squares fit of ranks on ability,
    interpolated between the abilities it was fitted to and constant beyond them, is subtracted; Spearman of what is
    left. The paper gives neither the number of folds nor the seed, which move the result by about .01: two folds and
    seed 0 are ours, and `mean_isotonic_profile` takes the chance out. As scikit-learn's ``IsotonicRegression`` and
    ``KFold(folds, shuffle=True, random_state=seed)`` have it, in a small part of their time.

    Examples
    --------
    >>> ability = np.linspace(0.0, 1.0, 50)
    >>> own = np.sin(40.0 * ability)
    >>> round(isotonic_profile(ability**9 + own, own, ability), 2) > 0.5
    True
    """
    return mean_isotonic_profile(prediction, scores, ability, seeds=(seed,), folds=folds)


def mean_isotonic_profile(
    prediction: FloatArray,
    scores: FloatArray,
    ability: FloatArray,
    *,
    seeds: Iterable[int] = range(20),
    folds: int = 2,
) -> float:
    """Mean of `isotonic_profile` over splits; for figures that no single split should decide.

    Parameters
    ----------
    prediction, scores, ability : ndarray of shape (M,)
    seeds : iterable of int
        One for each split.
    folds : int

    Returns
    -------
    float
        NaN where it is undefined for a split.
    """
    if isinstance(folds, bool) or not isinstance(folds, int) or folds < 2:
        raise ArrayError(f"folds is {folds!r}: expected a whole number of at least 2")
    used = _known(prediction, scores, ability)
    models = int(used.sum())
    if models < 2 * folds:
        return float("nan")
    order = np.argsort(ability[used], kind="stable")
    control = ability[used][order]
    ranks = np.stack([average_ranks(side[used])[order] for side in (prediction, scores)])
    profiles = [spearman(*_cross_fit(control, ranks, _split_models(models, folds, seed)[order])) for seed in seeds]
    if not profiles:
        raise ArrayError("seeds are empty: expected one for each split")
    return float(np.mean(profiles))


def _split_models(models: int, folds: int, seed: int) -> IntArray:
    """The part each model falls in, shape (M,), as scikit-learn's KFold shuffles them."""
    # The old generator, because the definition is KFold's own draw.
    shuffled = np.random.RandomState(seed).permutation(models)
    part = np.empty(models, dtype=np.int64)
    for number, members in enumerate(np.array_split(shuffled, folds)):
        part[members] = number
    return part


def _cross_fit(control: FloatArray, ranks: FloatArray, part: IntArray) -> FloatArray:
    """What the other parts' increasing function of ability leaves of each row of ranks, shape (2, n).

    `control` is sorted, so that a part of it is too.
    """
    left = np.empty_like(ranks)
    for number in range(int(part.max()) + 1):
        held, rest = part == number, part != number
        x = control[rest]
        first = np.flatnonzero(np.diff(x, prepend=-np.inf) > 10.0**-_DECIMALS)
        size = np.diff(first, append=x.size)
        mean = np.add.reduceat(ranks[:, rest], first, axis=1) / size  # models of one ability get one value
        for row in range(len(ranks)):
            fitted = isotonic_regression(mean[row], weights=size).x
            left[row, held] = ranks[row, held] - np.interp(control[held], x[first], fitted)
    return left.round(_RANK_DECIMALS)


def binned_profile(prediction: FloatArray, scores: FloatArray, ability: FloatArray) -> float:
    """Correlation of a prediction with scores among models of about the same ability.

    It fits no curve, so nothing can go wrong with one; but within a bin ability still varies, and a method that
    reports it alone keeps some profile.

    Parameters
    ----------
    prediction : ndarray of shape (M,)
        NaN where the method says nothing: such models are left out.
    scores : ndarray of shape (M,)
        The target's, NaN where unobserved.
    ability : ndarray of shape (M,)
        Pool ability.

    Returns
    -------
    float
        Mean over bins of Spearman's correlation, weighted by their models; NaN where no bin is valid.

    Notes
    -----
    Appendix C. Deciles of equal count by rank of ability, equal abilities together, over the models that have all
    three; bins with fewer than 15 models or with a constant side are left out. Unlike the paper: where no bin is
    valid it appears to count 0 in its mean over folds.

    Examples
    --------
    >>> ability = np.linspace(0.0, 1.0, 200)
    >>> round(binned_profile(ability, ability**3, ability), 9)
    1.0
    """
    used = _known(prediction, scores, ability)
    place = average_ranks(ability[used].round(_DECIMALS)) - 1.0
    bins = np.floor(BINS * place / max(place.size, 1)).astype(np.int64)
    size, profile = np.zeros(BINS), np.zeros(BINS)
    for number in range(BINS):
        inside = bins == number
        within = spearman(prediction[used][inside], scores[used][inside])
        if inside.sum() >= FEWEST_IN_BIN and not np.isnan(within):
            size[number], profile[number] = inside.sum(), within
    return float(size @ profile / size.sum()) if size.any() else float("nan")


def _known(prediction: FloatArray, scores: FloatArray, ability: FloatArray) -> BoolArray:
    """Models of which all three are known: the ones ranked, as in `score_prediction`."""
    known: BoolArray = ~(np.isnan(prediction) | np.isnan(scores) | np.isnan(ability))
    return known
