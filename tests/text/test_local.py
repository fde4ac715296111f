"""A tiny Qwen3 model with random weights through sentence-transformers, against transformers alone: make test-local."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.text.keeping import KeptEncoder
from balance_of_benchmarks.text.local import MAX_LENGTH
from balance_of_benchmarks.text.registry import find_encoder

torch = pytest.importorskip("torch", reason="the extra [local] is not installed: make test-local")
pytest.importorskip("sentence_transformers", reason="the extra [local] is not installed: make test-local")

TEXT = "the system solves algebra geometry and physics problems with tools in conversation over many steps"
WORDS = TEXT.split()
TEXTS = [
    "the system",
    "the system solves algebra",
    "physics",
    " ".join(WORDS * 3),
    " ".join(WORDS * 100),  # more tokens than are read
    *(" ".join(WORDS[i:]) for i in range(10)),
]
COMMIT = "0123456789abcdef0123456789abcdef01234567"

Program = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the model in the shape of Qwen3-Embedding: last token, an end mark, padded on the left."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3Model

    vocabulary = {"<end>": 0, "<unknown>": 1} | {word: i for i, word in enumerate(WORDS, start=2)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unknown>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(single="$A <end>", special_tokens=[("<end>", 0)])
    torch.manual_seed(0)
    qwen = Qwen3Model(
        Qwen3Config(
            vocab_size=len(vocabulary), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
            num_attention_heads=4, num_key_value_heads=2, head_dim=8, max_position_embeddings=4096,
        )
    )  # fmt: skip
    plain = tmp_path_factory.mktemp("plain")
    qwen.save_pretrained(plain)
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<end>", eos_token="<end>", unk_token="<unknown>", padding_side="left"
    ).save_pretrained(plain)
    whole = tmp_path_factory.mktemp("tiny-qwen3")
    prompts = {"query": "tools tools tools ", "document": ""}
    modules = [Transformer(str(plain)), Pooling(32, pooling_mode="lasttoken"), Normalize()]
    SentenceTransformer(modules=modules, prompts=prompts, default_prompt_name="query", device="cpu").save(str(whole))
    return whole


@pytest.fixture(scope="session")
def hub(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hub's cache that holds the model as maker/tiny, at a commit."""
    home = tmp_path_factory.mktemp("hub")
    place = home / "hub" / "models--maker--tiny"
    shutil.copytree(model, place / "snapshots" / COMMIT)
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text(COMMIT)
    return home


@pytest.fixture
def program(hub: Path, caches: Path) -> Program:
    """Python in a process of its own that sees that hub's cache and no network."""

    def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
        offline = {"HF_HOME": str(hub), "HF_HUB_OFFLINE": "1", "BOB_CACHE_DIR": str(caches)}
        return subprocess.run(
            [sys.executable, "-c", f"import balance_of_benchmarks as bob\n{code}"],
            env={**os.environ, **offline, **environment}, capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


def encode_plainly(model: Path) -> np.ndarray:
    """Transformers alone, a text at a time: the last token's state, given the length of one."""
    from transformers import AutoModel, AutoTokenizer

    tokenizer, qwen = AutoTokenizer.from_pretrained(model), AutoModel.from_pretrained(model).eval()
    rows = []
    with torch.no_grad():
        for text in TEXTS:
            tokens = tokenizer(text, truncation=True, max_length=MAX_LENGTH, return_tensors="pt")
            assert tokens["input_ids"].shape[1] <= MAX_LENGTH
            assert tokens["input_ids"][0, -1] == 0  # the end mark stays, however much is cut
            rows.append(qwen(**tokens).last_hidden_state[0, -1].double().numpy())
    vectors = np.stack(rows)
    unit: np.ndarray = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def test_vectors_are_those_of_transformers_alone(model: Path) -> None:
    vectors = find_encoder(f"local:{model}").encode(TEXTS)

    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), 32)
    np.testing.assert_allclose(vectors, encode_plainly(model), rtol=0, atol=1e-6)
    assert np.linalg.matrix_rank(vectors) > 5  # or anything would agree with anything


