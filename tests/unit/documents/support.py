"""Translators whose work can be foreseen."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dragoman.config import DecodeOptions
from dragoman.documents import translate_document
from dragoman.translation import Alternative, SentenceTranslation, Translation

WORD = re.compile(r"\{_+\d+\}|%\w|\w+|[^\w\s]")


def spans_of(words: list[str], text: str) -> list[tuple[int, int]]:
    """Where words stand in a text that consists of them, and of what lies between."""
    spans, at = [], 0
    for word in words:
        begin = text.index(word, at)
        at = begin + len(word)
        spans.append((begin, at))
    return spans


def translation(source: str, words: list[str], target: list[str], links: list[tuple[int, int]]) -> Translation:
    text = " ".join(target)
    sentence = SentenceTranslation(
        source=source,
        text=text,
        score=0.0,
        features={},
        source_span=(0, len(source)),
        target_span=(0, len(text)),
        source_tokens=words,
        target_tokens=target,
        source_spans=spans_of(words, source),
        target_spans=spans_of(target, text),
        alignment=links,
        oov=[],
        protected_in=0,
        protected_out=0,
        terms=[],
        narrowed=False,
    )
    return Translation(text, [Alternative(text, 0.0, {})], [sentence])


class Identity:
    """Gives every text back as it came."""

    def translate(self, text: list[str], options: DecodeOptions | None = None, **more: Any) -> list[Translation]:
        return [Translation(each, [Alternative(each, 0.0, {})], []) for each in text]


class Wordwise:
    """Changes each word, and the order of all words, with links that say so."""

    def __init__(
        self, change: Callable[[str], str] = str.upper, *, backwards: bool = False, linked: bool = True
    ) -> None:
        self.change = change
        self.backwards = backwards
        self.linked = linked
        self.seen: list[str] = []

    def translate(
        self,
        text: list[str],
        options: DecodeOptions | None = None,
        *,
        glossary: str | Mapping[str, str] | None = None,
        threads: int = 1,
        context: Sequence[tuple[str, str]] | None = None,
    ) -> list[Translation]:
        self.seen += text
        return [self.one(each) for each in text]

    def one(self, text: str) -> Translation:
        found = list(WORD.finditer(text))
        words = [each.group() for each in found]
        target = [word if word.startswith(("{_", "%")) else self.change(word) for word in words]
        order = list(range(len(words)))
        if self.backwards:
            order.reverse()
        links = [(s, t) for t, s in enumerate(order)] if self.linked else []
        made = translation(text, words, [target[s] for s in order], links)
        if self.backwards:
            return made
        parts, at = [], 0
        for each, word in zip(found, target, strict=True):
            parts += (text[at : each.start()], word)
            at = each.end()
        line = "".join((*parts, text[at:]))
        sentence = dataclasses.replace(
            made.sentences[0], text=line, target_span=(0, len(line)), target_spans=spans_of(target, line)
        )
        return Translation(line, [Alternative(line, 0.0, {})], [sentence])


def translated(text: str | bytes, name: str, translator: Any = None) -> str:
    data = text.encode() if isinstance(text, str) else text
    return translate_document(data, name, translator or Wordwise()).decode()
