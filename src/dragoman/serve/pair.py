"""A direction the server translates in, and what one request sees of it."""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from dragoman.corpus.language_profile import LanguageProfile
from dragoman.errors import ConfigError, DragomanError
from dragoman.learn.memory import MemoryChoice
from dragoman.serve import log
from dragoman.serve.languages import bcp47
from dragoman.translator import Translator


class Pair:
    """One model and the direction it translates in."""

    def __init__(
        self,
        path: Path,
        in_place: bool = False,
        corrections: str | None = None,
        memories: MemoryChoice | None = None,
    ) -> None:
        """`memories` apply where a request names none, as far as the model has them; None for all."""
        self.translator = Translator.load(path, private=not in_place, corrections=corrections).with_choice(memories)
        self.translator.on_reopened(self._note_reopened)
        self.path = path
        self._secret = secrets.token_bytes(16)
        manifest = self.translator.model.manifest
        self.source = bcp47(manifest.source_lang)
        self.target = bcp47(manifest.target_lang)
        if not manifest.source_lang or not manifest.target_lang:
            raise ConfigError(f"{path}: the model does not say its languages; build it with both", "model")

    @property
    def steps(self) -> tuple[Pair, ...]:
        return (self,)

    def _note_reopened(self, error: DragomanError | OSError | None) -> None:
        pair = f"{self.source}-{self.target}"
        if error is None:
            log.event("reopened", pair=pair)
        else:
            log.event("not reopened; goes on with the files it had", pair=pair, why=str(error))

    @property
    def learns(self) -> bool:
        """Whether new pairs can be aligned."""
        return self.translator.model.has("align.bin")

    @property
    def state(self) -> str:
        """Changes with every lesson, also of other programs: whoever keeps translations knows when they are old.

        It says nothing else, and is another in another process.
        """
        return hashlib.blake2b(self.translator.overlay.state().encode(), digest_size=12, key=self._secret).hexdigest()

    def profile(self, code: str) -> LanguageProfile:
        """What the model knows of one of its two languages."""
        side = "source" if code == self.source else "target"
        return LanguageProfile.read(code, self.translator.model.file("vocab.bin"), side)


class ThroughPair:
    """A direction that two models translate together: the second goes on with what the first wrote."""

    # A lesson would have to say what belongs between the two.
    learns = False

    def __init__(self, first: Pair, second: Pair) -> None:
        self.steps: tuple[Pair, ...] = (first, second)
        self.source = first.source
        self.middle = first.target
        self.target = second.target

    @property
    def languages(self) -> list[str]:
        return [self.source, self.middle, self.target]

    @property
    def state(self) -> str:
        """Changes when either model learns."""
        return "-".join(step.state for step in self.steps)


Direction = Pair | ThroughPair


def through_pairs(pairs: Mapping[tuple[str, str], Pair]) -> Iterator[ThroughPair]:
    """Directions that no model has by itself and two have together, by the first two that do."""
    directions = set(pairs)
    for first in pairs.values():
        for second in pairs.values():
            direction = (first.source, second.target)
            if first.target == second.source and first.source != second.target and direction not in directions:
                directions.add(direction)
                yield ThroughPair(first, second)


class View:
    """A pair as one request sees it from its first piece of work to its last, whatever is taught meanwhile."""

    def __init__(self, pair: Pair, memories: MemoryChoice | None = None) -> None:
        """With these memories, or with those that apply where nobody names any."""
        self.pair = pair
        self._memories = memories
        # A lesson that comes just after this look makes the answer seem older than it is, never newer.
        self.state = pair.state
        self._translator: Translator | None = None
        self._lock = threading.Lock()

    @property
    def translator(self) -> Translator:
        """For the threads that translate: after a compaction the model may have to be opened again here."""
        with self._lock:
            if self._translator is None:
                now = self.pair.translator.snapshot()
                self._translator = now if self._memories is None else now.with_choice(self._memories)
            return self._translator


def views_of(direction: Direction, memories: MemoryChoice | None = None) -> list[View]:
    """What a request sees of each step."""
    return [View(pair, memories) for pair in direction.steps]
