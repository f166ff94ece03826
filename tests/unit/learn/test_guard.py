"""What is refused before a model learns it, and that what is merely unknown is not."""

from __future__ import annotations

import itertools
import lzma
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.corpus.language_profile import LanguageProfile, words_in
from dragoman.errors import InputError
from dragoman.learn.guard import LEAST_TOGETHER, Fault, PairGuard, Refusals
from dragoman.learn.new_pairs import NewPair
from tests.unit.corpus.test_recognizer import SENTENCES, SYLLABLES, MadeUp
from tests.unit.corpus.test_side_languages import MESSAGES

FRENCH_ENGLISH = PairGuard(LanguageProfile("fr"), LanguageProfile("en"))


def fault(guard: PairGuard, source: str, target: str) -> Fault | None:
    objection = guard.objection(source, target)
    return None if objection is None else objection.fault


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("guérite", "sentry box"),
        ("Zorglub", "Snark"),
        ("ISO/IEC 27001:2022", "ISO/IEC 27001:2022"),
        ("com.sun.star.util.DateTime", "com.sun.star.util.DateTime"),
        ("Je vais voir « The House on the Hill That Was ».", "I am seeing The House on the Hill That Was."),
        ("OTAN", "North Atlantic Treaty Organization"),
        ("oui", "yes"),
        ("%d fichiers", "%d files"),
        ("$player_name|, vous avez perdu.", "$player_name|, you have lost."),
        ("3 + 4 = 7", "3 + 4 = 7"),
    ],
)  # fmt: skip
def test_what_lessons_are_for_is_taken(source: str, target: str) -> None:
    assert fault(FRENCH_ENGLISH, source, target) is None


@pytest.mark.parametrize(("source", "target"), [*itertools.permutations(SENTENCES, 2)])
def test_a_sentence_in_another_language_is_refused(source: str, target: str) -> None:
    """Whichever two of seven languages a pair is in, only its own model takes it."""
    guard = PairGuard(LanguageProfile(source), LanguageProfile(target))
    for ours, theirs in itertools.product(SENTENCES, repeat=2):
        expected = None if (ours, theirs) == (source, target) else Fault.LANGUAGES
        assert fault(guard, SENTENCES[ours], SENTENCES[theirs]) is expected


def test_swapped_sides_are_called_so() -> None:
    objection = FRENCH_ENGLISH.objection(SENTENCES["en"], SENTENCES["fr"])
    assert objection is not None
    assert "swapped" in objection.sentence


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("", "word", Fault.NO_WORDS),
        ("mot", " \n", Fault.NO_WORDS),
        ("mot " * 201, "word " * 201, Fault.TOO_LONG),
        ("字" * 201, "word " * 150, Fault.TOO_LONG),
        ("mot", "word " * 100, Fault.UNEQUAL),
        ("m" * 100_001, "w" * 100_001, Fault.UNFIT),
        ("\ud800", "word", Fault.UNFIT),
    ],
)
def test_sides_that_cannot_be_a_pair(source: str, target: str, expected: Fault) -> None:
    assert fault(FRENCH_ENGLISH, source, target) is expected
    refusals = Refusals()
    taken = FRENCH_ENGLISH.taken([NewPair(source, target)], refusals, force=True)
    assert bool(taken) is expected.forcible
    with pytest.raises(InputError):
        FRENCH_ENGLISH.require([NewPair(source, target, "x")])


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_judged(source: str, target: str) -> None:
    FRENCH_ENGLISH.objection(source, target)


def pairs_of(source: str, target: str, file: str = "") -> list[NewPair]:
    texts = zip(MESSAGES[source] * 4, MESSAGES[target] * 4, strict=True)
    return [NewPair(ours, theirs, f"{file}:{n}", {"file": file}) for n, (ours, theirs) in enumerate(texts)]


def test_short_pairs_of_a_file_are_judged_together() -> None:
    """Each file by itself: a wrong one is refused whole, with one sentence, and its neighbour taken."""
    refusals = Refusals()
    good, wrong = pairs_of("fr", "en", "good.tsv"), pairs_of("es", "de", "wrong.tsv")
    assert FRENCH_ENGLISH.taken([*good, *wrong], refusals) == good
    assert refusals.counts == {Fault.LANGUAGES: len(wrong)}
    told = refusals.sentence()
    assert "24 in other languages than the model's (wrong.tsv:0: the source text looks like Spanish" in told
    assert "--force" in told
    assert FRENCH_ENGLISH.taken(wrong, Refusals(), force=True) == wrong


