"""Language codes: what matches what, and what languages are written in."""

from __future__ import annotations

import pytest

from dragoman.corpus.function_words import FUNCTION_WORDS, table_code
from dragoman.corpus.languages import SCRIPTS, best_match, canonical, matches, scripts_of


@pytest.mark.parametrize(
    ("wanted", "found", "expected"),
    [
        ("en", "en-US", True),
        ("en-US", "EN", True),
        ("en_US", "en-us", True),
        ("en-US", "en-GB", False),
        ("en", "enm", False),
        ("eng", "en-GB", True),
        ("deu", "ger", True),
        ("fr", "", False),
        ("cs", "cs_CZ.UTF-8", True),
        ("sr", "sr@latin", True),
    ],
)
def test_matches(wanted: str, found: str, expected: bool) -> None:
    assert matches(wanted, found) is expected
    assert matches(found, wanted) is expected


def test_best_match() -> None:
    assert best_match("en", ["fr", "en-US", "EN"]) == "EN"
    assert best_match("en", ["fr", "en-US", "en-GB"]) == "en-US"
    assert best_match("de", ["fr"]) is None


def test_scripts() -> None:
    assert scripts_of("fr-CA") == ("latin",)
    assert scripts_of("sr-Cyrl") == ("cyrillic",)
    assert scripts_of("tlh") == ()


def test_tables_agree() -> None:
    for code, words in FUNCTION_WORDS.items():
        assert code in SCRIPTS
        assert canonical(code) == code
        listed = words.split()
        assert len(listed) == len(set(listed)) >= 25
        assert words == words.lower()
    assert table_code("no-NO") == "nb"
    assert table_code("sr") == ""
    assert table_code("sr-Latn-RS") == "hr"
    assert table_code("ja") == ""
