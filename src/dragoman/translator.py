"""The translator people use from Python.

>>> from dragoman.translator import Translator
>>> translator = Translator.load("fr-en.model")
>>> print(translator.translate("Une maison bleue."))
A blue house.
"""

from __future__ import annotations

import dataclasses
import functools
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack, overload

from dragoman import _core
from dragoman.config import DecodeOptions
from dragoman.errors import ConfigError, DragomanError
from dragoman.index.sources import SourceRecord
from dragoman.learn.new_pairs import NewPair
from dragoman.learn.overlay import ModelReplacedError, Overlay
from dragoman.model.directory import ModelDirectory
from dragoman.model.opened import OpenedModel, open_model, tokenizers_of
from dragoman.model.options import decode_options
from dragoman.model.private_files import Fingerprint, fingerprint, is_quiet, same_text
from dragoman.translation import GlossaryConflict, TrainingPair, Translation, phrase_of
from dragoman.translation_job import TranslationJob, checked, core_options, glossary_bytes, within_budget

Change = TypeVar("Change")


class Wishes(TypedDict, total=False):
    """What may be asked of `Translator.translate` besides options of the search."""

    nbest: int
    explain: bool
    origins: int
    confidence: bool
    glossary: str | Mapping[str, str] | None
    threads: int
    first_line: int
    progress: _core.Progress


