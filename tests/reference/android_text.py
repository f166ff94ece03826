"""The text of an Android string as aapt reads it, one character after the other.

A backslash escapes the next character, white space outside of quotes is one space and none at the ends, and quotes that
are not escaped are not part of the text.
"""

from __future__ import annotations

BLANKS = " \t\r\n\f"


def android_text(raw: str) -> str:
    text: list[str] = []
    quoted = False
    # Whether there was white space since the last character, which counts once another one comes.
    waiting = False
    at = 0

    def add(character: str) -> None:
        nonlocal waiting
        if waiting and text:
            text.append(" ")
        waiting = False
        text.append(character)

    while at < len(raw):
        character = raw[at]
        at += 1
        if character == "\\" and at < len(raw):
            escaped = raw[at]
            at += 1
            if (
                escaped == "u"
                and len(raw[at : at + 4]) == 4
                and all(each in "0123456789abcdefABCDEF" for each in raw[at : at + 4])
            ):
                add(chr(int(raw[at : at + 4], 16)))
                at += 4
            else:
                add({"n": "\n", "t": "\t"}.get(escaped, escaped))
        elif character == '"':
            quoted = not quoted
            # An opening quote ends white space before it, even if nothing follows.
            if waiting and text:
                text.append(" ")
            waiting = False
        elif character in BLANKS and not quoted:
            waiting = True
        else:
            add(character)
    return "".join(text)
