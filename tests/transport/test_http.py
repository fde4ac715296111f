"""Downloading from a server on loopback that is slow, broken, moved or lies."""

from __future__ import annotations

import gzip
import hashlib
import logging
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import pytest

from balance_of_benchmarks.errors import BoardError
from balance_of_benchmarks.transport.address import Address
from balance_of_benchmarks.transport.attempts import Limits, _read_wait
from balance_of_benchmarks.transport.http import Download, download
from balance_of_benchmarks.transport.partial import Label, continues
from servers import files

BODY = b"model,benchmark,score\n" + b"".join(b"alpha,item %d,0.5\n" % n for n in range(5000))
KEY = "sentinel-key-4711"
QUICK = Limits(timeout=10, retries=2, total=60, first_wait=0)

Get = Callable[..., Download]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with files.serve(tmp_path_factory.mktemp("served")) as running:
        running.put("board.csv", BODY)
        yield running


@pytest.fixture
def get(tmp_path: Path) -> Get:
    def run(url: str, limits: Limits = QUICK, secret: tuple[str, str] | None = None, **others: Any) -> Download:
        return download(Address(url, secret), tmp_path / "target", tmp_path / "part", limits, **others)

    return run


def asked(server: Any, url: str) -> list[dict[str, str]]:
    """Headers of the requests for an address, in order."""
    path = "/" + url.split("/", 3)[3]
    return [request["headers"] for request in server.questions() if request["path"] == path]


@pytest.mark.parametrize("way", ["plain", "slow", "gzip", "tagless", "500x2", "429x1", "cut", "cut_tagless", "liar"])
def test_a_file_comes_whole_in_the_end(server: Any, get: Get, tmp_path: Path, way: str) -> None:
    came = get(server.url(way, "board.csv"))

    assert (tmp_path / "target").read_bytes() == BODY
    assert came == Download(hashlib.sha256(BODY).hexdigest(), len(BODY))
    assert not (tmp_path / "part").exists()


def test_what_has_come_is_not_asked_for_again(server: Any, get: Get) -> None:
    url = server.url("cut", "resumed.csv")
    server.put("resumed.csv", BODY)
    get(url)
    first, second = asked(server, url)

    assert "range" not in first
    assert second["range"] == f"bytes={len(BODY) // 2}-"
    assert second["if-range"].startswith('"')


def test_another_call_goes_on_where_one_ended(server: Any, get: Get, tmp_path: Path) -> None:
    url = server.url("cut", "later.csv")
    server.put("later.csv", BODY)
    with pytest.raises(BoardError, match="breaks the connection off, at attempt 1 of 1"):
        get(url, Limits(retries=0))
    get(url, Limits(retries=0))

    assert (tmp_path / "target").read_bytes() == BODY
    assert asked(server, url)[1]["range"] == f"bytes={len(BODY) // 2}-"


def test_a_file_that_has_changed_meanwhile_is_taken_from_its_beginning(server: Any, get: Get, tmp_path: Path) -> None:
    url = server.url("cut", "changed.csv")
    server.put("changed.csv", BODY)
    with pytest.raises(BoardError):
        get(url, Limits(retries=0))
    new = server.put("changed.csv", BODY.replace(b"alpha", b"omega"))
    get(url, Limits(retries=0))

    assert (tmp_path / "target").read_bytes() == new


@pytest.mark.parametrize(
    ("headers", "validator"),
    [
        ({"ETag": '"a"', "Last-Modified": "then"}, '"a"'),
        (
            {"ETag": 'W/"a"', "Last-Modified": "then"},
            "then",
        ),  # a weak tag promises the same meaning, not the same bytes
        ({"ETag": 'W/"a"'}, None),
        ({}, None),
    ],
)
def test_a_file_is_known_again_by_what_promises_the_same_bytes(headers: dict[str, str], validator: str | None) -> None:
    assert Label.of(httpx2.Headers(headers)).validator == validator


@pytest.mark.parametrize(
    ("change", "follows"),
    [
        ({}, True),
        ({"ETag": None}, True),
        ({"ETag": '"b"'}, False),
        ({"Content-Range": "bytes 4-9/10"}, False),
        ({"Content-Range": "bytes 5-10/11"}, False),
        ({"Content-Range": None}, False),
        ({"Content-Encoding": "gzip"}, False),
    ],
)
def test_a_part_follows_if_it_begins_where_the_other_ends_and_is_of_the_same(
    change: dict[str, str | None], follows: bool
) -> None:
    label = Label(validator='"a"', encoding="", content_type="text/csv", total=10)
    headers = {"ETag": '"a"', "Content-Range": "bytes 5-9/10", **change}

    assert continues(label, 5, httpx2.Headers({key: value for key, value in headers.items() if value})) is follows


