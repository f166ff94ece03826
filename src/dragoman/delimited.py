"""Tables written as text: what separates their columns, and their rows with the line that each begins on.

Spreadsheets write commas or, where the comma is for decimals, semicolons; cells that hold one stand in quotes, and may
then hold line ends too (RFC 4180). Which it is can only be told from the rows: it is what cuts most of them into the
same number of cells.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from dragoman.errors import InputError

DELIMITERS = "\t;,|"
DIRECTIVE = re.compile(r'"?sep=(.)"?', re.IGNORECASE)
# Rows that tell the delimiter.
SAMPLE_LINES = 200


@dataclass(frozen=True, slots=True)
class Row:
    """Cells as they were meant, without quotes; `opening` is the line that the row begins with."""

    line: int
    cells: list[str]
    opening: str


def read_rows(name: str, lines: Iterable[str], delimiter: str = "") -> Iterator[Row]:
    """Rows of a table whose lines have no ends; empty ones are left out. InputError names the line at fault."""
    stream = iter(lines)
    if not delimiter:
        first, delimiter = without_directive(list(islice(stream, SAMPLE_LINES)))
        delimiter = delimiter or find_delimiter(first)
        if not delimiter:
            raise InputError(
                f"{name}: what separates its columns cannot be told from its lines; save the table again as CSV, with"
                " quotes around cells that hold commas",
                1,
            )
        stream = chain(first, stream)
    return rows_by(name, stream, delimiter)


def rows_by(name: str, lines: Iterator[str], delimiter: str) -> Iterator[Row]:
    openings: list[str] = []

    def noted() -> Iterator[str]:
        for line in lines:
            openings.append(line)
            yield line + "\n"

    reader = csv.reader(noted(), delimiter=delimiter, strict=True)
    while True:
        began = reader.line_num + 1
        openings.clear()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(
                f"{name}, line {began}: a cell that begins with a quote does not end as it should ({error}); double the"
                " quotes inside a cell, and put the whole cell in quotes",
                began,
            ) from None
        if any(cells):
            yield Row(began, cells, openings[0])


def without_directive(lines: list[str]) -> tuple[list[str], str]:
    """The lines with an empty one in place of `sep=;`, by which Excel is told the delimiter, and that delimiter."""
    told = DIRECTIVE.fullmatch(lines[0].removeprefix("\ufeff")) if lines else None
    return (["", *lines[1:]], told[1]) if told else (lines, "")


def find_delimiter(lines: Sequence[str], delimiters: str = DELIMITERS) -> str:
    """What cuts most rows into equally many cells, at least half of them; nothing where nothing does.

    Two cells are likelier than many: text has commas of its own.
    """
    best, best_score = "", (0.5, False)
    for delimiter in delimiters:
        counts = Counter(cell_counts(lines, delimiter))
        rows = sum(counts.values())
        counts.pop(1, None)
        if not rows or not counts:
            continue
        cells, often = max(counts.items(), key=lambda item: (item[1], -item[0]))
        score = often / rows, cells == 2
        if score > best_score:
            best, best_score = delimiter, score
    return best


def cell_counts(lines: Sequence[str], delimiter: str) -> Iterator[int]:
    """Cells of each row that is not empty, as far as rows can be read."""
    reader = csv.reader((line + "\n" for line in lines), delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            if any(cells):
                yield len(cells)
    except csv.Error:
        return
