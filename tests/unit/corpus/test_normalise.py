"""Normalisation changes what it says it changes, and counts it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman._core import normalise
from dragoman.errors import InputError


@pytest.mark.parametrize(
    ("text", "clean", "changes"),
    [
        ("plain text\tand\nlines", "plain text\tand\nlines", {}),
        ("cafe\u0301 x\u0301 E\u0301", "café x\u0301 É", {"composed": 2}),
        ("ﬁ ² Ａ", "ﬁ ² Ａ", {}),
        ("a\x00b\x07c\x7fd", "abcd", {"controls": 3}),
        ("a\x0bb\x1cc", "a b c", {"controls": 2}),
        ("it\x92s \x93so\x94\x85 \x80", "it’s “so”… €", {"windows_1252": 5}),
        ("a\x81b", "ab", {"controls": 1}),
        ("a\r\nb\rc\u2028d", "a\nb c d", {"line_ends": 3}),
        ("\ufeffstart and\ufeff inside", "start and inside", {"byte_order_marks": 2}),
        ("\u200b2012", "2012", {"zero_width_spaces": 1}),
        ("ខ្ញុំ\u200bស្រឡាញ់", "ខ្ញុំ\u200bស្រឡាញ់", {}),
        ("Kaffee\u00adtasse", "Kaffeetasse", {"soft_hyphens": 1}),
        ("a\u2060b\u2063", "ab", {"word_joiners": 2}),
        ("می\u200cخواهم 👩\u200d👧", "می\u200cخواهم 👩\u200d👧", {}),
        ("a\ufffeb\ufdd0", "ab", {"noncharacters": 2}),
        ("lost \ufffd here", "lost \ufffd here", {"replacements": 1}),
        ("e\u00ad\u0301", "é", {"soft_hyphens": 1, "composed": 1}),
        ("a\u00a0b", "a\u00a0b", {}),
    ],
)
def test_changes_are_made_and_counted(text: str, clean: str, changes: dict[str, int]) -> None:
    result, report = normalise(text)
    assert result == clean
    assert {kind: count for kind, count in report.items() if count} == changes


def test_bytes_are_normalised_like_strings() -> None:
    assert normalise("cafe\u0301\u200b\n".encode())[0] == "café\n".encode()
    with pytest.raises(InputError):
        normalise(b"\xff")


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    once, report = normalise(text)
    again, second = normalise(once)
    assert again == once
    assert all(count == 0 for kind, count in second.items() if kind != "replacements")
    assert once.count("\n") == text.count("\n")
    if not any(count for kind, count in report.items() if kind not in ("composed", "replacements")):
        assert once == unicodedata.normalize("NFC", text)
