"""The phrasebook as data: well formed, varied, and its words used often enough to learn from."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import pytest

from examples.demo.phrasebook import phrasebook_path, phrases

PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\d+\}|</?\w+>|&\w+;|https?://[^\s]*\w|[\w.]+@[\w.]+\w")
WORD = re.compile(r"[^\W_]+")


def test_file_is_well_formed() -> None:
    raw = phrasebook_path().read_bytes()
    text = raw.decode("utf-8")
    assert text.endswith("\n") and not text.startswith("\ufeff") and "\r" not in text
    assert unicodedata.is_normalized("NFC", text)
    for line in text[:-1].split("\n"):
        assert line.count("\t") == 1
        for side in line.split("\t"):
            assert side and side == side.strip() and "  " not in side


def test_enough_pairs_and_none_twice() -> None:
    pairs = phrases()
    assert len(pairs) >= 400
    assert len(set(pairs)) == len(pairs)
    assert len({source for source, _ in pairs}) == len(pairs), "one French sentence, one translation"


@pytest.mark.parametrize("pair", [pair for pair in phrases() if PLACEHOLDER.search("".join(pair))])
def test_placeholders_are_the_same_on_both_sides(pair: tuple[str, str]) -> None:
    source, target = (Counter(PLACEHOLDER.findall(side)) for side in pair)
    assert source == target


def test_placeholders_of_every_kind() -> None:
    found = {placeholder for source, _ in phrases() for placeholder in PLACEHOLDER.findall(source)}
    assert {"%s", "%d", "%(name)s", "{0}", "{1}", "<b>", "</b>", "&gt;"} <= found
    assert any(text.startswith("https://") for text in found) and any("@" in text for text in found)


def test_french_spacing() -> None:
    for source, target in phrases():
        assert not re.search(r" [:;!?»€]|« |\d %|\d h\b", source), source
        assert not re.search(r"(?<![\u202f\w])[!?;]", source), source
        assert not re.search(r"\s[:;!?]|\d %", target), target


@pytest.mark.parametrize("side", [0, 1])
def test_most_words_recur(side: int) -> None:
    counts = Counter(word.lower() for pair in phrases() for word in WORD.findall(pair[side]))
    recurring = sum(count >= 2 for count in counts.values())
    assert 400 <= len(counts) <= 900
    assert recurring / len(counts) >= 0.65
