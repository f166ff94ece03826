"""Texts translated a little at a time come out as those translated at once; and long sentences can be given up."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.config import DecodeOptions
from dragoman.glossary import Glossary
from dragoman.translation_job import Wishes
from dragoman.translator import Translator
from tests.unit.translate.support import make_model

WORDS = ["la", "maison", "bleue", "chat", "le", "voit", "Chien", "inconnu", ",", ".", "!", "<b>", "</b>", "\n", "12"]
DECODERS = ["hierarchical", "phrase-based"]


@pytest.fixture(scope="module")
def translator(tmp_path_factory: pytest.TempPathFactory) -> Translator:
    return Translator.load(make_model(tmp_path_factory.mktemp("jobs") / "fr-en.model"))


@settings(max_examples=60)
@given(
    texts=st.lists(st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join), max_size=3),
    words=st.integers(1, 30),
    longest=st.sampled_from([0, 1, 3, 10, 100]),
    nbest=st.integers(1, 4),
    explain=st.booleans(),
    decoder=st.sampled_from(DECODERS),
)
def test_turns_change_nothing(
    translator: Translator, texts: list[str], words: int, longest: int, nbest: int, explain: bool, decoder: str
) -> None:
    options = dataclasses.replace(DecodeOptions(), max_sentence_words=longest, decoder=decoder)
    glossary = Glossary.of({"chat": "CAT"} if nbest == 2 else None)
    expected = translator.translate(texts, options, nbest=nbest, explain=explain, glossary=glossary)
    job = translator.start(texts, options, Wishes(nbest, explain, glossary=glossary))
    shares = [job.share]
    turns = 0
    while not job.advance(words):
        shares.append(job.share)
        turns += 1
        assert turns < 1000
    assert job.result() == expected
    assert shares == sorted(shares)
    assert all(0 <= share <= 1 for share in shares)
    assert job.share == 1


def test_a_turn_is_short_however_long_the_sentence(translator: Translator) -> None:
    job = translator.start(["chat maison " * 1000], dataclasses.replace(DecodeOptions(), max_sentence_words=20))
    turns = 1
    while not job.advance(1):
        turns += 1
    assert turns >= 100


class GiveUpError(Exception):
    pass


@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize("longest", [0, 100])
def test_a_long_sentence_can_be_given_up(translator: Translator, decoder: str, longest: int) -> None:
    """Ctrl-C and deadlines are looked at through the same call."""
    options = dataclasses.replace(DecodeOptions(), max_sentence_words=longest, decoder=decoder)
    text = "chat maison chien bleue " * (3000 if longest else 1000)
    calls: list[tuple[int, int]] = []

    def give_up(done: int, total: int) -> None:
        calls.append((done, total))
        # The first is before the line; one after it would say that the line is done.
        if len(calls) == 2:
            raise GiveUpError

    with pytest.raises(GiveUpError):
        translator.translate(text, options, progress=give_up)
    assert calls[-1] == (0, 1)
    calls.clear()
    with pytest.raises(GiveUpError):
        translator.start([text], options).advance(10**9, progress=give_up)
    assert calls[-1] == (0, 1)
    assert str(translator.translate("La maison.")) == "The house."
