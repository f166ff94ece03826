"""Links of an added pair that let the whole pair be a rule.

A phrase pair is extracted only if its outer words are linked. In a corpus that costs little, but of a correction people
expect that its own sentence comes out right the next time, and the words the aligner cannot link are just the new ones.
So words that neither side has a partner for are linked with each other where there are as many of them on both sides,
and a first or last word that is alone yet shares its neighbour's partner.
"""

from __future__ import annotations

from collections.abc import Iterable


def covering(links: Iterable[tuple[int, int]], source_words: int, target_words: int) -> list[tuple[int, int]]:
    """The links of the aligner and those that are missing; all to all where there were none."""
    found = set(links)
    alone_source = [i for i in range(source_words) if all(i != source for source, _ in found)]
    alone_target = [j for j in range(target_words) if all(j != target for _, target in found)]
    if len(alone_source) == len(alone_target):
        found |= set(zip(alone_source, alone_target, strict=True))
    if not found:
        return [(i, j) for i in range(source_words) for j in range(target_words)]
    more = set()
    for edge in (0, source_words - 1):
        nearest = min((source for source, _ in found), key=lambda source: (abs(source - edge), source))
        more |= {(edge, target) for source, target in found if source == nearest}
    for edge in (0, target_words - 1):
        nearest = min((target for _, target in found), key=lambda target: (abs(target - edge), target))
        more |= {(source, edge) for source, target in found if target == nearest}
    return sorted(found | more)
