"""A server of its own process on loopback that answers /v1/chat/completions well, badly or hardly at all.

``/<way>/v1/chat/completions`` answers in that way; each question is written down in ``<folder>/questions.jsonl``. What
it writes is drawn from the prompt, so that a test can know it. What stalls does so until its client is gone.
"""

from __future__ import annotations

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

WORDS = "algebra law shell chat code proof essay table graph logic music verse".split()  # noqa: SIM905


def paragraph_of(prompt: str) -> str:
    """What the server writes to a prompt."""
    digest = hashlib.sha256(prompt.encode()).digest()
    subjects = ", ".join(WORDS[byte % len(WORDS)] for byte in digest[:8])
    return (
        f"The system is asked free-response questions in English on these subjects and on no others: {subjects}. "
        "Each of them takes several steps of reasoning and ends in one short answer. A program compares that with the "
        f"reference {digest.hex()[:8]}, so that only exact answers count, whatever else was written on the way there."
    )


@dataclass(frozen=True)
class Server:
    """A server that runs, as a test sees it."""

    folder: Path
    port: int

    def url(self, way: str) -> str:
        return f"http://127.0.0.1:{self.port}/{way}/v1"

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
        assert rest == "v1/chat/completions", self.path
        self.text = paragraph_of(body["messages"][-1]["content"])
        status, _, times = way.partition("x")
        if status.isdigit():  # /429/..., or /500x2/... for the first two times only
            if not times or self.counts[self.path] <= int(times):
                self.fail(int(status), {"Retry-After": "0" if times else "700"} if status == "429" else {})
            else:
                self.give()
        else:
            getattr(self, f"way_{way}")()

    def fail(self, status: int, headers: dict[str, str]) -> None:
        """An error that repeats the key."""
        error = {"error": {"message": f"no: {self.headers.get('Authorization', 'no key')}"}}
        self.say(json.dumps(error), status, headers)

    def say(self, text: str, status: int = 200, headers: dict[str, str] | None = None, cut: int | None = None) -> None:
        content = text.encode()
        self.send_response(status)
        said = {"Content-Type": "application/json", "Content-Length": str(len(content)), **(headers or {})}
        for key, value in said.items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(content[:cut])

    def give(self, content: str | None = "", *, finish: str = "stop", cut: int | None = None, **message: Any) -> None:
        text = self.text if content == "" else content
        choice = {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": finish}
        self.say(json.dumps({"id": "x", "model": "test-model-0301", "choices": [choice], "usage": {}}), cut=cut)

    def way_plain(self) -> None:
        self.give()

    def way_changing(self) -> None:
        """Another text each time."""
        self.give(f"{self.text} This is answer number {self.counts[self.path]}.")

    def way_fenced(self) -> None:
        self.give(f"<think>\nThe user wants a paragraph.\n</think>\n\n```text\n{self.text}\n```\n")

    def way_quoted(self) -> None:
        self.give(f'  "{self.text}"\n\n'.replace(". ", ".\n", 1))

    def way_marked(self) -> None:
        """Characters that no text is to hold."""
        self.give(f"\ufeff{self.text}\x1b[31m\ud800")

    def way_halved(self) -> None:
        """Half a character where nothing is looked at: in the model's name and beside it."""
        choice = {"message": {"content": self.text}, "finish_reason": "stop"}
        self.say(json.dumps({"id": "\ud800", "model": "test-\udfff", "choices": [choice]}))

    def way_refusing(self) -> None:
        self.give(None, refusal="I cannot help with that.")

    def way_sorry(self) -> None:
        self.give("I'm sorry, but I can't help with that.")

    def way_filtered(self) -> None:
        self.give("The", finish="content_filter")

    def way_cut_off(self) -> None:
        self.give(finish="length")

    def way_thinking(self) -> None:
        """Nothing but thoughts."""
        self.give("<think>Hm.</think>")

    def way_void(self) -> None:
        self.give(None)

    def way_essay(self) -> None:
        self.give(" ".join([self.text] * 8))

    def way_picky(self) -> None:
        """Every second question is declined."""
        if self.counts[self.path] % 2 == 0:
            self.way_refusing()
        else:
            self.give()

    def way_echo(self) -> None:
        """The key in the answer."""
        self.give(f"{self.text} {self.headers.get('Authorization')}")

    def way_no_json(self) -> None:
        self.say("<html>maintenance")

    def way_other_json(self) -> None:
        self.say(json.dumps({"completion": self.text}))

    def way_list(self) -> None:
        self.say("[]")

    def way_choiceless(self) -> None:
        self.say(json.dumps({"choices": []}))

    def way_typed(self) -> None:
        self.say(json.dumps({"choices": [{"message": {"content": 7}}]}))

    def way_deep(self) -> None:
        self.say('{"choices": ' * 900 + "[]" + "}" * 900)

    def way_moved(self) -> None:
        self.say("", 307, {"Location": "/plain/v1/chat/completions"})

    def way_cut(self) -> None:
        """Half of it the first time, then the connection is dropped."""
        self.give(cut=40 if self.counts[self.path] == 1 else None)
        self.close_connection = True

    def way_drop(self) -> None:
        """Nothing at all the first two times."""
        if self.counts[self.path] > 2:
            self.give()
        self.close_connection = True

    def way_stall(self) -> None:
        """The beginning of an answer, and then silence."""
        self.give(cut=40)
        select.select([self.connection], [], [])
        self.close_connection = True

    def way_slow(self) -> None:
        time.sleep(0.3)
        self.give()

    def way_dying(self) -> None:
        """Two answers, and then only errors."""
        if self.counts[self.path] > 2:
            self.fail(503, {})
        else:
            self.give()


class Listener(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that goes away is what is tested."""


if __name__ == "__main__":
    Handler.folder = Path(sys.argv[1])
    listener = Listener(("127.0.0.1", 0), Handler)
    print(listener.server_port, flush=True)  # noqa: T201 - how the test learns it
    listener.serve_forever()
