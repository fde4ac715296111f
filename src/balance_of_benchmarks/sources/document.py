"""A file at the door: unpacked within bounds and parsed as far as every format needs it."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import stat
import time
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

import polars as pl

from balance_of_benchmarks.board.tables import as_utf8, read_table
from balance_of_benchmarks.errors import BoardError
from balance_of_benchmarks.sources.encoding import WINDOWS, decode_windows
from balance_of_benchmarks.sources.pages import cut_to_table, is_web_page, take_markdown
from balance_of_benchmarks.sources.plain_yaml import parse_yaml
from balance_of_benchmarks.transport.json_text import parse_json

__all__ = ["MOST_BYTES", "Archive", "DamagedFileError", "Document", "DocumentKind", "Lines", "open_document"]

DocumentKind = Literal["json", "jsonl", "yaml", "front_matter", "table", "tables", "zip"]

MOST_BYTES: Final = 1 << 30
"""Of one file, unpacked. Parsed JSON takes some eight times its size in memory, so that a file takes at most 8 GiB."""
_MOST_MARKDOWN: Final = 4 << 20
_MOST_LINE: Final = 64 << 20
_HEAD: Final = 64 << 10
_PARQUET: Final = b"PAR1"
_CHUNK: Final = 1 << 20
_PATIENCE: Final = 30  # seconds for a pipe to get a writer
_PAUSE: Final = 0.02
_YAML_LINE: Final = re.compile(rb"^(- +)?[A-Za-z_][\w .-]{0,60}:(\s|$)|^- ")


class DamagedFileError(BoardError):
    """A file that begins like one of scores and is not whole."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The values of a JSON Lines file, parsed one at a time, as often as they are iterated over.

    Parameters
    ----------
    path : Path
    content : bytes or None
        What the file holds, where it cannot be read twice.
    """

    path: Path
    content: bytes | None = None

    def __iter__(self) -> Iterator[Any]:
        with _unpack(self.path, self.content) as stream:
            number, left = 0, 64 * MOST_BYTES
            while line := stream.readline(_MOST_LINE + 1):
                number, left = number + 1, left - len(line)
                if len(line) > _MOST_LINE or left < 0:
                    raise BoardError(f"{self.path} line {number} is too long: expected one record a line")
                if line.strip():
                    yield _parse_json(line, f"{self.path} line {number}")


@dataclass(frozen=True, slots=True)
class Archive:
    """A zip file, of which only members asked for by name are read, into memory and within bounds.

    Parameters
    ----------
    path : Path
    names : tuple of str
    """

    path: Path
    names: tuple[str, ...]
    content: bytes | None = field(default=None, repr=False)

    def read_json(self, name: str) -> Any:
        """Parse one member."""
        try:
            file = self.path if self.content is None else BytesIO(self.content)
            with zipfile.ZipFile(file) as archive, archive.open(name) as member:
                content = _read_bounded(member, f"{name} in {self.path}")
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError) as error:
            raise BoardError(f"{name} in {self.path} cannot be unpacked: {error}; is the file complete?") from error
        return _parse_json(content, f"{name} in {self.path}")


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One file, parsed.

    Parameters
    ----------
    path : Path
        Where it lies; for errors and for files beside it.
    name : str
        What it is called within what was read, as in ``run-1/stats.json``.
    kind : {"json", "jsonl", "yaml", "front_matter", "table", "tables", "zip"}
    content : parsed JSON or YAML, Lines, polars.DataFrame of texts, dict of them by heading, or Archive
        As `kind` says.
    sha256 : str
        Of its bytes as they lie there.
    size : int
    above : tuple of str
        Lines above its table that are no part of it.
    encoding : str or None
        What its text was taken for, where it is not in UTF-8.
    """

    path: Path
    name: str
    kind: DocumentKind
    content: Any
    sha256: str
    size: int
    above: tuple[str, ...] = ()
    encoding: str | None = None

    @property
    def stem(self) -> str:
        """Its name without folders and endings of formats."""
        return re.sub(r"(\.(gz|csv|tsv|json|jsonl|ya?ml|md|parquet|eval|zip))+$", "", self.path.name, flags=re.I)

    @property
    def table(self) -> pl.DataFrame | None:
        """Its table, where it is one."""
        return self.content if self.kind == "table" else None

    @property
    def mapping(self) -> dict[str, Any]:
        """Its JSON object; empty where it is anything else."""
        return self.content if self.kind == "json" and isinstance(self.content, dict) else {}

    def rows(self) -> Iterator[Any]:
        """Iterate over its records: the lines of JSON Lines, the items of a JSON list, or its one object."""
        if self.kind == "jsonl":
            yield from self.content
        elif self.kind == "json":
            yield from self.content if isinstance(self.content, list) else [self.content]

    def first_row(self) -> dict[str, Any]:
        """Give the first record that is an object; empty where the first is none."""
        first = next(self.rows(), None)
        return first if isinstance(first, dict) else {}

    def beside(self, name: str) -> Document | None:
        """Open a file in the same folder, where there is one."""
        path = self.path.parent / name
        return open_document(path, name) if path.is_file() else None