@pytest.mark.parametrize("batch", [1, 3, 8])
def test_the_batch_changes_nothing(model: Path, batch: int) -> None:
    encoder = find_encoder(f"local:{model}", batch=batch)
    assert isinstance(encoder, KeptEncoder)

    np.testing.assert_allclose(encoder.encoder.encode(TEXTS), encode_plainly(model), rtol=0, atol=1e-6)


def test_half_precision_gives_unit_vectors_near_the_others(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sentence_transformers.util.get_device_name", lambda: "cpu:0")  # not "cpu", so taken for more
    encoder = find_encoder(f"local:{model}")
    assert isinstance(encoder, KeptEncoder)
    vectors = encoder.encoder.encode(TEXTS)
    exact = encode_plainly(model)

    np.testing.assert_allclose(np.linalg.norm(vectors.astype(np.float64), axis=1), 1.0, atol=1e-7)
    assert 1e-6 < np.abs(vectors - exact).max() < 1e-2


def test_a_model_that_runs_out_of_memory_is_one_error(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise torch.OutOfMemoryError("out of memory\nwith a long explanation")

    encoder = find_encoder(f"local:{model}")
    monkeypatch.setattr("sentence_transformers.SentenceTransformer.encode", refuse)
    with pytest.raises(bob.EncoderError, match=r"cannot encode: out of memory; --batch 1"):
        encoder.encode(TEXTS)


def test_a_model_of_the_hub_is_known_by_its_commit(model: Path, program: Program) -> None:
    done = program(
        "encoder = bob.find_encoder('local:maker/tiny'); print(encoder.identity.revision);"
        f"vectors, same = (e.encode(['the system']) for e in (encoder, bob.find_encoder('local:{model}')));"
        "print(vectors.tolist() == same.tolist())"
    )

    assert done.stdout.split() == [COMMIT, "True"], done.stderr


def test_a_model_that_cannot_be_had_is_refused_with_what_to_do(program: Program) -> None:
    for name, words in (("local:maker/none", "name a commit"), ("qwen3-0.6b", "cannot be loaded")):
        done = program(f"try: bob.embed(['a text'], '{name}')\nexcept bob.EncoderError as error: print(error)")
        assert words in done.stdout, done.stderr


def test_a_frozen_ranking_needs_the_model_no_more(program: Program, hub: Path) -> None:
    code = (
        "import sys; encoder = bob.find_encoder('local:maker/tiny@{commit}', frozen={frozen});"
        "table = bob.BalanceOfBenchmarks(encoder=encoder).fit(bob.read_board('demo')).ranking();"
        "print(table.write_json()); assert ('torch' in sys.modules) != {frozen}"
    )
    first = program(code.format(commit=COMMIT, frozen=False))
    again = program(code.format(commit=COMMIT, frozen=True), HF_HOME=str(hub / "nothing here"))

    assert first.returncode == again.returncode == 0, again.stderr
    assert json.loads(first.stdout) == json.loads(again.stdout)
    assert first.stdout == again.stdout


def test_an_estimator_takes_it_by_name(model: Path, demo: bob.Board) -> None:
    answer = bob.BalanceOfBenchmarks(encoder=f"local:{model}", bandwidth=0.45).fit(demo).rank_for("algebra problems")

    assert answer.threshold is None
    assert "not calibrated" in answer.why


def test_kept_weights_are_seen_without_a_network(program: Program) -> None:
    done = program(
        "from balance_of_benchmarks.text.local import Preset, weights_are_here\n"
        f"print([weights_are_here(Preset(f'maker/{{name}}', '{COMMIT}')) for name in ('tiny', 'other')])"
    )
    assert done.stdout == "[True, False]\n", done.stderr


def test_a_size_of_the_papers_encoder_is_a_row_of_the_paper_once_its_weights_are_here(program: Program) -> None:
    done = program(
        "from balance_of_benchmarks.paper.readings import read_encoders\n"
        "from balance_of_benchmarks.text.local import PRESETS, Preset\n"
        f"PRESETS['qwen3-0.6b'] = Preset('maker/tiny', '{COMMIT}')\n"
        "rows = read_encoders(bob.read_board('demo'), bob.find_encoder())\n"
        "print([row.name for row in rows if hasattr(row.reading, 'level')])"
    )
    assert done.stdout == "['qwen3-0.6b', 'wordllama', 'ngrams']\n", done.stderr
