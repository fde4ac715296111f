"""HELM: the folder of a run, which metric and split of it count, and the schema that names and describes groups."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.document import open_document
from balance_of_benchmarks.sources.formats.helm import FORMAT
from balance_of_benchmarks.sources.reading import Choice


def stat(name: str, mean: float | None, split: str = "test", **changes: Any) -> dict[str, Any]:
    return {"name": {"name": name, "split": split, **changes}, "count": 0 if mean is None else 1, "mean": mean}


STATS = [
    stat("num_prompt_tokens", 350.0),
    stat("inference_runtime", 1.5),
    stat("training_co2_cost", None),
    stat("exact_match", 0.25),
    stat("exact_match", 0.9, split="valid"),
    stat("exact_match", 0.1, perturbation={"name": "robustness"}),
    stat("quasi_exact_match", 0.5),
    stat("num_instances", 8.0),
    stat("num_instances", 2.0, split="valid"),
]


def write_run(folder: Path, stats: Any = STATS, name: str = "quiz:subject=a,model=maker_x", **changes: Any) -> Path:
    folder.mkdir(exist_ok=True)
    run = {"name": name, "adapter_spec": {"model": "maker/x", "method": "joint"}, "groups": ["quiz", "quiz_a"]}
    (folder / "run_spec.json").write_text(json.dumps({**run, **changes}), encoding="utf-8")
    (folder / "stats.json").write_text(json.dumps(stats), encoding="utf-8")
    instance = {"instance_id": "id1", "train_trial_index": 0, "stats": [stat("exact_match", 1.0)]}
    (folder / "per_instance_stats.json").write_text(json.dumps([instance]), encoding="utf-8")
    scenario = {"name": "q", "description": "Questions on a.", "tags": ["knowledge"], "definition_path": "q.py"}
    (folder / "scenario.json").write_text(json.dumps(scenario), encoding="utf-8")
    return folder


SCHEMA = """
metrics:
  - {name: exact_match, lower_is_better: false}
  - {name: toxic_frac, lower_is_better: true}
run_groups:
  - {name: all, display_name: All, description: Everything., subgroups: [quiz, tox, bare]}
  - name: quiz
    display_name: The Quiz
    description: The Quiz
    environment: {main_name: exact_match, main_split: test}
    taxonomy: {task: question answering, what: riddles, who: "?", when: 2018, language: English}
  - name: tox
    description: A test of toxicity.
    environment: {main_name: toxic_frac}
    taxonomy: {task: generation}
  - {name: views, description: Another view., environment: {main_name: none}}
  - {name: bare}
