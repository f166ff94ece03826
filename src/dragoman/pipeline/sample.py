"""A look at a corpus before anything is done with it: how many pairs there are, and what a few thousand of them say.

All of the text is read once and counted; the pairs whose number hashes lowest are kept as the sample, so that it is
spread evenly and is the same each time. The sample is cleaned and tokenized as training would do it.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dragoman import _core
from dragoman.corpus.clean import Cleaner
from dragoman.corpus.formats import read_pairs
from dragoman.corpus.normalise import as_lines, normalise_lines
from dragoman.corpus.pair import SentencePair
from dragoman.errors import InputError
from dragoman.pipeline.job import Job
from dragoman.pipeline.stages.tokenize import normalised_blocks
from dragoman.progress import Progress

SAMPLE_PAIRS = 16_384
EVERY = 4096


@dataclass(frozen=True, slots=True)
class Sample:
    """Token lines of the sampled pairs that stay after cleaning; `read`, `distinct` (pairs that are not the same as one
    before) and `text_bytes` (of those) are of the whole corpus."""

    read: int
    distinct: int
    text_bytes: int
    sampled: int
    source: list[str]
    target: list[str]

    @property
    def kept(self) -> int:
        """Pairs of the whole corpus that are likely to stay."""
        return round(self.distinct * len(self.source) / max(1, self.sampled))


def take_sample(job: Job, progress: Progress | None = None) -> Sample:
    read = text_bytes = 0
    seen: set[int] = set()
    lowest: list[tuple[int, int, str, str]] = []
    for pair in all_pairs(job):
        key = _core.hash_bytes(read.to_bytes(8, "little"))
        read += 1
        identity = hash((pair.source, pair.target))
        if identity in seen:
            continue
        seen.add(identity)
        text_bytes += len(pair.source) + len(pair.target)
        if len(lowest) < SAMPLE_PAIRS:
            heapq.heappush(lowest, (-key, read, pair.source, pair.target))
        elif -key > lowest[0][0]:
            heapq.heapreplace(lowest, (-key, read, pair.source, pair.target))
        if progress is not None and read % EVERY == 0:
            progress(read, 0)
    if read == 0:
        raise InputError("there are no sentence pairs in the input")
    chosen = sorted(lowest, key=lambda entry: entry[1])
    source, target = cleaned([(entry[2], entry[3]) for entry in chosen], job)
    if not source:
        raise InputError("none of the pairs looked at would stay after cleaning; look at the text and its languages")
    return Sample(read, len(seen), text_bytes, len(chosen), source, target)


@dataclass(frozen=True, slots=True)
class TextSample:
    """Token lines of some of a text's lines, of which there are `lines`."""

    lines: int
    tokens: list[str]


def take_text_sample(paths: Iterable[str], lang: str) -> TextSample:
    """Of text in one language, as training reads it."""
    lines = 0
    lowest: list[tuple[int, int, bytes]] = []
    for path in paths:
        for block in normalised_blocks(Path(path)):
            for line in block.split(b"\n")[:-1]:
                key = _core.hash_bytes(lines.to_bytes(8, "little"))
                lines += 1
                entry = (-key, lines, line)
                if len(lowest) < SAMPLE_PAIRS:
                    heapq.heappush(lowest, entry)
                elif entry > lowest[0]:
                    heapq.heapreplace(lowest, entry)
    chosen = b"".join(line + b"\n" for _, _, line in sorted(lowest, key=lambda entry: entry[1]))
    return TextSample(lines, _core.Tokenizer(lang).tokenize(chosen, model=True).decode().split("\n")[:-1])


def all_pairs(job: Job) -> Iterator[SentencePair]:
    for entry in job.inputs:
        yield from read_pairs(entry, job.source_lang, job.target_lang, job.stages.read)


def cleaned(pairs: list[tuple[str, str]], job: Job) -> tuple[list[str], list[str]]:
    """Token lines of the pairs that no rule drops."""
    clean = job.stages.clean
    cleaner = Cleaner(clean, job.source_lang, job.target_lang, job.stages.split.split_seed)
    blocks = [as_lines([pair[side] for pair in pairs], Counter()) for side in (0, 1)]
    blocks = [normalise_lines(block, Counter(), clean.drop_control) for block in blocks]
    verdicts, _ = cleaner.judge(*blocks)
    sides = []
    for block, lang in zip(blocks, (job.source_lang, job.target_lang), strict=True):
        lines = _core.Tokenizer(lang).tokenize(block, model=True).decode().split("\n")
        sides.append([line for line, verdict in zip(lines, verdicts, strict=False) if verdict == "kept"])
    return sides[0], sides[1]
