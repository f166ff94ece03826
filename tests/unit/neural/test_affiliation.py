"""The thesis' rules for the source word behind each target word, as a table."""

from __future__ import annotations

import pytest

from dragoman._core import testing
from dragoman.errors import InputError

CASES = [
    # links, source length, target length, affiliation of each target word
    ("one link each", [(0, 0), (1, 1), (2, 2)], 3, 3, [0, 1, 2]),
    ("crossing links", [(0, 1), (1, 0)], 2, 2, [1, 0]),
    ("the middle of three", [(0, 0), (2, 0), (4, 0)], 5, 1, [2]),
    ("the left of the middle two", [(1, 0), (3, 0)], 5, 1, [1]),
    ("the left of the middle two of four", [(0, 0), (1, 0), (3, 0), (4, 0)], 5, 1, [1]),
    ("links in any order", [(4, 0), (0, 0), (2, 0)], 5, 1, [2]),
    ("a link given twice counts once", [(0, 0), (0, 0), (3, 0)], 4, 1, [0]),
    ("unlinked takes the nearest, here the left", [(3, 0), (5, 3)], 6, 4, [3, 3, 5, 5]),
    ("unlinked on a tie takes the right", [(3, 0), (5, 2)], 6, 3, [3, 5, 5]),
    ("nothing to the left", [(2, 2)], 3, 3, [2, 2, 2]),
    ("nothing to the right", [(2, 0)], 3, 3, [2, 2, 2]),
    ("the neighbour's middle link is taken over", [(0, 0), (1, 0), (2, 0)], 3, 2, [1, 1]),
    ("a long gap", [(0, 0), (9, 5)], 10, 6, [0, 0, 0, 9, 9, 9]),
    ("a long gap with a middle", [(0, 0), (9, 4)], 10, 5, [0, 0, 9, 9, 9]),
    ("no links at all: evenly", [], 4, 2, [0, 2]),
    ("no links and no source", [], 0, 2, [0, 0]),
    ("no words", [], 3, 0, []),
]


@pytest.mark.parametrize(("links", "source_length", "target_length", "expected"), [case[1:] for case in CASES],
                         ids=[case[0] for case in CASES])  # fmt: skip
def test_affiliation(links: list[tuple[int, int]], source_length: int, target_length: int, expected: list[int]) -> None:
    assert testing.affiliations(links, source_length, target_length) == expected


@pytest.mark.parametrize("link", [(3, 0), (0, 2)])
def test_a_link_outside_its_pair_is_refused(link: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="outside its sentence pair of 3 and 2 words"):
        testing.affiliations([link], 3, 2)
