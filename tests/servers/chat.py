"""A language model for tests: ``/<way>/v1/chat/completions``, in the frame of the test servers.

What it writes is drawn from the prompt, so that a test can know it.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from servers import frame

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


class Server(frame.Server):
    def url(self, way: str) -> str:
        return self.at(f"{way}/v1")


@contextmanager
def serve(folder: Path) -> Iterator[Server]:
    """Run a server until the block ends."""
    with frame.run_server("chat", folder) as port:
        yield Server(folder, port)


class Handler(frame.Handler):
    text: str

    def prepare(self, rest: str) -> None:
        assert rest == "v1/chat/completions", self.path
        self.text = paragraph_of(self.body["messages"][-1]["content"])

    def give(self, content: str | None = "", *, finish: str = "stop", cut: int | None = None, **message: Any) -> None:
        text = self.text if content == "" else content
        choice = {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": finish}
        self.say(json.dumps({"id": "x", "model": "test-model-0301", "choices": [choice], "usage": {}}), cut=cut)

    def way_plain(self) -> None:
        self.give()

    def way_changing(self) -> None:
        """Another text each time."""
        self.give(f"{self.text} This is answer number {self.time}.")

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
        if self.time % 2 == 0:
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
        self.give(cut=40 if self.time == 1 else None)
        self.close_connection = True

    def way_drop(self) -> None:
        """Nothing at all the first two times."""
        if self.time > 2:
            self.give()
        self.close_connection = True

    def way_stall(self) -> None:
        """The beginning of an answer, and then silence."""
        self.give(cut=40)
        self.gone(None)
        self.close_connection = True

    def way_slow(self) -> None:
        time.sleep(0.3)
        self.give()

    def way_dying(self) -> None:
        """Two answers, and then only errors."""
        if self.time > 2:
            self.fail(503, {})
        else:
            self.give()


if __name__ == "__main__":
    frame.listen(Handler)
