"""The pairs nearest to a text: the edit distance to every one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Words = tuple[str, ...]


@dataclass(frozen=True)
class StoredPair:
    source: Words
    target: Words
    correction: bool = False


def distance(left: Sequence[str], right: Sequence[str]) -> int:
    table = {(i, j): i + j for i in range(len(left) + 1) for j in range(len(right) + 1) if i == 0 or j == 0}
    for i, one in enumerate(left, start=1):
        for j, other in enumerate(right, start=1):
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (one != other))
    return table[len(left), len(right)]


def nearest(
    text: Sequence[str], pairs: Mapping[int, StoredPair], most: int, at_least: int
) -> list[tuple[int, int, int, list[int]]]:
    """Stable id, distance, words of the longer side and further pairs of the same words of each, best first."""
    found = []
    for stable_id, pair in pairs.items():
        edits, words = distance(text, pair.source), max(len(text), len(pair.source))
        if 100 * (words - edits) >= at_least * words:
            found.append((Fraction(edits, words), not pair.correction, stable_id, edits, words))
    alike: dict[tuple[Words, Words], list[tuple[int, int, int]]] = {}
    for _, _, stable_id, edits, words in sorted(found):
        alike.setdefault((pairs[stable_id].source, pairs[stable_id].target), []).append((stable_id, edits, words))
    return [(*same[0], [stable_id for stable_id, _, _ in same[1:]]) for same in alike.values()][:most]
