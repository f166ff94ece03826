"""From segments to translated segments: in batches, each text once, with a journal so that nothing is done twice."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from dragoman.config import DecodeOptions
from dragoman.document_context import MOST_PAIRS
from dragoman.documents.journal import Journal
from dragoman.documents.projection import Flattened
from dragoman.documents.segment import DocumentLimits, Piece, Segment, has_words, text_of
from dragoman.errors import InputError
from dragoman.glossary import GlossaryLike
from dragoman.progress import Progress
from dragoman.translation import Translation

# Texts translated in one call: enough to keep threads busy, few enough that a stop loses little.
BATCH = 64
# Where each batch keeps to what those before it made of words.
BATCH_IN_CONTEXT = 16


class TextTranslator(Protocol):
    """What documents need of a Translator."""

    def translate(
        self,
        text: list[str],
        options: DecodeOptions | None = None,
        *,
        glossary: GlossaryLike | None = None,
        threads: int = 1,
        context: Sequence[tuple[str, str]] | None = None,
    ) -> list[Translation]: ...


def translate_segments(
    segments: Sequence[Segment],
    translator: TextTranslator,
    *,
    options: DecodeOptions | None = None,
    glossary: GlossaryLike | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    journal: Journal | None = None,
    limits: DocumentLimits | None = None,
    context: Sequence[tuple[str, str]] | None = None,
) -> list[Segment | None]:
    """A translation for each segment; None for those with nothing to translate.

    Where there is a `context`, translations that somebody vouches for, a word becomes what it became there, or in
    earlier segments.
    """
    limits = limits or DocumentLimits()
    if len(segments) > limits.max_segments:
        raise InputError(f"the file holds more than {limits.max_segments:,} texts to translate; split it")
    trimmed = [trim(segment) for segment in segments]
    wanted: dict[Segment, Segment | None] = {}
    for _, core, _ in trimmed:
        if has_words(core):
            wanted.setdefault(core, None)
    if journal is not None:
        for core in wanted:
            wanted[core] = journal.get(core)
    left = [core for core, translation in wanted.items() if translation is None]
    for core in left:
        if sum(len(piece) for piece in core if isinstance(piece, str)) > limits.max_segment_characters:
            raise InputError(
                f"a text of more than {limits.max_segment_characters:,} characters has no end; is the format right?"
            )
    done = len(wanted) - len(left)
    so_far = None if context is None else DocumentSoFar(context)
    for batch in batches(list(wanted), BATCH if so_far is None else BATCH_IN_CONTEXT):
        missing = [core for core in batch if wanted[core] is None]
        if missing and progress is not None:
            progress(done, len(wanted))
        for core, translation in translated(missing, translator, options, glossary, threads, so_far):
            wanted[core] = translation
            if journal is not None:
                journal.put(core, translation)
        done += len(missing)
        if so_far is not None:
            so_far.add((core, wanted[core]) for core in batch)
    if progress is not None:
        progress(len(wanted), len(wanted))
    results: list[Segment | None] = []
    for segment, (before, core, after) in zip(segments, trimmed, strict=True):
        result = wanted.get(core)
        # One that stays as it is must be seen to: then the file's own bytes stay too.
        results.append(None if result is None else segment if result == core else (*before, *result, *after))
    return results


class DocumentSoFar:
    """What somebody vouches for, and as much of what was translated last as there is room for beside it."""

    def __init__(self, confirmed: Sequence[tuple[str, str]]) -> None:
        self._confirmed = list(confirmed[-MOST_PAIRS:])
        self._latest = deque[tuple[str, str]](maxlen=MOST_PAIRS - len(self._confirmed))

    def add(self, segments: Iterable[tuple[Segment, Segment | None]]) -> None:
        self._latest.extend((text_of(core), text_of(translation or ())) for core, translation in segments)

    def context(self) -> list[tuple[str, str]]:
        return [*self._latest, *self._confirmed]


def batches(cores: list[Segment], size: int) -> Iterator[list[Segment]]:
    """Cut by what the document holds, not by what is left of it: a run that goes on finds the same context."""
    return (cores[begin : begin + size] for begin in range(0, len(cores), size))


def translated(
    cores: Sequence[Segment],
    translator: TextTranslator,
    options: DecodeOptions | None,
    glossary: GlossaryLike | None,
    threads: int,
    so_far: DocumentSoFar | None,
) -> Iterator[tuple[Segment, Segment]]:
    if not cores:
        return
    flat = [Flattened(core) for core in cores]
    context = None if so_far is None else so_far.context()
    texts = [line.text for line in flat]
    translations = translator.translate(texts, options, glossary=glossary, threads=threads, context=context)
    for line, translation in zip(flat, translations, strict=True):
        yield line.segment, line.translated(translation)


def trim(segment: Segment) -> tuple[list[Piece], Segment, list[Piece]]:
    """Takes white space off the ends: it stays where it is."""
    pieces = [piece for piece in segment if piece != ""]
    before: list[Piece] = []
    after: list[Piece] = []
    if pieces and isinstance(pieces[0], str):
        bare = pieces[0].lstrip()
        if len(bare) < len(pieces[0]):
            before.append(pieces[0][: len(pieces[0]) - len(bare)])
            pieces[:1] = [bare] if bare else []
    if pieces and isinstance(pieces[-1], str):
        bare = pieces[-1].rstrip()
        if len(bare) < len(pieces[-1]):
            after.append(pieces[-1][len(bare) :])
            pieces[-1:] = [bare] if bare else []
    return before, tuple(pieces), after