def test_a_server_that_no_longer_gives_parts_is_asked_for_all(server: Any, get: Get, tmp_path: Path) -> None:
    get(server.url("gone_range", "board.csv"), Limits(retries=2, first_wait=0))

    assert (tmp_path / "target").read_bytes() == BODY


@pytest.mark.parametrize("line", [b"", b"no label\n", b'{"validator": null', b'{"validator": 1}\n'])
def test_a_part_file_without_a_whole_label_counts_as_nothing(
    server: Any, get: Get, tmp_path: Path, line: bytes
) -> None:
    (tmp_path / "part").write_bytes(line)
    get(server.url("plain", "board.csv"))

    assert (tmp_path / "target").read_bytes() == BODY


@pytest.mark.parametrize(
    ("way", "words", "attempts"),
    [
        ("404", r"answers 404 Not Found: expected the file; is the address right\?", 1),
        ("401", "answers 401 Unauthorized: is the key right", 1),
        ("304", "answers 304", 1),
        ("500", "answers 500 Internal Server Error, at attempt 3 of 3: try again later", 3),
        ("html", r"answers with a web page \(text/html\): expected scores", 1),
        ("as_gzip", "cannot be unpacked, though it says it is gzip", 1),
        ("brotli", "packed as 'br': expected gzip or nothing", 1),
        ("loop", "more than 5 other addresses in turn", 6),
        ("cut_always", "breaks the connection off, at attempt 3 of 3", 3),
    ],
)
def test_what_is_no_file_is_one_error_after_as_many_attempts_as_make_sense(
    server: Any, get: Get, tmp_path: Path, way: str, words: str, attempts: int
) -> None:
    server.put(f"{way}.csv", BODY)
    url = server.url(way, f"{way}.csv")

    with pytest.raises(BoardError, match=words) as caught:
        get(url)
    assert url in str(caught.value)
    assert len(asked(server, url)) == attempts
    assert not (tmp_path / "target").exists()


def test_silence_ends_an_attempt(server: Any, get: Get) -> None:
    with pytest.raises(BoardError, match=r"is silent for 0\.5 s, at attempt 1 of 1"):
        get(server.url("stall", "board.csv"), Limits(timeout=0.5, retries=0))


@pytest.mark.parametrize("way", ["drip", "drip_headers"])
def test_a_server_that_is_never_silent_and_never_done_has_a_bound_too(server: Any, get: Get, way: str) -> None:
    with pytest.raises(BoardError, match=r"is too slow, and the 0\.4 s allowed for all attempts are over"):
        get(server.url(way, "board.csv"), Limits(timeout=30, total=0.4))


def test_nobody_there_is_said(get: Get, tmp_path: Path) -> None:
    with files.serve(tmp_path / "gone") as gone:
        url = gone.url("plain", "x.csv")

    with pytest.raises(BoardError, match=r"cannot be connected to .*, at attempt 2 of 2"):
        get(url, Limits(retries=1, first_wait=0))


def test_waits_double_with_jitter_up_to_the_longest(server: Any, get: Get) -> None:
    waits: list[float] = []
    limits = Limits(retries=6, first_wait=2, longest_wait=20)
    with pytest.raises(BoardError):
        get(server.url("500", "x"), limits, sleep=waits.append, rng=np.random.default_rng(0))
    again: list[float] = []
    with pytest.raises(BoardError):
        get(server.url("500", "x"), limits, sleep=again.append, rng=np.random.default_rng(0))

    assert waits == again
    for wait, longest in zip(waits, [2, 4, 8, 16, 20, 20], strict=True):
        assert longest / 2 <= wait <= longest
    assert all(one != other for one, other in pairwise(waits))


def test_a_server_is_given_the_time_it_asks_for_or_left_alone(server: Any, get: Get) -> None:
    waits: list[float] = []
    with pytest.raises(BoardError, match="429 Too Many Requests, at attempt 3 of 3"):
        get(server.url("429", "x"), sleep=waits.append)
    assert waits == [7, 7]  # as its Retry-After says

    with pytest.raises(BoardError, match="asks to wait 7 s: try again after that"):
        get(server.url("429", "x"), Limits(longest_wait=6), sleep=waits.append)
    assert waits == [7, 7]


def test_a_wait_that_would_pass_the_bound_on_all_is_not_begun(server: Any, get: Get) -> None:
    waits: list[float] = []
    with pytest.raises(BoardError, match="the 5 s allowed for all attempts are over"):
        get(server.url("429", "x"), Limits(total=5), sleep=waits.append, clock=lambda: 0.0)
    assert waits == []


