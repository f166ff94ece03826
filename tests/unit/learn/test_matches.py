"""Stored pairs near to a sentence: what they say of it, that they come back as they were written, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman import ConfigError, Translator
from dragoman.cli.main import run
from dragoman.index.sources import SourceRecord, write_sources
from dragoman.model.directory import component_output
from tests.unit.learn.support import make_model
from tests.unit.translate.support import PAIRS

# Texts as files have them, of the words the index was built from.
WRITTEN = {
    0: ("La  maison BLEUE.", "The blue\u00a0house."),
    1: ("La maison.", "The house."),
    2: ("Une maison rouge.",) * 2,
}


@pytest.fixture
def translator(tmp_path: Path) -> Translator:
    return Translator.load(make_model(tmp_path / "fr-en.model"))


@pytest.fixture
def with_sources(tmp_path: Path) -> Translator:
    path = make_model(tmp_path / "fr-en.model")
    records = [SourceRecord(number, f"p{number}", *texts, "a.tsv", number + 1) for number, texts in WRITTEN.items()]
    with component_output(path, "sources.bin") as out:
        write_sources(out, records)
    return Translator.load(path)


def test_the_nearest_come_first_and_say_what_differs(translator: Translator) -> None:
    found = translator.matches("La maison rouge.", at_least=50)
    assert [match.percent for match in found] == sorted((match.percent for match in found), reverse=True)
    best = found[0]
    assert best.percent == 75 and best.source in ("la maison bleue.", "une maison rouge.")
    words = [best.source[begin:end] for begin, end in best.source_changes]
    assert words == (["bleue"] if best.source == "la maison bleue." else ["une"])
    assert [" La maison rouge."[begin + 1 : end + 1] for begin, end in best.text_changes] in (["rouge"], ["La"])


def test_what_was_taught_comes_back_as_it_was_written(translator: Translator) -> None:
    source, target = "Le  CHAT ,noir", "The\u00a0black   Cat !"
    translator.add(source, target, "memo")
    best = translator.matches(source)[0]
    assert (best.percent, best.source, best.target, best.id) == (100, source, target, "memo")
    assert best.source_changes == best.text_changes == []
    # Other spaces and letters make another text.
    assert translator.matches("le chat, noir")[0].percent == 99
    translator.add("le chat, noir", "the black cat", "other")
    assert {match.percent for match in translator.matches(source)} == {100, 99}


def test_of_pairs_that_differ_in_letters_alone_the_same_text_comes(translator: Translator) -> None:
    for number, source in enumerate(["OUI", "oui", "Oui"]):
        translator.add(source, "yes", f"lesson {number}")
    for source in ("OUI", "Oui", "oui"):
        (match,) = translator.matches(source)
        assert (match.percent, match.source) == (100, source)


def test_training_text_comes_back_as_it_was_written(with_sources: Translator) -> None:
    for number, (source, target) in WRITTEN.items():
        best = with_sources.matches(source)[0]
        assert (best.percent, best.source, best.target) == (100, source, target)
        assert best.pair.raw and best.place == f"a.tsv:{number + 1}"


def test_removed_pairs_never_come(translator: Translator) -> None:
    source = "Le chat dort bien."
    translator.add(source, "The cat sleeps well.", "memo")
    snapshot = translator.snapshot()
    assert translator.matches(source)[0].percent == 100
    translator.remove("memo")
    assert all(match.id != "memo" and match.percent < 100 for match in translator.matches(source, 50, at_least=1))
    # Whoever began before sees it as it was.
    assert snapshot.matches(source)[0].id == "memo"
    translator.remove("line:1")
    assert all("bleue" not in match.source for match in translator.matches(PAIRS[0][0], 50, at_least=90))


@pytest.mark.parametrize("text", ["", "   ", "zorglub", "\u200b", "a " * 5000])
def test_texts_that_nothing_is_near_to(translator: Translator, text: str) -> None:
    assert translator.matches(text) == []


def test_wrong_arguments_get_a_sentence(translator: Translator) -> None:
    for wrong in ({"at_least": 0}, {"at_least": 101}, {"k": -1}, {"k": 1.5}):
        with pytest.raises(ConfigError):
            translator.matches("la maison", **wrong)  # type: ignore[arg-type]
    with pytest.raises(ConfigError):
        translator.matches(3)  # type: ignore[arg-type]


def test_explain_shows_them(translator: Translator, capsys: pytest.CaptureFixture[str]) -> None:
    explanation = translator.explain("La maison rouge.", matches=2)
    assert len(explanation.matches) == 2
    assert explanation.as_json()["matches"][0]["percent"] == 75
    assert "matches" not in translator.explain("La maison rouge.").as_json()
    assert run(["explain", "-m", str(translator.model.path), "--matches", "1", "La maison rouge."]) == 0
    shown = capsys.readouterr().out
    assert "Nearest in the memory\n75 %" in shown and "[" in shown.split("Nearest in the memory")[1]
