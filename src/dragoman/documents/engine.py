"""From segments to translated segments: in batches, each text once, with a journal so that nothing is done twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dragoman.config import DecodeOptions
from dragoman.documents.journal import Journal
from dragoman.documents.projection import Flattened
from dragoman.documents.segment import DocumentLimits, Piece, Segment, has_words
from dragoman.errors import InputError
from dragoman.glossary import GlossaryLike
from dragoman.progress import Progress
from dragoman.translation import Translation

# Texts translated in one call: enough to keep threads busy, few enough that a stop loses little.
BATCH = 64


class TextTranslator(Protocol):
    """What documents need of a Translator."""

    def translate(
        self,
        text: list[str],
        options: DecodeOptions | None = None,
        *,
        glossary: GlossaryLike | None = None,
        threads: int = 1,
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
) -> list[Segment | None]:
    """A translation for each segment; None for those with nothing to translate."""
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
    for begin in range(0, len(left), BATCH):
        if progress is not None:
            progress(done + begin, len(wanted))
        flat = [Flattened(core) for core in left[begin : begin + BATCH]]
        translations = translator.translate([line.text for line in flat], options, glossary=glossary, threads=threads)
        for line, translation in zip(flat, translations, strict=True):
            carried = line.translated(translation)
            wanted[line.segment] = carried
            if journal is not None:
                journal.put(line.segment, carried)
    if progress is not None:
        progress(len(wanted), len(wanted))
    results: list[Segment | None] = []
    for segment, (before, core, after) in zip(segments, trimmed, strict=True):
        result = wanted.get(core)
        # One that stays as it is must be seen to: then the file's own bytes stay too.
        results.append(None if result is None else segment if result == core else (*before, *result, *after))
    return results


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
