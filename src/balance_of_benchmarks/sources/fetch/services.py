"""What can be fetched by name, and where each documents its addresses. None was tried against the live service."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urljoin, urlsplit

from pydantic import BaseModel, ConfigDict, Field

from balance_of_benchmarks.errors import BoardError, name_unknown
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.reading import validate
from balance_of_benchmarks.transport.address import Address

__all__ = ["SERVICES", "Listed", "Plan", "Service", "plan_fetch"]

_MOST_SLUG: Final = 80


@dataclass(frozen=True, slots=True)
class Listed:
    """One file of many that an index lists.

    Parameters
    ----------
    address : Address
    sha256 : str
    """

    address: Address
    sha256: str


@dataclass(frozen=True, slots=True)
class Service:
    """Somebody who publishes a board.

    Parameters
    ----------
    name : str
        On the command line, and of the folder with its snapshots.
    format : str
        What its files must be read as.
    url : str or None
        Where it is asked; None where the user has to say.
    advice : str
        What to say where it is asked nowhere.
    key_variable, key_header : str or None
        The environment's variable with the key, and the header that takes it along.
    beside : callable
        Of an address, the further ones a board consists of.
    list_index : callable or None
        Of an address and the file that came, the files it lists; empty where it is scores itself.
    """

    name: str
    format: str
    url: str | None
    advice: str = ""
    key_variable: str | None = None
    key_header: str | None = None
    beside: Callable[[str], tuple[str, ...]] = lambda _: ()
    list_index: Callable[[str, Path], tuple[Listed, ...]] | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What a fetch asks, and where it writes.

    Parameters
    ----------
    source : str
    folder : Path
        With the source's snapshots and their manifest.
    addresses : tuple of Address
        Of the files of a board.
    service : Service or None
        None for an address that is nobody's.
    key_given : bool or None
        Whether the environment has the key; None where none is needed.
    """

    source: str
    folder: Path
    addresses: tuple[Address, ...]
    service: Service | None
    key_given: bool | None


def plan_fetch(source: str, out: Path, environment: Mapping[str, str], url: str | None = None) -> Plan:
    """Find out what to ask, without asking.

    Parameters
    ----------
    source : str
        A service's name, or an address.
    out : Path
        The folder for all sources.
    environment : mapping of str to str
        Where keys are.
    url : str, optional
        Where to ask a service instead of its usual address.

    Returns
    -------
    Plan

    Raises
    ------
    BoardError
        For a source that is neither, or an address that is none.
    """
    if "://" in source:
        if url is not None:
            raise BoardError("--url goes with the name of a service: the source is an address itself")
        address = Address(source)
        return Plan(_slug(source), out / _slug(source), (address,), None, None)
    service = SERVICES.get(source)
    if service is None:
        raise BoardError(f"{name_unknown('the sources', source, SERVICES)}; or give an address, https://...")
    asked = url or service.url
    if asked is None:
        raise BoardError(f"{source} has no address of its own: {service.advice}")
    key = environment.get(service.key_variable, "").strip() if service.key_variable else ""
    secret = (service.key_header, key) if service.key_header and key else None
    Address(asked)  # said of it first, before what is beside it
    addresses = tuple(Address(one, secret) for one in (asked, *service.beside(asked)))
    return Plan(source, out / source, addresses, service, bool(key) if service.key_variable else None)


def _slug(url: str) -> str:
    """Name an address's folder after its host and path."""
    parts = urlsplit(url)
    words = f"{parts.netloc.rpartition('@')[2]}{parts.path}".lower()
    return re.sub(r"[^a-z0-9]+", "-", words).strip("-")[:_MOST_SLUG].strip("-") or "address"


def _livebench_beside(url: str) -> tuple[str, ...]:
    """Find the categories of a release beside its table."""
    parts = urlsplit(url)
    folder, _, name = parts.path.rpartition("/")
    found = re.fullmatch(r"table_(\w+)\.csv", name)
    if found is None:
        raise BoardError(f"{Address(url)} is no table of LiveBench: expected an address that ends in table_<date>.csv")
    return (parts._replace(path=f"{folder}/categories_{found[1]}.json").geturl(),)


class _Row(BaseModel):
    model_config = ConfigDict(strict=True)
    object_path: Annotated[str, Field(pattern=r"^flat/objects/[\w./-]+\.json$")]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    record_type: str


def _list_datastore(url: str, path: Path) -> tuple[Listed, ...]:
    """Read the index of a collection: a line an object, with its place in the datastore and its digest."""
    document = open_document(path)
    if document.kind not in ("json", "jsonl") or "object_path" not in document.first_row():
        return ()
    root, found, _ = url.partition("/flat/")
    if not found:
        raise BoardError(f"{Address(url)} is an index whose datastore is not known: expected an address with /flat/")
    rows = (validate(_Row, row, str(Address(url)), "index of the datastore") for row in document.rows())
    places = {row.object_path: row.sha256 for row in rows if row.record_type == "aggregate"}
    return tuple(Listed(Address(urljoin(f"{root}/", place)), sha256) for place, sha256 in places.items())


_DATASTORE: Final = "https://huggingface.co/datasets/evaleval/EEE_datastore"

SERVICES: Final = {
    service.name: service
    for service in (
        # The address and the header are documented at https://artificialanalysis.ai/documentation ("LLMs Endpoint",
        # "Authentication"); https://artificialanalysis.ai/data-api/docs describes newer, paged ones of another shape.
        Service(
            name="artificial-analysis",
            format="artificial_analysis",
            url="https://artificialanalysis.ai/api/v2/data/llms/models",
            key_variable="ARTIFICIAL_ANALYSIS_API_KEY",
            key_header="x-api-key",
        ),
        # The datastore is a repository of tens of thousands of small files without one file of all scores; its layout
        # is documented in USAGE_EEE_datastore.md there.
        Service(
            name="every-eval-ever",
            format="every_eval_ever",
            url=None,
            advice=f"clone {_DATASTORE} and bob import it, or give --url of one collection, "
            f"{_DATASTORE}/resolve/main/flat/indexes/by_collection/<collection>.jsonl, or of one record",
            list_index=_list_datastore,
        ),
        # A release is a table and its categories at the site's root, documented in README.md and package.json of
        # https://github.com/LiveBench/new-livebench; the dates of all releases are in src/lib/constants.js there.
        Service(
            name="livebench",
            format="livebench",
            url="https://livebench.ai/table_2026_06_25.csv",
            beside=_livebench_beside,
        ),
    )
}
"""By name."""