def open_document(path: Path, name: str | None = None) -> Document:
    """Open a file, packed by gzip or not, and find by its content what it is.

    Parameters
    ----------
    path : Path
    name : str, optional
        What to call it; by default its file name.

    Returns
    -------
    Document

    Raises
    ------
    BoardError
        For an empty file, a device, one over the bounds, or one that is not whole.
    """
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
        raise BoardError(f"{path} is not a file: expected a file of scores, a folder, or demo")
    # A pipe can be read only once.
    kept = None if stat.S_ISREG(mode) else _read_pipe(path)
    try:
        with _unpack(path, kept) as stream:
            head = as_utf8(stream.read(_HEAD), path, part=True)
        if not head.strip():
            raise BoardError(f"{path} is empty: expected scores")
        if is_web_page(head):
            raise BoardError(f"{path} is a web page: expected the data it shows, as CSV or JSON")
        kind = _sniff(head, path, kept)
        above, encoding = tuple[str, ...](), None
        if kind == "jsonl":
            content: Any = Lines(path, kept)
        elif kind == "zip":
            content = _open_zip(path, kept)
        else:
            text, encoding = _read_text(path, kept)
            kind, content, above = _parse_text(kind, text, path)
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise DamagedFileError(f"{path} cannot be unpacked: {error}; is the file complete?") from error
    sha256, size = _digest(path, kept)
    return Document(path, name or path.name, kind, content, sha256, size, above, encoding)


def _sniff(head: bytes, path: Path, kept: bytes | None) -> DocumentKind:
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return "zip"
    text = head.lstrip()
    if text[:1] in (b"{", b"["):
        return "jsonl" if text[:1] == b"{" and _is_lines(path, kept) else "json"
    if text.startswith(b"---"):
        return "front_matter" if re.search(rb"\n---\s*(\n|$)", text) else "yaml"
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith(b"#"))
    return "yaml" if _YAML_LINE.match(next(lines, b"")) else "table"


def _is_lines(path: Path, kept: bytes | None) -> bool:
    """Tell whether the first line is a whole object and another begins after it."""
    with _unpack(path, kept) as stream:
        first = b"\n"
        while first and not first.strip():
            first = stream.readline(_MOST_LINE)
        second = b"\n" if first.endswith(b"\n") else b""
        while second and not second.strip():
            second = stream.readline(_HEAD)
    if not second.lstrip().startswith(b"{"):
        return False
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _open_zip(path: Path, kept: bytes | None) -> Archive:
    inside = kept
    if _is_packed(path, kept):
        # Members are found by their places, which a stream that is being unpacked does not have.
        with _unpack(path, kept) as stream:
            inside = _read_bounded(stream, str(path))
    try:
        with zipfile.ZipFile(path if inside is None else BytesIO(inside)) as archive:
            names = tuple(archive.namelist())
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise DamagedFileError(f"{path} is not a whole zip file: {error}") from error
    if "xl/workbook.xml" in names:
        raise BoardError(f"{path} is an Excel workbook: expected its sheet saved as CSV")
    return Archive(path, names, inside)


