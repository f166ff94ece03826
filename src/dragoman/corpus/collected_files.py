"""Bilingual files in a folder or a zip archive, and those that a prefix stands for.

Text files go together that have the same name but for the code of a language: train.fr and train.en, fr/letter.txt and
en/letter.txt, Europarl.en-fr.fr and Europarl.en-fr.en.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from dragoman import archive
from dragoman.corpus.languages import matches

CODE = re.compile(r"(?<![^\W_])[A-Za-z]{2,3}(?:[-_][A-Z][A-Za-z]{1,3})?(?![^\W_])")
# How the name of a text file goes on after a prefix: with its language, perhaps after the two of the pair.
REST = re.compile(r"\.(?:\w+-\w+\.)?([A-Za-z]{2,3}(?:[-_]\w+)?)(?:\.txt)?(?:\.[gx]z)?")


@dataclass(slots=True)
class CollectedFiles:
    """What there is to read: files of pairs, pairs of text files, and files that are neither."""

    whole: list[str] = field(default_factory=list)
    pairs: list[tuple[str, str]] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)


def files_in(place: str, langs: tuple[str, str], is_whole: Callable[[str], bool]) -> CollectedFiles:
    """What a folder or an archive holds; `is_whole` says of a name whether it is a file of pairs."""
    inside = Path(place).is_file()
    names = [f"{place}/{member}" for member in archive.members(place)] if inside else list(walk(place))
    files = CollectedFiles()
    texts: list[str] = []
    for name in names:
        if name.lower().endswith(archive.SUFFIX) and Path(name).is_file():
            inner = files_in(name, langs, is_whole)
            files.whole += inner.whole
            files.pairs += inner.pairs
            files.aside += inner.aside
        elif is_whole(name):
            files.whole.append(name)
        else:
            texts.append(name)
    pairs = list(paired(texts, langs, len(place)))
    taken = {name for pair in pairs for name in pair}
    files.pairs += pairs
    files.aside += [name for name in texts if name not in taken]
    return files


def walk(folder: str) -> Iterator[str]:
    """Files below a folder in a fixed order, but for hidden ones and those of models and their work folders."""
    for place, folders, files in os.walk(folder):
        if "model.json" in files:
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith(".") and not name.endswith(".work"))
        for name in sorted(files):
            path = os.path.join(place, name)  # noqa: PTH118 - a Path would lose the user's own way to write it
            if not name.startswith(".") and os.path.isfile(path):  # noqa: PTH113
                yield path


def paired(names: Iterable[str], langs: tuple[str, str], skip: int = 0) -> Iterator[tuple[str, str]]:
    """Names that differ in the language alone, source first; the first `skip` characters are no part of the name."""
    listed = list(names)
    theirs = {key: name for name in listed if (key := without_code(name[skip:], langs[1]))}
    for name in listed:
        partner = theirs.get(without_code(name[skip:], langs[0]))
        if partner is not None and partner != name:
            yield name, partner


def without_code(name: str, lang: str) -> str:
    """The name with a gap for the last code of this language; nothing where there is none."""
    codes = [code for code in CODE.finditer(name) if matches(lang, code[0])]
    return f"{name[: codes[-1].start()]}\0{name[codes[-1].end() :]}" if codes else ""


def files_of_prefix(prefix: str, langs: tuple[str, str]) -> tuple[str, str] | None:
    """The two files that `train` stands for: train.fr and train.en, or train.fr-en.fr and train.fr-en.en."""
    folder, stem = Path(prefix).parent, PurePath(prefix).name
    if not stem or not folder.is_dir():
        return None
    names = [path.name for path in sorted(folder.iterdir()) if path.name.startswith(stem) and path.is_file()]
    texts = [name for name in names if (rest := REST.fullmatch(name, len(stem))) and fits(rest[1], langs)]
    pair = next(paired(texts, langs), None)
    return None if pair is None else (str(folder / pair[0]), str(folder / pair[1]))


def fits(code: str, langs: tuple[str, str]) -> bool:
    return any(matches(lang, code) for lang in langs)
