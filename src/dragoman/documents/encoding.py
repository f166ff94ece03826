"""Bytes to text and back, the same way: byte-order mark and encoding are kept."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from dragoman.errors import InputError

# The mark of UTF-32 begins with that of UTF-16.
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Encodings that name a transformation rather than characters, or would run code or bombs.
TEXT_ENCODINGS = ("utf", "iso", "latin", "cp", "windows", "koi8", "mac", "ascii", "big5", "gb", "shift", "euc", "tis")


@dataclass(frozen=True, slots=True)
class Encoded:
    """A text and how it was written."""

    text: str
    encoding: str = "utf-8"
    mark: bytes = b""

    def encoded(self, text: str, *, references: bool = False) -> bytes:
        """`references`: whether the format can say any character by its number, as markup can."""
        try:
            return self.mark + text.encode(self.encoding, "xmlcharrefreplace" if references else "strict")
        except UnicodeEncodeError as error:
            character = text[error.start]
            raise InputError(
                f"the translation has {character!r}, which {self.encoding} cannot hold; convert the file to UTF-8 first"
            ) from None


def decoded(data: bytes, name: str, encoding: str = "utf-8") -> Encoded:
    """The text of a file; a byte-order mark says more than `encoding`. Bytes that are no text give an InputError."""
    mark = b""
    for candidate, its_encoding in MARKS:
        if data.startswith(candidate):
            mark, encoding = candidate, its_encoding
            break
    try:
        canonical = codecs.lookup(encoding).name
    except (LookupError, ValueError):
        raise InputError(f"{name}: says it is written in {encoding!r}, which is no known encoding") from None
    if not canonical.startswith(TEXT_ENCODINGS) and not canonical.replace("_", "-").startswith(TEXT_ENCODINGS):
        raise InputError(f"{name}: says it is written in {encoding!r}, which is no encoding of text")
    try:
        text = data[len(mark) :].decode(canonical)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{name}, line {line}: is not {canonical} text; convert the file first", line) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError(f"{name}, line {line}: holds a NUL character; this is no text file", line)
    return Encoded(text, canonical, mark)


def whole_characters(text: str) -> str:
    """Characters of which each half was escaped by itself become one; a half without the other stays."""
    return text.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "surrogatepass")
