"""Vectors from files: by text, by benchmark, by row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.errors import ArrayError, EncoderError, TaskError
from balance_of_benchmarks.text.vectors import VectorFile, read_vectors

ROWS = np.array([[3.0, 4.0], [0.0, 2.0], [1.0, 0.0]])
TEXTS = ["Text a.", "Text b.", "Text c."]


def save(path: Path, names: list[str] = TEXTS, rows: Any = ROWS, form: str = "named") -> Path:
    """Write vectors in one of the forms."""
    if form == "rows":
        np.save(path, rows)
    elif form == "parquet":
        pl.DataFrame({"text": names, "vector": [list(row) for row in rows]}).write_parquet(path)
    elif form == "together":
        np.savez(path, texts=np.array(names), vectors=rows)
    else:
        np.savez(path, allow_pickle=False, **dict(zip(names, rows, strict=True)))
    return path


@pytest.mark.parametrize(
    ("name", "form"), [("v.npz", "named"), ("v.npz", "together"), ("v.parquet", "parquet"), ("v.npy", "rows")]
)
def test_texts_are_embedded_from_any_of_the_forms(tmp_path: Path, name: str, form: str) -> None:
    path = save(tmp_path / name, form=form)
    vectors = bob.embed([TEXTS[0], None, TEXTS[2]], encoder=str(path))

    assert vectors[[0, 2]].tolist() == [[0.6, 0.8], [1.0, 0.0]]
    assert np.isnan(vectors[1]).all()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int8])
def test_whatever_the_precision_vectors_are_unit_vectors_in_float64(tmp_path: Path, dtype: type[Any]) -> None:
    rows = np.random.default_rng(0).normal(size=(3, 500)) * 20
    vectors = bob.embed(TEXTS, encoder=str(save(tmp_path / "v.npz", rows=rows.astype(dtype))))

    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-15)


def test_a_text_that_is_not_in_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match=r"v\.npz has no vector for 1 of 2 texts, the first of which begins 'other'"):
        bob.embed(["Text a.", "other"], encoder=str(save(tmp_path / "v.npz")))
    with pytest.raises(EncoderError, match="rows without names"):
        read_vectors(save(tmp_path / "v.npy", form="rows")).encode(["Text a."])


@pytest.mark.parametrize("prefix", ["", "description/"])
def test_a_board_is_ranked_by_vectors_under_its_benchmarks_keys(tmp_path: Path, demo: bob.Board, prefix: str) -> None:
    keys = demo.benchmarks["key"].to_list()
    rows = bob.embed(demo.benchmarks["description"].to_list())
    path = save(tmp_path / "v.npz", [prefix + key for key in keys], rows)
    model = bob.BalanceOfBenchmarks(encoder=str(path)).fit(demo)

    assert model.ranking().equals(bob.BalanceOfBenchmarks(encoder=rows).fit(demo).ranking())
    with pytest.raises(EncoderError, match="no vector for 1 of 1 texts"):
        model.rank_for("coach students for maths olympiads")


def test_a_task_is_found_by_its_text_beside_the_benchmarks(tmp_path: Path, demo: bob.Board) -> None:
    task = "coach students for maths olympiads"
    names = [*demo.benchmarks["key"], task]
    rows = np.vstack([bob.embed(demo.benchmarks["description"].to_list()), bob.embed([task])])
    model = bob.BalanceOfBenchmarks(encoder=str(save(tmp_path / "v.parquet", names, rows, "parquet"))).fit(demo)

    ours = bob.BalanceOfBenchmarks().fit(demo).rank_for(task)
    assert model.rank_for(task).order == ours.order


def test_rows_go_with_the_boards_benchmarks_in_order(tmp_path: Path, demo: bob.Board) -> None:
    rows = bob.embed(demo.benchmarks["description"].to_list())
    model = bob.BalanceOfBenchmarks(encoder=str(save(tmp_path / "v.npy", rows=rows, form="rows"))).fit(demo)

    assert model.ranking().equals(bob.BalanceOfBenchmarks(encoder=rows).fit(demo).ranking())
    with pytest.raises(TaskError, match="given as an array, so a text cannot be placed"):
        model.rank_for("coach students for maths olympiads")
    few = save(tmp_path / "few.npy", rows=rows[1:], form="rows")
    with pytest.raises(ArrayError, match="one row for each of the board's 14 benchmarks"):
        bob.BalanceOfBenchmarks(encoder=str(few)).fit(demo)


def test_a_benchmark_without_a_vector_is_named(tmp_path: Path) -> None:
    file = read_vectors(save(tmp_path / "v.npz", ["a", "Text b.", "c"]))

    placed = file.place(["a", "b", "d"], ["Text a.", "Text b.", None])
    assert placed[:2].tolist() == ROWS[:2].tolist()
    assert np.isnan(placed[2]).all()
    with pytest.raises(EncoderError, match="no vector for 1 of the board's 2 benchmarks, the first of them 'd'"):
        file.place(["a", "d"], ["Text a.", "Text d."])
    with pytest.raises(EncoderError, match="no vector for 2 of the board's 2 benchmarks"):
        file.place(["x", "y"], [None, None])


def test_the_first_components_can_be_taken(tmp_path: Path) -> None:
    for name, form in (("v.npz", "named"), ("v.npy", "rows")):
        path = str(save(tmp_path / name, rows=np.hstack([ROWS + 1, ROWS]), form=form))
        encoder = bob.find_encoder(path, dim=2)
        assert isinstance(encoder, VectorFile)
        assert encoder.identity.options == (("dim", "2"),)
        np.testing.assert_allclose(bob.embed(TEXTS, encoder), bob.embed(TEXTS, ROWS + 1))


def test_another_file_has_another_identity_and_the_same_the_same(tmp_path: Path) -> None:
    one, same, other = (
        read_vectors(save(tmp_path / folder, rows=rows)).identity
        for folder, rows in (("a.npz", ROWS), ("a.npz", ROWS), ("a.npz", ROWS + 1))
    )

    assert one == same != other


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("v.npz", b"no archive", "v.npz"),
        ("v.npy", b"no array", "v.npy"),
        ("v.parquet", b"no table", "v.parquet"),
        ("v.npz", {"a": [1.0, 2.0], "b": [1.0]}, "differ in shape"),
        ("v.npz", {"a": "words"}, "expected vectors of numbers"),
        ("v.npz", {"a": [[1.0]]}, "expected vectors of numbers"),
        ("v.npz", {}, "holds no vectors"),
        ("v.npz", {"texts": ["a", "b"], "vectors": [[1.0, 2.0]]}, "2 names and 1 vectors"),
        ("v.npz", {"texts": ["a", "a"], "vectors": [[1.0, 2.0], [2.0, 1.0]]}, "two vectors for 'a'"),
        ("v.parquet", {"name": ["a"], "vector": [[1.0]]}, "columns name, vector: expected text or key, and vector"),
        ("v.parquet", {"text": ["a"], "vector": [1.0]}, "its column vector holds Float64"),
        ("v.parquet", {"text": ["a"], "vector": [[1.0, None]]}, "missing or infinite"),
        ("v.npz", {"a": [1.0, np.inf]}, "missing or infinite"),
    ],
)
def test_what_holds_no_vectors_is_refused(tmp_path: Path, name: str, content: Any, words: str) -> None:
    path = tmp_path / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif name.endswith(".parquet"):
        pl.DataFrame(content).write_parquet(path)
    else:
        np.savez(path, allow_pickle=False, **{key: np.array(value) for key, value in content.items()})
    with pytest.raises(EncoderError, match=words):
        bob.find_encoder(str(path))


def test_objects_are_never_unpickled(tmp_path: Path) -> None:
    np.savez(tmp_path / "v.npz", a=np.array([object()], dtype=object))
    with pytest.raises(EncoderError, match=r"v\.npz"):
        read_vectors(tmp_path / "v.npz")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match=r"cannot be read: .*none\.npz"):
        bob.find_encoder(str(tmp_path / "none.npz"))
    with pytest.raises(EncoderError, match=r"expected one that ends in \.npy, \.npz, \.parquet"):
        read_vectors(tmp_path / "none.csv")
