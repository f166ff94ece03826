"""Texts on their way through one model: all at once, or a little at a time, so that many take turns on few threads."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from dragoman import _core
from dragoman.confidence.estimator import ConfidenceModel
from dragoman.confidence.features import FeatureReader
from dragoman.config import MOST, DecodeOptions, require_limits
from dragoman.errors import InputError
from dragoman.model.directory import ModelDirectory
from dragoman.model.opened import OpenedModel
from dragoman.model.options import decode_options
from dragoman.translation import Translation, translation_of


class TranslationJob:
    """Some texts and what is asked for; `Translator.translate` says what the arguments mean."""

    def __init__(
        self,
        opened: OpenedModel,
        texts: Sequence[str],
        options: DecodeOptions | None,
        *,
        nbest: int,
        explain: bool,
        origins: int,
        confidence: bool,
        glossary: str | Mapping[str, str] | None,
        first_line: int = 1,
    ) -> None:
        self._opened = opened
        self._texts = texts
        self._nbest = nbest
        self._explain = explain
        self._first_line = first_line
        self._judge = opened.confidence() if confidence else None
        lines = [line for each in texts for line in each.split("\n")]
        self._lines = [checked(line, first_line + number) for number, line in enumerate(lines)]
        self._given = core_options(
            opened,
            options,
            nbest=nbest if self._judge is None else max(nbest, self._judge.nbest),
            explain=explain or self._judge is not None,
            origins=origins if explain else None,
        )
        self._glossary = glossary_bytes(glossary)
        self._job: _core.TextJob | None = None

    def run(self, threads: int = 1, progress: _core.Progress = None) -> list[Translation]:
        """All of it."""
        core = self._opened.core
        return self._results(
            core.translate(self._lines, self._given, self._glossary, self._first_line, threads, progress)
        )

    def advance(self, words: int, *, seconds: float = 0.0, progress: _core.Progress = None) -> bool:
        """Translates so many words more, or a piece of a sentence beyond; whether all is done.

        `seconds` are for each sentence. For one thread at a time; all is translated by the state of the first call.
        """
        if self._job is None:
            self._job = self._opened.core.job(self._lines, self._given, self._glossary, self._first_line)
        return self._job.advance(words, seconds, progress)

    @property
    def share(self) -> float:
        """How much of the text is done, from 0 to 1."""
        return 0.0 if self._job is None else self._job.share

    def result(self) -> list[Translation]:
        """When `advance` has said that all is done."""
        assert self._job is not None
        return self._results(self._job.lines())

    def _results(self, found: list[dict[str, Any]]) -> list[Translation]:
        if self._judge is not None:
            add_confidence(found, self._judge, self._opened.language_model())
        results, at = [], 0
        for each in self._texts:
            count = each.count("\n") + 1
            results.append(translation_of(found[at : at + count], self._nbest, self._explain))
            at += count
        return results


def core_options(
    opened: OpenedModel,
    options: DecodeOptions | None,
    *,
    nbest: int = 1,
    explain: bool = False,
    origins: int | None = None,
) -> dict[str, Any]:
    """What the core is asked for; without `origins` the places that rules were seen in are not even counted."""
    given = within_budget(options or decode_options(opened.model), opened.model)
    return given | {"kbest": nbest, "explain": explain, "origins": origins or 0, "count_origins": origins is not None}


def add_confidence(
    lines: Sequence[dict[str, Any]], judge: ConfidenceModel, language_model: _core.LanguageModel | None
) -> None:
    sentences = [sentence for line in lines for sentence in line["sentences"]]
    for sentence, features in zip(sentences, FeatureReader(language_model).read(sentences), strict=True):
        sentence["confidence"] = judge.whole(features)
        sentence["word_confidence"] = judge.words(features)


def within_budget(options: DecodeOptions, model: ModelDirectory) -> dict[str, Any]:
    """The options, narrowed to what the memory budget leaves that the model was trained for."""
    require_limits(options)
    given = dataclasses.asdict(options)
    budget = model.manifest.options.get("budget", {})
    for name in ("scratch_bytes", "max_sentence_words"):
        limit = budget.get(name) if isinstance(budget, dict) else None
        if isinstance(limit, int) and 0 < limit <= MOST:
            given[name] = min(given[name], limit) if given[name] > 0 else limit
    return given


def checked(line: str, number: int) -> str:
    """Text that can be written as UTF-8, with the line's own end left to the caller."""
    try:
        line.encode()
    except UnicodeEncodeError:
        raise InputError(
            f"line {number}: the text holds half a surrogate pair; it is not Unicode text", number
        ) from None
    return line


def glossary_bytes(glossary: str | Mapping[str, str] | None) -> bytes:
    if glossary is None:
        return b""
    if isinstance(glossary, str):
        return glossary.encode()
    return "".join(f"{source}\t{target}\n" for source, target in glossary.items()).encode()
