"""Inline markup carried from a text to its translation through the word links.

Tags by themselves become placeholders that are translated as they are. Pairs of tags are taken off, and put around
those words of the translation that are linked to the words they enclosed: of all stretches that hold no word of another
pair beside it, the one with most of its own words and fewest others (a maximum subarray, linear). Pairs nest as they
did. The time is linear in words and links for every level of nesting.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from dragoman.documents.segment import Piece, Segment, Tag
from dragoman.translation import Translation, shifted

Span = tuple[int, int]


@dataclass(slots=True)
class InlineElement:
    """A pair of tags and what it encloses: characters, then words, of the source; words of the target."""

    opening: Tag
    closing: Tag
    begin: int
    end: int = 0
    children: list[InlineElement] = field(default_factory=list)
    words: Span = (0, 0)
    target: Span = (0, 0)


class Flattened:
    """A segment as one line of text with placeholders, and the elements that were taken off it."""

    def __init__(self, segment: Segment) -> None:
        self.segment = segment
        text = "".join(piece for piece in segment if isinstance(piece, str))
        stem = "{_"
        while stem in text:
            stem += "_"
        self.placeholders: dict[str, Tag] = {}
        self.elements: list[InlineElement] = []
        parts: list[str] = []
        size = 0
        stack: list[InlineElement] = []
        for piece in segment:
            if isinstance(piece, str):
                parts.append(piece)
                size += len(piece)
            elif not piece.pair:
                name = f"{stem}{len(self.placeholders) + 1}}}"
                self.placeholders[name] = piece
                parts.append(name)
                size += len(name)
            elif not piece.closing:
                element = InlineElement(piece, piece, size)
                (stack[-1].children if stack else self.elements).append(element)
                stack.append(element)
            else:
                element = stack.pop()
                element.closing, element.end = piece, size
        self.text = "".join(parts)

    def translated(self, translation: Translation) -> Segment:
        """The translation with all the markup in it."""
        if translation.text == self.text:
            return self.segment
        text = translation.text
        if not self.elements:
            return self.with_placeholders([text])
        links = Links.of(translation)
        assign_words(self.elements, links)
        everything = (0, len(links.target))
        place(self.elements, links, everything, (0, len(links.source)))
        pieces: list[Piece] = []
        write(self.elements, (0, len(text)), text, links, pieces)
        return self.with_placeholders(pieces)

    def with_placeholders(self, pieces: Sequence[Piece]) -> Segment:
        """Each placeholder once: one that came twice is left out after the first, one that was lost comes last."""
        if not self.placeholders:
            return tuple(pieces)
        pattern = re.compile("|".join(map(re.escape, self.placeholders)))
        left = dict(self.placeholders)
        restored: list[Piece] = []
        for piece in pieces:
            if not isinstance(piece, str):
                restored.append(piece)
                continue
            at = 0
            for match in pattern.finditer(piece):
                restored.append(piece[at : match.start()])
                at = match.end()
                if match.group() in left:
                    restored.append(left.pop(match.group()))
            restored.append(piece[at:])
        restored += left.values()
        return tuple(piece for piece in restored if piece != "")


@dataclass(slots=True)
class Links:
    """Words of both texts, as character spans, and for each source word the target words it is linked to."""

    source: list[Span]
    target: list[Span]
    targets: list[list[int]]
    sources: list[list[int]]

    @classmethod
    def of(cls, translation: Translation) -> Links:
        links = cls([], [], [], [])
        for sentence in translation.sentences:
            sources, targets = len(links.source), len(links.target)
            links.source += [shifted(span, sentence.source_span[0]) for span in sentence.source_spans]
            links.target += [shifted(span, sentence.target_span[0]) for span in sentence.target_spans]
            links.targets += [[] for _ in sentence.source_tokens]
            links.sources += [[] for _ in sentence.target_tokens]
            for s, t in sentence.alignment:
                links.targets[sources + s].append(targets + t)
                links.sources[targets + t].append(sources + s)
        return links


def assign_words(elements: Sequence[InlineElement], links: Links) -> None:
    """The source words of elements: those whose middle they enclose, or the word they are a part of."""
    middles = [a + b for a, b in links.source]
    ends = [b for _, b in links.source]

    def assign(element: InlineElement) -> None:
        first, last = bisect_left(middles, 2 * element.begin), bisect_left(middles, 2 * element.end)
        if first == last and element.begin < element.end:
            part = bisect_right(ends, element.begin)
            if part < len(ends) and links.source[part][0] < element.end:
                first, last = part, part + 1
        element.words = (first, last)
        for child in element.children:
            assign(child)

    for element in elements:
        assign(element)


def place(elements: Sequence[InlineElement], links: Links, within: Span, words: Span) -> None:
    """Gives each of the elements beside each other, all within one stretch of target words, its own stretch."""
    if not elements:
        return
    element_of = {s: number for number, element in enumerate(elements) for s in range(*element.words)}
    owner: dict[int, int] = {}
    mine: list[list[int]] = [[] for _ in elements]
    for t in sorted({t for s in element_of for t in links.targets[s] if within[0] <= t < within[1]}):
        votes: dict[int, int] = {}
        for s in links.sources[t]:
            number = element_of.get(s, -1)
            votes[number] = votes.get(number, 0) + 1
        best = max(votes, key=lambda number: (votes[number], -number))
        if best >= 0:
            owner[t] = best
            mine[best].append(t)
    for number, element in enumerate(elements):
        if len(elements) == 1 and element.words == words and words[0] < words[1]:
            element.target = within
        else:
            element.target = best_stretch(number, mine[number], owner, links) or empty_stretch(element, links, within)
        place(element.children, links, element.target, element.words)


def best_stretch(number: int, mine: Sequence[int], owner: dict[int, int], links: Links) -> Span | None:
    best, best_score = None, 0.0
    begin, score = mine[0] if mine else 0, 0.0
    for t in range(mine[0], mine[-1] + 1) if mine else ():
        who = owner.get(t)
        if who is None:
            # A word without links may come along; one that is linked elsewhere costs as much as one of its own gains.
            score -= 1.0 if links.sources[t] else 0.01
        elif who == number:
            score += 1.0
        else:
            begin, score = t + 1, 0.0
            continue
        if score <= 0:
            begin, score = t + 1, 0.0
        elif score > best_score:
            best, best_score = (begin, t + 1), score
    return best


def empty_stretch(element: InlineElement, links: Links, within: Span) -> Span:
    """Where an element without linked words goes: behind what the word before it became, or before what follows."""
    for s in range(element.words[0] - 1, -1, -1):
        if links.targets[s]:
            at = min(max(max(links.targets[s]) + 1, within[0]), within[1])
            return at, at
    return within[0], within[0]


def write(elements: Sequence[InlineElement], span: Span, text: str, links: Links, pieces: list[Piece]) -> None:
    """Appends text[span] with the elements' tags in it."""
    at = span[0]
    taken = [element.target for element in elements if element.target[0] < element.target[1]]
    order = []
    for number, element in enumerate(elements):
        begin, end = element.target
        if begin == end:
            # Not inside one of the others.
            begin = end = next((b for a, b in taken if a < begin < b), begin)
        order.append((begin, end, number, element))
    order.sort(key=lambda entry: entry[:3])
    for begin, end, _, element in order:
        if begin < end:
            first, last = links.target[begin][0], links.target[end - 1][1]
        elif begin == 0:
            first = last = span[0]
        else:
            first = last = links.target[begin - 1][1]
        first = min(max(first, at), span[1])
        last = min(max(last, first), span[1])
        pieces.append(text[at:first])
        pieces.append(element.opening)
        write(element.children, (first, last), text, links, pieces)
        pieces.append(element.closing)
        at = last
    pieces.append(text[at : span[1]])