def test_why_it_is_tried_again_is_told(server: Any, get: Get) -> None:
    server.put("told.csv", BODY)
    told: list[str] = []
    url = server.url("500x2", "told.csv")
    get(url, tell=told.append)

    assert told == [f"{url} answers 500 Internal Server Error: attempt {n} of 3 follows in 0.0 s" for n in (2, 3)]


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [
        (None, 0, 0),
        ("12", 12, 12),
        (" 12 ", 12, 12),
        ("soon", 0, 0),
        ("-3", 0, 0),
        ("nan", 0, 0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0, 0),
        ("Wed, 21 Oct 2015 07:28:00", 0, 0),
        (format_datetime(datetime.now(UTC) + timedelta(days=1), usegmt=True), 80_000, 86_400),
    ],
)
def test_a_wait_is_asked_for_in_seconds_or_until_a_date(header: str | None, least: float, most: float) -> None:
    assert least <= _read_wait(header) <= most


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_over_the_bound_is_not_taken_packed_or_not(server: Any, get: Get, tmp_path: Path, packed: bool) -> None:
    server.put("large.csv", bytes(100_000))
    limits = Limits(most_bytes=49_000)
    assert len(gzip.compress(bytes(100_000))) < limits.most_bytes

    for way in ("gzip",) if packed else ("plain", "short"):
        with pytest.raises(BoardError, match="holds more than 49,000 bytes"):
            get(server.url(way, "large.csv"), limits)
        assert not (tmp_path / "part").exists()


def test_a_key_goes_to_its_own_host_and_port_only(server: Any, get: Get, tmp_path: Path) -> None:
    secret = ("x-api-key", KEY)
    server.put("keyed.csv", BODY)
    with files.serve(tmp_path / "other") as other:
        other.put("keyed.csv", BODY)
        get(server.url("to", "0/plain/keyed.csv"), secret=secret)
        get(server.url("to", f"{other.port}/plain/keyed.csv"), secret=secret)
        back = f"{other.port}/to/{server.port}/plain/keyed.csv"
        get(server.url("to", back), secret=secret)

        assert (tmp_path / "target").read_bytes() == BODY
        assert [KEY in str(request) for request in other.questions()] == [False, False]
    for way in ("to/0/plain", f"to/{back[:-10]}"):
        assert all(request["x-api-key"] == KEY for request in asked(server, server.url(way, "keyed.csv")))
    direct = asked(server, server.url("plain", "keyed.csv"))
    assert [request.get("x-api-key") for request in direct] == [KEY, KEY]  # its own host again


def test_neither_key_nor_password_nor_query_leaves_in_an_error_or_a_log(
    server: Any, get: Get, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    told: list[str] = []
    host = server.url("500", "x").split("//")[1]
    for way in ("500", "404", "html", "cut_always", "loop", "plain"):
        url = f"http://user:{KEY}@{host.replace('500', way)}?token={KEY}&{KEY}"
        server.put("x", BODY)
        with nullcontext() if way == "plain" else pytest.raises(BoardError) as caught:
            get(url, secret=("x-api-key", KEY), tell=told.append)
        if caught is not None:
            assert caught.value.__cause__ is caught.value.__context__ is None  # the client's errors hold the key
            told.append(f"{caught.value} {caught.value!r}")
    address = Address(f"http://user:{KEY}@{host}?token={KEY}", ("x-api-key", KEY))

    assert len(told) > 6
    assert KEY not in "\n".join(told) + caplog.text + repr(address) + str(address)
    assert str(address) == f"http://{host}?token=*"


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("ftp://host/x", "no address of the web"),
        ("file:///etc/passwd", "no address of the web"),
        ("https://", "no address of the web"),
        ("http://[::1", "cannot be understood"),
        ("http://host:port/", "cannot be understood"),
        ("http://example.org/x", "not encrypted"),
    ],
)
def test_an_address_that_cannot_be_asked_is_refused(url: str, words: str) -> None:
    with pytest.raises(BoardError, match=words):
        Address(url, ("x-api-key", KEY))


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "ключ", ""])
def test_a_key_no_header_can_carry_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(BoardError, match="the key holds a blank") as caught:
        Address("https://example.org/x", ("x-api-key", key))
    assert not key or key not in str(caught.value)


@pytest.mark.parametrize("limits", [{"timeout": -1}, {"total": float("nan")}, {"first_wait": float("inf")}])
def test_limits_are_limits(limits: dict[str, float]) -> None:
    with pytest.raises(BoardError, match="expected seconds"):
        Limits(**limits)  # type: ignore[arg-type]
