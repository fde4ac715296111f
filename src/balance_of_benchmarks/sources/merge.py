"""Several readings, one board: one column a benchmark, on one scale, with everything known of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from balance_of_benchmarks.board.board import CELL_COLUMNS, Board
from balance_of_benchmarks.board.frames import shorten
from balance_of_benchmarks.board.settings import Adjustment, BoardSettings, SourceFile
from balance_of_benchmarks.errors import BoardError, name_unknown
from balance_of_benchmarks.sources.reading import MEASURE_COLUMNS, Choice, Reading

__all__ = ["merge_readings", "stack_frames"]

_SCALE: Final = ("lower", "upper", "higher_is_better")


def merge_readings(
    readings: Sequence[Reading],
    choice: Choice,
    *,
    name: str,
    sources: Sequence[SourceFile] = (),
    source: str | None = None,
    adjustments: Sequence[Adjustment] = (),
) -> Board:
    """Make one board of what several files say.

    Parameters
    ----------
    readings : sequence of Reading
        In order: where two know a value of a benchmark or model, the first's is taken.
    choice : Choice
    name : str
        Of the board, where no reading names it.
    sources : sequence of SourceFile
    source : str, optional
        The format; by default that of `sources`.
    adjustments : sequence of Adjustment
        What finding the files has to say.

    Returns
    -------
    Board

    Raises
    ------
    BoardError
        For a choice that nothing answers to.

    Notes
    -----
    A benchmark's column is made of one metric: the one chosen by name; else the one the benchmarks' tables name;
    else the one its format prefers most; of equals the one most models have, then the first by name.
    """
    notes = [*adjustments, *(note for reading in readings for note in reading.adjustments)]
    cells = stack_frames([reading.measures for reading in readings])
    cells = cells.with_columns(
        pl.lit(None, dtype=dtype).alias(column) for column, dtype in MEASURE_COLUMNS.items() if column not in cells
    )
    cells = cells.with_columns(pl.col("metric", "aside").cast(pl.String))
    benchmarks = _first_known([reading.benchmarks for reading in readings])
    _require_known(choice, cells, benchmarks, frozenset().union(*(reading.metrics for reading in readings)))
    cells = _leave_aside(cells, choice, notes)
    cells = _choose_metrics(cells, benchmarks, choice, notes)
    cells = _share_bounds(cells, notes)
    cells = _without_infinities(cells, notes)
    known = _first_known([benchmarks, _scales(cells)]) if cells.height else benchmarks
    others = [column for column in cells.columns if column not in MEASURE_COLUMNS]
    return Board(
        cells=cells.select(*(column for column in CELL_COLUMNS if column in cells), *others),
        models=_first_known([reading.models for reading in readings]),
        benchmarks=known,
        settings=BoardSettings(
            name=_only(reading.name for reading in readings) or name,
            source=source or _list_formats(readings, sources),
            attribution="; ".join(dict.fromkeys(r.attribution for r in readings if r.attribution)) or None,
            retrieved=_only(reading.date for reading in readings),
            published_index=_only(reading.published_index for reading in readings),
        ),
        adjustments=tuple(notes),
        sources=tuple(sources),
    )


def stack_frames(frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Put tables under one another; a column whose types have nothing in common becomes text."""
    frames = [frame for frame in frames if frame.width]
    types: dict[str, set[pl.DataType]] = {}
    for frame in frames:
        for column, dtype in frame.schema.items():
            types.setdefault(column, set()).add(dtype)
    mixed = {
        column
        for column, kinds in types.items()
        if len(kinds - {pl.Null()}) > 1 and not all(kind.is_numeric() or kind == pl.Null for kind in kinds)
    }
    frames = [frame.with_columns(pl.col(c).cast(pl.String) for c in mixed & set(frame.columns)) for frame in frames]
    return pl.concat(frames, how="diagonal_relaxed") if frames else pl.DataFrame()


