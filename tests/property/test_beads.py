"""Sentence pairs of documents: the search in a band finds what a full dynamic program finds."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman import _core
from tests.reference.beads import Document, Scores

WORDS = 40


def document(rng: random.Random, sentences: int, prefix: str) -> Document:
    texts = [[f"{prefix}{rng.randrange(WORDS)}" for _ in range(rng.randrange(9))] for _ in range(sentences)]
    # Words that both documents have, rare enough to tell something.
    for text in texts:
        if rng.random() < 0.3:
            text.append(str(rng.randrange(1000, 1010)))
    return Document(
        texts,
        [sum(map(len, text)) if rng.random() < 0.9 else 0 for text in texts],
        [n for n in range(sentences) if rng.random() < 0.4],
    )


def encoded(document: Document) -> _core.IdText:
    builder = _core.IdTextBuilder()
    builder.add("".join(" ".join(text) + "\n" for text in document.sentences).encode())
    return builder.finish()


def core_pair(source: Document, target: Document) -> _core.DocumentPair:
    return _core.DocumentPair(
        encoded(source), encoded(target), source.characters, target.characters, source.paragraphs, target.paragraphs
    )


def a_lexicon(rng: random.Random) -> tuple[_core.AlignmentModel, tuple[set[str], set[str]]]:
    """An aligner, and the words it knows."""
    pairs = [[rng.randrange(WORDS) for _ in range(4)] for _ in range(60)]
    source = "".join(" ".join(f"s{n}" for n in pair) + "\n" for pair in pairs).encode()
    target = "".join(" ".join(f"t{n}" for n in reversed(pair)) + "\n" for pair in pairs).encode()
    model, _, _ = _core.train_alignment(source, target, "ibm1", "none", 4, 0, 0.0, "posterior", "union", 1)
    assert model is not None
    return model, (set(source.decode().split()), set(target.decode().split()))


def log_sum(values: list[float]) -> float:
    most = max(values)
    return most + math.log(sum(math.exp(value - most) for value in values))


def around(scores: Scores, bead: tuple[int, int, int, int]) -> float:
    """The sum of all ways through a bead."""
    return scores.search(log_sum, through=bead)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 1 << 30), sources=st.integers(1, 9), targets=st.integers(1, 9), lexical=st.booleans())
def test_the_best_beads_are_those_of_a_full_search(seed: int, sources: int, targets: int, lexical: bool) -> None:
    rng = random.Random(seed)
    source, target = document(rng, sources, "s"), document(rng, targets, "t")
    lexicon, words = a_lexicon(rng) if lexical else (None, (set(), set()))
    pair = core_pair(source, target)
    first = pair.beads(lexicon, [], {})
    for earlier, ratio in (([], 0.0), (first, 0.0), ([], 1.3)):
        known = [bead[:4] for bead in earlier]
        reference = Scores(source, target, lexicon.probabilities if lexicon else None, words, known, ratio)
        found = pair.beads(lexicon, earlier, {"reach": 20, "length_ratio": ratio})
        assert reference.total([bead[:4] for bead in found]) == pytest.approx(reference.best(), abs=1e-3)
        # The band holds all of so small documents, so probabilities are exact too.
        every = reference.search(log_sum)
        for a, b, c, d, quality in found:
            share = math.exp(around(reference, (a, b, c, d)) - every)
            evidence = reference.score(a, c, b - a, d - c) - math.log(reference.shares[b - a, d - c])
            wanted = share / (1 + math.exp(-evidence)) if b > a and d > c else share
            assert quality == pytest.approx(wanted, abs=2e-3)
