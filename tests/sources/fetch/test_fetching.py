"""Snapshots: what is kept, what is refused, and what lies there whatever happens in between."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import balance_of_benchmarks as bob
from balance_of_benchmarks.sources.fetch import snapshots
from balance_of_benchmarks.sources.fetch.fetching import Fetched, fetch
from balance_of_benchmarks.sources.fetch.services import SERVICES, plan_fetch
from balance_of_benchmarks.sources.fetch.snapshots import open_store
from balance_of_benchmarks.transport.attempts import Limits
from balance_of_benchmarks.transport.files import write_atomically

KEY = "ARTIFICIAL_ANALYSIS_API_KEY"
QUICK = Limits(timeout=10, retries=1, total=60, first_wait=0)
NOON = datetime(2026, 9, 3, 12, tzinfo=UTC)
TASKS = ("AMPS_Hard", "connections", "math_comp", "olympiad", "plot_unscrambling", "tablejoin", "typos")

Fetch = Callable[..., Fetched]


def answer(models: int = 3, **changes: Any) -> bytes:
    """An answer in the shape of the Artificial Analysis Data API."""
    rows = [
        {
            "name": f"Model {n}",
            "slug": f"model-{n}",
            "model_creator": {"name": "Maker"},
            "evaluations": {"gpqa": n / 1000, "hle": 0, "aime": None},
            "pricing": None,
            **changes,
        }
        for n in range(models)
    ]
    return json.dumps({"status": 200, "data": rows}).encode()


def record(model: str, score: float) -> bytes:
    """A record of every_eval_ever."""
    metric = {"lower_is_better": False, "min_score": 0, "max_score": 1}
    result = {"evaluation_name": "quiz", "metric_config": metric, "score_details": {"score": score}}
    return json.dumps(
        {
            "schema_version": "0.2.2",
            "evaluation_id": f"quiz/{model}/1",
            "source_metadata": {"source_name": "Quiz"},
            "model_info": {"id": model},
            "evaluation_results": [result],
        }
    ).encode()


def index(server: Any, *records: bytes) -> str:
    """Put records and the index of their collection onto the server; give the index's address."""
    rows = []
    for number, content in enumerate(records):
        place = f"flat/objects/00/{number:02}/{number:08}-0000.json"
        server.put(place, content)
        digest = hashlib.sha256(content).hexdigest()
        rows.append({"object_path": place, "sha256": digest, "record_type": "aggregate", "benchmark": "Quiz"})
    server.put("flat/indexes/by_collection/Quiz.jsonl", b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    return str(server.url("plain", "flat/indexes/by_collection/Quiz.jsonl"))


@pytest.fixture
def get(tmp_path: Path) -> Fetch:
    def run(source: str, url: str | None = None, limits: Limits = QUICK, **others: Any) -> Fetched:
        return fetch(plan_fetch(source, tmp_path / "out", {KEY: "sentinel"}, url), limits, **others)

    return run


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def manifest(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()]


def test_a_snapshot_is_what_came_under_its_time_and_listed(server: Any, get: Fetch, tmp_path: Path) -> None:
    body = server.put("models", answer(4))
    url = server.url("plain", "models")
    came = get("artificial-analysis", url, now=lambda: NOON)
    folder = tmp_path / "out" / "artificial-analysis"

    assert came.path == folder / "20260903T120000Z.json"
    assert came.path.read_bytes() == body
    assert manifest(folder) == [
        {
            "file": "20260903T120000Z.json",
            "url": url,
            "sha256": hashlib.sha256(body).hexdigest(),
            "size": len(body),
            "rows": 4,
            "retrieved": "2026-09-03T12:00:00Z",
            "format": "artificial_analysis",
        }
    ]
    assert set(files(folder)) == {"20260903T120000Z.json", "manifest.jsonl", ".lock"}
    assert bob.read_board(came.path).models.height == 4
    assert server.questions()[0]["headers"]["x-api-key"] == "sentinel"


def test_what_is_still_the_same_is_not_written_again(server: Any, get: Fetch, tmp_path: Path) -> None:
    url = server.url("plain", "models")
    server.put("models", answer(2))
    first = get("artificial-analysis", url, now=lambda: NOON)
    before = files(tmp_path / "out")
    again = get("artificial-analysis", url, now=lambda: NOON + timedelta(days=1))

    assert (first.new, again.new) == (True, False)
    assert again.path == first.path
    assert again.entries == first.entries
    assert files(tmp_path / "out") == before

    first.path.unlink()
    assert get(
        "artificial-analysis", url, now=lambda: NOON + timedelta(days=2)
    ).new  # there is nothing to be the same as


def test_snapshots_of_one_second_do_not_write_over_each_other(server: Any, get: Fetch, tmp_path: Path) -> None:
    paths = []
    for models in (1, 2, 3):
        server.put("models", answer(models))
        paths.append(get("artificial-analysis", server.url("plain", "models"), now=lambda: NOON).path)

    assert [path.name for path in paths] == [f"20260903T120000Z{end}.json" for end in ("", "_2", "_3")]
    assert paths == sorted(paths)
    assert [bob.read_board(path).models.height for path in paths] == [1, 2, 3]
    assert [row["file"] for row in manifest(tmp_path / "out" / "artificial-analysis")] == [path.name for path in paths]


@pytest.mark.parametrize(
    ("way", "body", "words"),
    [
        ("html", answer(9), "web page"),
        ("short", answer(9), "is not JSON, though it begins like it"),
        ("cut_always", answer(9), "breaks the connection off, at attempt 2 of 2"),
        ("plain", b'{"error": "no"}', "JSON of no known format"),
        ("plain", answer(9, slug=None), r"data\.0\.slug: Input should be a valid string, got None"),
        ("plain", answer(9, evaluations={"gpqa": "0.5"}), r"data\.0\.evaluations\.gpqa"),
        ("plain", b"model,benchmark,score\na,x,1\n", "reads as table: expected artificial_analysis"),
        ("plain", b"", "is empty"),
        ("500", answer(9), "answers 500"),
        ("404", answer(9), "answers 404"),
    ],
)
def test_what_cannot_be_read_is_refused_and_leaves_everything_as_it_was(
    server: Any, get: Fetch, tmp_path: Path, way: str, body: bytes, words: str
) -> None:
    server.put("models", answer(2))
    get("artificial-analysis", server.url("plain", "models"))
    before = files(tmp_path / "out")
    server.put("models", body)

    with pytest.raises(bob.BoardError, match=words) as caught:
        get("artificial-analysis", server.url(way, "models"))
    assert str(tmp_path) not in str(caught.value)
    assert {name: content for name, content in files(tmp_path / "out").items() if ".part" not in name} == before


def test_a_fetch_goes_on_with_what_another_left_unless_told_not_to(server: Any, get: Fetch) -> None:
    once = Limits(retries=0)
    for name, resume in (("one.json", True), ("two.json", False)):
        server.put(name, answer(50))
        with pytest.raises(bob.BoardError, match="breaks the connection off"):
            get(server.url("cut", name), limits=once)
        assert get(server.url("cut", name), limits=once, resume=resume).entries[0].rows == 50
        assert ("range" in server.questions()[-1]["headers"]) is resume


@pytest.mark.parametrize(
    ("name", "body", "ending", "form"),
    [
        ("scores.csv", b"model,benchmark,score\na,x,1\n", ".csv", "table"),
        ("Scores.TSV", b"model\tbenchmark\tscore\na\tx\t1\n", ".tsv", "table"),
        ("latest", b"model,benchmark,score\na,x,1\n", ".csv", "table"),
        ("latest.php", answer(1), ".json", "artificial_analysis"),
    ],
)
def test_an_address_of_anybody_gives_a_snapshot_too(
    server: Any, get: Fetch, tmp_path: Path, name: str, body: bytes, ending: str, form: str
) -> None:
    server.put(name, body)
    came = get(f"{server.url('plain', name)}?token=secret", now=lambda: NOON)
    slug = f"127-0-0-1-{server.port}-plain-{name.lower().replace('.', '-')}"

    assert came.path == tmp_path / "out" / slug / f"20260903T120000Z{ending}"
    assert (came.entries[0].format, came.entries[0].rows) == (form, 1)
    assert came.entries[0].url.endswith("?token=*")
    assert "x-api-key" not in server.questions()[0]["headers"]


def test_a_release_of_livebench_is_a_folder_of_its_table_and_its_categories(server: Any, get: Fetch) -> None:
    table = ",".join(("model", *TASKS)) + "\n" + "".join(f"m{n}" + ",50" * len(TASKS) + "\n" for n in range(3))
    server.put("table_2026_06_25.csv", table.encode())
    server.put("categories_2026_06_25.json", json.dumps({"Mathematics": ["AMPS_Hard", "olympiad"]}).encode())
    came = get("livebench", server.url("plain", "table_2026_06_25.csv"), now=lambda: NOON)
    board = bob.read_board(came.path)

    assert came.path.name == "20260903T120000Z"
    names = ["20260903T120000Z/table_2026_06_25.csv", "20260903T120000Z/categories_2026_06_25.json"]
    assert [entry.file for entry in came.entries] == names
    assert {entry.rows for entry in came.entries} == {3}
    assert board.benchmarks.filter(key="olympiad")["category"].item() == "Mathematics"
    assert not get("livebench", server.url("plain", "table_2026_06_25.csv")).new

    server.put("categories_2026_06_25.json", b'{"Mathematics": [')
    with pytest.raises(bob.BoardError, match=r"refused and not kept.*categories_2026_06_25\.json is not JSON"):
        get("livebench", server.url("plain", "table_2026_06_25.csv"))


def test_an_index_of_the_datastore_brings_the_records_it_lists(server: Any, get: Fetch) -> None:
    came = get("every-eval-ever", index(server, record("lab/a", 0.25), record("lab/b", 0.75)))
    board = bob.read_board(came.path)

    assert sorted(path.name for path in came.path.iterdir()) == ["00000000-0000.json", "00000001-0000.json"]
    assert board.cells.select("model", "score").sort("model").rows() == [("lab/a", 0.25), ("lab/b", 0.75)]


def test_records_that_are_there_and_as_listed_are_not_asked_for_again(server: Any, get: Fetch) -> None:
    url = index(server, record("lab/a", 0.25), record("lab/b", 0.75))
    second = server.folder / "flat/objects/00/01/00000001-0000.json"
    content = second.read_bytes()
    second.write_bytes(content.replace(b"0.75", b"0.74"))
    with pytest.raises(bob.BoardError, match="is not what its index lists"):
        get("every-eval-ever", url)
    second.write_bytes(content)
    came = get("every-eval-ever", url)
    asked = [request["path"].rpartition("/")[2] for request in server.questions()]

    assert len(came.entries) == 2
    assert asked.count("00000000-0000.json") == 1
    assert asked.count("00000001-0000.json") == 2


def test_one_record_is_a_file(server: Any, get: Fetch) -> None:
    server.put("one.json", record("lab/a", 0.5))
    came = get("every-eval-ever", server.url("plain", "one.json"))

    assert came.path.is_file()
    assert came.entries[0].format == "every_eval_ever"


@pytest.mark.parametrize("row", [{"object_path": "../../etc/passwd.json"}, {"sha256": "short"}, {"record_type": None}])
def test_an_index_that_lists_something_else_is_refused(server: Any, get: Fetch, row: dict[str, Any]) -> None:
    url = index(server, record("lab/a", 0.25))
    path = server.folder / "flat/indexes/by_collection/Quiz.jsonl"
    path.write_text(json.dumps(json.loads(path.read_text()) | row))

    with pytest.raises(bob.BoardError, match=f"index of the datastore: {next(iter(row))}"):
        get("every-eval-ever", url)


class Killed(BaseException):
    """What no handler of errors catches, like the end of the process."""


@pytest.mark.parametrize("moment", range(1, 6))  # from the last of the part file to the last of the note
def test_a_process_that_ends_while_keeping_leaves_all_or_nothing(
    server: Any, get: Fetch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    server.put("models", answer(2))
    url = server.url("plain", "models")
    old = get("artificial-analysis", url, now=lambda: NOON).entries
    server.put("models", answer(5))
    done = 0

    def end_at_the_moment(real: Callable[..., Any]) -> Callable[..., Any]:
        def run(*given: Any, **named: Any) -> Any:
            nonlocal done
            done += 1
            if done == moment:
                raise Killed
            return real(*given, **named)

        return run

    with monkeypatch.context() as patch:
        patch.setattr(f"{snapshots.__name__}.write_atomically", end_at_the_moment(write_atomically))
        patch.setattr(Path, "rename", end_at_the_moment(Path.rename))
        patch.setattr(Path, "unlink", end_at_the_moment(Path.unlink))
        with pytest.raises(Killed):
            get("artificial-analysis", url, now=lambda: NOON + timedelta(seconds=1))
    folder = tmp_path / "out" / "artificial-analysis"
    shown = {name: content for name, content in files(folder).items() if not name.startswith(".")}
    listed = manifest(folder)

    assert listed[0] == old[0].model_dump()
    assert {row["file"] for row in listed} <= shown.keys()
    assert all(content == answer(5) for name, content in shown.items() if "120001" in name)
    after = get("artificial-analysis", url, now=lambda: NOON + timedelta(seconds=2))
    assert [row["file"] for row in manifest(folder)] == [old[0].file, after.path.name]
    assert set(files(folder)) == {old[0].file, after.path.name, "manifest.jsonl", ".lock"}


def test_a_second_fetch_waits_for_the_first_so_long_and_no_longer(server: Any, get: Fetch, tmp_path: Path) -> None:
    server.put("models", answer(2))
    told: list[str] = []
    with (
        open_store(tmp_path / "out" / "artificial-analysis", 0, told.append),
        pytest.raises(bob.BoardError, match=r"another fetch still writes to .* after 0\.2 s"),
    ):
        get("artificial-analysis", server.url("plain", "models"), Limits(total=0.2), tell=told.append)
    assert "waiting for it" in told[0]
    assert server.questions() == []

    assert get("artificial-analysis", server.url("plain", "models")).new


def test_a_manifest_that_somebody_broke_is_an_error_that_names_the_line(
    server: Any, get: Fetch, tmp_path: Path
) -> None:
    server.put("models", answer(2))
    get("artificial-analysis", server.url("plain", "models"))
    path = tmp_path / "out" / "artificial-analysis" / "manifest.jsonl"
    path.write_text(path.read_text() + '{"file": "x"}\n')
    before = files(tmp_path / "out")

    with pytest.raises(bob.BoardError, match=r"manifest\.jsonl line 2 is no valid manifest: url: Field required"):
        get("artificial-analysis", server.url("plain", "models"))
    assert {name for name in files(tmp_path / "out") if ".staged" not in name} == set(before)


@pytest.mark.parametrize(
    ("source", "url", "words"),
    [
        ("livebensh", None, "did you mean 'livebench'"),
        ("scores.csv", None, "not among the sources; the first of them are 'artificial-analysis'"),
        ("ftp://host/x", None, "no address of the web"),
        ("https://host/x", "https://host/y", "the source is an address itself"),
        ("every-eval-ever", None, "bob import it, or give --url"),
        ("livebench", "https://host/x.csv", r"ends in table_<date>\.csv"),
        ("artificial-analysis", "http://example.org/x", "not encrypted"),
    ],
)
def test_a_source_that_cannot_be_asked_is_said_before_anything_is_done(
    tmp_path: Path, source: str, url: str | None, words: str
) -> None:
    with pytest.raises(bob.BoardError, match=words):
        plan_fetch(source, tmp_path / "out", {KEY: "sentinel"}, url)
    assert not (tmp_path / "out").exists()


def test_without_its_key_a_service_is_not_asked(server: Any, tmp_path: Path) -> None:
    for environment in ({}, {KEY: " "}):
        plan = plan_fetch("artificial-analysis", tmp_path / "out", environment, server.url("plain", "models"))
        with pytest.raises(bob.BoardError, match=f"{KEY} is not set: expected the key"):
            fetch(plan, QUICK)
    assert server.questions() == []


def test_every_service_is_documented_with_its_address() -> None:
    page = (Path(__file__).parents[3] / "docs" / "fetch.md").read_text()

    for service in SERVICES.values():
        assert f"bob fetch {service.name}" in page
        assert (service.url or "") in page
        assert (service.key_variable or "") in page
    for field in snapshots.Entry.model_fields:
        assert f"`{field}`" in page
