"""tokenize: clean text becomes numbers of the words that models see, and is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from dragoman import _core
from dragoman.cluster.connection import workers_at
from dragoman.cluster.workers import Workers
from dragoman.corpus.filters import checked_blocks
from dragoman.corpus.languages import canonical
from dragoman.pipeline.counts import LEAST_COUNTS, CorpusCounts, TextCounts
from dragoman.pipeline.stage import Languages, Request

Blocks = Callable[[Path], Iterator[bytes]]


def run(request: Request[Languages]) -> CorpusCounts:
    """Writes source.bin and target.bin, dev.bin (source alone), and monolingual.bin where there is such text."""
    with workers_at(request.cluster, "tokenize") as workers:
        return encode(request, workers)


def encode(request: Request[Languages], workers: Workers) -> CorpusCounts:
    total = sum(path.stat().st_size for path in request.inputs.values())
    langs = {"source": request.options.source_lang, "target": request.options.target_lang}
    done = 0

    def encoded(name: str, side: str, paths: Sequence[Path], blocks_of: Blocks = checked_blocks) -> TextCounts:
        nonlocal done
        builder = _core.IdTextBuilder(request.scratch)
        # How its words are written teaches their case.
        written = name == side
        add = builder.add_written if written else builder.add
        threads = 1 if workers.away else request.threads
        blocks = (block for path in paths for block in blocks_of(path))
        for block, tokens in workers.map(tokenized, blocks, canonical(langs[side]), written, threads):
            add(tokens)
            done += len(block)
            request.progress(done, max(done, total))
        text = builder.finish()
        text.save(str(request.out / f"{name}.bin"))
        return counts_of_text(text)

    source = encoded("source", "source", [request.input("source")])
    target = encoded("target", "target", [request.input("target")])
    if request.has("dev"):
        # What is wanted of the training text, where only a part of it fits.
        encoded("dev", "source", [request.input("dev")])
    extra = [request.input(name) for name in sorted(request.inputs) if name.startswith("monolingual")]
    monolingual = encoded("monolingual", "target", extra, normalised_blocks) if extra else None
    return CorpusCounts(source, target, monolingual)


def tokenized(block: bytes, language: str, written: bool, threads: int) -> bytes:
    """Lines of words as models see them, with how they are written after each if that is wanted."""
    tokenizer = _core.Tokenizer(language)
    if written:
        return tokenizer.tokenize_both(block, threads=threads)
    return tokenizer.tokenize(block, model=True, threads=threads)


def counts_of_text(text: _core.IdText) -> TextCounts:
    rare = dict(zip(LEAST_COUNTS, text.rare(LEAST_COUNTS), strict=True))
    return TextCounts(
        text.sentences,
        text.tokens,
        text.types,
        text.type_bytes,
        {least: types for least, (types, _) in rare.items()},
        {least: tokens for least, (_, tokens) in rare.items()},
    )


def normalised_blocks(path: Path) -> Iterator[bytes]:
    """Text that no preparation has seen yet, without its empty lines."""
    for block in checked_blocks(path):
        lines = [line for line in _core.normalise(block)[0].split(b"\n") if line.strip()]
        if lines:
            yield b"\n".join(lines) + b"\n"
