"""Links of an added pair that let its new words be rules, and the whole pair too.

A phrase pair is extracted only if its outer words are linked. In a corpus that costs little, but of a correction people
expect that its own sentence comes out right the next time and its new words everywhere, and the words that the aligner
cannot link are just the new ones. So of its links those count that it has evidence for, and new words that are spelled
alike on both sides belong together (cognates.py). What then stands between two linked words of the source, and between
their partners in the target, is linked as a block, but for as many outer words as known words beside it are alone: no
part of a block is a rule without the rest of it. A first or last word that is alone shares the partner of a neighbour
that is not new. Time and links grow with the words of the pair, not with their product.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from dragoman.align import KnownSide

Link = tuple[int, int]
# So far a word may lie from what explains it.
NEAR = 10


def covering(
    links: Iterable[Link],
    source: KnownSide,
    target: KnownSide,
    evident: Callable[[int, int], bool],
    alike: Collection[Link] = (),
) -> list[Link]:
    """The links of the aligner and those that are missing; one block where there were none.

    `evident` says whether the aligner has seen a source and a target word as translations of each other; `alike` are
    links of new words that are spelled alike, which go before all that it guesses.
    """
    new = source.new
    sources, targets = {i for i, _ in alike}, {j for _, j in alike}
    all_links = {(i, j) for i, j in links if i not in sources and j not in targets} | set(alike)
    source = dataclasses.replace(source, new=new - sources)

    def sure(i: int, j: int) -> bool:
        return (i, j) in alike or evident(i, j)

    all_links = with_new_words(plausible(all_links, source, target, sure), source, target, sure)
    known_source, known_target = {i for i, _ in all_links}, {j for _, j in all_links}
    alone_source = [i for i in range(source.words) if i not in known_source]
    alone_target = [j for j in range(target.words) if j not in known_target]
    if len(alone_source) == len(alone_target):
        all_links.update(zip(alone_source, alone_target, strict=True))
    if not all_links:
        return block(range(source.words), range(target.words))
    return sorted(all_links | edges(all_links, untaught(all_links, new), source.words, target.words))


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
            chosen = without_others(chosen, mine | target.new, alone_beside(run, partners, source))
            for i in run:
                taken.subtract(partners[i])
                partners[i] = []
            for i, j in block(run, chosen):
                taken[j] += 1
                partners[i].append(j)
    return {(i, j) for i, others in enumerate(partners) for j in others}


def alone_beside(run: range, partners: Sequence[Sequence[int]], source: KnownSide) -> tuple[int, int]:
    """How many words that mean something, and have no partner, stand between a run and the nearest that has one."""
    sides = range(run.start - 1, max(-1, run.start - 1 - NEAR), -1), range(run.stop, min(source.words, run.stop + NEAR))
    before, after = (
        sum(i not in source.idle and i not in source.new for i in itertools.takewhile(lambda i: not partners[i], side))
        for side in sides
    )
    return before, after


def without_others(chosen: range, kept: Collection[int], alone: tuple[int, int]) -> range:
    """A stretch of the target without as many outer words as there are known words beside, which may explain them."""
    begin, end = chosen.start, chosen.stop
    before, after = alone
    for _ in range(before):
        if end - begin > 1 and begin not in kept:
            begin += 1
    for _ in range(after):
        if end - begin > 1 and end - 1 not in kept:
            end -= 1
    return range(begin, end)


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


def untaught(links: set[Link], new: Collection[int]) -> set[Link]:
    """Links that share no word with those of new words; all of them where there are no others."""
    taught = {j for i, j in links if i in new}
    bound = {i for i, j in links if j in taught}
    return {(i, j) for i, j in links if i not in bound and j not in taught} or links


def edges(links: set[Link], free: set[Link], source_words: int, target_words: int) -> set[Link]:
    """An outer word that is alone has the partners of the nearest word whose links are free.

    With the partners of a new word, it would bind that to the end of this sentence.
    """
    sources, targets = {i for i, _ in links}, {j for _, j in links}
    free_sources, free_targets = [i for i, _ in free], [j for _, j in free]
    nearest_source = ((min(free_sources), 0), (max(free_sources), source_words - 1))
    nearest_target = ((min(free_targets), 0), (max(free_targets), target_words - 1))
    more = {(edge, j) for i, j in free for nearest, edge in nearest_source if i == nearest and edge not in sources}
    return more | {
        (i, edge) for i, j in free for nearest, edge in nearest_target if j == nearest and edge not in targets
    }
