"""A service of embeddings for tests: ``/<way>/v1/embeddings``, in the frame of the test servers.

A text's vector is drawn from its digest, so that a test can know it.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from servers import frame

WIDTH = 8


def vector_of(text: str, length: float = 1.0) -> list[float]:
    """What the server answers for a text, of any length."""
    numbers = [byte - 127.5 for byte in hashlib.sha256(text.encode()).digest()[:WIDTH]]
    norm = math.sqrt(sum(number * number for number in numbers))
    return [length * number / norm for number in numbers]


class Server(frame.Server):
    def name(self, way: str, model: str = "test-model") -> str:
        """An encoder's name that asks it in a way."""
        return self.at(f"{way}/v1#{model}")


@contextmanager
def serve(folder: Path) -> Iterator[Server]:
    """Run a server until the block ends."""
    with frame.run_server("embeddings", folder) as port:
        yield Server(folder, port)


class Handler(frame.Handler):
    texts: list[str]

    def prepare(self, rest: str) -> None:
        assert rest == "v1/embeddings", self.path
        self.texts = self.body["input"]

    def rows(self, length: float = 1.0) -> list[dict[str, Any]]:
        return [
            {"object": "embedding", "index": i, "embedding": vector_of(text, length)}
            for i, text in enumerate(self.texts)
        ]

    def give(self, rows: list[dict[str, Any]] | None = None, **others: Any) -> None:
        data = self.rows() if rows is None else rows
        self.say(json.dumps({"object": "list", "data": data, "model": "test-model", "usage": {}}), **others)

    def way_plain(self) -> None:
        self.give()

    def way_shuffled(self) -> None:
        rows = self.rows()
        self.give(rows[1::2] + rows[::2])

    def way_long(self) -> None:
        """Vectors that are not unit vectors."""
        self.give(self.rows(37.5))

    def way_narrower(self) -> None:
        """One vector shorter than the others."""
        rows = self.rows()
        rows[-1]["embedding"].pop()
        self.give(rows)

    def way_changing(self) -> None:
        """From the second answer on, vectors of another width."""
        rows = self.rows()
        for row in rows if self.time > 1 else ():
            row["embedding"].append(0.0)
        self.give(rows)

    def way_short(self) -> None:
        self.give(self.rows()[1:])

    def way_twice(self) -> None:
        self.give([*self.rows()[1:], self.rows()[1]])

    def way_unnumbered(self) -> None:
        self.give([{"embedding": row["embedding"]} for row in self.rows()])

    def way_words(self) -> None:
        self.give([row | {"embedding": ["0.5"] * WIDTH} for row in self.rows()])

    def way_nan(self) -> None:
        self.give([row | {"embedding": [float("nan")] * WIDTH} for row in self.rows()])

    def way_zero(self) -> None:
        self.give(self.rows(0.0))

    def way_empty(self) -> None:
        self.give([row | {"embedding": []} for row in self.rows()])

    def way_no_json(self) -> None:
        self.say("<html>" + "maintenance " * len(self.texts))

    def way_other_json(self) -> None:
        self.say(json.dumps({"embeddings": [vector_of(text) for text in self.texts]}))

    def way_moved(self) -> None:
        self.say("", 307, {"Location": "/plain/v1/embeddings"})

    def way_huge(self) -> None:
        self.say(" " * 100_000 + "[]" * len(self.texts))

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
        """Whole in the end, and never silent for long."""
        time.sleep(0.3)
        self.give()

    def way_one_by_one(self) -> None:
        """A batch a while, so that whoever asks can be interrupted in between."""
        time.sleep(0.2)
        self.give()

    def way_company(self) -> None:
        """A model whose vectors depend on the other texts, as those of many quantized to 8 bits do."""
        rows = self.rows()
        for row in rows:
            row["embedding"][0] += 0.05 * (len(self.texts) - 1)
        self.give(rows)


if __name__ == "__main__":
    frame.listen(Handler)
