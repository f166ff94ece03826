"""Lines of one text: put together to be translated, and broken again. Chinese and Japanese put no space there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

TAG = re.compile(r"<[^<>]*>")
# Korean has spaces between words, and signs of emoji are no letters.
HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff]")
EMOJI = range(0x1F000, 0x20000)
# No line begins with what closes, nor ends with what opens.
CLOSING, OPENING = ("Pe", "Pf", "Po"), ("Ps", "Pi")
NEVER_FIRST = "ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ々〻"


def is_unspaced(character: str) -> bool:
    """Whether it is of a script that has no spaces between words, or of its punctuation."""
    wide = unicodedata.east_asian_width(character) in "WF"
    return wide and not HANGUL.match(character) and ord(character) not in EMOJI


def joined(lines: Sequence[str]) -> str:
    """The lines as one, with a space where the script has any; tags are not looked at."""
    parts: list[str] = []
    last = ""
    for line in filter(None, lines):
        shown = TAG.sub("", line)
        if parts and not (last and shown and is_unspaced(last) and is_unspaced(shown[0])):
            parts.append(" ")
        parts.append(line)
        last = shown[-1:] or last
    return "".join(parts)


def may_part(before: str, after: str) -> bool:
    """Whether a line may end between two characters that have no space between them."""
    if not (is_unspaced(before) and is_unspaced(after)) or after in NEVER_FIRST:
        return False
    return unicodedata.category(after) not in CLOSING and unicodedata.category(before) not in OPENING


def broken(text: str, lines: int) -> list[str]:
    """At most so many lines, broken where words end, the longest as short as can be."""
    words = words_of(text)
    if lines < 2 or len(words) < 2:
        return [text]
    low, high = max(len(word.removeprefix(" ")) for word in words), len(text)
    while low < high:
        middle = (low + high) // 2
        if len(filled(words, middle)) <= lines:
            high = middle
        else:
            low = middle + 1
    return filled(words, low)


def words_of(text: str) -> list[str]:
    """What a line may begin with, each with the space before it."""
    cuts = [at for at in range(1, len(text)) if text[at] == " " or may_part(text[at - 1], text[at])]
    return [text[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


def filled(words: Sequence[str], width: int) -> list[str]:
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + len(word) <= width:
            lines[-1] += word
        else:
            lines.append(word.removeprefix(" "))
    return lines
