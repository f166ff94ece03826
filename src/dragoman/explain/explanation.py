"""Why a translation came out as it did: the rules of its derivation, each with its counts, scores and sources.

The sources of a rule are the training pairs that its sampled matches came from. All of them together give the counts
that the rule's features are made of: count(s,t) pairs gave the rule, out of samples(s) places looked at.

`as_json` is the one form that the command line, Python and the server have. Places are spans of characters of Unicode,
half-open: of sentences and tokens in the whole text and its translation, of passages in their training pairs. Rules
stand in a list and name those that fill their gaps by number; pairs stand once in `sources`, named there by key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dragoman.explain.match import Match
from dragoman.explain.source_pair import SourcePair
from dragoman.explain.training_text import Span
from dragoman.translation import Occurrence, Phrase, SentenceTranslation

Json = dict[str, Any]
# Of numbers in JSON; more would make answers long.
DIGITS = 6


@dataclass(frozen=True, slots=True)
class Passage:
    """Where in a training pair a rule was seen: spans of characters of the texts, without the gaps of the rule."""

    pair: SourcePair
    source_marks: list[Span]
    target_marks: list[Span]
    occurrence: Occurrence

    def as_json(self) -> Json:
        return {
            "pair": str(self.pair.stable_id),
            "source": self.source_marks,
            "target": self.target_marks,
            "weight": self.occurrence.weight,
        }


@dataclass(frozen=True, slots=True)
class ExplainedPhrase:
    """A rule as it was used."""

    phrase: Phrase
    # The rules that filled its gaps, by their numbers in the sentence.
    children: list[int]
    # Sampled places of the source side, and how many of them gave this target side, as the features have it: a place
    # that was made to weigh more counts as often. None for rules without samples.
    samples: int | None
    count: int | None
    # Weighted sum of the rule's own features, language models not included.
    score: float
    passages: list[Passage]

    def as_json(self, with_sources: bool = True) -> Json:
        phrase = self.phrase
        origins = {"origins": [passage.as_json() for passage in self.passages]} if with_sources else {}
        return {
            "kind": phrase.kind,
            "source": phrase.source,
            "target": phrase.target,
            "source_span": phrase.source_span,
            "target_span": phrase.target_span,
            "source_gaps": phrase.source_gaps,
            "target_gaps": phrase.target_gaps,
            "children": self.children,
            "features": numbers(phrase.features),
            "score": rounded(self.score),
            "samples": self.samples,
            "count": self.count,
            "seen": phrase.origin_count,
            **origins,
        }


@dataclass(frozen=True, slots=True)
class ExplainedSentence:
    """One sentence: features times weights are the score."""

    sentence: SentenceTranslation
    # Spans of characters in the whole text and its translation: of the sentence, and of each of its tokens.
    source_span: Span
    target_span: Span
    source_tokens: list[Span]
    target_tokens: list[Span]
    contributions: dict[str, float]
    phrases: list[ExplainedPhrase]

    @property
    def roots(self) -> list[ExplainedPhrase]:
        """The rules that fill no other's gap."""
        inner = {number for phrase in self.phrases for number in phrase.children}
        return [phrase for number, phrase in enumerate(self.phrases) if number not in inner]

    def as_json(self, with_sources: bool = True) -> Json:
        sentence = self.sentence
        words = sentence.word_confidence
        return {
            "source": self.source_span,
            "target": self.target_span,
            "source_tokens": self.source_tokens,
            "target_tokens": self.target_tokens,
            "links": sentence.alignment,
            "unknown": sentence.oov,
            "terms": sentence.terms,
            "score": rounded(sentence.score),
            "contributions": numbers(self.contributions),
            "confidence": rounded(sentence.confidence),
            "word_confidence": None if words is None else [rounded(word) for word in words],
            "narrowed": sentence.narrowed,
            "derivation": [phrase.as_json(with_sources) for phrase in self.phrases],
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """A translated text and what stands behind it. `str` of it is the translation."""

    source: str
    text: str
    sentences: list[ExplainedSentence]
    # The training pairs that passages are in, by stable id.
    pairs: dict[int, SourcePair]
    # The stored pairs nearest to the text, where they were asked for.
    matches: list[Match] = field(default_factory=list)

    def __str__(self) -> str:
        return self.text

    def as_json(self) -> Json:
        """What `dragoman explain --json` prints."""
        return {
            "source": self.source,
            "text": self.text,
            "sentences": [sentence.as_json() for sentence in self.sentences],
            "sources": sources_json(self.pairs),
            **({"matches": [match.as_json() for match in self.matches]} if self.matches else {}),
        }


def sources_json(pairs: Mapping[int, SourcePair]) -> Json:
    return {str(stable_id): pair.as_json() for stable_id, pair in pairs.items()}


def numbers(values: Mapping[str, float]) -> dict[str, float]:
    """Those that say something."""
    return {name: round(value, DIGITS) for name, value in values.items() if value}


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)
