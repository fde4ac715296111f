"""`bob fetch`, run as a user runs it, against a server on loopback."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import balance_of_benchmarks as bob
from servers import files

KEY = "sentinel-key-4711"
Start = Callable[..., subprocess.Popen[str]]
Fetch = Callable[..., subprocess.CompletedProcess[str]]
QUICK = ("--wait", "0", "--retries", "1", "--timeout", "30")


def answer(models: int) -> bytes:
    """An answer in the shape of the Artificial Analysis Data API."""
    rows = [
        {
            "name": f"Model {n}",
            "slug": f"model-{n}",
            "model_creator": {"name": "Maker"},
            "evaluations": {"gpqa": n / 10_000, "hle": 0, "aime": None},
        }
        for n in range(models)
    ]
    return json.dumps({"status": 200, "data": rows}).encode()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Any]:
    with files.serve(tmp_path / "served") as running:
        yield running


@pytest.fixture
def start_fetch(start: Start, tmp_path: Path) -> Start:
    """Start a fetch into the test's folder, with a key or none."""

    def start_in_folder(*arguments: str, key: str | None = KEY, **more: str) -> subprocess.Popen[str]:
        return start("fetch", *arguments, cwd=tmp_path, ARTIFICIAL_ANALYSIS_API_KEY=key, **more)

    return start_in_folder


@pytest.fixture
def fetch(run: Fetch, tmp_path: Path) -> Fetch:
    def fetch(*arguments: str, key: str | None = KEY) -> subprocess.CompletedProcess[str]:
        return run("fetch", *arguments, cwd=tmp_path, ARTIFICIAL_ANALYSIS_API_KEY=key)

    return fetch


@pytest.fixture
def fetch_here(run_here: Fetch, tmp_path: Path) -> Fetch:
    """The same without a process of its own, for tests that make many."""

    def fetch(*arguments: str, key: str = KEY) -> subprocess.CompletedProcess[str]:
        return run_here("fetch", *arguments, cwd=tmp_path, ARTIFICIAL_ANALYSIS_API_KEY=key)

    return fetch


def snapshots(tmp_path: Path) -> list[Path]:
    """What a user sees in the source's folder, the manifest aside."""
    folder = tmp_path / "snapshots" / "artificial-analysis"
    return sorted(path for path in folder.glob("[!.]*") if path.name != "manifest.jsonl")


def manifest(tmp_path: Path) -> list[dict[str, Any]]:
    path = tmp_path / "snapshots" / "artificial-analysis" / "manifest.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]


