"""Predictions kept on disk: found again as they were, and never for anything else."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.equating.settings import FitSettings
from balance_of_benchmarks.evaluation import keeping
from balance_of_benchmarks.evaluation.keeping import digest_study, predict_or_recall
from balance_of_benchmarks.evaluation.predictions import Predictions, predict_held_out
from balance_of_benchmarks.evaluation.study import Study
from balance_of_benchmarks.transport import store as store_module
from balance_of_benchmarks.transport.store import ArrayStore

MakeStudy = Callable[..., Study]

TEXTS = ("alpha", "beta", None, "delta", "epsilon", "zeta")
METHODS = ("borda", "eci")


@dataclass
class Asked:
    """A call of `predict_or_recall`, any part of which can be changed."""

    study: Study
    texts: Sequence[str | None] = TEXTS
    encoder: str = "encoder, revision 1"
    methods: Sequence[str] = METHODS
    options: dict[str, Any] = field(default_factory=lambda: {"targets": [0, 3], "families": {0: (1,)}, "seed": 0})

    def run(self, store: ArrayStore | None) -> Predictions:
        return predict_or_recall(
            self.study, store, self.methods, texts=self.texts, encoder=self.encoder, **self.options
        )


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One entry for each time that predictions are computed."""
    calls = list[int]()

    def count(*args: Any, **options: Any) -> Predictions:
        calls.append(1)
        return predict_held_out(*args, **options)

    monkeypatch.setattr(keeping, "predict_held_out", count)
    return calls


def assert_same(a: Predictions, b: Predictions) -> None:
    assert (a.methods, a.pools) == (b.methods, b.pools)
    assert a.targets.tolist() == b.targets.tolist()
    for one, other in ((a.values, b.values), (a.ability, b.ability), (a.nearest, b.nearest)):
        assert (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())
    assert {g: v.tobytes() for g, v in a.chosen.items()} == {g: v.tobytes() for g, v in b.chosen.items()}


def test_what_was_predicted_is_found_again_bit_for_bit(
    make_study: MakeStudy, tmp_path: Path, counted: list[int]
) -> None:
    asked = Asked(make_study())
    first, second = asked.run(ArrayStore(tmp_path)), asked.run(ArrayStore(tmp_path))

    assert len(counted) == 1
    assert_same(first, second)
    assert_same(first, asked.run(None))
    assert len(counted) == 2


def other_scores(study: Study) -> Study:
    scores = np.array(study.scores)
    scores[np.flatnonzero(~np.isnan(scores[:, 0]))[0], 0] += 1e-15
    return replace(study, scores=scores)


def other_index(study: Study) -> Study:
    assert study.index is not None
    return replace(study, index=study.index + 1.0)


def other_vectors(study: Study) -> Study:
    return replace(study, space=bob.measure_space(study.space.vectors + 1e-9))


def other_space(study: Study, **options: Any) -> Study:
    return replace(study, space=bob.measure_space(study.space.vectors, **options))


def listed_twice(study: Study) -> Study:
    return replace(study, space=bob.measure_space(study.space.vectors, texts=["same", "same", "c", "d", "e", "f"]))


