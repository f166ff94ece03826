"""Java's .properties: the values. Names, comments, separators and the order stay.

A value may go over several lines that end in a backslash; translated, it is one line. Such files are in ISO 8859-1 or,
since Java 9, in UTF-8; which one, the bytes say, and a file of ASCII alone stays so. Texts with `{0}` in them are read
by MessageFormat, in which an apostrophe is written twice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dragoman.documents.encoding import MARKS, decoded, whole_characters
from dragoman.documents.segment import DocumentLimits
from dragoman.documents.tables.icu import COMPLEX, Apostrophes
from dragoman.documents.tables.table import TableDocument
from dragoman.errors import InputError

BLANK = " \t\f"
END = r"(?:\r\n|[\r\n])"
# A backslash and what it escapes, the end of a line too, which then does not end.
PAIR = rf"\\(?:{END}[{BLANK}]*+|[^\r\n]|\Z)"
GAP = rf"(?:[{BLANK}]|\\{END})*+"
# A comment, or a name and a value; either may be empty.
LINE = re.compile(
    rf"[{BLANK}]*+(?:[#!][^\r\n]*+"
    rf"|(?:[^\\\r\n=:{BLANK}]++|{PAIR})*+{GAP}(?:[=:]{GAP})?(?P<value>(?:[^\\\r\n]++|{PAIR})*+))(?:{END}|\Z)"
)
ESCAPE = re.compile(rf"\\(?:u([0-9a-fA-F]{{4}})|{END}[{BLANK}]*+|(.)|\Z)", re.DOTALL)
PLAIN = {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}
ESCAPED = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\f": "\\f"}
ARGUMENT = re.compile(r"\{\d+[},]")
LONE_APOSTROPHE = re.compile(r"(?<!')'(?:'')*(?!')")
QUOTED_BRACE = re.compile(r"'[{}][^']*'")
BAD_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\u(?![0-9a-fA-F]{4})")


@dataclass(frozen=True, slots=True)
class PropertyValue:
    """Writes a value. `highest` is the last character that the file can hold as it is."""

    highest: str

    def __call__(self, text: str) -> str:
        written = "".join(ESCAPED.get(character, character) for character in text)
        if written.startswith((" ", "=", ":")):
            written = "\\" + written
        return "".join(self.character(character) for character in written)

    def character(self, character: str) -> str:
        if " " <= character <= "~" or ("\xa0" <= character <= self.highest):
            return character
        units = character.encode("utf-16-be")
        return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def unescaped(raw: str) -> str:
    def character(match: re.Match[str]) -> str:
        number, plain = match.groups()
        return chr(int(number, 16)) if number else PLAIN.get(plain, plain) if plain else ""

    return whole_characters(ESCAPE.sub(character, raw))


def apostrophes_of(text: str, icu: bool) -> tuple[Apostrophes, ...]:
    if icu:
        return (Apostrophes.ICU,)
    # One that stands alone, and quotes no brace, shows that nobody reads the text as a MessageFormat.
    if ARGUMENT.search(text) and not LONE_APOSTROPHE.search(QUOTED_BRACE.sub("", text)):
        return (Apostrophes.JAVA,)
    return ()


def read_properties(data: bytes, name: str, limits: DocumentLimits, target_lang: str = "") -> TableDocument:
    marked = any(data.startswith(mark) for mark, _ in MARKS)
    try:
        source = decoded(data, name)
    except InputError:
        if marked:
            raise
        source = decoded(data, name, "latin-1")
    text = source.text
    # What is in ASCII alone says nothing about its encoding, and is to be read in either.
    highest = "" if text.isascii() else "\xff" if source.encoding == "iso8859-1" else "\U0010ffff"
    quoted = PropertyValue(highest)
    document = TableDocument(source, limits)
    icu = COMPLEX.search(text) is not None
    at = 0
    while at < len(text):
        match = LINE.match(text, at)
        assert match is not None and match.end() > at
        at = match.end()
        raw = match["value"] or ""
        if BAD_ESCAPE.search(raw):
            document.leave(match.start("value"), r"a value with a \u that no number follows")
            continue
        value = unescaped(raw)
        document.add_text(*match.span("value"), value, quoted, apostrophes=apostrophes_of(value, icu))
    return document
