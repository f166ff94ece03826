"""`dragoman explain`: training sentences and plain words first, then the numbers, and no word is ever broken."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from dragoman import Translator
from dragoman.cli.explain import draw, draw_comparison
from dragoman.cli.main import run
from dragoman.config import DecodeOptions
from dragoman.explain.comparison import compare
from dragoman.explain.feature_meanings import MEANINGS, OTHER, meaning_of
from dragoman.model.weights import DEFAULT_WEIGHTS, LANGUAGE_MODELS, UNTUNED
from tests.unit.translate.support import make_model

SENTENCES = [
    "La maison bleue.",
    "Le chat noir voit une maison rouge, oui, et le chien dort.",
    "Le zorglub, le chat et la voiture bleue. Est-ce un chat ?",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft !",
]


@pytest.fixture(scope="module")
def translator(tmp_path_factory: pytest.TempPathFactory) -> Translator:
    return Translator.load(make_model(tmp_path_factory.mktemp("model") / "fr-en.model"))


def drawn(translator: Translator, text: str, width: int, decoder: str = "hierarchical") -> str:
    options = DecodeOptions(decoder=decoder)
    written = io.StringIO()
    console = Console(file=written, width=width, force_terminal=True, color_system=None, highlight=False, markup=False)
    for sentence in translator.explain(text, options).sentences:
        draw(sentence, console)
    draw_comparison(compare(translator, text, "The house is another.", options), console)
    return written.getvalue()


def words(text: str) -> list[str]:
    """But for what trees and tables are drawn with, and in any order, since cells wrap by themselves."""
    return sorted(re.sub("[│├└─]", " ", text).split())


@pytest.mark.parametrize("text", SENTENCES[:3])
@pytest.mark.parametrize("decoder", ["hierarchical", "phrase-based"])
def test_no_word_is_broken(text: str, decoder: str, translator: Translator) -> None:
    whole = drawn(translator, text, 1000, decoder)
    for width in (60, 80, 100):
        narrow = drawn(translator, text, width, decoder)
        assert max(len(line.rstrip()) for line in narrow.splitlines()) <= width
        assert words(narrow) == words(whole)


@pytest.mark.parametrize("text", SENTENCES)
def test_sentences_come_before_numbers(text: str, translator: Translator, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "-m", str(translator.model.path), text]) == 0
    shown = capsys.readouterr().out
    for part in shown.split("\n→ ")[1:]:
        first, _, numbers = part.partition("How it was scored")
        assert "=" not in first and "[X," not in shown
        assert not any(name in first for name in DEFAULT_WEIGHTS)
        assert "—" in first or "Nobody has translated this" in first
        for line in numbers.split("By phrase")[0].splitlines():
            name = line.split(" ")[0]
            assert name not in DEFAULT_WEIGHTS or line.endswith(meaning_of(name))


def test_every_feature_has_a_sentence() -> None:
    known = [*DEFAULT_WEIGHTS, *UNTUNED, *LANGUAGE_MODELS.values()]
    known += [f"{name}_OOV" for name in LANGUAGE_MODELS.values()]
    core = Path(__file__).parents[3] / "core"
    for file in ("rules/node_rules.h", "search/features.h"):
        text = (core / file).read_text()
        found = re.findall(r'"([A-Z][A-Za-z]+)"', text)
        assert len(found) > 5, f"{file} names no features any more"
        known += found
    assert {name for name in known if meaning_of(name) == OTHER} == set()
    assert len(set(MEANINGS.values())) == len(MEANINGS)
    assert all(text.endswith(".") and len(text) <= 90 for text in map(meaning_of, known))
    assert meaning_of("PhraseModel_0") == OTHER
