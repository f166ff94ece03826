"""Figures of pages: written from results, and what is typed by hand is caught."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.harness import kept, pages
from benchmarks.harness.digests import ROOT
from benchmarks.harness.figures import Figures
from benchmarks.harness.pages import Writer, complaints, write_pages
from benchmarks.harness.registry import all_tables
from benchmarks.harness.results import Results
from benchmarks.harness.table import Chart, Column, Finding, Row, Rows, Setting, Table, Values, Verdict
from dragoman.errors import ConfigError

RUN = {
    "commit": "abc",
    "digests": {},
    "versions": {"dragoman": "9.9", "python": "3"},
    "processor": "Abacus",
    "cores": 2,
    "device": "cpu",
    "threads": 1,
    "seeds": [1],
    "command": "python -m benchmarks toy --quick",
    "date": "2030-01-01",
}
README = """# Toy

<!-- bench:text/measured --><!-- /bench -->

It has <!-- bench:toy.ours.bleu:.1f -->0<!-- /bench --> BLEU, where cdec has
<!-- bench:rivals.cdec.bleu -->0<!-- /bench -->.
"""
PAGE = """# Results

<!-- bench:toy --><!-- /bench -->

<!-- bench:claims --><!-- /bench -->

In `python -m toy 99`, of newstest2012 and multi30k:

