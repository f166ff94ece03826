"""The stored pairs that are nearest to a sentence, as a translation memory shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dragoman.explain.match import EXACT, Match
from dragoman.explain.source_pair import stored_pair
from dragoman.explain.training_text import Span
from dragoman.model.opened import OpenedModel

# Words that the search looks at or compares: a few hundredths of a second.
WORK = 10_000_000
# Percent; below that a stored translation is seldom of use.
AT_LEAST = 60


def nearest(opened: OpenedModel, text: str, most: int, at_least: int) -> list[Match]:
    """Of one state of a model, which must not change meanwhile."""
    spans, (neighbours, _) = opened.core.nearest(text, most, at_least, WORK)
    matches = []
    for stable_id, distance, words, kept, alike in neighbours:
        pair = stored_pair(opened, stable_id)
        if distance == 0:
            # Of pairs that differ in case and spaces alone, the one that does not differ.
            others = (stored_pair(opened, other) for other in alike)
            pair = next((stored for stored in (pair, *others) if stored.source.text == text), pair)
        percent = EXACT if pair.source.text == text else min(EXACT - 1, EXACT * (words - distance) // words)
        matches.append(
            Match(
                percent,
                pair,
                changes(pair.source.words, {position for _, position in kept}),
                changes(spans, {position for position, _ in kept}),
            )
        )
    return matches


def changes(words: Sequence[Span], kept: Iterable[int]) -> list[Span]:
    """Stretches of words that are not among those kept."""
    stays = set(kept)
    stretches: list[Span] = []
    for number, (begin, end) in enumerate(words):
        if number in stays:
            continue
        if stretches and number - 1 not in stays:
            begin = stretches.pop()[0]
        stretches.append((begin, end))
    return stretches
