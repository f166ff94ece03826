"""The core's character tables against Python's unicodedata."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman import _core
from tools.unicode_tables import CATEGORIES

SCRIPTS = ["common", "inherited", "other", "latin", "greek", "cyrillic"]

# A newer Python knows characters the tables do not, and corrects a few; those are no faults of the tables.
SAME_UNICODE = _core.testing.unicode_version() == unicodedata.unidata_version


@pytest.fixture(scope="module")
def table() -> list[tuple[int, int, bool, int, int, int]]:
    return _core.testing.character_table()


def test_properties_match_unicodedata(table: list[tuple[int, int, bool, int, int, int]]) -> None:
    wrong = []
    for c in range(sys.maxunicode + 1):
        character = chr(c)
        category, _, space, lower, upper, combining = table[c]
        if CATEGORIES[category] == "Cn" and not SAME_UNICODE:
            continue
        python_lower, python_upper = character.lower(), character.upper()
        expected_lower = "i" if character == "İ" else python_lower
        wrong += [
            f"U+{c:04X} {what}"
            for what, same in (
                ("category", CATEGORIES[category] == unicodedata.category(character)),
                ("space", space == character.isspace()),
                ("lower", chr(lower) == expected_lower),
                ("upper", len(python_upper) > 1 or chr(upper) == python_upper),
                ("combining", combining == unicodedata.combining(character)),
            )
            if not same
        ]
    assert len(wrong) <= (0 if SAME_UNICODE else 50), wrong[:20]


@pytest.mark.parametrize(
    ("character", "script"),
    [
        ("a", "latin"), ("É", "latin"), ("ª", "latin"), ("Ａ", "latin"), ("ß", "latin"), ("ﬁ", "latin"),
        ("α", "greek"), ("ἆ", "greek"), ("ж", "cyrillic"), ("ѣ", "cyrillic"), ("ա", "armenian"), ("ა", "georgian"),
        ("א", "hebrew"), ("ש", "hebrew"), ("ع", "arabic"), ("پ", "arabic"), ("ܐ", "syriac"), ("ހ", "thaana"),
        ("क", "devanagari"), ("ক", "bengali"), ("ਕ", "gurmukhi"), ("ક", "gujarati"), ("த", "tamil"), ("త", "telugu"),
        ("ಕ", "kannada"), ("ക", "malayalam"), ("ස", "sinhala"), ("ไ", "thai"), ("ລ", "lao"), ("བ", "tibetan"),
        ("မ", "myanmar"), ("ខ", "khmer"), ("አ", "ethiopic"), ("Ꭰ", "cherokee"), ("ᠮ", "mongolian"), ("한", "hangul"),
        ("ᄒ", "hangul"), ("ひ", "hiragana"), ("カ", "katakana"), ("ｶ", "katakana"), ("ー", "katakana"),
        ("ㄅ", "bopomofo"), ("漢", "han"), ("々", "han"), ("〇", "han"), ("𠮷", "han"), ("豈", "han"),
        ("1", "common"), ("٣", "common"), (",", "common"), ("。", "common"), ("€", "common"), ("😀", "common"),
        ("́", "inherited"), ("️", "inherited"), ("ᜀ", "other"),
    ],
)  # fmt: skip
def test_scripts(character: str, script: str) -> None:
    assert _core.script_of(character) == script


@pytest.mark.parametrize(
    ("text", "lower"),
    [
        ("Hello", "hello"),
        ("ŽLUŤOUČKÝ Kůň", "žluťoučký kůň"),
        ("Straße", "straße"),
        ("GROẞ", "groß"),
        ("İstanbul", "istanbul"),
        ("ΛΟΓΟΣ ΣΟΦΙΑΣ, Σ", "λογος σοφιας, σ"),
        ("ǅ Ⅷ ⓐ", "ǆ ⅷ ⓐ"),
    ],
)
def test_lower_case(text: str, lower: str) -> None:
    assert _core.lower(text) == lower


def test_nfc_of_every_character(table: list[tuple[int, int, bool, int, int, int]]) -> None:
    for c in range(sys.maxunicode + 1):
        known_to_both = CATEGORIES[table[c][0]] != "Cn" and unicodedata.category(chr(c)) != "Cn"
        if 0xD800 <= c < 0xE000 or not (SAME_UNICODE or known_to_both):
            continue
        for form in (chr(c), unicodedata.normalize("NFD", chr(c)), "a" + chr(c) + "\u0301"):
            assert _core.testing.nfc(form) == unicodedata.normalize("NFC", form), f"U+{c:04X}"


# Characters that interact when normalized: letters with marks, marks of many classes, Hangul parts, exclusions.
INTERACTING = (
    "aeoAE\u0300\u0301\u0302\u0307\u0323\u0327\u031b\u0345\u05b0\u05bc\u093c\u0915\u09c7\u09be\u0dd9\u0dca"
    "\u0dcf\u1100\u1161\u11a8\uac00\uac01\u1e9b\u212b\u2126\u00c5\u1ea5\ufb2c\U0001d15e\U0001d165\u0f71\u0f72\u0f74 x"
)


@given(st.text(st.sampled_from(INTERACTING) | st.characters(exclude_categories=["Cs", "Cn"]), max_size=30))
def test_nfc_of_random_text(text: str) -> None:
    assert _core.testing.nfc(text) == unicodedata.normalize("NFC", text)
