"""Translating HTML: what people read is translated, everything else comes back as it was.

Running text between block-level tags is one segment, however many inline tags it holds. Those become short tags of our
own, which the core keeps around what they enclose while it reorders; text is unescaped before and escaped after, so
`&lt;b&gt;` can never turn into a tag. Should a tag be lost or cross another, the segment is translated again between
its tags. Nothing here recurses: nesting costs what its length costs.
"""

from __future__ import annotations

import html
import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from dragoman.serve.html_tokens import Kind, Token, tokens_of

# Lines to translate go out, their translations come in, the whole comes back at the end.
Job = Generator[list[str], Sequence[str], str]

INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite del dfn em font i img ins label mark q rp rt ruby s small span strike strong"
    " sub sup time u wbr".split()
)
# Elements whose content is not language.
VERBATIM = frozenset(
    "audio canvas code embed iframe kbd math noembed noframes object samp script style svg template textarea tt var"
    " video xmp".split()
)
# Mentions, hashtags and addresses, whatever tags they are made of.
NAME = re.compile(r"([@#]|https?://|www\.)\S+")
BLANKS = re.compile(r"\s+")
# With more tags in one segment the constraints cost more than they are worth.
MAX_TAGS = 60


@dataclass(frozen=True, slots=True)
class Piece:
    """Text, or an inline tag with the place of its mate, or (mate -1) something that stands alone.

    Half an element, such as a `</b>` that closes nothing here, stands alone too.
    """

    raw: str
    text: str | None = None
    mate: int = -1
    half: bool = False


def is_verbatim(token: Token) -> bool:
    attributes = token.attributes or {}
    return (
        token.name in VERBATIM
        or attributes.get("translate", "").lower() == "no"
        or "notranslate" in attributes.get("class", "").lower().split()
    )


def end_of_element(tokens: Sequence[Token], at: int) -> int:
    """Behind the tag that closes the element opened at `at`; behind all tokens if none does."""
    depth = 0
    for place in range(at, len(tokens)):
        if tokens[place].name == tokens[at].name:
            depth += {Kind.OPEN: 1, Kind.CLOSE: -1}.get(tokens[place].kind, 0)
        if depth == 0:
            return place + 1
    return len(tokens)


def segments_of(source: str) -> Iterator[str | list[Token]]:
    """What stays as it is, and runs of inline tokens; an element that is kept whole is one token of kind OTHER."""
    tokens = list(tokens_of(source))
    run: list[Token] = []
    lines = 0  # depth of elements in which line ends mean something
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token.kind is Kind.OPEN and is_verbatim(token):
            end = end_of_element(tokens, at - 1)
            raw = "".join(each.raw for each in tokens[at - 1 : end])
            at = end
            inline = token.name in INLINE or token.name in VERBATIM - {"script", "style", "template"}
            token = Token(Kind.OTHER, raw, token.name if not inline else "")
        elif token.name == "pre":
            lines = max(0, lines + (1 if token.kind is Kind.OPEN else -1))
        if token.kind is Kind.TEXT and lines:
            for line in token.raw.splitlines(keepends=True):
                run.append(Token(Kind.TEXT, line))
                if line.endswith(("\n", "\r")):
                    yield run
                    run = []
        elif token.kind is Kind.TEXT or token.name in INLINE or (token.kind is Kind.OTHER and not token.name):
            run.append(token)
        else:
            if run:
                yield run
                run = []
            yield token.raw
    if run:
        yield run


def pieces_of(run: Sequence[Token]) -> list[Piece]:
    """Tokens with tags matched; a name or address is kept whole."""
    pieces: list[Piece] = []
    open_at: dict[str, list[int]] = {}
    for token in run:
        if token.kind is Kind.TEXT:
            pieces.append(Piece(token.raw, html.unescape(token.raw)))
        elif token.kind is Kind.OPEN:
            open_at.setdefault(token.name, []).append(len(pieces))
            pieces.append(Piece(token.raw, half=True))
        elif token.kind is Kind.CLOSE and open_at.get(token.name):
            begin = open_at[token.name].pop()
            # What was opened inside and not closed there stands alone.
            for places in open_at.values():
                while places and places[-1] > begin:
                    places.pop()
            pieces[begin] = Piece(pieces[begin].raw, mate=len(pieces))
            pieces.append(Piece(token.raw, mate=begin))
        else:
            pieces.append(Piece(token.raw, half=token.kind is Kind.CLOSE))
    return keep_names(pieces)


