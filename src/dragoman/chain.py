"""Through several models: French to English and on to German, where nobody trained French to German.

Each model translates what the one before wrote, line by line; what it has of its own (glossary, lessons, options)
counts for its step. Memory is the sum of the models', and so are their errors: whoever shows such a translation says
that it came through another language, and shows the sources of every step.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from dragoman.config import DecodeOptions
from dragoman.corpus.languages import matches
from dragoman.errors import ConfigError
from dragoman.explain.explanation import Explanation
from dragoman.model.directory import ModelDirectory
from dragoman.translation import Translation
from dragoman.translator import Translator

Json = dict[str, Any]
Step = TypeVar("Step", Translation, Explanation)


@dataclass(frozen=True, slots=True)
class Chained(Generic[Step]):
    """What each model made of what the one before gave. `str` of it is the last translation."""

    languages: tuple[str, ...]
    steps: tuple[Step, ...]

    @property
    def text(self) -> str:
        return self.steps[-1].text

    def __str__(self) -> str:
        return self.text

    def as_json(self) -> Json:
        """The last text, the languages it came through, and every step with its own two."""
        named = [
            {"source_lang": source, "target_lang": target, **step.as_json()}
            for (source, target), step in zip(itertools.pairwise(self.languages), self.steps, strict=True)
        ]
        return {"text": self.text, "through": list(self.languages), "steps": named}


class ChainedExplanation(Chained[Explanation]):
    """What stands behind each step."""

    __slots__ = ()

    def as_json(self) -> Json:
        return {"source": self.steps[0].source, **super().as_json()}


class Chain:
    """Models of which each goes on in the language where the one before ends."""

    def __init__(self, translators: Sequence[Translator]) -> None:
        require_meeting([translator.model for translator in translators])
        self.translators = list(translators)

    @classmethod
    def load(cls, paths: Sequence[str | os.PathLike[str]], *, corrections: str | None = None) -> Chain:
        """Opens models, with the `corrections` that a database has of all of them, if it is named."""
        return cls([Translator.load(path, corrections=corrections) for path in paths])

    @property
    def languages(self) -> tuple[str, ...]:
        """From the first to the last, as fr, en, de."""
        sides = [translator.languages for translator in self.translators]
        return (sides[0][0], *(target for _, target in sides))

    def translate(
        self,
        texts: Sequence[str],
        options: Sequence[DecodeOptions | None] | None = None,
        *,
        explain: bool = False,
        confidence: bool = False,
        threads: int = 1,
        first_line: int = 1,
    ) -> list[Chained[Translation]]:
        """Translates texts; `options` has those of each model."""
        lines = list(texts)
        steps: list[list[Translation]] = []
        for translator, chosen in self._with(options):
            steps.append(
                translator.translate(
                    lines, chosen, explain=explain, confidence=confidence, threads=threads, first_line=first_line
                )
            )
            lines = [translation.text for translation in steps[-1]]
        return [Chained(self.languages, line) for line in zip(*steps, strict=True)]

    def explain(
        self, text: str, options: Sequence[DecodeOptions | None] | None = None, *, sources: int = 3
    ) -> ChainedExplanation:
        """Translates a text and says for each step why it came out so."""
        steps: list[Explanation] = []
        for translator, chosen in self._with(options):
            steps.append(translator.explain(text, chosen, sources=sources))
            text = steps[-1].text
        return ChainedExplanation(self.languages, tuple(steps))

    def _with(
        self, options: Sequence[DecodeOptions | None] | None
    ) -> Iterator[tuple[Translator, DecodeOptions | None]]:
        """Each model and its options."""
        return zip(self.translators, options or [None] * len(self.translators), strict=True)


def require_meeting(models: Sequence[ModelDirectory]) -> None:
    """ConfigError unless each model begins in the language where the one before ends."""
    for one, other in itertools.pairwise(models):
        ends, begins = one.manifest.target_lang, other.manifest.source_lang
        if not ends or not begins or not matches(ends, begins):
            raise ConfigError(
                f"{other.path} cannot go on after {one.path}: it translates from {begins or 'an unknown language'},"
                f" and the other ends in {ends or 'an unknown language'}",
                "then",
            )
