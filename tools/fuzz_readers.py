"""Try readers on bad input, and say how many inputs were tried: ``make fuzz``, each reader for some seconds.

An input is right when it is read as a board, or refused with one of the package's errors; anything else, a hang or
memory beyond the bound is a fault, whose input is kept. Inputs grow from the small files in ``tests/sources/seeds``
by `spoil`, which knows what a table or JSON looks like, and by what the fuzzer finds to reach new code. With
``--inputs``, as ``make test`` has it, they are those of `spoil` alone: the same everywhere, so that what is tried for
a landing does not hang on luck.
"""

from __future__ import annotations

import argparse
import faulthandler
import gzip
import io
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

SEEDS: Final = Path(__file__).parents[1] / "tests" / "sources" / "seeds"
_MOST_MEMORY: Final = 2048  # MiB of one process, numba and polars included
_HANG: Final = 20  # seconds one input may take
_MOST_SIZE: Final = 16 << 10

ODD_VALUES: Final[tuple[Any, ...]] = (
    None, True, False, 0, -1, -0.01, 999, 1.5, 1e308, -1e308, 2**63, 2**64, 10**400, float("nan"), float("inf"), "",
    " ", "-", "nan", "NaN", "inf", "-Infinity", "1,234", "1.234,5", "80,5", "77.0%", "80.5 ± 0.3", "=1+1", "@SUM(A1)",
    "None", "a,b", "a;b", "a\tb", "a\nb", 'a"b', "a|b", "\ud800", "\x00", "\x7f", "\x1b[2J", "é" * 100, "９",
    "x" * 5000, "../../../etc/passwd", "/dev/zero", "2026-13-45", "2026-02-03", "9" * 400, "model", "benchmark",
    "score", "key",
    [], {}, [[]], [None], {"": None}, {"model": "a"}, [1, "a", None],
)  # fmt: skip


def try_input(path: Path) -> bool:
    """Read a file as a newcomer would, check it, lay it out as a folder; false where it is refused.

    Raises
    ------
    Exception
        Whatever is no refusal of ours: a fault.
    """
    import balance_of_benchmarks as bob
    from balance_of_benchmarks.board.folder import render_folder

    try:
        board = bob.read_board(path)
        bob.check_board(board, min_observed=1)
        render_folder(board)
    except bob.BobError as error:
        if not str(error).strip():
            raise AssertionError("an error without words") from error
        return False
    if board.cells["score"].is_infinite().any():
        raise AssertionError("an infinite score came through")
    return True


def spoil(content: bytes, chance: random.Random) -> bytes:
    """Change a file as people, programs and disks do."""
    ways: tuple[Callable[[bytes, random.Random], bytes], ...]
    if content[:2] == b"PK":
        ways = (_spoil_zip, _spoil_bytes)
    elif content.lstrip()[:1] in (b"{", b"["):
        ways = (_spoil_json, _spoil_json, _spoil_json, _spoil_text, _spoil_bytes)
    else:
        ways = (_spoil_cells, _spoil_cells, _spoil_text, _spoil_bytes)
    return chance.choice(ways)(content, chance)


def _spoil_json(content: bytes, chance: random.Random) -> bytes:
    lines = content.decode("utf-8", "replace").splitlines()
    place = chance.randrange(len(lines))
    for part, rest in ((content, None), (lines[place].encode(), place)):
        try:
            value = json.loads(part)
        except (ValueError, RecursionError):
            continue
        text = json.dumps(_spoil_value(value, chance))
        return "\n".join([*lines[:rest], text, *lines[rest + 1 :]] if rest is not None else [text]).encode()
    return _spoil_text(content, chance)


