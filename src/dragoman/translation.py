"""What a translator gives back: texts, their sentences, the rules behind them, and where those were seen."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dragoman import _core
from dragoman.confidence.estimator import SentenceConfidence


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to translate a text: the score is the product of its features and the model's weights."""

    text: str
    score: float
    features: dict[str, float]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A training pair that a rule was sampled from, and where in its words: spans with their gaps, and the gaps."""

    stable_id: int
    source_span: tuple[int, int]
    target_span: tuple[int, int]
    source_gaps: list[tuple[int, int]]
    target_gaps: list[tuple[int, int]]
    # How often it counts: pairs added since training may weigh more than others.
    weight: int = 1


@dataclass(frozen=True, slots=True)
class TrainingPair:
    """A sentence pair: the model's words of both sides, links between their positions, and the texts."""

    source: list[str]
    target: list[str]
    links: list[tuple[int, int]]
    # The texts as they were written, if `raw`; else the words, joined as the language is written.
    source_text: str
    target_text: str
    # Of each word, in characters of its text.
    source_spans: list[tuple[int, int]]
    target_spans: list[tuple[int, int]]
    raw: bool


@dataclass(frozen=True, slots=True)
class Phrase:
    """A rule of the derivation: what it covers on either side, and where in the training text it was seen."""

    kind: str
    # The model's words of either side, joined as the language is written, and gaps: [X,1].
    source: str
    target: str
    source_span: tuple[int, int]
    target_span: tuple[int, int]
    source_gaps: list[tuple[int, int]]
    target_gaps: list[tuple[int, int]]
    features: dict[str, float]
    # The sentence pairs that its sampled matches came from, as many as were asked for; origin_count says how many
    # there are in all. Their weights add up to the count that the rule's features are made of.
    origins: list[Occurrence]
    origin_count: int


@dataclass(frozen=True, slots=True)
class SentenceTranslation:
    """The best translation of one sentence; positions count its tokens, spans count characters."""

    source: str
    text: str
    score: float
    features: dict[str, float]
    # Where it stands in the text, not counting instructions of markup, and where its translation stands in the whole.
    source_span: tuple[int, int]
    target_span: tuple[int, int]
    source_tokens: list[str]
    target_tokens: list[str]
    # Where each token stands in `source` and in `text`.
    source_spans: list[tuple[int, int]]
    target_spans: list[tuple[int, int]]
    alignment: list[tuple[int, int]]
    # Positions of target words that no rule could translate: they are the source's words.
    oov: list[int]
    # Tags, placeholders, addresses and spans with given translations: in the source, and in the translation.
    protected_in: int
    protected_out: int
    # Terms of the glossaries that were obeyed, in the model's words, and how each is written in the translation.
    terms: list[tuple[str, str]]
    # Whether a limit of time or memory made the search narrower than asked for.
    narrowed: bool
    # With neural models: how many words they were asked about, and the shares that their caches knew.
    neural: dict[str, float] = field(default_factory=dict)
    phrases: list[Phrase] = field(default_factory=list)
    # What to expect of the sentence, and of each target word: see dragoman.confidence. None where it was not asked for
    # or the model was not taught it.
    confidence: float | None = None
    word_confidence: list[float] | None = None


@dataclass(frozen=True, slots=True)
class Translation:
    """A translated text. `str` of it is the text."""

    text: str
    alternatives: list[Alternative]
    sentences: list[SentenceTranslation]

    def __str__(self) -> str:
        return self.text

    @property
    def score(self) -> float:
        return self.alternatives[0].score

    @property
    def glossary_hits(self) -> dict[str, int]:
        """How often each term of the glossaries was obeyed."""
        return dict(Counter(term for sentence in self.sentences for term, _ in sentence.terms))

    def as_json(self) -> dict[str, Any]:
        """What `dragoman translate --json` prints."""
        values = {**dataclasses.asdict(self), "glossary_hits": self.glossary_hits}
        for sentence in values["sentences"]:
            for name in ("phrases", "neural"):
                if not sentence[name]:
                    del sentence[name]
        return values


def phrase_of(rule: _core.RuleUse) -> Phrase:
    values: dict[str, Any] = {**rule, "origins": [Occurrence(**origin) for origin in rule["origins"]]}
    return Phrase(**values)


def sentence_of(
    sentence: _core.TranslatedSentence,
    explain: bool = True,
    trust: SentenceConfidence | None = None,
    line_at: tuple[int, int] = (0, 0),
) -> SentenceTranslation:
    """A sentence of a line that begins at these places of its text and of the translation."""
    best = sentence["candidates"][0]
    return SentenceTranslation(
        source=sentence["source"],
        text=best["text"],
        score=best["score"],
        features=best["features"],
        source_span=shifted(sentence["source_span"], line_at[0]),
        target_span=shifted(sentence["target_span"], line_at[1]),
        source_tokens=sentence["source_tokens"],
        target_tokens=best["target_tokens"],
        source_spans=sentence["source_spans"],
        target_spans=best["target_spans"],
        alignment=best["alignment"],
        oov=best["unknown"],
        protected_in=sentence["protected_in"],
        protected_out=sentence["protected_out"],
        terms=sentence["terms"],
        narrowed=sentence["narrowed"],
        neural=sentence["neural"],
        phrases=[phrase_of(rule) for rule in best.get("rules", [])] if explain else [],
        confidence=trust.sentence if trust is not None else None,
        word_confidence=trust.words if trust is not None else None,
    )


def shifted(span: tuple[int, int], by: int) -> tuple[int, int]:
    return span[0] + by, span[1] + by


def translation_of(
    lines: Sequence[_core.TranslatedLine], sentences: list[SentenceTranslation], nbest: int = 1
) -> Translation:
    """One text of one or more lines; alternatives are those of a text of one line, else its best translation."""
    if len(lines) == 1:
        alternatives = [Alternative(**alternative) for alternative in lines[0]["alternatives"][:nbest]]
        return Translation(alternatives[0].text, alternatives, sentences)
    text = "\n".join(line["text"] for line in lines)
    features: dict[str, float] = {}
    for line in lines:
        for name, value in line["alternatives"][0]["features"].items():
            features[name] = features.get(name, 0.0) + value
    score = sum(line["alternatives"][0]["score"] for line in lines)
    return Translation(text, [Alternative(text, score, features)], sentences)
