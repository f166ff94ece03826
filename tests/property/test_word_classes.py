"""Word classes and trees against slow versions of themselves, on small random texts."""

from __future__ import annotations

import array
import heapq

from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman import _core
from tests.reference.brown import brown_classes, merge_on

SENTENCES = st.lists(st.lists(st.integers(4, 14), max_size=8), min_size=1, max_size=25)


def ids_of(sentences: list[list[int]]) -> array.array[int]:
    return array.array("i", [word for sentence in sentences for word in (2, *sentence, 3)])


def classes_of(sentences: list[list[int]], classes: int, threads: int = 1) -> list[int]:
    return list(array.array("i", _core.brown_classes(ids_of(sentences), 15, classes, threads)))


@given(SENTENCES, st.integers(1, 12))
@settings(max_examples=120, deadline=None)
def test_brown_classes_are_those_of_the_exhaustive_search(sentences: list[list[int]], classes: int) -> None:
    found = classes_of(sentences, classes)
    groups: dict[int, set[int]] = {}
    occurring = {word for sentence in sentences for word in sentence} | {3}
    for word in occurring:
        groups.setdefault(found[word], set()).add(word)
    assert [groups[number] for number in sorted(groups)] == brown_classes(sentences, classes)
    assert found[0] == found[2] == -1
    assert all(0 <= found[word] < classes for word in range(15) if word not in (0, 2))
    # No class is empty, and words that never occur share one.
    assert set(range(max(found) + 1)) == set(found) - {-1}
    assert len({found[word] for word in range(1, 15) if word != 2 and word not in occurring}) <= 1


@given(SENTENCES, st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_brown_trees_merge_as_the_exhaustive_search_does(sentences: list[list[int]], classes: int) -> None:
    """Of the nodes of the tree, those that are whole classes or joined ones are what clustering into fewer gives."""
    occurring = {word for sentence in sentences for word in sentence} | {3}
    counts = array.array("Q", [sum(sentence.count(word) for sentence in sentences) for word in range(15)])
    counts[3] = len(sentences)
    flat = array.array("i", _core.brown_tree(ids_of(sentences), counts, classes))
    children = list(zip(flat[::2], flat[1::2], strict=True))
    words: list[set[int]] = [set() for _ in children]
    for node in reversed(range(len(children))):
        for child in children[node]:
            words[node] |= {-1 - child} if child < 0 else words[child]
    assert words[0] == set(range(15)) - {0, 2}
    assert sum(child < 0 for pair in children for child in pair) == len(words[0])
    nodes = [{word} & occurring for word in words[0]] + [each & occurring for each in words]
    assert len(children) == len(words[0]) - 1
    start = brown_classes(sentences, classes)
    for group in start:
        assert group in nodes
    for merged in merge_on(sentences, start):
        assert merged in nodes


@given(SENTENCES, st.integers(1, 12))
@settings(max_examples=30, deadline=None)
def test_threads_change_nothing(sentences: list[list[int]], classes: int) -> None:
    assert classes_of(sentences, classes) == classes_of(sentences, classes, threads=3)


COUNTS = st.lists(st.integers(0, 1000), min_size=4, max_size=40)


@given(COUNTS, st.integers(1, 50))
def test_frequency_classes_split_the_frequency_order(counts: list[int], classes: int) -> None:
    found = list(array.array("i", _core.frequency_classes(array.array("Q", counts), classes)))
    words = [word for word in range(len(counts)) if word not in (0, 2)]
    assert found[0] == found[2] == -1
    assert sorted({found[word] for word in words}) == list(range(min(classes, len(words))))
    in_order = sorted(words, key=lambda word: (-counts[word], word))
    assert [found[word] for word in in_order] == sorted(found[word] for word in words)


@given(COUNTS)
def test_huffman_trees_are_as_short_as_can_be(counts: list[int]) -> None:
    flat = array.array("i", _core.huffman_tree(array.array("Q", counts)))
    children = list(zip(flat[::2], flat[1::2], strict=True))
    words = [word for word in range(len(counts)) if word not in (0, 2)]
    depth: dict[int, int] = {}

    def walk(node: int, deep: int) -> None:
        for child in children[node]:
            if child < 0:
                assert -1 - child not in depth
                depth[-1 - child] = deep + 1
            else:
                walk(child, deep + 1)

    walk(0, 0)
    assert sorted(depth) == words
    weights = [max(counts[word], 1) for word in words]
    # The least total is the sum of all weights that merging makes.
    least, heap = 0, list(weights)
    heapq.heapify(heap)
    while len(heap) > 1:
        both = heapq.heappop(heap) + heapq.heappop(heap)
        least += both
        heapq.heappush(heap, both)
    assert sum(depth[word] * max(counts[word], 1) for word in words) == least
