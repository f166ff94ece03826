"""What stands behind a translation, as JSON: words and links with their places in the text, the derivation, and the
training sentences each phrase was seen in. Offsets count characters of Unicode, spans are half-open."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from dragoman.serve.spans import locate
from dragoman.serve.texts import TranslatedText
from dragoman.serve.workers import AGAIN, Again, Piece
from dragoman.translation import Occurrence, Phrase, SentenceTranslation
from dragoman.translator import Translator

Span = tuple[int, int]
# Places shown of each phrase.
MOST_ORIGINS = 3
TURN_SENTENCES = 8


def shifted(spans: Iterable[Span], offset: int) -> list[list[int]]:
    return [[begin + offset, end + offset] for begin, end in spans]


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def without_gaps(span: Span, gaps: Iterable[Span]) -> list[Span]:
    """What is left of a span of words when its gaps are taken out."""
    left, at = [], span[0]
    for begin, end in sorted(gaps):
        if at < begin:
            left.append((at, begin))
        at = max(at, end)
    if at < span[1]:
        left.append((at, span[1]))
    return left


def characters(words: Iterable[Span], places: Sequence[Span]) -> list[list[int]]:
    """Spans of words as spans of characters."""
    return [[places[begin][0], places[end - 1][1]] for begin, end in words if begin < end <= len(places)]


def children_of(phrases: Sequence[Phrase]) -> list[list[int]]:
    """For each phrase, those that fill its gaps: of all that lie in a gap, the ones that no other of them holds."""
    by_span: dict[Span, list[int]] = {}
    for number, phrase in enumerate(phrases):
        by_span.setdefault(phrase.source_span, []).append(number)
    made: list[list[int]] = []
    for number, phrase in enumerate(phrases):
        filling = []
        for gap in phrase.source_gaps:
            # A rule that only wraps another has its span; the outer one comes first.
            same = [other for other in by_span.get(gap, []) if other != number and other > number]
            filling += same[:1] or [other for other in by_span.get(gap, []) if other != number][:1]
        made.append(filling)
    return made


class SourceBook:
    """Training pairs mentioned in one answer, each written once."""

    def __init__(self, translator: Translator) -> None:
        self._translator = translator
        self.pairs: dict[str, dict[str, Any]] = {}
        self._places: dict[int, tuple[list[Span], list[Span]]] = {}

    def add(self, origin: Occurrence) -> dict[str, Any]:
        """Enters a pair and says where in it the phrase was seen."""
        places = self._places.get(origin.stable_id)
        if places is None:
            places = self._places[origin.stable_id] = self._enter(origin.stable_id)
        return {
            "pair": str(origin.stable_id),
            "source": characters(without_gaps(origin.source_span, origin.source_gaps), places[0]),
            "target": characters(without_gaps(origin.target_span, origin.target_gaps), places[1]),
        }

    def _enter(self, stable_id: int) -> tuple[list[Span], list[Span]]:
        words = self._translator.pair(stable_id)
        if words is None:
            return [], []
        record = self._translator.sources(stable_id)
        entry: dict[str, Any] = {"source": " ".join(words.source), "target": " ".join(words.target)}
        if record is not None:
            entry = {"source": record.source, "target": record.target, "name": record.id}
            for name in ("file", "line", "unit", "attributes"):
                if value := getattr(record, name):
                    entry[name] = value
        self.pairs[str(stable_id)] = entry
        return locate(words.source, entry["source"]), locate(words.target, entry["target"])


def phrase_json(phrase: Phrase, children: list[int], book: SourceBook | None) -> dict[str, Any]:
    made: dict[str, Any] = {
        "kind": phrase.kind,
        "source": phrase.source,
        "target": phrase.target,
        "sourceSpan": list(phrase.source_span),
        "targetSpan": list(phrase.target_span),
        "sourceGaps": [list(gap) for gap in phrase.source_gaps],
        "targetGaps": [list(gap) for gap in phrase.target_gaps],
        "children": children,
        "features": {name: round(value, 4) for name, value in phrase.features.items() if value},
        "seen": phrase.origin_count,
    }
    if book is not None:
        made["origins"] = [book.add(origin) for origin in phrase.origins[:MOST_ORIGINS]]
    return made


def sentence_json(
    source_at: int, target_at: int, sentence: SentenceTranslation, book: SourceBook | None
) -> dict[str, Any]:
    children = children_of(sentence.phrases)
    return {
        "source": [source_at, source_at + len(sentence.source)],
        "target": [target_at, target_at + len(sentence.text)],
        "sourceTokens": shifted(locate(sentence.source_tokens, sentence.source), source_at),
        "targetTokens": shifted(locate(sentence.target_tokens, sentence.text), target_at),
        "links": [list(link) for link in sentence.alignment],
        "unknown": sentence.oov,
        "terms": [list(term) for term in sentence.terms],
        "score": round(sentence.score, 4),
        "confidence": rounded(sentence.confidence),
        "wordConfidence": [rounded(each) for each in sentence.word_confidence] if sentence.word_confidence else None,
        "narrowed": sentence.narrowed,
        "derivation": [phrase_json(phrase, children[number], book) for number, phrase in enumerate(sentence.phrases)],
    }


def explaining(translator: Translator, text: TranslatedText, with_sources: bool) -> Piece[dict[str, Any]]:
    """The explanation of a text, a few sentences in a turn."""
    book = SourceBook(translator) if with_sources else None
    made: dict[str, Any] = {"sentences": []}
    left = iter(text.sentences)

    def turn() -> dict[str, Any] | Again:
        few = list(itertools.islice(left, TURN_SENTENCES))
        made["sentences"] += [sentence_json(*each, book) for each in few]
        if len(few) == TURN_SENTENCES:
            return AGAIN
        if book is not None:
            made["sources"] = book.pairs
        return made

    return turn
