"""Texts on their way through one model: all at once, or a little at a time, so that many take turns on few threads."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dragoman import _core
from dragoman.arguments import require_flag, require_whole, wrong
from dragoman.confidence.estimator import SentenceConfidence
from dragoman.confidence.features import FeatureReader
from dragoman.config import MOST, DecodeOptions, require_limits
from dragoman.document_context import TextPair, core_in_context
from dragoman.errors import InputError
from dragoman.glossary import Glossary
from dragoman.model.directory import ModelDirectory
from dragoman.model.opened import OpenedModel
from dragoman.model.options import decode_options
from dragoman.progress import Progress
from dragoman.translation import Translation, sentence_of, translation_of


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is asked for besides options of the search; `Translator.translate` says what each means."""

    nbest: int = 1
    explain: bool = False
    origins: int = 5
    confidence: bool = False
    glossary: Glossary | None = None
    first_line: int = 1
    context: Sequence[TextPair] = ()

    def __post_init__(self) -> None:
        require_whole("nbest", self.nbest, 1)
        require_flag("explain", self.explain)
        require_whole("origins", self.origins)
        require_flag("confidence", self.confidence)
        require_whole("first_line", self.first_line)
        if self.glossary is not None and not isinstance(self.glossary, Glossary):
            raise wrong("glossary", "a Glossary or None", self.glossary)


class TranslationJob:
    """Some texts, and what is asked for."""

    def __init__(
        self, opened: OpenedModel, texts: Sequence[str], options: DecodeOptions | None, wishes: Wishes
    ) -> None:
        self._opened = opened
        self._texts = texts
        self._nbest = wishes.nbest
        self._explain = wishes.explain
        self._first_line = wishes.first_line
        self._judge = opened.confidence() if wishes.confidence else None
        lines = [line for text in texts for line in text.split("\n")]
        self._lines = [checked(line, self._first_line + number) for number, line in enumerate(lines)]
        self._given = core_options(
            opened,
            options,
            nbest=self._nbest if self._judge is None else max(self._nbest, self._judge.nbest),
            explain=self._explain or self._judge is not None,
            origins=wishes.origins if self._explain else None,
        )
        self._core = core_in_context(opened, wishes.context)
        self._glossary = wishes.glossary.encoded() if wishes.glossary is not None else b""
        self._job: _core.TextJob | None = None

    def run(self, threads: int = 1, progress: Progress | None = None) -> list[Translation]:
        """All of it."""
        return self._results(
            self._core.translate(self._lines, self._given, self._glossary, self._first_line, threads, progress)
        )

    def advance(self, words: int, *, seconds: float = 0.0, progress: Progress | None = None) -> bool:
        """Translates so many words more, or a piece of a sentence beyond; whether all is done.

        `seconds` are for each sentence. For one thread at a time; all is translated by the state of the first call.
        """
        if self._job is None:
            self._job = self._core.job(self._lines, self._given, self._glossary, self._first_line)
        return self._job.advance(words, seconds, progress)

    @property
    def share(self) -> float:
        """How much of the text is done, from 0 to 1."""
        return 0.0 if self._job is None else self._job.share

    def result(self) -> list[Translation]:
        """When `advance` has said that all is done."""
        assert self._job is not None
        return self._results(self._job.lines())

    def _results(self, lines: list[_core.TranslatedLine]) -> list[Translation]:
        trust = iter(self._confidence(lines))
        results, at = [], 0
        for text in self._texts:
            count = text.count("\n") + 1
            own = lines[at : at + count]
            sentences = []
            line_at = 0, 0
            for line in own:
                sentences += [
                    sentence_of(sentence, self._explain, next(trust), line_at) for sentence in line["sentences"]
                ]
                line_at = line_at[0] + len(line["source"]) + 1, line_at[1] + len(line["text"]) + 1
            results.append(translation_of(own, sentences, self._nbest))
            at += count
        return results

    def _confidence(self, lines: list[_core.TranslatedLine]) -> Sequence[SentenceConfidence | None]:
        """What to expect of each sentence, where that was asked for and the model knows."""
        sentences = [sentence for line in lines for sentence in line["sentences"]]
        if self._judge is None:
            return [None] * len(sentences)
        return list(map(self._judge.judge, FeatureReader(self._opened.language_model()).read(sentences)))


def core_options(
    opened: OpenedModel,
    options: DecodeOptions | None,
    *,
    nbest: int = 1,
    explain: bool = False,
    origins: int | None = None,
) -> dict[str, Any]:
    """What the core is asked for; without `origins` the places that rules were seen in are not even counted."""
    chosen = within_budget(options or decode_options(opened.model), opened.model)
    asked = {"kbest": nbest, "explain": explain, "origins": origins or 0, "count_origins": origins is not None}
    return dataclasses.asdict(chosen) | asked


def within_budget(options: DecodeOptions, model: ModelDirectory) -> DecodeOptions:
    """The options, narrowed to what the memory budget leaves that the model was trained for."""
    require_limits(options)
    budget = model.manifest.options.get("budget", {})
    said: dict[str, Any] = budget if isinstance(budget, dict) else {}
    narrowed: dict[str, Any] = {
        name: min(getattr(options, name) or limit, limit)
        for name in ("scratch_bytes", "max_sentence_words")
        if type(limit := said.get(name)) is int and 0 < limit <= MOST
    }
    return dataclasses.replace(options, **narrowed)


def checked(line: str, number: int) -> str:
    """Text that can be written as UTF-8, with the line's own end left to the caller."""
    try:
        line.encode()
    except UnicodeEncodeError:
        raise InputError(
            f"line {number}: the text holds half a surrogate pair; it is not Unicode text", number
        ) from None
    return line
