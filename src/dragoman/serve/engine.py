"""The models a server has, and what it does with them: translate and detect."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from dragoman.config import DecodeOptions, ServeOptions
from dragoman.corpus.language_profile import LanguageProfile
from dragoman.corpus.recognizer import Doubt, Guess, Recognizer
from dragoman.document_context import required_context
from dragoman.documents import BILINGUAL, DocumentLimits, format_of, read_document, translate_document
from dragoman.documents.segment import text_of
from dragoman.errors import ConfigError, DragomanError
from dragoman.glossary import Glossary, GlossaryLike
from dragoman.learn.memory import MemoryChoice, required_choice
from dragoman.serve.answers import Refusal, slow_down
from dragoman.serve.languages import UNDETERMINED, name_of, resolve
from dragoman.serve.markup import MarkupJob
from dragoman.serve.pair import Direction, Pair, View, through_pairs, views_of
from dragoman.serve.texts import TranslatedText, joined, lines_of
from dragoman.serve.workers import AGAIN, Again, Deadline, Piece, Stopped, Workers
from dragoman.translation import Translation
from dragoman.translation_job import TranslationJob, Wishes

# Characters of the lines that one piece of work has, and words that it translates in one turn: enough to keep a thread
# busy, little enough that others get theirs.
PIECE_CHARACTERS = 600
TURN_WORDS = 50
# Longer sentences are cut, whatever the model's own options say: the search gives up its turn only between pieces.
MOST_SENTENCE_WORDS = 200
FILES_AT_ONCE, FILES_WAITING = 2, 6
# From here on a detected language, of 100, is not given up for one that could be translated.
SURE = 95.0
# Of a file, enough to tell its language by.
SAMPLE_SEGMENTS, SAMPLE_CHARACTERS = 500, 20_000
Result = TypeVar("Result")


PLAIN = Wishes()


class Engine:
    """Loads models, and shares their work among threads."""

    def __init__(self, paths: Sequence[str | Path], options: ServeOptions) -> None:
        self.options = options
        # One for each model.
        self.models: dict[tuple[str, str], Pair] = {}
        for path in paths:
            pair = Pair(Path(path), options.in_place, options.corrections or None, required_choice(options.use or None))
            direction = (pair.source, pair.target)
            if other := self.models.get(direction):
                raise ConfigError(f"{other.path} and {path} both translate {pair.source} to {pair.target}", "model")
            self.models[direction] = pair
        # What callers may ask for.
        self.pairs: dict[tuple[str, str], Direction] = dict(self.models)
        if options.through:
            self.pairs |= {(pair.source, pair.target): pair for pair in through_pairs(self.models)}
        self.languages = sorted({code for direction in self.pairs for code in direction})
        self._profiles = {code: self._profile(code) for code in self.languages}
        self.recognizer = Recognizer(self._profiles.values())
        self.workers = Workers(options.threads, options.queue)
        # Files are taken apart and put together beside the threads that translate their lines.
        self._filers = ThreadPoolExecutor(FILES_AT_ONCE, thread_name_prefix="file")
        self._files: set[Deadline] = set()
        # What an archive unpacks to costs as much as any other file of that size.
        self._file_limits = DocumentLimits(max_bytes=options.file_limit)

    def _profile(self, code: str) -> LanguageProfile:
        """A language as the first model knows it that has it on either side."""
        return next(pair.profile(code) for direction, pair in self.models.items() if code in direction)

    def targets(self, source: str) -> list[str]:
        """What a language can be translated into; nothing where it is only translated into."""
        return sorted(target for other, target in self.pairs if other == source)

    def pair(self, source: str, target: str) -> Direction:
        """The model for two codes as callers write them, or the two models."""
        known_source = resolve(source, self.languages)
        known_target = resolve(target, self.languages)
        for code, known in ((source, known_source), (target, known_target)):
            if known is None:
                raise Refusal(f"{code[:40]} is not supported")
        assert known_source and known_target
        pair = self.pairs.get((known_source, known_target))
        if pair is None:
            names = [f"{name_of(code)} ({code})" for code in (known_target, known_source)]
            raise Refusal(f"{names[0]} is not available as a target language from {names[1]}")
        return pair

    def detect(self, text: str) -> list[Guess]:
        """The languages of the models that a text may be in, best first; where it looks like none, that."""
        return self.recognizer.guesses(text) or [Guess(UNDETERMINED, 0.0)]

    def detect_source(self, text: str, target: str) -> Guess:
        """The most probable language that can be translated to `target`, unless another is far more so."""
        known_target = resolve(target, self.languages)
        if known_target is None:
            raise Refusal(f"{target[:40]} is not supported")
        sources = [source for source, other in self.pairs if other == known_target]
        if not sources:
            raise Refusal(f"{name_of(known_target)} ({known_target}) is not available as a target language")
        first, *others = self.detect(text)
        if first.confidence >= SURE:
            return first
        return next((guess for guess in (first, *others) if guess.language in sources), first)

    def surely(self, text: str, target: str) -> str:
        """The same for what must not be done in a wrong language."""
        language = self.detect_source(text, target).language
        if language != UNDETERMINED:
            return language
        doubt = self.apparent(text)
        raise Refusal(
            f"the language of the text was not recognised{f': it looks like {doubt.apparent}' if doubt else ''};"
            " name it in source"
        )

    def chosen(self, language: str, target: str) -> Direction | None:
        """The model for a text of a detected language; None where it needs none, or none can read it."""
        same = language == resolve(target, self.languages)
        return None if same or language == UNDETERMINED else self.pair(language, target)

    def doubt(self, text: str | Sequence[str], pair: Direction) -> Doubt | None:
        """Why a text, or several as one, hardly is in the language that a model translates from."""
        return self.recognizer.doubt(text, self._profiles[pair.source])

    def apparent(self, text: str) -> Doubt | None:
        """What a text looks like that is in no language of ours."""
        return self.recognizer.doubt(text, next(iter(self._profiles.values())))

    async def translate_lines(
        self,
        view: View,
        lines: Sequence[str],
        deadline: Deadline,
        wishes: Wishes = PLAIN,
    ) -> list[Translation]:
        """Translates lines in pieces that other requests' pieces may come between."""
        total = sum(map(len, lines))
        parts = cut(lines)
        done = [0.0] * len(parts)  # characters of each

        def piece(number: int, part: list[str]) -> Piece[list[Translation]]:
            job: TranslationJob | None = None
            size = sum(map(len, part))

            def turn() -> list[Translation] | Again:
                nonlocal job
                if job is None:
                    job = view.translator.start(part, options_of(view), wishes)
                seconds = deadline.sentence_seconds(sum(done), total)
                finished = job.advance(TURN_WORDS, seconds=seconds, progress=deadline.check)
                done[number] = size * job.share
                return job.result() if finished else AGAIN

            return turn

        pieces = [piece(number, part) for number, part in enumerate(parts)]
        try:
            results = await self.workers.run_all(pieces, deadline)
        except DragomanError as error:
            raise Refusal(f"Invalid request: {error}") from None
        return [translation for part in results for translation in part]

    async def translate_text(
        self, views: Sequence[View], texts: Sequence[str], deadline: Deadline, wishes: Wishes = PLAIN
    ) -> list[list[TranslatedText]]:
        """The texts after each step; the last one has the alternatives."""
        steps: list[list[TranslatedText]] = []
        for view in views:
            asked = wishes if view is views[-1] else dataclasses.replace(wishes, nbest=1)
            lines = [lines_of(text)[0] for text in texts]
            all_lines = [line for text_lines in lines for line in text_lines]
            translations = iter(await self.translate_lines(view, all_lines, deadline, asked))
            steps.append(
                [
                    joined(text, [next(translations) for _ in text_lines], asked.nbest - 1)
                    for text, text_lines in zip(texts, lines, strict=True)
                ]
            )
            texts = [text.text for text in steps[-1]]
        return steps

    async def translate_html(
        self, views: Sequence[View], texts: Sequence[str], deadline: Deadline, wishes: Wishes = PLAIN
    ) -> list[str]:
        """Fragments of HTML; the lines of all go together."""
        translated = list(texts)
        for view in views:
            translated = await self._html_step(view, translated, deadline, wishes)
        return translated

    async def _html_step(self, view: View, texts: Sequence[str], deadline: Deadline, wishes: Wishes) -> list[str]:

        def parse() -> list[MarkupJob]:
            return [MarkupJob(text) for text in texts]

        # Parsing a large page takes its time too, so that also happens in a thread.
        jobs = await self.workers.run(parse, deadline)
        counts = [len(job.lines) for job in jobs]
        all_lines = [line for job in jobs for line in job.lines]
        translations = iter(await self.translate_lines(view, all_lines, deadline, wishes))

        def finish() -> list[str]:
            return [
                job.finish([next(translations) for _ in range(count)]) for job, count in zip(jobs, counts, strict=True)
            ]

        return await self.workers.run(finish, deadline)

    async def translate_file(
        self,
        pair: Direction,
        name: str,
        content: bytes,
        deadline: Deadline,
        *,
        force: bool = False,
        memories: MemoryChoice | None = None,
    ) -> tuple[bytes, Doubt | None]:
        """A file of any format that dragoman.documents knows, and why it hardly is in the model's language."""
        views = views_of(pair, memories)
        if len(views) > 1 and format_of(name) in BILINGUAL:
            raise Refusal(
                "Invalid request: a file that holds both languages cannot go through a third; ask for one model"
            )
        doubts: list[Doubt | None] = []

        def work() -> tuple[bytes, Doubt | None]:
            translated = content
            for step, view in enumerate(views):
                deadline.check()
                translated = translate_document(
                    translated,
                    name,
                    SharedTranslator(self.workers, view, deadline),
                    progress=deadline.check,
                    limits=self._file_limits,
                    # What the file says of its languages is of the first step.
                    force=force or step > 0,
                    look=lambda texts: doubts.append(self.doubt(texts, pair)),
                )
            # What the first model was given.
            return translated, doubts[0]

        return await self._with_file(work, deadline)

    async def sample_file(self, name: str, content: bytes, deadline: Deadline) -> str:
        """The beginning of a file's text, by which its language is known."""

        def work() -> str:
            deadline.check()
            segments = read_document(content, name, limits=self._file_limits).segments
            return " ".join(text_of(segment) for segment in segments[:SAMPLE_SEGMENTS])[:SAMPLE_CHARACTERS]

        return await self._with_file(work, deadline)

    async def _with_file(self, work: Callable[[], Result], deadline: Deadline) -> Result:
        if len(self._files) >= FILES_AT_ONCE + FILES_WAITING:
            raise slow_down("too many files are being translated; try again in a while", 10)
        self._files.add(deadline)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._filers, work)
        except Stopped:
            raise deadline.expired() from None
        except DragomanError as error:
            raise Refusal(f"Invalid request: {error}") from None
        except BaseException:
            # Nobody waits for it any more.
            deadline.stop()
            raise
        finally:
            self._files.discard(deadline)

    def stop_files(self) -> None:
        for deadline in list(self._files):
            deadline.stop()

    def close(self) -> None:
        """Waits for what is under way."""
        self.stop_files()
        self._filers.shutdown(wait=True)
        self.workers.close()


