"""Alignment error rate against gold links (Och and Ney 2003): precision over possible links, recall over sure ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.align.links import Links
from dragoman.errors import InputError


@dataclass(frozen=True, slots=True)
class Score:
    """Counts that add up over sentences; the rates follow from them."""

    links: int = 0
    sure: int = 0
    links_in_sure: int = 0
    links_in_possible: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(
            self.links + other.links,
            self.sure + other.sure,
            self.links_in_sure + other.links_in_sure,
            self.links_in_possible + other.links_in_possible,
        )

    @property
    def precision(self) -> float:
        return self.links_in_possible / self.links if self.links else 1.0

    @property
    def recall(self) -> float:
        return self.links_in_sure / self.sure if self.sure else 1.0

    @property
    def aer(self) -> float:
        total = self.links + self.sure
        return 1 - (self.links_in_sure + self.links_in_possible) / total if total else 0.0


def score_sentence(links: Links, sure: Links, possible: Links) -> Score:
    proposed, certain = set(links), set(sure)
    return Score(len(proposed), len(certain), len(proposed & certain), len(proposed & (certain | set(possible))))


def score(links: Sequence[Links], sure: Sequence[Links], possible: Sequence[Links] | None = None) -> Score:
    """Sure links count as possible, whether `possible` repeats them or not."""
    possible = sure if possible is None else possible
    if not len(links) == len(sure) == len(possible):
        raise InputError(
            f"there are {len(links)} lines of links, {len(sure)} of gold and {len(possible)} of possible links; "
            "all need one line per sentence pair"
        )
    total = Score()
    for proposed, certain, maybe in zip(links, sure, possible, strict=True):
        total += score_sentence(proposed, certain, maybe)
    return total
