"""Messages as ICU writes them: `{name}`, `{n, number}`, `{n, plural, one {# file} other {# files}}`, select and nested.

Each text within is translated by itself; arguments, selectors and what separates them stay as they are. A plural in
the middle of a sentence is one placeholder in that sentence. The result is read once more and must have the arguments
of the source, or the message stays. Time is linear in the length of a message, times the levels of nesting.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from dragoman.documents.segment import Segment, Tag, paired
from dragoman.documents.tables.message import KNOWN, Message, MessageError, message_pieces, plain_message

COMPLEX = re.compile(r"\{\s*[\w.-]+\s*,\s*(?:plural|selectordinal|select)\s*,")
# Java's way to say it, whose texts are not parted from what chooses them.
CHOICE = re.compile(r"\{\s*\w+\s*,\s*choice\s*,")
NAME = re.compile(r"\s*([\w.-]+)\s*")
SELECTOR = re.compile(r"\s*(?:offset\s*:\s*\d+\s+)?(=\d+|[\w-]+)\s*\{")
LITERAL = re.compile(r"[^{}'#]+")
END = re.compile(r"\s*(\})")
# What comes before the next brace that is not quoted, and that.
STYLE = re.compile(r"[^{}']*+(?:'[^']*+'[^{}']*+)*+([{}])")
MAX_LEVELS = 20


class Apostrophes(Enum):
    """What an apostrophe means: nothing, a quote where a brace follows, or always a quote (Java's MessageFormat)."""

    PLAIN = auto()
    ICU = auto()
    JAVA = auto()


@dataclass(slots=True)
class Pattern:
    """A text with arguments in it: `flat` has a sign for each of `codes`, some of which hold further patterns."""

    flat: str
    codes: list[Tag]
    choices: dict[str, Choice]
    in_plural: bool
    segment: Segment = ()


@dataclass(slots=True)
class Choice:
    """A plural or select: what stands between its texts, and those."""

    parts: list[str | Pattern] = field(default_factory=list)


class PatternReader:
    def __init__(self, text: str, apostrophes: Apostrophes) -> None:
        self.text = text
        self.apostrophes = apostrophes
        self.at = 0

    def whole(self) -> Pattern:
        pattern = self.pattern(0, False)
        if self.at < len(self.text):
            raise MessageError("a closing brace too many")
        return pattern

    def pattern(self, level: int, in_plural: bool) -> Pattern:
        if level > MAX_LEVELS:
            raise MessageError("nested too deeply")
        flat: list[str] = []
        pattern = Pattern("", [], {}, in_plural)

        def code(raw: str) -> None:
            flat.append(KNOWN.format(len(pattern.codes)))
            pattern.codes.append(Tag(raw))

        while self.at < len(self.text):
            begin, sign = self.at, self.text[self.at]
            if sign == "}":
                break
            if sign == "{":
                choice = self.argument(level)
                code(self.text[begin : self.at])
                if choice is not None:
                    pattern.choices[self.text[begin : self.at]] = choice
            elif sign == "'" and self.apostrophes is not Apostrophes.PLAIN:
                quoted = self.quoted(in_plural)
                if quoted == "'":
                    flat.append(quoted)
                else:
                    code(quoted)
            elif sign == "#" and in_plural:
                self.at += 1
                code("#")
            elif match := LITERAL.match(self.text, begin):
                self.at = match.end()
                flat.append(match.group())
            else:
                self.at += 1
                flat.append(sign)
        pattern.flat = "".join(flat)
        return pattern

    def quoted(self, in_plural: bool) -> str:
        """An apostrophe, or a quoted stretch as it is written."""
        begin = self.at
        follows = self.text[begin + 1 : begin + 2]
        if follows == "'":
            self.at += 2
            return "'"
        if self.apostrophes is Apostrophes.ICU and follows not in ("{", "}", *("#|" if in_plural else "")):
            self.at += 1
            return "'"
        end = begin
        while True:
            end = self.text.find("'", end + 1)
            if end < 0:
                raise MessageError("a quote that is not closed")
            if self.text[end + 1 : end + 2] != "'":
                break
            end += 1
        self.at = end + 1
        return self.text[begin : self.at]

    def argument(self, level: int) -> Choice | None:
        """Behind an opening brace, to behind the closing one."""
        begin = self.at
        self.at += 1
        self.take(NAME, "a name is missing after {")
        kind = ""
        if self.text.startswith(",", self.at):
            self.at += 1
            kind = self.take(NAME, "a type is missing")
        if self.text.startswith("}", self.at):
            self.at += 1
            return None
        if not kind or not self.text.startswith(",", self.at):
            raise MessageError("a closing brace is missing")
        self.at += 1
        if kind not in ("plural", "select", "selectordinal"):
            self.style()
            return None
        choice = Choice()
        last = begin
        while not (closing := END.match(self.text, self.at)):
            self.take(SELECTOR, f"a case of the {kind} is missing")
            choice.parts += (self.text[last : self.at], self.pattern(level + 1, kind != "select"))
            last = self.at
            # The pattern went up to a closing brace or to the end.
            self.take(END, "a closing brace is missing")
        self.at = closing.end()
        choice.parts.append(self.text[last : self.at])
        if len(choice.parts) < 2:
            raise MessageError(f"a {kind} without cases")
        return choice

    def style(self) -> None:
        depth = 1
        while depth:
            depth += 1 if self.take(STYLE, "a closing brace is missing") == "{" else -1

    def take(self, what: re.Pattern[str], complaint: str) -> str:
        match = what.match(self.text, self.at)
        if match is None:
            raise MessageError(complaint)
        self.at = match.end()
        return match.group(1)


class IcuMessage:
    def __init__(self, text: str, apostrophes: Apostrophes, max_depth: int) -> None:
        self._apostrophes = apostrophes
        # Where the source doubles apostrophes that need not be, so does the translation.
        self._double = apostrophes is Apostrophes.JAVA or "''" in text
        self._whole = PatternReader(text, apostrophes).whole()
        self._patterns = listed(self._whole)
        for pattern in self._patterns:
            escaped = self.writer(pattern)
            pattern.segment = paired(message_pieces(pattern.flat, pattern.codes, escaped), max_depth)

    @property
    def segments(self) -> Sequence[Segment]:
        return [pattern.segment for pattern in self._patterns]

    def joined(self, translations: Sequence[Segment]) -> Segment:
        numbers = {id(pattern): number for number, pattern in enumerate(self._patterns)}

        def render(pattern: Pattern) -> str:
            escaped = self.writer(pattern)
            parts = []
            for piece in translations[numbers[id(pattern)]]:
                if isinstance(piece, str):
                    parts.append(escaped(piece))
                elif choice := pattern.choices.get(piece.raw):
                    parts += [part if isinstance(part, str) else render(part) for part in choice.parts]
                else:
                    parts.append(piece.raw)
            return "".join(parts)

        text = render(self._whole)
        if shape(PatternReader(text, self._apostrophes).whole()) != shape(self._whole):
            raise MessageError("its arguments would change")
        return (text,)

    def writer(self, pattern: Pattern) -> EscapedText:
        return EscapedText(self._apostrophes, self._double, pattern.in_plural)


@dataclass(frozen=True, slots=True)
class EscapedText:
    """Writes text so that it means itself."""

    apostrophes: Apostrophes
    double: bool
    in_plural: bool

    def __call__(self, text: str) -> str:
        signs = "{}#" if self.in_plural else "{}"
        if self.apostrophes is Apostrophes.PLAIN:
            # There is no way to say it; whoever reads the result will see.
            return text
        # What follows the text may be a brace.
        pattern = r"'" if self.double else r"'(?=['{}#|<]|\Z)"
        return re.sub(f"[{signs}]", r"'\g<0>'", re.sub(pattern, "''", text))


def listed(pattern: Pattern) -> list[Pattern]:
    patterns = [pattern]
    for choice in pattern.choices.values():
        patterns += (inner for part in choice.parts if isinstance(part, Pattern) for inner in listed(part))
    return patterns


def shape(pattern: Pattern) -> list[object]:
    """The arguments of a pattern and of those within, in an order of their own."""
    simple = [tag.raw for tag in pattern.codes if tag.raw not in pattern.choices and not tag.raw.startswith("'")]
    choices = [
        [part if isinstance(part, str) else shape(part) for part in choice.parts] for choice in pattern.choices.values()
    ]
    return [sorted(simple), sorted(choices, key=repr)]


def is_structured(text: str) -> bool:
    """Whether a text is a message that must be followed, wherever it stands."""
    return COMPLEX.search(text) is not None or CHOICE.search(text) is not None


def message_of(text: str, max_depth: int, apostrophes: Sequence[Apostrophes] = ()) -> Message:
    """`apostrophes`: how messages of the file may quote, likeliest first; none where they are not ICU's.

    One that cannot be followed is a plain one, if nothing in it has to be followed; else there is a MessageError.
    """
    if CHOICE.search(text):
        raise MessageError("a choice format; use plural or select")
    problem: MessageError | None = None
    for quoting in apostrophes:
        try:
            return IcuMessage(text, quoting, max_depth)
        except MessageError as error:
            problem = problem or error
    if problem is not None and COMPLEX.search(text):
        raise problem
    return plain_message(text, max_depth)
