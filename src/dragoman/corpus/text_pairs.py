"""Pairs out of line-oriented files: two aligned text files, columns between tabs or commas, JSON lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dragoman.config import ReadOptions
from dragoman.corpus.languages import canonical, choose, matches
from dragoman.corpus.lines import read_lines
from dragoman.corpus.pair import Account, Origin, SentencePair
from dragoman.delimited import read_rows
from dragoman.errors import ConfigError, InputError, excerpt

NO_TEXT = re.compile("[\0\ud800-\udfff]")
COLUMN = re.compile(r"[1-9][0-9]{0,8}")
SOURCE_NAMES = ("source", "src", "q")
TARGET_NAMES = ("target", "tgt", "trg", "s")


def read_plain(
    source: str | Path, target: str | Path, options: ReadOptions, account: Account
) -> Iterator[SentencePair]:
    """Line n of one file with line n of the other."""
    name = str(source)
    ours = read_lines(source, options.max_line_bytes, account)
    theirs = read_lines(target, options.max_line_bytes, account)
    number = 0
    for text in ours:
        translation = next(theirs, None)
        if translation is None:
            raise unequal(source, target, number + 1 + sum(1 for _ in ours), number)
        number += 1
        yield SentencePair(text, translation, f"{name}:{number}", Origin(name, number))
    more = sum(1 for _ in theirs)
    if more:
        raise unequal(source, target, number, number + more)


def unequal(source: str | Path, target: str | Path, ours: int, theirs: int) -> InputError:
    return InputError(
        f"{source} has {ours:,} lines but {target} has {theirs:,}; the two files of a pair must match line by line",
        min(ours, theirs) + 1,
    )


def read_tsv(
    path: str | Path, source_lang: str, target_lang: str, options: ReadOptions, account: Account
) -> Iterator[SentencePair]:
    """Columns between tabs, quotes as they are. A first line that names the columns is recognised."""
    lines = enumerate(read_lines(path, options.max_line_bytes, account), start=1)
    rows = ((number, line.split("\t")) for number, line in lines)
    return table_pairs(str(path), rows, (source_lang, target_lang), options, account)


def read_csv(
    path: str | Path, source_lang: str, target_lang: str, options: ReadOptions, account: Account
) -> Iterator[SentencePair]:
    """Columns as spreadsheets write them, between whatever the rows show, with quotes around cells that need them."""
    rows = read_rows(str(path), read_lines(path, options.max_line_bytes, account))
    cells = ((row.line, row.cells) for row in rows)
    return table_pairs(str(path), cells, (source_lang, target_lang), options, account)


def table_pairs(
    name: str,
    rows: Iterable[tuple[int, list[str]]],
    langs: tuple[str, str],
    options: ReadOptions,
    account: Account,
) -> Iterator[SentencePair]:
    """Pairs of rows and the lines they begin on."""
    if options.source_column and options.source_column == options.target_column:
        raise ConfigError("--source-column and --target-column are the same; name two columns", "target_column")
    columns: tuple[int, int] | None = None
    header: list[str] | None = None
    for number, cells in rows:
        if columns is None:
            columns = header_columns(cells, *langs, options)
            if columns is not None:
                header = cells
                continue
            columns = numbered_columns(name, cells, options)
        if not "".join(cells).strip():
            account.skipped["empty line"] += 1
            continue
        if max(columns) >= len(cells):
            raise InputError(
                f"{name}, line {number}: column {max(columns) + 1} is wanted but the line has {len(cells)}", number
            )
        if header is None and len(cells) > 2 and not options.source_column:
            raise InputError(
                f"{name}, line {number}: two columns are expected but the line has {len(cells)}; say which to take"
                " with --source-column and --target-column",
                number,
            )
        yield SentencePair(
            cells[columns[0]],
            cells[columns[1]],
            f"{name}:{number}",
            Origin(name, number, "", rest(header, cells, columns)),
        )


def rest(header: list[str] | None, cells: list[str], columns: tuple[int, int]) -> dict[str, str]:
    """The named columns besides the two texts: provenance, and what to split by."""
    if header is None or len(header) <= 2:
        return {}
    return {key: cell for at, (key, cell) in enumerate(zip(header, cells, strict=False)) if at not in columns and key}


def header_columns(
    cells: list[str], source_lang: str, target_lang: str, options: ReadOptions
) -> tuple[int, int] | None:
    """Where the two texts are, if the first line names its columns."""
    names = [cell.strip().lower() for cell in cells]
    wanted = (options.source_column.lower(), options.target_column.lower())
    if all(wanted):
        if wanted[0] in names and wanted[1] in names:
            return names.index(wanted[0]), names.index(wanted[1])
        return None
    for sources, targets in (
        (SOURCE_NAMES, TARGET_NAMES),
        ((canonical(source_lang), source_lang.lower()), (canonical(target_lang), target_lang.lower())),
    ):
        ours = [at for at, cell in enumerate(names) if cell in sources]
        theirs = [at for at, cell in enumerate(names) if cell in targets]
        if ours and theirs and ours[0] != theirs[0]:
            return ours[0], theirs[0]
    return None


def numbered_columns(name: str, cells: list[str], options: ReadOptions) -> tuple[int, int]:
    """The two texts by number (from 1), or simply the only two columns there are."""
    wanted = (options.source_column, options.target_column)
    if all(wanted):
        if all(COLUMN.fullmatch(part) for part in wanted):
            return int(wanted[0]) - 1, int(wanted[1]) - 1
        raise ConfigError(
            f"{name} has no columns named {wanted[0]} and {wanted[1]} in its first line; it begins with"
            f" {', '.join(excerpt(cell) for cell in cells[:6])}",
            "source_column",
        )
    if any(wanted):
        raise ConfigError("give --source-column and --target-column together", "source_column")
    if len(cells) != 2:
        raise InputError(
            f"{name}: the first line has {len(cells)} column{'s' * (len(cells) != 1)} where two are expected;"
            " separate the columns, or say which to take with --source-column and --target-column",
            1,
        )
    return 0, 1


def read_jsonl(
    path: str | Path, source_lang: str, target_lang: str, options: ReadOptions, account: Account
) -> Iterator[SentencePair]:
    """An object per line, with texts under `q` and `s`, under `source` and `target`, or under their languages.

    Beside `q` and `s`, `source` and `target` are the languages. Languages may stand in an object under `translation`.
    """
    name = str(path)
    for number, line in enumerate(read_lines(path, options.max_line_bytes, account), start=1):
        if not line.strip():
            account.skipped["empty line"] += 1
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{name}, line {number}: not JSON ({error}); write one object per line", number) from None
        if not isinstance(entry, dict):
            raise InputError(
                f'{name}, line {number}: a JSON object is expected, such as {{"q": ..., "s": ...}}', number
            )
        suggestion = "q" in entry and "s" in entry
        if suggestion or "source" in entry or "target" in entry:
            texts = [entry.pop(key, None) for key in (("q", "s") if suggestion else ("source", "target"))]
        else:
            texts = texts_by_language(entry, source_lang, target_lang)
            if None in texts and texts != [None, None]:
                account.skipped["language missing"] += 1
                continue
        if suggestion and not languages_fit(entry, source_lang, target_lang):
            account.skipped["other language"] += 1
            continue
        if not all(isinstance(text, str) for text in texts):
            raise InputError(
                f'{name}, line {number}: no texts under "q" and "s", under "source" and "target", or under'
                f' "{source_lang}" and "{target_lang}"',
                number,
            )
        yield make_pair(name, number, texts, entry)


def texts_by_language(entry: dict[str, Any], source_lang: str, target_lang: str) -> list[Any]:
    """Takes the texts that stand under the codes of the two languages; None where one is missing or is null."""
    held = next((entry[key] for key in ("translation", "translations") if isinstance(entry.get(key), dict)), entry)
    keys = choose(source_lang, target_lang, tuple(held))
    texts = [None if key is None else held.pop(key) for key in keys]
    for key in ("translation", "translations"):
        if held is entry.get(key):
            del entry[key]
    return texts


def make_pair(name: str, number: int, texts: list[str], entry: dict[str, Any]) -> SentencePair:
    given = entry.pop("id", None)
    attributes = {key: value if isinstance(value, str) else json.dumps(value) for key, value in entry.items()}
    for at, text in enumerate(texts):
        # Half a surrogate pair and NUL can be written in JSON and in no text file.
        if NO_TEXT.search(text):
            raise InputError(f"{name}, line {number}: text {at + 1} holds half a surrogate pair or NUL", number)
    identifier = str(given) if given is not None else f"{name}:{number}"
    return SentencePair(texts[0], texts[1], identifier, Origin(name, number, "", attributes))


def languages_fit(entry: dict[str, Any], source_lang: str, target_lang: str) -> bool:
    """Whether the languages an object names, if any, are the two that are wanted."""
    for key, wanted in (("source", source_lang), ("target", target_lang)):
        named = entry.pop(key, None)
        if isinstance(named, str) and named and named != "auto" and not matches(wanted, named):
            return False
    return True
