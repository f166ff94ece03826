"""What is made ahead comes as it would have come."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import islice

import pytest

from dragoman.judge.ahead import DEPTH, made_ahead


def test_all_of_it_in_order() -> None:
    assert list(made_ahead(range(1000))) == list(range(1000))
    assert list(made_ahead([])) == []


def test_an_error_comes_in_its_place() -> None:
    def things() -> Iterator[int]:
        yield from range(3)
        raise ValueError("no more")

    ahead = made_ahead(things())
    assert list(islice(ahead, 3)) == [0, 1, 2]
    with pytest.raises(ValueError, match="no more"):
        next(ahead)


def test_who_stops_looking_leaves_no_thread_behind() -> None:
    made = []

    def things() -> Iterator[int]:
        for number in range(10**6):
            made.append(number)
            yield number

    before = threading.active_count()
    ahead = made_ahead(things())
    assert list(islice(ahead, 5)) == [0, 1, 2, 3, 4]
    ahead.close()
    assert threading.active_count() == before and len(made) <= 5 + DEPTH + 2