def keep_names(pieces: list[Piece]) -> list[Piece]:
    """Replaces an element that is a name or an address by one piece that is not translated."""
    made: list[Piece] = []
    moved: dict[int, int] = {}
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        # Names are short; the outermost element that is one is looked at once, so this stays linear.
        if piece.text is None and at < piece.mate <= at + 16:
            inside = pieces[at : piece.mate + 1]
            content = "".join(each.text for each in inside if each.text)
            if len(content) < 2000 and NAME.fullmatch(content):
                made.append(Piece("".join(each.raw for each in inside)))
                at = piece.mate + 1
                continue
        moved[at] = len(made)
        made.append(piece)
        at += 1
    return [Piece(each.raw, each.text, moved.get(each.mate, -1), each.half) for each in made]


def core_of(pieces: Sequence[Piece]) -> tuple[int, int]:
    """The span without the tags and blanks around it: from the first text to the last, with the mates of all inside."""

    def says_something(piece: Piece) -> bool:
        return bool(piece.text and not piece.text.isspace())

    begin = next((place for place, piece in enumerate(pieces) if says_something(piece)), len(pieces))
    end = next((place + 1 for place in range(len(pieces) - 1, begin, -1) if says_something(pieces[place])), begin + 1)
    inside = list(range(begin, min(end, len(pieces))))
    while inside:
        mate = pieces[inside.pop()].mate
        if 0 <= mate < begin:
            inside.extend(range(mate, begin))
            begin = mate
        elif mate >= end:
            inside.extend(range(end, mate + 1))
            end = mate + 1
    return begin, min(end, len(pieces))


def blanks_around(text: str) -> tuple[str, str]:
    left = text[: len(text) - len(text.lstrip())]
    return left, text[len(text.rstrip()) :] if len(left) < len(text) else ""


class Segment:
    """A run of text and inline tags, on its way through the translator."""

    def __init__(self, run: Sequence[Token]) -> None:
        pieces = pieces_of(run)
        begin, end = core_of(pieces)
        self._before = "".join(piece.raw for piece in pieces[:begin])
        self._after = "".join(piece.raw for piece in pieces[end:])
        self._offset = begin
        self._pieces = pieces[begin:end]
        text = "".join(piece.text or "" for piece in self._pieces)
        self._stem = "x"
        while f"<{self._stem}" in text or f"</{self._stem}" in text:
            self._stem += "x"
        self._tag = re.compile(rf"<(/?){self._stem}(\d+)(/?)>")
        self._tags = sum(piece.text is None for piece in self._pieces)
        # Half an element belongs to something outside, so nothing may move across it.
        self.whole = self._tags <= MAX_TAGS and not any(piece.half for piece in self._pieces)
        self.empty = not any(character.isalnum() for character in text)

    def line(self) -> str:
        """The segment as one line of text with tags of our own."""
        made = []
        for place, piece in enumerate(self._pieces):
            mate = piece.mate - self._offset
            if piece.text is not None:
                made.append(BLANKS.sub(" ", piece.text))
            elif piece.mate < 0:
                made.append(f"<{self._stem}{place}/>")
            elif mate > place:
                made.append(f"<{self._stem}{place}>")
            else:
                made.append(f"</{self._stem}{mate}>")
        return "".join(made).strip()

    def rebuilt(self, translated: str) -> str | None:
        """HTML of a translated line; None if its tags do not match."""
        made, at, found = [], 0, 0
        open_tags: list[int] = []
        for tag in self._tag.finditer(translated):
            made.append(html.escape(translated[at : tag.start()], quote=False))
            at = tag.end()
            place = int(tag[2]) if len(tag[2]) < 9 else -1
            if not 0 <= place < len(self._pieces) or self._pieces[place].text is not None:
                return None
            if tag[1]:
                if not open_tags or open_tags.pop() != place:
                    return None
                place = self._pieces[place].mate - self._offset
            elif not tag[3]:
                open_tags.append(place)
            made.append(self._pieces[place].raw)
            found += 1
        if open_tags or found != self._tags or len(set(self._tag.findall(translated))) != found:
            return None
        made.append(html.escape(translated[at:], quote=False))
        left, _ = blanks_around(self._pieces[0].text or "")
        _, right = blanks_around(self._pieces[-1].text or "")
        return f"{self._before}{left}{''.join(made)}{right}{self._after}"

    def parts(self) -> list[str]:
        """The text between tags, each on its own, for where tags cannot be carried through."""
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
    whole = [segment for segment in segments if segment.whole]
    done: dict[int, str] = {}
    if whole:
        for segment, translated in zip(whole, (yield [segment.line() for segment in whole]), strict=True):
            if (rebuilt := segment.rebuilt(translated)) is not None:
                done[id(segment)] = rebuilt
    split = [(segment, segment.parts()) for segment in segments if id(segment) not in done]
    if split:
        translated_parts = iter((yield [part for _, parts in split for part in parts]))
        for segment, parts in split:
            done[id(segment)] = segment.joined([next(translated_parts) for _ in parts])
    return "".join(
        each if isinstance(each, str) else done.get(id(each)) or each.unchanged() for each in found
    )