CHANGES: dict[str, tuple[str, Callable[[Asked], Asked]]] = {
    "a score": ("board", lambda a: replace(a, study=other_scores(a.study))),
    "a number of items": ("board", lambda a: replace(a, study=replace(a.study, n_items=a.study.n_items + 1))),
    "the index": ("board", lambda a: replace(a, study=other_index(a.study))),
    "no index": ("board", lambda a: replace(a, study=replace(a.study, index=None))),
    "a key": ("board", lambda a: replace(a, study=replace(a.study, keys=("x", *a.study.keys[1:])))),
    "a category": ("board", lambda a: replace(a, study=replace(a.study, categories=(None, *a.study.categories[1:])))),
    "a text": ("texts", lambda a: replace(a, texts=("Alpha", *TEXTS[1:]))),
    "a text that is the word None": ("texts", lambda a: replace(a, texts=(*TEXTS[:2], "None", *TEXTS[3:]))),
    "what counts as one text": ("texts", lambda a: replace(a, study=listed_twice(a.study))),
    "the encoder": ("encoder", lambda a: replace(a, encoder="encoder, revision 2")),
    "a vector": ("encoder", lambda a: replace(a, study=other_vectors(a.study))),
    "the methods": ("options", lambda a: replace(a, methods=("borda",))),
    "the targets": ("options", lambda a: replace(a, options=a.options | {"targets": [0, 2]})),
    "all targets": ("options", lambda a: replace(a, options=a.options | {"targets": None})),
    "a family": ("options", lambda a: replace(a, options=a.options | {"families": {0: (2,)}})),
    "no family": ("options", lambda a: replace(a, options=a.options | {"families": None})),
    "the seed": ("options", lambda a: replace(a, options=a.options | {"seed": 1})),
    "a constant": ("options", lambda a: replace(a, study=replace(a.study, settings=FitSettings(rounds=5)))),
    "the weighting": ("options", lambda a: replace(a, study=other_space(a.study, weighting="magnitude"))),
    "the density": ("options", lambda a: replace(a, study=other_space(a.study, density_bandwidth=0.3))),
    "given weights": ("options", lambda a: replace(a, study=other_space(a.study, weights=[1, 1, 1, 1, 1, 2]))),
    "a target share": ("options", lambda a: replace(a, study=other_space(a.study, target=[1, 1, 1, 1, 1, 2]))),
    "the unit": (
        "options",
        lambda a: replace(a, study=replace(a.study, space=a.study.space.take(np.arange(6), unit=1.0))),
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_changed_is_computed_again(
    make_study: MakeStudy, tmp_path: Path, counted: list[int], change: str
) -> None:
    part, apply = CHANGES[change]
    asked = Asked(make_study())
    other = apply(asked)
    digests = [
        digest_study(a.study, a.texts, a.encoder, (a.methods, *sorted(a.options.items()))) for a in (asked, other)
    ]
    asked.run(ArrayStore(tmp_path))
    changed = other.run(ArrayStore(tmp_path))

    assert digests[0][part] != digests[1][part]
    assert len(counted) == 2
    assert len(list(tmp_path.iterdir())) == 2
    assert_same(changed, other.run(None))


def test_another_version_of_the_code_computes_again(
    make_study: MakeStudy, tmp_path: Path, counted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Asked(make_study())
    asked.run(ArrayStore(tmp_path))
    monkeypatch.setattr(keeping, "digest_code", lambda: "another")
    asked.run(ArrayStore(tmp_path))

    assert len(counted) == 2


def test_the_number_of_processes_is_no_reason_to_compute_again(
    make_study: MakeStudy, tmp_path: Path, counted: list[int]
) -> None:
    asked = Asked(make_study())
    asked.run(ArrayStore(tmp_path))
    replace(asked, options=asked.options | {"jobs": 2}).run(ArrayStore(tmp_path))

    assert len(counted) == 1


@pytest.mark.parametrize("damage", [0.0, 0.3, 0.7, 0.999])
def test_a_damaged_entry_is_computed_again_and_mended(
    make_study: MakeStudy, tmp_path: Path, counted: list[int], damage: float
) -> None:
    asked = Asked(make_study())
    first = asked.run(ArrayStore(tmp_path))
    (place,) = tmp_path.iterdir()
    whole = place.read_bytes()
    at = int(damage * len(whole))
    for content in (whole[:at], whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :]):
        place.write_bytes(content)
        assert_same(asked.run(ArrayStore(tmp_path)), first)
        assert place.read_bytes() == whole
    assert len(counted) == 3


def test_an_entry_under_anothers_name_is_not_taken_for_it(
    make_study: MakeStudy, tmp_path: Path, counted: list[int]
) -> None:
    asked = Asked(make_study())
    asked.run(ArrayStore(tmp_path))
    (mine,) = tmp_path.iterdir()
    other = replace(asked, encoder="another")
    other.run(ArrayStore(tmp_path / "other"))
    (theirs,) = (tmp_path / "other").iterdir()
    mine.rename(tmp_path / theirs.name)
    other.run(ArrayStore(tmp_path))

    assert len(counted) == 3


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_computed(
    make_study: MakeStudy, tmp_path: Path, counted: list[int]
) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(bob.BobError, match=r"cannot be written: .*BOB_CACHE_DIR"):
        Asked(make_study()).run(ArrayStore(tmp_path / "file" / "folder"))
    assert not counted


def test_two_processes_at_once_find_or_compute_the_same(make_study: MakeStudy, tmp_path: Path) -> None:
    study = make_study()
    task = partial(predict_or_recall, store=ArrayStore(tmp_path), methods=METHODS, texts=TEXTS, encoder="encoder")
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        found = [future.result() for future in [pool.submit(task, study) for _ in range(4)]]

    for predictions in found:
        assert_same(predictions, predict_held_out(study, METHODS))
    assert [path.suffix for path in tmp_path.iterdir()] == [".npz"]  # one entry, and nothing left lying about


def test_the_code_is_that_of_the_package_and_of_what_it_computes_with(monkeypatch: pytest.MonkeyPatch) -> None:
    compute = store_module.digest_code.__wrapped__
    before = compute()

    assert before == compute()
    monkeypatch.setattr(store_module, "_version", lambda library: f"{library} of tomorrow")
    assert compute() != before
