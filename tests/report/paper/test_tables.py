"""Tables of the paper in three forms."""

from __future__ import annotations

import csv
import io
import re

import pytest

from balance_of_benchmarks.paper.comparison import Comparison
from balance_of_benchmarks.paper.published import find_published, read_published
from balance_of_benchmarks.paper.redone import Redone
from balance_of_benchmarks.paper.tables import TABLES, PaperTable, lay_out_tables
from balance_of_benchmarks.report.paper.tables import render_table, render_touchpoints
from balance_of_benchmarks.report.paper.write import compare_paper


@pytest.fixture(scope="module")
def tables(redone: Redone) -> dict[str, PaperTable]:
    return {table.name: table for table in lay_out_tables(compare_paper(redone))}


def test_there_are_seventeen_and_each_holds_all_its_numbers(tables: dict[str, PaperTable]) -> None:
    assert list(tables) == list(TABLES)
    assert len(tables) == 17
    for name, table in tables.items():
        printed = [published for published in read_published() if published.place[0] == name]
        assert len(table.cells) + len(table.notes) == len(printed), name


@pytest.mark.parametrize("name", TABLES)
def test_each_form_has_every_cell(tables: dict[str, PaperTable], name: str) -> None:
    table, forms = tables[name], render_table(tables[name])
    rows = list(csv.reader(io.StringIO(forms[".csv"])))

    assert [row[0] for row in rows[1 : 1 + len(table.rows)]] == [row for row, _ in table.rows]
    assert {len(row) for row in rows[: 1 + len(table.rows)]} == {2 + 2 * len(table.columns)}
    body = [line for line in forms[".md"].splitlines() if line.startswith("| ")]
    assert len(body) == 2 + len(table.rows)
    assert len(re.findall(r" \\\\$", forms[".tex"], re.MULTILINE)) == 1 + len(table.rows)
    for comparison in table.cells.values():
        shown = f"({comparison.published.printed})"
        assert shown in forms[".md"]
        assert shown.replace("<", "$<$") in forms[".tex"]


@pytest.mark.parametrize("name", [*TABLES, "touchpoints"])
def test_latex_is_balanced_and_plain(tables: dict[str, PaperTable], name: str) -> None:
    text = (render_touchpoints() if name == "touchpoints" else render_table(tables[name]))[".tex"]

    assert text.isascii(), set(text) - set(map(chr, range(128)))
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
    assert (text.count("$") - text.count(r"\$")) % 2 == 0
    assert not re.search(r"(?<!\\)_(?![{])", re.sub(r"\\label\{.*?\}", "", text))
    for begun in re.findall(r"\\begin\{(\w+)\}", text):
        assert rf"\end{{{begun}}}" in text


def test_a_number_that_differs_is_marked() -> None:
    published = find_published(("headline", "bob", "level"))
    assert published is not None
    cell = Comparison(published, 0.5, -0.404, "differs", "because")
    table = PaperTable("headline", "Title", (("bob", "Ours"),), (("level", "Level"),), {("bob", "level"): cell}, ())

    assert "| Ours | 0.500* (0.904) |" in render_table(table)[".md"]
    assert render_table(table)[".csv"].splitlines()[1] == "bob,Ours,0.5,0.904"
