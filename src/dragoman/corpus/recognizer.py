"""Which language a text looks like: what is asked before wrong text does harm.

Two questions are answered. Which of some languages is this text in, most probable first? And is it in the language that
somebody says, or does it look like another: one of those at hand, or of the table of function words? Doubt needs
evidence for another language. That words are unknown is none, so that no language is turned away for being in no table,
no model for its small vocabulary, and no text for its jargon.

To both a text is a bag of words (naive Bayes). A word that some language knows counts by how frequent it is there; one
that none knows by its spelling. Linear in the text, of which no more is read than says something new.
"""

from __future__ import annotations

import functools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dragoman import _core
from dragoman.corpus.function_words import FUNCTION_WORDS, table_code
from dragoman.corpus.language_names import language_name
from dragoman.corpus.language_profile import LanguageProfile, trigrams, words_in
from dragoman.corpus.languages import only_language_in, primary

MOST_CHARACTERS = 20_000
# Fewer letters say little about a script; and names and codes are written in Latin letters everywhere.
LEAST_LETTERS = 10
EVERYWHERE = "latin"
# Evidence for another language, in nats, that it takes to doubt: of the whole text, and for each of its words on
# average; and so many different words must speak for it.
LEAST_EVIDENCE, LEAST_EVIDENCE_PER_WORD, LEAST_WITNESSES = 8.0, 0.5, 3
# What speaks for another language by less than this is a word of both.
WITNESS = 1.0
# A word, and three letters, of a language that nobody has told us about.
LOG_OTHER_WORD, LOG_OTHER_TRIGRAM = math.log(1 / 20_000), math.log(1 / 6_000)
# Neighbouring trigrams are far from independent, so each counts only so much.
DEPENDENCE = 0.35
# A language that has no list of function words is judged by a vocabulary, which may be that of another subject: a text
# of fewer words, or with so much of the vocabulary, is never held to be in a language of the table.
LEAST_WORDS, LEAST_SHARE = 30, 0.12
# Whole sentences have function words, so that any vocabulary of their language knows more of them than this; it takes a
# vocabulary of some size to say so, and enough text.
STRANGE_SHARE, STRANGE_VOCABULARY, STRANGE_WORDS, SENTENCE_WORDS = 0.04, 1000, 300, 5
# Where so much, of the whole text and for each of its words, speaks for a language that nobody has told us about, it is
# none of ours; short of that, the best of ours has at least this confidence.
LEAST_STRANGENESS, LEAST_STRANGENESS_PER_WORD = 15.0, 2.0
LEAST_CONFIDENCE = 1.0


@dataclass(frozen=True, slots=True)
class Guess:
    """A language that a text may be in; confidence is 0 to 100."""

    language: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Doubt:
    """A text is hardly in the language it is said to be in. What it looks like is a code, or empty where that is not
    known; then it is written in another script, by its name."""

    expected: str
    looks_like: str
    script: str = ""

    @property
    def apparent(self) -> str:
        """What it looks like, for people."""
        return language_name(self.looks_like) if self.looks_like else f"{self.script.capitalize()} script"

    def __str__(self) -> str:
        return f"looks like {self.apparent}, not {language_name(self.expected)}"


class Recognizer:
    """Knows some languages by their profiles, and those of the table by their function words."""

    def __init__(self, profiles: Iterable[LanguageProfile]) -> None:
        self.profiles = list(profiles)
        self._named = {name(profile.code) for profile in self.profiles for name in (table_code, primary)}

    def guesses(self, text: str) -> list[Guess]:
        """The languages at hand that the text may be in, most probable first; none where it looks like none."""
        words = Counter(words_in(text[:MOST_CHARACTERS]))
        letters = letters_by_script(words)
        possible = [profile for profile in self.profiles if fits_script(profile.scripts, letters)]
        if not words or not possible:
            return []
        scores = sorted(((score(profile, words, possible), profile) for profile in possible), key=lambda pair: -pair[0])
        best, best_profile = scores[0]
        stranger = strangeness(words, possible)
        # A script of its own is enough to know a language by.
        alone = len(possible) == 1 and EVERYWHERE not in best_profile.scripts
        if not alone and stranger - best > max(LEAST_STRANGENESS, LEAST_STRANGENESS_PER_WORD * words.total()):
            return []
        if self._strongest(best_profile, words, letters, known=()):
            return []
        masses = [
            math.exp(max(log_mass - max(best, stranger), -700))
            for log_mass in (*(pair[0] for pair in scores), stranger)
        ]
        shares = [round(100 * mass / sum(masses), 1) for mass in masses]
        first, *rest = [Guess(profile.code, share) for (_, profile), share in zip(scores, shares, strict=False)]
        return [
            Guess(first.language, max(first.confidence, LEAST_CONFIDENCE)),
            *(guess for guess in rest if guess.confidence >= LEAST_CONFIDENCE),
        ]

    def doubt(self, texts: str | Iterable[str], own: LanguageProfile) -> Doubt | None:
        """Why a text, or several as one, is hardly in this language, which is one of those at hand."""
        words = Counter(words_in(as_one(texts)))
        letters = letters_by_script(words)
        others = [profile for profile in self.profiles if profile is not own]
        if letters.total() >= LEAST_LETTERS and not fits_script(own.scripts, letters):
            script = letters.most_common(1)[0][0]
            likely = self._strongest(NO_WORDS, words, letters, others) or only_language_in(script)
            return None if not likely and script == EVERYWHERE else Doubt(own.code, likely, script)
        # Of a language that nothing is known of, no text can be judged by its words.
        likely = "" if own.is_empty else self._strongest(own, words, letters, others)
        return Doubt(own.code, likely) if likely else None

    def is_strange(self, sentences: Sequence[str], own: LanguageProfile) -> bool:
        """Whether many sentences have hardly a word that a vocabulary of this language knows.

        Then they are in another language, whether or not anything is known of that one.
        """
        words = Counter(dict(telling(Counter(words_in(as_one(sentences))))))
        return (
            own.vocabulary_size >= STRANGE_VOCABULARY
            and words.total() >= max(STRANGE_WORDS, SENTENCE_WORDS * len(sentences))
            and own.share_known(words) < STRANGE_SHARE
        )

    @staticmethod
    def _misses_vocabulary(own: LanguageProfile, words: Mapping[str, int]) -> bool:
        """Whether a text is long enough to have words of a vocabulary, and has few; or there is no vocabulary."""
        told = Counter(dict(telling(words)))
        return not own.vocabulary_size or (told.total() >= LEAST_WORDS and own.share_known(told) < LEAST_SHARE)

    def _strongest(
        self, own: LanguageProfile, words: Mapping[str, int], letters: Counter[str], known: Iterable[LanguageProfile]
    ) -> str:
        """The language that there is most evidence for against `own`, if it convinces: of those, or of the table."""
        fitting = [other for other in known if fits_script(other.scripts, letters)]
        table = table_evidence(own, words) if own.is_listed or self._misses_vocabulary(own, words) else {}
        proofs = {
            **{code: proof for code, proof in table.items() if code not in self._named},
            **{other.code: evidence(own, other, words) for other in fitting},
        }
        convincing = {code: proof.nats for code, proof in proofs.items() if proof.convinces}
        return max(convincing, key=lambda code: convincing[code], default="")


