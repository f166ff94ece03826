"""A word on standard error when the text is in the wrong language: once, whatever comes after."""

from __future__ import annotations

from collections.abc import Iterable

from dragoman.cli.progress import stderr
from dragoman.corpus.recognizer import MOST_CHARACTERS
from dragoman.translator import Translator


class LanguageWatch:
    """Looks at what is translated, from the first line on, until it has said something or seen enough."""

    def __init__(self, translator: Translator) -> None:
        self._translator = translator
        self._seen: list[str] = []
        self._characters = 0
        # A line by itself may be a quotation, so all are looked at together; each time there is twice as much.
        self._next_look = 1

    def see(self, texts: Iterable[str]) -> None:
        if self._next_look > MOST_CHARACTERS:
            return
        for text in texts:
            self._seen.append(text)
            self._characters += len(text)
        if self._characters < self._next_look:
            return
        self._next_look = 2 * self._characters
        if doubt := self._translator.doubt(self._seen):
            stderr.print(f"note: the text {doubt}, which {self._translator.model.path} translates from", soft_wrap=True)
            self._next_look = MOST_CHARACTERS + 1
