"""New words of a pair that are spelled alike on both sides: names, numbers, codes, and what languages have in common.

Nobody has seen them, so spelling is all that says what belongs together: equal words, or ones that begin alike, for at
least four letters and half of the longer word, accents aside. A word has one partner at most, the one that is most like
it, and the nearest of several; of many that begin alike the first are compared.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Collection, Sequence

Link = tuple[int, int]
LEAST_LETTERS = 4
LEAST_SHARE = 0.5
# So many words are compared with another one, however many begin as it does.
MOST_COMPARED = 20


def cognates(source: Sequence[str], target: Sequence[str], new: Collection[int], taken: Collection[int]) -> set[Link]:
    """Links between new words of the source and words of the target that nobody has taken."""
    theirs = {j: plain(word) for j, word in enumerate(target) if j not in taken}
    beginnings: dict[str, list[int]] = defaultdict(list)
    for j, word in theirs.items():
        beginnings[word[:LEAST_LETTERS]].append(j)
    ranked = []
    for i in sorted(new):
        word = plain(source[i])
        for j in beginnings[word[:LEAST_LETTERS]][:MOST_COMPARED]:
            share = alike(word, theirs[j])
            if share >= LEAST_SHARE:
                ranked.append((-share, abs(i * len(target) - j * len(source)), i, j))
    links: set[Link] = set()
    sources, targets = set[int](), set[int]()
    for _, _, i, j in sorted(ranked):
        if i not in sources and j not in targets:
            links.add((i, j))
            sources.add(i)
            targets.add(j)
    return links


def plain(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word.lower())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def alike(word: str, other: str) -> float:
    """The share of the longer word that both begin with; 0 where that is too short to say something."""
    if word == other:
        return 1.0
    same = next((at for at, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    return same / max(len(word), len(other)) if same >= LEAST_LETTERS and word[:same].isalpha() else 0.0
