"""What a column of scores is likely to be where the board does not declare it: its gaps, bounds and direction.

Each guess is made only where hardly anything else can be meant, is listed as an adjustment wherever the board is
ranked, and gives way to a line in `benchmarks.csv`.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from balance_of_benchmarks.types import BoolArray, FloatArray

__all__ = ["Bounds", "find_fractions", "find_sentinels", "is_error_rate", "names_direction", "propose_bounds"]

Bounds = tuple[float, float, str]
"""Lower, upper, and what the scores are taken for."""

_SENTINELS: Final = (-1.0, -0.01, -99.0, -999.0, -9999.0, 999.0, 9999.0, 99999.0)

# Whole words of a metric's name, or the last one of a benchmark's.
_ERRORS: Final = re.compile(r"wer|cer|ter|mer|eer|errors?|loss|perplexity|ppl|mae|mse|rmse|brier|fid|bpb|bpc")
_RATE_OF_ERRORS: Final = re.compile(
    r"(?<![a-z])(error|hallucination|failure|attack[ _-]success|jailbreak|toxicity|over[ _-]?refusal|"
    r"false[ _-](positive|negative|refusal))s?[ _-]rate(?![a-z])",
    re.I,
)
# What follows a metric's name and says how it was averaged.
_AVERAGED: Final = re.compile(r"task|mean|avg|average|median|macro|micro|normali[sz]ed|rescaled|percent|pct|overall")
# Leaderboards point with an arrow to where better is.
_DOWN: Final = re.compile(r"[↓⬇]|lower is better", re.I)
_UP: Final = re.compile(r"[↑⬆]|higher is better", re.I)
# Speech recognition is reported as word error rate wherever it is reported.
_SPEECH: Final = re.compile(
    r"asr|librispeech|ls|gigaspeech|earnings2[12]|spgi(speech)?|tedlium|voxpopuli|ami|fleurs|mls|covost|switchboard|"
    r"coraal|commonvoice|callhome|chime\d?|aishell\d?|wenetspeech"
)
# A measure of cost or size is no score, whatever its bounds.
_NO_SCORE: Final = re.compile(r"speed|throughput|latency|seconds|runtime|time|cost|price|tokens|memory|size|params")
_RATING: Final = re.compile(r"elo|ratings?|arena|rewards?|returns?")

# Ratings lie far from zero against their spread; what is positive and spans more, throughput or prices, has no
# end that means best.
_MOST_RATIO: Final = 4.0
# How much one tail may outweigh the other before a linear scale puts nearly all models in one place.
_MOST_SKEW: Final = 20.0
_MARGIN: Final = 0.1
_GAP: Final = 5.0
_LEAST_SHARE: Final = 0.1


def find_sentinels(scores: FloatArray, lower: float | None, upper: float | None) -> BoolArray:
    """Mark values that stand for "not evaluated": a known filler apart from all other scores and their bounds.

    Parameters
    ----------
    scores : ndarray of shape (M,)
        NaN where missing.
    lower, upper : float or None
        Declared bounds.

    Returns
    -------
    ndarray of bool, shape (M,)
        Never one of a column that has other negative scores: -1 is the least correlation there is.
    """
    filler = np.isin(scores, _SENTINELS)
    rest = scores[~filler & ~np.isnan(scores)]
    if rest.size == 0:
        return filler & ((scores < (0.0 if lower is None else lower)) | (scores > (100.0 if upper is None else upper)))
    below = (scores < 0) & (rest.min() >= 0) & (scores < (rest.min() if lower is None else lower))
    above = (scores > 100) & (rest.max() <= 100) & (scores > (rest.max() if upper is None else upper))
    marked: BoolArray = filler & (below | above)
    return marked


def find_fractions(scores: FloatArray, upper: float | None) -> BoolArray:
    """Mark fractions that stand among percentages in one column.

    Parameters
    ----------
    scores : ndarray of shape (M,)
    upper : float or None
        Declared bound.

    Returns
    -------
    ndarray of bool, shape (M,)
        All false unless there are several of both, far apart, that agree once the fractions are multiplied by
        100, and some of them below 1: a small percentage, and a whole 1 above all, is otherwise what it says.
    """
    none = np.zeros(scores.shape, dtype=bool)
    fraction, percent = (scores > 0) & (scores <= 1), scores > 1
    few = min(fraction.sum(), percent.sum()) < 2 or fraction.sum() < _LEAST_SHARE * (~np.isnan(scores)).sum()
    if few or upper not in (None, 100.0) or scores[percent].max() > 100 or np.nanmin(scores) < 0:
        return none
    if not (scores[fraction] < 1).any():
        return none
    least, most = scores[percent].min(), scores[percent].max()
    agrees = least / 2 <= 100 * np.median(scores[fraction]) <= 2 * most
    return fraction if least >= _GAP * scores[fraction].max() and agrees else none


def names_direction(key: str, metric: str | None) -> bool | None:
    """Tell by its names whether higher scores are better on a benchmark; None where they do not say.

    Parameters
    ----------
    key : str
        Counts by its last word: an "error detection" benchmark is no error rate.
    metric : str or None
    """
    names = f"{metric or ''} {key}"
    if bool(_UP.search(names)) != bool(_DOWN.search(names)):
        return bool(_UP.search(names))
    words = [word for word in re.split(r"[^a-zA-Z0-9]+", key) if word]
    while len(words) > 1 and _AVERAGED.fullmatch(words[-1].casefold()):
        words.pop()
    errors = _has_word(_ERRORS, metric or "", words[-1] if words else "") or _RATE_OF_ERRORS.search(names)
    return False if errors else None


def is_error_rate(scores: FloatArray, key: str, board: str) -> bool:
    """Tell by its scores whether a column is an error rate that its names do not give away.

    Parameters
    ----------
    scores : ndarray of shape (M,)
        At least one not NaN.
    key, board : str
        Of a speech recognition set, or a board of them, low scores with a long upper tail are error rates.

    Returns
    -------
    bool
        Also for percentages some of which exceed 100, as only a rate of errors can.
    """
    seen = scores[~np.isnan(scores)]
    low_with_tail = bool(seen.min() >= 0 and np.median(seen) < 50 and seen.max() > 1.5 * np.median(seen))
    beyond = bool(100 < seen.max() <= 1000 and (seen <= 100).mean() > 1 / 2)
    speech = _has_word(_SPEECH, key, board) and bool(seen.max() > 1)
    return low_with_tail and (beyond or speech)


def propose_bounds(seen: FloatArray, key: str, metric: str | None, *, lower_is_better: bool) -> Bounds | None:
    """Find the scale of scores without declared bounds.

    Parameters
    ----------
    seen : ndarray of shape (n,)
        At least one, none NaN.
    key : str
    metric : str or None
    lower_is_better : bool
        Whether they are an error rate, which may exceed its 100 %.

    Returns
    -------
    Bounds or None
        None where every linear scale would be a fiction.
    """
    least, most, middle = float(seen.min()), float(seen.max()), float(np.median(seen))
    if least >= 0 and most <= 1:
        return 0.0, 1.0, "fractions"
    if -1 <= least < 0 and most <= 1:
        return -1.0, 1.0, "correlations"
    for best in (5.0, 10.0):
        # A rating is mostly given in its upper half, a percentage that small lies mostly below.
        if least >= 1 and best / 2 < most <= best and middle >= 0.6 * best and not lower_is_better:
            return 1.0, best, "ratings"
    if least >= 0 and (most <= 100 or (lower_is_better and middle <= 100 and most <= 1000)):
        return 0.0, 100.0, "percentages"
    if -most <= least < 0 and 1 < most <= 100:
        return -100.0, 100.0, "correlations in percent"
    ratio_scale = least >= 0 and most > _MOST_RATIO * least and not _has_word(_RATING, key, metric or "")
    if ratio_scale or _has_word(_NO_SCORE, key, metric or ""):
        return None
    return _propose_open(seen)


def _propose_open(seen: FloatArray) -> Bounds | None:
    """Give scores without ends, such as ratings and rewards, the range they span and a margin."""
    least, most, middle = float(seen.min()), float(seen.max()), float(np.median(seen))
    tails = most - middle, middle - least
    if max(tails) > _MOST_SKEW * min(tails) or np.unique(seen).size < 3:
        return None
    margin = _MARGIN * (most - least)
    step = 10.0 ** np.floor(np.log10(margin))
    lower, upper = np.floor((least - margin) / step) * step, np.ceil((most + margin) / step) * step
    return float(lower), float(upper), "ratings or rewards, a tenth of their range added at each end"


def _has_word(pattern: re.Pattern[str], *names: str) -> bool:
    return any(pattern.fullmatch(word) for name in names for word in re.split(r"[^a-z0-9]+", name.casefold()))
