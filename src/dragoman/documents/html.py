"""HTML: pages and fragments. Text of block elements is translated, inline elements travel with their words.

Scripts, styles, preformatted text and code stay, as does everything marked translate="no" or class="notranslate".
Texts in attributes (alt, title, placeholder, aria-label) are translated too. What was escaped stays escaped. A page has
no place to mark machine output word by word; `lang` and `dir` of the page become the target language's.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from html import escape, unescape

from dragoman.corpus.languages import contradict, direction_of
from dragoman.documents.edit import Edit, spliced, spliced_part
from dragoman.documents.encoding import Encoded, decoded
from dragoman.documents.markup import BLANKS, Kind, Mark, attributes, names, scan
from dragoman.documents.segment import DocumentLimits, Piece, Segment, Tag, has_words, paired, text_of
from dragoman.documents.stated_languages import StatedLanguages
from dragoman.errors import InputError

INLINE = names(
    "a abbr acronym b bdi bdo big cite data del dfn em font i ins label mark nobr q s small span strike strong sub sup"
    " time tt u"
)
# Inline, but their content is no text of the language; the whole element is one placeholder.
OPAQUE = names("code kbd samp var math svg ruby object audio video canvas picture select textarea")
INLINE_VOID = frozenset(("img", "input", "wbr"))
# Content that is not for translation at all.
UNTRANSLATED = names("script style pre textarea template noscript iframe noembed noframes xmp plaintext")
ATTRIBUTES = ("alt", "title", "placeholder", "aria-label")
CODE = names("code kbd pre samp var")
LANGUAGE_ATTRIBUTES = ("lang", "xml:lang")
DIRECTIONS = ("ltr", "rtl")
BUTTONS = frozenset(("button", "submit", "reset"))
SPACE = re.compile(f"[{BLANKS}]+")
NAME = re.compile(r"([@#]|https?://|www\.)\S+")
# What a program fills in. In a line from right to left its signs would change places, and so would what it becomes.
PLACEHOLDER = re.compile(
    r"(?<![\w%\u2068])(?:\{\{[^{}<>\n]{1,80}\}\}|[$#%]?\{[\w.:-]{0,40}\}"
    r"|%(?:\d+\$)?(?:\([\w.-]{1,40}\))?[-+#0]?\d*(?:\.\d+)?(?:ll|[hlLqjzt])?[diouxXeEfgGcs@])(?![\w\u2069])"
)
ISOLATED = "\u2068\\g<0>\u2069"
MAX_NAME_MARKS, MAX_NAME_CHARACTERS = 16, 4000


class HtmlDocument:
    """A page or a fragment as text; `prefix` and `encoding` are how its bytes were written."""

    def __init__(self, source: Encoded, limits: DocumentLimits, target_lang: str = "") -> None:
        self._source = source
        self._text = source.text
        self._limits = limits
        self._rtl = direction_of(target_lang) == "rtl"
        # (begin, end) of the raw text that a segment stands for, and the tag it lies in if it is an attribute's value.
        self._places: list[tuple[int, int, Mark | None]] = []
        self._segments: list[Segment] = []
        # Edits of tags, and what the page says its language is.
        self._fixed: dict[Mark, list[Edit]] = {}
        self._language = ""
        self._directed = False
        self._pending: list[Mark] = []
        self.parse(target_lang)

    @property
    def segments(self) -> Sequence[Segment]:
        return self._segments

    @property
    def stated(self) -> Sequence[StatedLanguages]:
        return [StatedLanguages(self._language)]

    def parse(self, target_lang: str) -> None:
        text = self._text
        skipped = ""
        nested = 0
        skipped_from = 0
        directed = True
        for mark in scan(text, html=True):
            if skipped:
                # Inside of something that stays; elements of the same name may be nested in it.
                if mark.kind is Kind.OPEN and mark.name == skipped:
                    nested += 1
                elif mark.kind is Kind.CLOSE and mark.name == skipped:
                    nested -= 1
                    if nested == 0:
                        self.keep(Mark(Kind.EMPTY, skipped_from, mark.end, skipped), directed)
                        skipped = ""
                continue
            if mark.kind in (Kind.TEXT, Kind.OTHER):
                self._pending.append(mark)
                continue
            if mark.kind is Kind.CDATA:
                self.flush()
                continue
            if mark.kind in (Kind.OPEN, Kind.EMPTY):
                values = attributes(text, mark, html=True)
                if mark.kind is Kind.OPEN and (mark.name in UNTRANSLATED | OPAQUE or is_kept(values)):
                    skipped, nested, skipped_from = mark.name, 1, mark.begin
                    directed = "dir" in values or direction_of(target_lang) == "ltr"
                    continue
                self.take_attributes(mark, values)
                self.name_language(mark, values, target_lang)
            if mark.name in INLINE or mark.name in INLINE_VOID:
                self._pending.append(mark)
            else:
                self.flush()
        if skipped:
            # It never ends, so all of it stays.
            self._pending = [mark for mark in self._pending if mark.end <= skipped_from]
        self.flush()
        if len(self._segments) > self._limits.max_segments:
            raise InputError(f"the page holds more than {self._limits.max_segments:,} texts to translate; split it")

    def name_language(self, mark: Mark, values: dict[str, tuple[str, int, int]], target_lang: str) -> None:
        """Language and direction of the page, and of parts in the same language, become those of the translation."""
        named = [values[name] for name in LANGUAGE_ATTRIBUTES if name in values and values[name][0]]
        said = named[0][0] if named else ""
        whole = mark.name in ("html", "body")
        if whole:
            self._language = self._language or said
        if not target_lang or not (whole or not said or (self._language and not contradict(said, self._language))):
            return
        edits = self._fixed.setdefault(mark, [])
        edits += [(begin, end, target_lang) for _, begin, end in named]
        direction = direction_of(target_lang)
        given, begin, end = values.get("dir", ("", 0, 0))
        # A direction within a line is that of a number or a name, and stays.
        if given.lower() in DIRECTIONS and (said or mark.name not in INLINE | OPAQUE | INLINE_VOID):
            edits.append((begin, end, direction))
        elif "dir" not in values and direction == "rtl" and whole and not self._directed:
            at = mark.begin + 1 + len(mark.name)
            edits.append((at, at, f' dir="{direction}"'))
        self._directed = self._directed or whole

    def keep(self, mark: Mark, directed: bool) -> None:
        """What stays. Code runs from left to right, whatever stands around it."""
        if mark.name in CODE and not directed:
            at = mark.begin + 1 + len(mark.name)
            self._fixed[mark] = [(at, at, ' dir="ltr"')]
        if mark.name in UNTRANSLATED or mark.name not in INLINE | OPAQUE:
            self.flush()
        else:
            self._pending.append(mark)

    def take_attributes(self, mark: Mark, values: dict[str, tuple[str, int, int]]) -> None:
        names = [name for name in values if name in ATTRIBUTES]
        if mark.name == "input" and values.get("type", ("",))[0].lower() in BUTTONS and "value" in values:
            names.append("value")
        if is_kept(values):
            return
        for name in names:
            raw, begin, end = values[name]
            segment = (SPACE.sub(" ", unescape(raw)),)
            # Without quotes a value cannot hold what a translation may.
            if has_words(segment) and self._text[begin - 1] in "\"'":
                self._places.append((begin, end, mark))
                self._segments.append(segment)

    def flush(self) -> None:
        """Ends a segment: what is pending becomes one, tags outside of its text stay outside."""
        marks, self._pending = whole_names(self._text, self._pending), []
        first = next((n for n, mark in enumerate(marks) if self.is_text(mark)), None)
        if first is None:
            return
        last = max(n for n, mark in enumerate(marks) if self.is_text(mark))
        first, last = balanced(marks, first, last)
        marks = marks[first : last + 1]
        pieces: list[Piece] = []
        open_tags: dict[str, list[int]] = {}
        numbers = 0
        for mark in marks:
            raw = self._text[mark.begin : mark.end]
            if mark.kind is Kind.TEXT:
                pieces.append(SPACE.sub(" ", unescape(raw)))
            elif mark.kind is Kind.OPEN:
                numbers += 1
                open_tags.setdefault(mark.name, []).append(numbers)
                pieces.append(Tag(raw, numbers))
            elif mark.kind is Kind.CLOSE:
                match = open_tags.get(mark.name)
                pieces.append(Tag(raw, match.pop(), True) if match else Tag(raw))
            elif mark.kind is Kind.OTHER:
                # Not to be read, so not to be translated with: it keeps close to the word before it.
                numbers += 1
                pieces += (Tag(raw, numbers), Tag("", numbers, True))
            else:
                pieces.append(Tag(raw))
        segment = paired(pieces, self._limits.max_depth)
        if has_words(segment):
            self._places.append((marks[0].begin, marks[-1].end, None))
            self._segments.append(segment)

    def is_text(self, mark: Mark) -> bool:
        return mark.kind is Kind.TEXT and not self._text[mark.begin : mark.end].isspace()

    def write(self, translations: Sequence[Segment | None]) -> bytes:
        changed = [
            (place, translation)
            for place, source, translation in zip(self._places, self._segments, translations, strict=True)
            if translation is not None and translation != source
        ]
        values = {mark: list(edits) for mark, edits in self._fixed.items()}
        for (begin, end, mark), translation in changed:
            if mark is not None:
                values.setdefault(mark, []).append((begin, end, escape(self.isolated(text_of(translation)))))
        # Tags travel with their segments; then their attributes must be translated there.
        tags = {
            self._text[mark.begin : mark.end]: spliced_part(self._text, mark.begin, mark.end, edits)
            for mark, edits in values.items()
        }
        edits, covered = [], []
        for (begin, end, mark), translation in changed:
            if mark is None:
                edits.append((begin, end, self.written(self._text[begin:end], translation, tags)))
                covered.append((begin, end))
        starts = [begin for begin, _ in covered]
        for begin, end, new in (edit for group in values.values() for edit in group):
            around = bisect_right(starts, begin) - 1
            if around < 0 or covered[around][1] < end:
                edits.append((begin, end, new))
        return self._source.encoded(spliced(self._text, edits), references=True)

    def written(self, raw: str, translation: Segment, tags: dict[str, str]) -> str:
        text = "".join(
            tags.get(piece.raw, piece.raw) if isinstance(piece, Tag) else escape(self.isolated(piece), quote=False)
            for piece in translation
        )
        # White space at the ends is as it was, line ends included.
        head = raw[: len(raw) - len(raw.lstrip(BLANKS))]
        tail = raw[len(raw.rstrip(BLANKS)) :]
        return head + text.strip(" ") + tail

    def isolated(self, text: str) -> str:
        """With marks around placeholders that keep their direction to themselves, as code has an attribute for."""
        return PLACEHOLDER.sub(ISOLATED, text) if self._rtl else text


def whole_names(text: str, marks: Sequence[Mark]) -> list[Mark]:
    """Elements that are a mention, a hashtag or an address become one mark each: their tags are parts of a name."""
    closing: dict[int, int] = {}
    open_tags: dict[str, list[int]] = {}
    for at, mark in enumerate(marks):
        if mark.kind is Kind.OPEN:
            open_tags.setdefault(mark.name, []).append(at)
        elif mark.kind is Kind.CLOSE and (places := open_tags.get(mark.name)):
            closing[places.pop()] = at
    merged: list[Mark] = []
    at = 0
    while at < len(marks):
        end = closing.get(at, -1)
        # Names are short, so looking inside costs no more than a constant for each tag.
        if at < end <= at + MAX_NAME_MARKS and marks[end].end - marks[at].begin <= MAX_NAME_CHARACTERS:
            inside = "".join(text[mark.begin : mark.end] for mark in marks[at:end] if mark.kind is Kind.TEXT)
            if NAME.fullmatch(unescape(inside)):
                merged.append(Mark(Kind.EMPTY, marks[at].begin, marks[end].end, marks[at].name))
                at = end + 1
                continue
        merged.append(marks[at])
        at += 1
    return merged


def balanced(marks: Sequence[Mark], first: int, last: int) -> tuple[int, int]:
    """Widens a range of marks so that the pairs that reach into it lie in it."""
    open_tags: dict[str, list[int]] = {}
    for at, mark in enumerate(marks):
        if mark.kind is Kind.OPEN:
            open_tags.setdefault(mark.name, []).append(at)
        elif mark.kind is Kind.CLOSE and (places := open_tags.get(mark.name)):
            begin = places.pop()
            # A pair around all of the text may stay outside; one that ends or begins within must come in.
            if begin < first <= at <= last:
                first = begin
            elif first <= begin <= last < at:
                last = at
    return first, last


def is_kept(values: dict[str, tuple[str, int, int]]) -> bool:
    if values.get("translate", ("",))[0].lower() == "no":
        return True
    return "notranslate" in values.get("class", ("",))[0].split()


META_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]{1,40})""", re.IGNORECASE)


def read_html(data: bytes, name: str, limits: DocumentLimits, target_lang: str = "") -> HtmlDocument:
    match = META_CHARSET.search(data[:4096])
    try:
        source = decoded(data, name, match.group(1).decode() if match else "utf-8")
    except InputError:
        if match is not None:
            raise
        # What browsers take a page for that says nothing.
        source = decoded(data, name, "cp1252")
    return HtmlDocument(source, limits, target_lang)
