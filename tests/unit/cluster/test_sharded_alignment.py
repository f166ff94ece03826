"""Shards of an alignment that are worked on elsewhere give the bytes of one process, in pieces of any size."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman import _core
from dragoman.align import sharded
from dragoman.align.sharded import train_on
from dragoman.cluster.workers import Here, ranges
from dragoman.config import AlignOptions
from dragoman.errors import FormatError
from tests.unit.cluster.invented_text import write_pairs


class Saved:
    def __init__(self, folder: Path, trained: sharded.Trained) -> None:
        model, links, self.log_likelihoods = trained
        assert model is not None
        model.save(str(folder / "align.bin"))
        links.save(str(folder / "links.bin"))
        self.bytes = [(folder / name).read_bytes() for name in ("align.bin", "links.bin")]


@pytest.mark.parametrize("model", ["ibm1", "diagonal", "hmm", "agreement"])
@pytest.mark.parametrize("pieces", [1, 3, 64])
def test_equal_to_one_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, pieces: int) -> None:
    source, target = map(str, write_pairs(tmp_path, 300))
    options = AlignOptions(model=model, threads=2)
    monkeypatch.setattr(sharded, "PIECES", pieces)
    found = Saved(tmp_path, train_on(Here(), source, target, options, shard_cells=5000))
    # One shard or many: the sums of shards may differ in their last bits, so the same shards are compared.
    training = _core.AlignmentTraining(
        source, target, model, "classes", 4, 4, 0.05, options.decoding, options.symmetrize, 1, None, 5000
    )
    assert training.shards > 3
    whole = Saved(tmp_path, train_whole(training, options))
    assert found.bytes == whole.bytes and found.log_likelihoods == whole.log_likelihoods
    if pieces == 1:
        usual = _core.train_alignment(
            source, target, model, "classes", 4, 4, 0.05, options.decoding, options.symmetrize, 1
        )
        again = Saved(tmp_path, train_on(Here(), source, target, options))
        assert again.bytes == Saved(tmp_path, usual).bytes and again.log_likelihoods == usual[2]


def train_whole(training: _core.AlignmentTraining, options: AlignOptions) -> sharded.Trained:
    """All shards at once, and no two pieces to merge."""
    pairs = training.pairs()
    while training.learning:
        training.add(_core.alignment_statistics(pairs, training.step(), training.text(0, training.shards), 2))
        training.finish_step()
    text = training.text(0, training.shards)
    training.add(_core.alignment_links(pairs, training.step(), text, options.decoding, options.symmetrize))
    return training.finish()


def test_damaged_messages_are_refused(tmp_path: Path) -> None:
    source, target = map(str, write_pairs(tmp_path, 50))
    training = _core.AlignmentTraining(
        source, target, "hmm", "classes", 4, 4, 0.05, "posterior", "grow-diag-final-and", 1
    )
    messages = [training.pairs(), training.step(), training.text(0, 1)]
    for number, message in enumerate(messages):
        for damaged in (message[:-1], message[: len(message) // 2] + b"\xff" + message[len(message) // 2 + 1 :], b""):
            if damaged == message:
                continue
            given = [*messages[:number], damaged, *messages[number + 1 :]]
            with pytest.raises(FormatError):
                _core.alignment_statistics(*given)
    with pytest.raises(FormatError):
        training.add(messages[0])


def test_ranges_hold_everything_once() -> None:
    for items in range(20):
        for size in range(1, 7):
            found = ranges(items, size)
            assert [at for first, last in found for at in range(first, last)] == list(range(items))
