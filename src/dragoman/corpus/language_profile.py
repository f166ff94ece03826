"""What is known of one language: the words it uses most, how its words are spelled, and its scripts.

Words come from the table of function words, and from the vocabulary of a model, whose words are by falling frequency:
Zipf's law gives the counts. A language that is in no table is known by its vocabulary alone, scripts included; so no
language is strange just because nobody wrote a list for it.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from dragoman import _core
from dragoman.corpus.function_words import FUNCTION_WORDS, table_code
from dragoman.corpus.languages import scripts_of

# Words of a vocabulary that are looked at: they make up most of any text.
MOST_WORDS = 5_000
# Where no spaces are written a character is what others write as a word, or nearly so.
IDEOGRAPHS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Vowels and accents that are written upon a letter or beside it, which are no letters to regular expressions.
MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u0963\u0980-\u0dff"
    "\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ecd\u0f71-\u0fbc\u102b-\u103e\u1056-\u109d\u17b4-\u17d3"
)
WORD = re.compile(rf"[{IDEOGRAPHS}]|[^\W\d_{IDEOGRAPHS}](?:[^\W\d_{IDEOGRAPHS}]|[{MARKS}])*")
# How common function words are together.
FUNCTION_SHARE = 0.4
# A word that a language is not known to use: by its vocabulary, or where there is none by its function words alone.
UNKNOWN, NO_FUNCTION_WORD = 1e-5, 3e-4
# How much of a trigram's distribution is left to what was never seen.
UNSEEN = 0.02
TRIGRAMS = 30_000
# Scripts that have less of a vocabulary are those of foreign words.
LEAST_SCRIPT_SHARE = 0.05


def words_in(text: str) -> list[str]:
    """The words of a text in lower case: runs of letters, and single characters of scripts without spaces.

    The tokens of a model give the same words as the text that they were cut from.
    """
    return WORD.findall(_core.lower(text))


def trigrams(word: str) -> Iterable[str]:
    padded = f" {word} "
    return (padded[at : at + 3] for at in range(len(padded) - 2))


def by_rank(words: Iterable[str], offset: int, mass: float) -> dict[str, float]:
    """Probabilities by Zipf's law of words by falling frequency."""
    ranked = list(dict.fromkeys(words))
    total = sum(1 / (rank + offset) for rank in range(len(ranked)))
    return {word: mass / (rank + offset) / total for rank, word in enumerate(ranked)}


class LanguageProfile:
    """One language; `vocabulary` are words or tokens of it by falling frequency, None where nobody knows them."""

    def __init__(self, code: str, vocabulary: Sequence[str] | None = None) -> None:
        self.code = code
        known = by_rank(words_in("\n".join((vocabulary or ())[:MOST_WORDS])), 10, 1.0)
        table = by_rank(FUNCTION_WORDS.get(table_code(code), "").split(), 5, FUNCTION_SHARE)
        self.is_listed = bool(table)
        # How many words of a vocabulary it is known by.
        self.vocabulary_size = len(known)
        self.scripts = frozenset(scripts_of(code)) or scripts_used(known)
        self._log = {word: math.log(max(known.get(word, 0), table.get(word, 0))) for word in {**known, **table}}
        self._log_unknown = math.log(NO_FUNCTION_WORD if vocabulary is None else UNKNOWN)

    @classmethod
    def read(cls, code: str, vocab: str | Path, side: str) -> LanguageProfile:
        """A language as one side of a model's vocab.bin knows it."""
        return cls(code, _core.vocabulary_words(str(vocab), side, MOST_WORDS))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known of its words, so that none can be missed."""
        return not self._log

    def knows(self, word: str) -> bool:
        return word in self._log

    def share_known(self, words: Mapping[str, int]) -> float:
        """How much of some words, each with how often it occurs, this language is known to use."""
        return sum(count for word, count in words.items() if self.knows(word)) / max(sum(words.values()), 1)

    def log_word(self, word: str) -> float:
        """How likely the word is in this language."""
        return self._log.get(word, self._log_unknown)

    @functools.cached_property
    def _spelling(self) -> Mapping[str, float]:
        counts: dict[str, float] = defaultdict(float)
        for word, log_probability in self._log.items():
            probability = math.exp(log_probability)
            for trigram in trigrams(word):
                counts[trigram] += probability
        total = sum(counts.values()) or 1.0
        return {
            trigram: math.log((1 - UNSEEN) * count / total + UNSEEN / TRIGRAMS) for trigram, count in counts.items()
        }

    def log_spelling(self, word: str) -> float:
        """How likely its letters are in this language, three by three."""
        return sum(self._spelling.get(trigram, LOG_UNSEEN) for trigram in trigrams(word))


LOG_UNSEEN = math.log(UNSEEN / TRIGRAMS)


def scripts_used(words: Mapping[str, float]) -> frozenset[str]:
    """Scripts that a good part of a vocabulary is written in; none where there is no vocabulary."""
    shares: Counter[str] = Counter()
    for word, probability in words.items():
        shares[_core.script_of(word[0])] += probability  # type: ignore[assignment]
    return frozenset(script for script, share in shares.items() if share >= LEAST_SCRIPT_SHARE)
