"""Dividing the memory a translating process may take between the parts of the model.

The budget covers all mapped files of the model and the peak of anonymous memory, interpreter included. A quarter is the
decoder's, up to what it can make use of: the rules of a sentence, and the search. The interpreter has a fixed share.
The rest belongs to mapped files: first the index, which is what it is, then the language models, which can be made as
small as they must be. Where pairs are to be chosen that fit, the neural models come before the index.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dragoman.config import TrainOptions
from dragoman.errors import ConfigError
from dragoman.pipeline.counts import CorpusCounts
from dragoman.sizes import format_bytes, parse_bytes

SCRATCH_SHARE = 0.25
# What a decoder can make use of: the rules of 100 words, and a search that is not cut short, with 700,000 pairs.
MOST_DECODER_BYTES = {"hierarchical": 64_000_000, "phrase-based": 28_000_000}
# Anonymous memory whatever is translated: the interpreter, its modules and the tokenizer's tables (12.5 MB measured
# with a model loaded), and what rule extraction keeps at hand from sentence to sentence; for gapped rules also where
# frequent words stand in the front of the text (up to 7 MB).
PROCESS_BYTES = {"hierarchical": 25_000_000, "phrase-based": 22_000_000}
# What a neural language model remembers while it is asked, beside its file: bounded caches, and weights laid out anew.
NEURAL_WORKING_BYTES = 4_000_000
# What a judge works in, and more for each number of its vectors: its pieces as they are looked up, and what it keeps
# of the candidates it is reading (4.9 and 7.1 MB measured with 256 and 512 numbers, whatever the number of candidates).
JUDGE_WORKING_BYTES = 2_500_000
JUDGE_WORKING_NUMBER = 10_000
# Rules of a sentence: bytes per word of it, measured with the longest sentences of europarl.
RULE_BYTES_PER_WORD = {"hierarchical": 260_000, "phrase-based": 190_000}
# The search has at least this part of the decoder's quarter.
SEARCH_SHARE = 1 / 3
LONGEST_SENTENCE = 100
SHORTEST_SENTENCE = 10
LEAST_SEARCH_BYTES = 1 << 20
# Where not all pairs fit: how much of the mapped bytes networks may take, and how much of the rest the index takes
# beside an n-gram model.
FIT_NEURAL_SHARE = 1 / 3
# A judge may take more, since it gains most for its bytes.
FIT_JUDGE_SHARE = 0.4
FIT_INDEX_SHARE = 0.75
AUTO_BYTES = (200_000_000, 400_000_000, 1_000_000_000, 2_000_000_000, 4_000_000_000)
MILLION = 1_000_000
# A language model of next to nothing: its container and its tables of costs.
EMPTY_LM_BYTES = 11_200
# weights.txt, text.json, model.json.
SMALL_FILES_BYTES = 16_000
# Files that a translating process maps; the others are only read when asked for.
MAPPED = ("vocab.bin", "bitext.bin", "lexicon.bin", "lm.bin", "nlm.bin", "source_nlm.bin", "judge.bin")


@dataclass(frozen=True, slots=True)
class DecodeLimits:
    """Limits of the search that keep a translating process within the budget; the translator obeys them."""

    scratch_bytes: int
    max_sentence_words: int


@dataclass(frozen=True, slots=True)
class Budget:
    """Bytes for everything; `disk_bytes` is None where there is no limit. `decoder` is the one that will be used."""

    memory_bytes: int
    disk_bytes: int | None
    decoder: str = "hierarchical"

    @property
    def decoder_bytes(self) -> int:
        return min(int(self.memory_bytes * SCRATCH_SHARE), MOST_DECODER_BYTES[self.decoder])

    @property
    def mapped_bytes(self) -> int:
        """For all mapped files together."""
        return max(0, self.memory_bytes - self.decoder_bytes - PROCESS_BYTES[self.decoder])

    def process_bytes(self, networks: int, judge_dimension: int) -> int:
        """Anonymous memory of a translating process that asks so many neural language models, and a judge whose vectors
        have so many numbers; 0 for none."""
        asked = networks * NEURAL_WORKING_BYTES + judge_working_bytes(judge_dimension)
        return PROCESS_BYTES[self.decoder] + self.decoder_bytes + asked

    def as_json(self) -> dict[str, Any]:
        return {"memory_bytes": self.memory_bytes, "disk_bytes": self.disk_bytes}

    @property
    def decode_limits(self) -> DecodeLimits:
        rules = RULE_BYTES_PER_WORD[self.decoder]
        search = max(self.decoder_bytes * SEARCH_SHARE, self.decoder_bytes - rules * LONGEST_SENTENCE)
        words = int((self.decoder_bytes - search) / rules)
        return DecodeLimits(
            scratch_bytes=max(int(search), LEAST_SEARCH_BYTES),
            max_sentence_words=min(LONGEST_SENTENCE, max(SHORTEST_SENTENCE, words)),
        )


def judge_working_bytes(dimension: int) -> int:
    return JUDGE_WORKING_BYTES + JUDGE_WORKING_NUMBER * dimension if dimension else 0


def needed_memory(mapped_bytes: int, decoder: str) -> int:
    """The smallest budget that leaves so many bytes for mapped files."""
    least = mapped_bytes + PROCESS_BYTES[decoder]
    return min(int(least / (1 - SCRATCH_SHARE)), least + MOST_DECODER_BYTES[decoder]) + 1


def make_budget(options: TrainOptions, decoder: str, pairs: int, least_mapped_bytes: int) -> Budget:
    """What the user asked for; auto goes by the number of pairs, and takes the next size where that is too small."""
    disk = parse_bytes(options.disk, "disk") if options.disk else None
    if options.memory != "auto":
        return Budget(parse_bytes(options.memory, "memory"), disk, decoder)
    start = AUTO_BYTES.index(1_000_000_000) if pairs > MILLION else 0
    sizes = AUTO_BYTES[start:]
    if options.fit:
        return Budget(sizes[0], disk, decoder)
    needed = needed_memory(least_mapped_bytes, decoder)
    return Budget(next((size for size in sizes if size >= needed), needed), disk, decoder)


def least_lm_bytes(counts: CorpusCounts) -> int:
    """About what a language model takes that has lost nearly all but its words: 12 bytes and the string of each, and as
    much again, without which it is of little use."""
    return EMPTY_LM_BYTES + int(2 * counts.target.types * 12 + 1.5 * counts.target.type_bytes)


def fitting_index_bytes(room: int, least_lm: int) -> int:
    """What chosen pairs may take of the room that networks leave. An n-gram model gets more than the least it can do
    with: memory is short for both. `least_lm` is 0 where there is to be none."""
    return int((room - least_lm) * FIT_INDEX_SHARE) if least_lm else room


def too_small(budget: Budget, mapped_bytes: int, pairs: int, fitting_pairs: int) -> ConfigError:
    """What to say when the bitext does not fit, with the least of a language model; some of it may."""
    needed = round_up(needed_memory(mapped_bytes, budget.decoder))
    start = (
        f"{pairs:,} pairs need a budget of {format_bytes(needed)} where {format_bytes(budget.memory_bytes)} is given"
    )
    if not fitting_pairs:
        return ConfigError(
            f"{start}, which leaves nothing for text beside the program, its search and the words; pass --memory"
            f" {size_argument(needed)}",
            "memory",
        )
    return ConfigError(
        f"{start}; pass --memory {size_argument(needed)}, or --fit to use about {fitting_pairs:,} of the most useful"
        " pairs",
        "memory",
    )


def round_up(size: int) -> int:
    """To three figures' worth, at least a megabyte."""
    step = max(10**6, int(10 ** (len(str(size)) - 3)))
    return -(-size // step) * step


def size_argument(size: int) -> str:
    return f"{size // 10**6}MB"


def language_model_room(budget: Budget, index_bytes: int, unmapped_bytes: int | None) -> int:
    """What the index leaves to the language models, in memory and on disk; `unmapped_bytes` are on disk alone, and as
    long as they are not known the disk does not count."""
    room = budget.mapped_bytes - index_bytes
    if budget.disk_bytes is not None and unmapped_bytes is not None:
        room = min(room, budget.disk_bytes - index_bytes - unmapped_bytes - SMALL_FILES_BYTES)
    return room


def disk_too_small(budget: Budget, least_bytes: int, sources_bytes: int) -> ConfigError:
    """`least_bytes` are the least that all files can do with, small ones apart."""
    assert budget.disk_bytes is not None
    least_bytes += SMALL_FILES_BYTES
    sources = f" (--no-keep-sources saves {format_bytes(sources_bytes)})" if sources_bytes else ""
    return ConfigError(
        f"the model takes at least {format_bytes(least_bytes)} on disk where {format_bytes(budget.disk_bytes)} is"
        f" allowed; pass --disk {size_argument(round_up(least_bytes))}{sources}",
        "disk",
    )
