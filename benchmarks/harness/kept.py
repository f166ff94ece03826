"""Figures that stand in pages without a marked table: a register of what was typed, when, and what it was taken with.

Pages were written before there were tables, and some figures come from runs that no table makes. For each such
page, benchmarks/results/kept has a file with its figures, in order of size and each as often as it is there, and where
they are from. A figure that is neither in a marked block nor in the register was typed by hand, and the check says so.
What the register does not see: two figures of a page that change places.
"""

from __future__ import annotations

import datetime
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import dragoman
from benchmarks.harness.blocks import BLOCK, outside
from benchmarks.harness.digests import ROOT
from benchmarks.harness.provenance import commit
from benchmarks.harness.results import RESULTS
from dragoman.files import writing

# Digits of a name (newstest2012, multi30k) are no figures, nor is code.
FIGURE = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?![\w])")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`|\]\([^)]*\)|<[^>]*>", re.MULTILINE | re.DOTALL)


def figures_of(text: str) -> Counter[str]:
    return Counter(FIGURE.findall(CODE.sub(" ", outside(text))))


def register_of(page: Path, folder: Path = RESULTS, root: Path = ROOT) -> Path:
    return folder / "kept" / (str(page.relative_to(root)).replace("/", ".").removesuffix(".md") + ".json")


def in_order(figures: Counter[str]) -> str:
    return " ".join(sorted(figures.elements(), key=lambda figure: (float(figure.replace(",", "")), figure)))


def kept_in(register: Path) -> list[dict[str, str]]:
    entries: list[dict[str, str]] = json.loads(register.read_text(encoding="utf-8")) if register.exists() else []
    return entries


def unregistered(page: Path, folder: Path = RESULTS, root: Path = ROOT) -> Counter[str]:
    """Figures of a page that neither a block nor the register has."""
    known: Counter[str] = Counter()
    for entry in kept_in(register_of(page, folder, root)):
        known.update(entry["figures"].split())
    return figures_of(page.read_text(encoding="utf-8")) - known


def keep(page: Path, because: str, folder: Path = RESULTS, root: Path = ROOT) -> int:
    """Registers what is new on a page, and forgets what it no longer has; returns how many figures were new."""
    register = register_of(page, folder, root)
    left = figures_of(page.read_text(encoding="utf-8"))
    entries = []
    for entry in kept_in(register):
        still = Counter(entry["figures"].split()) & left
        left -= still
        if still:
            entries.append({**entry, "figures": in_order(still)})
    if left:
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        origin = {"because": because, "date": today, "version": dragoman.__version__, "commit": commit(root)}
        entries.append({**origin, "figures": in_order(left)})
    register.parent.mkdir(parents=True, exist_ok=True)
    with writing(register) as out:
        out.write((json.dumps(entries, indent=1, ensure_ascii=False) + "\n").encode())
    return left.total()


def lines_with(page: Path, figures: Counter[str]) -> Iterator[int]:
    """Lines that have one of these figures outside of blocks, for a message."""
    blanked = BLOCK.sub(lambda block: "\n" * block.group().count("\n"), page.read_text(encoding="utf-8"))
    for number, line in enumerate(blanked.split("\n"), start=1):
        if figures_of(line) & figures:
            yield number
