"""Links that let a whole pair be a rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.live.covering import covering


@pytest.mark.parametrize(
    ("links", "size", "wanted"),
    [
        ([], (1, 1), [(0, 0)]),
        ([], (1, 3), [(0, 0), (0, 1), (0, 2)]),
        ([], (2, 2), [(0, 0), (1, 1)]),
        ([(0, 1)], (2, 2), [(0, 1), (1, 0)]),
        ([(1, 1)], (3, 2), [(0, 1), (1, 0), (1, 1), (2, 1)]),
        ([(0, 0), (2, 2)], (3, 3), [(0, 0), (1, 1), (2, 2)]),
        ([(0, 0), (3, 2)], (4, 3), [(0, 0), (3, 2)]),
    ],
)
def test_examples(links: list[tuple[int, int]], size: tuple[int, int], wanted: list[tuple[int, int]]) -> None:
    assert covering(links, *size) == wanted


@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_outer_words_are_linked_and_no_link_is_lost(source: int, target: int, data: st.DataObject) -> None:
    pairs = st.tuples(st.integers(0, source - 1), st.integers(0, target - 1))
    links = data.draw(st.sets(pairs))
    found = covering(links, source, target)
    assert links <= set(found)
    assert {0, source - 1} <= {i for i, _ in found}
    assert {0, target - 1} <= {j for _, j in found}
    assert all(0 <= i < source and 0 <= j < target for i, j in found)
