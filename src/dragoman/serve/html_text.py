"""Translating HTML: what people read is translated, everything else comes back as it was.

A segment is translated without its paired tags, so that they disturb neither phrases nor language model, and each
element is put around the words its words are linked to. Where those do not stand together, the segment is translated
again with tags of our own in it, which the core keeps around what they enclose; and should even that fail, between its
tags. Text is unescaped before and escaped after, so `&lt;b&gt;` can never turn into a tag.
"""

from __future__ import annotations

import html
import re
from collections.abc import Generator, Sequence

from dragoman.serve.html_segments import Piece, core_of, pieces_of, segments_of
from dragoman.serve.html_tokens import Token
from dragoman.serve.spans import locate
from dragoman.translator import Translation

# Lines to translate go out, their translations come in, the whole comes back at the end.
Job = Generator[list[str], Sequence[Translation], str]
Span = tuple[int, int]
BLANKS = re.compile(r"\s+")
# With more tags in one segment the constraints cost more than they are worth.
MAX_TAGS = 60


def blanks_around(text: str) -> tuple[str, str]:
    left = text[: len(text) - len(text.lstrip())]
    return left, text[len(text.rstrip()) :] if len(left) < len(text) else ""


def token_places(line: str, translation: Translation) -> tuple[list[Span], list[Span], list[tuple[int, int]]]:
    """Places of a line's tokens in the line and in its translation, and the links between them."""
    source: list[Span] = []
    target: list[Span] = []
    links: list[tuple[int, int]] = []
    source_at = target_at = 0
    for sentence in translation.sentences:
        source_at = max(line.find(sentence.source, source_at), source_at)
        target_at = max(translation.text.find(sentence.text, target_at), target_at)
        links += [(one + len(source), other + len(target)) for one, other in sentence.alignment]
        source += [(b + source_at, e + source_at) for b, e in locate(sentence.source_tokens, sentence.source)]
        target += [(b + target_at, e + target_at) for b, e in locate(sentence.target_tokens, sentence.text)]
        source_at += len(sentence.source)
        target_at += len(sentence.text)
    return source, target, links


def projected(elements: Sequence[Span], line: str, translation: Translation) -> list[Span] | None:
    """Where spans of the line come to lie in its translation; None unless each stays in one piece, and nested so."""
    source, target, links = token_places(line, translation)
    if any(begin == end for begin, end in (*source, *target)):
        return None
    partners: dict[int, set[int]] = {}
    for one, other in links:
        partners.setdefault(other, set()).add(one)
    made: list[Span] = []
    for begin, end in elements:
        inside = {place for place, (b, e) in enumerate(source) if begin <= b and e <= end}
        if any(b < begin < e or b < end < e for b, e in source):
            return None
        reached = [other for other, ones in partners.items() if ones & inside]
        if not reached:
            return None
        first, last = min(reached), max(reached)
        # A word of another's in the middle, and this element is in pieces.
        if any(partners.get(place, inside).isdisjoint(inside) for place in range(first, last + 1)):
            return None
        made.append((target[first][0], target[last][1]))
    for number, (begin, end) in enumerate(made):
        for other in range(number):
            b, e = made[other]
            nested = elements[other][0] <= elements[number][0] and elements[number][1] <= elements[other][1]
            if not (b <= begin and end <= e if nested else end <= b or e <= begin):
                return None
    return made


