"""New words that are spelled alike on both sides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.learn.cognates import LEAST_LETTERS, LEAST_SHARE, MOST_COMPARED, alike, cognates, plain


@pytest.mark.parametrize(
    ("source", "target", "wanted"),
    [
        ("le filtre est ici", "the filter is here", [(1, 1)]),
        ("liste des fonctions d' analyse", "list of analysis functions", [(0, 0), (4, 2)]),
        # Accents and capitals say nothing.
        ("procédures", "Procedures", [(0, 0)]),
        # Names, numbers and marks as they are, the nearest first.
        ("= QUOTIENT ( 11 ; 3 )", "= QUOTIENT ( 11 ; 3 )", [(i, i) for i in range(7)]),
        ("a = b = c", "b = c = a", [(0, 4), (1, 1), (2, 0), (3, 3), (4, 2)]),
        # Too short, and too little of the longer one.
        ("mur", "mural", []),
        ("formulaire", "form", []),
        ("дом", "dom", []),
        # One partner at most, the one that is most like it.
        ("notation", "notations notation", [(0, 1)]),
        ("notation notations", "notation", [(0, 0)]),
        ("2010", "20105", []),
    ],
)
def test_examples(source: str, target: str, wanted: list[tuple[int, int]]) -> None:
    ours, theirs = source.split(), target.split()
    assert sorted(cognates(ours, theirs, range(len(ours)), ())) == wanted


def test_known_words_and_what_others_have_taken_are_left_alone() -> None:
    ours, theirs = ["le", "filtre", "de", "notation"], ["the", "notation", "filter"]
    assert cognates(ours, theirs, [3], ()) == {(3, 1)}
    assert cognates(ours, theirs, [1, 3], [2]) == {(3, 1)}


words = st.lists(st.text("abcdé", min_size=1, max_size=7), max_size=8)


@given(words, words, st.data())
def test_is_a_matching_of_words_that_are_alike(source: list[str], target: list[str], data: st.DataObject) -> None:
    new = data.draw(st.sets(st.sampled_from(range(len(source))))) if source else set[int]()
    links = cognates(source, target, new, ())
    assert len({i for i, _ in links}) == len({j for _, j in links}) == len(links)
    assert {i for i, _ in links} <= new

    def share(i: int, j: int) -> float:
        one, other = plain(source[i]), plain(target[j])
        same = max(size for size in range(8) if one[:size] == other[:size])
        if one == other:
            return 1.0
        return same / max(len(one), len(other)) if min(same, len(one), len(other)) >= LEAST_LETTERS else 0.0

    for i in new:
        for j in range(len(target)):
            assert alike(plain(source[i]), plain(target[j])) == share(i, j)
            if share(i, j) >= LEAST_SHARE:
                # Nobody is left alone who has somebody.
                taken = [link for link in links if link[0] == i or link[1] == j]
                assert any(share(*link) >= share(i, j) for link in taken)


def test_takes_time_that_grows_with_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def counting(word: str, other: str) -> float:
        compared.append(word)
        return alike(word, other)

    monkeypatch.setattr("dragoman.learn.cognates.alike", counting)
    assert len(cognates(["="] * 1000, ["="] * 1000, range(1000), ())) == MOST_COMPARED
    assert len(compared) == 1000 * MOST_COMPARED
