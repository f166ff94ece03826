"""Suffix arrays against sorting, and against an independent library where it is installed."""

from __future__ import annotations

import random

import pytest

from dragoman import _core


def sorted_suffixes(text: list[int]) -> list[int]:
    return sorted(range(len(text)), key=lambda i: text[i:])


@pytest.mark.parametrize(
    "text", [[], [0], [1, 1], [2, 1], [1, 2], [0, 0, 0, 0], [1, 0, 1, 0, 1], [3, 3, 2, 1, 3, 3, 2, 0], [5, 0] * 30]
)
def test_small(text: list[int]) -> None:
    assert _core.testing.suffix_array(text, 6) == sorted_suffixes(text)


@pytest.mark.parametrize("alphabet", [1, 2, 3, 10, 1000])
def test_random(alphabet: int) -> None:
    rng = random.Random(alphabet)
    for _ in range(60):
        text = [rng.randrange(alphabet) for _ in range(rng.randrange(200))]
        assert _core.testing.suffix_array(text, alphabet) == sorted_suffixes(text)
        # As texts of more than 2^31 words are sorted.
        assert _core.testing.suffix_array(text, alphabet, wide=True) == sorted_suffixes(text)


def test_repetitive() -> None:
    rng = random.Random(1)
    for _ in range(40):
        piece = [rng.randrange(3) for _ in range(rng.randrange(1, 8))]
        text = (piece * 40)[: rng.randrange(1, 200)]
        assert _core.testing.suffix_array(text, 3) == sorted_suffixes(text)


def test_against_divsufsort() -> None:
    divsufsort = pytest.importorskip("pydivsufsort").divsufsort
    rng = random.Random(2)
    text = [min(255, int(rng.paretovariate(1.1)) - 1) for _ in range(100_000)]
    assert _core.testing.suffix_array(text, 256) == divsufsort(bytes(text)).tolist()


def test_symbols_outside_the_alphabet_are_refused() -> None:
    with pytest.raises(Exception, match="alphabet"):
        _core.testing.suffix_array([3], 3)
