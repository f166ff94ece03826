"""The sign before a letter that makes it a shortcut key in menus: `_File`, `&Open`, `~Help`.

It would cut a word in two, so it is taken off and put before the first letter of the translation again. Only a single
such sign counts; `a_b`, `AT&T` or `%s_%s` hold none.
"""

from __future__ import annotations

import re

SIGN = re.compile(r"(?<![\w&~])([_&~])(?=[^\W\d_])")
ENTITY = re.compile(r"&[A-Za-z]+;|&#")


def stripped(text: str) -> tuple[str, str]:
    """The text without its accelerator sign, and the sign."""
    signs = SIGN.findall(text)
    if len(signs) != 1 or text.count(signs[0]) != 1 or ENTITY.search(text) or "\n" in text:
        return text, ""
    return SIGN.sub("", text), signs[0]


def restored(text: str, sign: str) -> str:
    if not sign:
        return text
    place = next((at for at, character in enumerate(text) if character.isalpha()), None)
    return text if place is None else text[:place] + sign + text[place:]
