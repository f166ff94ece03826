"""Where the tokens of a sentence stand in its text, in characters.

Tokens carry spacing marks and escapes (core/text/token_text.h), and words of a given translation may be written
differently from what the model calls them. Each token is looked for behind the one before; one that cannot be found
gets an empty span there, and those after it are found all the same. Linear, but for tokens that are missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

JOIN, SPACE, ESCAPE = "\uffed", "\u2581", "\uffee"
ESCAPED = re.compile(f"{ESCAPE}([0-9a-fA-F]{{1,6}});")
# How far ahead a token is looked for: between two tokens there is little but white space.
WINDOW = 200


def unescaped(found: re.Match[str]) -> str:
    number = int(found[1], 16)
    return chr(number) if number < 0x110000 else found[0]


def written(token: str) -> str:
    """A token as it stands in text, without marks."""
    return ESCAPED.sub(unescaped, token.strip(JOIN + SPACE))


def folded(text: str) -> str:
    """In lower case, but for the few letters that are longer then, so that places stay."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)


def locate(tokens: Sequence[str], text: str) -> list[tuple[int, int]]:
    """The span of each token."""
    text = folded(text)
    spans = []
    at = 0
    for token in tokens:
        # A term of several words is one token of several.
        begin = end = None
        place = at
        for part in token.split(" "):
            word = folded(written(part))
            found = text.find(word, place, place + WINDOW + len(word))
            if found < 0 or not word:
                continue
            begin = found if begin is None else begin
            place = end = found + len(word)
        if begin is None or end is None:
            spans.append((at, at))
            continue
        spans.append((begin, end))
        at = end
    return spans


def sentence_places(source: str, text: str, sentences: Sequence[tuple[str, str]]) -> list[tuple[int, int]]:
    """Where sentences begin in a text and in its translation: what lies between them is copied, so each is found behind
    the one before."""
    places = []
    source_at = target_at = 0
    for ours, theirs in sentences:
        source_at = max(source.find(ours, source_at), source_at)
        target_at = max(text.find(theirs, target_at), target_at)
        places.append((source_at, target_at))
        source_at += len(ours)
        target_at += len(theirs)
    return places
