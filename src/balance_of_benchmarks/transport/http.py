"""One file from the web: within bounds, and resumed where it broke off."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Final

import httpx2
import numpy as np

from balance_of_benchmarks.errors import BoardError
from balance_of_benchmarks.transport.address import Address
from balance_of_benchmarks.transport.attempts import (
    AGENT,
    Fault,
    Limits,
    ask_once,
    ask_until,
    open_client,
    read_fault,
    say_status,
)
from balance_of_benchmarks.transport.partial import Label, continues, read_label, unpack

__all__ = ["Download", "download"]

_MOST_REDIRECTS: Final = 5
# What a server shows to people instead of the data: an error, a log-in, a notice of maintenance.
_PAGES: Final = ("text/html", "application/xhtml+xml")
# Only what is asked for can be unpacked within bounds and resumed byte by byte.
_ASKED: Final = {"Accept-Encoding": "gzip", "User-Agent": AGENT}
_PACKINGS: Final = ("", "identity", "gzip", "x-gzip")

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Download:
    """A file that has come whole.

    Parameters
    ----------
    sha256 : str
        Of the file as it lies there, unpacked.
    size : int
        In bytes.
    """

    sha256: str
    size: int


def download(
    address: Address,
    target: Path,
    part: Path,
    limits: Limits,
    *,
    progress: Progress | None = None,
    tell: Callable[[str], None] | None = None,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
    rng: np.random.Generator | None = None,
) -> Download:
    """Bring a file, again and again if need be.

    What has come of it lies in `part`, and the next attempt, of this call or a later one, asks for the rest,
    provided that the server still has the same. Connections that fail or fall silent, 429 and 5xx are tried again;
    nothing else is.

    Parameters
    ----------
    address : Address
    target : Path
        Where it is put once it is whole, in a folder that exists.
    part : Path
        One for each address; nobody else may write it meanwhile.
    limits : Limits
    progress : callable, optional
        Told the bytes that are there and those there will be, 0 if not known.
    tell : callable, optional
        Told why it is tried again.
    sleep, clock : callable
    rng : numpy.random.Generator, optional
        Of the waits.

    Returns
    -------
    Download

    Raises
    ------
    BoardError
        With the address, what came instead, and what to try. `part` is kept where it is of use.
    """

    def attempt(seconds: float) -> Download | Fault:
        try:
            fault = ask_once(limits, lambda: _ask(address, part, limits, seconds, progress))
            return _finish(address, part, target, limits) if fault is None else fault
        except BoardError:
            part.unlink(missing_ok=True)
            target.unlink(missing_ok=True)
            raise

    return ask_until(address, limits, attempt, resumes=True, tell=tell, sleep=sleep, clock=clock, rng=rng)


def _finish(address: Address, part: Path, target: Path, limits: Limits) -> Download:
    try:
        unpacked = unpack(part, target, limits.most_bytes)
    except ValueError:
        raise BoardError(f"{address} cannot be unpacked, though it says it is gzip: try again") from None
    if unpacked is None:
        raise BoardError(_too_large(address, limits))
    part.unlink()
    return Download(*unpacked)


async def _ask(address: Address, part: Path, limits: Limits, seconds: float, progress: Progress | None) -> Fault | None:
    """Make one attempt."""
    label, have = read_label(part)
    asked = dict(_ASKED)
    if label and label.validator and have and (label.total is None or have < label.total):
        asked |= {"Range": f"bytes={have}-", "If-Range": label.validator}
    else:
        label = None
    first = url = httpx2.URL(address.url)
    async with asyncio.timeout(seconds), open_client(url, limits) as client:
        for _ in range(_MOST_REDIRECTS + 1):
            secret = dict([address.secret]) if address.secret and url.origin == first.origin else {}
            async with client.stream("GET", url, headers=asked | secret) as response:
                if not response.has_redirect_location:
                    return await _take(address, response, part, (label, have), limits, progress)
                url = _follow(address, url, response.headers["Location"])
    raise BoardError(f"{address} leads to more than {_MOST_REDIRECTS} other addresses in turn: expected the file")


def _follow(address: Address, url: httpx2.URL, location: str) -> httpx2.URL:
    try:
        target = url.join(location)
    except httpx2.InvalidURL:
        raise BoardError(f"{address} leads to what is no address: expected the file") from None
    if target.scheme not in ("http", "https") or (url.scheme, target.scheme) == ("https", "http"):
        raise BoardError(f"{address} leads to {target.scheme}://{target.host}: expected https://")
    return target


async def _take(
    address: Address,
    response: httpx2.Response,
    part: Path,
    known: tuple[Label | None, int],
    limits: Limits,
    progress: Progress | None,
) -> Fault | None:
    """Write an answer's body, behind what is there of it where it continues that."""
    status, headers, (label, have) = response.status_code, response.headers, known
    if fault := read_fault(response):
        return fault
    if label and status in (HTTPStatus.PARTIAL_CONTENT, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE):
        if status != HTTPStatus.PARTIAL_CONTENT or not continues(label, have, headers):
            part.unlink()
            return Fault("has another file by now")
    elif status != HTTPStatus.OK:
        raise BoardError(f"{address} {say_status(status)}: {_advise(status)}")
    else:
        label, have = Label.of(headers), 0
    if label.content_type in _PAGES:
        raise BoardError(f"{address} answers with a web page ({label.content_type}): expected scores; is it the file?")
    if label.encoding not in _PACKINGS:
        raise BoardError(f"{address} is packed as {label.encoding[:20]!r}: expected gzip or nothing")
    if (label.total or 0) > limits.most_bytes:
        raise BoardError(_too_large(address, limits))
    with part.open("ab" if have else "wb") as file:
        if not have:
            label.write(file)
        async for chunk in response.aiter_raw():
            have += len(chunk)
            if have > limits.most_bytes:
                raise BoardError(_too_large(address, limits))
            file.write(chunk)
            file.flush()  # what has come stays, whatever becomes of this process
            if progress is not None:
                progress(have, label.total or 0)
    if label.total is not None and have != label.total:
        return Fault(f"breaks off after {have:,} of {label.total:,} bytes")
    return None


def _too_large(address: Address, limits: Limits) -> str:
    return f"{address} holds more than {limits.most_bytes:,} bytes: expected a file of scores"


def _advise(status: int) -> str:
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return "is the key right, and does it allow this?"
    return "expected the file; is the address right?"
