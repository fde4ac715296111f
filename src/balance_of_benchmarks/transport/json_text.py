"""JSON from outside, made of characters only."""

from __future__ import annotations

import json
import re
from typing import Any, Final

__all__ = ["parse_json", "replace_half_characters"]

# An escape may name one half of a character, and bytes may hold one, which no file, terminal or table can then hold.
_HALF: Final = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


def parse_json(content: bytes) -> Any:
    """Parse JSON in any of its encodings, with U+FFFD in the place of halves of characters.

    Parameters
    ----------
    content : bytes

    Returns
    -------
    object

    Raises
    ------
    ValueError
        When it is none, or is nested too deeply.
    """
    text = content.decode(json.detect_encoding(content), "surrogatepass")
    try:
        value = json.loads(text)
        return replace_half_characters(value) if _HALF.search(text) else value
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def replace_half_characters(value: Any) -> Any:
    """Put U+FFFD for halves of characters without their other half, anywhere in a tree as JSON or YAML has."""
    text = json.dumps(value, ensure_ascii=False)
    return json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
