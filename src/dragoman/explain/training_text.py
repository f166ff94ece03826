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


def pair_text(words: Sequence[str], text: str, tokenizer: _core.Tokenizer) -> PairText:
    """A text as its file has it where that is known and still fits the model's words, else as the model has it."""
    if text:
        try:
            tokens = tokenizer.tokens_with_offsets([text])[0]
        except (UnicodeEncodeError, ValueError):
            tokens = []
        # Prepared text may have been tokenized otherwise; then its words are not the model's.
        if len(tokens) == len(words):
            return PairText(text, [(begin, end) for _, begin, end in tokens], True)
    spans, at = [], 0
    for word in words:
        spans.append((at, at + len(word)))
        at += len(word) + 1
    return PairText(" ".join(words), spans, False)


def outside(span: Span, gaps: Sequence[Span]) -> list[Span]:
    """What is left of a span without its gaps."""
    pieces, at = [], span[0]
    for begin, end in sorted(gaps):
        pieces.append((at, begin))
        at = end
    pieces.append((at, span[1]))
    return [piece for piece in pieces if piece[0] < piece[1]]
