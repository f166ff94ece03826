"""A model directory that is open: the core's translator, what was added to it since, and files read when asked for."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman import _core
from dragoman.confidence.estimator import ConfidenceModel
from dragoman.corpus.language_profile import LanguageProfile
from dragoman.corpus.languages import primary
from dragoman.corpus.recognizer import Doubt, Recognizer
from dragoman.errors import FormatError, InputError
from dragoman.index.sources import SourceRecord, Sources
from dragoman.learn.guard import PairGuard
from dragoman.learn.log_place import open_log
from dragoman.learn.memory import MemoryChoice, in_core
from dragoman.learn.overlay import Overlay, bitext_hash, correction_weight, follow_weights
from dragoman.learn.weight_steps import followed
from dragoman.model.directory import ModelDirectory
from dragoman.model.private_files import Fingerprint, opening
from dragoman.model.weights import LANGUAGE_MODELS, UNTUNED, default_weights, naming_weights, read_weights


class OnDemand:
    """What most translations do without."""

    def __init__(self, model: ModelDirectory) -> None:
        self._model = model

    @functools.cached_property
    def sources(self) -> Sources | None:
        return Sources.open(self._model.file("sources.bin")) if self._model.has("sources.bin") else None

    @functools.cached_property
    def confidence(self) -> ConfidenceModel | None:
        if not self._model.has("confidence.json"):
            return None
        return ConfidenceModel.load(self._model.file("confidence.json"))

    @functools.cached_property
    def profiles(self) -> tuple[LanguageProfile, LanguageProfile]:
        """What the model knows of its two languages; a model of rules alone has no words to know them by."""
        source, target = self._model.manifest.source_lang, self._model.manifest.target_lang
        if not self._model.has("vocab.bin"):
            return LanguageProfile(source), LanguageProfile(target)
        path = self._model.file("vocab.bin")
        return LanguageProfile.read(source, path, "source"), LanguageProfile.read(target, path, "target")

    @functools.cached_property
    def recognizer(self) -> Recognizer:
        """Tells the two languages of the model apart, and from others."""
        return Recognizer(self.profiles)

    @functools.cached_property
    def guard(self) -> PairGuard:
        """Judges pairs before the model learns them."""
        return PairGuard(*self.profiles)


@dataclass(frozen=True, slots=True)
class OpenedModel:
    """One state of a model, or with an `overlay` and no `log_end` the latest. Parts are shared, never changed."""

    core: _core.TextTranslator
    model: ModelDirectory
    weights: dict[str, float]
    overlay: Overlay | None = None
    on_demand: OnDemand | None = None
    # Of a snapshot: how far the log of changes had been read.
    log_end: int | None = None
    # Of private copies: the files they were made of.
    fingerprint: Fingerprint | None = None
    # Where the weights follow corrections, those that tuning gave; `weights` are what became of them.
    tuned: dict[str, float] | None = None

    def with_weights(self, weights: Mapping[str, float]) -> OpenedModel:
        chosen = with_untuned(weights) if UNTUNED.keys() <= self.weights.keys() else dict(weights)
        return dataclasses.replace(self, core=self.core.with_weights(list(chosen.items())), weights=chosen)

    def with_memories(self, choice: MemoryChoice) -> OpenedModel:
        """With lessons of these memories alone, and where weights follow corrections, what these led to."""
        chosen = dataclasses.replace(self, core=self.core.with_memories(in_core(choice)))
        if self.tuned is None or self.overlay is None:
            return chosen
        steps = self.overlay.steps(self.tuned, lambda stable_id: chosen.core.pair(stable_id) is not None)
        return chosen.with_weights(followed(self.tuned, steps))

    def remembering(self, most_bytes: int) -> OpenedModel:
        return dataclasses.replace(self, core=self.core.remembering(most_bytes), overlay=None)

    def pinned(self) -> OpenedModel:
        """The state of this moment."""
        if self.overlay is None or self.log_end is not None:
            return self
        core, end = self.overlay.pinned(self.core.pinned)
        return dataclasses.replace(self, core=core, log_end=end)

    def source(self, stable_id: int) -> SourceRecord | None:
        """Where a pair came from; None where that was not kept or there is no such pair."""
        if self.overlay is not None and (added := self.overlay.source(stable_id, self.log_end)) is not None:
            return added
        sources = self.sources()
        return None if sources is None else sources.get(stable_id)

    def sources(self) -> Sources | None:
        return self.on_demand.sources if self.on_demand is not None else None

    def confidence(self) -> ConfidenceModel | None:
        confidence = self.on_demand.confidence if self.on_demand is not None else None
        # Learned with other weights, it would promise what nobody measured.
        return confidence if confidence is not None and with_untuned(confidence.weights) == self.weights else None

    def doubt(self, texts: str | Sequence[str]) -> Doubt | None:
        """Why texts hardly are in the source language."""
        if self.on_demand is None:
            return None
        return self.on_demand.recognizer.doubt(texts, self.on_demand.profiles[0])

    def guard(self) -> PairGuard:
        """What judges pairs to learn; knows nothing of the languages where nobody told."""
        if self.on_demand is None:
            return PairGuard(LanguageProfile(""), LanguageProfile(""))
        return self.on_demand.guard

    def language_model(self) -> _core.LanguageModel | None:
        """The n-gram model by itself, if there is one; it is mapped, so this costs next to nothing."""
        return _core.LanguageModel(str(self.model.file("lm.bin")), True) if self.model.has("lm.bin") else None


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """Which model to open, and how: all that is needed to open it again, here or in another process."""

    path: Path
    # Instead of the model's own: a file, or the weights themselves.
    weights: Path | dict[str, float] | None = None
    matching: str = "exact"
    trust: bool = False
    # How often added pairs count, instead of what the model says.
    correction_weight: int | None = None
    # Whether copies of the files are used, which nobody can change; see dragoman.model.private_files.
    private: bool = False
    # Rules to translate by instead of the training text: a grammar, or a phrase table of Moses.
    grammar: Path | None = None
    # Whether weights follow corrections, instead of what the model says; those given here never do.
    follow_weights: bool | None = None
    # The address of a database that has the changes, which replicas share; it may have a password in it.
    corrections: str | None = dataclasses.field(default=None, repr=False)
    # Memories whose lessons apply; None for all.
    memories: MemoryChoice | None = None
    # Whose limit of memory the files obey; not for other processes.
    scratch: _core.ScratchSpace | None = None

    def open(self) -> OpenedModel:
        with opening(self.path, self.private) as (model, directory, files):
            weights_path, chosen = self._weights(model)
            for name in ("vocab.bin", "bitext.bin", "lexicon.bin") if self.grammar is None else ():
                model.file(name)
            models = [(name, file) for file, name in LANGUAGE_MODELS.items() if model.has(file)]
            chosen = default_weights([name for name, _ in models], model.has("judge.bin")) if chosen is None else chosen
            if self.grammar is None:
                chosen = with_untuned(chosen)
            text = text_format(model)
            with naming_weights(weights_path), naming_grammar(self.grammar):
                core, index = _core.TextTranslator.open(
                    str(directory),
                    text.source,
                    text.target,
                    models,
                    list(chosen.items()),
                    matching=self.matching,
                    trust=self.trust,
                    correction_weight=self.correction_weight or correction_weight(model),
                    grammar="" if self.grammar is None else str(self.grammar.absolute()),
                    marked_words=text.marked_words,
                    judge="judge.bin" if model.has("judge.bin") else "",
                    scratch=self.scratch,
                )
            if model.has("glossary.tsv"):
                core = with_glossary(core, model.file("glossary.tsv"))
            overlay = None
            if index is not None:
                log = open_log(model.path, bitext_hash(model), self.corrections)
                overlay = Overlay(model, index, core.tokenize_pair, log)
        tuned = chosen if overlay is not None and self._follows(model) else None
        return OpenedModel(core, model, chosen, overlay, OnDemand(model), fingerprint=files, tuned=tuned)

    def _follows(self, model: ModelDirectory) -> bool:
        said = follow_weights(model) if self.follow_weights is None else self.follow_weights
        return said and self.weights is None

    def absolute(self) -> OpenRequest:
        """The same wherever the process that opens it stands."""
        weights = self.weights.absolute() if isinstance(self.weights, Path) else self.weights
        grammar = None if self.grammar is None else self.grammar.absolute()
        return dataclasses.replace(self, path=self.path.absolute(), weights=weights, grammar=grammar)

    def _weights(self, model: ModelDirectory) -> tuple[Path | None, dict[str, float] | None]:
        """The file they come from, and the weights; neither where nobody has said any."""
        if isinstance(self.weights, dict):
            return None, self.weights
        path = self.weights
        if path is None and model.has("weights.txt"):
            path = model.file("weights.txt")
        return path, None if path is None else read_weights(path)


def with_untuned(weights: Mapping[str, float]) -> dict[str, float]:
    """Weights with those that are no matter of tuning."""
    return {**weights, **{name: value for name, value in UNTUNED.items() if name not in weights}}


@contextlib.contextmanager
def naming_grammar(path: Path | None) -> Iterator[None]:
    """Says of a bad rule which file it is in."""
    try:
        yield
    except InputError as error:
        if path is None:
            raise
        raise InputError(f"{path}: {error}", error.line) from None


def with_glossary(core: _core.TextTranslator, path: Path) -> _core.TextTranslator:
    """With the terms of a model, which hold for all its translations."""
    try:
        return core.with_glossary(path.read_bytes())
    except InputError as error:
        raise InputError(f"{path}: {error}", error.line) from None


@dataclass(frozen=True, slots=True)
class TextFormat:
    """How a model's words are made: names of both sides' tokenizers (languages, or none where it was made from tokens).

    Words of models of earlier versions have marks of spacing in them, and their katakana are words each.
    """

    source: str = "none"
    target: str = "none"
    marked_words: bool = False


def text_format(model: ModelDirectory) -> TextFormat:
    """What text.json says."""
    if not model.has("text.json"):
        return TextFormat()
    path = model.file("text.json")
    try:
        text = json.loads(path.read_bytes())
        kind, marked, whole = text["tokenizer"], text.get("spacing") != "apart", text.get("katakana") == "words"
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise FormatError(f"{path}: does not say which tokenizer the model uses; build it again", str(path)) from error
    if kind == "none":
        return TextFormat()
    source, target = model.manifest.source_lang, model.manifest.target_lang
    return TextFormat(source, target, marked) if whole else TextFormat(by_kana(source), by_kana(target), marked)


def by_kana(language: str) -> str:
    """The tokenizer of models whose every katakana is a word."""
    return f"{language}-x-kana" if primary(language) == "ja" else language
