"""select: the pairs that teach most for their bytes, where not all fit the memory.

The aligner and the language models have learned from all of the text; only what is indexed is chosen here. Chosen pairs
stay in the order they came in.
"""

from __future__ import annotations

from dataclasses import dataclass

from dragoman import _core
from dragoman.pipeline.index_bytes import PairBytes
from dragoman.pipeline.stage import Request


@dataclass(frozen=True, slots=True)
class SelectOptions:
    """`max_bytes` of bitext.bin, of which pairs take so much."""

    max_bytes: int
    pair_bytes: PairBytes


@dataclass(frozen=True, slots=True)
class Selected:
    pairs: int
    of: int


def run(request: Request[SelectOptions]) -> Selected:
    """Writes chosen.bin, the numbers of the pairs."""
    cost = request.options.pair_bytes
    source = request.text("source")
    chosen = _core.select_pairs(
        source,
        request.text("target"),
        request.links(),
        request.text("wanted") if request.has("wanted") else b"",
        request.options.max_bytes,
        cost.source_word,
        cost.target_word,
        cost.pair,
        request.progress,
    )
    _core.write_chosen(str(request.out / "chosen.bin"), chosen)
    return Selected(len(chosen), source.sentences)
