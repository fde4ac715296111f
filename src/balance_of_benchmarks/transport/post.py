"""One question to a service that answers in JSON: within bounds, asked again where it makes sense, keys kept quiet."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

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
from balance_of_benchmarks.transport.json_text import parse_json

__all__ = ["post_json"]

_NOTHING: Final = object()
_MOST_SHOWN: Final = 200
"""Characters of a service's own words in an error."""


def post_json(
    address: Address,
    question: object,
    limits: Limits,
    *,
    tell: Callable[[str], None] | None = None,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
    rng: np.random.Generator | None = None,
) -> Any:
    """Post a question and give the answer, again and again if need be.

    Connections that fail or fall silent, 429 and 5xx are tried again, and so is an answer that is cut off;
    nothing else is. A question must therefore be one that may be asked twice.

    Parameters
    ----------
    address : Address
        Its secret goes along, to this address and no other.
    question : object
        What `json.dumps` takes.
    limits : Limits
    tell : callable, optional
        Told why it is tried again.
    sleep, clock : callable
    rng : numpy.random.Generator, optional
        Of the waits.

    Returns
    -------
    object
        The answer, read as JSON.

    Raises
    ------
    BoardError
        With the address, what came instead, and what to try; never with the secret.
    """
    body = json.dumps(question).encode()

    def attempt(seconds: float) -> bytes | Fault:
        return ask_once(limits, lambda: _ask(address, body, limits, seconds))

    answer = ask_until(address, limits, attempt, tell=tell, sleep=sleep, clock=clock, rng=rng)
    read = _read_json(answer)
    if read is _NOTHING:
        raise BoardError(f"{address} answers with what is no JSON ({_show(address, answer)}): is the address right?")
    return read


async def _ask(address: Address, body: bytes, limits: Limits, seconds: float) -> bytes | Fault:
    url = httpx2.URL(address.url)
    headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": AGENT}
    headers |= {"Accept-Encoding": "identity"} | (dict([address.secret]) if address.secret else {})
    async with (
        asyncio.timeout(seconds),
        open_client(url, limits) as client,
        client.stream("POST", url, headers=headers, content=body) as response,
    ):
        if fault := read_fault(response):
            return fault
        answer = bytearray()
        async for chunk in response.aiter_raw():
            answer += chunk
            if len(answer) > limits.most_bytes:
                raise BoardError(f"{address} answers with more than {limits.most_bytes:,} bytes: ask for less at once")
        if response.status_code != HTTPStatus.OK:
            raise BoardError(_explain(address, response, bytes(answer)))
        return bytes(answer)


def _explain(address: Address, response: httpx2.Response, answer: bytes) -> str:
    status = response.status_code
    said = f"{address} {say_status(status)}"
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        # Its own words may repeat the key.
        return f"{said}: is the key right, and does it allow this?"
    if response.has_redirect_location:
        return f"{said} and leads elsewhere: give the address it leads to"
    if status == HTTPStatus.NOT_FOUND:
        return f"{said} ({_show(address, answer)}): are the address and the model right?"
    return f"{said}: {_show(address, answer)}"


def _read_json(answer: bytes) -> Any:
    try:
        return parse_json(answer)
    except ValueError:
        return _NOTHING


def _show(address: Address, answer: bytes) -> str:
    """Show the beginning of an answer, or the message of the error in it, without the secret."""
    read = _read_json(answer)
    error = read.get("error") if isinstance(read, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    text = message if isinstance(message, str) else answer[: 16 * _MOST_SHOWN].decode(errors="replace")
    if address.secret:
        # The header may say more than the key: "Bearer ...".
        text = text.replace(address.secret[1].rpartition(" ")[2], "*")
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return repr(text[:_MOST_SHOWN] + ("..." if len(text) > _MOST_SHOWN else ""))
