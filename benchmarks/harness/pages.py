"""Writes the marked blocks of README and docs from the results, and checks that no figure was typed into them."""

from __future__ import annotations

import difflib
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.harness.blocks import BLOCK, FIGURE_NAME
from benchmarks.harness.digests import ROOT, digests_of, staleness
from benchmarks.harness.figures import Figures, Quoted
from benchmarks.harness.kept import kept_in, lines_with, register_of, unregistered
from benchmarks.harness.markdown import finding_of, markdown
from benchmarks.harness.registry import all_tables
from benchmarks.harness.table import Table, Verdict
from dragoman.errors import ConfigError
from dragoman.files import writing

TEXTS = ROOT / "benchmarks" / "texts"
IN_BRACES = re.compile(rf"\{{{FIGURE_NAME.pattern}\}}")


class Writer:
    """What blocks are written from."""

    def __init__(self, tables: dict[str, Table], figures: Figures, texts: Path = TEXTS, root: Path = ROOT) -> None:
        self.tables, self.figures, self.texts, self.root = tables, figures, texts, root

    def content(self, name: str, page: Path) -> str:
        """What belongs between the marks of a block."""
        inline = FIGURE_NAME.fullmatch(name)
        if inline:
            table, row, column, form = inline.groups()
            return self.figures.find(table, row, column).written(form or "")
        if name == "claims":
            return f"\n\n{self.claims()}\n\n"
        if name == "tables":
            return f"\n\n{self.sections()}\n\n"
        if name == "kept":
            return f"\n{self.kept(page)}\n"
        if name.startswith("text/"):
            return f"\n{self.text(name.removeprefix('text/'))}\n"
        if name not in self.tables:
            raise ConfigError(f"{page.name}: there is no table {name}", "bench")
        taken = self.figures.results(name)
        if taken is None:
            return f"\n\n*{self.tables[name].title}: not run yet.*\n\n"
        return f"\n\n{markdown(self.tables[name], taken[1], taken[0])}\n\n"

    def text(self, name: str) -> str:
        used: list[Quoted] = []

        def written(name: re.Match[str]) -> str:
            figure = self.figures.find(*name.group(1, 2, 3))
            if figure.quoted is not None:
                used.append(figure.quoted)
            return figure.written(name.group(4) or "")

        source = (self.texts / f"{name}.md").read_text(encoding="utf-8")
        text = IN_BRACES.sub(written, source).rstrip()
        return "\n\n".join([text, *self.figures.legend(used)])

    def claims(self) -> str:
        lines = ["| claim | by | verdict | |", "|---|---|---|---|"]
        counts: Counter[str] = Counter()
        for table in in_order(self.tables.values()):
            if table.finding is None:
                continue
            taken = self.figures.results(table.name)
            verdict, sentence = "not run", ""
            if taken is not None:
                finding = finding_of(table, taken[1])
                assert finding is not None
                verdict, sentence = str(finding.verdict), finding.sentence
                if taken[0] == "quick" and finding.verdict != Verdict.NOT_RUN:
                    sentence += " (small sizes)"
            counts[verdict] += 1
            lines.append(f"| {table.claim} | {table.claimed_by} | {verdict} | {sentence} |")
        total = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
        return "\n".join([f"Claims, {counts.total()} in all: {total}.", "", *lines])

    def sections(self) -> str:
        """All tables that were run, with headings, and the names of those that were not."""
        parts, absent = [], []
        for table in in_order(self.tables.values()):
            taken = self.figures.results(table.name)
            if taken is None:
                absent.append(table.title)
            else:
                parts.append(markdown(table, taken[1], taken[0], heading=f"## {table.title}"))
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
    for path in pages(writer.root):
        name = path.relative_to(writer.root)
        text, wanted = path.read_text(encoding="utf-8"), writer.page(path)
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
        taken = writer.figures.results(table.name)
        if taken is not None:
            today = digests_of(table)
            changed = sorted({reason for row in taken[1].values for reason in staleness(taken[1].digests(row), today)})
            if changed:
                yield f"results of {table.name} ({taken[0]}) are stale: {', '.join(changed)} changed since"


def write_pages(*, check: bool) -> int:
    tables = all_tables()
    writer = Writer(tables, Figures(tables=tables))
    if check:
        for sentence in old_results(writer):
            print(f"note: {sentence}", file=sys.stderr)
        wrong = list(complaints(writer))
        for sentence in wrong:
            print(sentence, file=sys.stderr)
        return 1 if wrong else 0
    for path in pages():
        text, wanted = path.read_text(encoding="utf-8"), writer.page(path)
        if text != wanted:
            with writing(path) as out:
                out.write(wanted.encode())
            print(path.relative_to(ROOT))
    return 0
