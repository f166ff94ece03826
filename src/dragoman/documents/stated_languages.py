"""What a file says of its languages, and whether a model may translate it.

A file that names other languages than the model's was meant for another model: its translations would be marked as what
they are not. A format that can say so has `stated`; one that cannot is taken as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from dragoman.corpus.language_names import language_name
from dragoman.corpus.languages import contradict
from dragoman.documents.segment import Document
from dragoman.errors import InputError, excerpt


@dataclass(frozen=True, slots=True)
class StatedLanguages:
    """Codes as the file writes them; empty where it says nothing."""

    source: str = ""
    target: str = ""

    def __str__(self) -> str:
        parts = [("from", self.source), ("into", self.target)]
        return " ".join(f"{word} {language_name(excerpt(code))} ({excerpt(code)})" for word, code in parts if code)


@runtime_checkable
class StatesLanguages(Protocol):
    """A document that says which languages it is translated between; a file of several parts may say it of each."""

    @property
    def stated(self) -> Sequence[StatedLanguages]: ...


def require_languages(document: Document, name: str, source_lang: str, target_lang: str) -> None:
    """InputError where the file names a language that the model's contradicts."""
    for stated in document.stated if isinstance(document, StatesLanguages) else ():
        if contradict(stated.source, source_lang) or contradict(stated.target, target_lang):
            model = StatedLanguages(source_lang, target_lang)
            raise InputError(
                f"{name}: is to be translated {stated}, but the model translates {model}; use another model, or force"
                " it (--force) if the file is mistaken"
            )
