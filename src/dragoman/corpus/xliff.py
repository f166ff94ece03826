"""XLIFF 1.2 and 2.x, streamed.

1.2: `trans-unit` with `source`, `target` and perhaps `seg-source`, whose `mrk mtype="seg"` pair with the target's by
`mid`. 2.x: `unit` with `segment`s. Text without a translation is counted, not read; proposals (`alt-trans`, matches)
are not the file's translation and are ignored. A file in the other direction is read backwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dragoman.config import ReadOptions
from dragoman.corpus.languages import OtherLanguagesError, matches
from dragoman.corpus.pair import Account, Origin, SentencePair
from dragoman.corpus.safe_xml import children, local_name, native_code, quote, refuse_reference, units
from dragoman.errors import InputError, excerpt

# Elements that hold the code of another format; that hold nothing but stand for one; that enclose text.
NATIVE = frozenset(("bpt", "ept", "it", "ph"))
EMPTY = frozenset(("x", "bx", "ex", "sc", "ec", "ph"))
ENCLOSING = frozenset(("g", "pc"))
UNTRANSLATED = frozenset(("new", "needs-translation", "initial"))


class Languages:
    """The languages in force, from `xliff` (2.x) or `file` (1.2), and whether they are the wanted ones swapped."""

    def __init__(self, path: str, source_lang: str, target_lang: str) -> None:
        self.path = path
        self.wanted = (source_lang, target_lang)
        self.seen: Counter[str] = Counter()
        self.ours, self.theirs = "", ""

    def open(self, element: Any) -> None:
        ours = element.get("source-language") or element.get("srcLang")
        theirs = element.get("target-language") or element.get("trgLang")
        if ours or theirs:
            self.ours, self.theirs = ours or "", theirs or ""
            self.seen[f"{self.ours or '?'} to {self.theirs or '?'}"] += 1

    def direction(self) -> int:
        """1 as wanted, -1 backwards, 0 other languages; a language the file leaves out is taken to be right."""
        source_lang, target_lang = self.wanted
        if fits(source_lang, self.ours) and fits(target_lang, self.theirs):
            return 1
        if fits(source_lang, self.theirs) and fits(target_lang, self.ours):
            return -1
        return 0


def fits(wanted: str, named: str) -> bool:
    return not named or matches(wanted, named)


def read_xliff(
    path: str | Path, source_lang: str, target_lang: str, options: ReadOptions, account: Account
) -> Iterator[SentencePair]:
    """Translated segments with their unit's id, state and notes."""
    name = str(path)
    languages = Languages(name, source_lang, target_lang)
    number = 0
    read = 0
    original = ""
    for tag, element in units(path, account, ("trans-unit", "unit"), opening=("xliff", "file")):
        if tag in ("xliff", "file"):
            languages.open(element)
            original = element.get("original", "") if tag == "file" else ""
            continue
        number += 1
        direction = languages.direction()
        if direction == 0:
            account.skipped["language missing"] += 1
            continue
        unit = element.get("id") or ""
        attributes = describe(element, original)
        for part, ours, theirs, state in segments(name, element):
            read += 1
            if state in UNTRANSLATED or not theirs.strip() or not ours.strip():
                account.skipped["untranslated"] += 1
                continue
            if direction < 0:
                ours, theirs = theirs, ours
            more = {**attributes, "state": state} if state else attributes
            key = "/".join(piece for piece in (original, unit or str(number), part) if piece)
            yield SentencePair(ours, theirs, f"{name}:{key}", Origin(name, 0, key, more))
    if number == 0:
        raise InputError(f"{name} holds no translation units; is it an XLIFF 1.2 or 2.x file?")
    if read == 0 and account.skipped["language missing"]:
        has = ", ".join(map(excerpt, list(languages.seen)[:8])) or "no languages"
        raise OtherLanguagesError(f"{name} does not translate {source_lang} to {target_lang}; it has {has}")


def describe(unit: Any, original: str) -> dict[str, str]:
    attributes = {"original": original} if original else {}
    for key in ("resname", "approved", "name"):
        value = unit.get(key)
        if value:
            attributes[key] = value
    notes = [note.text for note in unit.iter("{*}note") if note.text]
    if notes:
        attributes["note"] = "; ".join(notes)
    return attributes


def segments(path: str, unit: Any) -> Iterator[tuple[str, str, str, str]]:
    """(segment id, source, target, state) of a unit of either version; an absent target is empty."""
    if local_name(unit) == "unit":
        for segment in children(unit, "segment"):
            source, target = first(segment, "source"), first(segment, "target")
            state = segment.get("state") or ""
            yield segment.get("id") or "", text_of(path, source), text_of(path, target), state
        return
    target = first(unit, "target")
    state = "" if target is None else target.get("state") or ""
    pieces = marked(first(unit, "seg-source"))
    translated = marked(target)
    if pieces and set(pieces) == set(translated):
        for key, piece in pieces.items():
            yield key, text_of(path, piece), text_of(path, translated[key]), state
    else:
        yield "", text_of(path, first(unit, "source")), text_of(path, target), state


def first(element: Any, name: str) -> Any:
    return next(children(element, name), None)


def marked(element: Any) -> dict[str, Any]:
    """The `mrk mtype="seg"` pieces of a segmented text, by mid."""
    if element is None:
        return {}
    return {mark.get("mid", ""): mark for mark in element.iter("{*}mrk") if mark.get("mtype") == "seg"}


def text_of(path: str, element: Any) -> str:
    """The text with its inline codes as tags: `<g id="1">..</g>`, `<x id="2"/>`; markers are transparent."""
    if element is None:
        return ""
    if len(element) == 0:
        return element.text or ""
    parts = [element.text or ""]
    for child in element:
        refuse_reference(path, child)
        name = local_name(child)
        identity = child.get("id") or child.get("startRef") or ""
        mark = f" id={quote(identity)}" if identity else ""
        if name in ENCLOSING:
            parts += [f"<{name}{mark}>", text_of(path, child), f"</{name}>"]
        elif name in NATIVE and (child.text or len(child)):
            parts.append(native_code(child, name))
        elif name in EMPTY or name in NATIVE:
            parts.append(f"<{name}{mark}/>")
        elif name == "cp":
            parts.append(code_point(child.get("hex") or ""))
        else:
            parts.append(text_of(path, child))
        parts.append(child.tail or "")
    return "".join(parts)


def code_point(digits: str) -> str:
    """A character that XML cannot hold, given by number; cleaning decides about the pair."""
    try:
        value = int(digits, 16)
    except ValueError:
        return "\ufffd"
    return chr(value) if 0 < value <= 0x10FFFF and not 0xD800 <= value <= 0xDFFF else "\ufffd"