def _read_text(path: Path, kept: bytes | None) -> tuple[bytes, str | None]:
    """Read a text as UTF-8, and say what else it was taken for; what is not text comes back as it is."""
    with _unpack(path, kept) as stream:
        content = as_utf8(_read_bounded(stream, str(path)), path)
    decoded = None if content[:4] == _PARQUET else decode_windows(content)
    return (content, None) if decoded is None else (decoded, WINDOWS)


def _parse_text(kind: DocumentKind, content: bytes, path: Path) -> tuple[DocumentKind, Any, tuple[str, ...]]:
    """Parse a text as what it looks like; a text of any kind with Markdown tables in it is those."""
    if kind == "json":
        return kind, _parse_json(content, str(path)), ()
    if content[:4] == _PARQUET:
        return "table", read_table(path, content), ()
    head, *body = re.split(rb"\n---\s*(?:\n|$)", content.lstrip(), maxsplit=1) if kind == "front_matter" else [content]
    if kind == "front_matter" and (b"\nmodel-index:" in head or b"\n  results:" in head):
        return kind, parse_yaml(head, path), ()
    tables = take_markdown((body[0] if body else content)[:_MOST_MARKDOWN])
    if len(tables) == 1:
        return "table", read_table(path, tables[0][1]), ()
    if tables:
        return "tables", _name_tables(tables, path), ()
    if kind != "table":
        return kind, parse_yaml(head, path), ()
    content, above = cut_to_table(content)
    return kind, read_table(path, content), above


def _name_tables(tables: list[tuple[str, bytes]], path: Path) -> dict[str, pl.DataFrame]:
    """Read several tables, each by its heading; of one heading the later ones are numbered, of none all are."""
    named: dict[str, pl.DataFrame] = {}
    for number, (title, content) in enumerate(tables, 1):
        name = title if title and title not in named else f"{title} {number}".strip() if title else f"table {number}"
        try:
            named[name] = read_table(path, content)
        except BoardError:
            continue  # a layout of pictures is drawn as a table too, with headings that repeat
    if not named:
        raise BoardError(f"{path} has {len(tables)} Markdown tables, none of which can be read: expected one of scores")
    return named


def _parse_json(content: bytes, place: str) -> Any:
    try:
        return parse_json(content)
    except ValueError as error:
        raise DamagedFileError(f"{place} is not JSON, though it begins like it: {error}") from error


def _unpack(path: Path, kept: bytes | None) -> BinaryIO:
    if _is_packed(path, kept):
        return gzip.open(path if kept is None else BytesIO(kept))  # type: ignore[return-value]
    return path.open("rb") if kept is None else BytesIO(kept)


def _is_packed(path: Path, kept: bytes | None) -> bool:
    with path.open("rb") if kept is None else BytesIO(kept) as stream:
        return stream.read(2) == b"\x1f\x8b"


def _read_bounded(stream: Any, place: str) -> bytes:
    parts, size = [], 0
    while chunk := stream.read(_CHUNK):
        parts.append(chunk)
        size += len(chunk)
        if size > MOST_BYTES:
            raise BoardError(f"{place} holds more than {MOST_BYTES:,} bytes: expected less, or one record a line")
    return b"".join(parts)


def _read_pipe(path: Path) -> bytes:
    """Read a pipe to its end, once somebody writes to it."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with open(handle, "rb", closefd=True) as stream:  # noqa: PTH123 - of a handle
        # Without a writer there is nothing to read yet; with one that says nothing yet reading would block.
        given_up = time.monotonic() + _PATIENCE
        while True:
            try:
                first = os.read(handle, 1)
            except BlockingIOError:
                first = b""
                break
            if first:
                break
            if time.monotonic() > given_up:
                raise BoardError(f"{path} is a pipe that nobody wrote to for {_PATIENCE} s: expected scores")
            time.sleep(_PAUSE)
        os.set_blocking(handle, True)
        return first + _read_bounded(stream, str(path))


def _digest(path: Path, kept: bytes | None) -> tuple[str, int]:
    if kept is not None:
        return hashlib.sha256(kept).hexdigest(), len(kept)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size
