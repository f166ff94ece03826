"""Teaching: translated texts become sentence pairs of the model, one after another, and are on disk when that is said.

One thread teaches, so that lessons have an order and never wait behind translations. What was begun is finished even if
the caller goes away or the server is told to stop.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from dragoman import _core
from dragoman.errors import DragomanError, FormatError, UnavailableError
from dragoman.learn.lesson import Lesson, by_time
from dragoman.learn.lesson_query import LessonQuery
from dragoman.learn.memory import DEFAULT, MemoryChoice, full_name
from dragoman.learn.new_pairs import NewPair
from dragoman.serve import log
from dragoman.serve.answers import Problem, Refusal, slow_down
from dragoman.serve.engine import Engine
from dragoman.serve.pair import Direction, Pair, ThroughPair, View
from dragoman.serve.workers import Deadline, WorkResult
from dragoman.text import SentenceSplitter

CANNOT_LEARN = "this model cannot learn: it has no align.bin; see `dragoman align --save`"
CHANGED = "the model's files were changed and cannot be opened now, so nothing can be added to them; try again later"
TAUGHT = "taught-"
ORIGIN = {"attributes": {"taught": "over HTTP"}}


class Teacher:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._places = engine.options.queue + 1
        self._waiting = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="teach")

    async def teach(
        self,
        direction: Direction,
        source: str,
        target: str,
        *,
        force: bool = False,
        memory: str = DEFAULT,
        memories: MemoryChoice | None = None,
    ) -> list[str]:
        """Adds a translated text, sentence by sentence where both sides have as many; returns the ids of the pairs.

        A sentence that was taught before is replaced, so that the last correction holds. Of several sentences only
        those are taught that the model, with these memories, would translate otherwise: who corrects one has not
        vouched for the rest. A text that looks wrong is refused unless it is forced.
        """
        pair = require_learning(direction)
        pairs = sentence_pairs(pair, source, target)
        if not pairs:
            raise Refusal("Invalid request: there is nothing to learn in this text")
        if len(pairs) > 1:
            deadline = Deadline(self._engine.options.request_seconds)
            async with self._engine.workers.place():
                view = View(pair, memories)
                now = await self._engine.translate_lines(view, [one for one, _ in pairs], deadline)
            pairs = [taught for taught, known in zip(pairs, now, strict=True) if known.text.strip() != taught[1]]
        lessons = [NewPair(one, other, lesson_id(pair, one), ORIGIN, memory=memory) for one, other in pairs]

        def work() -> list[str]:
            return pair.translator.add_pairs(lessons, force=force) if lessons else []

        return await self._in_turn(work)

    async def correct(
        self,
        direction: Direction,
        names: Sequence[str],
        source: str,
        target: str,
        *,
        force: bool = False,
        memory: str = DEFAULT,
    ) -> list[str]:
        """Teaches a pair in the place of a lesson, whose names it gets."""
        pair = require_learning(direction)
        lessons = [NewPair(source.strip(), target.strip(), name, ORIGIN, memory=memory) for name in names]

        def work() -> list[str]:
            require_lessons(pair, names, memory)
            return pair.translator.add_pairs(lessons, force=force)

        return await self._in_turn(work)

    async def forget(self, direction: Direction, names: Sequence[str], memory: str = DEFAULT) -> int:
        """Takes back what was taught, all or nothing; returns how much of it there was."""
        pair = require_learning(direction)

        def work() -> int:
            require_lessons(pair, names, memory)
            return pair.translator.remove_lessons(LessonQuery(ids=tuple(names), memory=memory))

        return await self._in_turn(work)

    async def lessons(self, direction: Direction, query: LessonQuery) -> tuple[list[Lesson], dict[str, int]]:
        """What was taught, the last lesson first, and how many lessons each memory has."""
        pair = require_learning(direction)

        def work() -> tuple[list[Lesson], dict[str, int]]:
            return by_time(pair.translator.lessons(query))[::-1], pair.translator.overlay.memories()

        return await self._in_turn(work)

    async def _in_turn(self, work: Callable[[], WorkResult]) -> WorkResult:
        if self._waiting >= self._places:
            raise slow_down("too many lessons at once; try again in a moment", 1)
        self._waiting += 1
        future = asyncio.get_running_loop().run_in_executor(self._thread, work)
        future.add_done_callback(self._done)
        try:
            return await asyncio.shield(future)
        except FormatError:
            # Nothing was learned: what is on the disk now would not know it.
            raise Refusal(CHANGED, Problem.CANNOT_LEARN_NOW, retry_after=5) from None
        except UnavailableError as error:
            log.event("not learned", level=logging.WARNING, why=str(error))
            raise Refusal(error.told, Problem.CANNOT_LEARN_NOW, retry_after=5) from None
        except DragomanError as error:
            raise Refusal(f"Invalid request: {error}") from None
        except OSError as error:
            # A full or read-only disk; nothing was learned, and the caller must know.
            problem = Problem.DISK_FULL if error.errno == errno.ENOSPC else Problem.FAULT
            raise Refusal(f"the lesson could not be kept: {error.strerror or 'the disk failed'}", problem) from None

    def _done(self, future: asyncio.Future[Any]) -> None:
        self._waiting -= 1
        # Read, so that nobody complains that it was not when the caller has gone.
        if not future.cancelled():
            future.exception()

    def close(self) -> None:
        """Waits until every lesson that was taken is in the model's log."""
        self._thread.shutdown(wait=True)


def require_lessons(pair: Pair, names: Sequence[str], memory: str) -> None:
    """What was trained is not for callers to change."""
    is_lesson = pair.translator.overlay.is_lesson
    if not all(name.startswith(TAUGHT) or is_lesson(full_name(name, memory)) for name in names):
        raise Refusal("only what was taught can be changed here; use `dragoman remove` for the rest")


def require_learning(pair: Direction) -> Pair:
    """The one model that learns."""
    if isinstance(pair, ThroughPair):
        source, middle, target = pair.languages
        raise Refusal(
            f"{source} to {target} goes through {middle}; teach {source} to {middle}, or {middle} to {target}",
            Problem.CANNOT_LEARN,
        )
    if not pair.learns:
        raise Refusal(CANNOT_LEARN, Problem.CANNOT_LEARN)
    return pair


def sentence_pairs(pair: Pair, source: str, target: str) -> list[tuple[str, str]]:
    """A translated text as pairs of sentences, or of lines where sentences do not match, or as it is."""
    left, right = source.splitlines(), target.splitlines()
    if len(left) != len(right):
        left, right = [one_line(left, pair.source)], [one_line(right, pair.target)]
    pairs: list[tuple[str, str]] = []
    for one, other in zip(left, right, strict=True):
        if not one.strip() or not other.strip():
            continue
        ones = SentenceSplitter(pair.source).split([one])[0]
        others = SentenceSplitter(pair.target).split([other])[0]
        pairs += zip(ones, others, strict=True) if len(ones) == len(others) else [(one.strip(), other.strip())]
    return pairs


def one_line(lines: list[str], language: str) -> str:
    return (" " if _core.spaces_sentences(language) else "").join(lines)


def lesson_id(pair: Pair, source: str) -> str:
    """The same for every correction of one sentence."""
    text = f"{pair.source} {pair.target} {' '.join(source.split())}"
    return TAUGHT + hashlib.sha256(text.encode()).hexdigest()[:20]