def _spoil_value(value: Any, chance: random.Random) -> Any:
    """Change one thing in a tree of JSON, anywhere."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(list(value))
        way = chance.randrange(8)
        if way == 0:
            return {name: inner for name, inner in value.items() if name != key}
        if way == 1:
            return {(f"{key}_" if name == key else name): inner for name, inner in value.items()}
        if way == 2:
            return {**value, str(chance.choice(ODD_VALUES)): value[key]}
        return {**value, key: _spoil_value(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        place = chance.randrange(len(value))
        way = chance.randrange(6)
        if way == 0:
            return value[:place] + value[place + 1 :]
        if way == 1:
            return value * chance.choice((2, 20))
        return [*value[:place], _spoil_value(value[place], chance), *value[place + 1 :]]
    if chance.random() < 0.05:
        for _ in range(chance.choice((5, 300))):
            value = [value]
        return value
    return chance.choice(ODD_VALUES)


def _spoil_cells(content: bytes, chance: random.Random) -> bytes:
    """Change cells, rows and columns of a text, wherever its marks are."""
    lines = content.decode("utf-8", "replace").splitlines() or [""]
    mark = max(",;\t|:", key=lines[0].count)
    rows = [line.split(mark) for line in lines]
    for _ in range(chance.choice((1, 1, 3))):
        row = chance.choice(rows)
        place, way = chance.randrange(len(row)), chance.randrange(8)
        if way == 0:
            rows.insert(chance.randrange(len(rows) + 1), list(row))
        elif way == 1 and len(rows) > 1:
            rows.remove(row)
        elif way == 2:
            row.insert(place, str(chance.choice(ODD_VALUES)))
        elif way == 3 and len(row) > 1:
            del row[place]
        elif way == 4:
            rows = [[*other, other[place] if place < len(other) else ""] for other in rows]
        else:
            row[place] = str(chance.choice(ODD_VALUES))
    return "\n".join(mark.join(row) for row in rows).encode("utf-8", "surrogatepass")


def _spoil_text(content: bytes, chance: random.Random) -> bytes:
    """Save a text in another encoding, with other line ends, packed, or with lines above it."""
    text = content.decode("utf-8", "replace")
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: text.encode("utf-16"),
        lambda: text.encode("utf-16-be"),
        lambda: text.encode("latin-1", "replace"),
        lambda: b"\xef\xbb\xbf" + content,
        lambda: content.replace(b"\n", b"\r"),
        lambda: content.replace(b"\n", b"\r\n"),
        lambda: gzip.compress(content),
        lambda: gzip.compress(content)[: chance.randrange(1, 60)],
        lambda: b"Results of the spring\n\n" + content,
        lambda: b"# a note\n" + content,
        lambda: content + content,
        lambda: content.replace(b",", chance.choice((b";", b"\t", b"|", b",,"))),
    )
    return chance.choice(ways)()


def _spoil_bytes(content: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(content) + 1)
    way = chance.randrange(4)
    if way == 0:
        return content[:place]
    if way == 1:
        return content[:place] + chance.randbytes(chance.choice((1, 4, 64))) + content[place:]
    if way == 2:
        return content[:place] + bytes(chance.choice((1, 100))) + content[place + 1 :]
    return content[:place] + content[place + chance.choice((1, 8)) :]


def _spoil_zip(content: bytes, chance: random.Random) -> bytes:
    """Change the header of an Inspect log within its zip file, or the names of its members."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except Exception:  # it was spoiled before: bytes then
        return _spoil_bytes(content, chance)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", chance.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED))) as archive:
        for name, member in members.items():
            odd = chance.random() < 0.2
            archive.writestr("../../escaped.json" if odd else name, spoil(member, chance) if member else b"")
        if chance.random() < 0.1:
            archive.writestr("_journal/start.json", bytes(1 << 20))
    return packed.getvalue()


def find_seeds(reader: str | None = None) -> Iterator[Path]:
    """List the small files inputs grow from: of one reader, or of all."""
    return (path for path in sorted(SEEDS.rglob("*")) if path.is_file() and reader in (None, path.parent.name))


def fuzz(reader: str, arguments: list[str]) -> None:
    """Fuzz one reader in this process, which libFuzzer ends; instrumented, so that it sees what is reached."""
    import atheris

    with atheris.instrument_imports(include=["balance_of_benchmarks.sources", "balance_of_benchmarks.board"]):
        import balance_of_benchmarks as bob
        from balance_of_benchmarks.sources.registry import list_formats

        list_formats()
        bob.check_board(bob.read_board("demo"))
    folder = Path("/dev/shm") if Path("/dev/shm").is_dir() else Path(tempfile.gettempdir())  # noqa: S108 - in memory
    path = folder / f"bob-fuzz-{os.getpid()}"

    def try_bytes(content: bytes) -> None:
        path.write_bytes(content)
        try_input(path)

    def mutate(content: bytes, most: int, seed: int) -> bytes:
        chance = random.Random(seed)  # noqa: S311 - no secret
        if chance.random() < 0.5:
            return bytes(atheris.Mutate(content, most))
        return spoil(content, chance)[:most]

    atheris.Setup([reader, *arguments], try_bytes, custom_mutator=mutate)
    atheris.Fuzz()


