"""Sentence pairs of the demo's help pages (examples/demo: LibreOffice's help in French and English), by page.

The demo writes them to `libreoffice-help/paired/pairs.tsv` in its folder of data. Pages are drawn at random, the same
ones each time: what is tested never stands on a page that anything is taught from, and neither do its words, in their
order, stand on one.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path

TextPair = tuple[str, str]
# Of a sentence; headings and names of functions say little.
FEWEST_WORDS, MOST_WORDS = 4, 40
TESTED_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class HelpPages:
    taught: list[TextPair]
    tested: list[TextPair]

    @staticmethod
    def read(path: Path) -> HelpPages:
        pages: dict[str, list[TextPair]] = {}
        for line in path.read_text(encoding="utf-8").split("\n")[1:-1]:
            source, target, page, _ = line.split("\t")
            if FEWEST_WORDS <= len(source.split()) <= MOST_WORDS and words_of(source) != words_of(target):
                pages.setdefault(page, []).append((source, target))
        names = sorted(pages)
        random.Random(1).shuffle(names)
        tested = round(TESTED_SHARE * len(names))
        sides = ([pair for name in part for pair in pages[name]] for part in (names[tested:], names[:tested]))
        taught, others = (
            list({words_of(source): (source, target) for source, target in side}.values()) for side in sides
        )
        known = {words_of(source) for source, _ in taught}
        return HelpPages(taught, [pair for pair in others if words_of(pair[0]) not in known])


def words_of(text: str) -> str:
    """A sentence without case and punctuation."""
    return " ".join(re.findall(r"\w+", text.lower()))
