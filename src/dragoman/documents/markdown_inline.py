"""Inline Markdown: emphasis and links enclose their words, code, images' targets, autolinks and footnotes stand for
themselves. One pass; a mark that finds no partner is text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Set

from dragoman.documents.inline_tags import TAG
from dragoman.documents.segment import Piece, Tag

DESTINATION = re.compile(
    r"""\(\s{0,10}(?:<[^<>\n]{0,2000}>|[^\s()<>]{0,2000}(?:\([^\s()]{0,500}\)[^\s()]{0,500}){0,5})"""
    r"""(?:\s{1,10}(?:"[^"]{0,1000}"|'[^']{0,1000}'|\([^()]{0,1000}\)))?\s{0,10}\)(?:\{[^{}\n]{0,200}\})?"""
)
REFERENCE = re.compile(r"\[([^\[\]]{0,300})\]")
FOOTNOTE = re.compile(r"\[\^[^\[\]\s]{1,100}\]")
AUTOLINK = re.compile(r"<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]{0,2000}|[\w.+-]{1,64}@[\w.-]{1,255})>")
ESCAPE = re.compile(r"\\[!-/:-@\[-`{-~]")
CODE = re.compile(r"`+")
RUN = re.compile(r"\*{1,3}|_{1,3}|~~")
MATH = re.compile(r"\$\$[^$\n]{1,2000}\$\$|\\\([^\n]{1,2000}?\\\)")
# How far back partners are looked for.
MANY = 200
COMMENT = re.compile(r"<!--.{0,5000}?-->", re.DOTALL)


class Scanner:
    """Finds the pieces of a paragraph. `definitions` are the names that [text] may refer to, in lower case."""

    def __init__(self, text: str, definitions: Set[str]) -> None:
        self.text = text
        self.definitions = definitions
        self.pieces: list[Piece] = []
        self.escaped: set[str] = set()
        self.pairs = 0
        # Places in `pieces` of what may still find its partner: brackets and runs of emphasis; open HTML tags.
        self.brackets: list[tuple[int, str]] = []
        self.runs: list[tuple[int, str]] = []
        self.tags: dict[str, list[int]] = {}
        self.code: dict[int, list[int]] = {}
        for run in CODE.finditer(text):
            self.code.setdefault(len(run.group()), []).append(run.start())

    def scan(self) -> list[Piece]:
        text, at = self.text, 0
        while at < len(text):
            character = text[at]
            if character in "\\`*_~[]!<$":
                at = self.special(at)
                continue
            end = at + 1
            while end < len(text) and text[end] not in "\\`*_~[]!<$":
                end += 1
            self.pieces.append(text[at:end])
            at = end
        merged: list[Piece] = []
        for piece in self.pieces:
            if isinstance(piece, str) and merged and isinstance(merged[-1], str):
                merged[-1] += piece
            elif piece != "":
                merged.append(piece)
        return merged

    def special(self, at: int) -> int:
        """Takes what begins here and returns where it ends."""
        text = self.text
        character = text[at]
        if character in "\\$" and (match := MATH.match(text, at)):
            return self.alone(match)
        if character == "\\" and (match := ESCAPE.match(text, at)):
            self.escaped.add(text[at + 1])
            self.pieces.append(text[at + 1])
            return match.end()
        if character == "`":
            return self.code_span(at)
        if character == "<":
            if match := COMMENT.match(text, at) or AUTOLINK.match(text, at):
                return self.alone(match)
            if match := TAG.match(text, at):
                return self.html_tag(match)
        if character == "[" and (match := FOOTNOTE.match(text, at)):
            return self.alone(match)
        if text.startswith("![", at) or character == "[":
            raw = "![" if character == "!" else "["
            self.brackets.append((len(self.pieces), raw))
            self.pieces.append(raw)
            return at + len(raw)
        if character == "]":
            return self.closing_bracket(at)
        if character in "*_~" and (match := RUN.match(text, at)):
            return self.emphasis(match)
        self.pieces.append(character)
        return at + 1

    def alone(self, match: re.Match[str]) -> int:
        self.pieces.append(Tag(match.group()))
        return match.end()

    def code_span(self, at: int) -> int:
        run = CODE.match(self.text, at)
        assert run is not None
        size = len(run.group())
        places = self.code[size]
        after = bisect_right(places, at)
        if after == len(places):
            self.pieces.append(run.group())
            return run.end()
        end = places[after] + size
        self.pieces.append(Tag(self.text[at:end]))
        return end

    def html_tag(self, match: re.Match[str]) -> int:
        raw, name = match.group(), match.group("name").lower()
        if raw.startswith("</"):
            opened = self.tags.get(name)
            self.pieces.append(Tag(raw, opened.pop(), True) if opened else Tag(raw))
        elif raw.endswith("/>") or name in ("br", "img", "hr", "wbr", "input"):
            self.pieces.append(Tag(raw))
        else:
            self.pairs += 1
            self.tags.setdefault(name, []).append(self.pairs)
            self.pieces.append(Tag(raw, self.pairs))
        return match.end()

    def closing_bracket(self, at: int) -> int:
        if self.brackets:
            place, raw = self.brackets.pop()
            destination = DESTINATION.match(self.text, at + 1)
            named = REFERENCE.match(self.text, at + 1)
            # A name of a definition is short; longer texts need not be looked at.
            named_by_text = self.definitions and len(self.pieces) - place < MANY
            parts = self.pieces[place + 1 :] if named_by_text else []
            inside = "".join(piece if isinstance(piece, str) else piece.raw for piece in parts)
            closing = ""
            end = at + 1
            if destination:
                closing, end = f"]{destination.group()}", destination.end()
            elif named and (named.group(1) or inside).lower() in self.definitions:
                closing, end = f"][{named.group(1) or inside}]", named.end()
            elif inside.lower() in self.definitions:
                # The text was its own name; now it needs one that stays.
                closing = f"][{inside}]"
            if closing:
                self.pairs += 1
                self.pieces[place] = Tag(raw, self.pairs)
                self.pieces.append(Tag(closing, self.pairs, True))
                # Emphasis does not reach into a link or out of it.
                dropped_after(self.runs, place)
                return end
        self.pieces.append("]")
        return at + 1

    def emphasis(self, match: re.Match[str]) -> int:
        text, run = self.text, match.group()
        before = text[match.start() - 1] if match.start() else " "
        after = text[match.end()] if match.end() < len(text) else " "
        opens = not after.isspace() and (before.isspace() or not before.isalnum() or run[0] != "_")
        closes = not before.isspace() and (after.isspace() or not after.isalnum() or run[0] != "_")
        if closes:
            recent = range(len(self.runs) - 1, max(-1, len(self.runs) - MANY), -1)
            opened = next((n for n in recent if self.runs[n][1] == run), None)
            if opened is not None and self.runs[opened][0] < len(self.pieces) - 1:
                place = self.runs[opened][0]
                del self.runs[opened:]
                self.pairs += 1
                self.pieces[place] = Tag(run, self.pairs)
                self.pieces.append(Tag(run, self.pairs, True))
                dropped_after(self.brackets, place)
                return match.end()
        if opens:
            self.runs.append((len(self.pieces), run))
        self.pieces.append(run)
        return match.end()


def dropped_after(entries: list[tuple[int, str]], place: int) -> None:
    while entries and entries[-1][0] >= place:
        entries.pop()
