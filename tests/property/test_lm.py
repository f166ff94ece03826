"""Estimation against the reference on random small corpora, through ARPA text."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman import _core
from tests.reference import kneser_ney
from tests.reference.arpa import arpa_entries

words = st.sampled_from([*"abcdefg", "é"])
corpora = st.lists(st.lists(words, max_size=12), min_size=1, max_size=30)
cut_offs = st.lists(st.integers(1, 3), min_size=1, max_size=4).map(sorted)


def estimated(corpus: list[list[str]], order: int, min_counts: list[int], threads: int) -> str:
    text = _core.LmText()
    text.add("".join(" ".join(sentence) + "\n" for sentence in corpus).encode())
    model = _core.lm_estimate(text, order, min_counts, [0.5, 1, 1.5], False, threads)
    pieces: list[bytes] = []
    model.write_arpa(pieces.append)
    return b"".join(pieces).decode()


@settings(max_examples=150, deadline=None)
@given(corpora, st.integers(1, 5), cut_offs, st.integers(1, 2))
def test_estimates_equal_the_reference(
    corpus: list[list[str]], order: int, min_counts: list[int], threads: int
) -> None:
    want = kneser_ney.estimate(corpus, order, min_counts)
    got = arpa_entries(estimated(corpus, order, min_counts, threads))
    assert set(got) == set(want)
    for ngram, (prob, backoff) in want.items():
        assert got[ngram][0] == pytest.approx(math.log10(prob), abs=3e-6)
        if len(ngram) < order:
            assert got[ngram][1] == pytest.approx(math.log10(backoff), abs=3e-6)
