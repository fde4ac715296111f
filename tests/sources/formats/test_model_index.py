"""Hugging Face model cards: what results are called, which metric is taken, how values are written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats.model_index import FORMAT


def result(dataset: dict[str, Any] | None, *metrics: tuple[str, Any], **changes: Any) -> dict[str, Any]:
    told = {} if dataset is None else {"dataset": dataset}
    listed = [{"type": kind, "value": value} for kind, value in metrics]
    return {"task": {"type": "asr", "name": "Speech"}, **told, "metrics": listed, **changes}


def card(*results: dict[str, Any], name: str | None = "my-model") -> dict[str, Any]:
    return {"license": "mit", "tags": ["x"], "model-index": [{"name": name, "results": list(results)}]}


def write(folder: Path, payload: Any, name: str = "README.md") -> Path:
    path = folder / name
    path.write_text(f"---\n{yaml.safe_dump(payload, sort_keys=False)}---\n\n# A model\n", encoding="utf-8")
    return path


def scores(board: bob.Board) -> list[tuple[str, float | None]]:
    return board.cells.select("benchmark", "score").rows()


BEANS = {"type": "beans", "name": "Beans"}


def test_the_metric_listed_first_is_the_score(tmp_path: Path) -> None:
    path = write(tmp_path, card(result(BEANS, ("accuracy", 0.9), ("f1", 0.8))))
    board = bob.read_board(path)

    assert board.cells.select("model", "benchmark", "score").rows() == [("my-model", "beans", 0.9)]
    assert board.benchmarks.select("key", "name", "metric").rows() == [("beans", "Beans", "accuracy")]
    assert board.models.select("key", "license").rows() == [("my-model", "mit")]
    assert board.sources[0].format == "model_index"
    assert scores(bob.read_board(path, metric="f1")) == [("beans", 0.8)]


def test_a_plain_yaml_file_reads_as_front_matter_does(tmp_path: Path) -> None:
    path = tmp_path / "index.yaml"
    path.write_text(yaml.safe_dump(card(result(BEANS, ("accuracy", 0.9)))), encoding="utf-8")

    assert scores(bob.read_board(path)) == [("beans", 0.9)]


def test_results_of_one_dataset_are_one_benchmark_unless_they_repeat_a_metric(tmp_path: Path) -> None:
    test, dev = {**BEANS, "config": "default", "split": "test"}, {**BEANS, "config": "default", "split": "dev"}

    both = card(result(BEANS, ("accuracy", 0.9)), result(test, ("f1", 0.7)))
    assert scores(bob.read_board(write(tmp_path, both))) == [("beans", 0.9)]
    apart = card(result(test, ("f1", 0.7)), result(dev, ("f1", 0.6)), result({"type": "x"}, ("f1", 0.1)))
    assert scores(bob.read_board(write(tmp_path, apart))) == [("beans:test", 0.7), ("beans:dev", 0.6), ("x", 0.1)]


@pytest.mark.parametrize(
    ("first", "second", "keys"),
    [
        ({"config": "ar"}, {"config": False}, ["d:ar", "d:False"]),
        ({"args": {"language": "ar"}}, {"args": {"language": "fr"}}, ["d:ar", "d:fr"]),
        ({"name": "One"}, {"name": "Two"}, ["d:One", "d:Two"]),
        ({}, {"split": "test"}, ["d", "d:test"]),
    ],
)
def test_what_tells_two_apart_joins_the_name(
    tmp_path: Path, first: dict[str, Any], second: dict[str, Any], keys: list[str]
) -> None:
    board = bob.read_board(
        write(tmp_path, card(*(result({"type": "d", **more}, ("wer", 5)) for more in (first, second))))
    )

    assert board.cells["benchmark"].to_list() == keys


def test_a_task_whose_type_and_name_are_swapped_is_the_same_task(tmp_path: Path) -> None:
    swapped = {"type": "Speech", "name": "asr"}
    board = bob.read_board(
        write(tmp_path, card(result(BEANS, ("wer", 5)), result({"type": "x"}, ("wer", 6), task=swapped)))
    )

    assert scores(board) == [("beans", 5.0), ("x", 6.0)]


@pytest.mark.parametrize(
    ("value", "score", "upper"),
    [
        (25, 25.0, None),
        ("0.75", 0.75, None),
        ("77.0%", 77.0, 100.0),
        ("20.5 ± 1.2", 20.5, None),
        ("-150.25 +/- 20", -150.25, None),
        (None, None, None),
        ("n/a", None, None),
    ],
)
def test_values_read_as_people_write_them(tmp_path: Path, value: Any, score: float | None, upper: float | None) -> None:
    board = bob.read_board(
        write(tmp_path, card(result(BEANS, ("accuracy", 0.5)), result({"type": "x"}, ("reward", value))))
    )

    assert scores(board)[1] == ("x", score)
    assert board.benchmarks["upper"].to_list() == [None, upper]


def test_error_rates_are_better_when_lower(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, card(result(BEANS, ("WER", 16.7)), result({"type": "x"}, ("accuracy", 1)))))

    assert board.benchmarks["higher_is_better"].to_list() == [False, None]


def test_of_mtebs_metrics_which_are_sorted_by_name_the_main_one_is_taken(tmp_path: Path) -> None:
    metrics = (("map_at_1", 20.0), ("ndcg_at_10", 45.0))
    path = write(tmp_path, card(result({"type": "mteb/arguana"}, *metrics), result({"type": "x"}, *metrics)))

    assert scores(bob.read_board(path)) == [("mteb/arguana", 45.0), ("x", 20.0)]


def test_metrics_of_one_type_are_all_there_by_name_or_number(tmp_path: Path) -> None:
    metrics = [{"type": "wer", "value": 1, "name": "WER"}, {"type": "wer", "value": 2, "name": "WER +LM"}]
    path = write(tmp_path, card(result(BEANS, metrics=[*metrics, {"type": "wer", "value": 3}])))

    taken = [scores(bob.read_board(path, metric=name))[0][1] for name in ("wer", "WER +LM", "wer (3)")]
    assert taken == [1.0, 2.0, 3.0]


def test_source_and_verification_are_kept(tmp_path: Path) -> None:
    metrics = [{"type": "acc", "value": 1, "verified": True}]
    told = result(BEANS, metrics=metrics, source={"name": "Board", "url": "https://example.org"})

    cells = bob.read_board(write(tmp_path, card(told))).cells
    assert cells.select("source", "verified").rows() == [("https://example.org", True)]


def test_a_result_without_dataset_is_left_out_and_said(tmp_path: Path) -> None:
    path = write(tmp_path, card(result(None, ("acc", 0.9)), result(BEANS, ("acc", 0.8))))
    board = bob.read_board(path)

    assert scores(board) == [("beans", 0.8)]
    assert [note.kind for note in board.adjustments] == ["result_skipped"]
    with pytest.raises(bob.BoardError, match="1 of 1 results name no dataset"):
        bob.read_board(write(tmp_path, card(result(None, ("acc", 0.9)))))


def test_a_card_without_a_name_is_called_after_its_repository(tmp_path: Path) -> None:
    folder = tmp_path / "repository"
    folder.mkdir()
    payload = card(result(BEANS, ("acc", 1)), name=None)

    for name, model in (("README.md", "repository"), ("card.md", "card")):
        board = bob.read_board(write(folder, payload, name))
        assert board.models["key"].to_list() == [model]
        assert [note.kind for note in board.adjustments] == ["model_unnamed"]


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ({"model-index": {"name": "m"}}, "model-index: Input should be a valid list"),
        ({"model-index": [{"name": "m", "results": [{"dataset": BEANS}]}]}, r"results\.0\.metrics: Field required"),
        (card(result({"name": "Beans"}, ("acc", 1))), r"dataset\.type: Field required"),
        (card(result(BEANS, ("acc", [1]))), r"metrics\.0\.value"),
        (card(result(BEANS, metrics=[{"type": "acc"}])), r"metrics\.0\.value"),
        (card(result(BEANS, ("acc", "about 90"))), "the acc of beans has 'about 90'"),
    ],
)
def test_a_changed_structural_field_is_named(tmp_path: Path, payload: Any, words: str) -> None:
    with pytest.raises(bob.BoardError, match=words):
        bob.read_board(write(tmp_path, payload))


@pytest.mark.parametrize(
    "text",
    [
        "---\nlicense: mit\n---\n# A card without results\n",
        "---\nmodel-index: null\n---\n",
        "- dataset:\n    id: org/x\n  value: 1\n",
        '{"model-index": [{"name": "m", "results": []}]}',
        "model-index,score\nm,1\n",
    ],
)
def test_it_refuses_its_neighbours(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")

    assert not FORMAT.recognises(open_document(path))


def test_the_real_samples_read(shared: Path) -> None:
    folder = shared / "formats" / "hf_model_index"
    speech = bob.read_board(folder / "stt_ar_fastconformer_README_frontmatter.md")

    assert speech.models["key"].to_list() == ["stt_ar_fastconformer_hybrid_large_pc_v2.0"]
    assert scores(speech) == [
        ("masc", 16.67),
        ("mozilla-foundation/common_voice_17_0", 25.6),
        ("google/fleurs", 12.94),
        ("tarteel-ai/everyayah", 6.55),
    ]
    assert speech.benchmarks["higher_is_better"].to_list() == [False] * 4
    simple = bob.read_board(folder / "sample_simple_model_index.md")
    assert simple.cells.select("model", "benchmark", "score").rows() == [("my-cool-model", "beans", 0.9)]
    with pytest.raises(bob.BoardError, match="1 of 1 results name no dataset"):
        bob.read_board(folder / "sample_invalid_model_index.md")
