"""Both sides of a bitext as the pieces that a judge reads."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dragoman import _core
from dragoman.errors import InputError

# Numbers of the reserved pieces; core/judge knows them by the same.
END, BEGIN = 1, 2

Ids = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Side:
    """Sentences one after another: sentence i is ids[begin[i]:begin[i+1]], its end included."""

    ids: Ids
    begin: Places

    @property
    def lengths(self) -> Places:
        return self.begin[1:] - self.begin[:-1]


@dataclass(frozen=True, slots=True)
class PairText:
    """Sentence i of one side is the translation of sentence i of the other."""

    source: Side
    target: Side

    def __len__(self) -> int:
        return len(self.source.begin) - 1


def lines_of(text: _core.IdText) -> bytes:
    """The words of a text, joined by spaces, a sentence a line."""
    pieces: list[bytes] = []
    text.write_lines(pieces.append)
    return b"".join(pieces)


def learn_pieces(texts: list[bytes], size: int) -> list[str]:
    """About so many pieces that the words of these texts are best made of, the reserved ones among them."""
    counts: Counter[bytes] = Counter()
    for text in texts:
        for line in text.split(b"\n"):
            counts.update(line.split(b" "))
    del counts[b""]
    # By falling count and by spelling, so that the order of a text does not matter.
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return _core.learn_pieces([(word.decode(), count) for word, count in ordered], size)


def encode(pieces: list[str], source: bytes, target: bytes) -> PairText:
    known = _core.JudgePieces(pieces)
    sides = []
    for text in (source, target):
        ids, offsets = known.encode_text(text)
        sides.append(Side(np.frombuffer(ids, np.int32), np.frombuffer(offsets, np.int64)))
    pairs = PairText(*sides)
    if len(pairs.source.begin) != len(pairs.target.begin):
        raise InputError(
            f"the source has {len(pairs)} sentences and the target {len(pairs.target.begin) - 1}; they must correspond"
            " line by line"
        )
    return pairs
