"""Writes the marked blocks of README and docs from the results, and checks that no figure was typed into them."""

from __future__ import annotations

import difflib
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.harness.blocks import BLOCK, FIGURE_NAME
from benchmarks.harness.chart import picture
from benchmarks.harness.digests import ROOT, digests_of, staleness
from benchmarks.harness.figures import Figures, Quoted
from benchmarks.harness.kept import kept_in, lines_with, register_of, unregistered
from benchmarks.harness.markdown import EARLIER, finding_of, is_earlier, markdown
from benchmarks.harness.registry import all_tables
from benchmarks.harness.table import Table, Verdict
from dragoman.errors import ConfigError
from dragoman.files import writing

RESULTS_PAGES = Path("docs") / "results"
TEXTS = ROOT / "benchmarks" / "texts"
SOME_EARLIER = "\n\nSome of these figures are of an earlier state of the code or the corpora."
IN_BRACES = re.compile(rf"\{{{FIGURE_NAME.pattern}\}}")


class Writer:
    """What blocks are written from."""

    def __init__(self, tables: dict[str, Table], figures: Figures, texts: Path = TEXTS, root: Path = ROOT) -> None:
        self.tables, self.figures, self.texts, self.root = tables, figures, texts, root
        self.digests: dict[str, dict[str, str]] = {}

    def today(self, table: Table) -> dict[str, str]:
        if table.name not in self.digests:
            self.digests[table.name] = digests_of(table)
        return self.digests[table.name]

    def is_earlier(self, table: Table) -> bool:
        taken = self.figures.results(table.name)
        return taken is not None and is_earlier(taken[1], self.today(table))

    def table(self, table: Table, page: Path, heading: str = "") -> str:
        """In each of the sizes that pages show; empty where it was not run."""
        parts: list[str] = []
        for size, results in self.figures.shown(table):
            there = page.parent == self.root / RESULTS_PAGES and picture(table, results.values)
            drawn = f"![{table.title}]({table.name}.svg)" if there else ""
            title = "**The same in small sizes.**" if parts else heading
            parts.append(markdown(table, results, size, heading=title, picture=drawn, today=self.today(table)))
        return "\n\n".join(parts)

    def pictures(self) -> dict[Path, str]:
        """Files of the charts."""
        drawn = {}
        for table in self.tables.values():
            for _, results in self.figures.shown(table)[:1]:
                if content := picture(table, results.values):
                    drawn[self.root / RESULTS_PAGES / f"{table.name}.svg"] = content
        return drawn

    def content(self, name: str, page: Path) -> str:
        """What belongs between the marks of a block."""
        inline = FIGURE_NAME.fullmatch(name)
        if inline:
            table, row, column, form = inline.groups()
            return self.figures.find(table, row, column).written(form or "")
        if name == "claims":
            return f"\n\n{self.claims()}\n\n"
        if name == "tables":
            return f"\n\n{self.sections(page)}\n\n"
        if name == "kept":
            return f"\n{self.kept(page)}\n"
        if name.startswith("text/"):
            return f"\n{self.text(name.removeprefix('text/'))}\n"
        if name not in self.tables:
            raise ConfigError(f"{page.name}: there is no table {name}", "bench")
        table = self.tables[name]
        return f"\n\n{self.table(table, page) or f'*{table.title}: not run yet.*'}\n\n"

    def text(self, name: str) -> str:
        used: list[Quoted] = []
        tables: dict[str, Table] = {}

        def written(name: re.Match[str]) -> str:
            figure = self.figures.find(*name.group(1, 2, 3))
            if figure.quoted is not None:
                used.append(figure.quoted)
            elif name.group(1) in self.tables:
                tables[name.group(1)] = self.tables[name.group(1)]
            return figure.written(name.group(4) or "")

        source = (self.texts / f"{name}.md").read_text(encoding="utf-8")
        text = IN_BRACES.sub(written, source).rstrip()
        old = any(self.is_earlier(table) for table in tables.values())
        return "\n\n".join([text, *self.figures.legend(used)]) + (SOME_EARLIER if old else "")

    def claims(self) -> str:
        lines = ["| claim | by | verdict | |", "|---|---|---|---|"]
        counts: Counter[str] = Counter()
        for table in in_order(self.tables.values()):
            if table.finding is None:
                continue
            verdicts: list[str] = []
            sentences: list[str] = []
            for size, results in self.figures.shown(table):
                finding = finding_of(table, results)
                assert finding is not None
                told = f"{str(finding.verdict).capitalize()}: {finding.sentence}" if verdicts else finding.sentence
                if finding.verdict != Verdict.NOT_RUN:
                    told += " (small sizes)" if size == "quick" else ""
                    told += EARLIER if is_earlier(results, self.today(table)) else ""
                verdicts.append(str(finding.verdict))
                sentences.append(told)
            verdict = verdicts[0] if verdicts else "not run"
            counts[verdict] += 1
            lines.append(f"| {table.claim} | {table.claimed_by} | {verdict} | {' '.join(sentences)} |")
        total = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
        return "\n".join([f"Claims, {counts.total()} in all: {total}.", "", *lines])

    def sections(self, page: Path) -> str:
        """All tables that were run, with headings, and the names of those that were not."""
        parts, absent = [], []
        for table in in_order(self.tables.values()):
            written = self.table(table, page, f"## {table.title}")
            if written:
                parts.append(written)
            else:
                absent.append(table.title)
        if absent:
            parts.append(f"## Not run yet\n\n{'; '.join(absent)}.")
        return "\n\n".join(parts)

    def kept(self, page: Path) -> str:
        entries = kept_in(register_of(page, self.figures.folder, self.root))
        parts = [f"{entry['because']} (version {entry['version']}, {entry['date']})" for entry in entries]
        return (
            f"*Figures of this page that stand in no marked table have not been taken again since: {'; '.join(parts)}.*"
            if parts
            else ""
        )

    def page(self, path: Path) -> str:
        """The page as it should be."""
        text = path.read_text(encoding="utf-8")
        return BLOCK.sub(
            lambda block: f"<!-- bench:{block['name']} -->{self.content(block['name'], path)}<!-- /bench -->", text
        )