class Segment:
    """A run of text and inline tags, on its way through the translator."""

    def __init__(self, run: Sequence[Token]) -> None:
        pieces = pieces_of(run)
        begin, end = core_of(pieces)
        self._before = "".join(piece.raw for piece in pieces[:begin])
        self._after = "".join(piece.raw for piece in pieces[end:])
        self._pieces = [
            Piece(piece.raw, piece.text, piece.mate - begin if piece.mate >= 0 else -1, piece.half)
            for piece in pieces[begin:end]
        ]
        text = "".join(piece.text or "" for piece in self._pieces)
        self._stem = "x"
        while f"<{self._stem}" in text or f"</{self._stem}" in text:
            self._stem += "x"
        self._tag = re.compile(rf"<(/?){self._stem}(\d+)(/?)>")
        self._tags = sum(piece.text is None for piece in self._pieces)
        # Half an element belongs to something outside, so nothing may move across it.
        self.whole = self._tags <= MAX_TAGS and not any(piece.half for piece in self._pieces)
        self.empty = not any(character.isalnum() for character in text)

    def plain_line(self) -> tuple[str, dict[int, int]]:
        """The text with what stands alone as tags of our own and pairs left out; where each of those would be."""
        made: list[str] = []
        length = 0
        places: dict[int, int] = {}
        spaced = True
        for number, piece in enumerate(self._pieces):
            if piece.mate >= 0:
                places[number] = length
                continue
            text = f"<{self._stem}{number}/>" if piece.text is None else BLANKS.sub(" ", piece.text)
            if spaced:
                text = text.lstrip()
            if text:
                spaced = text.endswith(" ")
                made.append(text)
                length += len(text)
        line = "".join(made).rstrip()
        return line, {number: min(place, len(line)) for number, place in places.items()}

    def projected(self, translation: Translation) -> str | None:
        """HTML made of the translation of the plain line; None where a tag has no place in it."""
        line, places = self.plain_line()
        openings = [number for number in places if self._pieces[number].mate > number]
        # Blanks just inside a tag belong to no word.
        spans = []
        for number in openings:
            begin, end = places[number], places[self._pieces[number].mate]
            inside = line[begin:end]
            left, right = blanks_around(inside)
            spans.append((begin + len(left), end - len(right)))
        found = projected(spans, line, translation)
        if found is None:
            return None
        # (place, closing first, then outer before inner or the other way round).
        events: list[tuple[int, int, int, str]] = []
        for number, (begin, end) in zip(openings, found, strict=True):
            events.append((begin, 1, number, self._pieces[number].raw))
            events.append((end, 0, -number, self._pieces[self._pieces[number].mate].raw))
        made, at = [], 0
        alone: list[int] = []
        for place, _, _, raw in [*sorted(events), (len(translation.text), 2, 0, "")]:
            made += [self._with_alone(translation.text[at:place], alone), raw]
            at = place
        wanted = [number for number, piece in enumerate(self._pieces) if piece.text is None and piece.mate < 0]
        return self._framed("".join(made)) if sorted(alone) == wanted else None

    def _with_alone(self, text: str, seen: list[int]) -> str:
        """Escaped text with the pieces that stand alone in their places."""
        made, at = [], 0
        for tag in self._tag.finditer(text):
            number = int(tag[2]) if len(tag[2]) < 9 else -1
            seen.append(number)
            made.append(html.escape(text[at : tag.start()], quote=False))
            if 0 <= number < len(self._pieces):
                made.append(self._pieces[number].raw)
            at = tag.end()
        return "".join([*made, html.escape(text[at:], quote=False)])

    def _framed(self, inside: str) -> str:
        left, _ = blanks_around(self._pieces[0].text or "")
        _, right = blanks_around(self._pieces[-1].text or "")
        return f"{self._before}{left}{inside}{right}{self._after}"

    def tagged_line(self) -> str:
        """The text with all tags as tags of our own."""
        made = []
        for number, piece in enumerate(self._pieces):
            if piece.text is not None:
                made.append(BLANKS.sub(" ", piece.text))
            elif piece.mate < 0:
                made.append(f"<{self._stem}{number}/>")
            else:
                made.append(f"<{self._stem}{number}>" if piece.mate > number else f"</{self._stem}{piece.mate}>")
        return "".join(made).strip()

    def untagged(self, translated: str) -> str | None:
        """HTML of a translated tagged line; None if its tags do not match."""
        made, at, found = [], 0, 0
        open_tags: list[int] = []
        for tag in self._tag.finditer(translated):
            made.append(html.escape(translated[at : tag.start()], quote=False))
            at = tag.end()
            number = int(tag[2]) if len(tag[2]) < 9 else -1
            if not 0 <= number < len(self._pieces) or self._pieces[number].text is not None:
                return None
            if tag[1]:
                if not open_tags or open_tags.pop() != number:
                    return None
                number = self._pieces[number].mate
            elif not tag[3]:
                open_tags.append(number)
            made.append(self._pieces[number].raw)
            found += 1
        if open_tags or found != self._tags or len(set(self._tag.findall(translated))) != found:
            return None
        return self._framed("".join([*made, html.escape(translated[at:], quote=False)]))

    def parts(self) -> list[str]:
        """The text between tags, each on its own."""
        return [BLANKS.sub(" ", piece.text).strip() for piece in self._pieces if piece.text is not None]

    def joined(self, translated: Sequence[str]) -> str:
        made, parts = [self._before], iter(translated)
        for piece in self._pieces:
            if piece.text is None:
                made.append(piece.raw)
                continue
            left, right = blanks_around(piece.text)
            made += [left, html.escape(next(parts), quote=False), right]
        return "".join([*made, self._after])

    def unchanged(self) -> str:
        return "".join([self._before, *(piece.raw for piece in self._pieces), self._after])


def html_job(source: str) -> Job:
    """Translates a fragment or a page: yields lines, takes their translations, returns the HTML."""
    found = [each if isinstance(each, str) else Segment(each) for each in segments_of(source)]
    segments = [each for each in found if isinstance(each, Segment) and not each.empty]
    done: dict[int, str] = {}

    def left(whole: bool) -> list[Segment]:
        return [each for each in segments if id(each) not in done and (each.whole or not whole)]

    if wanted := left(whole=True):
        for segment, result in zip(wanted, (yield [each.plain_line()[0] for each in wanted]), strict=True):
            if (made := segment.projected(result)) is not None:
                done[id(segment)] = made
    if wanted := left(whole=True):
        for segment, result in zip(wanted, (yield [each.tagged_line() for each in wanted]), strict=True):
            if (made := segment.untagged(result.text)) is not None:
                done[id(segment)] = made
    if wanted := left(whole=False):
        parts = [segment.parts() for segment in wanted]
        results = iter((yield [part for each in parts for part in each]))
        for segment, own in zip(wanted, parts, strict=True):
            done[id(segment)] = segment.joined([next(results).text for _ in own])
    return "".join(each if isinstance(each, str) else done.get(id(each)) or each.unchanged() for each in found)


def readable(source: str) -> str:
    """The text of HTML that people read, for telling its language."""
    runs = (each for each in segments_of(source) if not isinstance(each, str))
    return "\n".join("".join(piece.text or "" for piece in pieces_of(run)) for run in runs)
