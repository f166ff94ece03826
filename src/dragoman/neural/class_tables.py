"""What both factors of a class-factored layer know of classes and words: where they stand and how often they come."""

from __future__ import annotations

import torch

from dragoman.neural.class_layout import ClassLayout
from dragoman.neural.output import Method


class ClassTables:
    def __init__(self, layout: ClassLayout, method: Method) -> None:
        self.layout = layout
        self.method = method
        device = layout.class_of_word.device
        self.class_begin = torch.tensor(layout.class_begin, device=device)
        self.class_size = self.class_begin[1:] - self.class_begin[:-1]
        self.log_class = (layout.class_counts / layout.class_counts.sum()).log()
        of_slot = layout.class_of_word[layout.word_of_slot]
        self.log_in_class = (layout.slot_counts / layout.class_counts[of_slot]).log()
        # Double precision, because the running sum over a vocabulary outgrows a float's digits.
        self.running = torch.cat([torch.zeros(1, dtype=torch.float64), layout.slot_counts.double().cpu().cumsum(0)]).to(
            device
        )
