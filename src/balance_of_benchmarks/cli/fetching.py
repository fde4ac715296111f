"""``bob fetch``: what it says before, while and after it asks."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from balance_of_benchmarks.cli.output import Patience, show, tell
from balance_of_benchmarks.report.report import Column, Format, Report
from balance_of_benchmarks.sources.fetch.fetching import Fetched, fetch
from balance_of_benchmarks.sources.fetch.services import Plan, plan_fetch
from balance_of_benchmarks.sources.fetch.snapshots import MANIFEST
from balance_of_benchmarks.transport.attempts import Limits

__all__ = ["FetchOptions", "run_fetch"]


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """What ``bob fetch`` was told."""

    source: str
    out: str
    url: str | None
    dry_run: bool
    resume: bool
    limits: Limits


def run_fetch(options: FetchOptions, form: Format) -> None:
    """Fetch a snapshot, or say what would be asked."""
    plan = plan_fetch(options.source, Path(options.out), os.environ, options.url)
    if options.dry_run:
        show(_report_plan(plan), form, None)
        return
    words = "fetching (files)" if plan.service and plan.service.list_index else "fetching (KiB)"
    with Patience(words) as bar:
        fetched = fetch(plan, options.limits, resume=options.resume, progress=bar.update, tell=tell)
    show(_report_fetched(plan, fetched), form, None)


def _report_plan(plan: Plan) -> Report:
    key = plan.service.key_variable if plan.service else None
    header = plan.service.key_header if plan.service else None
    urls = [str(address) for address in plan.addresses]
    ways = {None: "No key is needed.", True: f"The key in {key} would go along as the header {header}."}
    missing = f"{key} is not set, without which {plan.source} is not asked."
    several = plan.service is not None and plan.service.list_index is not None
    return Report(
        payload={
            "source": plan.source,
            "dry_run": True,
            "urls": urls,
            "key_variable": key,
            "key_header": header,
            "key_given": plan.key_given,
            "folder": str(plan.folder),
            "manifest": str(plan.folder / MANIFEST),
        },
        frame=pl.DataFrame({"url": urls}),
        title=f"{plan.source}: what would be asked",
        columns=(Column("url", "address", stretch=True),),
        after=(
            *(("And each record it lists, if it is an index.",) if several else ()),
            ways.get(plan.key_given, missing),
            f"The snapshot would be written to {plan.folder} under the time it has come, and listed in {MANIFEST}.",
        ),
    )


def _report_fetched(plan: Plan, fetched: Fetched) -> Report:
    first = fetched.entries[0]
    said = "fetched" if fetched.new else "still what was fetched before; nothing is written"
    return Report(
        payload={
            "source": plan.source,
            "dry_run": False,
            "snapshot": str(fetched.path),
            "new": fetched.new,
            "format": first.format,
            "rows": first.rows,
            "retrieved": first.retrieved,
            "attribution": fetched.attribution,
            "files": [entry.model_dump() for entry in fetched.entries],
        },
        frame=pl.DataFrame([entry.model_dump() for entry in fetched.entries]),
        title=f"{plan.source}: {said}",
        columns=(Column("file", "file"), Column("size", "bytes"), Column("sha256", "SHA-256", stretch=True)),
        before=(f"{fetched.path}: {first.rows} models, read as {first.format}, retrieved {first.retrieved}",),
        after=(f"Data: {fetched.attribution}",) if fetched.attribution else (),
    )
