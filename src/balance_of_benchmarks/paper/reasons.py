"""Why numbers differ: what was found out about single ones, and what is known of whole kinds."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Final

from balance_of_benchmarks.paper.kinds import KINDS
from balance_of_benchmarks.paper.published import Published

__all__ = ["FOUND", "explain_difference"]

_BISTABLE: Final = (
    "a mean of largest changes, ruled by models whose robust loss has two minima; no text enters, and other starts and "
    "constants of the fit move it from .69 to 1.26"
)
_ABLATION: Final = (
    "the paper does not define its rows A to D; docs/replication.md has every reading that was tried, and no one of "
    "them gives all figures"
)
_REBUILT: Final = "the board is rebuilt of later files: it is not the file whose digest is printed"
_POOL_ABILITY: Final = "the paper's pool ability is not defined to the last tie: no reading tried closes the rest"
_HALVED: Final = (
    "no floor binds on this board with the benchmarks' numbers of items, so that halving floors changes nothing"
)
_DOUBLED: Final = (
    "the paper does not say what it doubles: doubled in variance floors move the information to .996, in SD to .895"
)
_NEAREST: Final = (
    "hangs on which benchmark lies nearest, and {texts} in {encoder} have others near; by the neighbours that the "
    "published levels reveal, those levels come out"
)
_TOP_K: Final = (
    "hangs on {texts} in {encoder}, and on whose k nearest are meant: those a model was observed on, as the text says, "
    "or those of the pool; docs/replication.md has both"
)
_WEIGHTS: Final = (
    "follows the weights, which {texts} in {encoder} give; with the published weights all curves are within tolerance"
)
_MENTIONS: Final = "so many of these descriptions speak of another benchmark; of the paper's four do"
_OPENAI: Final = (
    "one model, whose robust loss has two minima, moves far with some texts; without it the correlation is as published"
)

FOUND: Final[tuple[tuple[str, str], ...]] = (
    ("ablation/[ABCD]/*", _ABLATION),
    ("ablation_appendix/*", _ABLATION),
    ("ablations_controls//profile_linear_field", _ABLATION),
    ("macros//bobLinearFieldProfileThree", _ABLATION),
    ("*/bob:flat/copy_shift_sigma", _BISTABLE),
    ("*/*/*flat_weights_copy_shift*", _BISTABLE),
    ("*/*/copy_shift_sigma_flat_weights", _BISTABLE),
    ("*/*sha256", _REBUILT),
    ("macros//bobAASnapshotSha", _REBUILT),
    ("strict_profile/equal_weight/binned", _POOL_ABILITY),
    ("*/pool_ability/*", _POOL_ABILITY),
    ("*/*/pool_ability_*", _POOL_ABILITY),
    ("sensitivity//noise_floor_halved_*", _HALVED),
    ("sensitivity//noise_floor_doubled_*", _DOUBLED),
    ("folds/*/nearest.*", _NEAREST),
    ("*/*control:nearest/*", _NEAREST),
    ("*/*/control:nearest", _NEAREST),
    ("*/*/profile_nearest_residual", _NEAREST),
    ("index_split/nearest/*", _NEAREST),
    ("control_choices/*/top_k", _TOP_K),
    ("control_folds/*/control:top_k", _TOP_K),
    ("*/*/top_k_selected*", _TOP_K),
    ("curves/*/discrimination", _WEIGHTS),
    ("curves/*/difficulty", _WEIGHTS),
    ("curves/*/residual_scale", _WEIGHTS),
    ("curves/*/r_squared", _WEIGHTS),
    ("lineage//stripped_descriptions", _MENTIONS),
    ("population_shift/openai/bob", _OPENAI),
    ("population_stability//spearman_bob_min", _OPENAI),
)
"""Places as ``table/row/column`` with wildcards, and what was found there, in words that may name the texts and the
encoder; the first that fits is taken."""


def explain_difference(published: Published, texts: str, encoder: str, *, quick: bool = False) -> str:
    """Say why ours differs.

    Parameters
    ----------
    published : Published
    texts, encoder : str
        What ours rests on.
    quick : bool
        Whether draws were saved.

    Returns
    -------
    str
    """
    place = "/".join(published.place)
    for pattern, reason in FOUND:
        if fnmatchcase(place, pattern):
            return reason.format(texts=texts, encoder=encoder)
    if quick and ("shuffle" in place or "placements" in place):
        return "a quick run saves draws"
    if KINDS[published.kind].rests_on_texts or published.kind == "fact":
        return f"rests on vectors: {texts} in {encoder}, where the paper has Qwen3-Embedding-8B"
    return "not explained"
