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
    """Pairs of files, and files that no pair was found for."""

    pairs: list[tuple[Path, Path]]
    alone: list[Path]


def match_paths(paths: Sequence[Path], source_lang: str, target_lang: str) -> Matched:
    """Documents in twos, source and target; where both are folders, the documents in them."""
    if not paths or len(paths) % 2:
        raise ConfigError("name documents in twos, each with its translation, or two folders", "documents")
    matched = Matched([], [])
    for source, target in zip(paths[::2], paths[1::2], strict=True):
        for path in (source, target):
            if not path.exists():
                raise InputError(f"{path}: there is no such file")
        if source.is_dir() != target.is_dir():
            raise ConfigError(f"{source} and {target} must both be files or both be folders", "documents")
        if source.is_dir():
            inside = match_folders(source, target, source_lang, target_lang)
            matched.pairs.extend(inside.pairs)
            matched.alone.extend(inside.alone)
        else:
            matched.pairs.append((source, target))
    return matched


def match_folders(source: Path, target: Path, source_lang: str, target_lang: str) -> Matched:
    ours, theirs = by_key(source, source_lang, target_lang), by_key(target, target_lang, source_lang)
    pairs: list[tuple[Path, Path]] = []
    alone: list[Path] = []
    for key in sorted(ours.keys() | theirs.keys()):
        here, there = ours.get(key, []), theirs.get(key, [])
        if len(here) == len(there) == 1:
            pairs.append((here[0], there[0]))
        else:
            alone += here + there
    if not pairs:
        raise InputError(f"no document in {source} has the name of one in {target}, but for the language in it")
    return Matched(pairs, alone)


def by_key(folder: Path, lang: str, other_lang: str) -> dict[str, list[Path]]:
    """The documents below a folder by what their names share with their translations'.

    In one folder with both languages, a name with the other language belongs to the other side.
    """
    documents: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        kind = BY_EXTENSION.get(path.suffix.lower())
        if (
            kind in (None, CSV)
            or kind in BILINGUAL
            or not path.is_file()
            or any(part.startswith(".") for part in name.parts)
        ):
            continue
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
