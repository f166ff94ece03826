"""Which language a text looks like: by function words, by a vocabulary alone, by its script; and when to doubt."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.corpus.function_words import FUNCTION_WORDS
from dragoman.corpus.language_names import language_name
from dragoman.corpus.language_profile import LanguageProfile, words_in
from dragoman.corpus.recognizer import Doubt, Recognizer

SENTENCES = {
    "en": "This is the house that they have been looking for.",
    "fr": "C'est la maison que nous avons cherchée dans la ville.",
    "de": "Das ist das Haus, nach dem wir in der Stadt gesucht haben.",
    "cs": "To je dům, který jsme hledali, ale není to on.",
    "es": "Esta es la casa que buscamos en la ciudad y no está.",
    "ru": "Это дом, который мы искали в городе, но его нет.",
    "el": "Αυτό είναι το σπίτι που ψάχναμε στην πόλη.",
}
LISTED = Recognizer(LanguageProfile(code) for code in SENTENCES)
# Scripts without function words here, and what is written in them.
SCRIPTS = {
    "arabic": "هذا هو البيت الذي كنا نبحث عنه في المدينة",
    "hebrew": "זה הבית שחיפשנו בעיר ולא מצאנו אותו",
    "thai": "นี่คือบ้านที่เรากำลังมองหาในเมือง",
    "han": "这是我们在城里寻找的房子但是没有找到",
    "georgian": "ეს არის სახლი, რომელსაც ქალაქში ვეძებდით",
}


def profile(recognizer: Recognizer, code: str) -> LanguageProfile:
    return next(each for each in recognizer.profiles if each.code == code)


@pytest.mark.parametrize("code", SENTENCES)
def test_function_words_alone_tell_languages_apart(code: str) -> None:
    best = LISTED.guesses(SENTENCES[code])[0]
    assert best.language == code
    assert best.confidence > 80


def test_a_vocabulary_tells_single_words_apart() -> None:
    french, english = ["maison", "voiture", "chien", "bonjour"], ["house", "car", "dog", "hello", "weather"]
    recognizer = Recognizer([LanguageProfile("fr", french), LanguageProfile("en", english)])
    assert recognizer.guesses("maisons")[0].language == "fr"
    assert recognizer.guesses("HELLO")[0].language == "en"


@pytest.mark.parametrize("text", [*SENTENCES.values(), *SCRIPTS.values()])
def test_a_text_in_no_language_of_ours_is_given_to_none(text: str) -> None:
    """Whatever its language is, and whether or not there is a list of its words."""
    known = [code for code, sentence in SENTENCES.items() if sentence != text and code != "es"][:2]
    if text == SENTENCES["es"]:
        known = ["en", "de"]
    assert Recognizer(LanguageProfile(code) for code in known).guesses(text * 2) == []


def test_a_text_without_letters_is_in_no_language() -> None:
    assert LISTED.guesses("12 + 3 = ?") == []
    assert LISTED.doubt("12 + 3 = ? " * 100, profile(LISTED, "fr")) is None


@given(st.text(max_size=200))
def test_any_text_is_taken(text: str) -> None:
    recognizer = Recognizer([LanguageProfile("fr", ["la"]), LanguageProfile("en", ["the"])])
    guesses = recognizer.guesses(text)
    assert {guess.language for guess in guesses} <= {"fr", "en"}
    assert all(1 <= guess.confidence <= 100 for guess in guesses)
    assert guesses == sorted(guesses, key=lambda guess: -guess.confidence)
    recognizer.doubt(text, recognizer.profiles[0])


@pytest.mark.parametrize("code", SENTENCES)
@pytest.mark.parametrize("said", SENTENCES)
def test_text_of_another_language_is_doubted_and_named(code: str, said: str) -> None:
    doubt = LISTED.doubt(SENTENCES[code], profile(LISTED, said))
    assert (doubt.looks_like if doubt else said) == code


@pytest.mark.parametrize("code", sorted(set(FUNCTION_WORDS) - {"sr"}))
def test_a_language_is_never_taken_for_its_neighbours(code: str) -> None:
    """Text of nothing but function words, of every language of the table."""
    words = FUNCTION_WORDS[code].split()
    recognizer = Recognizer([LanguageProfile(code)])
    for seed in range(20):
        chosen = random.Random(seed).sample(words, min(len(words), 20))
        assert recognizer.doubt(" ".join(chosen), recognizer.profiles[0]) is None


@pytest.mark.parametrize("script", SCRIPTS)
def test_another_script_is_named_where_it_does_not_tell_the_language(script: str) -> None:
    doubt = LISTED.doubt(SCRIPTS[script], profile(LISTED, "fr"))
    only = {"thai": "th", "georgian": "ka"}.get(script, "")
    assert doubt == Doubt("fr", only, script)
    assert str(doubt) == f"looks like {language_name(only) if only else f'{script.capitalize()} script'}, not French"


def test_codes_in_latin_letters_are_no_other_language() -> None:
    recognizer = Recognizer([LanguageProfile("ja"), LanguageProfile("en")])
    assert recognizer.doubt("NullPointerException at org.example.Main", recognizer.profiles[0]) is None
    assert recognizer.doubt(SENTENCES["en"], recognizer.profiles[0]) == Doubt("ja", "en", "latin")


class MadeUp:
    """A language nobody has heard of: words of its own syllables, by Zipf's law."""

    def __init__(self, code: str, syllables: list[str], seed: int, words: int = 300) -> None:
        chance = random.Random(seed)
        self.words = list(
            dict.fromkeys("".join(chance.choices(syllables, k=chance.randint(1, 4))) for _ in range(words))
        )
        self.profile = LanguageProfile(code, self.words)

    def text(self, size: int, seed: int, unknown: float = 0.0) -> str:
        chance = random.Random(seed)
        weights = [1 / (rank + 3) for rank in range(len(self.words))]
        words = chance.choices(self.words, weights, k=size)
        return " ".join("q" + word[::-1] if chance.random() < unknown else word for word in words)


SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprst" for vowel in "aeiou"]


@given(st.integers(0, 10**6), st.integers(8, 100), st.sampled_from([0.0, 0.3, 0.6]))
def test_a_language_without_a_list_is_known_by_its_vocabulary(seed: int, size: int, unknown: float) -> None:
    """Even one whose words are spelled like the other's, and with many words that nobody knows."""
    ours, theirs = (MadeUp(code, SYLLABLES, seed + number) for number, code in enumerate(("xa", "xb")))
    recognizer = Recognizer([ours.profile, theirs.profile])
    assert recognizer.doubt(ours.text(size, seed, unknown), ours.profile) is None
    if size >= 30 and unknown < 0.5:
        assert recognizer.doubt(theirs.text(size, seed, unknown), ours.profile) == Doubt("xa", "xb")


@given(st.integers(0, 10**6), st.integers(1, 200))
def test_unknown_words_are_no_reason_to_doubt(seed: int, size: int) -> None:
    """A language that is in no table, with a vocabulary that has nothing of the text, or with none at all."""
    strange = MadeUp("xc", SYLLABLES, seed)
    for own in (
        LanguageProfile("fr", ["maison", "chat"]),
        LanguageProfile("xa", ["zuzu", "zizi"]),
        LanguageProfile("xa"),
    ):
        recognizer = Recognizer([own, LanguageProfile("xb")])
        text = " ".join("z" + word for word in strange.text(size, seed).split())
        assert recognizer.doubt(text, own) is None


def test_a_text_is_judged_by_what_fits_into_memory() -> None:
    assert LISTED.doubt((SENTENCES["en"] for _ in range(10**6)), profile(LISTED, "fr")) == Doubt("fr", "en")


def test_tokens_and_text_give_the_same_words() -> None:
    assert words_in("L’homme n'est-il pas là?") == words_in("l' homme n' est -il pas là ?")
    assert words_in("東京タワー tower") == [*"東京タワー", "tower"]
    assert words_in("यह हिन्दी है। শব্দ") == ["यह", "हिन्दी", "है", "শব্দ"]
    assert words_in("e\u0301te\u0301 2 fois") == ["e\u0301te\u0301", "fois"]