class Translator:
    """Translates with one model. Safe to share between threads."""

    def __init__(self, opened: OpenedModel, reopen: Callable[[], OpenedModel] | None = None) -> None:
        """`reopen` opens the model again when another has taken its place."""
        self._opened = opened
        self._reopen = reopen
        self._reopening = threading.Lock()
        # Files that were found instead of those that private copies were made of, and could not be opened.
        self._refused: Fingerprint | None = None
        # Called when private copies were made anew, or with the reason why they could not be.
        self.on_reopened: Callable[[DragomanError | OSError | None], None] = lambda error: None

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        weights: str | Path | Mapping[str, float] | None = None,
        matching: str = "exact",
        trust: bool = False,
        correction_weight: int | None = None,
        private: bool = False,
    ) -> Translator:
        """Opens a model directory; `weights` replace those of the model, `correction_weight` that of added pairs.

        The files are used where they lie: put a new directory in a model's place, do not write into the old one. With
        `private` copies of them are used, which nobody can change; see dragoman.model.private_files.
        """
        reopen = functools.partial(open_model, path, weights, matching, trust, correction_weight, private)
        return cls(reopen(), reopen)

    @property
    def model(self) -> ModelDirectory:
        return self._opened.model

    @property
    def weights(self) -> dict[str, float]:
        return self._opened.weights

    @property
    def decode_options(self) -> DecodeOptions:
        """How sentences are searched where nobody asks for something else."""
        return decode_options(self.model)

    @property
    def features(self) -> list[str]:
        """Names of all features that translations of this model may have."""
        return self._opened.core.features

    def with_weights(self, weights: Mapping[str, float]) -> Translator:
        """The same translator with other weights; both share what is in memory."""
        return Translator(self._opened.with_weights(weights))

    def remembering(self, most_bytes: int) -> Translator:
        """The same translator, which keeps the rules of sentences, to translate them again with other weights."""
        return Translator(self._opened.remembering(most_bytes))

    def snapshot(self) -> Translator:
        """The model as it is now, whatever is added to it or removed from it: for work that takes several calls."""
        return Translator(self._latest().pinned())

    def candidates(
        self,
        lines: list[str],
        references: list[str],
        features: list[str],
        options: DecodeOptions,
        kbest: int,
        threads: int = 1,
        progress: _core.Progress = None,
    ) -> tuple[_core.Candidates, list[int], int]:
        """The k best translations of each line for tuning; see _core.collect_candidates."""
        given = {**dataclasses.asdict(options), "kbest": kbest}
        return _core.collect_candidates(self._opened.core, lines, references, given, features, True, threads, progress)

    @overload
    def translate(self, text: str, options: DecodeOptions | None = None, **how: Unpack[Wishes]) -> Translation: ...
    @overload
    def translate(
        self, text: list[str], options: DecodeOptions | None = None, **how: Unpack[Wishes]
    ) -> list[Translation]: ...
    def translate(
        self,
        text: str | list[str],
        options: DecodeOptions | None = None,
        *,
        nbest: int = 1,
        explain: bool = False,
        origins: int = 5,
        confidence: bool = False,
        glossary: str | Mapping[str, str] | None = None,
        threads: int = 1,
        first_line: int = 1,
        progress: _core.Progress = None,
    ) -> Translation | list[Translation]:
        """Translates a text, or a list of texts. Line ends stay where they are.

        `options` of the search are the model's own unless they are given. `glossary` is the content of a glossary
        file, or a mapping of terms. `first_line` is the number that errors give the first text. With `explain`,
        sentences have their phrases, each with at most `origins` of the places it was seen in. With `confidence`,
        sentences and words say how far to trust them, if the model was taught that.
        """
        job = self.start(
            [text] if isinstance(text, str) else text,
            options,
            nbest=nbest,
            explain=explain,
            origins=origins,
            confidence=confidence,
            glossary=glossary,
            first_line=first_line,
        )
        results = job.run(threads, progress)
        return results[0] if isinstance(text, str) else results

    def start(
        self,
        texts: list[str],
        options: DecodeOptions | None = None,
        *,
        nbest: int = 1,
        explain: bool = False,
        origins: int = 5,
        confidence: bool = False,
        glossary: str | Mapping[str, str] | None = None,
        first_line: int = 1,
    ) -> TranslationJob:
        """The same as `translate`, a little at a time."""
        return TranslationJob(
            self._latest(),
            texts,
            options,
            nbest=nbest,
            explain=explain,
            origins=origins,
            confidence=confidence,
            glossary=glossary,
            first_line=first_line,
        )

    def lines_with_candidates(
        self,
        lines: Sequence[str],
        options: DecodeOptions | None = None,
        *,
        nbest: int = 1,
        threads: int = 1,
        first_line: int = 1,
    ) -> list[dict[str, Any]]:
        """What the core says of lines, for those who work with candidates and their rules."""
        given = core_options(self._opened, options, nbest=nbest, explain=True)
        checked_lines = [checked(line, first_line + number) for number, line in enumerate(lines)]
        return self._opened.core.translate(checked_lines, given, b"", first_line, threads)

    def language_model(self) -> _core.LanguageModel | None:
        """The n-gram model by itself, if there is one."""
        return self._opened.language_model()

    def target_words(self, texts: list[str]) -> list[list[str]]:
        """Texts of the target language in words of the model, without marks of spacing."""
        tokenizer = _core.Tokenizer(tokenizers_of(self.model)[1])
        # Words are separated by spaces alone; Python would take other characters of a word for space.
        return [line.split(" ") if line else [] for line in tokenizer.tokenize(texts, model=True, marks=False)]

    @property
    def overlay(self) -> Overlay:
        """What was added to the model and removed from it."""
        if self._opened.overlay is None or self._opened.log_end is not None:
            raise ConfigError("this translator keeps what it has and cannot learn; use the one it was made from", "add")
        return self._opened.overlay

    def add(self, source: str, target: str, id: str | None = None, *, links: str | None = None) -> str:
        """Learns a sentence pair: the next translation uses it. Returns its id.

        When this returns, the pair is on the disk. A pair with the same id is replaced; without an id it gets one that
        depends on the pair alone. `links` between the model's tokens are found by the model unless given.
        """
        return self.add_pairs([NewPair(source, target, id, links=links)])[0]

    def add_pairs(self, pairs: Sequence[NewPair]) -> list[str]:
        """Learns sentence pairs, all or none, and returns their ids."""
        return self._changing(lambda overlay: overlay.add(pairs))

    def remove(self, id: str) -> bool:
        """Forgets the pair of this id, added or trained: no later translation uses it. False if there is none."""
        return self._changing(lambda overlay: overlay.remove([id]))[0]

    def glossary_conflicts(self, glossary: str | Mapping[str, str] | None = None) -> list[GlossaryConflict]:
        """Terms of a glossary, or else of the model's own, that cannot all be obeyed everywhere."""
        if glossary is None:
            text = self.model.file("glossary.tsv").read_bytes() if self.model.has("glossary.tsv") else b""
        else:
            text = glossary_bytes(glossary)
        return [GlossaryConflict(*each) for each in self._opened.core.glossary_conflicts(text)]

    def _changing(self, change: Callable[[Overlay], list[Change]]) -> list[Change]:
        while True:
            opened = self._opened
            if opened.fingerprint is not None and not same_text(opened.fingerprint, fingerprint(self.model.path)):
                self._reload()
            try:
                return change(self.overlay)
            except ModelReplacedError:
                if self._reopen is None:
                    raise
                self._reload()

    def _latest(self) -> OpenedModel:
        """What there is now: with what other translators and processes have added, or the model that was put here."""
        opened = self._opened
        if opened.overlay is None or opened.log_end is not None:
            return opened
        if self._reopen is not None and self._is_outdated(opened):
            try:
                self._reload()
            except (DragomanError, OSError) as error:
                # Private copies are as good as ever.
                if opened.fingerprint is None:
                    raise
                self._refused = fingerprint(opened.model.path)
                self.on_reopened(error)
            opened = self._opened
        if opened.overlay is not None:
            opened.overlay.refresh()
        return opened

    def _is_outdated(self, opened: OpenedModel) -> bool:
        """Whether it is time to open the model again."""
        assert opened.overlay is not None
        if opened.fingerprint is None:
            return opened.overlay.replaced()
        path = opened.model.path
        if fingerprint(path) in (opened.fingerprint, self._refused):
            return False
        # A directory that took the place of another is whole; files that are written into it may not be yet.
        return opened.overlay.replaced() or is_quiet(path)

    def _reload(self) -> None:
        with self._reopening:
            opened = self._opened
            if self._reopen is None:
                return
            if opened.fingerprint is not None:
                if opened.fingerprint != fingerprint(opened.model.path):
                    self._opened = self._reopen()
                    self.on_reopened(None)
            elif opened.overlay is None or opened.overlay.replaced():
                self._opened = self._reopen()

    def sources(self, stable_id: int) -> SourceRecord | None:
        """Where a training pair came from; None where the model keeps no sources or has no such pair."""
        return self._opened.source(stable_id)

    def pair(self, stable_id: int) -> TrainingPair | None:
        """A training pair in the words of the model; None where there is no such pair."""
        found = self._opened.core.pair(stable_id)
        return None if found is None else TrainingPair(*found)

    def why(self, source: str, target: str, options: DecodeOptions | None = None) -> dict[str, Any]:
        """How the model makes `target` of `source`: its best derivation, or what stands in the way.

        Where it is not possible, `missing` are words that no rule for this source gives, `pieces` are the stretches of
        the target that parts of the source do give, `prefix` says how many words from the beginning, and
        `relaxations` name limits of the search with which it would be possible. `reason` says it in a sentence.
        """
        given = {**within_budget(options or self.decode_options, self.model), "kbest": 1}
        result = self._opened.core.force(checked(source, 1), checked(target, 1), given)
        best = result["candidates"][0] if result["candidates"] else None
        return {
            "possible": best is not None,
            "missing": result["missing"],
            "prefix": result["prefix"],
            "pieces": result["pieces"],
            "relaxations": dict(result["relaxations"]),
            "reason": obstacle(result) if best is None else "",
            "source_tokens": result["source_tokens"],
            "target_tokens": result["target_tokens"],
            "score": best["score"] if best else None,
            "features": best["features"] if best else {},
            "phrases": [phrase_of(rule) for rule in best["rules"]] if best else [],
        }


def obstacle(result: Mapping[str, Any]) -> str:
    """Why forced decoding found nothing, in a sentence."""
    words = result["target_tokens"]
    if result["missing"]:
        return f"no rule for this source gives {', '.join(map(repr, result['missing']))}"
    if result["relaxations"]:
        limits = " and ".join(f"--{name.replace('_', '-')} {value}" for name, value in result["relaxations"])
        return f"the search is too narrow for it; it can be had with {limits}"
    if result["prefix"] == len(words):
        return "its words can be had, but words of the source would be left without a translation"
    pieces = [" ".join(words[begin:end]) for begin, end in result["pieces"]]
    begun = " ".join(words[: result["prefix"]])
    start = f"from its beginning no further than {begun!r}" if begun else "not even its first word at its place"
    return (
        f"no order of the rules' parts gives it, {start}; the parts that can be had are {', '.join(map(repr, pieces))}"
    )