"""


def write_schema(folder: Path, text: str = SCHEMA) -> Path:
    path = folder / "schema_x.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_run_is_one_score_on_its_first_group(tmp_path: Path) -> None:
    board = bob.read_board(write_run(tmp_path / "run"))

    assert board.cells.select("model", "benchmark", "score", "n_items", "source").rows() == [
        ("maker/x", "quiz", 0.5, 8, "quiz:subject=a")
    ]
    assert board.models.select("key", "creator").rows() == [("maker/x", "maker")]
    assert board.benchmarks.select("key", "description", "metric").rows() == [
        ("quiz", "Questions on a.", "quasi_exact_match")
    ]


def test_runs_of_one_group_are_scores_of_one_cell_which_average(tmp_path: Path) -> None:
    write_run(tmp_path / "a")
    write_run(tmp_path / "b", [stat("quasi_exact_match", 0.25)], "quiz:subject=b,model=maker_x,shots=5")
    board = bob.read_board(tmp_path, benchmarks=pl.DataFrame({"key": ["quiz"], "lower": [0.0], "upper": [1.0]}))

    assert board.cells.select("benchmark", "score", "source").rows() == [
        ("quiz", 0.5, "quiz:subject=a"),
        ("quiz", 0.25, "quiz:subject=b,shots=5"),
    ]
    assert board.retain(min_observed=1).scores.tolist() == [[0.375]]


def test_without_a_test_split_the_validation_split_counts(tmp_path: Path) -> None:
    stats = [stat("exact_match", 0.75, split="valid"), stat("exact_match", 0.5, split="train")]

    assert bob.read_board(write_run(tmp_path / "run", stats)).cells["score"].to_list() == [0.75]


@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        (["exact_match", "quasi_exact_match", "f1_score", "rouge_l", "bleu_4"], "f1_score"),
        (["rouge_1", "rouge_l", "rouge_2"], "rouge_2"),
        (["exact_match", "final_number_exact_match"], "final_number_exact_match"),
        (["quasi_exact_match", "new_bench_accuracy", "aardvark"], "new_bench_accuracy"),
        (["bits_per_byte", "prefix_exact_match"], "prefix_exact_match"),
        (["logprob", "bits_per_byte", "zebra", "aardvark"], "aardvark"),
        (["logprob", "perplexity", "bits_per_byte", "max_toxicity_probability"], "bits_per_byte"),
    ],
)
def test_what_only_one_kind_of_task_has_comes_before_what_all_have(
    tmp_path: Path, metrics: list[str], expected: str
) -> None:
    stats = [stat(metric, 0.5) for metric in metrics]

    assert bob.read_board(write_run(tmp_path / "run", stats)).benchmarks["metric"].to_list() == [expected]


def test_another_metric_is_taken_by_name_or_as_a_schema_says(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run")

    assert bob.read_board(run, metric="exact_match").cells["score"].to_list() == [0.25]
    write_schema(tmp_path)
    board = bob.read_board(tmp_path)
    assert board.cells["score"].to_list() == [0.25]
    assert bob.read_board(tmp_path, metric="quasi_exact_match").cells["score"].to_list() == [0.5]


def test_a_schema_describes_groups_that_runs_are_in(tmp_path: Path) -> None:
    read = FORMAT.read(open_document(write_schema(tmp_path)), Choice()).benchmarks

    assert read.select("key", "name", "description", "category", "metric", "higher_is_better").rows() == [
        (
            *("quiz", "The Quiz"),
            "The Quiz. task: question answering; what: riddles; when: 2018; language: English.",
            *("question answering", "exact_match", True),
        ),
        ("tox", "tox", "A test of toxicity.", "generation", "toxic_frac", False),
        ("bare", "bare", None, None, None, None),
    ]


@pytest.mark.parametrize("name", ["run_spec.json", "per_instance_stats.json", "scenario.json"])
def test_the_other_files_of_a_run_only_add(tmp_path: Path, name: str) -> None:
    with pytest.raises(bob.BoardError, match=rf"{name} .helm. adds to scores and has none of its own"):
        bob.read_board(write_run(tmp_path / "run") / name)


@pytest.mark.parametrize("name", ["stats.json", "scenario.json"])
def test_a_file_torn_from_its_run_says_what_it_needs(tmp_path: Path, name: str) -> None:
    path = (write_run(tmp_path / "run") / name).rename(tmp_path / name)

    with pytest.raises(bob.BoardError, match=r"no run_spec\.json beside it.* expected the whole folder"):
        bob.read_board(path)


def test_statistics_of_the_set_up_only_are_no_score(tmp_path: Path) -> None:
    with pytest.raises(bob.BoardError, match="has no metric with a mean"):
        bob.read_board(write_run(tmp_path / "run", [stat("num_instances", 8.0), stat("exact_match", None)]))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"groups": []}, r"run_spec\.json is no valid .*groups"),
        ({"adapter_spec": {"model_name": "maker/x"}}, r"adapter_spec\.model: Field required"),
        ({"stats": [stat("exact_match", 0.5), {"name": {"name": "f1_score"}}]}, r"1\.count: Field required"),
        ({"stats": [{**stat("exact_match", 0.5), "mean": "0.5"}]}, r"0\.mean.* got '0\.5'"),
    ],
)
def test_a_changed_field_is_named(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    with pytest.raises(bob.BoardError, match=words):
        bob.read_board(write_run(tmp_path / "run", **change) / "stats.json")


def test_a_changed_schema_is_named(tmp_path: Path) -> None:
    with pytest.raises(bob.BoardError, match=r"run_groups\.0\.name: Field required"):
        bob.read_board(write_schema(tmp_path, "run_groups:\n  - title: x\n"))


@pytest.mark.parametrize(
    "payload",
    [
        [{"model": "a", "score": 1}],
        [{"name": "quiz", "count": 1}],
        {"name": "x", "description": "y", "tags": []},
        {"results": {"arc": {"acc": 0.5}}, "versions": {}},
        {"run_groups": "quiz"},
        [],
        [[stat("exact_match", 0.5)]],
    ],
)
def test_other_shapes_are_not_taken_for_it(tmp_path: Path, payload: Any) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps(payload), encoding="utf-8")

    assert not FORMAT.recognises(open_document(path))


def test_real_runs_and_schemas_make_one_board(shared: Path) -> None:
    board = bob.read_board(shared / "formats" / "helm")

    assert (board.models.height, board.benchmarks.height, board.cells.height) == (2, 16, 2)
    assert board.cells.select("model", "benchmark", "score", "n_items").rows() == [
        ("eleutherai/pythia-1b-v0", "hellaswag", 0.3, 10),
        ("openai/gpt2", "mmlu", 1 / 9, 9),
    ]
    # The schema that lies above the run names the metric: its main one.
    assert board.benchmarks.row(by_predicate=pl.col("key") == "mmlu", named=True)["metric"] == "exact_match"


@pytest.mark.parametrize(("name", "count"), [("schema_lite.yaml", 10), ("schema_capabilities.yaml", 5)])
def test_real_schemas_add_groups(shared: Path, name: str, count: int) -> None:
    path = shared / "formats" / "helm" / name

    with pytest.raises(bob.BoardError, match="adds to scores"):
        bob.read_board(path)
    assert FORMAT.read(open_document(path), Choice()).benchmarks.height == count
