"""Training pairs as texts, and where the model's words stand in them, in characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dragoman import _core

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PairText:
    """One text of a pair and where its words lie in it; `raw` if it is the text of the file."""

    text: str
    words: list[Span]
    raw: bool

    def marks(self, span: Span, gaps: Sequence[Span]) -> list[Span]:
        """A span of words without its gaps, in characters."""
        return [
            (self.words[begin][0], self.words[end - 1][1])
            for begin, end in outside(span, gaps)
            if end <= len(self.words)
        ]


def pair_text(core: _core.TextTranslator, words: Sequence[str], text: str, target: bool = False) -> PairText:
    """A text as its file has it where that is known and still fits the model's words, else these words as a text."""
    # A character that is none stands for one all the same.
    spans = core.word_spans(text.encode(errors="replace").replace(b"\0", b" "), len(words), target) if text else None
    if spans is not None:
        return PairText(text, spans, True)
    joined, spans = core.joined_words(list(words), target)
    return PairText(joined, spans, False)


def outside(span: Span, gaps: Sequence[Span]) -> list[Span]:
    """What is left of a span without its gaps."""
    pieces, at = [], span[0]
    for begin, end in sorted(gaps):
        pieces.append((at, begin))
        at = end
    pieces.append((at, span[1]))
    return [piece for piece in pieces if piece[0] < piece[1]]
