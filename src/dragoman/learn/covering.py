"""Links of an added pair that let the whole pair be a rule.

A phrase pair is extracted only if its outer words are linked. In a corpus that costs little, but of a correction people
expect that its own sentence comes out right the next time, and the words the aligner cannot link are just the new ones.
So words that neither side has a partner for are linked with each other where there are as many of them on both sides,
and a first or last word that is alone yet shares its neighbour's partner. Time and links grow with the words of the
pair, not with their product.
"""

from __future__ import annotations

from collections.abc import Iterable


def covering(links: Iterable[tuple[int, int]], source_words: int, target_words: int) -> list[tuple[int, int]]:
    """The links of the aligner and those that are missing; a staircase where there were none."""
    found = set(links)
    known_source, known_target = {i for i, _ in found}, {j for _, j in found}
    alone_source = [i for i in range(source_words) if i not in known_source]
    alone_target = [j for j in range(target_words) if j not in known_target]
    if len(alone_source) == len(alone_target):
        found |= set(zip(alone_source, alone_target, strict=True))
        known_source.update(alone_source)
        known_target.update(alone_target)
    if not found:
        return staircase(source_words, target_words)
    # An outer word that is alone has the partners of the linked word nearest to it.
    nearest_source = ((min(known_source), 0), (max(known_source), source_words - 1))
    nearest_target = ((min(known_target), 0), (max(known_target), target_words - 1))
    more = {(edge, j) for i, j in found for nearest, edge in nearest_source if i == nearest}
    more |= {(i, edge) for i, j in found for nearest, edge in nearest_target if j == nearest}
    return sorted(found | more)


def staircase(source_words: int, target_words: int) -> list[tuple[int, int]]:
    """Links along the diagonal, each of which shares a word with the next.

    As with links from every word to every other, no part of the pair can be a rule without the rest of it.
    """
    i = j = 0
    steps = [(0, 0)]
    while (i, j) != (source_words - 1, target_words - 1):
        if (i + 1) * target_words <= (j + 1) * source_words:
            i += 1
        else:
            j += 1
        steps.append((i, j))
    return steps
