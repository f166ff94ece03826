"""Going on with a translation that somebody has begun to type."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.config import DecodeOptions
from dragoman.glossary import Glossary
from dragoman.model.opened import OpenedModel
from dragoman.progress import Progress
from dragoman.translation_job import TranslationJob, Wishes, checked, core_options


@dataclass(frozen=True, slots=True)
class Completion:
    """One way to go on: `rest` is to be put behind what was typed. `str` of it is the whole translation."""

    prefix: str
    rest: str

    def __str__(self) -> str:
        return self.prefix + self.rest

    @property
    def next_words(self) -> str:
        """The rest of the word at hand, or the next word: what one press of a key accepts."""
        space = len(self.rest) - len(self.rest.lstrip())
        word = self.rest[space:].split(maxsplit=1)
        return self.rest[: space + len(word[0])] if word else ""


def completions(
    opened: OpenedModel,
    source: str,
    prefix: str,
    most: int,
    options: DecodeOptions | None = None,
    glossary: Glossary | None = None,
    progress: Progress | None = None,
) -> list[Completion]:
    """At most so many, best first. Of several lines, the one that is being typed is searched for."""
    lines = [checked(line, number) for number, line in enumerate(source.split("\n"), start=1)]
    typed = checked(prefix, 1).split("\n")
    number = min(len(typed), len(lines)) - 1
    # What was typed beyond the last line of the source belongs to that.
    begun = " ".join(typed[number:])
    given = core_options(opened, options, nbest=most)
    terms = glossary.encoded() if glossary is not None else b""
    later = ""
    if number + 1 < len(lines):
        wishes = Wishes(glossary=glossary)
        translated = TranslationJob(opened, ["\n".join(lines[number + 1 :])], options, wishes).run(1, progress)
        later = f"\n{translated[0].text}"
    rests = opened.core.complete(lines[number], begun, given, terms, progress)
    return [Completion(prefix, rest + later) for rest in rests]
