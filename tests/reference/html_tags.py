"""Tags of HTML by the tokenizer of the HTML standard, one character and one state at a time.

States are called what the standard calls them (13.2.5). Left out is what this project leaves out: character references,
which are text either way, scripts that write comments with scripts in them, and CDATA, which only foreign content has.
"""

from __future__ import annotations

from dataclasses import dataclass

BLANKS = " \t\n\f\r"
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
RAW = frozenset(("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"))


@dataclass
class Token:
    """What is no text: `kind` is start, end, comment, or nothing for what the standard drops at the end of the text."""

    kind: str
    begin: int
    end: int
    name: str = ""


def tokens(text: str) -> list[Token]:
    found: list[Token] = []
    at = 0
    while at < len(text):
        token = token_at(text, at)
        if token is None:
            at += 1
            continue
        found.append(token)
        at = token.end
        if token.kind == "start" and token.name == "plaintext":
            break
        if token.kind == "start" and token.name in RAW:
            while at < len(text) and not ends_raw_text(text, at, token.name):
                at += 1
    return found


def ends_raw_text(text: str, at: int, name: str) -> bool:
    """Whether an appropriate end tag begins here."""
    end = at + 2 + len(name)
    return text[at:end].lower() == "</" + name and end < len(text) and text[end] in BLANKS + "/>"


def token_at(text: str, at: int) -> Token | None:
    """Tag open state, end tag open state, markup declaration open state."""
    if text[at] != "<" or at + 1 == len(text):
        return None
    following = text[at + 1]
    if following in LETTERS:
        return tag(text, at, at + 1, "start")
    if following == "/" and at + 2 < len(text):
        return tag(text, at, at + 2, "end") if text[at + 2] in LETTERS else bogus_comment(text, at)
    if text.startswith("<!--", at):
        return comment(text, at)
    return bogus_comment(text, at) if following in "!?" else None


def bogus_comment(text: str, begin: int) -> Token:
    at = begin
    while at < len(text):
        at += 1
        if text[at - 1] == ">":
            break
    return Token("comment", begin, at)


def comment(text: str, begin: int) -> Token:
    state = "start"
    for at in range(begin + 4, len(text)):
        character = text[at]
        if character == ">" and state in ("start", "start dash", "end", "end bang"):
            return Token("comment", begin, at + 1)
        if character == "-":
            moves = {"start": "start dash", "start dash": "end", "inside": "end dash", "end dash": "end", "end": "end"}
            state = moves.get(state, "end dash")
        elif character == "!" and state == "end":
            state = "end bang"
        else:
            state = "inside"
    return Token("comment", begin, len(text))


def tag(text: str, begin: int, first: int, kind: str) -> Token:
    state, name = "tag name", ""
    at = first
    while at < len(text):
        character = text[at]
        at += 1
        if character == ">" and state not in ('"', "'"):
            return Token(kind, begin, at, name)
        if state == "tag name":
            if character in BLANKS or character == "/":
                state = "before name"
            else:
                name += character.lower()
        elif state == "before name":
            # An equals sign here begins a name.
            if character not in BLANKS and character != "/":
                state = "name"
        elif state in ("name", "after name"):
            if character == "=":
                state = "before value"
            elif character == "/":
                state = "before name"
            elif character in BLANKS:
                state = "after name"
            else:
                state = "name"
        elif state == "before value":
            if character in "\"'":
                state = character
            elif character not in BLANKS:
                state = "unquoted value"
        elif state == "unquoted value":
            if character in BLANKS:
                state = "before name"
        elif character == state:
            state = "before name"
    return Token("", begin, len(text))
