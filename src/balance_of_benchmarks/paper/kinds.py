"""Kinds of published numbers: how near ours must come to each, and what it rests on.

The tolerances were fixed before ours were first set beside the published numbers, from what is known of each quantity:
how it is rounded, which definitions the paper leaves open, and how far it moves from one encoder to another. A number
that falls outside is reported as different; no tolerance is changed for that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["KINDS", "Kind"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of number.

    Parameters
    ----------
    tolerance : float
        Largest difference that counts as agreement; 0 where the printed digits must be met.
    basis : str
        Why this tolerance.
    rests_on_texts : bool
        Whether the number changes with the descriptions or the encoder.
    needs_vectors : bool
        Whether it is a property of the paper's own vectors, which no others can give.
    """

    tolerance: float
    basis: str
    rests_on_texts: bool = False
    needs_vectors: bool = False


# Under 34 encoders mean level lies within .896-.906 and the mean profile within .452-.497 (published: .904, .483).
# A single fold of fourteen scatters √14 times as far as their mean.
_SPREAD: Final = "spread over encoders"
_PART: Final = "spread over encoders of a mean over few folds"
_ONE_FOLD: Final = "spread over encoders of one fold, √14 times that of the mean"

KINDS: Final[dict[str, Kind]] = {
    # What scores alone decide.
    "fact": Kind(0.0, "words, not a number"),
    "setting": Kind(0.0, "a constant of the method or the protocol"),
    "source": Kind(0.0, "as the source publishes it"),
    "count": Kind(0.0, "counted"),
    "percent": Kind(0.5, "rounded to a whole number"),
    "rounding": Kind(1e-15, "what float64 leaves"),
    "level": Kind(0.003, "a correlation of scores alone"),
    "profile": Kind(0.003, "a correlation of scores alone"),
    "level_part": Kind(0.003, "a correlation of scores alone"),
    "profile_part": Kind(0.01, "pool ability is known to .003 in the mean over 14 folds, less well over some"),
    "fold_level": Kind(0.001, "a correlation of scores alone, one fold"),
    "fold_profile": Kind(0.02, "pool ability is known to .02 in a fold"),
    "isotonic": Kind(0.012, "folds and seed of the cross-fit are not printed and move it by .01"),
    "binned": Kind(0.005, "bins go by pool ability, known to .003"),
    "standard_error": Kind(0.003, "of folds known to .02"),
    "correlation": Kind(0.005, "a correlation of scores alone, some printed to .01"),
    "population": Kind(0.0002, "a few models near a tie"),
    "tau": Kind(0.001, "a correlation of scores alone"),
    "displacement": Kind(0.1, "ranks, rounded to .1"),
    "changed": Kind(0.05, "models, rounded to .1"),
    "ability_shift": Kind(0.05, "the model that moves most, often one whose loss has two minima"),
    "mass_formula": Kind(0.02, "the paper's own bound on placements against the closed form"),
    # What descriptions decide, together with scores: other texts or another encoder move it this far.
    "text_level": Kind(0.01, _SPREAD, rests_on_texts=True),
    "text_profile": Kind(0.03, _SPREAD, rests_on_texts=True),
    "text_level_part": Kind(0.02, _PART, rests_on_texts=True),
    "text_profile_part": Kind(0.06, _PART, rests_on_texts=True),
    "text_fold_level": Kind(0.04, _ONE_FOLD, rests_on_texts=True),
    "text_fold_profile": Kind(0.11, _ONE_FOLD, rests_on_texts=True),
    "text_isotonic": Kind(0.04, "spread over encoders, and the open cross-fit", rests_on_texts=True),
    "text_binned": Kind(0.04, "spread over encoders, and bins", rests_on_texts=True),
    "text_standard_error": Kind(0.015, "half the spread of a mean", rests_on_texts=True),
    "text_difference": Kind(0.04, "spread of two means that move together in part", rests_on_texts=True),
    "text_fold_difference": Kind(0.15, "spread of two means in one fold", rests_on_texts=True),
    "text_interval": Kind(0.05, "spread of a difference, and of the bootstrap", rests_on_texts=True),
    "text_wins": Kind(2.0, "folds near a tie", rests_on_texts=True),
    "text_p": Kind(0.05, "the usual threshold", rests_on_texts=True),
    "text_change": Kind(0.005, "a difference of level or profile between settings", rests_on_texts=True),
    "shuffled": Kind(0.03, "as a profile", rests_on_texts=True),
    "text_correlation": Kind(0.005, "a correlation of rankings, weights by texts", rests_on_texts=True),
    "text_population": Kind(0.0001, "a few models near a tie", rests_on_texts=True),
    "text_tau": Kind(0.005, "half the distance to equal weights is .03", rests_on_texts=True),
    "text_displacement": Kind(10.0, "ranks of the model that moves most: 16 to 36 over encoders", rests_on_texts=True),
    "text_changed": Kind(2.0, "models or scenarios near a tie", rests_on_texts=True),
    "text_ability_shift": Kind(0.1, "as a displacement", rests_on_texts=True),
    "text_ability": Kind(0.03, "weights move abilities a little", rests_on_texts=True),
    "text_rank": Kind(3.0, "neighbours among the first thirty differ by .01 in ability", rests_on_texts=True),
    "gap": Kind(0.001, "a median gap of adjacent models", rests_on_texts=True),
    "factor": Kind(3.0, "said to be rough", rests_on_texts=True),
    "curve_a": Kind(0.02, "with the published weights all are within .02", rests_on_texts=True),
    "curve_b": Kind(0.02, "with the published weights all are within .02", rests_on_texts=True),
    "residual_scale": Kind(0.003, "with the published weights all are within .003", rests_on_texts=True),
    "curve_fit": Kind(0.015, "with the published weights all are within .015", rests_on_texts=True),
    # What the geometry of the descriptions decides alone, in units of its own.
    "share": Kind(0.006, "weights of near pairs differ by encoder", rests_on_texts=True),
    "effective_mass": Kind(1.2, "11.8 to 13.6 over encoders", rests_on_texts=True),
    "mass": Kind(0.2, "follows the distance of near pairs", rests_on_texts=True),
    "units": Kind(0.25, "follows the distance of near pairs", rests_on_texts=True),
    "neighbour_mass": Kind(0.2, "follows the distance of near pairs", rests_on_texts=True),
    "support": Kind(0.1, "follows distances in medians", rests_on_texts=True),
    "mover": Kind(40.0, "ranks of the models that move most", rests_on_texts=True),
    "choice": Kind(0.0, "chosen from a grid", rests_on_texts=True),
    "distance": Kind(0.01, "radians in the paper's vectors", rests_on_texts=True, needs_vectors=True),
}
"""By the name that `published.csv` gives each number."""
