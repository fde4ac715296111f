"""What `bob paper` does: redo, compare, write."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from balance_of_benchmarks.cli.output import Patience, show, tell
from balance_of_benchmarks.errors import BobError
from balance_of_benchmarks.paper.others import redo_other
from balance_of_benchmarks.paper.redo import redo_paper
from balance_of_benchmarks.paper.texts import own_texts, pick_vectors, read_texts
from balance_of_benchmarks.report.paper.overview import report_comparison
from balance_of_benchmarks.report.paper.write import compare_paper, write_paper
from balance_of_benchmarks.report.report import Format
from balance_of_benchmarks.sources.read import read_board
from balance_of_benchmarks.text.registry import find_encoder
from balance_of_benchmarks.text.vectors import VectorFile, read_vectors
from balance_of_benchmarks.transport.store import ArrayStore, cache_folder

__all__ = ["PaperOptions", "paper"]


@dataclass(frozen=True, slots=True)
class PaperOptions:
    """What `bob paper` takes."""

    board: str
    out: str
    also: list[str] | None
    texts: str | None
    vectors: str | None
    encoder: list[str] | None
    quick: bool
    jobs: int | None
    seed: int


def paper(wanted: PaperOptions, form: Format) -> None:
    """Redo the paper and say how it compares."""
    folder = Path(wanted.out)
    # What cannot be written is refused before minutes are spent.
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BobError(f"{folder} cannot be made: {error.strerror}") from None
    texts = own_texts() if wanted.texts is None else read_texts(Path(wanted.texts))
    # A file of vectors is an encoder like others; the first is the one that everything is redone with.
    given = [] if wanted.vectors is None else [read_vectors(Path(wanted.vectors))]
    found = [*given, *(find_encoder(name, tell=tell) for name in wanted.encoder or ())] or [find_encoder()]
    encoders = [pick_vectors(one, texts) if isinstance(one, VectorFile) else one for one in found]
    board, others = read_board(wanted.board), [read_board(path) for path in wanted.also or ()]
    with Patience("redoing the paper") as bar:
        redone = redo_paper(
            board,
            texts,
            encoder=encoders[0],
            further=encoders[1:],
            quick=wanted.quick,
            jobs=wanted.jobs,
            seed=wanted.seed,
            progress=bar.update,
        )
    comparisons, store = compare_paper(redone), ArrayStore(cache_folder() / "evaluation")
    beyond = []
    for other in others:
        with Patience(f"holding out of {other.name}") as bar:
            beyond.append(redo_other(other, store=store, jobs=wanted.jobs, seed=wanted.seed, progress=bar.update))
    with Patience("drawing figures") as bar:
        files = write_paper(redone, comparisons, folder, others=beyond, progress=bar.update)
    tell(f"{len(files)} files are in {folder}: begin with README.md")
    show(report_comparison(redone, comparisons, beyond), form, None)
