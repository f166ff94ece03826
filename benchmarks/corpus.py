"""Preparing corpora: pairs per second and peak memory by format, the TMX reader at two sizes, and what cleaning drops.

    python -m benchmarks.corpus [--pairs 100000] [--tmx-mb 50 400] [--no-drops]

The same pairs are prepared from plain text, TMX and PO. The rival in the same run reads the same TMX in the way most
scripts do, with a whole tree in memory (lxml.etree.parse). Drops are counted for every rule on every shared corpus;
`swapped` is the share of pairs that the language rule recognises when the two sides are exchanged.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from benchmarks.measure import SHARED, Cost, corpus_lines, report, run_function
from dragoman.config import CleanOptions, ReadOptions
from dragoman.corpus.clean import Cleaner
from dragoman.corpus.formats import Input, read_pairs
from dragoman.corpus.normalise import as_lines
from dragoman.corpus.preparation import prepare

CORPORA = [
    ("europarl.fr-en/train", "fr", "en"),
    ("europarl.en-de/train", "en", "de"),
    ("multi30k/train", "en", "de"),
    ("multi30k/train", "en", "fr"),
    ("multi30k/train", "en", "cs"),
    ("tatoeba.fr-en/train", "fr", "en"),
    ("tatoeba.en-de/train", "en", "de"),
    ("tatoeba.en-cs/train", "en", "cs"),
    ("libreoffice-help.en-cs/train", "en", "cs"),
    ("wesnoth.en-cs/train", "en", "cs"),
    ("gnome-app-help.en-cs/train", "en", "cs"),
    ("newstest/fr-en/newstest2013", "fr", "en"),
    ("newstest/en-de/newstest2013", "en", "de"),
    ("newstest/en-cs/newstest2013", "en", "cs"),
]


def write_tmx(path: Path, sources: list[str], targets: list[str], least_bytes: int = 0) -> int:
    """A memory of these pairs, repeated until it is large enough; returns the number of units."""
    number = 0
    with path.open("w", encoding="utf-8") as out:
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4"><header srclang="*all*"/><body>\n')
        while number == 0 or out.tell() < least_bytes:
            for source, target in zip(sources, targets, strict=True):
                number += 1
                out.write(
                    f'<tu tuid="{number}" creationid="bench"><tuv xml:lang="fr"><seg>{escape(source)}</seg></tuv>'
                    f'<tuv xml:lang="en"><seg>{escape(target)}</seg></tuv></tu>\n'
                )
        out.write("</body></tmx>\n")
    return number


def write_po(path: Path, sources: list[str], targets: list[str]) -> None:
    def quoted(text: str) -> str:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    with path.open("w", encoding="utf-8") as out:
        out.write('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nLanguage: en\\n"\n\n')
        for source, target in zip(sources, targets, strict=True):
            out.write(f"msgid {quoted(source)}\nmsgstr {quoted(target)}\n\n")


def write_files(folder: Path, pairs: int, tmx_mb: Sequence[int]) -> None:
    """The same pairs as plain text, TMX and PO, and memories of the sizes asked for."""
    sources, targets = (corpus_lines(f"europarl.fr-en/train.{lang}", pairs) for lang in ("fr", "en"))
    for lang, lines in (("fr", sources), ("en", targets)):
        (folder / f"a.{lang}").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    write_tmx(folder / "a.tmx", sources, targets)
    write_po(folder / "a.po", sources, targets)
    for megabytes in tmx_mb:
        write_tmx(folder / f"{megabytes}.tmx", sources[:20_000], targets[:20_000], megabytes << 20)


def prepare_files(paths: list[str], out: str) -> int:
    return prepare(paths, out, source_lang="fr", target_lang="en").read


def count_units(path: str) -> int:
    return sum(1 for _ in read_pairs(Input("tmx", path), "fr", "en", ReadOptions()))


def count_units_in_a_tree(path: str) -> int:
    from lxml import etree

    number = 0
    for unit in etree.parse(path).iter("tu"):
        number += all("".join(map(str, segment.itertext())) for segment in unit.iter("seg"))
    return number


def rate(pairs: int, cost: Cost) -> dict[str, Any]:
    return {"pairs": pairs, "pairs_per_cpu_second": round(pairs / cost.cpu_seconds), **cost.as_json()}


def drops(name: str, source_lang: str, target_lang: str, limit: int) -> dict[str, Any]:
    sources, targets = (
        as_lines(corpus_lines(f"{name}.{lang}", limit), Counter()) for lang in (source_lang, target_lang)
    )
    cleaner = Cleaner(CleanOptions(), source_lang, target_lang)
    verdicts, _ = cleaner.judge(sources, targets)
    swapped = Cleaner(CleanOptions(), target_lang, source_lang)
    swapped.judge(sources, targets)
    return {
        "pairs": len(verdicts),
        "dropped": {rule: count for rule, count in cleaner.counts.items() if count},
        "swapped": round(swapped.counts["wrong language"] / len(verdicts), 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--tmx-mb", type=int, nargs=2, default=(50, 400))
    parser.add_argument("--no-drops", action="store_true")
    options = parser.parse_args()
    results: dict[str, Any] = {"prepare": {}, "tmx_reader": [], "drops": {}}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Written by a child too: what this process holds would count as memory of every child it forks later.
        run_function(write_files, folder, options.pairs, options.tmx_mb)
        for label, files in (("plain", ["a.fr", "a.en"]), ("tmx", ["a.tmx"]), ("po", ["a.po"])):
            paths = [str(folder / file) for file in files]
            read, cost = run_function(prepare_files, paths, str(folder / f"out.{label}"))
            results["prepare"][label] = rate(read, cost)
        for megabytes in options.tmx_mb:
            path = folder / f"{megabytes}.tmx"
            entry: dict[str, Any] = {"mb": round(path.stat().st_size / 2**20)}
            for label, function in (("streamed", count_units), ("whole_tree", count_units_in_a_tree)):
                read, cost = run_function(function, str(path))
                entry[label] = rate(read, cost)
            results["tmx_reader"].append(entry)
    if not options.no_drops:
        for corpus, source_lang, target_lang in CORPORA:
            if (SHARED / "corpora" / f"{corpus}.{source_lang}.xz").exists():
                key = f"{corpus} {source_lang}-{target_lang}"
                results["drops"][key] = drops(corpus, source_lang, target_lang, options.pairs)
    report(results)


if __name__ == "__main__":
    main()
