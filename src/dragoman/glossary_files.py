"""Files of terms as people have them: tab-separated lines, CSV of any dialect, TBX.

All become lines `source TAB target` (core/translate/glossary.h). A line that cannot be meant is refused: otherwise it
would do nothing, and be found out when the text is printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dragoman.corpus.languages import canonical, matches
from dragoman.corpus.pair import Account
from dragoman.corpus.safe_xml import XML_LANG, children, local_name, refuse_reference, units
from dragoman.delimited import Row, find_delimiter, rows_by, without_directive
from dragoman.errors import InputError, excerpt
from dragoman.files import reading

XML = re.compile(r"\s*<(\?xml|martif|tbx|!DOCTYPE)\b", re.IGNORECASE)
SOURCE_NAMES = ("source", "src", "term", "source term", "from")
TARGET_NAMES = ("target", "tgt", "trg", "translation", "target term", "to")
# What a line without a tab has where somebody meant two texts.
SEPARATED = re.compile(r"[,;|=→\u00a6]|->|\S {2,}\S")
LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_]\w{2,8})?")
NOT_TO_USE = ("deprecatedTerm", "supersededTerm", "obsolete")
UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Term:
    """A term and its translations, best first; none keep it as it is. `line` is where it stands in its file."""

    source: str
    targets: tuple[str, ...]
    line: int


def read_terms(path: str, languages: tuple[str, str] = ("", "")) -> list[Term]:
    """Terms of a file, which may be compressed, for these two languages."""
    with reading(path) as stream:
        content = stream.read()
    try:
        text = content.decode("utf-16" if content.startswith(UTF_16) else "utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8 text; convert the file first") from None
    plain = path.lower().removesuffix(".gz").removesuffix(".xz")
    if plain.endswith(".tbx") or XML.match(text):
        return list(tbx_terms(path, languages))
    return list(text_terms(path, text, languages, is_csv=plain.endswith(".csv")))


def text_terms(name: str, text: str, languages: tuple[str, str] = ("", ""), is_csv: bool = False) -> Iterator[Term]:
    """Terms of tab-separated lines or of CSV, whichever the text is."""
    if "\0" in text:
        raise InputError(f"{name}: holds NUL characters; it is not a text file")
    lines, told = without_directive([line.removesuffix("\r") for line in text.split("\n")])
    said = [line for line in lines if line.strip() and not line.startswith("#")]
    if not told and not is_csv and any("\t" in line for line in said):
        return tabbed_terms(name, lines, languages)
    delimiter = told or find_delimiter(said, ",;|" if not is_csv else ",;|\t")
    if not delimiter and not is_csv:
        return tabbed_terms(name, lines, languages)
    rows = [row for row in rows_by(name, iter(lines), delimiter or ",") if not row.opening.startswith("#")]
    return csv_terms(name, rows, languages)


def not_separated(name: str, line: int, text: str, what: str) -> InputError:
    return InputError(
        f"{name}, line {line}: there is no {what} between a term and its translation in '{excerpt(text)}'; put one"
        " there, or at the end of the line to keep the term as it is",
        line,
    )


def tabbed_terms(name: str, lines: Sequence[str], languages: tuple[str, str]) -> Iterator[Term]:
    columns: Columns | None = None
    first = True
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.split("\t")
        if first and (columns := named_columns(cells, languages)):
            first = False
            continue
        first = False
        if len(cells) == 1 and SEPARATED.search(line):
            raise not_separated(name, number, line, "tab")
        yield term_of(name, number, cells, columns or Columns(0, tuple(range(1, len(cells)))))


def csv_terms(name: str, rows: Sequence[Row], languages: tuple[str, str]) -> Iterator[Term]:
    if not rows:
        return
    columns = COLUMNS_WITH_LANGUAGES if all(map(says_languages, rows)) else named_columns(rows[0].cells, languages)
    for row in rows[1:] if columns and not columns.languages else rows:
        if not columns and len(row.cells) > 2:
            raise InputError(
                f"{name}, line {row.line}: has {len(row.cells)} cells where a term and its translation are expected;"
                " put quotes around cells that hold commas, or a line such as `source,target,note` on top that names"
                " the columns",
                row.line,
            )
        if len(row.cells) == 1 and SEPARATED.search(row.opening) and not row.opening.startswith('"'):
            raise not_separated(name, row.line, row.opening, "comma")
        if columns is None or not columns.languages or columns.fit(row.cells, languages):
            yield term_of(name, row.line, row.cells, columns or TWO_COLUMNS)


def says_languages(row: Row) -> bool:
    """Whether a row has a term, a translation and the codes of their languages, as machine translators' tables have."""
    return len(row.cells) == 4 and all(LANGUAGE.fullmatch(cell.strip()) for cell in row.cells[2:])


