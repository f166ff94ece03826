"""Beads: which sentences of two documents are translations of each other.

First by lengths and by words that are spelled alike (after Gale and Church 1993), then again with the words: an
aligner learns from the pairs that the first search was sure of, in all documents together, and the second search stays
near what the first found (after Moore 2002). Where a lexicon is given it is asked instead. The searches are those of
`core/align/bead_search.h`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dragoman import _core
from dragoman.align.links import lines_to_bytes
from dragoman.config import AlignOptions
from dragoman.corpus.languages import canonical
from dragoman.progress import Progress

# Pairs at least as probable as this teach the aligner.
SURE = 0.7
# Sentences to either side of what the first search found.
NEAR = 16
# A table of word pairs is all that is wanted here, and IBM 1 has it soonest.
ALIGNER = AlignOptions(model="ibm1", ibm1_iterations=5, iterations=0)

# Sentences [begin, end) of the source, of the target, and how probable it is, as the core gives it.
CoreBead = tuple[int, int, int, int, float]


@dataclass(frozen=True, slots=True)
class Sentences:
    """A document as sentences, and where among them its paragraphs begin."""

    texts: Sequence[str]
    paragraphs: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Bead:
    """Sentences [begin, end) of both documents; either may be none. `quality` is how probable it is, 0 to 1."""

    source: tuple[int, int]
    target: tuple[int, int]
    quality: float

    @property
    def kind(self) -> str:
        """As 1-1 or 2-1."""
        return f"{self.source[1] - self.source[0]}-{self.target[1] - self.target[0]}"


def find_beads(
    documents: Sequence[tuple[Sentences, Sentences]],
    source_lang: str,
    target_lang: str,
    lexicon: _core.AlignmentModel | None = None,
    progress: Progress | None = None,
) -> list[list[Bead]]:
    """The beads of each pair of documents, in order; together they cover every sentence once."""
    tokenizers = _core.Tokenizer(canonical(source_lang)), _core.Tokenizer(canonical(target_lang))
    pairs = [core_pair(document, tokenizers) for document in documents]
    everything = [[(0, len(source.texts), 0, len(target.texts), 1.0)] for source, target in documents]
    first = {"length_ratio": length_ratio(documents, everything)}
    bead_lists = [pair.beads(None, [], first, progress) for pair in pairs]
    if lexicon is None:
        lexicon = learned(documents, bead_lists, tokenizers, progress)
    if lexicon is not None:
        near = {"length_ratio": length_ratio(documents, bead_lists) or first["length_ratio"], "reach": NEAR}
        bead_lists = [pair.beads(lexicon, beads, near, progress) for pair, beads in zip(pairs, bead_lists, strict=True)]
    return [[Bead((a, b), (c, d), quality) for a, b, c, d, quality in beads] for beads in bead_lists]


def core_pair(
    document: tuple[Sentences, Sentences], tokenizers: tuple[_core.Tokenizer, _core.Tokenizer]
) -> _core.DocumentPair:
    source, target = document
    return _core.DocumentPair(
        encode(source.texts, tokenizers[0]),
        encode(target.texts, tokenizers[1]),
        list(map(len, source.texts)),
        list(map(len, target.texts)),
        list(source.paragraphs),
        list(target.paragraphs),
    )


def length_ratio(documents: Sequence[tuple[Sentences, Sentences]], bead_lists: Sequence[Sequence[CoreBead]]) -> float:
    """How many characters of the target stand for one of the source in all documents; 0 where none do."""
    ours = theirs = 0
    for (source, target), beads in zip(documents, bead_lists, strict=True):
        for a, b, c, d, _ in beads:
            if a < b and c < d:
                ours += sum(map(len, source.texts[a:b]))
                theirs += sum(map(len, target.texts[c:d]))
    return theirs / ours if ours else 0.0


def learned(
    documents: Sequence[tuple[Sentences, Sentences]],
    bead_lists: Sequence[Sequence[CoreBead]],
    tokenizers: tuple[_core.Tokenizer, _core.Tokenizer],
    progress: Progress | None,
) -> _core.AlignmentModel | None:
    """An aligner that knows the sure pairs of all documents; None where there are none."""
    sources: list[str] = []
    targets: list[str] = []
    for (source, target), beads in zip(documents, bead_lists, strict=True):
        for a, b, c, d, quality in beads:
            if quality >= SURE and (b - a, d - c) == (1, 1):
                sources.append(source.texts[a])
                targets.append(target.texts[c])
    if not sources:
        return None
    model, _, _ = _core.train_alignment(
        encode(sources, tokenizers[0]),
        encode(targets, tokenizers[1]),
        ALIGNER.model,
        ALIGNER.smoothing,
        ALIGNER.ibm1_iterations,
        ALIGNER.iterations,
        ALIGNER.min_count,
        ALIGNER.decoding,
        ALIGNER.symmetrize,
        ALIGNER.threads,
        True,
        progress,
    )
    return model


def encode(texts: Sequence[str], tokenizer: _core.Tokenizer) -> _core.IdText:
    builder = _core.IdTextBuilder()
    builder.add_raw(tokenizer, lines_to_bytes(texts))
    return builder.finish()
