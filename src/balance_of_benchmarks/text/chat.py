"""A language model behind an address: asked once for a text, and every answer kept by what it was asked."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from pydantic import BaseModel, ConfigDict, ValidationError

from balance_of_benchmarks.errors import BoardError, ChatError
from balance_of_benchmarks.text.register import count_words
from balance_of_benchmarks.transport.address import Address
from balance_of_benchmarks.transport.attempts import Limits
from balance_of_benchmarks.transport.files import write_atomically
from balance_of_benchmarks.transport.post import post_json
from balance_of_benchmarks.transport.store import cache_folder

__all__ = ["KEY_VARIABLE", "LIMITS", "MODEL_VARIABLE", "URL_VARIABLE", "ChatModel", "RefusedError", "Reply"]

KEY_VARIABLE: Final = "BOB_CHAT_KEY"
"""The environment's variable with the key, where the service wants one."""
URL_VARIABLE: Final = "BOB_CHAT_URL"
MODEL_VARIABLE: Final = "BOB_CHAT_MODEL"
LIMITS: Final = Limits(timeout=120.0, total=900.0)
"""A model that thinks before it writes is silent for a minute or two."""

_VERSION: Final = 1
# Fewer words describe nothing ("I cannot help with that."), more are no paragraph.
_FEWEST, _MOST = 12, 200
_THOUGHTS: Final = re.compile(r"^\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_FENCE: Final = re.compile(r"^\s*```\w*\n(.*)\n```\s*$", re.DOTALL)


class RefusedError(ChatError):
    """A model answered, and not with the text it was asked for."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A text that a model wrote.

    Parameters
    ----------
    text : str
        One paragraph.
    model : str
        As the service calls what answered.
    asked : str
        When, ISO 8601.
    digest : str
        SHA-256 of the request; the answer is kept under it.
    recalled : bool
        Whether it was kept already, so that nobody was asked.
    """

    text: str
    model: str
    asked: str
    digest: str
    recalled: bool


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore")
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    model_config = ConfigDict(extra="ignore")
    message: _Message
    finish_reason: str | None = None


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore")
    choices: list[_Choice]
    model: str | None = None


class _Kept(BaseModel):
    """A file of the folder: what was asked of whom, when, and what came."""

    model_config = ConfigDict(extra="forbid", strict=True)
    version: int
    request: dict[str, Any]
    asked: str
    response: Any
    response_sha256: str


class ChatModel:
    """A model behind any address that answers as OpenAI's /v1/chat/completions does.

    The key comes from the environment, BOB_CHAT_KEY, goes to that address alone and is in no error, log or file.
    Every answer is kept in a folder by the digest of its request, and what is there is never asked for again: texts
    stay what they were, and where all are kept no network is needed.

    Parameters
    ----------
    url : str
        Up to and with the version, https://host/v1; or with /chat/completions behind it.
    model : str
        As the service calls it.
    folder : Path, optional
        Where answers are kept; by default ``replies`` in the folder of this package's caches.
    fresh : bool
        Ask again what was asked before.
    limits : Limits
        Of each question.
    tell : callable, optional
        Told why a question is asked again.

    Raises
    ------
    ChatError
        For an address that is none, a key that would travel in the open, or no model.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        folder: Path | None = None,
        fresh: bool = False,
        limits: Limits = LIMITS,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._key = os.environ.get(KEY_VARIABLE, "").strip()
        secret = ("Authorization", f"Bearer {self._key}") if self._key else None
        try:
            Address(url)
            self._address = Address(_complete(url), secret)
        except BoardError as error:
            raise ChatError(str(error)) from None
        if not model.strip():
            raise ChatError(f"{self._address} is asked for no model: expected its name")
        self.model, self.folder = model, folder or cache_folder() / "replies"
        self._fresh, self._limits, self._tell = fresh, limits, tell

    def ask(self, prompt: str) -> Reply:
        """Give the paragraph that the model writes to a prompt.

        Parameters
        ----------
        prompt : str

        Returns
        -------
        Reply

        Raises
        ------
        RefusedError
            When the model declines, or what it writes is no paragraph.
        ChatError
            When the service cannot be asked or answers otherwise, or a kept answer is damaged.
        """
        question = {"model": self.model, "messages": [{"role": "user", "content": prompt}]}
        request = {"address": str(self._address), "body": question}
        digest = hashlib.sha256(_as_json(request)).hexdigest()
        kept = None if self._fresh else self._find(digest, request)
        recalled = kept is not None
        if kept is None:
            try:
                response = post_json(self._address, question, self._limits, tell=self._tell)
                kept = self._keep(digest, request, self._hide_key(response))
            except BoardError as error:
                raise ChatError(str(error)) from None
            except RecursionError:
                raise ChatError(f"{self._address} answers with JSON nested too deeply to be kept") from None
        text, model = self._read(kept.response)
        return Reply(text, model or self.model, kept.asked, digest, recalled)

    def _find(self, digest: str, request: dict[str, Any]) -> _Kept | None:
        path = self.folder / f"{digest}.json"
        try:
            kept = _Kept.model_validate(json.loads(path.read_bytes()))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise ChatError(f"the kept answer {path} cannot be read: {error.strerror}") from None
        except (ValueError, RecursionError):  # no JSON, or not of this shape
            kept = None
        if kept is None or kept.request != request or kept.response_sha256 != _digest(kept.response):
            raise ChatError(f"the kept answer {path} is damaged: delete it, and it is asked for again")
        if kept.version != _VERSION:
            raise ChatError(f"{path} is of version {kept.version}, this is {_VERSION}: delete it to ask again")
        return kept

    def _keep(self, digest: str, request: dict[str, Any], response: Any) -> _Kept:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        kept = _Kept(version=_VERSION, request=request, asked=now, response=response, response_sha256=_digest(response))
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomically(self.folder / f"{digest}.json", _as_json(kept.model_dump()) + b"\n")
        except OSError as error:
            raise ChatError(
                f"{self.folder} cannot be written: {error.strerror}; set BOB_CACHE_DIR to a folder that can"
            ) from None
        return kept

    def _hide_key(self, response: Any) -> Any:
        """Blot the key out of an answer that repeats it: an answer is kept, and shown where it is of no use."""
        return json.loads(json.dumps(response, ensure_ascii=False).replace(self._key, "*")) if self._key else response

    def _read(self, response: Any) -> tuple[str, str | None]:
        """Take the paragraph out of an answer."""
        try:
            answer = _Answer.model_validate(response)
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            place = ".".join(map(str, first["loc"])) or "the answer"
            raise ChatError(
                f"{self._address} answers otherwise than /v1/chat/completions does ({place}: {first['msg']}): "
                'expected {"choices": [{"message": {"content": "..."}}]}'
            ) from None
        if not answer.choices:
            raise self._refuse("answers with no choice")
        choice = answer.choices[0]
        if choice.message.refusal or choice.finish_reason == "content_filter":
            raise self._refuse(f"declines: {_show(choice.message.refusal or 'its service filtered the answer')}")
        if choice.finish_reason == "length":
            raise self._refuse("was cut off before its end")
        text = _THOUGHTS.sub("", choice.message.content or "")
        fenced = _FENCE.match(text)
        text = " ".join((fenced.group(1) if fenced else text).split()).strip("\"'“”")
        text = "".join(character for character in text if character.isprintable() and character != "\ufffd")
        if not _FEWEST <= count_words(text) <= _MOST:
            raise self._refuse(f"writes {count_words(text)} words, no paragraph: {_show(text)}")
        return text, answer.model

    def _refuse(self, what: str) -> RefusedError:
        return RefusedError(f"{self.model} at {self._address} {what}; try again with --fresh, or another model")


def _complete(url: str) -> str:
    parts, end = urlsplit(url), "/chat/completions"
    path = parts.path.rstrip("/")
    return urlunsplit(parts._replace(path=path if path.endswith(end) else path + end, fragment=""))


def _as_json(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True).encode()


def _digest(value: Any) -> str:
    return hashlib.sha256(_as_json(value)).hexdigest()


def _show(text: str) -> str:
    plain = "".join(character if character.isprintable() else " " for character in text)
    return repr(plain if len(plain) <= 80 else f"{plain[:79]}…")
