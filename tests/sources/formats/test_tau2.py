"""tau2-bench: a column a domain, text and voice apart, and what stands beside each score."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats.tau2 import FORMAT


def submission(**changes: Any) -> dict[str, Any]:
    return {
        "model_name": "Model X 1.5",
        "model_organization": "Maker",
        "submitting_organization": "Tester",
        "submission_date": "2026-02-03",
        "contact_info": {},
        "results": {
            "airline": {"pass_1": 60.0, "pass_2": 50, "cost": 0.25},
            "retail": {"pass_1": 70.5, "retrieval_config": "plain"},
            "telecom": None,
        },
        "methodology": {"evaluation_date": "2026-02-01", "user_simulator": "sim", "tau2_bench_version": "1.0.1"},
        **changes,
    }


def write(folder: Path, payload: Any) -> Path:
    path = folder / "x.submission.json"
    path.write_text(json.dumps(payload), encoding="utf-8")
    return path


def scores(board: bob.Board) -> dict[str, float]:
    return dict(board.cells.select("benchmark", "score").iter_rows())


def test_each_domain_that_was_run_is_a_column_by_its_first_pass(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, submission(reasoning_effort="high")))

    assert board.cells.select("model", "benchmark", "score", "source", "date").rows() == [
        ("model-x-1.5-high", "tau2_airline", 60.0, "Tester", "2026-02-01"),
        ("model-x-1.5-high", "tau2_retail", 70.5, "Tester", "2026-02-01"),
    ]
    columns = ["submission_type", "user_simulator", "tau2_bench_version", "retrieval_config", "mean_cost"]
    assert board.cells.select(columns).rows() == [
        ("standard", "sim", "1.0.1", None, 0.25),
        ("standard", "sim", "1.0.1", "plain", None),
    ]
    assert board.benchmarks.select("key", "name", "metric", "lower", "upper").rows() == [
        ("tau2_airline", "tau2 airline", "pass_1", 0.0, 100.0),
        ("tau2_retail", "tau2 retail", "pass_1", 0.0, 100.0),
    ]


def test_a_model_is_known_by_name_and_effort(tmp_path: Path) -> None:
    release = {"release_date": "2025-12-11"}
    plain = bob.read_board(write(tmp_path, submission(model_release=release)))
    high = bob.read_board(write(tmp_path, submission(reasoning_effort="high")))

    assert plain.models.select("key", "name", "creator", "release_date", "reasoning_effort").rows() == [
        ("model-x-1.5", "Model X 1.5", "Maker", date(2025, 12, 11), None)
    ]
    assert high.models.select("key", "name", "release_date", "reasoning_effort").rows() == [
        ("model-x-1.5-high", "Model X 1.5 (high)", None, "high")
    ]


def test_another_pass_is_taken_by_name(tmp_path: Path) -> None:
    board = bob.read_board(write(tmp_path, submission()), metric="tau2_airline=pass_2")

    assert scores(board) == {"tau2_airline": 50.0, "tau2_retail": 70.5}


def test_voice_is_another_benchmark_with_measures_of_its_own(tmp_path: Path) -> None:
    panel = {"response_rate": 0.9, "response_latency_mean": 1.25, "counts": {"n_simulations": 3}}
    payload = submission(modality="voice", interaction_metrics={"domains": {"airline": panel}, "overall": panel})

    assert scores(bob.read_board(write(tmp_path, payload))) == {"tau2_voice_airline": 60.0, "tau2_voice_retail": 70.5}
    shares = bob.read_board(write(tmp_path, payload), metric="response_rate").benchmarks
    seconds = bob.read_board(write(tmp_path, payload), metric="response_latency_mean").benchmarks
    scale = ["name", "metric", "lower", "upper", "higher_is_better"]
    assert shares.select(scale).row(0) == ("tau2 voice airline", "response_rate", 0.0, 1.0, True)
    assert seconds.select(scale).row(0) == ("tau2 voice airline", "response_latency_mean", 0.0, None, False)


def test_a_domain_fewer_is_a_column_fewer(tmp_path: Path) -> None:
    payload = submission()
    del payload["results"]["retail"]

    assert scores(bob.read_board(write(tmp_path, payload))) == {"tau2_airline": 60.0}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"submission_date": None}, "submission_date"),
        ({"results": {"airline": {"pass_1": "60%"}}}, r"results\.airline\.pass_1.* got '60%'"),
        ({"model_release": {"release_date": "soon"}}, "release date 'soon': expected one like 2026-09-03"),
    ],
)
def test_a_changed_field_is_named(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    with pytest.raises(bob.BoardError, match=words):
        bob.read_board(write(tmp_path, submission(**change)))


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    payload = submission()
    payload["organization"] = payload.pop("model_organization")
    with pytest.raises(bob.BoardError, match="model_organization: Field required"):
        bob.read_board(write(tmp_path, payload))


@pytest.mark.parametrize(
    "payload",
    [
        {"model_name": "m", "results": {"arc": {"acc": 0.5}}, "versions": {}},
        {"model_name": "m", "submitting_organization": "o"},
        [submission()],
        {"properties": {"model_name": {}, "submitting_organization": {}, "results": {}}},
    ],
)
def test_other_shapes_are_not_taken_for_it(tmp_path: Path, payload: Any) -> None:
    assert not FORMAT.recognises(open_document(write(tmp_path, payload)))


def test_the_real_submission_has_four_domains(shared: Path) -> None:
    board = bob.read_board(shared / "formats" / "tau2_submission" / "gpt-5-2.submission.json")

    assert (board.models.height, board.benchmarks.height, board.cells.height) == (1, 4, 4)
    assert board.models.select("key", "creator").row(0) == ("gpt-5.2-high", "OpenAI")
    assert scores(board)["tau2_banking_knowledge"] == 32.22