```console
77 is code
```
"""


def nothing() -> Values:
    return {}


def finding(rows: Rows) -> Finding:
    return Finding(Verdict.CONFIRMED, f"It has {rows['ours']['bleu']:.1f}.")


TOY = Table(
    name="toy",
    title="A toy",
    claim="Ours is better.",
    claimed_by="Thesis, table 0",
    columns=[Column("bleu", "BLEU", 2)],
    rows=lambda setting: [Row("ours", "Ours", nothing)],
    finding=finding,
)


@pytest.fixture
def writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Writer:
    monkeypatch.setattr(pages, "digests_of", lambda table: {})
    results = tmp_path / "results"
    (results / "quoted").mkdir(parents=True)
    (tmp_path / "texts").mkdir()
    (tmp_path / "docs" / "results").mkdir(parents=True)
    (tmp_path / "docs" / "results" / "toy.md").write_text(PAGE)
    (tmp_path / "README.md").write_text(README)
    (tmp_path / "texts" / "measured.md").write_text("| captions | {toy.ours.bleu:.1f}, cdec {rivals.cdec.bleu:.1f} |\n")
    rivals = {"kind": "elsewhere", "source": "A paper", "rows": {"cdec": {"bleu": 50.4}}}
    (results / "quoted" / "rivals.json").write_text(json.dumps(rivals))
    Results.of("toy", "quick", results).add("ours", RUN, {"bleu": 53.02}, {})
    return Writer({"toy": TOY}, Figures(results), tmp_path / "texts", tmp_path)


def write(writer: Writer) -> None:
    for path in (writer.root / "README.md", writer.root / "docs" / "results" / "toy.md"):
        path.write_text(writer.page(path))


def change(page: Path, old: str, new: str) -> None:
    text = page.read_text()
    assert old in text
    page.write_text(text.replace(old, new, 1))


def test_written_pages_pass(writer: Writer) -> None:
    assert len(list(complaints(writer))) == 2
    write(writer)
    assert list(complaints(writer)) == []
    readme = (writer.root / "README.md").read_text()
    assert "| captions | 53.0, cdec 50.4† |" in readme and "† not taken in the same run: A paper." in readme
    assert "-->53.0<!--" in readme and "-->50.4†<!--" in readme
    page = (writer.root / "docs" / "results" / "toy.md").read_text()
    assert "| Ours | 53.02 |" in page and "Claims, 1 in all: 1 confirmed." in page
    assert "| Ours is better. | Thesis, table 0 | confirmed | It has 53.0. (small sizes) |" in page
    # Twice is the same.
    write(writer)
    assert (writer.root / "README.md").read_text() == readme


@pytest.mark.parametrize(
    ("old", "new"), [("| captions | 53.0", "| captions | 54.0"), ("-->53.0<!--", "-->54.0<!--"), ("50.4†", "50.4")]
)
def test_a_figure_typed_into_a_block_is_caught(writer: Writer, old: str, new: str) -> None:
    write(writer)
    change(writer.root / "README.md", old, new)
    (complaint,) = complaints(writer)
    assert complaint.startswith("README.md: a marked block is not what the results say") and new in complaint


def test_a_figure_typed_beside_blocks_is_caught(writer: Writer) -> None:
    write(writer)
    page = writer.root / "docs" / "results" / "toy.md"
    change(page, "In `python", "Some 61.5 were seen.\nIn `python")
    (complaint,) = complaints(writer)
    line = page.read_text().split("\n").index("Some 61.5 were seen.") + 1
    assert f"figures that no results have: 61.5 (lines {line})" in complaint


def test_stale_results_are_named(writer: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "digests_of", lambda table: {"code": "today's"})
    assert list(pages.old_results(writer)) == ["results of toy (quick) are stale: the code it measures changed since"]
    monkeypatch.setattr(pages, "digests_of", lambda table: {})
    assert list(pages.old_results(Writer(writer.tables, writer.figures, writer.texts, writer.root))) == []


def test_pages_mark_results_of_an_earlier_state(writer: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    write(writer)
    page, readme = writer.root / "docs" / "results" / "toy.md", writer.root / "README.md"
    assert pages.EARLIER not in page.read_text() and list(pages.marks(writer)) == []
    monkeypatch.setattr(pages, "digests_of", lambda table: {"code": "today's"})
    later = Writer(writer.tables, writer.figures, writer.texts, writer.root)
    # A change of the code makes no page wrong; it is told, and the next writing marks it.
    assert list(complaints(later)) == []
    assert [Path(sentence.split(":")[0]).name for sentence in pages.marks(later)] == ["README.md", "toy.md"]
    write(later)
    assert page.read_text().count(pages.EARLIER) == 2 and pages.SOME_EARLIER in readme.read_text()
    assert list(pages.marks(later)) == [] and list(complaints(later)) == []


def test_pages_show_both_sizes_where_they_say_different_things(writer: Writer) -> None:
    page = writer.root / "docs" / "results" / "toy.md"
    Results.of("toy", "full", writer.figures.folder).add("ours", RUN, {"bleu": 55.0}, {})
    both = Writer({"toy": replace(TOY, both=True)}, writer.figures, writer.texts, writer.root)
    write(both)
    text = page.read_text()
    assert text.index("| Ours | 55.00 |") < text.index("| Ours | 53.02 |")
    assert "| confirmed | It has 55.0. Confirmed: It has 53.0. (small sizes) |" in text
    assert "Claims, 1 in all" in text


def test_charts_stand_beside_the_pages_of_results(writer: Writer) -> None:
    drawn = replace(
        TOY,
        columns=[*TOY.columns, Column("mb", "MB")],
        rows=lambda setting: [Row(name, name, nothing) for name in ("ours", "ours-2")],
        chart=Chart("mb", "bleu", {"ours": "ours"}),
    )
    for name, values in (("ours", {"bleu": 53.02, "mb": 1}), ("ours-2", {"bleu": 54.0, "mb": 2})):
        Results.of("toy", "quick", writer.figures.folder).add(name, RUN, values, {})
    charts = Writer({"toy": drawn}, writer.figures, writer.texts, writer.root)
    write(charts)
    assert "![A toy](toy.svg)" in (writer.root / "docs" / "results" / "toy.md").read_text()
    (complaint,) = complaints(charts)
    assert "/toy.svg: not the chart of the results" in complaint
    ((path, picture),) = charts.pictures().items()
    path.write_text(picture)
    assert list(complaints(charts)) == [] and any(
        part.tag.endswith("polyline") for part in ElementTree.fromstring(picture)
    )


def test_registered_figures_pass_until_they_change(writer: Writer) -> None:
    write(writer)
    page, folder = writer.root / "docs" / "results" / "toy.md", writer.figures.folder
    change(page, "In `python", "Some 61.5 were seen, and 1,000 of 61.5.\nIn `python")
    assert kept.keep(page, "an earlier run", folder, writer.root) == 3
    assert list(complaints(writer)) == []
    (entry,) = kept.kept_in(kept.register_of(page, folder, writer.root))
    assert entry["because"] == "an earlier run" and entry["figures"] == "61.5 61.5 1,000"
    # One more of a figure that is registered twice is one too many.
    change(page, "were seen", "(61.5) were seen")
    assert len(list(complaints(writer))) == 1
    change(page, "(61.5) were seen", "were lost")
    change(page, "1,000", "1,001")
    assert "1,001" in next(complaints(writer))
    assert kept.keep(page, "another run", folder, writer.root) == 1
    entries = kept.kept_in(kept.register_of(page, folder, writer.root))
    assert [(entry["because"], entry["figures"]) for entry in entries] == [
        ("an earlier run", "61.5 61.5"),
        ("another run", "1,001"),
    ]


def test_a_page_says_where_its_other_figures_are_from(writer: Writer) -> None:
    page = writer.root / "docs" / "results" / "toy.md"
    change(page, "In `python", "<!-- bench:kept --><!-- /bench -->\nSome 61.5 were seen.\nIn `python")
    kept.keep(page, "an earlier run", writer.figures.folder, writer.root)
    write(writer)
    assert "have not been taken again since: an earlier run (version " in page.read_text()


def test_results_of_the_larger_size_come_first(writer: Writer) -> None:
    Results.of("toy", "full", writer.figures.folder).add("ours", RUN, {"bleu": 55.0}, {})
    write(writer)
    assert "| captions | 55.0" in (writer.root / "README.md").read_text()
    assert "small sizes" not in (writer.root / "docs" / "results" / "toy.md").read_text()


def test_a_figure_that_is_not_there_is_named(writer: Writer) -> None:
    change(writer.root / "README.md", "toy.ours.bleu:.1f", "toy.theirs.bleu:.1f")
    with pytest.raises(ConfigError, match=r"no figure toy\.theirs\.bleu"):
        write(writer)


def test_quoted_figures_need_a_source(writer: Writer) -> None:
    (writer.figures.folder / "quoted" / "bare.json").write_text('{"kind": "elsewhere", "rows": {}}')
    with pytest.raises(ConfigError, match="needs a kind"):
        Figures(writer.figures.folder)


def test_texts_name_rows_that_there_are(tmp_path: Path) -> None:
    tables, quoted = all_tables(), Figures().quoted
    for path in pages.TEXTS.glob("*.md"):
        names = pages.IN_BRACES.findall(path.read_text(encoding="utf-8"))
        assert names
        for table, row, column, _ in names:
            if table in tables:
                size = tables[table].sizes[0]
                assert row in {entry.name for entry in tables[table].rows(Setting(size, tmp_path))}, (table, row)
            else:
                assert column in quoted[table].rows[row], (table, row, column)


def test_no_figure_of_our_own_pages_is_typed_by_hand() -> None:
    assert (ROOT / "docs").is_dir()
    assert write_pages(check=True) == 0
