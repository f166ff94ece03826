"""Links that let a whole pair be a rule, in time and number that grow with its words."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.align import KnownSide
from dragoman.learn.covering import covering as covering_of_sides

Links = set[tuple[int, int]]


def covering(
    links: Iterable[tuple[int, int]],
    source_words: int,
    target_words: int,
    new: tuple[Iterable[int], Iterable[int]] = ((), ()),
    idle: Iterable[int] = (),
    guesses: Iterable[tuple[int, int]] = (),
) -> list[tuple[int, int]]:
    """With positions of new words on both sides, of target words that translate nothing, and links without evidence."""
    sides = KnownSide(source_words, frozenset(new[0])), KnownSide(target_words, frozenset(new[1]), frozenset(idle))
    sure = set(links)
    return covering_of_sides(sure | set(guesses), *sides, lambda i, j: (i, j) in sure)


@pytest.mark.parametrize(
    ("links", "size", "wanted"),
    [
        ([], (1, 1), [(0, 0)]),
        ([], (1, 3), [(0, 0), (0, 1), (0, 2)]),
        ([], (2, 2), [(0, 0), (1, 1)]),
        ([], (2, 3), [(0, 0), (0, 1), (1, 1), (1, 2)]),
        ([(0, 1)], (2, 2), [(0, 1), (1, 0)]),
        ([(1, 1)], (3, 2), [(0, 1), (1, 0), (1, 1), (2, 1)]),
        ([(0, 0), (2, 2)], (3, 3), [(0, 0), (1, 1), (2, 2)]),
        ([(0, 0), (3, 2)], (4, 3), [(0, 0), (3, 2)]),
    ],
)
def test_examples(links: list[tuple[int, int]], size: tuple[int, int], wanted: list[tuple[int, int]]) -> None:
    assert covering(links, *size) == wanted


def test_new_words_have_what_stands_between_their_neighbours() -> None:
    # le vérin est rouge . / the hydraulic jack is red .
    sure = [(0, 0), (2, 3), (3, 4), (4, 5)]
    assert covering(sure, 5, 6, ([1], [1, 2])) == sorted([*sure, (1, 1), (1, 2)])
    # Also if one of the two was known, and whatever the aligner guessed.
    for guesses in ([], [(1, 1)], [(1, 1), (1, 4)], [(0, 2)]):
        assert covering(sure, 5, 6, ([1], [1]), guesses=guesses) == sorted([*sure, (1, 1), (1, 2)])
    # What translates nothing is not part of it.
    assert covering(sure, 5, 6, ([1], [2]), idle=[1]) == sorted([*sure, (1, 2)])
    # petit arroseur rouge / little red sprinkler: there is no room between the neighbours.
    assert covering([(0, 0), (2, 1)], 3, 3, ([1], [2])) == [(0, 0), (1, 2), (2, 1)]
    # Two new words side by side are one block.
    assert covering([(0, 0), (3, 3)], 4, 4, ([1, 2], [1, 2])) == [(0, 0), (1, 1), (2, 1), (2, 2), (3, 3)]
    assert covering([(0, 0), (3, 4)], 4, 5, ([1, 2], [1, 2, 3])) == [(0, 0), (1, 1), (1, 2), (2, 2), (2, 3), (3, 4)]


def test_words_at_the_edges_leave_new_words_alone() -> None:
    # saut de ligne sans changement de paragraphe . / line break without paragraph change
    sure = [(2, 0), (3, 2), (4, 4), (6, 3)]
    assert covering(sure, 8, 5, ([6], [3])) == sorted([*sure, (0, 0), (7, 4)])
    # barre de défilement horizontale / horizontal scrollbar
    assert covering([(2, 1), (3, 0)], 4, 2, ([2], [1])) == [(0, 0), (2, 1), (3, 0)]
    # déplace le curseur d' une ligne / move cursor one line
    assert covering([(2, 1), (4, 2), (5, 3)], 6, 4, ([2], [1])) == [(0, 2), (2, 1), (4, 0), (4, 2), (5, 3)]
    # Where all that is linked is new, there is nobody else.
    assert covering([(1, 1)], 3, 2, ([1], [1])) == [(0, 1), (1, 0), (1, 1), (2, 1)]


@given(st.integers(1, 8), st.integers(1, 8), st.data())
def test_new_words_never_break_a_pair(source: int, target: int, data: st.DataObject) -> None:
    pairs = st.sets(st.tuples(st.integers(0, source - 1), st.integers(0, target - 1)))
    new = data.draw(st.sets(st.integers(0, source - 1))), data.draw(st.sets(st.integers(0, target - 1)))
    sure = {(i, j) for i, j in data.draw(pairs) if i not in new[0] and j not in new[1]}
    found = covering(sure, source, target, new, data.draw(st.sets(st.integers(0, target - 1))), data.draw(pairs))
    assert sure <= set(found)
    assert {0, source - 1} <= {i for i, _ in found}
    assert {0, target - 1} <= {j for _, j in found}
    assert all(0 <= i < source and 0 <= j < target for i, j in found)


def slow_covering(links: Links, source_words: int, target_words: int) -> Links:
    """The definition, word by word; of pairs that have a link or as many words on both sides."""
    alone_source = [i for i in range(source_words) if all(i != source for source, _ in links)]
    alone_target = [j for j in range(target_words) if all(j != target for _, target in links)]
    found = links | (
        set(zip(alone_source, alone_target, strict=False)) if len(alone_source) == len(alone_target) else set()
    )
    made = set(found)
    for edge in (0, source_words - 1):
        nearest = min((i for i, _ in found), key=lambda i: abs(i - edge))
        made |= {(edge, j) for i, j in found if i == nearest}
    for edge in (0, target_words - 1):
        nearest = min((j for _, j in found), key=lambda j: abs(j - edge))
        made |= {(i, edge) for i, j in found if j == nearest}
    return made


@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_is_what_the_definition_says(source: int, target: int, data: st.DataObject) -> None:
    pairs = st.tuples(st.integers(0, source - 1), st.integers(0, target - 1))
    links = data.draw(st.sets(pairs))
    found = covering(links, source, target)
    assert links <= set(found)
    assert {0, source - 1} <= {i for i, _ in found}
    assert {0, target - 1} <= {j for _, j in found}
    assert all(0 <= i < source and 0 <= j < target for i, j in found)
    if links or source == target:
        assert set(found) == slow_covering(links, source, target)


def rules(links: Links, source_words: int, target_words: int) -> set[tuple[int, int, int, int]]:
    """Spans of both sides that no link leaves and that have one."""
    made = set()
    for a in range(source_words):
        for b in range(a + 1, source_words + 1):
            for c in range(target_words):
                for d in range(c + 1, target_words + 1):
                    inside = [(a <= i < b, c <= j < d) for i, j in links]
                    if (True, True) in inside and all(one == other for one, other in inside):
                        made.add((a, b, c, d))
    return made


@given(st.integers(1, 7), st.integers(1, 7))
def test_without_links_the_whole_pair_is_the_only_rule(source: int, target: int) -> None:
    if source == target:
        return
    everything = {(i, j) for i in range(source) for j in range(target)}
    found = set(covering([], source, target))
    assert rules(found, source, target) == rules(everything, source, target) == {(0, source, 0, target)}


@pytest.mark.parametrize(("source", "target"), [(30_000, 10_000), (1, 30_000), (30_000, 30_000)])
def test_links_grow_with_words_alone(source: int, target: int) -> None:
    """Where every word was compared with every link this did not end, nor where every new word was."""
    assert len(covering([], source, target)) < source + target
    new = range(1, source, 2), range(1, target, 2)
    for idle in ((), range(target)):
        assert len(covering([], source, target, new, idle)) <= 2 * (source + target)
    some = [(i, min(i, target - 1)) for i in range(1, source, 3)]
    assert len(covering(some, source, target)) <= 2 * (source + target)
