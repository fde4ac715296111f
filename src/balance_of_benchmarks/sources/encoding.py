"""Texts in the encoding that spreadsheets of western Europe and America save in."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["WINDOWS", "decode_windows"]

WINDOWS: Final = "Windows-1252"
# Control characters that no text has; five bytes have no meaning in the encoding, and fail in decoding.
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_HIGH: Final = re.compile(rb"[\x80-\xff]+")
# Western languages write one letter in ten with an accent. More of them are another alphabet in another encoding.
_MOST_HIGH: Final = 0.2


def decode_windows(content: bytes) -> bytes | None:
    """Bring a text in Windows-1252, of which Latin-1 is a part, to UTF-8.

    Parameters
    ----------
    content : bytes

    Returns
    -------
    bytes or None
        None for what is UTF-8 already, or damaged UTF-8, or another encoding, or no text: nothing is guessed then.
    """
    if _is_utf8(content) or _CONTROL.search(content):
        return None
    high = [found.group() for found in _HIGH.finditer(content)]
    # Of its own letters hardly any two in a row make one of UTF-8.
    if sum(map(len, high)) > _MOST_HIGH * len(content) or any(len(run) > 1 and _is_utf8(run) for run in high):
        return None
    try:
        return content.decode("windows-1252").encode()
    except UnicodeDecodeError:
        return None


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
