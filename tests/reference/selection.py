"""The gain of every pair at every step of the choice, from scratch: what core/index/selection must follow."""

from __future__ import annotations

import math
from collections import Counter

LONGEST = 3
DISCOUNT = 0.7
GOOD_SHARE = 0.6


def ngrams(line: str) -> set[tuple[str, ...]]:
    words = line.split()
    return {
        tuple(words[begin : begin + length])
        for begin in range(len(words))
        for length in range(1, LONGEST + 1)
        if begin + length <= len(words)
    }


class Gains:
    """What each pair would bring, given those chosen so far."""

    def __init__(
        self,
        source: list[str],
        target: list[str],
        links: list[str],
        wanted: list[str],
        factor: float,
        bytes_of: tuple[float, float, float],
    ) -> None:
        self.features = [ngrams(line) for line in source]
        counts = Counter(ngram for features in self.features for ngram in features)
        raised = {ngram for line in wanted for ngram in ngrams(line)}
        self.worth = {
            ngram: math.sqrt(count - DISCOUNT) * (factor if ngram in raised else 1) for ngram, count in counts.items()
        }
        self.chosen: Counter[tuple[str, ...]] = Counter()
        per_source, per_target, per_pair = bytes_of
        self.cost = []
        self.share = []
        for ours, theirs, pairs in zip(source, target, links, strict=True):
            lengths = len(ours.split()), len(theirs.split())
            self.cost.append(per_pair + per_source * lengths[0] + per_target * lengths[1])
            ends = [link.split("-") for link in pairs.split()]
            linked = len({s for s, _ in ends}) + len({t for _, t in ends})
            self.share.append(min(1.0, linked / max(1, sum(lengths)) / GOOD_SHARE))

    def gain(self, pair: int) -> float:
        brought = sum(self.worth[ngram] / (1 + self.chosen[ngram]) for ngram in self.features[pair])
        return brought * self.share[pair] / self.cost[pair]

    def choose(self, pair: int) -> None:
        self.chosen.update(self.features[pair])
