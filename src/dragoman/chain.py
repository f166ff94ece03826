"""Through several models: French to English and on to German, where nobody trained French to German.

Each model translates what the one before wrote, line by line; what it has of its own (glossary, lessons, options)
counts for its step. Memory is the sum of the models', and so are their errors: whoever shows such a translation says
that it came through another language, and shows the sources of every step.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dragoman.config import DecodeOptions
from dragoman.corpus.languages import matches
from dragoman.errors import ConfigError
from dragoman.explain.explanation import Explanation
from dragoman.translation import Translation
from dragoman.translator import Translator

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ChainedTranslation:
    """What each model made of what the one before gave. `str` of it is the last translation."""

    languages: tuple[str, ...]
    steps: tuple[Translation, ...]

    @property
    def text(self) -> str:
        return self.steps[-1].text

    def __str__(self) -> str:
        return self.text

    def as_json(self) -> Json:
        return chained_json(self.text, self.languages, [step.as_json() for step in self.steps])


@dataclass(frozen=True, slots=True)
class ChainedExplanation:
    """What stands behind each step. `str` of it is the last translation."""

    languages: tuple[str, ...]
    steps: tuple[Explanation, ...]

    @property
    def text(self) -> str:
        return self.steps[-1].text

    def __str__(self) -> str:
        return self.text

    def as_json(self) -> Json:
        document = chained_json(self.text, self.languages, [step.as_json() for step in self.steps])
        return {"source": self.steps[0].source, **document}


def chained_json(text: str, languages: Sequence[str], steps: Sequence[Json]) -> Json:
    """The last text, the languages it came through, and every step with its own two."""
    named = [
        {"source_lang": source, "target_lang": target, **step}
        for (source, target), step in zip(itertools.pairwise(languages), steps, strict=True)
    ]
    return {"text": text, "through": list(languages), "steps": named}


class Chain:
    """Models of which each goes on in the language where the one before ends."""

    def __init__(self, translators: Sequence[Translator]) -> None:
        require_meeting([translator.model for translator in translators])
        self.translators = list(translators)

    @classmethod
    def load(cls, paths: Sequence[str | os.PathLike[str]]) -> Chain:
        return cls([Translator.load(path) for path in paths])

    @property
    def languages(self) -> tuple[str, ...]:
        """From the first to the last, as fr, en, de."""
        manifests = [translator.model.manifest for translator in self.translators]
        return (manifests[0].source_lang, *(manifest.target_lang for manifest in manifests))

    def translate(
        self,
        texts: Sequence[str],
        options: Sequence[DecodeOptions | None] | None = None,
        *,
        explain: bool = False,
        confidence: bool = False,
        threads: int = 1,
        first_line: int = 1,
    ) -> list[ChainedTranslation]:
        """Translates texts; `options` has those of each model."""
        lines = list(texts)
        steps: list[list[Translation]] = []
        for translator, chosen in zip(self.translators, options or [None] * len(self.translators), strict=True):
            steps.append(
                translator.translate(
                    lines, chosen, explain=explain, confidence=confidence, threads=threads, first_line=first_line
                )
            )
            lines = [translation.text for translation in steps[-1]]
        return [ChainedTranslation(self.languages, line) for line in zip(*steps, strict=True)]

    def explain(
        self, text: str, options: Sequence[DecodeOptions | None] | None = None, *, sources: int = 3
    ) -> ChainedExplanation:
        """Translates a text and says for each step why it came out so."""
        steps: list[Explanation] = []
        for translator, chosen in zip(self.translators, options or [None] * len(self.translators), strict=True):
            steps.append(translator.explain(text, chosen, sources=sources))
            text = steps[-1].text
        return ChainedExplanation(self.languages, tuple(steps))


def require_meeting(models: Sequence[Any]) -> None:
    """ConfigError unless each model begins in the language where the one before ends."""
    for one, other in itertools.pairwise(models):
        ends, begins = one.manifest.target_lang, other.manifest.source_lang
        if not ends or not begins or not matches(ends, begins):
            raise ConfigError(
                f"{other.path} cannot go on after {one.path}: it translates from {begins or 'an unknown language'},"
                f" and the other ends in {ends or 'an unknown language'}",
                "then",
            )
