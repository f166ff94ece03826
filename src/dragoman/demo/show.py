"""What came of the demo's run, for the eye: what was dropped, how large each part is, some pairs, what to type next."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from dragoman.demo.journal import Journal, peak_memory_bytes
from dragoman.demo.screen import Screen, megabytes
from dragoman.demo.steps import Prepared

LANGUAGE_NAMES = {"fr": "French", "en": "English"}
WORD_OR_MARK = re.compile(r"\w+|[^\w\s]")
SAMPLES = 5
SAMPLE_LENGTHS = range(25, 120)


def show(prepared: Prepared, journal: Journal, screen: Screen) -> None:
    show_dropped(prepared, screen)
    show_parts(prepared, screen)
    show_samples(prepared, screen)
    show_cost(journal, screen)
    show_next(prepared, screen)


def show_dropped(prepared: Prepared, screen: Screen) -> None:
    dropped = [(rule, count) for rule, count in prepared.report.dropped.items() if count]
    if not dropped:
        return
    screen.heading("Pairs left out, by the rule that dropped them")
    screen.table(["rule", "pairs"], [(rule.replace("_", " "), f"{count:,}") for rule, count in dropped])


def show_parts(prepared: Prepared, screen: Screen) -> None:
    screen.heading("What is ready to train on")
    corpus = prepared.corpus
    langs = (corpus.source_lang, corpus.target_lang)
    columns = ["part", "pairs"]
    for lang in langs:
        name = LANGUAGE_NAMES.get(lang, lang)
        columns += [f"{name} tokens", f"{name} types"]
    rows = []
    for split, pairs in prepared.report.splits.items():
        cells = [split, f"{pairs:,}"]
        for lang in langs:
            counts = count_tokens(prepared.file(split, lang)) if pairs else Counter()
            cells += [f"{counts.total():,}", f"{len(counts):,}"]
        rows.append(cells)
    screen.table(columns, rows)


def count_tokens(path: Path) -> Counter[str]:
    """Words and punctuation marks of a file, lowercased, with how often each occurs."""
    counts: Counter[str] = Counter()
    with path.open(encoding="utf-8", newline="\n") as stream:
        for line in stream:
            counts.update(WORD_OR_MARK.findall(line.lower()))
    return counts


def show_samples(prepared: Prepared, screen: Screen) -> None:
    screen.heading("Some pairs that training will not see")
    for number, (source, target, origin) in enumerate(samples(prepared.pairs("test")), start=1):
        screen.pair(number, source, target, origin)


def samples(pairs: Iterable[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """A few sentences of middling length, evenly spread."""
    readable = [pair for pair in pairs if len(pair[0]) in SAMPLE_LENGTHS]
    return list(islice(readable, 0, None, max(1, len(readable) // SAMPLES)))[:SAMPLES]


def show_cost(journal: Journal, screen: Screen) -> None:
    peak_bytes = peak_memory_bytes()
    memory = f", with at most {megabytes(peak_bytes)} of memory" if peak_bytes is not None else ""
    screen.heading("What it took")
    screen.text(f"{journal.seconds:.1f} seconds{memory}.")


def show_next(prepared: Prepared, screen: Screen) -> None:
    screen.heading("The same with your own text")
    screen.text("Two files with a sentence a line, or one TSV, TMX, XLIFF or PO file, also compressed (.gz, .xz):")
    langs = f"--source-lang {prepared.corpus.source_lang} --target-lang {prepared.corpus.target_lang}"
    screen.command(f"{program()} corpus prepare my.fr my.en {langs} --out data/mine")


def program() -> str:
    """How to call `dragoman` from here: by its path where the environment lies inside this folder."""
    beside = Path(sys.executable).with_name("dragoman")
    if beside.is_file():
        try:
            return str(beside.relative_to(Path.cwd()))
        except ValueError:
            pass
    return "dragoman"
