"""The paper's texts read otherwise: by other encoders, in other words, without lineage."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.errors import EncoderError
from balance_of_benchmarks.paper.dressing import describe_as
from balance_of_benchmarks.paper.paraphrases import OWN_PARAPHRASES
from balance_of_benchmarks.paper.protocol import BENCHMARKS, CLOSE_PAIRS
from balance_of_benchmarks.paper.readings import (
    EncoderRow,
    Reading,
    Unread,
    read_encoders,
    read_stripped,
)
from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.paper.texts import own_texts, pick_vectors, read_texts
from balance_of_benchmarks.paper.values import give_values
from balance_of_benchmarks.paper.values.value import Missing
from balance_of_benchmarks.sources.known import KNOWN_BENCHMARKS
from balance_of_benchmarks.text.keeping import VectorCache
from balance_of_benchmarks.text.lineage import LineageFinder
from balance_of_benchmarks.text.local import PRESETS
from balance_of_benchmarks.text.register import fits_register
from balance_of_benchmarks.text.vectors import read_vectors

FINDER = LineageFinder((key, known.name) for key, known in KNOWN_BENCHMARKS.items())


@pytest.fixture
def no_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither kept vectors nor weights."""
    monkeypatch.setenv("BOB_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("balance_of_benchmarks.paper.readings.weights_are_here", lambda _: False)


def by_name(rows: tuple[EncoderRow, ...]) -> dict[str, EncoderRow]:
    return {row.name: row for row in rows}


def reading(row: EncoderRow) -> Reading:
    assert isinstance(row.reading, Reading)
    return row.reading


@pytest.mark.usefixtures("no_weights")
def test_every_encoder_that_is_here_is_run_and_the_papers_say_how_to_run_them(demo: bob.Board) -> None:
    rows = by_name(read_encoders(demo, bob.find_encoder("ngrams"), [bob.find_encoder("wordllama", dim=128)]))

    assert list(rows)[:5] == [*PRESETS, "wordllama", "ngrams"]
    assert [row.name for row in rows.values() if row.main] == ["ngrams"]
    for name in PRESETS:
        unread = rows[name].reading
        assert isinstance(unread, Unread)
        assert f"--encoder {name}" in unread.reason


@pytest.mark.usefixtures("no_weights")
def test_a_shorter_encoder_is_another_row_and_the_same_encoder_is_none(demo: bob.Board) -> None:
    short = bob.find_encoder("wordllama", dim=128)
    rows = read_encoders(demo, bob.find_encoder(), ["wordllama", short])
    of_wordllama = [reading(row) for row in rows if row.name == "wordllama"]

    assert len(of_wordllama) == 2
    assert of_wordllama[0].space.median != of_wordllama[1].space.median


@pytest.mark.usefixtures("no_weights")
def test_kept_vectors_of_a_paper_encoder_are_a_row_without_its_weights(demo: bob.Board, tmp_path: Path) -> None:
    """As after another run with the model, or with a folder somebody published."""
    preset = bob.find_encoder("qwen3-4b", frozen=True)
    texts = demo.benchmarks["description"].to_list()
    cache = VectorCache(tmp_path / "cache" / "vectors", preset.identity)
    vectors = bob.embed(texts).astype(np.float32)
    with cache.hold(lambda: None):
        cache.keep(texts, vectors)
    rows = by_name(read_encoders(demo, bob.find_encoder()))

    assert reading(rows["qwen3-4b"]).profile == pytest.approx(reading(rows["wordllama"]).profile, abs=1e-6)
    assert isinstance(rows["qwen3-8b"].reading, Unread)


@pytest.mark.usefixtures("no_weights")
def test_an_encoder_that_nobody_asked_for_and_that_fails_ends_nothing(
    demo: bob.Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("balance_of_benchmarks.paper.readings.weights_are_here", lambda _: True)
    monkeypatch.setattr("balance_of_benchmarks.text.local.find_spec", lambda _: None)
    unread = by_name(read_encoders(demo, bob.find_encoder()))["qwen3-8b"].reading

    assert isinstance(unread, Unread)
    assert "needs torch" in unread.reason


def test_an_encoder_that_was_asked_for_and_fails_is_an_error(demo: bob.Board) -> None:
    with pytest.raises(EncoderError, match="did you mean 'wordllama'"):
        read_encoders(demo, bob.find_encoder(), ["wordlama"])


def test_the_main_row_has_the_figures_of_the_run(redone: Redone) -> None:
    main = next(row for row in redone.encoders if row.main)

    assert main.name == redone.encoder == "wordllama"
    assert (reading(main).level, reading(main).profile) == (redone.shuffling.level, redone.shuffling.profile)
    assert reading(main).copy_shift == redone.relisting("inverse_density").mean.largest
    assert reading(main).space.effective_mass == redone.study.space.effective_mass


def test_sizes_that_are_read_fill_the_papers_table(redone: Redone) -> None:
    sizes = {"qwen3-0.6b": 0.1, "qwen3-4b": 0.4, "qwen3-8b": 0.8}
    main = reading(next(row for row in redone.encoders if row.main))
    rows = [
        EncoderRow(name, main=False, reading=replace(main, level=size, profile=size / 2, copy_shift=10 * size))
        for name, size in sizes.items()
    ]
    values = give_values(replace(redone, encoders=tuple(rows)))

    assert values["encoder_sizes", "profile", "4B"] == pytest.approx(0.2)
    assert values["encoder_sizes", "level", "8B"] == pytest.approx(0.8)
    assert values["embedding_size_text", "", "copy_shift_ranks_0.6B"] == pytest.approx(1.0)
    assert values["ablations_controls", "", "embedding_size_max_change"] == pytest.approx(0.7)


def test_where_one_size_is_missing_no_spread_is_told(redone: Redone) -> None:
    assert isinstance(give_values(redone)["macros", "", "bobEmbeddingHeadlineSpreadBoundThree"], Missing)


def test_texts_without_lineage_speak_of_no_other_and_the_rest_stay(redone: Redone) -> None:
    texts = redone.texts

    assert set(texts.stripped) == {key for key in BENCHMARKS if FINDER.find(key, texts.descriptions[key])}
    for key, text in texts.stripped.items():
        assert text
        assert not FINDER.find(key, text)
    assert isinstance(redone.stripped, Reading)
    moved = np.flatnonzero(np.abs(redone.stripped.space.distances - redone.study.space.distances).max(axis=1) > 1e-9)
    untouched = [redone.position(key) for key in BENCHMARKS if key not in texts.stripped]
    between = np.ix_(untouched, untouched)
    np.testing.assert_array_equal(redone.stripped.space.distances[between], redone.study.space.distances[between])
    assert len(moved) == len(BENCHMARKS)


def test_a_file_may_say_what_is_left_without_lineage(tmp_path: Path, demo: bob.Board) -> None:
    own = own_texts()
    texts = {key: {"description": text} for key, text in own.descriptions.items()}
    texts["aime_25"]["stripped"] = "Thirty contest problems of 2025 with whole numbers as answers."
    texts["hle"]["description"] = "It is a harder edition of the MATH-500 suite."
    (tmp_path / "texts.json").write_text(json.dumps({"benchmarks": texts}))
    read = read_texts(tmp_path / "texts.json")
    unread = read_stripped(demo, read, bob.find_encoder())

    assert read.stripped["aime_25"] == texts["aime_25"]["stripped"]
    assert read.stripped["mmlu_pro"] == own.stripped["mmlu_pro"]
    assert isinstance(unread, Unread)
    assert "nothing is left of hle" in unread.reason


def test_vectors_without_those_of_stripped_texts_say_what_is_missing(tmp_path: Path, demo: bob.Board) -> None:
    own = own_texts()
    named = {f"description/{key}": text for key, text in own.descriptions.items()}
    np.savez(tmp_path / "few.npz", **dict(zip(named, bob.embed(list(named.values())), strict=True)))
    named |= {f"stripped/{key}": text for key, text in own.stripped.items() if text}
    np.savez(tmp_path / "all.npz", **dict(zip(named, bob.embed(list(named.values())), strict=True)))
    board = describe_as(demo, own.descriptions)
    files = [read_vectors(tmp_path / name) for name in ("few.npz", "all.npz")]
    few, whole = (read_stripped(board, own, pick_vectors(file, own)) for file in files)
    of_encoder = read_stripped(board, own, bob.find_encoder())

    assert isinstance(few, Unread)
    assert "stripped/KEY" in few.reason
    assert isinstance(whole, Reading)
    assert isinstance(of_encoder, Reading)
    assert whole.profile == pytest.approx(of_encoder.profile, abs=1e-9)


@pytest.mark.parametrize("key", BENCHMARKS)
def test_our_paraphrases_keep_the_register_and_none_of_the_wording(key: str) -> None:
    said = OWN_PARAPHRASES[key]
    runs = [
        {tuple(words[i : i + 5]) for i in range(len(words) - 4)}
        for words in (text.lower().split() for text in (said, KNOWN_BENCHMARKS[key].description))
    ]
    assert fits_register(said)
    assert len(runs[0] & runs[1]) <= 2  # names


def test_our_paraphrases_stand_nearest_to_their_own_descriptions() -> None:
    own = own_texts()
    said, described = (bob.embed([texts[key] for key in BENCHMARKS]) for texts in (own.paraphrases, own.descriptions))
    between = bob.angular_distances(said, described)
    pairs = {key: other for pair in CLOSE_PAIRS for key, other in (pair, pair[::-1])}
    nearest = {key: BENCHMARKS[n] for key, n in zip(BENCHMARKS, between.argmin(axis=1), strict=True)}

    assert {key: near for key, near in nearest.items() if near not in (key, pairs.get(key))} == {}


def test_the_papers_four_descriptions_are_stripped(shared: Path) -> None:
    texts = read_texts(shared / "paper" / "texts.json")
    assert set(texts.stripped) == {"aime_25", "mmlu_pro", "terminalbench_v2_1", "tau_banking"}
    assert all(texts.stripped.values())
