"""Numbers, amounts and dates through a whole translator: each exactly once, whatever stands around it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.config import DecodeOptions
from dragoman.translator import Translator
from tests.unit.translate.test_as_people_type import BOTH, NOUNS, VERBS, make_model, pairs

SIGNS = "€$£%°"
UNITS = ("€", "%", "kg", "km/h", "°C", "MB", "$")
SPACES = ("", " ", "\u00a0", "\u202f")
# What may stand between digits that are one number, in either language.
SEPARATORS = re.compile("(?<=\\d)[.,  \u00a0\u202f\u2009](?=\\d)")


@pytest.fixture(scope="module")
def translator(tmp_path_factory: pytest.TempPathFactory) -> Translator:
    """Of a text that knows some numbers, signs and units, and few of what comes."""
    lines = [*pairs(), *((f"Un {s} mange 5 € ou 7 kg.", f"A {t} eats 5 € or 7 kg.") for s, t in NOUNS.items())]
    return make_model(tmp_path_factory.mktemp("numbers") / "fr-en.model", lines)


def number(digits: int, decimals: int) -> str:
    return f"{digits},{decimals}" if decimals else str(digits)


NUMBER = st.one_of(
    st.builds(number, st.integers(0, 10**7), st.sampled_from([0, 0, 5, 25, 125])),
    # Thousands apart, as the French write them.
    st.builds(
        lambda value, space: f"{value:,}".replace(",", space), st.integers(1000, 10**9), st.sampled_from(SPACES[1:])
    ),
)
AMOUNT = st.one_of(
    NUMBER,
    st.builds(
        lambda value, space, unit: f"{value}{space}{unit}", NUMBER, st.sampled_from(SPACES), st.sampled_from(UNITS)
    ),
    st.builds(lambda sign, value: f"{sign}{value}", st.sampled_from("€$£"), NUMBER),
    st.builds(lambda one, other: f"{one}-{other}", st.integers(1, 2100), st.integers(1, 2100)),
)
DATE = st.one_of(
    st.dates().map(str),
    st.builds(
        lambda day, month, year: f"{day}/{month}/{year}",
        st.integers(1, 31),
        st.integers(1, 12),
        st.integers(1000, 2100),
    ),
    st.builds(
        lambda day, month, year: f"{day:02}.{month:02}.{year}",
        st.integers(1, 31),
        st.integers(1, 12),
        st.integers(1000, 2100),
    ),
    st.builds(lambda hour, minute: f"{hour:02}:{minute:02}", st.integers(0, 23), st.integers(0, 59)),
)
SENTENCE = st.tuples(
    st.sampled_from(
        [
            "Un {noun} mange {0}.",
            "En {0} un {noun} {verb}.",
            "Un {noun} mange {0}, un {noun} {verb} !",
            "Un {noun} mange {0} ou {1}.",
            "{0} : un {noun} {verb} ({1}).",
            "En {0} un {noun} {verb}, un {noun} mange {1}.",
        ]
    ),
    st.sampled_from(list(NOUNS)),
    st.sampled_from(list(VERBS)),
)


def filled(sentence: tuple[str, str, str], what: Sequence[str]) -> str:
    text, noun, verb = sentence
    return text.format(*what, noun=noun, verb=verb)


def digits_of(text: str) -> Counter[str]:
    return Counter(re.findall(r"\d+", SEPARATORS.sub("", text)))


@BOTH
@given(sentence=SENTENCE, amounts=st.tuples(AMOUNT, AMOUNT))
def test_each_number_comes_out_once(
    translator: Translator, decoder: str, sentence: tuple[str, str, str], amounts: tuple[str, str]
) -> None:
    source = filled(sentence, amounts)
    output = translator.translate(source, DecodeOptions(decoder=decoder)).text
    assert digits_of(output) == digits_of(source), (source, output)
    assert Counter(c for c in output if c in SIGNS) == Counter(c for c in source if c in SIGNS), (source, output)


@BOTH
@given(sentence=SENTENCE, dates=st.tuples(DATE, DATE))
def test_dates_and_times_stay_as_they_are(
    translator: Translator, decoder: str, sentence: tuple[str, str, str], dates: tuple[str, str]
) -> None:
    """Which of the numbers is the day, nobody can tell; docs/inside/spacing.md says so."""
    source = filled(sentence, dates)
    output = translator.translate(source, DecodeOptions(decoder=decoder)).text
    wanted = Counter(date for date in dates[: 1 + ("{1}" in sentence[0])])
    assert all(output.count(date) >= often for date, often in wanted.items()), (source, output)
    assert digits_of(output) == digits_of(source), (source, output)
