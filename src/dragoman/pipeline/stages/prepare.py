"""prepare: raw bilingual files become clean text, with what tuning and testing need held out of it.

Sets to tune and test on that the user brings are taken as they are; they are only compared with the training text,
because a set that training has seen tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dragoman import _core
from dragoman.cluster.connection import workers_at
from dragoman.config import CleanOptions, ReadOptions, SplitOptions
from dragoman.corpus.formats import OTHER_LANGUAGES, Input, read_pairs
from dragoman.corpus.preparation import prepare
from dragoman.corpus.side_languages import SideLanguages
from dragoman.files import writing
from dragoman.pipeline.stage import Request


@dataclass(frozen=True, slots=True)
class PrepareOptions:
    """`dev` and `test` are two files each where the user brings them."""

    source_lang: str
    target_lang: str
    inputs: tuple[Input, ...]
    read: ReadOptions
    clean: CleanOptions
    split: SplitOptions
    dev: tuple[str, str] | None
    test: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Prepared:
    """Numbers of pairs: dropped by rule, split by part, and of each set that was brought those seen in training.

    `other_languages` counts files of folders and archives that are for other languages.
    """

    read: int
    kept: int
    dropped: dict[str, int]
    pairs: dict[str, int]
    overlaps: dict[str, int]
    other_languages: int
    # Files that hardly are in the languages they should be, and what they look like.
    doubts: list[str]


def run(request: Request[PrepareOptions]) -> Prepared:
    """Writes text/{train,dev,test}.LANG and text/train.origin.jsonl."""
    options = request.options
    langs = (options.source_lang, options.target_lang)
    folder = request.out / "text"
    with workers_at(request.cluster, "prepare") as workers:
        report = prepare(
            list(options.inputs),
            folder,
            source_lang=langs[0],
            target_lang=langs[1],
            read=options.read,
            clean=options.clean,
            split=options.split,
            progress=request.progress,
            workers=workers,
        )
    sizes = dict(report.splits)
    overlaps: dict[str, int] = {}
    doubts = list(report.doubts)
    for part, files in (("dev", options.dev), ("test", options.test)):
        if files is not None:
            sides = SideLanguages(*langs)
            sizes[part] = copy_pairs(Input("plain", *files), folder, part, langs, options.read, sides)
            if sides.doubt():
                doubts.append(f"{' and '.join(files)}: {sides.doubt()}")
            overlaps[part] = overlap(folder / f"{part}.{langs[0]}", folder / f"train.{langs[0]}")
    dropped = {rule: count for rule, count in report.dropped.items() if count}
    return Prepared(report.read, report.kept, dropped, sizes, overlaps, report.skipped[OTHER_LANGUAGES], doubts)


def copy_pairs(
    entry: Input, folder: Path, part: str, langs: tuple[str, str], read: ReadOptions, sides: SideLanguages
) -> int:
    """Writes the pairs of two files line by line, whatever they were compressed with."""
    count = 0
    with writing(folder / f"{part}.{langs[0]}") as source, writing(folder / f"{part}.{langs[1]}") as target:
        for pair in read_pairs(entry, *langs, read):
            source.write(one_line(pair.source))
            target.write(one_line(pair.target))
            sides.see(pair.source, pair.target)
            count += 1
    return count


def one_line(text: str) -> bytes:
    return " ".join(text.splitlines()).encode() + b"\n"


def overlap(held_out: Path, train: Path) -> int:
    """How many held-out sources stand in the training text too, but for case, digits and punctuation."""
    keys = list(folded(held_out))
    wanted = set(keys)
    seen = {key for key in folded(train) if key in wanted}
    return sum(key in seen for key in keys)


def folded(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="\n") as stream:
        for line in stream:
            yield _core.fold(line.rstrip("\n"))
