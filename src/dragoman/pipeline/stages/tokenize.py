"""tokenize: clean text becomes the words that models see, and is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from dragoman import _core
from dragoman.corpus.filters import checked_blocks
from dragoman.corpus.languages import canonical
from dragoman.files import writing
from dragoman.pipeline.networks import rare_words
from dragoman.pipeline.stage import Request


def run(request: Request) -> dict[str, Any]:
    """Writes source and target, dev (source alone), and monolingual where there is such text."""
    facts: dict[str, Any] = {}
    total = sum(path.stat().st_size for path in request.inputs.values())
    done = 0
    for side in ("source", "target"):
        tokenizer = _core.Tokenizer(canonical(request.options[f"{side}_lang"]))
        counts = Counts()
        with writing(request.out / side) as stream:
            for block in checked_blocks(request.input(side)):
                counts.write(tokenizer.tokenize(block, model=True, threads=request.threads), stream)
                done += len(block)
                request.progress(done, total)
        facts[side] = counts.as_dict()
    if request.has("dev"):
        # What is wanted of the training text, where only a part of it fits.
        tokenizer = _core.Tokenizer(canonical(request.options["source_lang"]))
        with writing(request.out / "dev") as stream:
            for block in checked_blocks(request.input("dev")):
                stream.write(tokenizer.tokenize(block, model=True, threads=request.threads))
    extra = [request.input(name) for name in sorted(request.inputs) if name.startswith("monolingual")]
    if extra:
        tokenizer = _core.Tokenizer(canonical(request.options["target_lang"]))
        counts = Counts()
        with writing(request.out / "monolingual") as stream:
            for path in extra:
                for block in normalised_blocks(path):
                    counts.write(tokenizer.tokenize(block, model=True, threads=request.threads), stream)
                    request.progress(done, 0)
        facts["monolingual"] = counts.as_dict()
    return facts


class Counts:
    """Lines, words, different words and rare words of what passes through."""

    def __init__(self) -> None:
        self.lines = self.tokens = self.bytes = 0
        self.types: Counter[bytes] = Counter()

    def write(self, block: bytes, stream: IO[bytes]) -> None:
        stream.write(block)
        words = block.split()
        self.lines += block.count(b"\n")
        self.tokens += len(words)
        self.bytes += len(block)
        self.types.update(words)

    def as_dict(self) -> dict[str, Any]:
        return {
            "lines": self.lines,
            "tokens": self.tokens,
            "types": len(self.types),
            "type_bytes": sum(map(len, self.types)),
            "bytes": self.bytes,
            **rare_words(self.types),
        }


def normalised_blocks(path: Path) -> Iterator[bytes]:
    """Text that no preparation has seen yet, without its empty lines."""
    for block in checked_blocks(path):
        lines = [line for line in _core.normalise(block)[0].split(b"\n") if line.strip()]
        if lines:
            yield b"\n".join(lines) + b"\n"
