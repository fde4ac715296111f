"""How wide words are, whatever sans-serif font a reader has: charts and diagrams leave room by it."""

from __future__ import annotations

from typing import Final

__all__ = ["measure_text"]

# Widths in hundredths of the font size, rounded up to 5, in the widest of the sans-serif fonts in common use
# (DejaVu Sans); in Arial, Helvetica and Liberation Sans the same words are a tenth to a sixth narrower.
_WIDTHS: Final = {
    30: "'IJijl",
    35: " ,./:;\\|·’‘",
    40: "()-[]ft",
    45: "!r²³₀",
    50: '"*_`–',
    55: "?csz",
    60: "FLkvxy",
    65: "$0123456789EPSTYabdeghnopqu{}θρσΣτ√∑",
    70: "ABCKRVXZΔ",
    75: "NU",
    80: "&DGHOQΦ",
    85: "#+<=>^w~×≥≤−→←",
    90: "M",
    100: "%@Wm…",
}
_WIDTH: Final = {character: width / 100 for width, characters in _WIDTHS.items() for character in characters}
# Of a character that is not listed: as wide as the widest.
_UNKNOWN: Final = 1.0
_BOLD: Final = 1.16


def measure_text(words: str, size: float, *, bold: bool = False) -> float:
    """Say how much room words need on a line.

    Parameters
    ----------
    words : str
    size : float
        Of the font, in pixels.
    bold : bool

    Returns
    -------
    float
        Pixels, on the generous side.

    Examples
    --------
    >>> measure_text("mean", 10.0)
    29.5
    """
    width = sum(_WIDTH.get(character, _UNKNOWN) for character in words) * size
    return round(width * (_BOLD if bold else 1.0), 2)
