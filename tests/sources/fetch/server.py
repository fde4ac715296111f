"""A server of its own process on loopback that serves files of a folder well, badly or hardly at all.

``/<way>/<name>`` serves ``<folder>/<name>`` in that way; each request is written down in ``<folder>/requests.jsonl``.
Nothing here waits for a clock: what stalls does so until its client is gone or a file named ``go`` is there.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import select
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

TYPES = {".json": "application/json", ".csv": "text/csv", ".jsonl": "application/jsonl"}


@dataclass(frozen=True)
class Server:
    """A server that runs, as a test sees it."""

    folder: Path
    port: int

    def put(self, name: str, content: bytes) -> bytes:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return content

    def url(self, way: str, name: str) -> str:
        return f"http://127.0.0.1:{self.port}/{way}/{name}"

    def requests(self) -> list[dict[str, Any]]:
        """What was asked, in order: path and headers, names in small letters."""
        path = self.folder / "requests.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.is_file() else []


@contextmanager
def serve(folder: Path) -> Iterator[Server]:
    """Run a server until the block ends."""
    folder.mkdir(parents=True, exist_ok=True)
    with subprocess.Popen([sys.executable, __file__, str(folder)], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield Server(folder, int(process.stdout.readline()))
        finally:
            process.kill()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder: Path
    counts: ClassVar[Counter[str]] = Counter()

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        _, way, name = path.split("/", 2)
        with (self.folder / "requests.jsonl").open("a") as log:
            asked = {key.lower(): value for key, value in self.headers.items()}
            log.write(json.dumps({"path": self.path, "headers": asked}) + "\n")
        self.counts[path] += 1
        if way.isdigit():  # /429/name, or /500x2/name for the first two times only
            self.fail(int(way), {"Retry-After": "7"} if way == "429" else {})
        elif "x" in way and way.partition("x")[0].isdigit():
            status, _, times = way.partition("x")
            if self.counts[path] <= int(times):
                self.fail(int(status), {"Retry-After": "0"} if status == "429" else {})
            else:
                self.give(name)
        else:
            getattr(self, f"way_{way}")(name)

    def fail(self, status: int, headers: dict[str, str] | None = None) -> None:
        self.answer(status, {"Content-Type": "text/plain", "Content-Length": "4", **(headers or {})})
        self.wfile.write(b"sad\n")

    def answer(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key, value)
        self.end_headers()

    def give(
        self, name: str, stop: int | None = None, *, tag: bool = True, length: bool = True, **headers: str
    ) -> bytes:
        """Answer with a file or the part asked for; up to the byte `stop` of it, and give back the rest."""
        body = self.read(name)
        etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        kind = TYPES.get(Path(name).suffix, "application/octet-stream")
        said = {"Content-Type": kind, **({"ETag": etag} if tag else {})}
        said |= {key.replace("_", "-"): value for key, value in headers.items()}
        start, asked = 0, self.headers.get("Range")
        if asked and tag and self.headers.get("If-Range") == etag:
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
            said["Content-Range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
        if length:
            said["Content-Length"] = str(len(body) - start)
        self.answer(206 if start else 200, said)
        self.wfile.write(body[start:stop])
        return body[max(start, stop or len(body)) :]

    def read(self, name: str) -> bytes:
        return (self.folder / name).read_bytes()

    def way_plain(self, name: str) -> None:
        self.give(name)

    def way_tagless(self, name: str) -> None:
        self.give(name, tag=False)

    def way_slow(self, name: str) -> None:
        """Little by little, whole in the end."""
        rest = self.give(name, stop=1)
        for place in range(0, len(rest), -(-len(rest) // 20)):
            self.wfile.write(rest[place : place + -(-len(rest) // 20)])
            time.sleep(0.01)

    def way_drip(self, name: str) -> None:
        """A byte now and then, so that it is never silent, and never done."""
        self.give(name, stop=1)
        while not self.gone(0.02):
            self.wfile.write(b" ")

    def way_drip_headers(self, name: str) -> None:
        """A header that never ends."""
        self.wfile.write(f"HTTP/1.1 200 OK\r\nX-{name}: ".encode())
        while not self.gone(0.02):
            self.wfile.write(b"x")

    def way_stall(self, name: str) -> None:
        self.give(name, stop=len(self.read(name)) // 2)
        self.gone(None)
        self.close_connection = True

    def way_hold(self, name: str) -> None:
        """Half of it, and the rest once there is a file `go`."""
        rest = self.give(name, stop=len(self.read(name)) // 2)
        while not (self.folder / "go").exists():
            if self.gone(0.02):
                return
        self.wfile.write(rest)

    def way_cut(self, name: str) -> None:
        """Half of it the first time; then as it should be."""
        if self.counts[self.path] > 1:
            self.give(name)
            return
        self.give(name, stop=len(self.read(name)) // 2)
        self.close_connection = True

    def way_cut_tagless(self, name: str) -> None:
        if self.counts[self.path] > 1:
            self.give(name, tag=False)
            return
        self.give(name, stop=len(self.read(name)) // 2, tag=False)
        self.close_connection = True

    def way_cut_always(self, name: str) -> None:
        """Never more than half of it, and no part either."""
        self.give(name, stop=len(self.read(name)) // 2, tag=False)
        self.close_connection = True

    def way_short(self, name: str) -> None:
        """Half of it, without a length by which one could tell."""
        self.give(name, stop=len(self.read(name)) // 2, length=False, Connection="close")
        self.close_connection = True

    def way_liar(self, name: str) -> None:
        """A part that does not begin where it was asked to."""
        if self.headers.get("Range"):
            self.answer(206, {"Content-Range": "bytes 1-3/4", "Content-Length": "3", "Content-Type": "text/csv"})
            self.wfile.write(b"xyz")
        else:
            self.way_cut(name)

    def way_gone_range(self, name: str) -> None:
        """No parts after all."""
        if self.headers.get("Range"):
            self.fail(416)
        else:
            self.way_cut(name)

    def way_html(self, name: str) -> None:
        self.give(name, Content_Type="text/html; charset=utf-8")

    def way_gzip(self, name: str) -> None:
        body = gzip.compress(self.read(name))
        kind = TYPES.get(Path(name).suffix, "application/octet-stream")
        self.answer(200, {"Content-Type": kind, "Content-Encoding": "gzip", "Content-Length": str(len(body))})
        self.wfile.write(body)

    def way_as_gzip(self, name: str) -> None:
        self.give(name, Content_Encoding="gzip")

    def way_brotli(self, name: str) -> None:
        self.give(name, Content_Encoding="br")

    def way_to(self, name: str) -> None:
        """/to/<port>/<way>/<name> leads there; port 0 stands for this server."""
        port, _, rest = name.partition("/")
        place = f"/{rest}" if port == "0" else f"http://127.0.0.1:{port}/{rest}"
        self.answer(302, {"Location": place, "Content-Length": "0"})

    def way_loop(self, name: str) -> None:
        self.answer(302, {"Location": f"/loop/{name}", "Content-Length": "0"})

    def gone(self, seconds: float | None) -> bool:
        """Wait, and tell whether the client is gone."""
        return bool(select.select([self.connection], [], [], seconds)[0])


class Listener(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that goes away is what is tested."""


if __name__ == "__main__":
    Handler.folder = Path(sys.argv[1])
    listener = Listener(("127.0.0.1", 0), Handler)
    print(listener.server_port, flush=True)  # noqa: T201 - how the test learns it
    listener.serve_forever()
