"""Asking a server again and again within bounds: what is worth another attempt, and how long to wait for it."""

from __future__ import annotations

import asyncio
import logging
import math
import re
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, Final, TypeVar

import httpx2
import numpy as np

from balance_of_benchmarks.errors import BoardError
from balance_of_benchmarks.transport.address import Address, is_loopback

__all__ = ["AGENT", "Fault", "Limits", "ask_once", "ask_until", "open_client", "read_fault", "say_status"]

AGENT: Final = "balance-of-benchmarks"
"""How servers are told who asks."""

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class Limits:
    """How long to wait, how often to ask again, how much to take.

    Parameters
    ----------
    timeout : float
        Seconds for making a connection, and of silence within one.
    retries : int
        Attempts after the first.
    total : float
        Seconds for all attempts and the waits between them.
    first_wait, longest_wait : float
        Seconds between attempts: from the first they double up to the longest, each shortened by up to half at
        random so that many who fail together do not come back together. A server that asks for more than the
        longest wait is not asked again.
    most_bytes : int
        Of one answer, as it travels and unpacked.
    """

    timeout: float = 30.0
    retries: int = 4
    total: float = 1800.0
    first_wait: float = 1.0
    longest_wait: float = 60.0
    most_bytes: int = 256 << 20

    def __post_init__(self) -> None:
        for name in ("timeout", "total", "first_wait"):
            seconds = getattr(self, name)
            if not (math.isfinite(seconds) and seconds >= 0):
                raise BoardError(f"{name.replace('first_', '')} is {seconds:g}: expected seconds, 0 or more")


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an attempt gave nothing, though the next may; and how long the server asks to wait."""

    reason: str
    wait: float = 0.0


def ask_until(
    address: Address,
    limits: Limits,
    attempt: Callable[[float], _Answer | Fault],
    *,
    resumes: bool = False,
    tell: Callable[[str], None] | None = None,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
    rng: np.random.Generator | None = None,
) -> _Answer:
    """Repeat an attempt until it gives an answer or the limits are reached.

    Parameters
    ----------
    address : Address
        For the words.
    limits : Limits
    attempt : callable
        Given the seconds that are left; an answer, or why another attempt makes sense.
    resumes : bool
        Whether a later call goes on where this one ended.
    tell : callable, optional
        Told why it is tried again.
    sleep, clock : callable
    rng : numpy.random.Generator, optional
        Of the waits.

    Returns
    -------
    object
        The attempt's.

    Raises
    ------
    BoardError
        With the address, the last fault and what to try.
    """
    rng = np.random.default_rng() if rng is None else rng
    ends, count = clock() + limits.total, 0
    while True:
        fault = attempt(ends - clock())
        if not isinstance(fault, Fault):
            return fault
        count += 1
        wait = max(fault.wait, min(limits.first_wait * 2 ** (count - 1), limits.longest_wait) * rng.uniform(0.5, 1))
        if fault.wait > limits.longest_wait:
            raise BoardError(f"{address} {fault.reason} and asks to wait {fault.wait:.0f} s: try again after that")
        if count > limits.retries:
            raise BoardError(f"{address} {fault.reason}, at attempt {count} of {count}: try again later")
        if clock() + wait >= ends:
            over = f"the {limits.total:g} s allowed for all attempts are over"
            again = "try again, which goes on from here if it can" if resumes else "try again later"
            raise BoardError(f"{address} {fault.reason}, and {over}: {again}")
        if tell is not None:
            tell(f"{address} {fault.reason}: attempt {count + 1} of {limits.retries + 1} follows in {wait:.1f} s")
        sleep(wait)


def ask_once(limits: Limits, conversation: Callable[[], Coroutine[Any, Any, _Answer | Fault]]) -> _Answer | Fault:
    """Hold a conversation with a server; what breaks it off is a fault.

    Parameters
    ----------
    limits : Limits
    conversation : callable
        It is asynchronous because only so all of it, slow headers included, has one bound.

    Returns
    -------
    object or Fault
    """
    # The client's errors hold the request with its key: only words of ours leave this function.
    try:
        with _unlogged():
            return _run(conversation)
    except TimeoutError:
        return Fault("is too slow")
    except httpx2.ConnectTimeout:
        return Fault(f"makes no connection within {limits.timeout:g} s")
    except httpx2.TimeoutException:
        return Fault(f"is silent for {limits.timeout:g} s")
    except httpx2.ConnectError as error:
        return Fault(f"cannot be connected to ({error})")
    except httpx2.TransportError:
        return Fault("breaks the connection off")


def _run(conversation: Callable[[], Coroutine[Any, Any, _Answer]]) -> _Answer:
    """Run it to its end, in a thread of its own where this one has a loop already, as a notebook's has."""
    if not _has_loop():
        return asyncio.run(conversation())
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(conversation())).result()


def _has_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def open_client(url: httpx2.URL, limits: Limits) -> httpx2.AsyncClient:
    """Make a client for a host; a proxy that the environment names is for the world outside."""
    return httpx2.AsyncClient(timeout=limits.timeout, trust_env=not is_loopback(url.host))


def read_fault(response: httpx2.Response) -> Fault | None:
    """Tell whether an answer says that a later attempt may succeed: 429 and 5xx do."""
    status = response.status_code
    if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Fault(say_status(status), _read_wait(response.headers.get("Retry-After")))
    return None


def say_status(status: int) -> str:
    """Put a status into words."""
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else ""
    return f"answers {status} {phrase}".rstrip()


@contextmanager
def _unlogged() -> Iterator[None]:
    """Keep the client from logging whole addresses, whose queries may hold a key."""

    def drop(_: logging.LogRecord) -> bool:
        return False

    logger = logging.getLogger("httpx2")
    logger.addFilter(drop)
    try:
        yield
    finally:
        logger.removeFilter(drop)


def _read_wait(header: str | None) -> float:
    """Seconds a server asks to wait, in numbers or until a date; 0 where it does not."""
    if header is None:
        return 0.0
    if re.fullmatch(r"[0-9]{1,9}", header.strip()):
        return float(header)
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):  # no date, or one without a zone
        return 0.0
