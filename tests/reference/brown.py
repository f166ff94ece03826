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


def brown_classes(sentences: Sequence[Sequence[int]], classes: int) -> list[set[int]]:
    """Classes of the words that occur, those with the most frequent words first. The end of a sentence is a word."""
    bigrams: Counter[tuple[int, int]] = Counter()
    counts: Counter[int] = Counter()
    for sentence in sentences:
        words = [*sentence, BOUNDARY]
        counts.update(words)
        bigrams.update(itertools.pairwise([BOUNDARY, *words]))
    order = sorted(counts, key=lambda word: (-counts[word], word))
    place = {word: number for number, word in enumerate(order)}
    made: list[set[int]] = []
    for word in order:
        made.append({word})
        if len(made) > classes:
            pairs = itertools.combinations(range(len(made)), 2)
            best = max(pairs, key=lambda pair: (left_by(made, pair, bigrams, counts), *places(made, pair, place)))
            made[best[0]] |= made.pop(best[1])
    return sorted(made, key=lambda group: min(place[word] for word in group))


def places(made: list[set[int]], pair: tuple[int, int], place: dict[int, int]) -> tuple[int, int]:
    """Among equals, the pair with the most frequent words wins."""
    first, second = sorted(min(place[word] for word in made[each]) for each in pair)
    return -first, -second


def left_by(
    made: list[set[int]], pair: tuple[int, int], bigrams: Counter[tuple[int, int]], counts: Counter[int]
) -> int:
    """Mutual information after the merge of a pair, but for what no merge changes."""
    of = {}
    for number, group in enumerate(made):
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
