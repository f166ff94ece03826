"""tokenize: clean text becomes the words that models see, and is counted."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

from dragoman import _core
from dragoman.corpus.filters import checked_blocks
from dragoman.corpus.languages import canonical
from dragoman.files import writing
from dragoman.pipeline.counts import CorpusCounts, TextCounts, counts_of
from dragoman.pipeline.stage import Languages, Request

Blocks = Callable[[Path], Iterator[bytes]]


def run(request: Request[Languages]) -> CorpusCounts:
    """Writes source and target, dev (source alone), and monolingual where there is such text."""
    total = sum(path.stat().st_size for path in request.inputs.values())
    langs = {"source": request.options.source_lang, "target": request.options.target_lang}
    done = 0

    def tokenized(name: str, side: str, paths: Sequence[Path], blocks_of: Blocks = checked_blocks) -> TextCounts:
        nonlocal done
        tokenizer = _core.Tokenizer(canonical(langs[side]))
        counter = Counter()
        with writing(request.out / name) as stream:
            for path in paths:
                for block in blocks_of(path):
                    counter.write(tokenizer.tokenize(block, model=True, threads=request.threads), stream)
                    done += len(block)
                    request.progress(done, max(done, total))
        return counter.counts()

    source = tokenized("source", "source", [request.input("source")])
    target = tokenized("target", "target", [request.input("target")])
    if request.has("dev"):
        # What is wanted of the training text, where only a part of it fits.
        tokenized("dev", "source", [request.input("dev")])
    extra = [request.input(name) for name in sorted(request.inputs) if name.startswith("monolingual")]
    monolingual = tokenized("monolingual", "target", extra, normalised_blocks) if extra else None
    return CorpusCounts(source, target, monolingual)


class Counter:
    """Counts what passes through."""

    def __init__(self) -> None:
        self.lines = 0
        self.words: collections.Counter[bytes] = collections.Counter()

    def write(self, block: bytes, stream: IO[bytes]) -> None:
        stream.write(block)
        self.lines += block.count(b"\n")
        self.words.update(block.split())

    def counts(self) -> TextCounts:
        return counts_of(self.lines, self.words, sum(map(len, self.words)))


def normalised_blocks(path: Path) -> Iterator[bytes]:
    """Text that no preparation has seen yet, without its empty lines."""
    for block in checked_blocks(path):
        lines = [line for line in _core.normalise(block)[0].split(b"\n") if line.strip()]
        if lines:
            yield b"\n".join(lines) + b"\n"
