"""Terms and how they must be translated, from a file, a mapping or pairs.

The text of a glossary has lines `source TAB target`, further targets after further tabs; a source alone stays as it is,
and a line that begins with # says nothing. The core reads it (core/translate/glossary.h). Files may have other forms;
see dragoman.glossary_files.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dragoman.arguments import wrong
from dragoman.errors import ConfigError, InputError

if TYPE_CHECKING:
    from dragoman.glossary_files import Term


@dataclass(frozen=True, slots=True)
class Glossary:
    """The text of a glossary, and for each of its lines the one of the file that it comes from, if that is another."""

    text: str
    lines: tuple[int, ...] = ()

    @classmethod
    def read(cls, path: str | os.PathLike[str], languages: tuple[str, str] = ("", "")) -> Glossary:
        """A file of lines with tabs, a CSV file or a TBX file, which may be compressed.

        `languages` are the model's: files that hold several need them, and so do first lines that name columns by them.
        """
        from dragoman.glossary_files import read_terms

        return cls.of_terms(read_terms(os.fspath(path), languages))

    @classmethod
    def of_text(cls, text: str, name: str = "the glossary") -> Glossary:
        """The text of a file of lines with tabs, or of a CSV file; lines that cannot be meant are refused."""
        from dragoman.glossary_files import text_terms

        return cls.of_terms(text_terms(name, text))

    @classmethod
    def of_terms(cls, terms: Iterable[Term]) -> Glossary:
        listed = list(terms)
        text = "".join(line_of_cells(term.source, *(term.targets or ("",))) for term in listed)
        return cls(text, tuple(term.line for term in listed))

    @classmethod
    def of_pairs(cls, pairs: Iterable[Any]) -> Glossary:
        """Terms and their translations; one with an empty translation stays as it is."""
        return cls("".join(map(line_of, pairs)))

    @classmethod
    def of(cls, given: GlossaryLike | None, languages: tuple[str, str] = ("", "")) -> Glossary | None:
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
                return cls.read(given, languages)
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

    def line_in_file(self, line: int) -> int:
        return self.lines[line - 1] if line <= len(self.lines) else line

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
    return line_of_cells(source, target)


def line_of_cells(source: str, *targets: str) -> str:
    # A line that begins with # would be a comment.
    return " " * source.startswith("#") + "\t".join((source, *targets)) + "\n"


@dataclass(frozen=True, slots=True)
class GlossaryConflict:
    """Two lines of a glossary, from 1: the same term twice, or a term `inside` another."""

    inside: bool
    term: str
    other: str
    line: int
    other_line: int

    def in_file(self, glossary: Glossary) -> GlossaryConflict:
        """The same, with lines of the file that the glossary was read from."""
        line, other = map(glossary.line_in_file, (self.line, self.other_line))
        return dataclasses.replace(self, line=line, other_line=other)

    def __str__(self) -> str:
        if self.inside:
            return (
                f"line {self.line}: '{self.term}' is part of '{self.other}' of line {self.other_line}, which goes first"
            )
        return f"line {self.line}: '{self.term}' has another translation in line {self.other_line}, which goes first"
