"""Message catalogues of gettext: PO text and compiled MO, through polib.

Fuzzy, obsolete and untranslated messages are counted and skipped, and so is the header. Of a plural message the
singular goes with the first form and the plural with each other form. A catalogue translates from the language of
its message ids; where its `Language` header names our source language instead, pairs are turned round.
A catalogue is held in memory while it is read, as polib does; the largest known ones take some tens of MB.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dragoman.config import ReadOptions
from dragoman.corpus.languages import OtherLanguagesError, matches
from dragoman.corpus.pair import Account, Origin, SentencePair
from dragoman.errors import InputError, excerpt

CHARSET = re.compile(rb"charset=([A-Za-z0-9_.:-]+)")
# Anything else than a comment, a keyword with a string, or a string; polib would read on and lose a letter.
STRING = r'"(?:[^"\\\r\n]|\\.)*"'
BAD_LINE = re.compile(
    rf"^(?![ \t]*(?:#.*|(?:(?:msgctxt|msgid|msgid_plural|msgstr|msgstr\[\d+\])[ \t]*)?{STRING})?[ \t]*\r?$)",
    re.MULTILINE,
)
LINE_END = re.compile(r"\r\n|\r|\n")
MO_MAGIC = (b"\xde\x12\x04\x95", b"\x95\x04\x12\xde")


class CatalogueText(str):
    """Text that polib splits at line ends only: str.splitlines also breaks at U+2028 and others inside messages."""

    __slots__ = ()

    def splitlines(self, keepends: bool = False) -> list[str]:
        return LINE_END.split(self)


def read_gettext(
    path: str | Path, source_lang: str, target_lang: str, options: ReadOptions, account: Account
) -> Iterator[SentencePair]:
    """Pairs of a PO or MO file, whichever its content is."""
    import polib  # Here, because translating text does not need it.

    name = str(path)
    with account.reading(path) as stream:
        content = stream.read()
    if not content:
        raise InputError(f"{name} is empty; a PO or MO file is expected")
    catalogue = parse(name, content, polib)
    account.skipped["header"] += 1 if catalogue.metadata else 0
    backwards = direction(name, str(catalogue.metadata.get("Language", "")), source_lang, target_lang)
    number = 0
    for entry in catalogue:
        number += 1
        if entry.obsolete:
            account.skipped["obsolete"] += 1
            continue
        if "fuzzy" in getattr(entry, "flags", ()):
            account.skipped["fuzzy"] += 1
            continue
        attributes = describe(entry)
        line = getattr(entry, "linenum", 0) or 0
        for part, ours, theirs in forms(entry):
            if not ours.strip() or not theirs.strip():
                account.skipped["untranslated"] += 1
                continue
            if backwards:
                ours, theirs = theirs, ours
            identity = f"{name}:{line or number}{part}"
            yield SentencePair(ours, theirs, identity, Origin(name, line or number, part.lstrip("#"), attributes))
    if number == 0:
        raise InputError(f"{name} holds no messages; is it a PO or MO file?")


def parse(name: str, content: bytes, polib: Any) -> Any:
    """The catalogue, or one sentence about what is wrong with it."""
    try:
        match = CHARSET.search(content)
        encoding = match.group(1).decode("ascii") if match else "utf-8"
        # The template's placeholder for an encoding that nobody filled in.
        encoding = "utf-8" if encoding.upper() == "CHARSET" else encoding
        if content.startswith(MO_MAGIC):
            return polib.mofile(content, encoding=encoding)
        text = content.decode(encoding).removeprefix("\ufeff")
        if "\0" in text:
            line = text.count("\n", 0, text.index("\0")) + 1
            raise InputError(f"{name}, line {line}: there is a NUL byte; this is no PO file", line)
        if "msgid" not in text:
            raise InputError(f"{name} holds no messages; is it a PO file?")
        if bad := BAD_LINE.search(text):
            line = text.count("\n", 0, bad.start()) + 1
            raise InputError(f"{name}, line {line}: this is no PO syntax; check the file with `msgfmt -c`", line)
        return polib.pofile(CatalogueText(text + "\n"), encoding=encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{name}, line {line}: the text is not {error.encoding}, as its header says it is; correct the charset",
            line,
        ) from None
    except (OSError, LookupError, ValueError, TypeError, AttributeError, struct.error, OverflowError) as error:
        # polib reports a syntax error as OSError("Syntax error in po file (line n)"), with the whole text before it
        # when it was given text; damaged input also trips it in other ways.
        message = str(error)[-200:].strip()
        place = re.search(r"\(?line (\d+)\)?:?(.*)", message)
        where, why = (f", line {place.group(1)}", place.group(2).strip()) if place else ("", "")
        detail = f" ({excerpt(why)})" if why else ""
        raise InputError(
            f"{name}{where}: the message catalogue is damaged{detail}; check it with `msgfmt -c`",
            int(place.group(1)) if place else 0,
        ) from None


def direction(name: str, language: str, source_lang: str, target_lang: str) -> bool:
    """Whether the catalogue translates into our source language."""
    if not language or matches(target_lang, language):
        return False
    if matches(source_lang, language):
        return True
    raise OtherLanguagesError(
        f"{name} translates into {excerpt(language)}, which is neither {source_lang} nor {target_lang}"
    )


def forms(entry: Any) -> Iterator[tuple[str, str, str]]:
    """(part of the id, message, translation) of each pair an entry gives."""
    if not entry.msgid_plural:
        yield "", entry.msgid, entry.msgstr or ""
        return
    translations = [entry.msgstr_plural[key] for key in sorted(entry.msgstr_plural)]
    if len(translations) == 1:
        yield "#0", entry.msgid_plural, translations[0]
        return
    for at, translation in enumerate(translations):
        yield f"#{at}", entry.msgid_plural if at else entry.msgid, translation


def describe(entry: Any) -> dict[str, str]:
    attributes: dict[str, str] = {}
    if entry.msgctxt:
        attributes["msgctxt"] = entry.msgctxt
    occurrences = getattr(entry, "occurrences", None)
    if occurrences:
        attributes["occurrence"] = ":".join(part for part in occurrences[0] if part)
    if getattr(entry, "comment", ""):
        attributes["comment"] = entry.comment
    return attributes
