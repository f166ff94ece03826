"""Brown clustering by trying everything: before each merge, the mutual information that every pair would leave.

Information is counted as the core counts it, n ln n rounded to units of 2^-20, so that ties are ties here and there.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence

BOUNDARY = 3


def information(count: int) -> int:
    return round(count * math.log(count) * 2**20) if count > 1 else 0


def counted(sentences: Sequence[Sequence[int]]) -> tuple[Counter[tuple[int, int]], Counter[int]]:
    """Neighbours and words. The end of a sentence is a word."""
    bigrams: Counter[tuple[int, int]] = Counter()
    counts: Counter[int] = Counter()
    for sentence in sentences:
        words = [*sentence, BOUNDARY]
        counts.update(words)
        bigrams.update(itertools.pairwise([BOUNDARY, *words]))
    return bigrams, counts


def brown_classes(sentences: Sequence[Sequence[int]], classes: int) -> list[set[int]]:
    """Classes of the words that occur, those with the most frequent words first."""
    bigrams, counts = counted(sentences)
    order = sorted(counts, key=lambda word: (-counts[word], word))
    groups: list[set[int]] = []
    for word in order:
        groups.append({word})
        if len(groups) > classes:
            merge_two(groups, bigrams, counts)
    return sorted(groups, key=lambda group: min(order.index(word) for word in group))


def merge_on(sentences: Sequence[Sequence[int]], start: Sequence[set[int]]) -> list[set[int]]:
    """What merging these classes until one is left makes, step by step."""
    bigrams, counts = counted(sentences)
    groups = [set(group) for group in start]
    return [set(merge_two(groups, bigrams, counts)) for _ in range(len(groups) - 1)]


def merge_two(groups: list[set[int]], bigrams: Counter[tuple[int, int]], counts: Counter[int]) -> set[int]:
    """Makes one of the two that lose least, and gives it."""
    place = {word: number for number, word in enumerate(sorted(counts, key=lambda word: (-counts[word], word)))}
    pairs = itertools.combinations(range(len(groups)), 2)
    best = max(pairs, key=lambda pair: (left_by(groups, pair, bigrams, counts), *places(groups, pair, place)))
    groups[best[0]] |= groups.pop(best[1])
    return groups[best[0]]


def places(groups: list[set[int]], pair: tuple[int, int], place: dict[int, int]) -> tuple[int, int]:
    """Among equals, the pair with the most frequent words wins."""
    first, second = sorted(min(place[word] for word in groups[each]) for each in pair)
    return -first, -second


def left_by(
    groups: list[set[int]], pair: tuple[int, int], bigrams: Counter[tuple[int, int]], counts: Counter[int]
) -> int:
    """Mutual information after the merge of a pair, but for what no merge changes."""
    of = {}
    for number, group in enumerate(groups):
        for word in group:
            of[word] = pair[0] if number == pair[1] else number
    pairs: Counter[tuple[int, int]] = Counter()
    for (left, right), count in bigrams.items():
        if left in of and right in of:
            pairs[of[left], of[right]] += count
    totals: Counter[int] = Counter()
    for word, group in of.items():
        totals[group] += counts[word]
    return sum(map(information, pairs.values())) - 2 * sum(map(information, totals.values()))
