"""A test set translated by workers, in pieces: texts and words nobody knew, but neither speed nor memory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dragoman.cluster.worker_models import opened_model
from dragoman.cluster.workers import ModelPlace, Workers, ranges
from dragoman.config import DecodeOptions
from dragoman.progress import Progress
from dragoman.translation_job import TranslationJob, Wishes

PIECE_LINES = 16
# Text, words of the source, and those that no rule could translate.
Row = tuple[str, int, int]


def translated_on(
    workers: Workers,
    model: str | Path,
    lines: list[str],
    decode: DecodeOptions,
    weights: Mapping[str, float] | None,
    progress: Progress | None = None,
) -> tuple[list[str], float]:
    """Translations, and the share of unknown words."""
    place = workers.place(Path(model))
    rows: list[Row] = []
    pieces = ranges(len(lines), PIECE_LINES)
    chosen = None if weights is None else dict(weights)
    for _, piece_rows in workers.map(
        translate_piece, pieces, place, chosen, decode, argument=lambda p: lines[slice(*p)]
    ):
        rows += piece_rows
        if progress is not None:
            progress(len(rows), len(lines))
    words = sum(words for _, words, _ in rows)
    return [text for text, _, _ in rows], sum(unknown for _, _, unknown in rows) / max(1, words)


def translate_piece(
    lines: list[str], place: ModelPlace, weights: dict[str, float] | None, decode: DecodeOptions
) -> list[Row]:
    opened = opened_model(place)
    if weights is not None:
        opened = opened.with_weights(weights)
    return [
        (
            translation.text,
            sum(len(sentence.source_tokens) for sentence in translation.sentences),
            sum(len(sentence.oov) for sentence in translation.sentences),
        )
        for translation in TranslationJob(opened, lines, decode, Wishes()).run()
    ]
