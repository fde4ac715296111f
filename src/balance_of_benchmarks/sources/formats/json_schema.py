"""JSON schemas, which lie beside the results they describe: told apart, so that nobody takes one for results."""

from __future__ import annotations

from typing import Final

from balance_of_benchmarks.board.settings import Adjustment
from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.reading import Choice, Format, Reading

__all__ = ["FORMAT"]

_KEYWORDS: Final = ("properties", "additionalProperties", "items", "$defs", "definitions")


def _recognises(document: Document) -> bool:
    # Results may name the schema they follow in the same field; only a schema follows json-schema.org's own.
    follows = document.mapping.get("$schema")
    return (
        isinstance(follows, str) and "json-schema.org" in follows and not document.mapping.keys().isdisjoint(_KEYWORDS)
    )


def _read(document: Document, choice: Choice) -> Reading:  # noqa: ARG001 - every format's signature
    """Say what it is: read alone this is the error, in a folder of results a note."""
    message = f"{document.name} is a JSON schema, which describes a format: expected results in it"
    return Reading(adjustments=(Adjustment("file_skipped", (document.name,), message),))


FORMAT: Final = Format("json_schema", "JSON schema", _recognises, _read)
