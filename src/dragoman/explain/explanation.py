"""Why a translation came out as it did: its derivation as a tree, each rule with its counts, scores and sources.

The sources of a rule are the training pairs that its sampled matches came from. All of them together give the counts
that the rule's features are made of: count(s,t) pairs gave the rule, out of samples(s) places looked at.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dragoman import _core
from dragoman.config import DecodeOptions
from dragoman.index.sources import SourceRecord
from dragoman.model.opened import tokenizers_of
from dragoman.translation import Occurrence, Phrase, SentenceTranslation, TrainingPair
from dragoman.translator import Translator

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Passage:
    """A training pair behind a rule. Spans count characters of the texts; gaps of the rule are not in them."""

    stable_id: int
    id: str
    file: str
    line: int
    unit: str
    attributes: dict[str, str]
    source: str
    target: str
    source_marks: list[Span]
    target_marks: list[Span]
    # Whether the texts are those of the file; else they are the model's words with spaces between.
    raw: bool
    occurrence: Occurrence

    @property
    def place(self) -> str:
        known = SourceRecord(self.stable_id, self.id, "", "", self.file, self.line, self.unit).place
        return known or f"pair {self.stable_id}"


@dataclass(frozen=True, slots=True)
class ExplainedPhrase:
    """A rule as it was used, and the rules that filled its gaps."""

    phrase: Phrase
    # Sampled places of the source side, and how many of them gave this target side, as the features have it: a place
    # that was made to weigh more counts as often. None for rules without samples.
    samples: int | None
    count: int | None
    # Weighted sum of the rule's own features, language models not included.
    score: float
    passages: list[Passage]
    gaps: list[ExplainedPhrase] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Explanation:
    """One sentence: features times weights are the score."""

    sentence: SentenceTranslation
    contributions: dict[str, float]
    tree: list[ExplainedPhrase]

    def as_dict(self) -> dict[str, Any]:
        made = dataclasses.asdict(self.sentence)
        del made["phrases"]
        return {**made, "contributions": self.contributions, "tree": [phrase_dict(each) for each in self.tree]}


def phrase_dict(each: ExplainedPhrase) -> dict[str, Any]:
    made = dataclasses.asdict(each.phrase)
    del made["origins"]
    return {
        **made,
        "samples": each.samples,
        "count": each.count,
        "score": each.score,
        "sources": [dataclasses.asdict(passage) for passage in each.passages],
        "gaps": [phrase_dict(gap) for gap in each.gaps],
    }


@dataclass(frozen=True, slots=True)
class FeatureDifference:
    """What one feature says of two translations; positive contributions speak for the first."""

    name: str
    weight: float
    ours: float
    theirs: float

    @property
    def contribution(self) -> float:
        return self.weight * (self.ours - self.theirs)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The model's translation beside another: either their features, or why the other cannot be had."""

    ours: str
    theirs: str
    our_score: float
    why: dict[str, Any]
    differences: list[FeatureDifference]

    @property
    def verdict(self) -> str:
        if not self.why["possible"]:
            return f"The model cannot give this translation: {self.why['reason']}."
        lead = self.our_score - self.why["score"]
        if abs(lead) < 1e-6:
            return "Both translations score the same: they have the same words, or the model sees no difference."
        if lead < 0:
            return (
                f"The search missed it: the model scores it {-lead:.3f} higher than what it found. A wider search,"
                " such as --pop-limit 1000, may find it."
            )
        named = [each for each in self.differences if each.contribution > 0][:3]
        causes = ", ".join(f"{each.name} ({each.contribution:+.3f})" for each in named)
        return f"The model scores its own translation {lead:.3f} higher, most of all for {causes}."

    def as_dict(self) -> dict[str, Any]:
        why = {**self.why, "phrases": [dataclasses.asdict(phrase) for phrase in self.why["phrases"]]}
        rows = [{**dataclasses.asdict(each), "contribution": each.contribution} for each in self.differences]
        return {
            "ours": self.ours,
            "theirs": self.theirs,
            "our_score": self.our_score,
            "verdict": self.verdict,
            "why": why,
            "differences": rows,
        }


