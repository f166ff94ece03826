"""Models written by earlier versions stay readable."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from dragoman.lm import LanguageModel
from tests.reference import kneser_ney

CORPUS = ["the cat sees the dog", "the dog sees a cat", "a bird sings", "the bird sees the cat and the dog", ""]


def test_version_1() -> None:
    model = LanguageModel(Path(__file__).with_name("lm-v1.bin"))
    entries = kneser_ney.estimate([line.split() for line in CORPUS], 4)
    for tokens in model.tokens([*CORPUS, "a dog sings", "the cat and a bird"]):
        history: tuple[str, ...] = ("<s>",)
        for token in tokens:
            context = history[-3:]
            prob = 1.0
            while (*context, token.word) not in entries:
                prob *= entries.get(context, (0, 1.0))[1]
                context = context[1:]
            prob *= entries[(*context, token.word)][0]
            assert token.log10_prob == pytest.approx(math.log10(prob), abs=1e-5)
            assert token.ngram_length == len(context) + 1
            history = (*history, token.word)
