"""Which files of two folders belong together: those with the same name, but for the language in it.

`guide.fr.html` belongs to `guide.en.html`, `fr/guide.html` to `en/guide.html`, `guide_fr.docx` to `guide_en.docx`, and
what has the same name in both to its namesake.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from dragoman.corpus.languages import matches
from dragoman.documents import BILINGUAL, BY_EXTENSION
from dragoman.documents.formats import CSV
from dragoman.errors import ConfigError, InputError

PARTS = re.compile(r"[^._\-\s]+")


@dataclass(frozen=True, slots=True)
class Matched:
    """Pairs of files, files that no pair was found for, and tables that were passed over."""

    pairs: list[tuple[Path, Path]]
    alone: list[Path]
    tables: list[Path]

    @property
    def holds_tables(self) -> bool:
        """Whether any of the pairs has a file of which somebody must say which columns hold the text."""
        return any(is_table(path) for pair in self.pairs for path in pair)


def match_paths(paths: Sequence[Path], source_lang: str, target_lang: str, tables: bool = False) -> Matched:
    """Documents in twos, source and target; where both are folders, the documents in them, and the `tables` if it is
    known which of their columns to read."""
    if not paths or len(paths) % 2:
        raise ConfigError("name documents in twos, each with its translation, or two folders", "documents")
    matched = Matched([], [], [])
    for source, target in zip(paths[::2], paths[1::2], strict=True):
        for path in (source, target):
            if not path.exists():
                raise InputError(f"{path}: there is no such file")
        if source.is_dir() != target.is_dir():
            raise ConfigError(f"{source} and {target} must both be files or both be folders", "documents")
        if source.is_dir():
            inside = match_folders(source, target, source_lang, target_lang, tables)
            matched.pairs.extend(inside.pairs)
            matched.alone.extend(inside.alone)
            matched.tables.extend(inside.tables)
        else:
            matched.pairs.append((source, target))
    return matched


def match_folders(source: Path, target: Path, source_lang: str, target_lang: str, tables: bool) -> Matched:
    here, there = documents_in(source), documents_in(target)
    passed = [] if tables else sorted({path for path in (*here, *there) if is_table(path)})
    ours = by_key(source, here, source_lang, target_lang, tables)
    theirs = by_key(target, there, target_lang, source_lang, tables)
    pairs: list[tuple[Path, Path]] = []
    alone: list[Path] = []
    for key in sorted(ours.keys() | theirs.keys()):
        sources, targets = ours.get(key, []), theirs.get(key, [])
        if len(sources) == len(targets) == 1:
            pairs.append((sources[0], targets[0]))
        else:
            alone += sources + targets
    if not pairs:
        hint = f"; of tables such as {passed[0].name}, say with --column which columns hold the text" if passed else ""
        raise InputError(f"no document in {source} has the name of one in {target}, but for the language in it{hint}")
    return Matched(pairs, alone, passed)


def is_table(path: Path) -> bool:
    return BY_EXTENSION.get(path.suffix.lower()) == CSV


def documents_in(folder: Path) -> list[Path]:
    """Those of one language, and tables, which may be."""
    return [
        path
        for path in sorted(folder.rglob("*"))
        if (kind := BY_EXTENSION.get(path.suffix.lower())) is not None
        and kind not in BILINGUAL
        and path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]


def by_key(folder: Path, paths: Sequence[Path], lang: str, other_lang: str, tables: bool) -> dict[str, list[Path]]:
    """The documents below a folder by what their names share with their translations'.

    In one folder with both languages, a name with the other language belongs to the other side.
    """
    documents: dict[str, list[Path]] = defaultdict(list)
    for path in paths:
        if is_table(path) and not tables:
            continue
        name = path.relative_to(folder)
        codes = PARTS.findall(str(name.with_suffix("")))
        if any(is_code(other_lang, code) for code in codes) and not any(is_code(lang, code) for code in codes):
            continue
        documents[key_of(name, lang)].append(path)
    return documents


def key_of(name: PurePath, lang: str) -> str:
    """Without the extension, which translations may not share, and without the language."""
    parts = [[code for code in PARTS.findall(part) if not is_code(lang, code)] for part in name.with_suffix("").parts]
    return "/".join("-".join(part) for part in parts if part).casefold()


def is_code(lang: str, part: str) -> bool:
    return len(part) <= 3 and matches(lang, part)
