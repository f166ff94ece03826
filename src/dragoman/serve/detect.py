"""Which of the loaded languages a text is in.

Each language is a distribution over the letter trigrams of its words, made from what is at hand: the model's own
vocabulary, whose ids are by falling frequency (so that Zipf's law gives the counts), and the table of function words.
A text is scored by naive Bayes (Cavnar and Trenkle 1994 count the same trigrams, but compare ranks). A flat
distribution stands for all other languages, so that text in none of ours gets low confidence. Linear in the text.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dragoman import _core
from dragoman.corpus.function_words import FUNCTION_WORDS, table_code
from dragoman.corpus.languages import scripts_of

WORDS_USED = 20_000
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
# Trigrams of a text that are looked at; more say nothing new.
MOST_TRIGRAMS = 5_000
# How much of a trigram's distribution is left to what was never seen.
UNSEEN = 0.02
ALPHABET = 30_000
# Neighbouring trigrams are far from independent, so each counts only so much.
DEPENDENCE = 0.35


@dataclass(frozen=True, slots=True)
class Guess:
    language: str
    confidence: float


def words_of(text: str) -> list[str]:
    return [word.replace("’", "'") for word in WORD.findall(_core.lower(text))]


def trigrams(word: str) -> Iterable[str]:
    padded = f" {word} "
    return (padded[at : at + 3] for at in range(len(padded) - 2))


class Profile:
    """What one language's trigrams look like."""

    def __init__(self, code: str, vocabulary: Iterable[str]) -> None:
        counts: dict[str, float] = defaultdict(float)
        for rank, token in enumerate(vocabulary):
            for word in words_of(token):
                for trigram in trigrams(word):
                    counts[trigram] += 1 / (rank + 10)
        table = FUNCTION_WORDS.get(table_code(code), "").split()
        # Even a model of ten sentences knows its language's commonest words.
        weight = 0.3 * (sum(counts.values()) or 1.0)
        harmonic = sum(len(word) / (rank + 5) for rank, word in enumerate(table)) or 1.0
        for rank, word in enumerate(table):
            for trigram in trigrams(word):
                counts[trigram] += weight / (rank + 5) / harmonic
        total = sum(counts.values()) or 1.0
        self.code = code
        self.scripts = frozenset(scripts_of(code))
        self._log = {
            trigram: math.log((1 - UNSEEN) * count / total + UNSEEN / ALPHABET) for trigram, count in counts.items()
        }
        self._unseen = math.log(UNSEEN / ALPHABET)

    def score(self, counts: Mapping[str, int]) -> float:
        return sum(count * self._log.get(trigram, self._unseen) for trigram, count in counts.items())


class Detector:
    """Tells the given languages apart."""

    def __init__(self, profiles: Iterable[Profile]) -> None:
        self._profiles = list(profiles)

    def detect(self, text: str) -> list[Guess]:
        """All languages, most probable first; confidence is 0 to 100 and 0 for text without letters."""
        counts: Counter[str] = Counter()
        scripts: Counter[str] = Counter()
        for word in words_of(text[: 4 * MOST_TRIGRAMS]):
            counts.update(trigrams(word))
            scripts[_core.script_of(word[0])] += 1
        size = counts.total()
        if not size:
            return [Guess(profile.code, 0.0) for profile in self._profiles]
        words = scripts.total()
        scores = []
        for profile in self._profiles:
            fitting = sum(count for script, count in scripts.items() if script in profile.scripts)
            # Foreign words occur; a text in another script does not.
            alien = 0.0 if not profile.scripts else 20.0 * (words - fitting) / words
            scores.append(DEPENDENCE * profile.score(counts) - alien)
        # The flat distribution over the trigrams that a script writes often.
        other = DEPENDENCE * size * math.log(1 / 6_000)
        highest = max(*scores, other) if scores else other
        masses = [math.exp(max(score - highest, -700)) for score in scores]
        total = sum(masses) + math.exp(max(other - highest, -700))
        guesses = [
            Guess(profile.code, round(100 * mass / total, 1))
            for profile, mass in zip(self._profiles, masses, strict=True)
        ]
        # Where all are next to nothing, the scores still tell which fits best.
        order = sorted(range(len(guesses)), key=lambda place: -scores[place])
        return [guesses[place] for place in order]
