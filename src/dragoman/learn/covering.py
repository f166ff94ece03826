"""Links of an added pair that let its new words be rules, and the whole pair too.

A phrase pair is extracted only if its outer words are linked. In a corpus that costs little, but of a correction people
expect that its own sentence comes out right the next time and its new words everywhere, and the words that the aligner
cannot link are just the new ones. So of its links those count that it has evidence for; what then stands between two
linked words of the source, and between their partners in the target, is linked as a block: no part of a block is a rule
without the rest of it. A first or last word that is alone shares its neighbour's partner. Time and links grow with the
words of the pair, not with their product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from dragoman.align import KnownSide

Link = tuple[int, int]
# So far a word may lie from what explains it.
NEAR = 10
Run = range


def covering(
    links: Iterable[Link], source: KnownSide, target: KnownSide, evident: Callable[[int, int], bool]
) -> list[Link]:
    """The links of the aligner and those that are missing; one block where there were none.

    `evident` says whether the aligner has seen a source and a target word as translations of each other.
    """
    found = plausible(set(links), source, target, evident)
    for run in runs(sorted(source.new)):
        partners = partners_of(found, source.words)
        mine = {j for i in run for j in partners[i]}
        others = {j for i, j in found if i not in run}
        near = range(max(0, run.start - NEAR), min(source.words, run.stop + NEAR))
        free = [
            j
            for j in between(partners, run, target.words)
            if j in mine or (j not in others and j not in target.idle and not any(evident(i, j) for i in near))
        ]
        inside = [other for other in runs(free) if not mine or mine.intersection(other)]
        if inside:
            chosen = max(inside, key=lambda other: (len(target.new.intersection(other)), len(other)))
            found = {(i, j) for i, j in found if i not in run} | set(block(run, chosen))
    known_source, known_target = {i for i, _ in found}, {j for _, j in found}
    alone_source = [i for i in range(source.words) if i not in known_source]
    alone_target = [j for j in range(target.words) if j not in known_target]
    if len(alone_source) == len(alone_target):
        found.update(zip(alone_source, alone_target, strict=True))
    if not found:
        return block(range(source.words), range(target.words))
    return sorted(found | edges(found, source.words, target.words))


def plausible(links: set[Link], source: KnownSide, target: KnownSide, evident: Callable[[int, int], bool]) -> set[Link]:
    """All links where no word is new; else those with evidence, and guesses for words that have none of these.

    Guesses for new words go before others.
    """
    if not source.new:
        return links
    found = {link for link in links if evident(*link)}
    for of_new in (True, False):
        sources, targets = {i for i, _ in found}, {j for _, j in found}
        found |= {
            (i, j)
            for i, j in links
            if (i in source.new or j in target.new) is of_new
            and i not in sources
            and j not in targets
            and not (of_new and j in target.idle)
        }
    return found


def partners_of(links: Iterable[Link], words: int) -> list[list[int]]:
    made: list[list[int]] = [[] for _ in range(words)]
    for i, j in sorted(links):
        made[i].append(j)
    return made


def runs(positions: Iterable[int]) -> Iterator[Run]:
    """Neighbours among rising positions, together."""
    begin = end = -1
    for at in positions:
        if at != end:
            if begin >= 0:
                yield range(begin, end)
            begin = at
        end = at + 1
    if begin >= 0:
        yield range(begin, end)


def between(partners: Sequence[Sequence[int]], run: Run, target_words: int) -> Run:
    """Where the partners of the nearest linked words leave room for those of a run."""
    before = next((partners[i] for i in range(run.start - 1, -1, -1) if partners[i]), None)
    after = next((partners[i] for i in range(run.stop, len(partners)) if partners[i]), None)
    begin = before[-1] + 1 if before else 0
    end = after[0] if after else target_words
    if begin >= end and before and after:
        # No room between them, or the neighbours change places: what they enclose, and what lies next to them.
        begin, end = min(before[0], after[0]) - 1, max(before[-1], after[-1]) + 2
    # A new word has its translation near where the text before it ends.
    return range(max(begin, 0), min(end, target_words, max(begin, 0) + 2 * NEAR))


def block(source: Run, target: Run) -> list[Link]:
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


def edges(found: set[Link], source_words: int, target_words: int) -> set[Link]:
    """An outer word that is alone has the partners of the linked word nearest to it."""
    sources, targets = [i for i, _ in found], [j for _, j in found]
    nearest_source = ((min(sources), 0), (max(sources), source_words - 1))
    nearest_target = ((min(targets), 0), (max(targets), target_words - 1))
    more = {(edge, j) for i, j in found for nearest, edge in nearest_source if i == nearest}
    return more | {(i, edge) for i, j in found for nearest, edge in nearest_target if j == nearest}
