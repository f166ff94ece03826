"""What unknown words are taken for is what looking at everything finds, in vocabularies full of near misses."""

from __future__ import annotations

from random import Random

from hypothesis import event, given, settings
from hypothesis import strategies as st

from dragoman import _core
from tests.reference.unknown_words import KnownWords

ENDINGS = ["", "e", "en", "em", "s", "st", "ö"]


def a_word(random: Random, least: int, most: int) -> str:
    return "".join(random.choice("aabens") for _ in range(random.randint(least, most)))


def vocabulary(random: Random) -> list[str]:
    """Stems with some of the endings, and short words that are parts of one another."""
    stems = [a_word(random, 3, 6) for _ in range(random.choice([5, 60, 90]))]
    endings = random.sample(ENDINGS, 4)
    words = {stem + ending for stem in stems for ending in endings if random.random() < 0.8}
    words |= {a_word(random, 1, 5) for _ in range(30)}
    forms = sorted(random.choice([word, word, word.capitalize(), word.upper()]) for word in words)
    random.shuffle(forms)
    return forms


def unknown_word(random: Random, forms: list[str]) -> str:
    if random.random() < 0.3:
        return random.choice(forms).lower() + random.choice(ENDINGS)
    pieces = [
        random.choice(forms).lower() + random.choice(["", "", "s", "en", "x"]) for _ in range(random.randint(1, 5))
    ]
    return "".join(pieces)


@settings(max_examples=150)
@given(st.integers(0, 1 << 32), st.sampled_from(["de", "nl", "en"]))
def test_as_looking_at_everything(seed: int, language: str) -> None:
    random = Random(seed)
    forms = vocabulary(random)
    known, slow = _core.testing.KnownWords(forms, language), KnownWords(forms, language)
    for _ in range(8):
        word = unknown_word(random, forms)
        if word in slow.ids or len(word) > 24:
            continue
        capital = random.choice([True, False, None])
        expected = slow.find(word, capital)
        encoded = word.encode()
        parts = [
            (len(encoded[:begin].decode()), len(encoded[:end].decode()), other)
            for begin, end, other in known.find(word, capital)
        ]
        event(f"{len(parts)} words")
        if len(expected) < 2:
            assert parts == expected
            continue
        # Of ways that cost the same, any will do.
        assert parts in list(slow.ways(word, capital))
        assert slow.cost(parts) == slow.cost(expected)