# A language that nothing is known of, and one that has none of the words that are asked for.
NOTHING_KNOWN, NO_WORDS = LanguageProfile(""), LanguageProfile("", [])


def as_one(texts: str | Iterable[str]) -> str:
    if isinstance(texts, str):
        return texts[:MOST_CHARACTERS]
    taken: list[str] = []
    room = MOST_CHARACTERS
    for text in texts:
        taken.append(text[:room])
        room -= len(text) + 1
        if room <= 0:
            break
    return "\n".join(taken)


def letters_by_script(words: Mapping[str, int]) -> Counter[str]:
    letters: Counter[str] = Counter()
    for word, count in words.items():
        letters[_core.script_of(word[0])] += count * len(word)
    return letters


def fits_script(scripts: frozenset[str], letters: Counter[str]) -> bool:
    """Whether at least half of the letters are such as a language uses; foreign words occur, foreign text does not."""
    return not scripts or 2 * sum(letters[script] for script in scripts) >= letters.total()


def is_known(word: str, profiles: Iterable[LanguageProfile]) -> bool:
    return any(profile.knows(word) for profile in profiles)


def score(profile: LanguageProfile, words: Mapping[str, int], profiles: Sequence[LanguageProfile]) -> float:
    """How probable the words are in one of some languages."""
    return sum(
        count * (profile.log_word(word) if is_known(word, profiles) else DEPENDENCE * profile.log_spelling(word))
        for word, count in words.items()
    )


def strangeness(words: Mapping[str, int], profiles: Sequence[LanguageProfile]) -> float:
    """How probable they are in a language that nothing is known of."""
    return sum(
        count
        * (LOG_OTHER_WORD if is_known(word, profiles) else DEPENDENCE * LOG_OTHER_TRIGRAM * len([*trigrams(word)]))
        for word, count in words.items()
    )


@dataclass(frozen=True, slots=True)
class Evidence:
    """That a text is in another language than it should: nats, how many words there are, how many speak for it."""

    nats: float
    words: int
    witnesses: int

    @property
    def convinces(self) -> bool:
        return self.witnesses >= LEAST_WITNESSES and self.nats >= max(
            LEAST_EVIDENCE, LEAST_EVIDENCE_PER_WORD * self.words
        )


def telling(words: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Words that say something: single letters are words of many languages, and the stuff of formulas."""
    return ((word, count) for word, count in words.items() if len(word) > 1 or not word.isascii())


def evidence(own: LanguageProfile, other: LanguageProfile, words: Mapping[str, int]) -> Evidence:
    """A word that the other language is not known to use never speaks for it."""
    nats, size = 0.0, 0
    witnesses = 0
    for word, count in telling(words):
        gain = other.log_word(word) - own.log_word(word)
        nats += count * (gain if other.knows(word) else min(gain, 0.0))
        size += count
        witnesses += gain > WITNESS and other.knows(word)
    return Evidence(nats, size, witnesses)


@functools.cache
def table_words() -> Mapping[str, Sequence[tuple[str, float]]]:
    """Function words: each with the languages that have it, and how likely it is there."""
    words: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for code, listed in FUNCTION_WORDS.items():
        profile = LanguageProfile(code)
        for word in listed.split():
            words[word].append((code, profile.log_word(word)))
    return words


def table_evidence(own: LanguageProfile, words: Mapping[str, int]) -> dict[str, Evidence]:
    """The same for all languages of the table that have a word of the text, in one pass."""
    nats, size = 0.0, 0
    gains: dict[str, float] = defaultdict(float)
    witnesses: Counter[str] = Counter()
    known = table_words()
    for word, count in telling(words):
        log = own.log_word(word)
        lost = min(NOTHING_KNOWN.log_word(word) - log, 0.0)
        nats += count * lost
        size += count
        for code, log_there in known.get(word, ()):
            gains[code] += count * (log_there - log - lost)
            witnesses[code] += log_there - log > WITNESS
    return {code: Evidence(nats + gain, size, witnesses[code]) for code, gain in gains.items()}
