"""How many bytes the index of a bitext will take, from counts alone, before anything is aligned or sorted.

The arrays of bitext.bin and vocab.bin follow from the counts to the bit. Two things do not: the links (a byte each) and
the different linked pairs of the lexicon. Their constants are those of europarl and multi30k, and err by a few percent
elsewhere (benchmarks/estimate.py compares).
"""

from __future__ import annotations

from dataclasses import dataclass

from dragoman import _core
from dragoman.pipeline.counts import CorpusCounts, TextCounts

LINKS_PER_TOKEN = 0.85
LINK_BYTES = 1.03
# Different linked pairs for each word of either vocabulary.
PAIRS_PER_TYPE = 2.1
CONTAINER_BYTES = 1024
# The three files of an index of nothing, without what is learned of case and spaces.
EMPTY_INDEX_BYTES = 5056


def bits(largest: int) -> int:
    return max(1, largest.bit_length())


def predicted_index_bytes(counts: CorpusCounts) -> int:
    source, target = counts.source, counts.target
    return bitext_bytes(source, target) + lexicon_bytes(source, target) + vocabulary_bytes(source, target)


def least_index_bytes(counts: CorpusCounts) -> int:
    """What the index of a few pairs takes, where case and spaces are learned from all of them."""
    return EMPTY_INDEX_BYTES + _core.case_and_spacing_bytes(counts.target.tokens)


def fitting_pairs(counts: CorpusCounts, whole_bytes: int, allowed_bytes: int) -> int:
    """About how many pairs fit, if an index of all of them takes so much."""
    least = least_index_bytes(counts)
    return max(0, int(counts.pairs * (allowed_bytes - least) / max(1, whole_bytes - least)))


def bitext_bytes(source: TextCounts, target: TextCounts) -> int:
    lines = source.lines
    symbols = source.tokens + lines
    links = link_count(source, target)
    total_bits = (
        symbols * bits(source.types + 1)
        + source.tokens * bits(symbols)
        + target.tokens * bits(target.types + 1)
        + lines * (bits(symbols) + bits(target.tokens) + bits(int(links * LINK_BYTES)) + bits(lines))
        + symbols // 64 * bits(lines)
    )
    return total_bits // 8 + int(links * LINK_BYTES) + CONTAINER_BYTES


def link_count(source: TextCounts, target: TextCounts) -> int:
    return int(LINKS_PER_TOKEN * max(source.tokens, target.tokens))


def lexicon_bytes(source: TextCounts, target: TextCounts) -> int:
    links = link_count(source, target)
    pairs = min(links, int(PAIRS_PER_TYPE * (source.types + target.types)))
    total_bits = (
        pairs * (bits(target.types) + 3) + source.types * (bits(pairs) + bits(links)) + target.types * bits(links)
    )
    return total_bits // 8 + CONTAINER_BYTES


def vocabulary_bytes(source: TextCounts, target: TextCounts) -> int:
    learned = _core.case_and_spacing_bytes(target.tokens)
    return side_bytes(source) + side_bytes(target) + learned + CONTAINER_BYTES


def side_bytes(side: TextCounts) -> int:
    types = side.types
    slots = 1 << (types + types // 2).bit_length()
    # The written forms: two bits for each type, and a few that are spelled out.
    forms = types * 3 // 10
    return side.type_bytes + (types * bits(side.type_bytes) + slots * bits(types + 2)) // 8 + forms


@dataclass(frozen=True, slots=True)
class PairBytes:
    """What each word of a pair adds to bitext.bin, and what the pair adds itself."""

    source_word: float
    target_word: float
    pair: float


def pair_bytes(counts: CorpusCounts, links: int) -> PairBytes:
    """For a choice of pairs out of a bitext with so many links, whose numbers are as wide as all of it needs."""
    source, target = counts.source, counts.target
    symbols = source.tokens + source.lines
    word = bits(source.types + 1) + bits(symbols)
    return PairBytes(
        word / 8 + links / max(1, source.tokens),
        bits(target.types + 1) / 8,
        (word + bits(target.tokens) + bits(links) + bits(source.lines)) / 8,
    )
