"""What counts as right, for learning confidence and for measuring it.

A sentence is as right as its chrF2 says, between 0 and 1: F-score of character n-grams up to 6, recall weighing twice
(Popović 2015), white space left out. A word is right if the reference holds it too, as the model writes words, each
word of the reference standing for one word of the translation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

ORDER = 6
BETA = 2.0


def chrf(hypothesis: str, reference: str) -> float:
    """Sentence-level chrF2, 0 to 1, as sacreBLEU has it: orders that one side is too short for do not count."""
    ours, theirs = "".join(hypothesis.split()), "".join(reference.split())
    precision = recall = 0.0
    orders = 0
    for order in range(1, ORDER + 1):
        mine, its = ngrams(ours, order), ngrams(theirs, order)
        total, wanted = sum(mine.values()), sum(its.values())
        if total and wanted:
            both = sum((mine & its).values())
            precision += both / total
            recall += both / wanted
            orders += 1
    if not precision or not recall:
        return 0.0
    precision, recall = precision / orders, recall / orders
    return (1 + BETA**2) * precision * recall / (BETA**2 * precision + recall)


def ngrams(text: str, order: int) -> Counter[str]:
    return Counter(text[at : at + order] for at in range(len(text) - order + 1))


def right_words(words: Sequence[str], reference: Sequence[str]) -> list[bool]:
    """For each word of a translation, whether the reference has it to match."""
    left = Counter(reference)
    right = []
    for word in words:
        right.append(left[word] > 0)
        left[word] -= 1
    return right
