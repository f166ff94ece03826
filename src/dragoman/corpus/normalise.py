"""Raw text of a pair as one clean line: white space and Unicode form, with a count of every kind of change."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

# Line ends of every kind, tabs, and runs of spaces. No-break spaces are text: French punctuation has them.
BREAKS = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")
RUNS = re.compile(r"[ \t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")


def one_line(text: str, changes: Counter[str]) -> str:
    """The text with each run of white space as one space, so that it can stand on a line of its own."""
    if BREAKS.search(text):
        changes["line breaks and tabs to spaces"] += 1
        return RUNS.sub(" ", text).strip(" ")
    if "  " in text or text[:1] == " " or text[-1:] == " ":
        return RUNS.sub(" ", text).strip(" ")
    return text


def compose(text: str, changes: Counter[str]) -> str:
    """Normalization form C."""
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return text
    changes["composed to NFC"] += 1
    return unicodedata.normalize("NFC", text)


def normalise_texts(texts: list[str], changes: Counter[str], compose_too: bool = True) -> list[str]:
    if not compose_too:
        return [BREAKS.sub(" ", text) if BREAKS.search(text) else text for text in texts]
    return [compose(one_line(text, changes), changes) for text in texts]
