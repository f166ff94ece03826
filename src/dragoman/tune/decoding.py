"""The set to tune on, decoded with some weights: by threads of this process, or in pieces by workers elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman import _core
from dragoman.cluster.worker_models import opened_model
from dragoman.cluster.workers import ModelPlace, Workers, ranges
from dragoman.model.opened import OpenedModel
from dragoman.progress import Progress

# Candidates, statistics of the best ones, and searches that were cut short.
Decoded = tuple[_core.Candidates, Sequence[int], int]
Decoder = Callable[[dict[str, float]], Decoded]
# Lines that workers decode as one piece.
PIECE_LINES = 8


@dataclass(frozen=True, slots=True)
class DevSet:
    """Lines and their references, and what is asked of them."""

    source: list[str]
    target: list[str]
    further: list[list[str]]  # more references of the same lines
    options: dict[str, Any]  # of the search
    features: list[str]
    tokenize: str

    def decoded(self, opened: OpenedModel, threads: int, progress: Progress | None) -> Decoded:
        return _core.collect_candidates(
            opened.core,
            self.source,
            self.target,
            self.further,
            self.options,
            self.features,
            True,
            self.tokenize,
            threads,
            progress,
        )

    def piece(self, lines: tuple[int, int]) -> DevSet:
        part = slice(*lines)
        further = [text[part] for text in self.further]
        return DevSet(self.source[part], self.target[part], further, self.options, self.features, self.tokenize)


def decoder_here(dev: DevSet, opened: OpenedModel, threads: int, progress: Progress | None) -> Decoder:
    return lambda weights: dev.decoded(opened.with_weights(weights), threads, progress)


def decoder_on(workers: Workers, dev: DevSet, model: Path, rule_bytes: int, progress: Progress | None) -> Decoder:
    """Pieces come back in their order, so candidates stand as if one process had made them."""
    place = workers.place(model)

    def decode(weights: dict[str, float]) -> Decoded:
        lines = len(dev.source)
        pieces: list[tuple[_core.Candidates, Sequence[int], int]] = []
        more = place, weights, rule_bytes
        for (first, last), (packed, sums, narrowed) in workers.map(
            decode_piece, ranges(lines, PIECE_LINES), *more, argument=dev.piece
        ):
            candidates = _core.Candidates.parse(packed)
            pieces.append((candidates, sums, narrowed))
            if first:
                pieces[0][0].append(candidates, first)
            if progress is not None:
                progress(last, lines)
        columns = zip(*(sums for _, sums, _ in pieces), strict=True)
        return pieces[0][0], [sum(column) for column in columns], sum(narrowed for _, _, narrowed in pieces)

    return decode


def decode_piece(
    dev: DevSet, place: ModelPlace, weights: dict[str, float], rule_bytes: int
) -> tuple[bytes, Sequence[int], int]:
    candidates, sums, narrowed = dev.decoded(opened_model(place, rule_bytes).with_weights(weights), 1, None)
    return candidates.pack(), sums, narrowed
