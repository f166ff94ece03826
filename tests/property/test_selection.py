"""Choosing pairs: each choice is the best there is, and the budget is kept."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman import _core
from dragoman.errors import InputError
from tests.reference.selection import Gains

BYTES = (3.0, 2.0, 1.5)
line = st.lists(st.sampled_from("abcde"), max_size=6).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[str], list[str], list[str]]:
    source, target, links = [], [], []
    for ours, theirs in draw(st.lists(st.tuples(line, line), min_size=1, max_size=12)):
        possible = [f"{s}-{t}" for s in range(len(ours.split())) for t in range(len(theirs.split()))]
        source.append(ours)
        target.append(theirs)
        links.append(" ".join(draw(st.sets(st.sampled_from(possible)))) if possible else "")
    return source, target, links


def joined(lines: list[str]) -> bytes:
    return "".join(f"{each}\n" for each in lines).encode()


# The same examples each time: slots are hashed, and a rare collision would be no fault.
@settings(derandomize=True, max_examples=80)
@given(corpora(), st.lists(line, max_size=3), st.integers(5, 200))
def test_every_choice_is_the_best(corpus: tuple[list[str], list[str], list[str]], wanted: list[str], room: int) -> None:
    source, target, links = corpus
    texts = (joined(source), joined(target), joined(links), joined(wanted))
    chosen = _core.select_pairs(*texts, room, *BYTES)
    assert len(set(chosen)) == len(chosen)
    gains = Gains(source, target, links, wanted, 3.0, BYTES)
    left, rest = float(room), set(range(len(source)))
    for pair in chosen:
        affordable = [other for other in rest if gains.cost[other] <= left]
        assert pair in affordable
        assert gains.gain(pair) >= max(map(gains.gain, affordable)) * (1 - 1e-5)
        gains.choose(pair)
        rest.remove(pair)
        left -= gains.cost[pair]
    assert all(gains.cost[other] > left for other in rest)


def test_links_that_do_not_fit_are_named() -> None:
    with pytest.raises(InputError, match="line 2: link 5-0 points outside a pair"):
        _core.select_pairs(b"a\nb\n", b"c\nd\n", b"0-0\n5-0\n", b"", 100, *BYTES)
