"""Terms and how they must be translated, from a file, a mapping or pairs.

A glossary file has lines `source TAB target`, further targets after further tabs; a source alone stays as it is, and a
line that begins with # says nothing. The core reads it (core/translate/glossary.h).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dragoman.arguments import wrong
from dragoman.errors import ConfigError, InputError
from dragoman.files import reading


@dataclass(frozen=True, slots=True)
class Glossary:
    """The text of a glossary file."""

    text: str

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Glossary:
        """A file of UTF-8 text, which may be compressed."""
        with reading(os.fspath(path)) as stream:
            try:
                return cls(stream.read().decode("utf-8-sig"))
            except UnicodeDecodeError:
                raise InputError(f"{os.fspath(path)}: is not UTF-8 text; convert the file first") from None

    @classmethod
    def of_pairs(cls, pairs: Iterable[Any]) -> Glossary:
        """Terms and their translations; one with an empty translation stays as it is."""
        return cls("".join(map(line_of, pairs)))

    @classmethod
    def of(cls, given: GlossaryLike | None) -> Glossary | None:
        """What somebody gave as a glossary; ConfigError for what cannot be one."""
        if given is None or isinstance(given, Glossary):
            return given
        if isinstance(given, str) and ("\t" in given or "\n" in given):
            raise ConfigError(
                "glossary is the text of a glossary, where a string is the path of a file; give the path, a mapping of"
                " terms, pairs of them, or dragoman.glossary.Glossary(text)",
                "glossary",
            )
        if isinstance(given, str | os.PathLike):
            try:
                return cls.read(given)
            except FileNotFoundError:
                name = os.fspath(given)
                raise ConfigError(
                    f"glossary: there is no file {name}; give the path of one, a mapping or pairs", "glossary"
                ) from None
        if isinstance(given, Mapping):
            return cls.of_pairs(given.items())
        if isinstance(given, Iterable) and not isinstance(given, bytes | bytearray | memoryview):
            return cls.of_pairs(given)
        raise wrong("glossary", "the path of a file, a mapping of terms, or pairs of them", given)

    def encoded(self) -> bytes:
        try:
            return self.text.encode()
        except UnicodeEncodeError:
            raise InputError("the glossary holds half a surrogate pair; it is not Unicode text") from None


GlossaryLike = Glossary | str | os.PathLike[str] | Mapping[str, str] | Iterable[tuple[str, str]]


def line_of(pair: Any) -> str:
    """A line of a glossary file. Nothing of a term may get lost on the way."""
    if isinstance(pair, str) or not isinstance(pair, tuple | list) or len(pair) != 2:
        raise wrong("glossary", "made of pairs of a term and its translation", pair)
    for text in pair:
        if not isinstance(text, str):
            raise wrong("glossary", 'made of strings (the translation "" keeps a term as it is)', text)
        if "\t" in text or "\n" in text or "\r" in text:
            raise ConfigError(f"glossary: {text!r} holds a tab or a line end; a term has neither", "glossary")
    source, target = pair
    if not source.strip():
        raise ConfigError(f"glossary: the translation {target!r} has no term that it is for", "glossary")
    # A line that begins with # would be a comment.
    return f"{' ' if source.startswith('#') else ''}{source}\t{target}\n"


@dataclass(frozen=True, slots=True)
class GlossaryConflict:
    """Two lines of a glossary, from 1: the same term twice, or a term `inside` another."""

    inside: bool
    term: str
    other: str
    line: int
    other_line: int

    def __str__(self) -> str:
        if self.inside:
            return (
                f"line {self.line}: '{self.term}' is part of '{self.other}' of line {self.other_line}, which goes first"
            )
        return f"line {self.line}: '{self.term}' has another translation in line {self.other_line}, which goes first"