def replay(reader: str, inputs: int, kept: Path) -> None:
    """Try a fixed list of inputs in this process; a fault leaves its input and a traceback."""
    seeds = [path.read_bytes() for path in find_seeds(reader)]
    path = kept / f"{reader}-replayed"
    for number in range(inputs):
        chance = random.Random(number)  # noqa: S311 - no secret
        content = chance.choice(seeds)
        for _ in range(chance.choice((1, 1, 2, 3))):
            content = spoil(content, chance)[:_MOST_SIZE]
        path.write_bytes(content)
        faulthandler.dump_traceback_later(_HANG, exit=True)
        try_input(path)
        faulthandler.cancel_dump_traceback_later()
        if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > _MOST_MEMORY * 1024:
            raise MemoryError(f"more than {_MOST_MEMORY} MiB")
    path.unlink()


def run(reader: str, seconds: float, inputs: int, kept: Path) -> tuple[str, int, int]:
    """Try one reader in a process of its own; what to print, how many inputs were tried, and 1 for a fault."""
    began = time.monotonic()
    if inputs:
        done = _start("--replay", reader, str(inputs), str(kept))
        tried = inputs
    else:
        with tempfile.TemporaryDirectory() as corpus:
            for number, seed in enumerate(find_seeds(reader)):
                Path(corpus, f"{number}").write_bytes(seed.read_bytes())
            options = [
                f"-max_total_time={seconds:.0f}", f"-rss_limit_mb={_MOST_MEMORY}", f"-timeout={_HANG}",
                f"-max_len={_MOST_SIZE}", f"-artifact_prefix={kept}/{reader}-", "-print_final_stats=0", corpus,
            ]  # fmt: skip
            done = _start("--one", reader, *options)
        for path in Path("/dev/shm").glob("bob-fuzz-*") if Path("/dev/shm").is_dir() else ():  # noqa: S108
            if not Path(f"/proc/{path.name.rpartition('-')[2]}").exists():
                path.unlink(missing_ok=True)
        said = re.search(r"Done (\d+) (?:runs )?in", done.stderr)
        tried = int(said[1]) if said else 0
    took = time.monotonic() - began
    if done.returncode == 0 and tried:
        return f"{reader:24} {tried:8,} inputs in {took:.0f} s", tried, 0
    tail = "\n".join([*done.stdout.splitlines()[-30:], *done.stderr.splitlines()[-30:]])
    return f"{reader:24} FAULT after {took:.1f} s; its input is in {kept}\n{tail}", 0, 1


def _start(*arguments: str) -> subprocess.CompletedProcess[str]:
    # Sets of texts are walked in the same order every time, so that the same input takes the same way.
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    command = [sys.executable, __file__, *arguments]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, env=environment)


def main() -> int:
    """Fuzz every reader, or those named; 1 when there is a fault."""
    if sys.argv[1:2] == ["--one"]:
        fuzz(sys.argv[2], sys.argv[3:])
        return 0
    if sys.argv[1:2] == ["--replay"]:
        replay(sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]))
        return 0
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("readers", nargs="*", help="of tests/sources/seeds; all when none is named")
    parser.add_argument("--seconds", type=float, default=60, help="for each reader")
    parser.add_argument("--inputs", type=int, default=0, help="instead: so many for each, the same every time")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    options = parser.parse_args()
    seeds = {path.parent.name for path in find_seeds()}
    if unknown := set(options.readers) - seeds:
        print(f"no seeds for {', '.join(sorted(unknown))}: expected some of {', '.join(sorted(seeds))}")
        return 2
    if not options.inputs and find_spec("atheris") is None:
        print("not fuzzed: atheris is not installed, which comes for Linux on x86-64 only; try --inputs 1000")
        return 0
    readers = options.readers or sorted(seeds)
    kept = Path(tempfile.mkdtemp(prefix="bob-fuzz-"))
    began, tried, faults = time.monotonic(), 0, 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for words, count, fault in pool.map(lambda reader: run(reader, options.seconds, options.inputs, kept), readers):
            print(words, flush=True)
            tried, faults = tried + count, faults + fault
    print(f"{len(readers)} readers: {tried:,} inputs in {time.monotonic() - began:.1f} s, {faults} faults")
    if not faults:
        kept.rmdir()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
