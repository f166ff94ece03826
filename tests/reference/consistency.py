"""How far a translation keeps to what a document made of its words before: slow, and nothing but the definition."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence

Links = Iterable[tuple[int, int]]
BEGINNING = 5


def choice(at: int, target: Sequence[str], links: Links, passed_over: Collection[str]) -> tuple[str, ...]:
    """The beginnings of the words that a source position is linked to, common ones left out."""
    return tuple(target[j][:BEGINNING] for i, j in sorted(links) if i == at and target[j] not in passed_over)


class Memory:
    """`source_common` and `target_common` are words that do not count."""

    def __init__(self, source_common: Collection[str], target_common: Collection[str]) -> None:
        self.common = source_common, target_common
        self.choices: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)

    def add(self, source: Sequence[str], target: Sequence[str], links: Links) -> None:
        for at, word in enumerate(source):
            made = choice(at, target, list(links), self.common[1])
            if word not in self.common[0] and made:
                self.choices[word][made] += 1

    def agreement(self, source: Sequence[str], target: Sequence[str], links: Links) -> float:
        total = 0.0
        for at, word in enumerate(source):
            if word in self.choices:
                before = self.choices[word]
                total += before[choice(at, target, list(links), self.common[1])] / before.total()
        return total
