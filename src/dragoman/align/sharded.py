"""Training an aligner on workers: each step is statistics of shards, summed here in whole numbers, and a step of
learning; then shards are linked. They are the shards that threads of one process work on, so the result is the same."""

from __future__ import annotations

from dragoman import _core
from dragoman.align.core_arguments import core_arguments
from dragoman.cluster.workers import Workers, ranges
from dragoman.config import AlignOptions
from dragoman.progress import Progress

# Into so many pieces a step is cut, if there are as many shards: enough for as many workers.
PIECES = 64
Trained = tuple[_core.AlignmentModel | None, _core.StoredLinks, list[float]]


def train_on(
    workers: Workers,
    source: _core.IdText | bytes | str,
    target: _core.IdText | bytes | str,
    options: AlignOptions,
    keep_model: bool = True,
    progress: Progress | None = None,
    shard_cells: int = 0,
    scratch: _core.ScratchSpace | None = None,
) -> Trained:
    """What `_core.train_alignment` gives; the word pairs are found in this process, with its threads."""
    training = _core.AlignmentTraining(source, target, *core_arguments(options), progress, shard_cells, scratch)
    pairs = workers.hold(training.pairs())
    pieces = pieces_of(training)
    # Every step needs the same text again.
    texts = {piece: workers.hold(training.text(*piece)) for piece in pieces} if training.learning else {}
    total = training.steps * training.shards
    done = 0
    while training.learning:
        step = workers.hold(training.step())
        for piece, statistics in workers.map(statistics_of, pieces, pairs, step, argument=texts.__getitem__):
            training.add(statistics)
            done += piece[1] - piece[0]
            if progress is not None:
                progress(done, total)
        training.finish_step()
    texts.clear()
    step = workers.hold(training.step())
    how = options.decoding, options.symmetrize
    for _, links in workers.map(
        links_of, pieces_of(training), pairs, step, *how, argument=lambda piece: training.text(*piece)
    ):
        training.add(links)
    return training.finish(keep_model)


def pieces_of(training: _core.AlignmentTraining) -> list[tuple[int, int]]:
    """Shards that go together; those that are linked are others than those that are learned from."""
    return ranges(training.shards, -(-training.shards // PIECES) or 1)


def statistics_of(text: bytes, pairs: bytes, step: bytes) -> bytes:
    return _core.alignment_statistics(pairs, step, text)


def links_of(text: bytes, pairs: bytes, step: bytes, decoding: str, symmetrize: str) -> bytes:
    return _core.alignment_links(pairs, step, text, decoding, symmetrize)
