"""The steps of the demo, in the order a user of Dragoman takes them: get text, prepare it, count it.

Each step takes what the one before it made and a journal that times it. Whatever happens on the way to the default
corpus, the run goes on: the phrasebook is always there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from dragoman.config import CleanOptions, SplitOptions
from dragoman.corpus import Origin, PreparationReport, prepare
from dragoman.corpus.stats import FileStats, gather
from dragoman.progress import Progress
from dragoman.sizes import format_bytes
from examples.demo import libreoffice
from examples.demo.journal import Journal
from examples.demo.packages import PackageError
from examples.demo.phrasebook import phrasebook_path

# A bar for a long step: takes its label, yields what moves it.
ProgressBar = Callable[[str], AbstractContextManager[Progress]]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Sentence pairs in a file, and how they are to be cleaned and split."""

    name: str
    title: str
    path: Path
    clean: CleanOptions
    split: SplitOptions
    source_lang: str = "fr"
    target_lang: str = "en"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A corpus ready to train on, in a folder of its own."""

    corpus: Corpus
    folder: Path
    report: PreparationReport

    def file(self, split: str, ending: str) -> Path:
        return self.folder / f"{split}.{ending}"

    def pairs(self, split: str) -> Iterator[tuple[str, str, str]]:
        """(source, target, where it came from) of every pair of a split."""
        langs = (self.corpus.source_lang, self.corpus.target_lang)
        files = [self.file(split, ending).open(encoding="utf-8", newline="\n") for ending in (*langs, "origin.jsonl")]
        try:
            for source, target, origin in zip(*files, strict=True):
                known = {name: value for name, value in json.loads(origin).items() if name != "id"}
                yield source.rstrip("\n"), target.rstrip("\n"), place(Origin(**known))
        finally:
            for file in files:
                file.close()


def place(origin: Origin) -> str:
    """A page and a paragraph of it, or a file and a line of it."""
    if "page" in origin.attributes:
        return f"{origin.attributes['page']}, {origin.attributes.get('id', '')}"
    return f"{Path(origin.file).name}, line {origin.line}"


def get_libreoffice_help(data: Path, journal: Journal, progress: ProgressBar) -> Corpus:
    """Fetches, unpacks and pairs the help, or what of it an earlier run has not done; raises PackageError."""
    folder = data / "libreoffice-help"
    with journal.step("Fetch two Debian packages") as result:
        new = libreoffice.download(folder)
        result(format_bytes(folder_bytes(folder / "packages")) if new else "already here")
    with journal.step("Unpack them") as result:
        result("done" if libreoffice.extract(folder) else "already done")
    with journal.step("Pair paragraphs by page and id") as result, progress("Pairing pages") as report_progress:
        path, pairing = libreoffice.pair(folder, report_progress)
        result(
            f"{pairing.pages:,} pages, {pairing.paragraphs:,} paragraphs in both languages,"
            f" {pairing.pairs:,} of them different"
        )
    return Corpus(
        name="libreoffice-help",
        title="LibreOffice's help in French and English (MPL-2.0)",
        path=path,
        # Most identical sides are function names, numbers and paragraphs nobody has translated yet.
        clean=CleanOptions(identical_words=1),
        # By page, so that nothing held out was seen next to what is trained on.
        split=SplitOptions(dev="1200", test="1200", split_by="page"),
    )


def folder_bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


def get_phrasebook() -> Corpus:
    return Corpus(
        name="phrasebook",
        title="The French-English phrasebook that comes with Dragoman",
        path=phrasebook_path(),
        clean=CleanOptions(),
        split=SplitOptions(dev="40", test="40"),
    )


def get_corpus(wanted: str, data: Path, journal: Journal, progress: ProgressBar, warn: Callable[[str], None]) -> Corpus:
    """The corpus that was asked for, or the phrasebook where that cannot be had."""
    if wanted == "libreoffice":
        try:
            return get_libreoffice_help(data, journal, progress)
        except PackageError as error:
            warn(f"The default corpus cannot be had: {error}. Going on with the small phrasebook.")
    return get_phrasebook()


def prepare_corpus(corpus: Corpus, data: Path, journal: Journal, progress: ProgressBar) -> Prepared:
    """Cleans the pairs and holds some out, into data/<corpus>/prepared; what is there is replaced when it is done."""
    folder = data / corpus.name / "prepared"
    with journal.step("Clean and split") as result, progress("Cleaning") as report_progress:
        report = prepare(
            [corpus.path],
            folder,
            source_lang=corpus.source_lang,
            target_lang=corpus.target_lang,
            clean=corpus.clean,
            split=corpus.split,
            overwrite=True,
            progress=report_progress,
        )
        result(f"{report.kept:,} of {report.read:,} pairs kept, in {folder}")
    return Prepared(corpus, folder, report)


def count_tokens(prepared: Prepared, journal: Journal, progress: ProgressBar) -> list[FileStats]:
    """Tokenizes every part and counts; dev and test also against the words that training has."""
    with journal.step("Tokenize and count") as result, progress("Counting") as report_progress:
        langs = (prepared.corpus.source_lang, prepared.corpus.target_lang)
        files = [
            prepared.file(split, lang) for split, pairs in prepared.report.splits.items() if pairs for lang in langs
        ]
        stats = gather(files, progress=report_progress)
        result(f"{sum(entry.tokens for entry in stats):,} tokens")
    return stats
