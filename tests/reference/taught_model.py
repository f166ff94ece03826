"""What people have taught a language model, written as it is defined: counts of tuples, one word after the other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

ORDER = 4
SPREAD = (100.0, 10.0, 10.0, 5.0)
SHARE = 0.4
# Before the first word and after the last.
BOUNDARY = ""

Ngram = tuple[str, ...]


class TaughtModel:
    """The n-grams of some sentences, mixed with what another model says of the same words."""

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        self.counts: Counter[Ngram] = Counter()
        self.words = 0
        for sentence in sentences:
            text = (BOUNDARY, *sentence, BOUNDARY)
            self.words += len(sentence) + 1
            for end in range(2, len(text) + 1):
                self.counts.update(text[begin:end] for begin in range(max(0, end - ORDER), end))

    def prob(self, context: Ngram, word: str, own: float) -> float:
        """The probability of a word after all that stands before it in the sentence."""
        if self.words == 0:
            return own
        mixed = own
        for length in range(min(ORDER - 1, len(context)) + 1):
            history = context[len(context) - length :]
            seen = self.counts[history] if history else self.words
            if seen == 0:
                break
            reserved = SPREAD[length] * math.sqrt(seen)
            mixed = (self.counts[(*history, word)] + reserved * mixed) / (seen + reserved)
        return (1 - SHARE) * own + SHARE * mixed

    def log10_score(self, sentence: Sequence[str], own_log10: Sequence[float]) -> float:
        """Of a sentence and its end, given what the other model says of each."""
        text = (BOUNDARY, *sentence, BOUNDARY)
        probs = (self.prob(text[:at], text[at], 10 ** own_log10[at - 1]) for at in range(1, len(text)))
        return sum(math.log10(prob) for prob in probs)