@dataclass(frozen=True, slots=True)
class Columns:
    """Where a row has its term and translations, and the languages of both if it says so itself."""

    source: int
    targets: tuple[int, ...]
    languages: tuple[int, int] | None = None

    def fit(self, cells: Sequence[str], languages: tuple[str, str]) -> bool:
        assert self.languages is not None
        said = [cells[at].strip() if at < len(cells) else "" for at in self.languages]
        return all(not wanted or matches(wanted, code) for wanted, code in zip(languages, said, strict=True))


TWO_COLUMNS = Columns(0, (1,))
COLUMNS_WITH_LANGUAGES = Columns(0, (1,), (2, 3))


def named_columns(cells: Sequence[str], languages: tuple[str, str]) -> Columns | None:
    """What a first row says, if it names columns and is no term."""
    names = [cell.strip().lower() for cell in cells]
    of_source, of_target = ({canonical(code), code.lower()} if code else set[str]() for code in languages)
    for ours, theirs in ((set(SOURCE_NAMES), set(TARGET_NAMES)), (of_source, of_target)):
        sources = [at for at, name in enumerate(names) if name in ours]
        targets = [at for at, name in enumerate(names) if name in theirs]
        if sources and targets:
            return Columns(sources[0], tuple(targets))
    return None


def term_of(name: str, line: int, cells: Sequence[str], columns: Columns) -> Term:
    def cell(at: int) -> str:
        return " ".join(cells[at].split()) if at < len(cells) else ""

    targets = tuple(filter(None, map(cell, columns.targets)))
    if not cell(columns.source):
        raise InputError(
            f"{name}, line {line}: the translation '{excerpt(' '.join(cells))}' has no term that it is for", line
        )
    return Term(cell(columns.source), targets, line)


def tbx_terms(path: str, languages: tuple[str, str]) -> Iterator[Term]:
    """Terms of TBX (ISO 30042) of both versions: concepts, with terms in each language."""
    if not all(languages):
        raise InputError(f"{path}: a TBX file has many languages, and the model does not say which are its own")
    concepts = 0
    seen: set[str] = set()
    has_both = False
    for _, concept in units(path, Account(), ("termEntry", "conceptEntry")):
        concepts += 1
        sides: list[list[str]] = [[], []]
        for section in concept:
            lang = section.get(XML_LANG) or section.get("lang") or ""
            if local_name(section) not in ("langSet", "langSec") or not lang:
                continue
            seen.add(lang)
            for side, wanted, usable in zip(sides, languages, (False, True), strict=True):
                if matches(wanted, lang):
                    side += terms_in(path, section, only_usable=usable)
        if all(sides):
            has_both = True
            yield from (Term(source, tuple(dict.fromkeys(sides[1])), concept.sourceline or 0) for source in sides[0])
    if not concepts:
        raise InputError(f"{path} holds no terms; is it a TBX file?")
    if not has_both:
        has = ", ".join(sorted(map(excerpt, seen))[:8]) or "no languages"
        raise InputError(f"{path} has no terms in both {languages[0]} and {languages[1]}; it has {has}")


def terms_in(path: str, section: Any, only_usable: bool) -> Iterator[str]:
    """Terms of one language, without those that are not to be used."""
    for group in section.iter():
        if local_name(group) not in ("tig", "ntig", "termSec"):
            continue
        notes = " ".join(note.text or "" for note in group.iter() if local_name(note) in ("termNote", "descrip"))
        if only_usable and any(word in notes for word in NOT_TO_USE):
            continue
        for term in (child for inner in (group, *children(group, "termGrp")) for child in children(inner, "term")):
            for part in term:
                refuse_reference(path, part)
            if text := " ".join("".join(term.itertext()).split()):
                yield text
