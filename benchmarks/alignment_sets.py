"""Training text and gold links for word alignment, brought into the same shape.

The gold sentences come tokenized, each set after its own fashion; the raw training text is cut the same way, so that
its words are the gold's words. Everything is lowercased. The gold pairs are appended to the training pairs, because
unsupervised aligners see the text they align.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness.table import NotHereError
from benchmarks.measure import SHARED, corpus_lines

GOLD = SHARED / "golden" / "alignment"
NUMBER = r"\d+(?:[.,]\d+)*"
QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "\u00a0": " "})
# graca splits apostrophes and hyphens off, bicici keeps hyphens inside a word, czenali keeps 's together.
TOKENS = {
    "fr-en": re.compile(rf"{NUMBER}|\w+|[^\w\s]"),
    "en-de": re.compile(rf"{NUMBER}|\w+(?:-\w+)*|'s\b|[^\w\s]"),
    "en-cs": re.compile(rf"{NUMBER}|\w+|'s\b|[^\w\s]"),
}


@dataclass(frozen=True, slots=True)
class GoldSet:
    """Sentences of one annotated set, and their links as lines of Pharaoh pairs (source-target)."""

    name: str
    source: list[str]
    target: list[str]
    sure: list[str]
    possible: list[str]


@dataclass(frozen=True, slots=True)
class AlignmentSet:
    """Training pairs with the gold pairs at their end."""

    name: str
    source: list[str]
    target: list[str]
    gold: list[GoldSet]

    def gold_lines(self, links: list[str]) -> dict[str, list[str]]:
        """The lines of `links` that belong to each gold set."""
        at = len(self.source) - sum(len(gold.source) for gold in self.gold)
        parts = {}
        for gold in self.gold:
            parts[gold.name] = links[at : at + len(gold.source)]
            at += len(gold.source)
        return parts


def tokenize(line: str, pattern: re.Pattern[str]) -> str:
    return " ".join(pattern.findall(line.translate(QUOTES).lower()))


def gold_set(name: str, source_lang: str, target_lang: str, languages: str, swap: bool) -> GoldSet:
    if not GOLD.exists():
        raise NotHereError("golden/alignment is not here")

    def read(ending: str) -> list[str]:
        return (GOLD / f"{name}.{languages}.{ending}").read_text(encoding="utf-8").splitlines()

    def links(ending: str) -> list[str]:
        if not swap:
            return read(ending)
        return [" ".join("-".join(reversed(link.split("-"))) for link in line.split()) for line in read(ending)]

    sure = links("sure")
    has_possible = (GOLD / f"{name}.{languages}.possible").exists()
    return GoldSet(
        name,
        [line.lower() for line in read(source_lang)],
        [line.lower() for line in read(target_lang)],
        sure,
        links("possible") if has_possible else sure,
    )


def training_pairs(corpora: list[str], source_lang: str, target_lang: str, limit: int | None) -> list[tuple[str, str]]:
    pattern = TOKENS[corpora[0].partition(".")[2]]
    pairs: list[tuple[str, str]] = []
    for corpus in corpora:
        source = corpus_lines(f"{corpus}/train.{source_lang}", limit)
        target = corpus_lines(f"{corpus}/train.{target_lang}", limit)
        pairs += [(tokenize(s, pattern), tokenize(t, pattern)) for s, t in zip(source, target, strict=True)]
    return [(s, t) for s, t in pairs if s and t]


def alignment_set(name: str, limit: int | None = None) -> AlignmentSet:
    """One of fr-en, en-de, en-cs, with at most `limit` training pairs per corpus."""
    if name == "fr-en":
        pairs = training_pairs(["europarl.fr-en"], "fr", "en", limit)
        gold = [gold_set("graca", "fr", "en", "en-fr", True), gold_set("hansards-trial", "fr", "en", "en-fr", True)]
    elif name == "en-de":
        pairs = training_pairs(["europarl.en-de"], "en", "de", limit)
        gold = [gold_set("bicici", "en", "de", "de-en", True)]
    elif name == "en-cs":
        corpora = ["libreoffice-help.en-cs", "wesnoth.en-cs", "gnome-app-help.en-cs"]
        pairs = training_pairs(corpora, "en", "cs", limit)
        gold = [gold_set("czenali", "en", "cs", "en-cs", False)]
    else:
        raise ValueError(name)
    source = [s for s, _ in pairs] + [line for part in gold for line in part.source]
    target = [t for _, t in pairs] + [line for part in gold for line in part.target]
    return AlignmentSet(name, source, target, gold)


def write(data: AlignmentSet, folder: Path) -> tuple[Path, Path]:
    """Two files with the lines of both sides."""
    paths = folder / f"{data.name}.source", folder / f"{data.name}.target"
    for path, lines in zip(paths, (data.source, data.target), strict=True):
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return paths
