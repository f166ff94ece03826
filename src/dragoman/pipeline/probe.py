"""A little of the text aligned: how this machine compares with that of the constants, and how large align.bin will be.

The table of an aligner grows with the text to a power that hardly depends on what kind of text it is: from 3,000 pairs
to all of a corpus (17,902 to 688,812 pairs of captions, phrases, debates and manuals) between 0.55 and 0.62.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman.align import AlignmentModel
from dragoman.config import AlignOptions
from dragoman.pipeline.sample import Sample

PROBE_PAIRS = 3000
# CPU seconds for a source word with a target word of its pair, so little text that it all stays in the cache.
PROBE_CELL = 0.37e-6
TABLE_POWER = 0.59


@dataclass(frozen=True, slots=True)
class Probe:
    """`slowness` is how much slower this machine is; `align_bytes` is the aligner's file after `pairs` pairs."""

    slowness: float
    pairs: int
    align_bytes: int

    def align_bytes_at(self, pairs: int) -> int:
        return int(self.align_bytes * float(pairs / max(1, self.pairs)) ** TABLE_POWER)


def take_probe(sample: Sample) -> Probe:
    step = max(1, len(sample.source) // PROBE_PAIRS)
    source, target = sample.source[::step][:PROBE_PAIRS], sample.target[::step][:PROBE_PAIRS]
    begin = time.process_time()
    model = AlignmentModel.train(source, target, AlignOptions(threads=1)).model
    seconds = time.process_time() - begin
    assert model is not None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "align.bin"
        model.save(path)
        return Probe(seconds / max(1e-3, PROBE_CELL * cells(source, target)), len(source), path.stat().st_size)


def cells(source: Sequence[str], target: Sequence[str]) -> int:
    """What alignment works through: each source word with each target word of its pair."""
    return sum(len(ours.split()) * len(theirs.split()) for ours, theirs in zip(source, target, strict=True))
