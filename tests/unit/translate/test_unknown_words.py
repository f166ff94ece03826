"""Source words that the training text does not have: other forms of known words, compounds of known words, names."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.config import DecodeOptions
from dragoman.translator import Translator
from tests.unit.translate.test_as_people_type import make_model

BOTH = pytest.mark.parametrize("decoder", ["hierarchical", "phrase-based"])
NOUNS = {
    "Helm": "helmet",
    "Fahrrad": "bicycle",
    "Rad": "wheel",
    "Ton": "clay",
    "Regierung": "government",
    "Erklärung": "statement",
    "Schule": "school",
    "Hund": "dog",
    "Neubau": "building",
}
# Enough of them to show that -er and -em are endings.
STEMS = [a + b for a in ("blau", "grün", "weit", "kalt", "rund") for b in ("", "lich", "haft", "sam", "voll")]
ADJECTIVES = {f"{stem}{ending}": stem for stem in STEMS for ending in ("er", "em")}


# Enough of them to show that compounds are written as one word.
ENGLISH_COMPOUNDS = [a + b for a in ("snow", "wind", "rain", "moon", "fire") for b in ("ball", "shed", "mill", "wood")]
ENGLISH_COMPOUNDS += ["snow", "wind", "rain", "moon", "fire", "ball", "shed", "mill", "wood"]


def pairs() -> list[tuple[str, str]]:
    texts = [
        (f"Der {noun} ist hier, und ein {noun} ist da.", f"The {word} is here, and a {word} is there.")
        for noun, word in NOUNS.items()
    ]
    texts += [(f"Da ist es {word}.", f"There it is {stem}.") for word, stem in ADJECTIVES.items()]
    return texts + [(f"Hier ist es {word}.", f"Here it is {stem}.") for word, stem in ADJECTIVES.items()]


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Translator:
    return make_model(tmp_path_factory.mktemp("german") / "de-en.model", pairs(), ("de", "en"))


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Translator:
    words = ["washing", "ton", "sand", "storm", "light", "house", *ENGLISH_COMPOUNDS]
    texts = [
        (f"The {word} is here, and a {word} is there.", f"Der {word}o ist hier, und ein {word}o ist da.")
        for word in words
    ]
    return make_model(tmp_path_factory.mktemp("english") / "en-de.model", texts, ("en", "de"))


@BOTH
@pytest.mark.parametrize(
    ("word", "translation"),
    [
        ("Fahrradhelm", "bicycle helmet"),
        ("Regierungserklärung", "government statement"),  # s between the parts
        ("Schulhund", "school dog"),  # less an e
        ("Radhelm", "wheel helmet"),  # a short noun
        ("Fahrradhelmschulhund", "bicycle helmet school dog"),
    ],
)
def test_compounds_are_taken_apart(german: Translator, decoder: str, word: str, translation: str) -> None:
    options = DecodeOptions(decoder=decoder)
    assert german.translate(f"Der {word} ist hier.", options).text == f"The {translation} is here."
    assert german.translate(f"{word} ist da.", options).text.lower() == f"{translation} is there."
    # Nobody capitalises here, or everybody does.
    assert german.translate(f"der {word.lower()} ist hier", options).text.lower() == f"the {translation} is here"
    assert german.translate(f"DER {word.upper()} IST HIER", options).text.lower() == f"the {translation} is here"


@BOTH
def test_the_parts_are_tokens_with_places_of_their_own(german: Translator, decoder: str) -> None:
    source = "Hier ist die Regierungserklärung."
    (told,) = german.explain(source, DecodeOptions(decoder=decoder), sources=1).sentences
    sentence = told.sentence
    places = dict(zip(sentence.source_tokens, sentence.source_spans, strict=True))
    assert source[slice(*places["Regierungs"])] == "Regierungs"
    assert source[slice(*places["Erklärung"])] == "erklärung"
    # Each was seen in the training text.
    for word in ("Regierungs", "Erklärung"):
        at = sentence.source_tokens.index(word)
        rules = [each for each in told.phrases if each.phrase.source_span[0] <= at < each.phrase.source_span[1]]
        assert any(each.phrase.origin_count > 0 for each in rules if each.phrase.kind == "grammar")


@pytest.mark.parametrize(
    "word",
    [
        "Fahrradxhelm",  # x links nothing
        "HelmTon",  # a name in odd letters
        "NATOHELM",
        "Helm2Ton",
        "Tonrad7",
        "fahrradhelm",  # where nouns have capitals, this is none
        "Hundblauer",  # and this is no adjective
    ],
)
def test_other_words_pass_through(german: Translator, word: str) -> None:
    assert word in german.translate(f"Der {word} ist hier, Hund.").text


@BOTH
def test_names_among_nouns_are_copied(tmp_path: Path, decoder: str) -> None:
    """Nouns have capitals like names; but names are copied, and stand beside one another."""
    text = [
        (f"Hier ist {name}, und da ist {name}.", f"Here is {name}, and there is {name}.")
        for name in ("Ronald", "Mirker")
    ]
    german = make_model(tmp_path / "de-en.model", [*pairs(), *text], ("de", "en"))
    options = DecodeOptions(decoder=decoder)
    for name in ("Mirkem", "Helmronald"):
        assert name in german.translate(f"Der Hund ist hier, und {name} ist da.", options).text
    assert "Marc Radhelm" in german.translate("Der Hund ist hier, und Marc Radhelm ist da.", options).text
    assert "wheel helmet" in german.translate("Der Hund ist hier, und ein Radhelm ist da.", options).text


def test_names_are_copied(english: Translator) -> None:
    assert english.translate("The sandstorm is here.").text == "Der sando stormo ist hier."
    assert english.translate("Here and there, a Sandstorm is here.").text.count("Sandstorm") == 1
    assert "Washington" in english.translate("A house is in Washington.").text
    assert "WASHINGTON" in english.translate("A house is in WASHINGTON.").text
    # Parts of three letters are mostly something else.
    assert "lightton" in english.translate("A lightton is here.").text


def test_words_stay_whole_where_compounds_are_not_written_so(tmp_path: Path) -> None:
    words = ["mont", "blanc", "hyper", "marché", "grande"]
    text = [(f"Voici le {word}, et un {word} ici.", f"Here is the {word}o, and a {word}o here.") for word in words]
    french = make_model(tmp_path / "fr-en.model", text, ("fr", "en"))
    for word in ("montblanc", "hypermarché"):
        assert word in french.translate(f"Voici le {word}, et un mont ici.").text


def test_other_languages_are_copied(german: Translator) -> None:
    for text in ("Kaltum ponton helmhund rundes hundton, der Fahrradhelm.", "weitum kaltum rundum blauum grünum"):
        assert german.translate(text).text.lower() == text.lower().replace("der ", "the ")
    few = german.translate("Radhelm, Fahrradhelm, Hundhelm").text.lower()
    assert few == "wheel helmet, bicycle helmet, dog helmet"


def test_what_is_given_stays_whole(german: Translator) -> None:
    source = "Der Fahrradhelm ist hier."
    for terms, expected in (
        ({"Fahrradhelm": "crash helmet"}, "The crash helmet is here."),
        ({"Helm": "hat"}, "The bicycle helmet is here."),  # a term is a word, not a part of one
    ):
        assert german.translate(source, glossary=terms).text == expected
    for kept in ("{fahrradhelm}", "https://example.org/Fahrradhelm", "%(Fahrradhelm)s", "fahrradhelm@example.org"):
        assert kept in german.translate(f"Der {kept} ist hier.").text


def test_a_taught_word_is_a_word(tmp_path: Path) -> None:
    german = make_model(tmp_path / "de-en.model", pairs(), ("de", "en"))
    german.add("Der Fahrradhelm ist hier.", "The lid is here.", id="lesson", links="0-0 1-1 2-2 3-3 4-4")
    assert "lid" in german.translate("Da ist der Fahrradhelm.").text
    german.remove("lesson")
    assert "bicycle helmet" in german.translate("Da ist der Fahrradhelm.").text
    # A word that was taught is a part like any other.
    german.add("Der Sattel ist hier.", "The saddle is here.", id="saddle", links="0-0 1-1 2-2 3-3 4-4")
    assert "bicycle saddle" in german.translate("Da ist der Fahrradsattel.").text


@BOTH
def test_other_forms_of_a_word(german: Translator, decoder: str) -> None:
    options = DecodeOptions(decoder=decoder)
    for stem in ("rund", "weitlich"):
        for ending in ("er", "em"):
            assert german.translate(f"Da ist es {stem}{ending}.", options).text == f"There it is {stem}."


def test_forms_that_the_text_lacks(tmp_path: Path) -> None:
    """Of one adjective there is one form alone; that -es is an ending nothing shows."""
    rare = [("Da ist es flinker.", "There it is nimble."), ("Da ist es Flinker.", "There it is Flinker.")]
    german = make_model(tmp_path / "de-en.model", [*pairs(), *rare[:1] * 3], ("de", "en"))
    assert german.translate("Hier ist es flinkem.").text == "Here it is nimble."
    assert german.translate("Hier ist es flinkes.").text == "Here it is flinkes."
    # A name is no form of an adjective.
    assert "Flinkem" in german.translate("Hier ist es Flinkem, Hund.").text
