"""Neural models written by earlier versions stay readable.

nlm-v1.bin is `random_model(**MODEL)` of the reference, written in f32 by version 1 of the format.
"""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from dragoman.neural.language_model import NeuralLanguageModel
from tests.reference.neural_lm import BEGIN, END, random_model

MODEL = {"seed": 9, "words": 5, "dimension": 6, "order": 3, "classes": 2, "window": 1, "direct": 8}


def test_version_1() -> None:
    reference = random_model(**MODEL)  # type: ignore[arg-type]
    model = NeuralLanguageModel(Path(__file__).with_name("nlm-v1.bin"))
    assert model.reads_source and model.order == 3
    lines = ["w0 w1 w2", "w4 other w3 w3"]
    found = list(model.tokens(lines, ["s0 s1", "s4 s3 x"], ["0-0 1-2", "2-0 1-1 0-3"]))
    expected = [([4, 5, 6, END], [4, 5], [0, 1, 1, 1]), ([8, 1, 7, 7, END], [8, 7, 1], [2, 1, 0, 0, 2])]
    for tokens, (words, source, positions) in zip(found, expected, strict=True):
        context = [BEGIN, BEGIN]
        for token, word, position in zip(tokens, words, positions, strict=True):
            score = reference.score(context, word, source, position) / math.log(10)
            assert token.log10_prob == pytest.approx(score, abs=1e-5)
            context = [word, context[0]]
