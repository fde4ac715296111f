"""The formats that are known: one module each in `sources.formats`, found by being there."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from balance_of_benchmarks.sources import formats, tables
from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.reading import Format

__all__ = ["find_format", "list_formats"]


@cache
def list_formats() -> tuple[Format, ...]:
    """Every format, those that recognise themselves first, plain tables last."""
    names = sorted(module.name for module in iter_modules(formats.__path__))
    own = [import_module(f"{formats.__name__}.{name}").FORMAT for name in names]
    return (*own, tables.FORMAT)


def find_format(document: Document) -> Format | None:
    """Find the format of a document by its content.

    Parameters
    ----------
    document : Document

    Returns
    -------
    Format or None
    """
    return next((form for form in list_formats() if form.recognises(document)), None)
