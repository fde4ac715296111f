"""The frame of the test servers: each its own process on loopback that answers well, badly or hardly at all.

A server is a module of this folder with a `Handler`, run as ``python -m servers.<name> <folder>``. The first part of a
path is the way to answer: `Handler.way_<way>`, or a status, as in ``/429/...``, or ``/500x2/...`` the first two times
only. Each question is written down in ``<folder>/questions.jsonl``. What stalls does so until its client is gone.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar


@dataclass(frozen=True)
class Server:
    """A server that runs, as a test sees it."""

    folder: Path
    port: int

    def at(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}/{path}"

    def questions(self) -> list[dict[str, Any]]:
        """What was asked, in order: path, headers with names in small letters, body if it had one."""
        path = self.folder / "questions.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.is_file() else []


@contextmanager
def run_server(name: str, folder: Path) -> Iterator[int]:
    """Run a server of this folder until the block ends; gives its port."""
    folder.mkdir(parents=True, exist_ok=True)
    with subprocess.Popen(
        [sys.executable, "-m", f"servers.{name}", str(folder)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline())
        finally:
            process.kill()


class Handler(BaseHTTPRequestHandler):
    """What the servers' handlers share; `answer` gives what is asked for, `fail` an error."""

    protocol_version = "HTTP/1.1"
    folder: Path
    counts: ClassVar[Counter[str]] = Counter()
    body: dict[str, Any]

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.note({})
        self.take_way()

    def do_POST(self) -> None:
        self.body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.note({"body": self.body})
        self.take_way()

    def note(self, more: dict[str, Any]) -> None:
        asked = {key.lower(): value for key, value in self.headers.items()}
        with (self.folder / "questions.jsonl").open("a") as log:
            log.write(json.dumps({"path": self.path, "headers": asked, **more}) + "\n")
        self.counts[self.place] += 1

    def take_way(self) -> None:
        way, _, rest = self.place[1:].partition("/")
        self.prepare(rest)
        status, _, times = way.partition("x")
        if not status.isdigit():
            getattr(self, f"way_{way}")()
        elif not times or self.time <= int(times):
            wait = "0" if times else self.long_wait
            self.fail(int(status), {"Retry-After": wait} if status == "429" else {})
        else:
            self.way_plain()

    long_wait = "700"
    """Seconds to wait that a 429 asks for; one that is over soon asks for none."""

    @property
    def place(self) -> str:
        """The path without what follows a question mark."""
        return self.path.partition("?")[0]

    @property
    def time(self) -> int:
        """How many times this was asked for by now."""
        return self.counts[self.place]

    def prepare(self, rest: str) -> None:
        """Take the path after the way."""
        raise NotImplementedError

    def way_plain(self) -> None:
        """As it should be."""
        raise NotImplementedError

    def fail(self, status: int, headers: dict[str, str]) -> None:
        """Answer with an error that repeats the key."""
        said = f"no: {self.headers.get('Authorization', 'no key')}"
        self.say(json.dumps({"error": {"message": said}}), status, headers)

    def say(self, text: str, status: int = 200, headers: dict[str, str] | None = None, cut: int | None = None) -> None:
        """Answer with JSON, up to a byte of it."""
        content = text.encode()
        self.begin(status, {"Content-Type": "application/json", "Content-Length": str(len(content)), **(headers or {})})
        self.wfile.write(content[:cut])

    def begin(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key, value)
        self.end_headers()

    def gone(self, seconds: float | None) -> bool:
        """Wait, and tell whether the client is gone."""
        return bool(select.select([self.connection], [], [], seconds)[0])


class Listener(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that goes away is what is tested."""


def listen(handler: type[Handler]) -> None:
    """Serve the folder named on the command line for ever, and say the port."""
    handler.folder = Path(sys.argv[1])
    listener = Listener(("127.0.0.1", 0), handler)
    print(listener.server_port, flush=True)  # noqa: T201 - how the test learns it
    listener.serve_forever()