def _first_known(frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Make one row a key of several tables, of the first value known in each column."""
    table = stack_frames(frames)
    if table.width < 2 or not table["key"].is_duplicated().any():
        return table.unique(maintain_order=True) if table.width else table
    return table.group_by("key", maintain_order=True).agg(pl.all().drop_nulls().first())


def _require_known(choice: Choice, cells: pl.DataFrame, benchmarks: pl.DataFrame, metrics: frozenset[str]) -> None:
    keys = [*cells["benchmark"].unique(maintain_order=True), *(benchmarks["key"] if benchmarks.width else ())]
    for key in choice.also:
        if key not in keys:
            raise BoardError(name_unknown("the benchmarks there are", key, keys))
    known = {*metrics, *cells["metric"].drop_nulls().unique()}
    for wanted in choice.metrics:
        name = wanted if "=" not in wanted or wanted in known else wanted.rpartition("=")[2]
        if name not in known and not any(metric.split(",")[0] == name for metric in known):
            raise BoardError(name_unknown("the metrics there are", name, sorted(known)))


def _leave_aside(cells: pl.DataFrame, choice: Choice, notes: list[Adjustment]) -> pl.DataFrame:
    if cells["aside"].null_count() == cells.height:
        return cells
    aside = pl.col("aside").is_not_null() & ~pl.col("benchmark").is_in(list(choice.also))
    for (reason,), group in cells.filter(aside).group_by("aside", maintain_order=True):
        keys = group["benchmark"].unique(maintain_order=True).to_list()
        message = f"left aside: {shorten(keys)}, {reason}"
        notes.append(Adjustment("left_aside", tuple(keys), message, f"--also {keys[0]} takes it in"))
    return cells.filter(~aside)


def _choose_metrics(
    cells: pl.DataFrame, benchmarks: pl.DataFrame, choice: Choice, notes: list[Adjustment]
) -> pl.DataFrame:
    """Keep of each benchmark the cells of one metric; say which models have none of it."""
    several = cells.group_by("benchmark").agg(pl.col("metric").n_unique()).filter(pl.col("metric") > 1)["benchmark"]
    if several.is_empty():
        return cells
    named = dict(benchmarks.select("key", "metric").iter_rows()) if "metric" in benchmarks.columns else {}
    candidates = (
        cells.filter(pl.col("benchmark").is_in(several.implode()))
        .group_by("benchmark", "metric")
        .agg(preference=pl.col("preference").fill_null(0).min(), models=-pl.col("model").n_unique().cast(pl.Int64))
        .sort("benchmark", "preference", "models", "metric", nulls_last=True)
    )
    chosen: dict[str, str | None] = {}
    for benchmark, metric in candidates.select("benchmark", "metric").iter_rows():
        asked = metric is not None and choice.wants(benchmark, metric)
        declared = metric is not None and metric == named.get(benchmark)
        best = chosen.get(benchmark)
        better = asked and not (best is not None and choice.wants(benchmark, best))
        better = better or (declared and not (best is not None and choice.wants(benchmark, best)))
        if benchmark not in chosen or better:
            chosen[benchmark] = metric
    wanted = pl.DataFrame(
        {"benchmark": list(chosen), "metric": list(chosen.values())},
        schema={"benchmark": pl.String, "metric": pl.String},
    )
    whole = cells.filter(~pl.col("benchmark").is_in(several.implode()))
    kept = cells.join(wanted, on=["benchmark", "metric"], how="semi", nulls_equal=True, maintain_order="left")
    lost = cells.join(kept.select("model", "benchmark"), on=["model", "benchmark"], how="anti").filter(
        pl.col("benchmark").is_in(several.implode())
    )
    for (benchmark,), group in lost.group_by("benchmark", maintain_order=True):
        models = group["model"].unique(maintain_order=True).to_list()
        others = ", ".join(sorted({str(metric) for metric in group["metric"]}))
        notes.append(
            Adjustment(
                "metric_missing",
                (str(benchmark),),
                f"{benchmark} is taken by {chosen[str(benchmark)]}, which {shorten(models)} "
                f"{'has' if len(models) == 1 else 'have'} no score by, but by {others}",
                f"--metric {benchmark}={others.split(', ')[0]}",
            )
        )
    return pl.concat([whole, kept])


def _share_bounds(cells: pl.DataFrame, notes: list[Adjustment]) -> pl.DataFrame:
    """Put scores of one benchmark that come with other bounds than its first onto those."""
    if cells["upper"].null_count() == cells.height:
        return cells
    first = cells.group_by("benchmark", maintain_order=True).agg(
        pl.col("lower", "upper").filter(pl.col("lower").is_not_null() & pl.col("upper").is_not_null()).first()
    )
    cells = cells.join(first, on="benchmark", how="left", suffix="_first", maintain_order="left")
    usable = (pl.col("lower") < pl.col("upper")) & (pl.col("lower_first") < pl.col("upper_first"))
    usable &= pl.all_horizontal(pl.col("lower", "upper", "lower_first", "upper_first").is_finite())
    other = (
        usable & ((pl.col("lower") != pl.col("lower_first")) | (pl.col("upper") != pl.col("upper_first")))
    ).fill_null(value=False)
    factor = (pl.col("upper_first") - pl.col("lower_first")) / (pl.col("upper") - pl.col("lower"))
    changed = cells.filter(other)["benchmark"].unique(maintain_order=True).to_list()
    if changed:
        message = f"{shorten(changed)}: files differ in the bounds they declare; scores are put on the first's"
        notes.append(Adjustment("bounds_differ", tuple(changed), message, "declare lower and upper in benchmarks.csv"))
    return cells.with_columns(
        score=pl.when(other)
        .then(pl.col("lower_first") + (pl.col("score") - pl.col("lower")) * factor)
        .otherwise(pl.col("score")),
        standard_error=pl.when(other).then(pl.col("standard_error") * factor).otherwise(pl.col("standard_error")),
        lower=pl.when(other).then(pl.col("lower_first")).otherwise(pl.col("lower")),
        upper=pl.when(other).then(pl.col("upper_first")).otherwise(pl.col("upper")),
    ).drop("lower_first", "upper_first")


def _without_infinities(cells: pl.DataFrame, notes: list[Adjustment]) -> pl.DataFrame:
    """Take a record's infinite score for none: some exporters write one where a metric is undefined."""
    score = cells["score"].cast(pl.Float64, strict=False) if cells["score"].dtype != pl.Float64 else cells["score"]
    infinite = score.is_infinite().fill_null(value=False)
    if not infinite.any():
        return cells
    where = cells.filter(infinite)
    keys = where["benchmark"].unique(maintain_order=True).to_list()
    message = f"{where.height} infinite scores are taken for missing, the first {where['model'][0]} on {keys[0]}"
    notes.append(Adjustment("score_infinite", tuple(keys), message, "correct the source"))
    return cells.with_columns(score=score.set(infinite, None))


def _scales(cells: pl.DataFrame) -> pl.DataFrame:
    """What the cells say of their benchmarks: the metric taken and its scale."""
    finite = [pl.col(c).filter(pl.col(c).is_finite()).drop_nulls().first() for c in ("lower", "upper")]
    return cells.group_by("benchmark", maintain_order=True).agg(
        pl.col("metric").drop_nulls().first(), *finite, pl.col("higher_is_better").drop_nulls().first()
    ).rename({"benchmark": "key"})  # fmt: skip


def _list_formats(readings: Sequence[Reading], sources: Sequence[SourceFile]) -> str | None:
    """Name the formats that brought scores."""
    brought = [file.format for reading, file in zip(readings, sources, strict=True) if reading.measures.height]
    return ", ".join(dict.fromkeys(brought)) or None


def _only(values: object) -> str | None:
    """Give the value all have in common; None where they differ."""
    found = {value for value in values if value is not None}  # type: ignore[attr-defined]
    return str(found.pop()) if len(found) == 1 else None
