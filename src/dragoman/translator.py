"""The translator people use from Python.

>>> import dragoman
>>> with dragoman.Translator.load("fr-en.model") as translator:
...     print(translator.translate("Une maison bleue."))
A blue house.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType, TracebackType
from typing import TypedDict, Unpack, overload

from dragoman.arguments import (
    require_decode_options,
    require_flag,
    require_path,
    require_text,
    require_whole,
    required_texts,
    required_weights,
    wrong,
)
from dragoman.completion import Completion, completions
from dragoman.config import DecodeOptions
from dragoman.corpus.recognizer import Doubt
from dragoman.document_context import TextPair, keeps_context, required_context
from dragoman.errors import ConfigError, DragomanError, InputError
from dragoman.explain.explainer import Explainer
from dragoman.explain.explanation import Explanation
from dragoman.explain.match import EXACT, Match
from dragoman.explain.matches import AT_LEAST, nearest
from dragoman.explain.training_text import pair_text
from dragoman.explain.why import Why, why_of
from dragoman.following import steps_for
from dragoman.glossary import Glossary, GlossaryConflict, GlossaryLike
from dragoman.index.sources import SourceRecord
from dragoman.learn.guard import PairGuard
from dragoman.learn.imports import Undone, import_of
from dragoman.learn.lesson import Lesson
from dragoman.learn.lesson_query import LessonQuery
from dragoman.learn.lessons import all_records, recorded_lessons, unrecorded
from dragoman.learn.memory import (
    DEFAULT,
    MemoriesLike,
    MemoryChoice,
    full_name,
    require_known,
    require_memory,
    required_choice,
)
from dragoman.learn.new_pairs import NewPair, require_pair
from dragoman.learn.overlay import Overlay
from dragoman.model.directory import ModelDirectory
from dragoman.model.latest import LatestModel
from dragoman.model.opened import OpenedModel, OpenRequest
from dragoman.model.options import decode_options
from dragoman.progress import Progress
from dragoman.translation import TrainingPair, Translation
from dragoman.translation_job import TranslationJob, Wishes, checked, within_budget


class TranslateArguments(TypedDict, total=False):
    """What may be asked of `Translator.translate` besides options of the search."""

    nbest: int
    explain: bool
    origins: int
    confidence: bool
    glossary: GlossaryLike | None
    threads: int
    first_line: int
    context: Sequence[TextPair] | None
    memories: MemoriesLike | None
    progress: Progress | None


class Translator:
    """Translates with one model. Safe to share between threads.

    `Translator.load` opens one. It may be used in a `with` block, or closed by `close`. Pickling keeps the path of the
    model and how it was opened, not the model: whoever unpickles it opens the model again.
    """

    def __init__(self, model: LatestModel, memories: MemoryChoice | None = None) -> None:
        self._latest = model
        # Those whose lessons apply where a call names no others; None for all.
        self._memories = memories
        # Where the process stands may be another place when it is pickled.
        self._origin = model.request.absolute() if model.request is not None else None

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        weights: str | os.PathLike[str] | Mapping[str, float] | None = None,
        matching: str = "exact",
        trust: bool = False,
        correction_weight: int | None = None,
        private: bool = False,
        grammar: str | os.PathLike[str] | None = None,
        follow_weights: bool | None = None,
        corrections: str | None = None,
        memories: MemoriesLike | None = None,
    ) -> Translator:
        """Opens a model directory; `weights` replace those of the model, `correction_weight` that of added pairs.

        With `follow_weights`, or where the model says so, every pair that is added moves the model's weights a little,
        within bounds, towards what would have given it; removing the pair takes that back.

        With a `grammar`, a file of rules or a phrase table of Moses, translations are made of its rules instead of the
        training text; weights are then those of its features.

        With `corrections`, the address of a PostgreSQL database, what is added and removed is kept there, and
        translators of the same model anywhere share it.

        With `memories` lessons of these alone apply, see `using`.

        The files are used where they lie: put a new directory in a model's place, do not write into the old one. With
        `private` copies of them are used, which nobody can change; see dragoman.model.private_files.
        """
        request = OpenRequest(
            require_path("path", path),
            required_weights(weights),
            require_text("matching", matching),
            require_flag("trust", trust),
            None if correction_weight is None else require_whole("correction_weight", correction_weight, 1),
            require_flag("private", private),
            None if grammar is None else require_path("grammar", grammar),
            None if follow_weights is None else require_flag("follow_weights", follow_weights),
            None if corrections is None else require_text("corrections", corrections),
        )
        return cls.opening(request).using(memories)

    @classmethod
    def opening(cls, request: OpenRequest) -> Translator:
        return cls(LatestModel(request.open(), request), request.memories)

    def close(self) -> None:
        """Lets go of the model's files; whatever is asked of this translator afterwards is refused."""
        self._latest.close()

    def __enter__(self) -> Translator:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[Callable[[OpenRequest], Translator], tuple[OpenRequest]]:
        if self._origin is None:
            raise ConfigError("this translator is a snapshot; pickle the one it was made from", "translator")
        if self._latest.closed:
            raise ConfigError("this translator is closed; load the model again", "translator")
        return type(self).opening, (dataclasses.replace(self._origin, memories=self._memories),)

    def __repr__(self) -> str:
        if self._latest.closed:
            return "<Translator, closed>"
        manifest = self.model.manifest
        kind = "" if self._origin is not None else ", a snapshot"
        return f"<Translator {manifest.source_lang} → {manifest.target_lang}, {str(self.model.path)!r}{kind}>"

    @property
    def opened(self) -> OpenedModel:
        """The model as it was at the last look, with its parts: for those who work with these."""
        return self._chosen(self._latest.opened)

    def _chosen(self, opened: OpenedModel, memories: MemoriesLike | None = None) -> OpenedModel:
        """With lessons of these memories alone, or of those of this translator."""
        choice = self._memories if memories is None else self._choice(memories)
        return opened if choice is None else opened.with_memories(choice)

    def _choice(self, memories: MemoriesLike) -> MemoryChoice:
        choice = required_choice(memories)
        assert choice is not None
        overlay = self._latest.now().overlay
        if overlay is None:
            raise ConfigError("a grammar was taught nothing; leave the memories out", "memories")
        require_known(choice, overlay.memories())
        return choice

    def _now(self, memories: MemoriesLike | None = None) -> OpenedModel:
        """The latest state, with the memories that apply."""
        return self._chosen(self._latest.now(), memories)

    def using(self, memories: MemoriesLike | None) -> Translator:
        """The same model with lessons of these memories alone, as if nothing else had been taught; with None, of all.

        Memories are named as `acme,default`, or by a list of names; `acme=2`, or a mapping, says how often a memory's
        lessons count where those of others count once. Learning and listing know all of them as before.
        """
        return self.with_choice(None if memories is None else self._choice(memories))

    def with_choice(self, choice: MemoryChoice | None) -> Translator:
        """The same, whether there are such memories or not."""
        return Translator(self._latest, choice)

    @property
    def memories(self) -> MemoryChoice | None:
        """Those whose lessons apply, with their weights; None for all."""
        return self._memories

    @property
    def model(self) -> ModelDirectory:
        return self._latest.opened.model

    @property
    def languages(self) -> tuple[str, str]:
        """The model's source and target language; empty where it does not say."""
        manifest = self.model.manifest
        return manifest.source_lang, manifest.target_lang

    @property
    def weights(self) -> Mapping[str, float]:
        """Of the features; not to be changed here: load the model with others instead."""
        return MappingProxyType(self.opened.weights)

    @property
    def keeps_context(self) -> bool:
        """Whether a context tells it anything: it needs align.bin, and a weight of `Consistency` that is not 0."""
        return keeps_context(self.opened)

    @property
    def decode_options(self) -> DecodeOptions:
        """How sentences are searched where nobody asks for something else."""
        return decode_options(self.model)

    def snapshot(self) -> Translator:
        """The model as it is now, whatever is added to it or removed from it: for work that takes several calls."""
        return Translator(LatestModel(self._latest.now().pinned()), self._memories)

    def on_reopened(self, call: Callable[[DragomanError | OSError | None], None]) -> None:
        """Calls it when private copies were made anew, or with the reason why they could not be."""
        self._latest.on_reopened = call

    @overload
    def translate(
        self, text: str, options: DecodeOptions | None = None, **how: Unpack[TranslateArguments]
    ) -> Translation: ...
    @overload
    def translate(
        self,
        text: list[str] | tuple[str, ...],
        options: DecodeOptions | None = None,
        **how: Unpack[TranslateArguments],
    ) -> list[Translation]: ...
    def translate(
        self,
        text: str | list[str] | tuple[str, ...],
        options: DecodeOptions | None = None,
        *,
        nbest: int = 1,
        explain: bool = False,
        origins: int = 5,
        confidence: bool = False,
        glossary: GlossaryLike | None = None,
        threads: int = 1,
        first_line: int = 1,
        context: Sequence[TextPair] | None = None,
        memories: MemoriesLike | None = None,
        progress: Progress | None = None,
    ) -> Translation | list[Translation]:
        """Translates a text, or a list of texts. Line ends stay where they are.

        `options` of the search are the model's own unless they are given. `glossary` is the path of a glossary file, a
        mapping of terms to translations, or pairs of them. `first_line` is the number that errors give the first text.
        With `explain`, sentences have their phrases, each with at most `origins` of the places it was seen in. With
        `confidence`, sentences and words say how far to trust them, if the model was taught that. `context` are pairs
        of text and translation that came earlier in the same document, oldest first: what became of a word there is
        preferred. The last 200 count. With `memories` lessons of these alone apply, see `using`.
        """
        require_whole("threads", threads)
        if progress is not None and not callable(progress):
            raise wrong("progress", "a function of two numbers or None", progress)
        terms = self._glossary(glossary)
        wishes = Wishes(nbest, explain, origins, confidence, terms, first_line, required_context(context))
        job = TranslationJob(self._now(memories), required_texts(text), require_decode_options(options), wishes)
        results = job.run(threads, progress)
        return results[0] if isinstance(text, str) else results

    def start(
        self, texts: Sequence[str], options: DecodeOptions | None = None, wishes: Wishes | None = None
    ) -> TranslationJob:
        """The same as `translate`, a little at a time, for servers: in their wishes no glossary is ever a path."""
        return TranslationJob(self._now(), texts, options, wishes or Wishes())

    def explain(
        self,
        text: str,
        options: DecodeOptions | None = None,
        *,
        sources: int = 3,
        matches: int = 0,
        glossary: GlossaryLike | None = None,
        memories: MemoriesLike | None = None,
    ) -> Explanation:
        """Translates a text and says why it came out so: its rules, and for each at most so many of its `sources`.

        With `matches`, also as many of the stored pairs that are nearest to the text; see `matches`.
        """
        require_text("text", text)
        most = require_whole("matches", matches)
        wishes = Wishes(1, True, require_whole("sources", sources), True, self._glossary(glossary))
        # One state of the model: what is added meanwhile must not mix with it.
        now = self._now(memories).pinned()
        (result,) = TranslationJob(now, [text], require_decode_options(options), wishes).run()
        explanation = Explainer(now).explanation(text, result)
        return dataclasses.replace(explanation, matches=nearest(now, text, most, AT_LEAST)) if most else explanation

    def matches(
        self, text: str, k: int = 5, *, at_least: int = AT_LEAST, memories: MemoriesLike | None = None
    ) -> list[Match]:
        """The stored pairs, trained or taught, whose source text is nearest to this one, best first.

        At most `k`, each by `at_least` so many percent. A pair whose source is this very text comes first, as it was
        written. Pairs that were removed never come.
        """
        require_whole("k", k)
        percent = require_whole("at_least", at_least, 1)
        if percent > EXACT:
            raise ConfigError(f"at_least must be from 1 to {EXACT} percent, not {percent}", "at_least")
        return nearest(self._now(memories).pinned(), checked(require_text("text", text), 1), k, percent)

    def complete(
        self,
        source: str,
        prefix: str = "",
        k: int = 1,
        options: DecodeOptions | None = None,
        *,
        glossary: GlossaryLike | None = None,
        memories: MemoriesLike | None = None,
    ) -> list[Completion]:
        """How a translation of `source` may go on whose `prefix` somebody has typed: at most `k` ways, best first.

        The prefix stays as it was typed, whatever it holds; its last word may be half a word. Without one this is what
        `translate` gives. Models of either kind go on by the phrase-based search where they have to search.
        """
        require_text("source", source)
        require_text("prefix", prefix)
        most = require_whole("k", k, 1)
        chosen = require_decode_options(options)
        return completions(self._now(memories), source, prefix, most, chosen, self._glossary(glossary))

    def why(self, source: str, target: str, options: DecodeOptions | None = None) -> Why:
        """How the model makes `target` of `source`: its best derivation, or what stands in the way."""
        opened = self._now()
        chosen = within_budget(require_decode_options(options) or decode_options(opened.model), opened.model)
        given = {**dataclasses.asdict(chosen), "kbest": 1}
        ours, theirs = checked(require_text("source", source), 1), checked(require_text("target", target), 1)
        return why_of(opened.core, opened.core.force(ours, theirs, given))

    def doubt(self, text: str | Sequence[str]) -> Doubt | None:
        """Why a text, or several as one, hardly is in the language that the model translates from; None for no reason.

        `looks_like` is the code of the language that it looks like; `str` of it says so in words. Words that nobody
        knows are no reason: a language is doubted only where another fits the text better.
        """
        for part in [text] if isinstance(text, str) else text:
            require_text("text", part)
        return self._latest.opened.doubt(text)

    @property
    def guard(self) -> PairGuard:
        """What judges pairs before the model learns them."""
        return self._latest.opened.guard()

    @property
    def overlay(self) -> Overlay:
        """What was added to the model and removed from it."""
        return self._latest.overlay

    def add(
        self,
        source: str,
        target: str,
        id: str | None = None,
        *,
        links: str | None = None,
        force: bool = False,
        memory: str = DEFAULT,
    ) -> str:
        """Learns a sentence pair: the next translation uses it. Returns its id.

        When this returns, the pair is on the disk. A pair with the same id is replaced; without an id it gets one that
        depends on the pair alone. `links` between the model's tokens are found by the model unless given. A pair that
        looks wrong, in other languages or with sides that do not go together, is refused unless `force` is set. Ids
        are those of the `memory` that it is taught to.
        """
        return self.add_pairs([NewPair(source, target, id, links=links, memory=memory)], force=force)[0]

    def add_pairs(self, pairs: Sequence[NewPair], *, force: bool = False, import_id: str | None = None) -> list[str]:
        """Learns sentence pairs, all or none, and returns their ids; `guard` tells which would be refused.

        Calls with the same `import_id`, of `dragoman.learn.imports.new_import`, are one import, which `undo_import`
        takes back; without it each call is one.
        """
        for pair in pairs:
            require_pair(pair)
        if import_id is not None:
            require_text("import_id", import_id)
        if not require_flag("force", force):
            self.guard.require(pairs)
        now = self._latest.now()
        steps = [] if now.tuned is None else steps_for(now, pairs)
        return self._latest.change(lambda overlay: overlay.add(pairs, steps, now.tuned, import_id))

    def remove(self, id: str, *, memory: str = DEFAULT) -> bool:
        """Forgets the pair of this id, added or trained: no later translation uses it. False if there is none."""
        name = full_name(require_text("id", id), require_memory(memory))
        return self._latest.change(lambda overlay: overlay.remove([name]))[0]

    def lessons(self, query: LessonQuery | None = None) -> Iterator[Lesson]:
        """The pairs that the model was taught since it was trained, as they were given, or those that are asked for.

        In a model that keeps no sources, those merged into the index come in the words of the model.
        """
        wanted = query or LessonQuery()
        self._latest.now()
        overlay, sources = self.overlay, self._latest.opened.sources()
        for stable_id, names in unrecorded(overlay, sources):
            if (pair := self.pair(stable_id)) is not None:
                texts = (pair.source_text, pair.target_text)
                merged = Lesson(tuple(SourceRecord(stable_id, name, *texts) for name in names))
                if any(map(wanted.matches, merged.records)):
                    yield merged
        for lesson in recorded_lessons(overlay, sources):
            if any(map(wanted.matches, lesson.records)):
                yield lesson

    def remove_lessons(self, query: LessonQuery) -> int:
        """Forgets what was taught and is asked for, all or nothing; returns how many names it had.

        A lesson that has other names, too, stays under these.
        """
        if not query:
            raise ConfigError("say which lessons are to be removed", "query")
        names = [record.id for lesson in self.lessons(query) for record in lesson.records if query.matches(record)]
        return sum(self._latest.change(lambda overlay: overlay.remove(names)))

    def require_taught(self, name: str) -> None:
        """ConfigError for a memory that was taught nothing, with those that were; nothing is none."""
        if name:
            self._latest.now()
            require_known(((name, 1),), self.overlay.memories(), "memory")

    def undo_import(self) -> Undone:
        """Takes back what was taught last, by one command, request or call; what it replaced comes back.

        Pairs of the training text that it replaced stay out, and so does what was compacted since.
        """
        records = [record for lesson in self.lessons() for record in lesson.records]
        last = max((import_of(record.attributes) for record in records), default="")
        if not last:
            raise InputError(f"{self.model.path} was taught nothing of which is known what came together")
        names = [record.id for record in records if import_of(record.attributes) == last]
        return self._latest.change(lambda overlay: overlay.undo(last, names))

    def pairs(self) -> Iterator[SourceRecord]:
        """All pairs that the model has, as they were written, as far as it keeps sources."""
        return all_records(self.overlay, self._latest.opened.sources())

    def glossary_conflicts(self, glossary: GlossaryLike | None = None) -> list[GlossaryConflict]:
        """Terms of a glossary, or else of the model's own, that cannot all be obeyed everywhere."""
        terms = self._glossary(glossary)
        if terms is None and self.model.has("glossary.tsv"):
            terms = Glossary.read(self.model.file("glossary.tsv"), self.languages)
        if terms is None:
            return []
        conflicts = self._latest.opened.core.glossary_conflicts(terms.encoded())
        return [GlossaryConflict(*fields).in_file(terms) for fields in conflicts]

    def _glossary(self, given: GlossaryLike | None) -> Glossary | None:
        return Glossary.of(given, self.languages)

    def sources(self, stable_id: int) -> SourceRecord | None:
        """Where a training pair came from; None where the model keeps no sources or has no such pair."""
        return self._latest.opened.source(stable_id)

    def pair(self, stable_id: int) -> TrainingPair | None:
        """A training pair in the words of the model, and as it was written; None where there is no such pair."""
        opened = self._latest.opened
        pair = opened.core.pair(stable_id)
        if pair is None:
            return None
        record = opened.source(stable_id) or SourceRecord(stable_id, "", "", "")
        source = pair_text(opened.core, pair[0], record.source)
        target = pair_text(opened.core, pair[1], record.target, True)
        raw = source.raw and target.raw
        return TrainingPair(*pair, source.text, target.text, source.words, target.words, raw)