def in_order(tables: Iterable[Table]) -> list[Table]:
    """Those of the thesis first, as it numbers them."""

    def place(table: Table) -> tuple[bool, list[int], str, str]:
        numbers = [int(number) for number in re.findall(r"\d+", table.claimed_by)]
        return not table.claimed_by.startswith("Thesis"), numbers, table.claimed_by, table.name

    return sorted(tables, key=place)


def pages(root: Path = ROOT) -> list[Path]:
    """Those whose figures are checked: README, and all pages with results; others only if they have blocks."""
    marked = [path for path in sorted((root / "docs").rglob("*.md")) if "<!-- bench:" in path.read_text("utf-8")]
    results = sorted((root / "docs" / "results").glob("*.md"))
    return list(dict.fromkeys([root / "README.md", *results, *marked]))


def complaints(writer: Writer) -> Iterator[str]:
    for path, wanted in writer.pictures().items():
        if not path.exists() or path.read_text(encoding="utf-8") != wanted:
            yield f"{path.relative_to(writer.root)}: not the chart of the results; python -m benchmarks write"
    for path in pages(writer.root):
        name = path.relative_to(writer.root)
        text, wanted = path.read_text(encoding="utf-8"), writer.page(path)
        # What is of an earlier state changes with every change of the code, and is no error of the page.
        text, wanted = (content.replace(EARLIER, "").replace(SOME_EARLIER, "") for content in (text, wanted))
        if text != wanted:
            changed = [line for line in difflib.ndiff(text.split("\n"), wanted.split("\n")) if line[:2] in ("- ", "+ ")]
            shown = "\n".join(line[:200] for line in changed[:6])
            yield f"{name}: a marked block is not what the results say; python -m benchmarks write\n{shown}"
        if name.parts[:2] == ("docs", "results") or name.name == "README.md":
            strange = unregistered(path, writer.figures.folder, writer.root)
            if strange:
                lines = ", ".join(map(str, list(lines_with(path, strange))[:12]))
                yield (
                    f"{name}: figures that no results have: {', '.join(sorted(strange)[:12])} (lines {lines}); mark "
                    "them with <!-- bench:… -->, or say where they are from: "
                    f'python -m benchmarks keep {name} --because "…"'
                )


def old_results(writer: Writer) -> Iterator[str]:
    """Tables in pages whose results are older than what they measure; `python -m benchmarks stale` fails for them."""
    for table in writer.tables.values():
        today = writer.today(table)
        for size, results in writer.figures.shown(table):
            changed = sorted({reason for row in results.values for reason in staleness(results.digests(row), today)})
            if changed:
                yield f"results of {table.name} ({size}) are stale: {', '.join(changed)} changed since"


def marks(writer: Writer) -> Iterator[str]:
    """Pages that do not say of the right results that they are of an earlier state."""
    for path in pages(writer.root):
        text, wanted = path.read_text(encoding="utf-8"), writer.page(path)
        if any(text.count(mark) != wanted.count(mark) for mark in (EARLIER, SOME_EARLIER)):
            yield f"{path.relative_to(writer.root)}: what it says to be of an earlier state is not what is today"


def write_pages(*, check: bool) -> int:
    tables = all_tables()
    writer = Writer(tables, Figures(tables=tables))
    if check:
        old = list(old_results(writer))
        for sentence in old:
            print(f"note: {sentence}", file=sys.stderr)
        shown = sum(len(writer.figures.shown(table)) for table in tables.values())
        print(f"note: of {shown} tables in pages, {len(old)} have results of an earlier state", file=sys.stderr)
        for sentence in marks(writer):
            print(f"note: {sentence}; python -m benchmarks write", file=sys.stderr)
        wrong = list(complaints(writer))
        for sentence in wrong:
            print(sentence, file=sys.stderr)
        return 1 if wrong else 0
    wanted_files = {path: writer.page(path) for path in pages()} | writer.pictures()
    for path, wanted in wanted_files.items():
        if not path.exists() or path.read_text(encoding="utf-8") != wanted:
            with writing(path) as out:
                out.write(wanted.encode())
            print(path.relative_to(ROOT))
    return 0
