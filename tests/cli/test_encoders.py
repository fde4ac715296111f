"""Encoders on the command line: by name, shortened, kept and frozen, from a file, from a service."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import balance_of_benchmarks as bob
from servers import embeddings

COMMANDS = ("rank", "weights", "curves")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Any]:
    with embeddings.serve(tmp_path / "service") as running:
        yield running


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_that_embeds_takes_an_encoder_and_names_it(run: Callable[..., Any], command: str) -> None:
    done = run(command, "demo", "--encoder", "ngrams", "--dim", "2048", "--format", "json")

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["encoder"] == {"name": "ngrams", "revision": "1", "options": {"dim": "2048"}}


def test_held_out_tests_take_an_encoder_too(run: Callable[..., Any], tmp_path: Path) -> None:
    options = ("--encoder", "ngrams", "--method", "equal_weight", "--jobs", "1", "--format", "json")
    done = run("evaluate", "demo", *options, BOB_CACHE_DIR=str(tmp_path))

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["encoder"]["name"] == "ngrams"


def test_the_last_resort_is_called_that(run: Callable[..., Any]) -> None:
    assert "Vectors: ngrams, dim 4096 (spelling without meaning: a last resort" in run(
        "weights", "demo", "--encoder", "ngrams"
    ).stdout.replace("\n", " ")
    assert "Vectors" not in run("weights", "demo").stdout


def test_a_ranking_is_redone_bit_for_bit_from_kept_vectors_and_nothing_new_is_encoded(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    kept = ("--cache", str(tmp_path / "vectors"), "--format", "json", "--bandwidth", ".45")
    task = ("--task", "coach students for maths olympiads")
    first = run("rank", "demo", *task, *kept)
    again = run("rank", "demo", *task, *kept, "--frozen")
    other = run("rank", "demo", "--task", "answer biology questions", *kept, "--frozen")
    nothing = run("weights", "demo", "--frozen", BOB_CACHE_DIR=str(tmp_path / "empty"))

    assert first.returncode == again.returncode == 0, again.stderr
    assert first.stdout == again.stdout
    assert (other.returncode, nothing.returncode) == (2, 2)
    assert "have no vector of wordllama" in other.stderr
    assert "without --frozen" in nothing.stderr
    assert not (tmp_path / "empty").exists()


def test_a_service_is_asked_once_and_its_key_goes_along(run: Callable[..., Any], service: Any, tmp_path: Path) -> None:
    caches = {"BOB_CACHE_DIR": str(tmp_path / "caches"), "BOB_EMBEDDINGS_KEY": "sentinel-key-4711"}
    name = service.name("503x1")
    first = run("weights", "demo", "--encoder", name, "--format", "json", **caches)
    again = run("weights", "demo", "--encoder", name, "--format", "json", "--frozen", **caches)

    assert first.returncode == again.returncode == 0, first.stderr + again.stderr
    assert first.stdout == again.stdout
    assert "answers 503 Service Unavailable: attempt 2 of 5 follows" in first.stderr
    assert len(service.questions()) == 3  # refused, all of them, one alone
    assert {q["headers"]["authorization"] for q in service.questions()} == {"Bearer sentinel-key-4711"}
    assert "sentinel" not in first.stdout + first.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--encoder", "wordlama"), "did you mean 'wordllama'"),
        (("--encoder", "none.npz"), "cannot be read: none.npz"),
        (("--encoder", "http://127.0.0.1:9/v1"), "asked for no model"),
        (("--dim", "300"), "has 256 dimensions: they cannot be reduced to 300"),
        (("--batch", "2"), "wordllama encodes no batches"),
    ],
)
def test_what_cannot_encode_is_one_line(run_here: Callable[..., Any], options: tuple[str, ...], words: str) -> None:
    done = run_here("weights", "demo", *options)

    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_vectors_from_a_file_give_the_ranking_of_the_encoder_that_made_them(
    run: Callable[..., Any], tmp_path: Path, demo: bob.Board
) -> None:
    rows = bob.embed(demo.benchmarks["description"].to_list())
    path = tmp_path / "vectors.npz"
    np.savez(path, allow_pickle=False, **dict(zip(demo.benchmarks["key"], rows, strict=True)))
    ours = json.loads(run("rank", "demo", "--format", "json").stdout)
    theirs = json.loads(run("rank", "demo", "--format", "json", "--encoder", str(path)).stdout)

    assert theirs["models"] == ours["models"]
    assert theirs["encoder"]["name"] == "vectors.npz"
