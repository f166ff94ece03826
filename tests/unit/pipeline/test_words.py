"""How much of a dev set is used goes by words, whatever the language writes between them."""

from __future__ import annotations

import pytest

from dragoman.pipeline.stages.tune import within_words

LINES = {"en": "we read a book today", "ja": "今日は本を読みます", "zh": "我们今天读一本书"}


@pytest.mark.parametrize("language", LINES)
def test_words_are_those_of_the_tokenizer(language: str) -> None:
    lines = [LINES[language]] * 100
    assert within_words(lines, 100_000, language) == list(range(100))
    # A line of Chinese or Japanese is no single word.
    assert 5 <= len(within_words(lines, 100, language)) <= 20
    assert len(within_words(lines, 1, language)) == 1
