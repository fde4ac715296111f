"""Every encoder by one name, and what is done with its vectors on the way: kept, frozen, shortened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from balance_of_benchmarks.errors import EncoderError, name_unknown
from balance_of_benchmarks.text.encoder import Encoder
from balance_of_benchmarks.text.keeping import KeptEncoder
from balance_of_benchmarks.text.local import PRESETS, LocalEncoder
from balance_of_benchmarks.text.ngrams import NgramEncoder
from balance_of_benchmarks.text.reducing import ReducedEncoder
from balance_of_benchmarks.text.vectors import ENDINGS, VectorFile, read_vectors
from balance_of_benchmarks.text.wordllama import WordLlamaEncoder
from balance_of_benchmarks.transport.store import cache_folder

__all__ = ["ENCODERS", "find_encoder"]

ENCODERS: Final = ("wordllama", "ngrams", *PRESETS)
"""Encoders with a name of their own."""
_FORMS: Final = "or local:MODEL, local:FOLDER, https://HOST/v1#MODEL, a file of vectors (.npy, .npz, .parquet)"


def find_encoder(
    encoder: str | Encoder = "wordllama",
    *,
    dim: int | None = None,
    batch: int | None = None,
    cache: str | Path | None = None,
    frozen: bool = False,
    progress: Callable[[int, int], None] | None = None,
    tell: Callable[[str], None] | None = None,
) -> Encoder:
    """Give the encoder of a name.

    Nothing is loaded, asked or written before the first text is encoded; a file of vectors is read.

    Parameters
    ----------
    encoder : str or Encoder
        ``"wordllama"`` (the default), ``"ngrams"``, ``"qwen3-8b"``, ``"qwen3-4b"``, ``"qwen3-0.6b"``; or
        ``"local:NAME"``, ``"local:NAME@REVISION"``, ``"local:FOLDER"`` for a sentence-transformers model;
        ``"https://HOST/v1#MODEL"`` for an OpenAI-compatible service, its key in BOB_EMBEDDINGS_KEY; the path of a
        file of vectors; or any object with `identity` and `encode`.
    dim : int, optional
        Keep the first components only, where the encoder was trained for it.
    batch : int, optional
        Texts encoded at once, by a local model or a service.
    cache : str or Path, optional
        Folder where vectors are kept and looked for. By default those of local models and services are, in the
        user's cache; others are made faster than they are found.
    frozen : bool
        Encode nothing: refuse a text whose vector is not kept.
    progress : callable, optional
        Called with texts encoded and texts to encode, where vectors are kept.
    tell : callable, optional
        Told why it takes longer.

    Returns
    -------
    Encoder

    Raises
    ------
    EncoderError
        For an unknown name or a thing that cannot encode.

    Examples
    --------
    >>> find_encoder("wordllama", dim=128).encode(["Competition mathematics."]).shape
    (1, 128)
    """
    if batch is not None and batch < 1:
        raise EncoderError(f"batch is {batch}: expected 1 text or more at once")
    # Whether it is an encoder is asked of strangers only: for an answer Python looks at the identity, and that of a
    # local model is a digest of its files or a question to the hub.
    if not isinstance(encoder, str | Encoder):
        raise EncoderError(
            f"a {type(encoder).__name__} is not an encoder: expected one of {', '.join(ENCODERS)}, {_FORMS}, "
            "or an object with identity and encode"
        )
    found, dear = _find(encoder, batch, tell) if isinstance(encoder, str) else (encoder, False)
    if batch is not None and not dear:
        raise EncoderError(f"{found.identity.name} encodes no batches: leave out batch")
    if isinstance(found, VectorFile):  # as frozen as can be
        return found if dim is None else found.reduce(dim)
    if dear or frozen or cache is not None:
        root = cache_folder() / "vectors" if cache is None else Path(cache)
        found = KeptEncoder(found, root, frozen=frozen, progress=progress, tell=tell)
    return found if dim is None else ReducedEncoder(found, dim)


def _find(name: str, batch: int | None, tell: Callable[[str], None] | None) -> tuple[Encoder, bool]:
    """Make the encoder of a name, and say whether it is dear to ask.

    Others take a millisecond a text: looking a vector up takes as long as making it.
    """
    if name == "wordllama":
        return WordLlamaEncoder(), False
    if name == "ngrams":
        return NgramEncoder(), False
    if name in PRESETS:
        return LocalEncoder(PRESETS[name].model, name=name, revision=PRESETS[name].revision, batch=batch), True
    if name.startswith("local:"):
        model, _, revision = name.removeprefix("local:").partition("@")
        return LocalEncoder(model, revision=revision or None, batch=batch), True
    if "://" in name:
        from balance_of_benchmarks.text.endpoint import EndpointEncoder  # the web is not loaded for the others

        url, _, model = name.partition("#")
        return EndpointEncoder(url, model, batch=batch, tell=tell), True
    if name.lower().endswith(ENDINGS):
        return read_vectors(Path(name)), False
    raise EncoderError(f"{name_unknown('the encoders', name, ENCODERS)}; {_FORMS}")
