"""YAML as people write results in: within bounds, without what makes it a program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import yaml

from balance_of_benchmarks.errors import BoardError
from balance_of_benchmarks.transport.json_text import replace_half_characters

__all__ = ["parse_yaml"]

_MOST_BYTES: Final = 4 << 20  # it parses at about a megabyte a second
# YAML has JSON's escapes, one half of a character among them.
_HALF: Final = re.compile(rb"\\u[dD][89a-fA-F]")


class _Loader(yaml.SafeLoader):
    """Plain YAML: no aliases, by which a few lines can stand for gigabytes, and dates left as texts."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - the loader's own way of being configured
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not read")
        return super().compose_node(parent, index)


def parse_yaml(content: bytes, path: Path) -> Any:
    """Parse a text as YAML.

    Parameters
    ----------
    content : bytes
        In UTF-8.
    path : Path
        For errors.

    Returns
    -------
    object

    Raises
    ------
    BoardError
        When it is none, too long, or has aliases.
    """
    if len(content) > _MOST_BYTES:
        raise BoardError(f"{path} is YAML of {len(content):,} bytes: expected at most {_MOST_BYTES:,}")
    try:
        value = yaml.load(content, Loader=_Loader)  # noqa: S506 - a SafeLoader, made stricter
        return replace_half_characters(value) if _HALF.search(content) else value
    except (yaml.YAMLError, ValueError, RecursionError, KeyError, TypeError, AttributeError, IndexError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise BoardError(f"{path} is a text, and neither a table nor YAML: {reason}; expected scores") from error
