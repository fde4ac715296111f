"""What the columns of somebody's table are, and what they lack is called."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from balance_of_benchmarks.board.numbers import is_number, resembles_number, without_missing
from balance_of_benchmarks.board.settings import Adjustment
from balance_of_benchmarks.errors import BoardError
from balance_of_benchmarks.sources.document import Document
from balance_of_benchmarks.sources.headings import (
    BENCHMARK_NAMES,
    MODEL_NAMES,
    find_column,
    is_fact,
    is_generic,
    is_remark,
)
from balance_of_benchmarks.sources.reading import Reading, note_unnamed
from balance_of_benchmarks.sources.wide import as_plain

__all__ = ["describes", "name_after", "name_columns", "name_model", "tell_columns"]


def tell_columns(table: pl.DataFrame) -> dict[str, str]:
    """Tell columns that describe from those of numbers: of the former, most of what they say is no number.

    What was meant as a number (``1,234``, ``80.5 ± 0.3``) counts as one, so that it is refused where it stands and not
    passed over; but under a heading of facts it describes.
    """
    kinds = {
        name: "number" if dtype.is_numeric() else "empty" if dtype == pl.Null else "text"
        for name, dtype in table.schema.items()
    }
    texts = [name for name, dtype in table.schema.items() if dtype == pl.String]
    if not texts or not table.height:
        return {**kinds, **dict.fromkeys(texts, "empty")}
    # All columns at once: one by one, thousands of them take half a minute.
    values = without_missing(pl.concat([table[name].alias("value") for name in texts], rechunk=True))
    counts = pl.DataFrame(
        {
            "place": pl.Series(range(len(texts))).repeat_by(table.height).explode(),
            "known": values.is_not_null(),
            "number": is_number(values),
            "meant": resembles_number(values),
        }
    ).group_by("place", maintain_order=True).agg(pl.col("known", "number", "meant").sum())  # fmt: skip
    for name, (_, known, number, meant) in zip(texts, counts.iter_rows(), strict=True):
        like = number if is_fact(name) else max(number, meant)
        kinds[name] = "empty" if not known else "number" if 2 * like >= known else "text"
    return {name: "text" if kind == "empty" and is_remark(name) else kind for name, kind in kinds.items()}


def describes(table: pl.DataFrame) -> bool:
    """Tell a table that describes benchmarks, which is given beside scores, from one that has them."""
    names = {column.strip().lower() for column in table.columns}
    return "description" in names and bool(names & {"key", *BENCHMARK_NAMES}) and not names & {"model", "score"}


def name_columns(frame: pl.DataFrame, place: str) -> pl.DataFrame:
    """Make sense of a column without a name, and take the words of headings that are links."""
    plain = [as_plain(name) for name in frame.columns]
    if len(set(plain)) == len(plain):
        frame = frame.rename(dict(zip(frame.columns, plain, strict=True)))
    if _counts_rows(frame):
        frame = frame.drop("")
    if (
        frame.columns[:1] == [""]
        and find_column(frame.columns[1:], BENCHMARK_NAMES)
        and "category" not in frame.columns
    ):
        # Groups of benchmarks, each named in its first row only, as in a cell over several rows.
        groups = without_missing(frame[""].cast(pl.String)).forward_fill().alias("category")
        frame = frame.with_columns(groups).drop("")
    named = any(name in frame.columns for name in MODEL_NAMES)
    if "" in frame.columns and (frame.columns.index("") > 0 or named):
        column = frame.columns.index("") + 1
        raise BoardError(f"{place}: column {column} has no name; expected every column named")
    return frame


def name_model(frame: pl.DataFrame, document: Document) -> tuple[pl.DataFrame, tuple[Adjustment, ...]]:
    """Name the model of a table of benchmarks with one score each, which is all of one model, after the file."""
    benchmark = find_column(frame.columns, BENCHMARK_NAMES)
    if benchmark is None or find_column(frame.columns, MODEL_NAMES) is not None or describes(frame):
        return frame, ()
    kinds = tell_columns(frame)
    numbers = [column for column in frame.columns if kinds[column] == "number" and not is_fact(column)]
    if len(numbers) != 1 or not is_generic(numbers[0]):
        return frame, ()
    # A task with several metrics is named in its first row only.
    listed = without_missing(frame[benchmark].cast(pl.String)).forward_fill()
    frame = frame.with_columns(listed.alias(benchmark), model=pl.lit(document.stem))
    return frame, (note_unnamed(document, document.stem, "add a column model"),)


def name_after(reading: Reading, name: str, whence: str) -> Reading:
    """Call the only benchmark of a wide table otherwise where its heading says how it was measured and not what."""
    taken = reading.measures
    taken = taken.filter(pl.col("aside").is_null()) if "aside" in taken.columns else taken
    keys = taken["benchmark"].unique().to_list()
    if len(keys) != 1 or not reading.benchmarks.height or not is_generic(keys[0]):
        return reading
    names = {keys[0]: name}
    benchmarks = reading.benchmarks.with_columns(
        pl.col("key").replace(names), metric=pl.when(pl.col("key") == keys[0]).then(pl.lit(keys[0]))
    )
    message = f"{whence}: the only scores, {keys[0]!r}, are called {name!r}"
    note = Adjustment("benchmark_named", (name,), message, f"call the column otherwise than {keys[0]!r}")
    return replace(
        reading,
        measures=reading.measures.with_columns(pl.col("benchmark").replace(names)),
        benchmarks=benchmarks,
        adjustments=(*reading.adjustments, note),
    )


def _counts_rows(frame: pl.DataFrame) -> bool:
    """Tell whether a first column without a name only counts the rows, as pandas writes its index."""
    if frame.columns[:1] != [""] or frame.width < 2:
        return False
    counted = pl.Series([str(row) for row in range(frame.height)], dtype=pl.String)
    return frame.height > 0 and bool((frame[""].cast(pl.String) == counted).all())