class Explainer:
    """Explains what a translator does. `sources` is how many training pairs are shown for each rule."""

    def __init__(self, translator: Translator, *, sources: int = 3) -> None:
        self.translator = translator
        self.sources = sources
        # One state of the model for each explanation: what is added meanwhile must not mix with it.
        self._now = translator
        self._tokenizers = tuple(_core.Tokenizer(name) for name in tokenizers_of(translator.model))
        self._texts: dict[int, tuple[SourceRecord | None, list[Side]]] = {}

    def explain(self, text: str, options: DecodeOptions | None = None, **more: Any) -> list[Explanation]:
        """One explanation for each sentence of the text; `more` is what Translator.translate takes."""
        self._now = self.translator.snapshot()
        self._texts.clear()
        result = self._now.translate(text, options, explain=True, origins=self.sources, **more)
        return [self.explained(sentence) for sentence in result.sentences]

    def compare(self, source: str, other: str, options: DecodeOptions | None = None) -> Comparison:
        """The model's own translation of a sentence beside another."""
        # Forced decoding takes the source as one sentence; so must what it is compared with.
        now = self.translator.snapshot()
        result = now.translate(source, options)
        best = result.alternatives[0]
        features, score = best.features, best.score
        if len(result.sentences) > 1:
            own = now.why(source, result.text, options)
            if own["possible"]:
                features, score = own["features"], own["score"]
        why = now.why(source, other, options)
        weights = now.weights
        rows = [
            FeatureDifference(name, weights.get(name, 0.0), features.get(name, 0.0), why["features"].get(name, 0.0))
            for name in sorted({*features, *why["features"]})
        ]
        rows.sort(key=lambda row: (-abs(row.contribution), row.name))
        return Comparison(result.text, other, score, why, rows if why["possible"] else [])

    def explained(self, sentence: SentenceTranslation) -> Explanation:
        weights = self._now.weights
        contributions = {name: value * weights.get(name, 0.0) for name, value in sentence.features.items()}
        return Explanation(sentence, contributions, self.tree(sentence.phrases))

    def tree(self, phrases: Sequence[Phrase]) -> list[ExplainedPhrase]:
        """Rules by what they fill: one whose span is a gap of another belongs to that."""
        by_gap: dict[Span, ExplainedPhrase] = {}
        roots: list[ExplainedPhrase] = []
        # A rule comes before those that fill its gaps.
        for phrase in phrases:
            made = self.phrase(phrase)
            parent = by_gap.pop(phrase.source_span, None)
            (roots if parent is None else parent.gaps).append(made)
            for gap in phrase.source_gaps:
                by_gap[gap] = made
        return roots

    def phrase(self, phrase: Phrase) -> ExplainedPhrase:
        sampled = phrase.kind == "grammar" and "SampleCountF" in phrase.features
        weights = self._now.weights
        return ExplainedPhrase(
            phrase,
            counted(phrase, "SampleCountF") if sampled else None,
            counted(phrase, "CountEF") if sampled else None,
            sum(value * weights.get(name, 0.0) for name, value in phrase.features.items()),
            [self.passage(each) for each in phrase.origins],
        )

    def passage(self, origin: Occurrence) -> Passage:
        record, sides = self.texts(origin.stable_id)
        marks = [
            side.marks(pieces)
            for side, pieces in zip(
                sides,
                (
                    outside(origin.source_span, origin.source_gaps),
                    outside(origin.target_span, origin.target_gaps),
                ),
                strict=True,
            )
        ]
        known = record or SourceRecord(origin.stable_id, "", "", "")
        return Passage(
            origin.stable_id,
            known.id,
            known.file,
            known.line,
            known.unit,
            known.attributes,
            sides[0].text,
            sides[1].text,
            marks[0],
            marks[1],
            sides[0].raw and sides[1].raw,
            origin,
        )

    def texts(self, stable_id: int) -> tuple[SourceRecord | None, list[Side]]:
        """A pair as its file has it where that is known and still fits the model's words, else as the model has it."""
        if stable_id not in self._texts:
            record = self._now.sources(stable_id)
            pair = self._now.pair(stable_id) or TrainingPair([], [], [])
            raw = ("", "") if record is None else (record.source, record.target)
            sides = [
                side_of(words, text, tokenizer)
                for words, text, tokenizer in zip((pair.source, pair.target), raw, self._tokenizers, strict=True)
            ]
            self._texts[stable_id] = record, sides
        return self._texts[stable_id]


@dataclass(frozen=True, slots=True)
class Side:
    """One text of a pair and where its words lie in it."""

    text: str
    words: list[Span]
    raw: bool

    def marks(self, pieces: Sequence[Span]) -> list[Span]:
        """Word spans as character spans."""
        return [
            (self.words[begin][0], self.words[end - 1][1]) for begin, end in pieces if begin < end <= len(self.words)
        ]


def side_of(words: Sequence[str], text: str, tokenizer: _core.Tokenizer) -> Side:
    if text:
        try:
            tokens = tokenizer.tokens_with_offsets([text])[0]
        except (UnicodeEncodeError, ValueError):
            tokens = []
        # Prepared text may have been tokenized otherwise; then its words are not the model's.
        if len(tokens) == len(words):
            return Side(text, [(begin, end) for _, begin, end in tokens], True)
    spans, at = [], 0
    for word in words:
        spans.append((at, at + len(word)))
        at += len(word) + 1
    return Side(" ".join(words), spans, False)


def counted(phrase: Phrase, feature: str) -> int:
    """What log10(1 + n) was made of."""
    return round(10 ** phrase.features.get(feature, 0.0) - 1)


def outside(span: Span, gaps: Sequence[Span]) -> list[Span]:
    """What is left of a span without its gaps."""
    pieces, at = [], span[0]
    for begin, end in sorted(gaps):
        pieces.append((at, begin))
        at = end
    pieces.append((at, span[1]))
    return [piece for piece in pieces if piece[0] < piece[1]]
