"""Texts longer than numbers of 32 bits are met with a sentence: tested with the limits lowered."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dragoman import _core
from dragoman.config import TrainOptions
from dragoman.errors import InputError
from dragoman.pipeline import limits
from dragoman.pipeline.counts import CorpusCounts, Split, counts_of
from dragoman.pipeline.plan import make_plan
from dragoman.pipeline.settings import StageOptions

LINES = b"one two three\nfour five\n" * 10
Within = Callable[[int], None]


@pytest.mark.parametrize(
    ("within", "most", "says"),
    [
        (lambda most: _core.testing.align_within(LINES, b"a\nb\n" * 10, most), 50, "more than 49 words on one side"),
        (lambda most: _core.testing.align_within(b"a\nb\n" * 10, LINES, most), 50, "more than 49 words on one side"),
        (lambda most: _core.testing.encode_within(LINES, most), 20, "at most 19 sentences"),
        (lambda most: _core.testing.number_within(LINES, most), 5, "more than 4 different words"),
        # A mark on both sides of each sentence counts too.
        (lambda most: _core.testing.ngrams_within(LINES, most), 90, "at most 89 words"),
    ],
)
def test_one_word_more_is_refused_in_a_sentence(within: Within, most: int, says: str) -> None:
    within(most)
    with pytest.raises(InputError, match=says) as refused:
        within(most - 1)
    assert ";" in str(refused.value)  # what to do


def counts(words: int, lines: int) -> CorpusCounts:
    text = counts_of(lines, {"word": words}, 4)
    return CorpusCounts(text, text)


def refusal(given: CorpusCounts, sample: str = "1.0") -> str:
    stages = StageOptions()
    object.__setattr__(stages.lm, "sample", float(sample))
    plan = make_plan(given, Split(10, 10, 0, 0), TrainOptions(memory="4GB", language_models="ngram"), stages)
    return str(plan.refusal or "")


def test_training_refuses_before_it_aligns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_ALIGNED_WORDS", 1000)
    monkeypatch.setattr(limits, "MOST_MODELLED_WORDS", 900)
    assert not refusal(counts(880, 10))
    assert "1,001 words on one side where at most 1,000 can be aligned" in refusal(counts(1001, 10))
    said = refusal(counts(881, 10))
    assert "learns from at most 900 words where there are 901" in said
    assert not refusal(counts(881, 10), said.rpartition("=")[2])
