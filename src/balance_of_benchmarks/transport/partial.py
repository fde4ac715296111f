"""What has come of a file so far: one line that says what it is of, then its bytes as they travel."""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import zlib
from pathlib import Path
from typing import BinaryIO, Final

import httpx2
from pydantic import BaseModel, ConfigDict, ValidationError

__all__ = ["Label", "continues", "read_label", "unpack"]

_MOST_LABEL: Final = 4096
_CHUNK: Final = 1 << 20
_CONTENT_RANGE: Final = re.compile(r"bytes (\d{1,18})-\d+/(\d+|\*)")


class Label(BaseModel):
    """What a server says of the file it begins to send.

    Parameters
    ----------
    validator : str or None
        The strong ETag, or the date of its last change, by which the same file is known again.
    encoding : str
        How it is packed on its way; empty where it is not.
    content_type : str
        Without parameters; empty where none is said.
    total : int or None
        Bytes that travel.
    """

    model_config = ConfigDict(frozen=True, strict=True)
    validator: str | None
    encoding: str
    content_type: str
    total: int | None

    @classmethod
    def of(cls, headers: httpx2.Headers) -> Label:
        """Read the headers of an answer."""
        tag = headers.get("ETag", "")
        # A weak tag promises the same meaning, not the same bytes.
        validator = tag if tag.startswith('"') else headers.get("Last-Modified")
        length = headers.get("Content-Length", "")
        return cls(
            validator=validator,
            encoding=headers.get("Content-Encoding", "").strip().lower(),
            content_type=headers.get("Content-Type", "").partition(";")[0].strip().lower(),
            total=int(length) if re.fullmatch(r"[0-9]{1,18}", length) else None,
        )

    def write(self, file: BinaryIO) -> None:
        """Begin a part file."""
        file.write(self.model_dump_json().encode() + b"\n")


def read_label(part: Path) -> tuple[Label | None, int]:
    """Read what a part file is of.

    Parameters
    ----------
    part : Path

    Returns
    -------
    (Label, int)
        With the bytes there are; (None, 0) for a file that is not there or whose first line is not whole.
    """
    try:
        with part.open("rb") as file:
            line = file.readline(_MOST_LABEL)
            return Label.model_validate_json(line), os.fstat(file.fileno()).st_size - len(line)
    except (FileNotFoundError, ValidationError):
        return None, 0


def continues(label: Label, have: int, headers: httpx2.Headers) -> bool:
    """Tell whether a partial answer is what follows; some servers heed neither validator nor packing.

    Parameters
    ----------
    label : Label
        Of what is there.
    have : int
        Bytes that are there.
    headers : httpx2.Headers
        Of the answer.

    Returns
    -------
    bool
    """
    found, other = _CONTENT_RANGE.fullmatch(headers.get("Content-Range", "")), Label.of(headers)
    if found is None or int(found[1]) != have or other.encoding != label.encoding:
        return False
    same_length = label.total is None or found[2] == str(label.total)
    return same_length and other.validator in (None, label.validator)


def unpack(part: Path, target: Path, most_bytes: int) -> tuple[str, int] | None:
    """Unpack a part file that is whole.

    Parameters
    ----------
    part, target : Path
    most_bytes : int

    Returns
    -------
    (str, int) or None
        SHA-256 and size of what `target` holds, on disk for good; None where unpacking would pass the bound.

    Raises
    ------
    ValueError
        For bytes that are not packed as the label says.
    """
    label, _ = read_label(part)
    digest, size = hashlib.sha256(), 0
    try:
        with part.open("rb") as file, target.open("wb") as whole:
            file.readline(_MOST_LABEL)
            stream = gzip.GzipFile(fileobj=file) if label is not None and label.encoding.endswith("gzip") else file
            while chunk := stream.read(_CHUNK):
                size += len(chunk)
                if size > most_bytes:
                    return None
                digest.update(chunk)
                whole.write(chunk)
            whole.flush()
            os.fsync(whole.fileno())
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise ValueError(str(error)) from error
    return digest.hexdigest(), size
