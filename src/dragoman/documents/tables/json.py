"""JSON string tables: every string that is a value. Names of members, numbers and layout stay.

Two kinds hold more than texts and are known by it. ARB, Flutter's: what a name with `@` holds is about a message, and
messages are ICU's. The `messages.json` of browser extensions: the text is the member `message`, beside others that
describe it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dragoman.documents.encoding import decoded
from dragoman.documents.segment import DocumentLimits
from dragoman.documents.stated_languages import StatedLanguages
from dragoman.documents.tables.icu import COMPLEX, Apostrophes
from dragoman.documents.tables.table import TableDocument
from dragoman.errors import InputError

SPACE = re.compile(r"[ \t\r\n]*+")
STRING = re.compile(r'"((?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+)"')
ATOM = re.compile(r"(?:true|false|null|-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)(?![\w.+-])")
ESCAPED_LETTER = re.compile(r"\\u(?!00[0-7])[0-9a-fA-F]{4}")
COLON = re.compile(":")
DESCRIPTION = frozenset(("message", "description", "comment", "placeholders", "hash"))


@dataclass(frozen=True, slots=True)
class JsonString:
    """A value: the first three names that lead to it ("" for a place in a list), and where it stands in its quotes."""

    path: tuple[str, ...]
    begin: int
    end: int


class JsonScanner:
    """One pass over the text, without recursion; InputError where it is no JSON."""

    def __init__(self, text: str, name: str, max_depth: int) -> None:
        self._text = text
        self._name = name
        self._max_depth = max_depth
        self._at = 0

    def strings(self) -> Iterator[JsonString]:
        # Names of the members that are open; "" in a list. `ends` are the brackets that close them.
        path: list[str] = []
        ends: list[str] = []
        while True:
            begin = self.skip()
            sign = self._text[begin : begin + 1]
            if sign in ("{", "["):
                self._at += 1
                if len(ends) >= self._max_depth:
                    raise self.error(f"is nested more than {self._max_depth} deep")
                self.skip()
                if not self.closes("}" if sign == "{" else "]"):
                    ends.append("}" if sign == "{" else "]")
                    path.append(self.member() if sign == "{" else "")
                    continue
            elif sign == '"':
                yield JsonString(tuple(path[:3]), begin + 1, self.string() - 1)
            else:
                self.take(ATOM, "is no JSON")
            # Behind a value: whatever it ends, and the next one of its list.
            while ends:
                self.skip()
                if self._text.startswith(",", self._at):
                    self._at += 1
                    self.skip()
                    if ends[-1] == "}":
                        path[-1] = self.member()
                    break
                if not self.closes(ends[-1]):
                    raise self.error(f"lacks a comma or {ends[-1]}")
                ends.pop()
                path.pop()
            else:
                if self.skip() < len(self._text):
                    raise self.error("goes on behind the end of the JSON")
                return

    def skip(self) -> int:
        match = SPACE.match(self._text, self._at)
        self._at = match.end() if match else self._at
        return self._at

    def closes(self, sign: str) -> bool:
        if not self._text.startswith(sign, self._at):
            return False
        self._at += 1
        return True

    def member(self) -> str:
        begin = self._at
        name = unescaped(self._text[begin + 1 : self.string() - 1])
        self.skip()
        self.take(COLON, "lacks a colon")
        return name

    def string(self) -> int:
        return self.take(STRING, "holds a string that is not well formed")

    def take(self, what: re.Pattern[str], complaint: str) -> int:
        match = what.match(self._text, self._at)
        if match is None:
            raise self.error(complaint)
        self._at = match.end()
        return self._at

    def error(self, what: str) -> InputError:
        line = self._text.count("\n", 0, self._at) + 1
        return InputError(f"{self._name}, line {line}: {what}; check the file with `python -m json.tool`", line)


def unescaped(raw: str) -> str:
    return str(json.loads(f'"{raw}"')) if "\\" in raw else raw


@dataclass(frozen=True, slots=True)
class JsonQuoted:
    """Writes a text between quotes, with the escapes that the file uses."""

    ascii: bool
    slashes: bool

    def __call__(self, text: str) -> str:
        quoted = json.dumps(text, ensure_ascii=self.ascii)[1:-1]
        return quoted.replace("/", "\\/") if self.slashes else quoted


def is_extension_table(strings: Sequence[JsonString]) -> bool:
    """Whether every text is the `message` of a member, or describes one."""
    described = {string.path[0] for string in strings if len(string.path) == 2 and string.path[1] == "message"}
    return bool(described) and all(
        len(string.path) > 1 and string.path[0] in described and string.path[1] in DESCRIPTION for string in strings
    )


def strings_of(document: TableDocument, name: str) -> list[JsonString]:
    strings: list[JsonString] = []
    for string in JsonScanner(document.source.text, name, document.limits.max_depth).strings():
        strings.append(string)
        document.check_size(len(strings))
    return strings


def add_strings(document: TableDocument, strings: Sequence[JsonString], apostrophes: Sequence[Apostrophes]) -> None:
    text = document.source.text
    # A file that says all its letters by their numbers is to stay ASCII.
    ascii_only = text.isascii() and ESCAPED_LETTER.search(text) is not None
    for string in strings:
        raw = text[string.begin : string.end]
        quoted = JsonQuoted(ascii_only, "\\/" in raw)
        document.add_text(string.begin, string.end, unescaped(raw), quoted, apostrophes=apostrophes)


def read_json(data: bytes, name: str, limits: DocumentLimits, target_lang: str = "") -> TableDocument:
    document = TableDocument(decoded(data, name), limits)
    text = document.source.text
    strings = strings_of(document, name)
    if is_extension_table(strings):
        strings = [string for string in strings if string.path[1:] == ("message",)]
    add_strings(document, strings, (Apostrophes.ICU,) if COMPLEX.search(text) else ())
    return document


def read_arb(data: bytes, name: str, limits: DocumentLimits, target_lang: str = "") -> TableDocument:
    document = TableDocument(decoded(data, name), limits)
    text = document.source.text
    strings = strings_of(document, name)
    messages = [string for string in strings if len(string.path) == 1 and not string.path[0].startswith("@")]
    # Flutter gives apostrophes a meaning if the project asks for it, which doubled ones show, or quoted braces.
    kinds = (Apostrophes.PLAIN, Apostrophes.ICU)
    add_strings(document, messages, kinds[::-1] if "''" in text else kinds)
    for string in strings:
        if string.path == ("@@locale",):
            document.stated.append(StatedLanguages(text[string.begin : string.end]))
            if target_lang:
                document.fix(string.begin, string.end, target_lang)
    return document
