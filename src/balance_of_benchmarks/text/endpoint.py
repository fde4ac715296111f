"""Encoders behind an address: any service that answers as OpenAI's /v1/embeddings does."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from balance_of_benchmarks.errors import BoardError, EncoderError
from balance_of_benchmarks.text.encoder import EncoderIdentity, unit_rows
from balance_of_benchmarks.transport.address import Address
from balance_of_benchmarks.transport.attempts import Limits
from balance_of_benchmarks.transport.post import post_json

__all__ = ["BATCH", "KEY_VARIABLE", "EndpointEncoder"]

KEY_VARIABLE: Final = "BOB_EMBEDDINGS_KEY"
"""The environment's variable with the key, where the service wants one."""
BATCH: Final = 64
"""Texts asked for at once; services take between some dozen and two thousand."""
# A model that is loaded at the first question takes a minute or two to answer it.
_LIMITS: Final = Limits(timeout=120.0, total=900.0)


class _Row(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")
    index: int
    embedding: list[float]


class _Answer(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")
    data: list[_Row]


class EndpointEncoder:
    """A model behind an OpenAI-compatible address: a company's, a provider's, or vLLM, Ollama, llama.cpp on one's own.

    The key comes from the environment, BOB_EMBEDDINGS_KEY, goes to that address alone and is in no error, log or
    cache. Answers are put in order by their index and given the length of one; what is not one vector a text, all
    of one width, is refused. A service that is busy or fails is asked again, after as long as it asks for.

    Parameters
    ----------
    url : str
        Up to and with the version, https://host/v1; or with /embeddings behind it.
    model : str
        As the service calls it.
    batch : int, optional
        64 by default.
    limits : Limits
        Of each question.
    tell : callable, optional
        Told why it is asked again.

    Raises
    ------
    EncoderError
        For an address that is none, or a key that would travel in the open.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        batch: int | None = None,
        limits: Limits = _LIMITS,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        key = os.environ.get(KEY_VARIABLE, "").strip()
        try:
            Address(url)
            self._address = Address(_complete(url), ("Authorization", f"Bearer {key}") if key else None)
        except BoardError as error:
            raise EncoderError(str(error)) from None
        if not model.strip():
            raise EncoderError(f"{self._address} is asked for no model: expected {Address(url)}#MODEL")
        self._model, self.batch, self._limits, self._tell = model, batch or BATCH, limits, tell
        self._width: int | None = None

    @property
    def identity(self) -> EncoderIdentity:
        """The model, and where it is asked for; what revision runs there is not known."""
        return EncoderIdentity(self._model, "", (("url", str(self._address)),))

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Turn texts into unit vectors, shape (n, d)."""
        batches = [self._ask(texts[i : i + self.batch]) for i in range(0, len(texts), self.batch)]
        return np.concatenate([np.empty((0, self._width or 0), dtype=np.float32), *batches])

    def _ask(self, texts: Sequence[str]) -> NDArray[np.float32]:
        question = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        try:
            answer = post_json(self._address, question, self._limits, tell=self._tell)
        except BoardError as error:
            raise EncoderError(str(error)) from None
        return unit_rows(self._sort(answer, len(texts)), texts, f"{self._model} at {self._address}").astype(np.float32)

    def _sort(self, answer: object, count: int) -> list[list[float]]:
        """Put an answer's vectors in the order of the texts."""
        try:
            rows = _Answer.model_validate(answer).data
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            place = ".".join(map(str, first["loc"])) or "the answer"
            raise EncoderError(
                f"{self._address} answers otherwise than /v1/embeddings does ({place}: {first['msg']}): "
                'expected {"data": [{"index": 0, "embedding": [...]}, ...]}'
            ) from None
        by_index = {row.index: row.embedding for row in rows}
        if len(rows) != count or by_index.keys() != set(range(count)):
            raise EncoderError(
                f"{self._address} answers {count} texts with {len(rows)} vectors of indices "
                f"{sorted(row.index for row in rows)[:5]}...: expected each from 0 to {count - 1} once"
            )
        widths = {len(vector) for vector in by_index.values()} | ({self._width} if self._width else set())
        if len(widths) != 1 or 0 in widths:
            raise EncoderError(
                f"{self._address} answers with vectors of {', '.join(map(str, sorted(widths)))} dimensions: "
                "expected one width for all texts"
            )
        self._width = widths.pop()
        return [by_index[i] for i in range(count)]


def _complete(url: str) -> str:
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    return urlunsplit(parts._replace(path=path if path.endswith("/embeddings") else f"{path}/embeddings", fragment=""))
