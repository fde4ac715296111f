"""An address of the web that keeps its secrets: as text it shows no password, no key, no value of its query."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit, urlunsplit

import httpx2

from balance_of_benchmarks.errors import BoardError

__all__ = ["Address", "is_loopback"]


@dataclass(frozen=True, slots=True, repr=False)
class Address:
    """Where a file is asked for.

    Parameters
    ----------
    url : str
        It begins with https:// or http://.
    secret : (str, str) or None
        A header's name and value, sent to this scheme, host and port and to no other.

    Raises
    ------
    BoardError
        For another scheme, no host, or a secret that would travel in the open.
    """

    url: str
    secret: tuple[str, str] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        expected = "expected one that begins with https:// or http:// and names a host"
        try:
            url, _ = httpx2.URL(self.url), urlsplit(self.url)
        except (httpx2.InvalidURL, ValueError):
            raise BoardError(f"an address cannot be understood: {expected}") from None
        if url.scheme not in ("http", "https") or not url.host:
            raise BoardError(f"{str(self)!r} is no address of the web: {expected}")
        if self.secret is None:
            return
        if url.scheme == "http" and not is_loopback(url.host):
            raise BoardError(f"{self} is not encrypted, so that the key could be read on its way: expected https://")
        if not re.fullmatch(r"(Bearer )?[\x21-\x7e]+", self.secret[1]):
            raise BoardError("the key holds a blank or a character no header may have: expected it as it was given out")

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        pieces = (piece.partition("=") for piece in parts.query.split("&") if piece)
        query = "&".join(f"{name}=*" if equals else "*" for name, equals, _ in pieces)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, query, ""))

    def __repr__(self) -> str:
        return f"Address({str(self)!r})"


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine, by its name or number alone."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
