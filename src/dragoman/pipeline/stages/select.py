"""select: the pairs that teach most for their bytes, where not all fit the memory.

The aligner and the language models have learned from all of the text; only what is indexed is chosen here. Chosen pairs
stay in the order they came in.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dragoman import _core
from dragoman.files import writing
from dragoman.pipeline.index_bytes import PairBytes
from dragoman.pipeline.stage import Request

# Files that are cut down together, line by line.
PARALLEL = ("source", "target", "links", "raw_source", "raw_target", "origins")


@dataclass(frozen=True, slots=True)
class SelectOptions:
    """`max_bytes` of bitext.bin, of which pairs take so much; there are `pairs` to choose from."""

    max_bytes: int
    pairs: int
    pair_bytes: PairBytes


@dataclass(frozen=True, slots=True)
class Selected:
    pairs: int
    of: int


def run(request: Request[SelectOptions]) -> Selected:
    """Writes those files with the chosen lines alone."""
    options, cost = request.options, request.options.pair_bytes
    chosen = _core.select_pairs(
        request.input("source").read_bytes(),
        request.input("target").read_bytes(),
        request.input("links").read_bytes(),
        request.input("wanted").read_bytes() if request.has("wanted") else b"",
        options.max_bytes,
        cost.source_word,
        cost.target_word,
        cost.pair,
        request.progress,
    )
    wanted = bytearray(options.pairs)
    for line in chosen:
        wanted[line] = 1
    for name in PARALLEL:
        if request.has(name):
            copy_lines(request.input(name), request.out / name, wanted)
    return Selected(len(chosen), options.pairs)


def copy_lines(source: Path, target: Path, wanted: bytearray) -> None:
    with source.open("rb") as stream, writing(target) as out:
        for line, keep in zip(stream, wanted, strict=True):
            if keep:
                out.write(line)
