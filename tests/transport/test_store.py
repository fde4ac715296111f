"""A folder of arrays: bit for bit what was kept, or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import balance_of_benchmarks as bob
from balance_of_benchmarks.transport.store import (
    ArrayStore,
    cache_folder,
    digest_arrays,
    digest_code,
    digest_texts,
)

KEY = {"board": "1", "code": "2"}
ARRAYS: dict[str, NDArray[Any]] = {
    "floats": np.array([[1.5, np.nan], [np.inf, -0.0]]),
    "flags": np.array([True, False]),
    "words": np.array(["a", "längeres Wort"]),
    "nothing": np.empty((0, 3)),
}


@pytest.fixture
def store(tmp_path: Path) -> ArrayStore:
    store = ArrayStore(tmp_path / "cache")
    store.keep(KEY, ARRAYS)
    return store


def test_what_was_kept_comes_back_as_it_was(store: ArrayStore) -> None:
    found = store.find(KEY)

    assert found is not None
    assert found.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
        assert found[name].tobytes() == array.tobytes()


def test_the_order_of_the_digests_means_nothing_and_each_of_them_something(store: ArrayStore) -> None:
    assert store.find({"code": "2", "board": "1"}) is not None
    for other in ({"board": "1"}, KEY | {"code": "3"}, KEY | {"texts": "4"}, {"board": "2", "code": "1"}):
        assert store.find(other) is None


def test_what_is_kept_again_replaces_what_was(store: ArrayStore) -> None:
    store.keep(KEY, {"one": np.ones(1)})
    found = store.find(KEY)

    assert found is not None
    assert list(found) == ["one"]
    assert len(list(store.folder.iterdir())) == 1


def test_a_bit_more_or_less_anywhere_is_noticed(store: ArrayStore) -> None:
    (place,) = store.folder.iterdir()
    whole = place.read_bytes()
    for at in range(0, len(whole), 3):
        place.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << at % 8)]) + whole[at + 1 :])
        assert store.find(KEY) is None
    for content in (b"", whole[:20], whole[:-1], whole + b"\0", whole[1:], b"\0" * len(whole)):
        place.write_bytes(content)
        assert store.find(KEY) is None
    place.write_bytes(whole)
    assert store.find(KEY) is not None


def test_nothing_is_found_where_there_is_no_folder_or_no_file(tmp_path: Path) -> None:
    store = ArrayStore(tmp_path / "none")

    assert store.find(KEY) is None
    assert not store.folder.exists()
    store.keep(KEY, ARRAYS)
    (place,) = store.folder.iterdir()
    place.unlink()
    place.mkdir()
    assert store.find(KEY) is None


def test_preparing_makes_the_folder_and_leaves_nothing_in_it(tmp_path: Path) -> None:
    store = ArrayStore(tmp_path / "a" / "b")
    store.prepare()

    assert list(store.folder.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_refused_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = ArrayStore(tmp_path / "file")

    for refuse in (store.prepare, lambda: store.keep(KEY, ARRAYS)):
        with pytest.raises(bob.BobError, match="set BOB_CACHE_DIR to a folder that can"):
            refuse()


def test_digests_tell_shapes_types_and_borders_apart() -> None:
    arrays = [np.zeros(4), np.zeros((2, 2)), np.zeros(4, dtype=np.int64), np.full(4, -0.0), np.zeros(5)]
    listed = [*(digest_arrays(array) for array in arrays), digest_arrays(), digest_arrays(np.zeros(4), np.zeros(0))]
    texts = [
        digest_texts(*values) for values in (("a", "b"), ("ab",), ("b", "a"), (None,), ("None",), (1,), ("1",), ())
    ]

    assert len(set(listed)) == len(listed)
    assert len(set(texts)) == len(texts)
    assert digest_arrays(np.eye(3)[:, ::2]) == digest_arrays(np.ascontiguousarray(np.eye(3)[:, ::2]))
    assert digest_code() == digest_code()


def test_the_cache_folder_is_the_one_named_or_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BOB_CACHE_DIR", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.setenv("BOB_CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    assert cache_folder() == tmp_path / "x" / "balance-of-benchmarks"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "balance-of-benchmarks"
