"""A text of the core on a device, cut into batches by position.

The core keeps each sentence between its two marks. What is looked for beyond a mark is that mark, as often as needed.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from dragoman.neural.batch import Batch

# What is no word of the text has ids of its own; 0 is nothing at all.
UNKNOWN, BEGIN, END, FIRST_WORD = 1, 2, 3, 4


class Feed:
    def __init__(
        self, stream: tuple[memoryview, memoryview, memoryview], order: int, window: int, device: torch.device
    ) -> None:
        """`stream` has ids, source ids and centres, the last two empty where no source is read."""

        def on_device(numbers: memoryview) -> Tensor:
            return torch.from_numpy(np.array(memoryview(numbers).cast("i"), np.int32)).to(device)

        self.ids, self.source_ids, self.centres = map(on_device, stream)
        self.positions = (self.ids != BEGIN).nonzero().view(-1)
        self.back = torch.arange(1, order, device=device)
        self.aside = torch.arange(1, window + 1, device=device)

    def batch(self, positions: Tensor) -> Batch:
        at = positions.unsqueeze(1)
        contexts = repeated(self.ids[(at - self.back).clamp(min=0)].long(), BEGIN)
        sources = None
        if len(self.centres):
            centre = self.centres[positions].long().unsqueeze(1)
            left = self.source_ids[(centre - self.aside).clamp(min=0)].long()
            right = self.source_ids[torch.cat([centre, centre + self.aside], 1).clamp(max=len(self.source_ids) - 1)]
            sources = torch.cat([repeated(left, BEGIN).flip(1), repeated(right.long(), END)], 1)
        return Batch(self.ids[positions].long(), contexts, sources)


def repeated(words: Tensor, mark: int) -> Tensor:
    """The mark from where it first comes on."""
    return words.masked_fill((words == mark).cumsum(1) > 0, mark)
