"""Every file of the shared folder, named: it reads, it adds to others, or it is refused for a reason."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import polars as pl
import pytest

import balance_of_benchmarks as bob

HELLASWAG: Final = (
    "formats/helm/commonsense-dataset=hellaswag,method=multiple_choice_joint,model=eleutherai_pythia-1b-v0"
)
PHILOSOPHY: Final = "formats/helm/mmlu-subject=philosophy,method=multiple_choice_joint,model=openai_gpt2"

# Format, models, benchmarks, scores.
READS: Final[dict[str, tuple[str, int, int, int]]] = {
    "formats/alpaca_eval/weighted_alpaca_eval_gpt4_turbo_leaderboard.csv": ("alpaca_eval", 223, 1, 223),
    "formats/artificial_analysis_api/api_v2_data_llms_models_first6.json": ("artificial_analysis", 6, 14, 52),
    "formats/every_eval_ever/datastore_object.json": ("every_eval_ever", 1, 15, 1),
    "formats/every_eval_ever/demo_0.3.json": ("every_eval_ever", 1, 1, 1),
    "formats/every_eval_ever/demo_0.3_samples.jsonl": ("every_eval_ever_samples", 1, 1, 1),
    "formats/every_eval_ever/real_0.2.0_helm_lite.json": ("every_eval_ever", 1, 10, 9),
    "formats/every_eval_ever/real_0.2.0_hfopenllm_v2.json": ("every_eval_ever", 1, 6, 6),
    "formats/every_eval_ever/real_0.2.2_hal_gaia_agentic.json": ("every_eval_ever", 1, 4, 1),
    "formats/every_eval_ever/sample_aggregate_test.json": ("every_eval_ever", 1, 6, 6),
    f"{HELLASWAG}/stats.json": ("helm", 1, 1, 1),
    f"{PHILOSOPHY}/stats.json": ("helm", 1, 1, 1),
    "formats/hf_eval_results/.eval_results/gsm8k.yaml": ("eval_results", 1, 1, 1),
    "formats/hf_eval_results/api_response_sample.json": ("eval_results", 1, 1, 1),
    "formats/hf_model_index/sample_simple_model_index.md": ("model_index", 1, 1, 1),
    "formats/hf_model_index/stt_ar_fastconformer_README_frontmatter.md": ("model_index", 1, 4, 4),
    "formats/inspect_ai/data_arc_qwen.json": ("inspect_ai", 1, 1, 1),
    "formats/inspect_ai/data_pubmedqa_gpt4o_mini.json": ("inspect_ai", 1, 1, 1),
    "formats/inspect_ai/log_formats.eval": ("inspect_ai", 1, 1, 1),
    "formats/inspect_ai/log_formats.json": ("inspect_ai", 1, 1, 1),
    "formats/inspect_ai/mmlu-summary-choices.eval": ("inspect_ai", 1, 1, 1),
    "formats/inspect_ai/no-samples.json": ("inspect_ai", 1, 1, 1),
    "formats/lighteval/results_CBDDO-LLM-8B.json": ("lighteval", 1, 7, 7),
    "formats/livebench_csv/table_2026_06_25.csv": ("livebench", 46, 23, 1058),
    "formats/llm_stats/jamba-1.5-large.benchmarks.json": ("llm_stats", 1, 8, 8),
    "formats/lm_eval/old_v0.2_arc_challenge-v2.0-res.json": ("lm_eval", 1, 1, 1),
    "formats/lm_eval/results_2026-01-21T03-44-18.458309.json": ("lm_eval", 1, 2, 2),
    "formats/mteb/Banking77Classification.json": ("mteb", 1, 1, 1),
    "formats/mteb/NFCorpus.json": ("mteb", 1, 1, 1),
    "formats/mteb/STS22.v2.json": ("mteb", 1, 1, 1),
    "formats/mteb/external_ArguAna.json": ("mteb", 1, 1, 1),
    "formats/opencompass/summary_20240119_225509.csv": ("opencompass", 1, 19, 19),
    "formats/swebench/info_for_leaderboard.json": ("swebench", 4, 1, 4),
    "formats/tau2_submission/gpt-5-2.submission.json": ("tau2", 1, 4, 4),
    "boards/artificial_analysis/2026-08-21.json": ("artificial_analysis", 610, 14, 5270),
    "boards/artificial_analysis/2026-09-03.json": ("artificial_analysis", 643, 14, 5468),
    "boards/helm_all/scores.csv": ("table", 216, 69, 4726),
    "boards/helm_all/scores_with_sentinel.csv": ("table", 216, 69, 4886),
    "boards/livecodebench_items/scores.csv": ("table", 16, 1055, 16880),
    "boards/livecodebench_items/scores_execution.csv": ("table", 37, 92, 3404),
    "boards/livecodebench_items/scores_generation_2024_04.csv": ("table", 45, 400, 18000),
    "boards/livecodebench_items/scores_repair.csv": ("table", 17, 713, 12121),
    "boards/livecodebench_items/scores_testgen.csv": ("table", 37, 182, 6734),
    "boards/mteb/scores.csv": ("table", 662, 1555, 101871),
    "boards/open_asr/scores.csv": ("table", 104, 25, 1210),
    "boards/open_llm_v1_v2_joined/scores.csv": ("table", 7187, 12, 45108),
}
ADDS: Final = (
    f"{HELLASWAG}/per_instance_stats.json",
    f"{HELLASWAG}/run_spec.json",
    f"{HELLASWAG}/scenario.json",
    f"{PHILOSOPHY}/per_instance_stats.json",
    f"{PHILOSOPHY}/run_spec.json",
    f"{PHILOSOPHY}/scenario.json",
    "formats/helm/schema_capabilities.yaml",
    "formats/helm/schema_lite.yaml",
    "formats/livebench_csv/categories_2026_06_25.json",
    "formats/llm_stats/mmlu.benchmark.json",
    "formats/mteb/model_meta.json",
    "boards/helm_all/benchmarks.csv",
    "boards/livecodebench_items/benchmarks.csv",
    "boards/mteb/benchmarks.csv",
    "boards/open_asr/benchmarks.csv",
    "boards/open_llm_v1_v2_joined/benchmarks.csv",
)
SCHEMA, TABLE = "a JSON schema, which describes a format", "expected model, benchmark and score"
REFUSED: Final[dict[str, str]] = {
    "formats/every_eval_ever/datastore_aggregate.jsonl": "an index of records: expected the records themselves",
    "formats/every_eval_ever/eval.schema.json": SCHEMA,
    "formats/every_eval_ever/instance_level_eval.schema.json": SCHEMA,
    "formats/hf_model_index/sample_invalid_model_index.md": "1 of 1 results name no dataset",
    "formats/livebench_csv/cost_2026_06_25.csv": "says what questions cost and has no scores",
    "formats/llm_stats/benchmark-results.schema.json": SCHEMA,
    "formats/llm_stats/benchmark.schema.json": SCHEMA,
    "formats/llm_stats/model.schema.json": SCHEMA,
    "formats/lm_eval/samples_math_perturbed_full_2026-01-21T03-44-18.458309.jsonl": "has the samples of a run",
    "formats/tau2_submission/schema.json": SCHEMA,
    "formats/vla_leaderboard/benchmarks.schema.json": SCHEMA,
    "formats/vla_leaderboard/leaderboard.schema.json": SCHEMA,
    "boards/mteb/groups.csv": TABLE,
    "boards/mteb/groups_info.csv": TABLE,
}


def test_every_file_is_named_here(shared: Path) -> None:
    files = {
        path.relative_to(shared).as_posix()
        for top in ("formats", "boards")
        for path in (shared / top).rglob("*.*")
        if path.is_file()
    }
    notes = {name for name in files if name.endswith(("SOURCE.md", "README.md"))}

    assert files - notes == {*READS, *ADDS, *REFUSED}
    for name in notes:
        with pytest.raises(bob.BoardError, match=r"a text|no table|expected model, benchmark and score"):
            bob.read_board(shared / name)


@pytest.mark.parametrize("name", READS)
def test_it_reads_with_its_counts(shared: Path, name: str) -> None:
    board = bob.read_board(shared / name)
    counts = (board.models.height, board.benchmarks.height, board.cells["score"].count())

    assert (board.sources[0].format, *counts) == READS[name]


@pytest.mark.parametrize("name", ADDS)
def test_it_adds_to_others_and_has_no_scores(shared: Path, name: str) -> None:
    with pytest.raises(bob.BoardError, match="adds to scores and has none of its own"):
        bob.read_board(shared / name)


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_for_its_reason(shared: Path, name: str) -> None:
    with pytest.raises(bob.BoardError) as refused:
        bob.read_board(shared / name)
    assert REFUSED[name] in str(refused.value)


def test_a_whole_folder_of_every_format_is_one_board(shared: Path) -> None:
    board = bob.read_board(shared / "formats")

    assert {file.format for file in board.sources} >= {form for form, *_ in READS.values()} - {"table"}
    skipped = next(note for note in board.adjustments if note.kind == "file_skipped")
    assert "alpaca_eval/SOURCE.md" in skipped.where


def test_the_files_of_a_helm_run_add_to_its_scores(shared: Path) -> None:
    board = bob.read_board([shared / "formats/helm/schema_lite.yaml", shared / PHILOSOPHY])
    mmlu = board.benchmarks.row(by_predicate=pl.col("key") == "mmlu", named=True)

    assert board.cells["benchmark"].to_list() == ["mmlu"]
    assert "MMLU" in mmlu["description"] or "Massive Multitask" in mmlu["description"]
    assert mmlu["metric"] == "exact_match"


def test_the_long_board_of_embedding_models_reads_with_its_texts(shared: Path) -> None:
    scores, texts = shared / "boards/mteb/scores.csv", shared / "boards/mteb/benchmarks.csv"
    board = bob.read_board([scores, texts])

    assert board.cells.height == 101_871
    assert board.benchmarks["description"].null_count() < 20