def wait_until(happens: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    while not happens():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


def part_size(tmp_path: Path) -> int:
    return sum(path.stat().st_size for path in (tmp_path / "snapshots").rglob("*.part"))


def test_a_snapshot_is_fetched_said_and_found_the_same_again(server: Any, fetch: Fetch, tmp_path: Path) -> None:
    server.put("models", answer(7))
    ask = ("artificial-analysis", "--url", server.url("plain", "models"), *QUICK)
    first = fetch(*ask, "--format", "json")
    said = json.loads(first.stdout)
    (path,) = snapshots(tmp_path)

    assert (first.returncode, first.stderr) == (0, "")
    assert (said["snapshot"], said["new"], said["rows"]) == (str(path.relative_to(tmp_path)), True, 7)
    assert said["files"] == manifest(tmp_path)
    assert bob.read_board(path).models.height == 7

    again = fetch(*ask)
    assert "still what was fetched before; nothing is written" in again.stdout
    assert "Data: Artificial Analysis" in again.stdout
    assert snapshots(tmp_path) == [path]
    assert json.loads(fetch(*ask, "-f", "json").stdout) == {**said, "new": False}


@pytest.mark.parametrize("form", ["table", "csv", "md"])
def test_every_form_has_file_and_digest(server: Any, fetch_here: Fetch, tmp_path: Path, form: str) -> None:
    server.put("models", answer(1))
    done = fetch_here("artificial-analysis", "--url", server.url("plain", "models"), *QUICK, "--format", form)

    assert done.returncode == 0
    for entry in manifest(tmp_path):
        assert entry["file"] in done.stdout
        assert entry["sha256"][:20] in done.stdout


@pytest.mark.parametrize("key", [KEY, None])
def test_a_dry_run_says_what_would_happen_and_does_nothing(fetch: Fetch, tmp_path: Path, key: str | None) -> None:
    table = fetch("artificial-analysis", "--dry-run", "--out", "data", key=key)
    said = json.loads(fetch("artificial-analysis", "--dry-run", "--out", "data", "-f", "json", key=key).stdout)

    assert table.returncode == 0
    assert "https://artificialanalysis.ai/api/v2/data/llms/models" in table.stdout
    assert ("is not set" in table.stdout) is (key is None)
    assert KEY not in table.stdout
    assert said == {
        "source": "artificial-analysis",
        "dry_run": True,
        "urls": ["https://artificialanalysis.ai/api/v2/data/llms/models"],
        "key_variable": "ARTIFICIAL_ANALYSIS_API_KEY",
        "key_header": "x-api-key",
        "key_given": key is not None,
        "folder": str(Path("data/artificial-analysis")),
        "manifest": str(Path("data/artificial-analysis/manifest.jsonl")),
    }
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nobody"], "not among the sources"),
        (["ftp://host/x"], "no address of the web"),
        (["every-eval-ever"], "bob import it, or give --url"),
        (["livebench", "--url", "https://host/x"], "table_<date>.csv"),
        (["artificial-analysis", "--timeout", "nan"], "expected seconds"),
        (["artificial-analysis", "--retries", "-1"], "--retries"),
        (["http://127.0.0.1:9/x", "--retries", "0"], "cannot be connected to"),
    ],
)
def test_bad_input_is_one_error_and_exit_code_2(fetch_here: Fetch, arguments: list[str], words: str) -> None:
    done = fetch_here(*arguments)

    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_the_key_is_in_no_output_and_no_file(server: Any, fetch_here: Fetch, tmp_path: Path) -> None:
    server.put("models", answer(3))
    said = []
    for way in ("plain", "500x2", "404", "401", "html", "stall", "cut_always", "short", "to/0/plain", "loop"):
        url = server.url(way, "models")
        done = fetch_here(
            "artificial-analysis",
            "--url",
            f"{url}?token={KEY}",
            *QUICK,
            *(("--timeout", "0.5") if way == "stall" else ()),
        )
        assert done.returncode == (0 if "plain" in way else 2), (way, done.stderr)
        said.append(done.stdout + done.stderr)
    unfit = fetch_here("artificial-analysis", key=f"{KEY}\n{KEY}")  # no header can carry it
    assert unfit.returncode == 2
    said.append(unfit.stderr)

    written = [path.read_bytes() for path in (tmp_path / "snapshots").rglob("*") if path.is_file()]
    assert any(KEY in request["headers"]["x-api-key"] for request in server.questions())
    assert KEY not in "\n".join(said)
    assert all(KEY.encode() not in content for content in written)
    assert not any(KEY in path.name for path in (tmp_path / "snapshots").rglob("*"))


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
def test_a_fetch_killed_in_mid_file_leaves_nothing_half_written_and_the_next_goes_on(
    server: Any, start_fetch: Any, fetch: Fetch, tmp_path: Path
) -> None:
    server.put("models", answer(2))
    ask = ("artificial-analysis", *QUICK, "--url")
    assert fetch(*ask, server.url("plain", "models")).returncode == 0
    before, listed = snapshots(tmp_path), manifest(tmp_path)
    body = server.put("models", answer(2000))
    with start_fetch(*ask, server.url("hold", "models")) as process:
        wait_until(lambda: part_size(tmp_path) > len(body) // 2, process)
        process.kill()
        process.communicate()

    assert process.returncode == -signal.SIGKILL
    assert snapshots(tmp_path) == before
    assert manifest(tmp_path) == listed

    server.put("go", b"")
    done = fetch(*ask, server.url("hold", "models"))
    new = set(snapshots(tmp_path)) - set(before)
    assert done.returncode == 0, done.stderr
    assert [path.read_bytes() for path in new] == [body]
    assert [row["rows"] for row in manifest(tmp_path)] == [2, 2000]
    assert server.questions()[-1]["headers"]["range"] == f"bytes={len(body) // 2}-"
    assert part_size(tmp_path) == 0


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
def test_killed_at_any_moment_what_lies_there_is_whole_and_listed_once(
    server: Any, start_fetch: Any, fetch: Fetch, tmp_path: Path
) -> None:
    ask = ("artificial-analysis", *QUICK, "--url", server.url("slow", "models"))
    for models, pause in enumerate((0.0, 0.02, 0.1, 0.15, 0.2, 0.25), start=200):
        server.put("models", answer(models))
        asked = len(server.questions())
        with start_fetch(*ask) as process:
            # From its first request on, so that the kill falls into what is of interest.
            while process.poll() is None and len(server.questions()) == asked:
                time.sleep(0.005)
            time.sleep(pause)
            process.kill()
            process.communicate()
        for path in snapshots(tmp_path):
            assert json.loads(path.read_bytes())["status"] == 200
    assert fetch(*ask).returncode == 0

    files = [row["file"] for row in manifest(tmp_path)]
    assert sorted(files) == [path.name for path in snapshots(tmp_path)]
    assert manifest(tmp_path)[-1]["rows"] == 205


def test_two_at_once_write_one_after_the_other(server: Any, start_fetch: Any, tmp_path: Path) -> None:
    body = server.put("models", answer(500))
    server.put("second", answer(3))
    with start_fetch("artificial-analysis", *QUICK, "--url", server.url("hold", "models")) as first:
        wait_until(lambda: part_size(tmp_path) > len(body) // 2, first)
        with start_fetch("artificial-analysis", *QUICK, "--url", server.url("plain", "second")) as second:
            assert second.stderr is not None
            waiting = second.stderr.readline()
            server.put("go", b"")
            outputs = [process.communicate(timeout=300) for process in (first, second)]

    assert "another fetch writes to" in waiting
    assert (first.returncode, second.returncode) == (0, 0), outputs
    assert [row["rows"] for row in manifest(tmp_path)] == [500, 3]
    assert [bob.read_board(path).models.height for path in snapshots(tmp_path)] == [500, 3]


def test_a_bar_shows_what_takes_long(server: Any, start_fetch: Any, tmp_path: Path) -> None:
    server.put("models", answer(5000))
    terminal = {"FORCE_COLOR": "1", "TERM": "xterm"}
    with start_fetch("artificial-analysis", *QUICK, "--url", server.url("hold", "models"), **terminal) as process:
        wait_until(lambda: part_size(tmp_path) > 0, process)
        time.sleep(1.05)  # a bar is for what takes more than a second
        server.put("go", b"")
        _, err = process.communicate(timeout=300)

    assert process.returncode == 0
    assert "fetching (KiB)" in err