def test_a_few_short_pairs_are_not_judged_together() -> None:
    few = pairs_of("es", "de")[: LEAST_TOGETHER - 1]
    short = [pair for pair in few if FRENCH_ENGLISH.objection(pair.source, pair.target) is None]
    refusals = Refusals()
    assert FRENCH_ENGLISH.taken(few, refusals) == short
    assert len(refusals) == len(few) - len(short)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_languages_without_a_list_are_judged_by_vocabulary(seed: int) -> None:
    """Two made-up languages, and a third that nobody has heard of; each spells its words like the others."""
    ours, theirs, third = (MadeUp(code, SYLLABLES, seed + n, 3000) for n, code in enumerate(("xa", "xb", "xc")))
    guard = PairGuard(ours.profile, theirs.profile)

    def pairs(one: MadeUp, other: MadeUp, unknown: float = 0.0) -> list[NewPair]:
        return [NewPair(one.text(10, seed + n, unknown), other.text(10, seed + n, unknown)) for n in range(60)]

    assert len(guard.taken(pairs(ours, theirs, 0.6), Refusals())) == 60
    swapped, strange = Refusals(), Refusals()
    assert not guard.taken(pairs(theirs, ours), swapped)
    assert "swapped" in swapped.sentence()
    far = [NewPair(f"{p.source}".replace("a", "ø"), p.target.replace("a", "ø")) for p in pairs(third, third, 1.0)]
    assert not guard.taken(far, strange)
    assert "hardly a word" in strange.sentence()
    # The same words as a list of terms, which may all be new.
    terms = [NewPair(f"z{n}", f"y{n}") for n in range(60)]
    assert guard.taken(terms, Refusals()) == terms


# Real text: captions are what the model knows, and everything else is new to it.
DOMAINS = {
    ("fr", "en"): ["tatoeba.fr-en/train", "newstest/fr-en/newstest2012"],
    ("en", "de"): ["tatoeba.en-de/train", "newstest/en-de/newstest2012"],
    ("en", "cs"): ["tatoeba.en-cs/train", "libreoffice-help.en-cs/train", "wesnoth.en-cs/train"],
}
Shared = Callable[[str], Path]


def lines(shared: Shared, name: str, lang: str, most: int = 3000) -> list[str]:
    with lzma.open(shared(f"corpora/{name}.{lang}.xz"), "rt", encoding="utf-8") as stream:
        return [line.rstrip("\n") for line in itertools.islice(stream, most)]


def captions_guard(shared: Shared, langs: tuple[str, str], codes: tuple[str, str], most: int) -> PairGuard:
    def profile(lang: str, code: str) -> LanguageProfile:
        words = Counter(itertools.chain.from_iterable(map(words_in, lines(shared, "multi30k/train", lang, most))))
        return LanguageProfile(code, [word for word, _ in words.most_common()])

    return PairGuard(*map(profile, langs, codes))


@pytest.mark.shared
@pytest.mark.parametrize("langs", DOMAINS, ids="-".join)
@pytest.mark.parametrize("listed", [True, False])
def test_true_pairs_of_other_domains_are_taken(shared: Shared, langs: tuple[str, str], listed: bool) -> None:
    """Fewer than one of a thousand is refused, also where nobody has a list of the languages' words."""
    guard = captions_guard(shared, langs, langs if listed else ("xa", "xb"), 5000)
    for name in DOMAINS[langs]:
        texts = [*zip(*(lines(shared, name, lang) for lang in langs), strict=True)]
        wrong = [pair for pair in texts if fault(guard, *pair) is Fault.LANGUAGES]
        assert len(wrong) * 1000 < len(texts), wrong
        pairs = [NewPair(*pair, origin={"file": name}) for pair in texts]
        assert len(guard.taken(pairs, Refusals())) >= 0.999 * len(pairs)


@pytest.mark.shared
@pytest.mark.parametrize("codes", [("fr", "en"), ("xa", "xb")], ids="-".join)
@pytest.mark.parametrize("other", [("cs", "cs"), ("de", "cs"), ("en", "fr"), ("fr", "cs")], ids="-".join)
def test_pairs_of_other_languages_are_refused_with_one_sentence(
    shared: Shared, codes: tuple[str, str], other: tuple[str, str]
) -> None:
    guard = captions_guard(shared, ("fr", "en"), codes, 5000)
    texts = zip(*(lines(shared, "multi30k/train", lang, 5000) for lang in other), strict=True)
    refusals = Refusals()
    pairs = [NewPair(*pair, origin={"file": "x"}) for pair in texts]
    assert not guard.taken(pairs, refusals)
    assert refusals.counts == {Fault.LANGUAGES: 5000}
