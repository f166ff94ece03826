"""Checks what mkdocs does not see: `python -m tools.check_links`.

Links of README.md and the other pages at the top must lead somewhere, headings included; pages of docs/ that the code
names must be there; and files of the code that pages name must be, too.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"\]\(([^)\s]+)\)")
# `core/search/cube.h`, or without its ending where a header and its source are meant.
CODE = re.compile(r"`((?:core|src|tests|benchmarks|tools|examples|packaging)/[\w./-]+)`")
PAGE = re.compile(r"docs/[\w./-]+\.\w+")
SOURCES = (".py", ".h", ".cpp", ".inc", ".txt", ".md", ".toml")
# What changed earlier is told with the names of then.
HISTORY = ("CHANGELOG.md",)


def main() -> int:
    wrong = [*broken_links(), *missing_pages(), *missing_files()]
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    return 1 if wrong else 0


def broken_links() -> Iterator[str]:
    """Of the pages at the top, which are read where the source is."""
    for page in sorted(ROOT.glob("*.md")):
        for link in LINK.findall(prose(page)):
            name, _, anchor = link.partition("#")
            if "://" in name or page.name in HISTORY:
                continue
            target = ROOT / name if name else page
            if not target.exists():
                yield f"{page.name}: {link} leads nowhere"
            elif anchor and anchor not in anchors(target):
                yield f"{page.name}: {name} has no heading #{anchor}"


def missing_pages() -> Iterator[str]:
    """Pages that the code, or a page at the top, names and that are not there."""
    files = [path for folder in ("src", "core", "tests", "benchmarks", "tools") for path in (ROOT / folder).rglob("*")]
    for path in [*files, *ROOT.glob("*.*"), ROOT / "Makefile"]:
        if path == Path(__file__).resolve() or path.name in HISTORY:
            continue
        if path.is_file() and (path.suffix in SOURCES or path.name == "Makefile"):
            for name in PAGE.findall(path.read_text(encoding="utf-8", errors="ignore")):
                if not (ROOT / name).exists():
                    yield f"{path.relative_to(ROOT)}: there is no {name}"


def missing_files() -> Iterator[str]:
    """Files of the code that a page names and that are not there."""
    for page in [*sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*.md"))]:
        if page.name in HISTORY:
            continue
        for name in CODE.findall(page.read_text(encoding="utf-8")):
            place = ROOT / name
            if not place.exists() and not list(place.parent.glob(f"{place.name}.*")):
                yield f"{page.relative_to(ROOT)}: there is no {name}"


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """What its headings are called in an address."""
    titles = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in titles}


if __name__ == "__main__":
    sys.exit(main())
