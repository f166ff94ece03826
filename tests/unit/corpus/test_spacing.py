"""Spacing is how a word is written, not part of it: words stay the same, and outputs are spaced as texts show."""

from __future__ import annotations

import pytest

from dragoman._core import Tokenizer, testing


@pytest.mark.parametrize(
    ("language", "raw", "others"),
    [
        ("fr", "Un homme court.", ["Un homme court .", "Un  homme\u00a0court .", "Un homme\u202fcourt\u2009."]),
        ("fr", "Oui, c'est l'homme.", ["Oui , c' est l' homme .", "Oui,c'est l'homme.", "Oui , c ’ est l ' homme ."]),
        ("fr", "Aujourd'hui quelqu'un vient.", ["Aujourd' hui quelqu' un vient .", "Aujourd ’ hui quelqu ’ un vient."]),
        ("fr", "Vient-il lui-même ?", ["Vient -il lui -même ?", "Vient-il lui-même?"]),
        ("fr", "Que dit-on « ici » ?", ["Que dit-on «ici»?", "Que dit -on « ici » ?"]),
        ("en", "It's John's, isn't it?", ["It 's John 's , is n't it ?", "It ’ s John ’ s, is n’t it?"]),
        ("en", "Wait (here), please.", ["Wait ( here ) , please .", "Wait(here),please."]),
        ("cs", "Chcete-li, pojďte.", ["Chcete -li , pojďte ."]),
        ("de", "Das ist's: gut.", ["Das ist 's : gut ."]),
    ],
)
def test_words_do_not_depend_on_spaces(language: str, raw: str, others: list[str]) -> None:
    tokenizer = Tokenizer(language)
    words = tokenizer.tokenize([raw], model=True)
    assert "￭" not in words[0] and "▁" not in words[0]
    for other in others:
        assert tokenizer.tokenize([other], model=True) == words
        written = tokenizer.tokenize([other])
        assert " ".join(tokenizer.detokenize(written)[0].split()) == " ".join(other.split())


@pytest.mark.parametrize("text", ["the plan 'd' of", "-Il est là", "« c 'est' »", "ls -la", "a - li", "O 'Brien's"])
def test_other_signs_after_a_space_are_signs(text: str) -> None:
    for language in ("en", "fr", "cs"):
        tokens = Tokenizer(language).tokenize([text])
        assert Tokenizer(language).detokenize(tokens) == [text]


def marked(pairs: list[tuple[str, str, str]]) -> testing.SpacingModel:
    """What texts show: raw source, raw target, links."""
    source = Tokenizer("fr").tokenize("".join(f"{row[0]}\n" for row in pairs).encode())
    target = Tokenizer("en").tokenize("".join(f"{row[1]}\n" for row in pairs).encode())
    links = "".join(f"{row[2]}\n" for row in pairs).encode()
    return testing.SpacingModel.learn(target, "en", source, links, "fr")


def written(model: testing.SpacingModel, words: str, links: str = "", source: str = "") -> str:
    pairs = [(int(s), int(t)) for s, t in (link.split("-") for link in links.split())]
    (source_tokens,) = Tokenizer("fr").tokenize([source])
    return Tokenizer("en").detokenize([model.spaced(words, "en", pairs, source_tokens, "fr")])[0]


def test_without_a_text_habits_and_copies_decide() -> None:
    model = testing.SpacingModel()
    assert written(model, 'he said " yes " , and left .') == 'he said "yes", and left.'
    assert written(model, "a / b") == "a/b"
    # Placeholders and signs are copied with their spaces, commas with the habits of the language.
    assert written(model, "a / b", "0-0 1-1 2-2", "a / b") == "a / b"
    assert written(model, "{0} {1}", "0-0 1-1", "{0}{1}") == "{0}{1}"
    assert written(model, "yes , no", "0-0 1-1 2-2", "oui ,non") == "yes, no"
    # Where a program has put spaces everywhere, they say nothing.
    assert written(model, "a / b .", "0-0 1-1 2-2 3-3", "a / b .") == "a/b."


def test_a_tokenized_text_shows_no_habits() -> None:
    lines = [("un homme court .", "a man runs .", "0-0 1-1 2-2 3-3")] * 30
    for text in (lines, [*lines, *[("Un chat dort.", "A cat sleeps.", "0-0 1-1 2-2 3-3")] * 10]):
        assert written(marked(text), "a dog runs .", "0-0 1-1 2-2 3-3", "un chien court.") == "a dog runs."
        assert written(marked(text), "a dog runs .", "0-0 1-1 2-2 3-3", "un chien court .") == "a dog runs."


def test_a_text_shows_its_habits() -> None:
    pairs = [("Qui court ?", "Who runs ?", "0-0 1-1 2-2"), ("Un homme court.", "A man runs.", "0-0 1-1 2-2 3-3")]
    apart = marked(pairs * 30)
    assert written(apart, "who sleeps ?", "0-0 1-1 2-2", "qui dort ?") == "who sleeps ?"
    assert written(apart, "a dog sleeps .", "0-0 1-1 2-2 3-3", "un chien dort .") == "a dog sleeps."
    raw = marked([("Un homme court.", "A man runs.", "0-0 1-1 2-2 3-3")] * 30)
    assert written(raw, "a dog runs .", "0-0 1-1 2-2 3-3", "un chien court .") == "a dog runs."


def test_the_source_decides_where_the_text_says_that_it_does() -> None:
    pairs = [("non - oui", "no - yes", "0-0 1-1 2-2"), ("non-oui", "no-yes", "0-0 1-1 2-2")]
    pairs += [("chat - chien", "cat - dog", "0-0 1-1 2-2"), ("chat-chien", "cat-dog", "0-0 1-1 2-2")]
    model = marked(pairs * 20)
    for source, target in (("rat - oiseau", "rat - bird"), ("rat-oiseau", "rat-bird")):
        assert written(model, "rat - bird", "0-0 1-1 2-2", source) == target
