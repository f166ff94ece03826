"""What the benchmark of faithfulness counts as lost or put in."""

from __future__ import annotations

import pytest

from benchmarks.fidelity import Linked, losses, months_of, names_of, negated
from dragoman.align.aligner import AlignmentModel

FR_EN = ("fr", "en")


@pytest.mark.parametrize(
    ("source", "output", "reference", "lost"),
    [
        ("Hier Marie a vu tout Paris.", "Yesterday Marie saw.", "Yesterday Marie saw Paris.", {"names_lost": 1}),
        # What the reference calls otherwise is no name to keep, nor is a word that begins a sentence.
        ("Hier il a vu Londres.", "Yesterday he saw it.", "Yesterday he saw London.", {}),
        ("Marie dort. Paul mange.", "She sleeps. He eats.", "Marie sleeps. Paul eats.", {}),
        ("Il ne dort pas.", "He sleeps.", "He does not sleep.", {"negations_lost": 1}),
        ("Il ne dort pas.", "He doesn't sleep.", "He does not sleep.", {}),
        ("Il ne fait que dormir.", "He sleeps.", "He only sleeps.", {}),
        ("En mars 2010", "In 2010", "In March 2010", {"months_lost": 1}),
        ("le 3 mai", "in spring", "on 3 May", {"months_lost": 1}),
        ("il sait", "he may", "he may know", {}),
        ("%1 de {n} <b>fichiers</b>", "%1 of {m} <b>files", "", {"placeholders_lost": 1, "tags_lost": 1}),
        ("Il y a 3 %d $[officename]", "3 %d $[officename]", "", {}),
    ],
)
def test_losses(source: str, output: str, reference: str, lost: dict[str, int]) -> None:
    counts = losses(source, output, reference, FR_EN)
    assert {name: count for name, count in counts.items() if name.endswith("_lost") and count} == lost


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Das ist kein Haus", "de", True),
        ("Das ist ein Haus", "de", False),
        ("Nevidím ho", "cs", True),
        ("Nebo jeho dům", "cs", False),
        ("Nejlepší dům", "cs", False),
        ("It isn’t so", "en", True),
        ("a knot", "en", False),
        ("n'importe", "fr", True),
    ],
)
def test_negations(text: str, language: str, expected: bool) -> None:
    assert negated(text, language) == expected


def test_headlines_have_no_names() -> None:
    assert not names_of("All Words With Capitals Here")
    assert names_of("« Le Monde » : Jean est à la Maison des uns et des autres") == {"Monde": 1, "Maison": 1}


def test_months_that_are_other_words() -> None:
    assert not months_of("we may march", "en")
    assert months_of("on 3 May and 4 March 2010, in June", "en") == {4: 1, 2: 1, 5: 1}


def test_words_from_nowhere_and_several_translations() -> None:
    pairs = [("le chat dort", "the cat sleeps"), ("un chat", "a cat"), ("le chien", "the dog"), ("chat", "cat")] * 20
    model = AlignmentModel.train([source for source, _ in pairs], [target for _, target in pairs]).model
    assert model is not None
    # A hundred other words, so that these are none of the commonest.
    filler = [" ".join(f"w{n:03}" for n in range(100))] * 3
    sources = [*filler, "le chat dort", "un chat", "chat"]
    outputs = [*filler, "the cat sleeps", "a tomcat", "cat"]
    linked = Linked(model, sources, outputs, FR_EN)
    again, several = linked.several(page=6)
    assert several <= again
    first, second = (
        Linked(model, sources, lines, FR_EN).several(6) for lines in (outputs, [*outputs[:4], "a cat", "cat"])
    )
    assert first[1] == second[1] + 1
    unlinked = Linked(model, ["", *sources], ["zebra", *outputs], FR_EN)
    assert unlinked.from_nowhere() == linked.from_nowhere() + 1
