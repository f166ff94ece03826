"""Training text that is not in its languages: swapped, the same on both sides, another language; and text that is."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.corpus.side_languages import MOST_PAIRS, SideLanguages

# What short messages of programs look like: nobody could tell the language of one of them.
MESSAGES = {
    "en": ["Open the file", "Do you want to save it?", "This is not a folder", "No such file", "Save as", "You and me"],
    "fr": ["Ouvrir le fichier", "Voulez-vous le garder ?", "Ce n'est pas un dossier", "Pas de fichier", "Garder sous",
           "Vous et moi"],
    "de": ["Die Datei öffnen", "Wollen Sie sie behalten?", "Das ist kein Ordner", "Keine Datei", "Sichern als",
           "Du und ich"],
    "es": ["Abrir el archivo", "¿Quiere guardarlo?", "Esta no es una carpeta", "No hay archivo", "Guardar como",
           "Tú y yo, los dos"],
    "el": ["Άνοιγμα του αρχείου", "Θέλετε να το κρατήσετε;", "Αυτό δεν είναι φάκελος", "Κανένα αρχείο",
           "Αποθήκευση ως", "Εσύ και εγώ"],
    "eu": ["Ireki fitxategia", "Gorde nahi duzu?", "Hau ez da karpeta bat", "Ez dago fitxategirik", "Gorde honela",
           "Zu eta ni"],
    "cy": ["Agor y ffeil", "Ydych chi am ei gadw?", "Nid ffolder yw hwn", "Dim ffeil", "Cadw fel", "Ti a fi"],
}  # fmt: skip
LISTED = ("en", "fr", "de", "es", "el")


def said(langs: tuple[str, str], texts: tuple[str, str], copies: int = 3) -> str:
    sides = SideLanguages(*langs)
    for source, target in list(zip(MESSAGES[texts[0]], MESSAGES[texts[1]], strict=True)) * copies:
        sides.see(source, target)
    return sides.doubt()


@pytest.mark.parametrize("langs", [*itertools.permutations(MESSAGES, 2)])
def test_text_in_its_languages_is_not_doubted(langs: tuple[str, str]) -> None:
    assert said(langs, langs) == ""


@pytest.mark.parametrize("langs", [pair for pair in itertools.permutations(MESSAGES, 2) if set(pair) != {"eu", "cy"}])
def test_swapped_sides(langs: tuple[str, str]) -> None:
    """Also where there is a list of words for one of the two alone."""
    assert said(langs, langs[::-1]).endswith("source and target swapped?")


def test_what_nobody_can_know_is_not_doubted() -> None:
    assert said(("eu", "cy"), ("cy", "eu")) == ""
    assert said(("eu", "cy"), ("fr", "de")) == ""


@pytest.mark.parametrize(("expected", "other"), [*itertools.permutations(LISTED, 2)])
def test_another_language_on_one_side(expected: str, other: str) -> None:
    partner = next(code for code in ("en", "fr", "de") if code not in (expected, other))
    assert said((expected, partner), (other, partner)).startswith("the source text looks like ")
    assert said((partner, expected), (partner, other)).startswith("the target text looks like ")


@pytest.mark.parametrize("code", LISTED)
def test_one_language_on_both_sides(code: str) -> None:
    other = "fr" if code != "fr" else "en"
    assert said((code, other), (code, code)).startswith("the target text looks like ")


def test_text_that_is_right_for_the_most_part_is_not_doubted() -> None:
    sides = SideLanguages("fr", "en")
    for number, (french, english) in enumerate(zip(MESSAGES["fr"] * 50, MESSAGES["en"] * 50, strict=True)):
        sides.see(*((french, english) if number % 4 else (english, english)))
    assert sides.doubt() == ""


@given(st.integers(0, 5000))
def test_pairs_are_looked_at_evenly(count: int) -> None:
    sides = SideLanguages("fr", "en")
    for number in range(count):
        sides.see(str(number), "")
    numbers = [int(source) for source, _ in sides._pairs]
    assert len(numbers) <= MOST_PAIRS
    assert len(numbers) >= min(count, MOST_PAIRS // 2)
    assert len({after - before for before, after in itertools.pairwise(numbers)}) <= 1
    assert not numbers or count - numbers[-1] <= max(1, 2 * count // len(numbers))