class SharedTranslator:
    """A pair as documents use a translator; its lines queue with those of all other requests."""

    def __init__(self, workers: Workers, view: View, deadline: Deadline) -> None:
        self._workers = workers
        self._view = view
        self._deadline = deadline
        self.model = view.translator.model
        self.keeps_context = view.translator.keeps_context

    def translate(
        self,
        text: list[str],
        options: DecodeOptions | None = None,
        *,
        glossary: GlossaryLike | None = None,
        threads: int = 1,
        context: Sequence[tuple[str, str]] | None = None,
    ) -> list[Translation]:
        wishes = Wishes(glossary=Glossary.of(glossary), context=required_context(context))

        def piece(part: list[str]) -> Piece[list[Translation]]:
            job = self._view.translator.start(part, options or options_of(self._view), wishes)

            def turn() -> list[Translation] | Again:
                return job.result() if job.advance(TURN_WORDS, progress=self._deadline.check) else AGAIN

            return turn

        pieces = [piece(part) for part in cut(text)]
        return [translation for part in self._workers.run_here(pieces, self._deadline) for translation in part]


def options_of(view: View) -> DecodeOptions:
    """How a server searches: as the model says, within bounds that keep turns short."""
    own = view.translator.decode_options
    words = min(own.max_sentence_words or MOST_SENTENCE_WORDS, MOST_SENTENCE_WORDS)
    return dataclasses.replace(own, max_sentence_words=words)


def cut(lines: Sequence[str]) -> list[list[str]]:
    """Lines in pieces of about equal size."""
    pieces: list[list[str]] = []
    size = PIECE_CHARACTERS
    for line in lines:
        if size >= PIECE_CHARACTERS:
            pieces.append([])
            size = 0
        pieces[-1].append(line)
        size += len(line) + 20
    return pieces
