"""Alignment error rate on numbers worked out by hand."""

from __future__ import annotations

import pytest

from dragoman.align import Links, parse_links, score
from dragoman.errors import InputError


@pytest.mark.parametrize(
    ("links", "sure", "possible", "precision", "recall", "aer"),
    [
        ("0-0 1-1", "0-0 1-1", "", 1.0, 1.0, 0.0),
        ("0-0 1-2", "0-0 1-1", "", 0.5, 0.5, 0.5),
        ("0-0 1-2", "0-0 1-1", "1-2", 1.0, 0.5, 1 - 3 / 4),
        ("", "0-0", "", 1.0, 0.0, 1.0),
        ("0-0", "", "", 0.0, 1.0, 1.0),
        ("", "", "", 1.0, 1.0, 0.0),
        ("0-0 0-0", "0-0", "", 1.0, 1.0, 0.0),
    ],
)
def test_one_sentence(links: str, sure: str, possible: str, precision: float, recall: float, aer: float) -> None:
    result = score([parse_links(links)], [parse_links(sure)], [parse_links(possible)])
    assert (result.precision, result.recall, result.aer) == pytest.approx((precision, recall, aer))


def test_sentences_are_pooled() -> None:
    links: list[Links] = [[(0, 0)], [(0, 1), (1, 1)]]
    result = score(links, [[(0, 0)], [(1, 1)]])
    assert result.precision == pytest.approx(2 / 3)
    assert result.recall == 1
    assert result.aer == pytest.approx(1 - 4 / 5)


def test_numbers_of_lines_must_match() -> None:
    with pytest.raises(InputError, match="1 lines of links, 2 of gold"):
        score([[]], [[], []])


@pytest.mark.parametrize("bad", ["0", "0-", "-1", "a-b", "1-2-3", "0-0 x", "٣-٣"])
def test_bad_links(bad: str) -> None:
    with pytest.raises(InputError, match="line 7"):
        parse_links(bad, 7)


def test_good_links() -> None:
    assert parse_links(" 0-0  2-1 ") == [(0, 0), (2, 1)]
