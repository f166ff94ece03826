"""A stored pair that is near to a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dragoman.explain.source_pair import SourcePair
from dragoman.explain.training_text import Span
from dragoman.learn.memory import memory_of, own_name

EXACT = 100


@dataclass(frozen=True, slots=True)
class Match:
    """A stored pair, and how far its source text is that of the sentence.

    100 percent is the same text, character for character. Below that the percentage is that of the words which need
    not be put in, taken out or exchanged, of those of the longer text; 99 where only case or spaces differ.
    """

    percent: int
    pair: SourcePair
    # Where the stored source text differs, and where the sentence does: spans of characters.
    source_changes: list[Span]
    text_changes: list[Span]

    @property
    def source(self) -> str:
        return self.pair.source.text

    @property
    def target(self) -> str:
        return self.pair.target.text

    @property
    def id(self) -> str:
        """The pair's own name; `Translator.remove` takes it."""
        return own_name(self.pair.record.id)

    @property
    def memory(self) -> str:
        """The memory of a lesson; the default one for training text, too."""
        return memory_of(self.pair.record.id)

    @property
    def place(self) -> str:
        """Where it came from, for people."""
        return self.pair.place

    def as_json(self) -> dict[str, Any]:
        marks = {"source_changes": self.source_changes, "text_changes": self.text_changes}
        return {"percent": self.percent, **self.pair.as_json(), **marks}
