"""Where words stand in a class-factored output layer: class by class, so that a class is one slice of the weights.

Classes are numbered by falling size (`_core.classes_by_size`), so words sorted by class are also sorted by the size of
their class, and classes of like size can be handled together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor


@dataclass(slots=True)
class ClassLayout:
    """Slots are the places of words in the output layer: class c has the slots class_begin[c] to class_begin[c + 1]."""

    class_of_word: Tensor  # by word id; -1 for ids that are never predicted
    slot_of_word: Tensor  # by word id; -1 likewise
    word_of_slot: Tensor
    class_begin: list[int]
    class_counts: Tensor
    slot_counts: Tensor

    @property
    def classes(self) -> int:
        return len(self.class_begin) - 1

    @property
    def slots(self) -> int:
        return len(self.word_of_slot)

    def to(self, device: torch.device) -> ClassLayout:
        return ClassLayout(
            self.class_of_word.to(device),
            self.slot_of_word.to(device),
            self.word_of_slot.to(device),
            self.class_begin,
            self.class_counts.to(device),
            self.slot_counts.to(device),
        )


def lay_out(class_of_word: npt.NDArray[np.int32], counts: npt.NDArray[np.int64]) -> ClassLayout:
    """`class_of_word` and `counts` are by word id; classes have no gaps. The order is that of the core."""
    predicted = np.flatnonzero(class_of_word >= 0)
    words = predicted[np.argsort(class_of_word[predicted], kind="stable")]
    begin = np.searchsorted(class_of_word[words], np.arange(class_of_word.max() + 2))
    slot_of_word = np.full(len(class_of_word), -1, np.int64)
    slot_of_word[words] = np.arange(len(words))
    # A word that was not counted may still come: it gets half the weight of a word seen once.
    slot_counts = np.maximum(counts[words].astype(np.float64), 0.5)
    class_counts = np.add.reduceat(slot_counts, begin[:-1])
    return ClassLayout(
        torch.from_numpy(class_of_word.astype(np.int64)),
        torch.from_numpy(slot_of_word),
        torch.from_numpy(words.astype(np.int64)),
        begin.tolist(),
        torch.from_numpy(class_counts).float(),
        torch.from_numpy(slot_counts).float(),
    )
