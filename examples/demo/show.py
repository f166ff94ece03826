"""What came of the demo's run, for the eye: what was dropped, how large each part is, scores, what to type next."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path, PurePath

from dragoman.corpus.stats import FileStats
from dragoman.extras import install_command
from dragoman.process_memory import peak_resident_bytes
from dragoman.sizes import format_bytes
from dragoman.translator import Translator
from examples.demo.journal import Journal
from examples.demo.models import MEMORY, Trained
from examples.demo.screen import Screen
from examples.demo.steps import Prepared
from examples.demo.translations import show_translations

LANGUAGE_NAMES = {"fr": "French", "en": "English"}
SCORES = ("BLEU", "chrF", "TER")
SAMPLES = 4
SAMPLE_LENGTHS = range(25, 120)


def show_text(prepared: Prepared, stats: Sequence[FileStats], screen: Screen) -> None:
    """Before training: what there is to train on."""
    show_dropped(prepared, screen)
    show_parts(stats, screen)


def show_models(prepared: Prepared, trained: Sequence[Trained], journal: Journal, screen: Screen) -> None:
    """After training: what the models are worth, what they say, what it took, and what to type next."""
    show_scores(trained, screen)
    show_translations(Translator.load(trained[-1].result.model), samples(prepared.pairs("test")), screen)
    show_cost(trained, journal, screen)
    show_next(prepared, trained, screen)


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


def show_scores(trained: Sequence[Trained], screen: Screen) -> None:
    screen.heading(f"Scores on text that training has not seen; no model may take more than {MEMORY} of memory")
    rows = []
    for model in trained:
        summary = model.result.summary
        rows.append(
            (
                model.name,
                *(f"{summary['scores'][name]:.1f}" if name in summary["scores"] else "" for name in SCORES),
                format_bytes(summary["disk_bytes"]),
                format_bytes(summary["memory"]["total_bytes"]),
                f"{summary['speed']['milliseconds_p50']:.0f} ms",
            )
        )
    screen.table(["model", *SCORES, "on disk", "memory", "a sentence"], rows)
    if not trained[-1].result.summary["scores"].get("chrF"):
        screen.text("More scores, once sacreBLEU is installed:")
        screen.command(install_command("evaluate"))


def samples(pairs: Iterable[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """A few sentences of middling length, evenly spread."""
    readable = [pair for pair in pairs if len(pair[0]) in SAMPLE_LENGTHS]
    return list(islice(readable, 0, None, max(1, len(readable) // SAMPLES)))[:SAMPLES]


def show_cost(trained: Sequence[Trained], journal: Journal, screen: Screen) -> None:
    peaks = [row["peak_bytes"] or 0 for model in trained for row in model.result.summary["stages"]]
    peak_bytes = max(*peaks, peak_resident_bytes())
    screen.heading("What it took")
    screen.text(f"{journal.seconds:.1f} seconds, with at most {format_bytes(peak_bytes)} of memory.")


def show_next(prepared: Prepared, trained: Sequence[Trained], screen: Screen) -> None:
    screen.heading("Try it, and do the same with your own text")
    model = trained[-1].result.model
    screen.command(f"echo 'Ouvrez la fenêtre, s’il vous plaît.' | {program()} translate -m {model} --explain")
    screen.text("Two files with a sentence a line, or one TSV, TMX, XLIFF or PO file, also compressed (.gz, .xz):")
    langs = f"--source-lang {prepared.corpus.source_lang} --target-lang {prepared.corpus.target_lang}"
    screen.command(f"{program()} train my.fr my.en {langs} --memory 200MB --out my.model")


def program() -> str:
    """How to call `dragoman` from here: by its path where the environment lies inside this folder."""
    beside = Path(sys.executable).with_name("dragoman")
    if beside.is_file():
        try:
            return str(beside.relative_to(Path.cwd()))
        except ValueError:
            pass
    return "dragoman"
