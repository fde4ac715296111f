"""A server of its own process on loopback that answers /v1/embeddings well, badly or hardly at all.

``/<way>/v1/embeddings`` answers in that way; each question is written down in ``<folder>/questions.jsonl``. A text's
vector is drawn from its digest, so that a test can know it. What stalls does so until its client is gone.
"""

from __future__ import annotations

import hashlib
import json
import math
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

WIDTH = 8


def vector_of(text: str, length: float = 1.0) -> list[float]:
    """What the server answers for a text, of any length."""
    numbers = [byte - 127.5 for byte in hashlib.sha256(text.encode()).digest()[:WIDTH]]
    norm = math.sqrt(sum(number * number for number in numbers))
    return [length * number / norm for number in numbers]


@dataclass(frozen=True)
class Server:
    """A server that runs, as a test sees it."""

    folder: Path
    port: int

    def name(self, way: str, model: str = "test-model") -> str:
        """An encoder's name that asks it in a way."""
        return f"http://127.0.0.1:{self.port}/{way}/v1#{model}"

    def questions(self) -> list[dict[str, Any]]:
        """What was asked, in order: path, headers with names in small letters, body."""
        path = self.folder / "questions.jsonl"
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

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = {key.lower(): value for key, value in self.headers.items()}
        with (self.folder / "questions.jsonl").open("a") as log:
            log.write(json.dumps({"path": self.path, "headers": asked, "body": body}) + "\n")
        self.counts[self.path] += 1
        way, _, rest = self.path[1:].partition("/")
        assert rest.partition("?")[0] == "v1/embeddings", self.path
        status, _, times = way.partition("x")
        if status.isdigit():  # /429/..., or /500x2/... for the first two times only
            if not times or self.counts[self.path] <= int(times):
                self.fail(int(status), {"Retry-After": "0" if times else "700"} if status == "429" else {})
            else:
                self.give(body["input"])
        else:
            getattr(self, f"way_{way}")(body["input"])

    def fail(self, status: int, headers: dict[str, str] | None = None) -> None:
        self.say(
            json.dumps({"error": {"message": f"no: {self.headers.get('Authorization', 'no key')}"}}), status, headers
        )

    def say(self, text: str, status: int = 200, headers: dict[str, str] | None = None, cut: int | None = None) -> None:
        content = text.encode()
        self.send_response(status)
        said = {"Content-Type": "application/json", "Content-Length": str(len(content)), **(headers or {})}
        for key, value in said.items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(content[:cut])

    def rows(self, texts: list[str], length: float = 1.0) -> list[dict[str, Any]]:
        return [
            {"object": "embedding", "index": i, "embedding": vector_of(text, length)} for i, text in enumerate(texts)
        ]

    def give(self, texts: list[str], rows: list[dict[str, Any]] | None = None, **others: Any) -> None:
        data = self.rows(texts) if rows is None else rows
        self.say(json.dumps({"object": "list", "data": data, "model": "test-model", "usage": {}}), **others)

    def way_plain(self, texts: list[str]) -> None:
        self.give(texts)

    def way_shuffled(self, texts: list[str]) -> None:
        rows = self.rows(texts)
        self.give(texts, rows[1::2] + rows[::2])

    def way_long(self, texts: list[str]) -> None:
        """Vectors that are not unit vectors."""
        self.give(texts, self.rows(texts, 37.5))

    def way_narrower(self, texts: list[str]) -> None:
        """One vector shorter than the others."""
        rows = self.rows(texts)
        rows[-1]["embedding"].pop()
        self.give(texts, rows)

    def way_changing(self, texts: list[str]) -> None:
        """From the second answer on, vectors of another width."""
        rows = self.rows(texts)
        for row in rows if self.counts[self.path] > 1 else ():
            row["embedding"].append(0.0)
        self.give(texts, rows)

    def way_short(self, texts: list[str]) -> None:
        self.give(texts, self.rows(texts)[1:])

    def way_twice(self, texts: list[str]) -> None:
        self.give(texts, [*self.rows(texts)[1:], self.rows(texts)[1]])

    def way_unnumbered(self, texts: list[str]) -> None:
        self.give(texts, [{"embedding": row["embedding"]} for row in self.rows(texts)])

    def way_words(self, texts: list[str]) -> None:
        self.give(texts, [row | {"embedding": ["0.5"] * WIDTH} for row in self.rows(texts)])

    def way_nan(self, texts: list[str]) -> None:
        self.give(texts, [row | {"embedding": [float("nan")] * WIDTH} for row in self.rows(texts)])

    def way_zero(self, texts: list[str]) -> None:
        self.give(texts, self.rows(texts, 0.0))

    def way_empty(self, texts: list[str]) -> None:
        self.give(texts, [row | {"embedding": []} for row in self.rows(texts)])

    def way_no_json(self, texts: list[str]) -> None:
        self.say("<html>" + "maintenance " * len(texts))

    def way_other_json(self, texts: list[str]) -> None:
        self.say(json.dumps({"embeddings": [vector_of(text) for text in texts]}))

    def way_moved(self, _: list[str]) -> None:
        self.say("", 307, {"Location": "/plain/v1/embeddings"})

    def way_huge(self, texts: list[str]) -> None:
        self.say(" " * 100_000 + "[]" * len(texts))

    def way_cut(self, texts: list[str]) -> None:
        """Half of it the first time, then the connection is dropped."""
        self.give(texts, cut=40 if self.counts[self.path] == 1 else None)
        self.close_connection = True

    def way_drop(self, texts: list[str]) -> None:
        """Nothing at all the first two times."""
        if self.counts[self.path] > 2:
            self.give(texts)
        self.close_connection = True

    def way_stall(self, texts: list[str]) -> None:
        """The beginning of an answer, and then silence."""
        self.give(texts, cut=40)
        select.select([self.connection], [], [])
        self.close_connection = True

    def way_slow(self, texts: list[str]) -> None:
        """Whole in the end, and never silent for long."""
        time.sleep(0.3)
        self.give(texts)

    def way_one_by_one(self, texts: list[str]) -> None:
        """A batch a while, so that whoever asks can be interrupted in between."""
        time.sleep(0.2)
        self.give(texts)

    def way_company(self, texts: list[str]) -> None:
        """A model whose vectors depend on the other texts, as those of many quantized to 8 bits do."""
        rows = self.rows(texts)
        for row in rows:
            row["embedding"][0] += 0.05 * (len(texts) - 1)
        self.give(texts, rows)


class Listener(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that goes away is what is tested."""


if __name__ == "__main__":
    Handler.folder = Path(sys.argv[1])
    listener = Listener(("127.0.0.1", 0), Handler)
    print(listener.server_port, flush=True)  # noqa: T201 - how the test learns it
    listener.serve_forever()
