"""Links of an added pair that let its new words be rules, and the whole pair too.

A phrase pair is extracted only if its outer words are linked. In a corpus that costs little, but of a correction people
expect that its own sentence comes out right the next time and its new words everywhere, and the words that the aligner
cannot link are just the new ones. So of its links those count that it has evidence for; what then stands between two
linked words of the source, and between their partners in the target, is linked as a block: no part of a block is a rule
without the rest of it. A first or last word that is alone shares its neighbour's partner. Time and links grow with the
words of the pair, not with their product.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from dragoman.align import KnownSide

Link = tuple[int, int]
# So far a word may lie from what explains it.
NEAR = 10


def covering(
    links: Iterable[Link], source: KnownSide, target: KnownSide, evident: Callable[[int, int], bool]
) -> list[Link]:
    """The links of the aligner and those that are missing; one block where there were none.

    `evident` says whether the aligner has seen a source and a target word as translations of each other.
    """
    all_links = with_new_words(plausible(set(links), source, target, evident), source, target, evident)
    known_source, known_target = {i for i, _ in all_links}, {j for _, j in all_links}
    alone_source = [i for i in range(source.words) if i not in known_source]
    alone_target = [j for j in range(target.words) if j not in known_target]
    if len(alone_source) == len(alone_target):
        all_links.update(zip(alone_source, alone_target, strict=True))
    if not all_links:
        return block(range(source.words), range(target.words))
    return sorted(all_links | edges(all_links, source.words, target.words))


def plausible(links: set[Link], source: KnownSide, target: KnownSide, evident: Callable[[int, int], bool]) -> set[Link]:
    """All links where no word is new; else those with evidence, and guesses for words that have none of these.

    Guesses for new words go before others.
    """
    if not source.new:
        return links
    chosen = {link for link in links if evident(*link)}
    for of_new in (True, False):
        sources, targets = {i for i, _ in chosen}, {j for _, j in chosen}
        chosen |= {
            (i, j)
            for i, j in links
            if (i in source.new or j in target.new) is of_new
            and i not in sources
            and j not in targets
            and not (of_new and j in target.idle)
        }
    return chosen


def with_new_words(
    links: set[Link], source: KnownSide, target: KnownSide, evident: Callable[[int, int], bool]
) -> set[Link]:
    """New words of the source, neighbours together, are linked with what their neighbours' partners leave free."""
    partners: list[list[int]] = [[] for _ in range(source.words)]
    for i, j in sorted(links):
        partners[i].append(j)
    taken = Counter(j for _, j in links)
    # Partners of the nearest linked word: from each word on, and up to the run; what follows a run is not changed yet.
    after: list[list[int]] = [[]]
    for own in reversed(partners):
        after.append(own or after[-1])
    after.reverse()
    before: list[int] = []
    done = 0
    for run in runs(sorted(source.new)):
        before = next((partners[i] for i in range(run.start - 1, done - 1, -1) if partners[i]), before)
        done = run.start
        mine = {j for i in run for j in partners[i]}
        near = range(max(0, run.start - NEAR), min(source.words, run.stop + NEAR))
        free = [
            j
            for j in between(before, after[run.stop], target.words)
            if j in mine or (not taken[j] and j not in target.idle and not any(evident(i, j) for i in near))
        ]
        inside = [other for other in runs(free) if not mine or mine.intersection(other)]
        if inside:
            chosen = max(inside, key=lambda other: (len(target.new.intersection(other)), len(other)))
            for i in run:
                taken.subtract(partners[i])
                partners[i] = []
            for i, j in block(run, chosen):
                taken[j] += 1
                partners[i].append(j)
    return {(i, j) for i, others in enumerate(partners) for j in others}


def runs(positions: Iterable[int]) -> Iterator[range]:
    """Neighbours among rising positions, together."""
    for _, neighbours in itertools.groupby(enumerate(positions), lambda pair: pair[1] - pair[0]):
        run = [at for _, at in neighbours]
        yield range(run[0], run[-1] + 1)


def between(before: Sequence[int], after: Sequence[int], target_words: int) -> range:
    """Where the partners of the nearest linked words leave room for those of a run."""
    begin = before[-1] + 1 if before else 0
    end = after[0] if after else target_words
    if begin >= end and before and after:
        # No room between them, or the neighbours change places: what they enclose, and what lies next to them.
        begin, end = min(before[0], after[0]) - 1, max(before[-1], after[-1]) + 2
    # A new word has its translation near where the text before it ends.
    return range(max(begin, 0), min(end, target_words, max(begin, 0) + 2 * NEAR))


def block(source: range, target: range) -> list[Link]:
    """Links along the diagonal, each of which shares a word with the next.

    As with links from every word to every other, no part of it can be a rule without the rest.
    """
    i = j = 0
    steps = [(source.start, target.start)]
    while (i, j) != (len(source) - 1, len(target) - 1):
        if (i + 1) * len(target) <= (j + 1) * len(source):
            i += 1
        else:
            j += 1
        steps.append((source.start + i, target.start + j))
    return steps


def edges(links: set[Link], source_words: int, target_words: int) -> set[Link]:
    """An outer word that is alone has the partners of the linked word nearest to it."""
    sources, targets = [i for i, _ in links], [j for _, j in links]
    nearest_source = ((min(sources), 0), (max(sources), source_words - 1))
    nearest_target = ((min(targets), 0), (max(targets), target_words - 1))
    more = {(edge, j) for i, j in links for nearest, edge in nearest_source if i == nearest}
    return more | {(i, edge) for i, j in links for nearest, edge in nearest_target if j == nearest}
