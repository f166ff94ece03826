"""What came of the demo's run, for the eye: what was dropped, how large each part is, some pairs, what to type next."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path, PurePath

from dragoman.corpus.stats import FileStats
from dragoman.demo.journal import Journal, peak_memory_bytes
from dragoman.demo.screen import Screen, megabytes
from dragoman.demo.steps import Prepared

LANGUAGE_NAMES = {"fr": "French", "en": "English"}
SAMPLES = 5
SAMPLE_LENGTHS = range(25, 120)


def show(prepared: Prepared, stats: Sequence[FileStats], journal: Journal, screen: Screen) -> None:
    show_dropped(prepared, screen)
    show_parts(stats, screen)
    show_samples(prepared, screen)
    show_cost(journal, screen)
    show_next(prepared, screen)


def show_dropped(prepared: Prepared, screen: Screen) -> None:
    dropped = [(rule, count) for rule, count in prepared.report.dropped.items() if count]
    if not dropped:
        return
    screen.heading("Pairs left out, by the rule that dropped them")
    screen.table(["rule", "pairs"], [(rule.replace("_", " "), f"{count:,}") for rule, count in dropped])


def show_parts(stats: Sequence[FileStats], screen: Screen) -> None:
    screen.heading("What is ready to train on")
    rows = [
        (
            PurePath(entry.file).stem,
            LANGUAGE_NAMES.get(entry.lang, entry.lang),
            f"{entry.lines:,}",
            f"{entry.tokens:,}",
            f"{len(entry.types):,}",
            f"{entry.unknown_tokens_percent:.1f} %" if entry.known_from else "",
        )
        for entry in stats
    ]
    screen.table(["part", "language", "lines", "tokens", "types", "tokens not in train"], rows)


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
