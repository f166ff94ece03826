"""Columns of a table in CSV: the cells of some columns, translated where they are or into columns beside them.

The separator is the one of comma, semicolon, tab and bar that the first row has most of. A column is named as the
first row names it or, where that has no such name, by its number from one. Where all are numbers there are no names,
and the first row is one like the others. Cells are quoted where they were, or must be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from dragoman.documents.encoding import decoded
from dragoman.documents.segment import DocumentLimits, Piece, Segment, Tag, has_words, serialised
from dragoman.documents.tables.message import Message
from dragoman.documents.tables.table import Slot, TableDocument, as_text
from dragoman.errors import ConfigError, InputError

SEPARATORS = ",;\t|"
QUOTED = re.compile(r'"((?:[^"]++|"")*+)"')
# How Excel is told the separator.
DIRECTIVE = re.compile(r"sep=([^\r\n])(?:\r\n|\r|\n)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns to translate, and which take the translations, one for each; none: the same ones."""

    columns: tuple[str, ...] = ()
    into: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    begin: int
    end: int
    text: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class RowTail:
    """The cells that a row gains at its end: `before` fills it up to its full width."""

    before: str
    separator: str
    cells: list[Message | None]

    @property
    def segments(self) -> Sequence[Segment]:
        return [segment for cell in self.cells if cell is not None for segment in cell.segments]

    def joined(self, translations: Sequence[Segment]) -> Segment:
        left = iter(translations)
        pieces: list[Piece] = [Tag(self.before)]
        for cell in self.cells:
            pieces.append(Tag(self.separator))
            if cell is not None:
                pieces.append(as_text(str)(cell.joined(list(islice(left, len(cell.segments))))))
        return tuple(pieces)


class CsvTable:
    """Finds the slots of a document."""

    def __init__(self, document: TableDocument, name: str, wanted: Columns) -> None:
        self._document = document
        self._name = name
        self._text = document.source.text
        directive = DIRECTIVE.match(self._text)
        begin = directive.end() if directive else 0
        self._separator = directive.group(1) if directive else separator_of(self._text, name)
        first = next(self.rows(begin), [])
        self._header = [cell.text.strip() for cell in first]
        # From where to where; a place beyond the width is a new column.
        self._new: list[str] = []
        sources = [self.column(column) for column in wanted.columns]
        targets = [self.place(column) for column in wanted.into] or sources
        self.check(wanted, sources, targets)
        self._pairs = list(zip(sources, targets, strict=True))
        named = any(column in self._header or not column.isdecimal() for column in (*wanted.columns, *wanted.into))
        if named and self._new:
            cells = (self._separator + self.quoted(name) for name in self._new)
            document.fix(first[-1].end, first[-1].end, "".join(cells))
        for number, row in enumerate(self.rows(begin)):
            if (number or not named) and (len(row) > 1 or row[0].text):
                self.take(row)

    def rows(self, at: int) -> Iterator[list[Cell]]:
        text, separator = self._text, self._separator
        bare = re.compile(rf"[^{re.escape(separator)}\r\n]*+")
        cells: list[Cell] = []
        while at < len(text) or cells:
            begin = at
            if match := QUOTED.match(text, at):
                cells.append(Cell(begin, at := match.end(), match.group(1).replace('""', '"'), True))
            elif match := bare.match(text, at):
                cells.append(Cell(begin, at := match.end(), match.group(), False))
            if text.startswith('"', begin) and (
                not cells[-1].quoted or text[at : at + 1] not in ("", "\r", "\n", separator)
            ):
                line = text.count("\n", 0, begin) + 1
                raise InputError(f"{self._name}, line {line}: the quotes around a cell do not match; repair them", line)
            if text.startswith(separator, at):
                at += 1
                continue
            at += 2 if text.startswith("\r\n", at) else 1
            yield cells
            cells = []

    def column(self, wanted: str) -> int:
        if wanted in self._header:
            return self._header.index(wanted)
        if wanted.isdecimal() and 0 < int(wanted) <= len(self._header):
            return int(wanted) - 1
        raise ConfigError(f"--column: {self._name} has no column {wanted!r}, but {self.columns()}", "column")

    def place(self, wanted: str) -> int:
        try:
            return self.column(wanted)
        except ConfigError:
            self._new.append(wanted)
            return len(self._header) + len(self._new) - 1

    def columns(self) -> str:
        return ", ".join(f"{number} ({name})" if name else str(number) for number, name in enumerate(self._header, 1))

    def check(self, wanted: Columns, sources: list[int], targets: list[int]) -> None:
        if not sources:
            raise ConfigError(
                f"{self._name}: say which columns hold the text, with --column; it has {self.columns()}", "column"
            )
        if len(targets) != len(sources):
            raise ConfigError(f"--into: {len(targets)} columns cannot take {len(sources)}; name one for each", "into")
        twice = any(len({*columns}) < len(columns) for columns in (sources, targets, wanted.into))
        if twice or (wanted.into and {*targets} & {*sources}):
            raise ConfigError("--column and --into: a column is named twice", "into")

    def take(self, row: list[Cell]) -> None:
        width = len(self._header)
        tail: list[Message | None] = [None] * len(self._new)
        for source, target in self._pairs:
            message = self._document.message(row[source].begin, row[source].text) if source < len(row) else None
            if message is None or not any(map(has_words, message.segments)):
                continue
            if target >= width:
                tail[target - width] = message
            elif source == target:
                self._document.add(Slot(*span(row[source]), message, self.writer(row[source].quoted)))
            elif target < len(row) and not row[target].text.strip():
                written = self.writer(row[target].quoted or row[source].quoted)
                self._document.add(Slot(*span(row[target]), message, written, beside=True))
        if not tail:
            return
        if len(row) > width:
            self._document.leave(row[0].begin, "a row with more cells than the first")
            return
        end = row[-1].end
        before = self._separator * (width - len(row))
        if any(tail):
            self._document.add(Slot(end, end, RowTail(before, self._separator, tail), self.tail_written, beside=True))
        else:
            self._document.fix(end, end, before + self._separator * len(tail))

    def writer(self, quoted: bool) -> Callable[[Segment], str]:
        return as_text(lambda text: self.quoted(text, quoted))

    def tail_written(self, segment: Segment) -> str:
        return serialised(segment, self.quoted)

    def quoted(self, text: str, always: bool = False) -> str:
        if always or text != text.strip() or any(sign in text for sign in ('"', "\r", "\n", self._separator)):
            return '"' + text.replace('"', '""') + '"'
        return text


def span(cell: Cell) -> tuple[int, int]:
    return cell.begin, cell.end


def separator_of(text: str, name: str) -> str:
    if name.lower().endswith(".tsv"):
        return "\t"
    first = re.split(r"[\r\n]", QUOTED.sub("", text[:100_000]), maxsplit=1)[0]
    return max(SEPARATORS, key=lambda separator: (first.count(separator), -SEPARATORS.index(separator)))


def read_csv(data: bytes, name: str, limits: DocumentLimits, columns: Columns) -> TableDocument:
    document = TableDocument(decoded(data, name), limits)
    CsvTable(document, name, columns)
    return document
