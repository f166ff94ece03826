"""tokenize: clean text becomes numbers of the words that models see, and is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from dragoman import _core
from dragoman.corpus.filters import checked_blocks
from dragoman.corpus.languages import canonical
from dragoman.pipeline.counts import LEAST_COUNTS, CorpusCounts, TextCounts
from dragoman.pipeline.stage import Languages, Request

Blocks = Callable[[Path], Iterator[bytes]]


def run(request: Request[Languages]) -> CorpusCounts:
    """Writes source.bin and target.bin, dev.bin (source alone), and monolingual.bin where there is such text."""
    total = sum(path.stat().st_size for path in request.inputs.values())
    langs = {"source": request.options.source_lang, "target": request.options.target_lang}
    done = 0

    def encoded(name: str, side: str, paths: Sequence[Path], blocks_of: Blocks = checked_blocks) -> TextCounts:
        nonlocal done
        tokenizer = _core.Tokenizer(canonical(langs[side]))
        builder = _core.IdTextBuilder(request.scratch)
        for path in paths:
            for block in blocks_of(path):
                if name == side:
                    # How its words are written teaches their case.
                    builder.add_raw(tokenizer, block, request.threads)
                else:
                    builder.add(tokenizer.tokenize(block, model=True, threads=request.threads))
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
