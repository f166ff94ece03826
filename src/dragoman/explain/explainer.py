"""From a translation to its explanation, a sentence at a time."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.explain.explanation import (
    ExplainedPhrase,
    ExplainedSentence,
    Explanation,
    Passage,
)
from dragoman.explain.source_pair import SourcePair, stored_pair
from dragoman.explain.training_text import Span
from dragoman.model.opened import OpenedModel
from dragoman.translation import Occurrence, Phrase, SentenceTranslation, Translation, shifted


class Explainer:
    """Explains what one state of a model did, which must not change meanwhile."""

    def __init__(self, opened: OpenedModel) -> None:
        self._opened = opened
        # Pairs that were mentioned so far.
        self.pairs: dict[int, SourcePair] = {}

    def explanation(self, source: str, result: Translation) -> Explanation:
        """Of a text that was translated with `explain`."""
        sentences = [
            self.sentence(sentence, sentence.source_span[0], sentence.target_span[0]) for sentence in result.sentences
        ]
        return Explanation(source, result.text, sentences, self.pairs)

    def sentence(self, sentence: SentenceTranslation, source_at: int = 0, target_at: int = 0) -> ExplainedSentence:
        """Of one that begins there in its text and in the translation."""
        weights = self._opened.weights
        children = children_of(sentence.phrases)
        return ExplainedSentence(
            sentence,
            (source_at, source_at + len(sentence.source)),
            (target_at, target_at + len(sentence.text)),
            [shifted(span, source_at) for span in sentence.source_spans],
            [shifted(span, target_at) for span in sentence.target_spans],
            {name: value * weights.get(name, 0.0) for name, value in sentence.features.items()},
            [self._phrase(phrase, inner) for phrase, inner in zip(sentence.phrases, children, strict=True)],
        )

    def _phrase(self, phrase: Phrase, children: list[int]) -> ExplainedPhrase:
        sampled = phrase.kind == "grammar" and "SampleCountF" in phrase.features
        weights = self._opened.weights
        return ExplainedPhrase(
            phrase,
            children,
            counted(phrase, "SampleCountF") if sampled else None,
            counted(phrase, "CountEF") if sampled else None,
            sum(value * weights.get(name, 0.0) for name, value in phrase.features.items()),
            [self._passage(origin) for origin in phrase.origins],
        )

    def _passage(self, origin: Occurrence) -> Passage:
        pair = self.pairs.get(origin.stable_id)
        if pair is None:
            pair = self.pairs[origin.stable_id] = stored_pair(self._opened, origin.stable_id)
        return Passage(
            pair,
            pair.source.marks(origin.source_span, origin.source_gaps),
            pair.target.marks(origin.target_span, origin.target_gaps),
            origin,
        )


def children_of(phrases: Sequence[Phrase]) -> list[list[int]]:
    """For each rule the numbers of those that fill its gaps: the ones whose spans the gaps are."""
    children: list[list[int]] = [[] for _ in phrases]
    open_gaps: dict[Span, int] = {}
    # A rule comes before those that fill its gaps.
    for number, phrase in enumerate(phrases):
        parent = open_gaps.pop(phrase.source_span, None)
        if parent is not None:
            children[parent].append(number)
        open_gaps.update(dict.fromkeys(phrase.source_gaps, number))
    return children


def counted(phrase: Phrase, feature: str) -> int:
    """What log10(1 + n) was made of."""
    return round(10 ** phrase.features.get(feature, 0.0) - 1)
