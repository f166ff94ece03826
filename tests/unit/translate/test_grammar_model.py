"""A grammar or a phrase table in place of the training text: `translate --grammar`."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.cli.main import run
from dragoman.config import DecodeOptions, TuneOptions
from dragoman.errors import ConfigError, InputError
from dragoman.translator import Translator
from dragoman.tune import tune_model
from tests.unit.translate.support import make_model

GRAMMAR = """\
[X] ||| la ||| the ||| P=0.5 ||| 0-0
[X] ||| maison ||| palace ||| P=0.5 ||| 0-0
[X] ||| [X,1] bleue ||| blue [X,1] ||| P=0.5 ||| 1-0
[X] ||| paul ||| paul ||| P=0.5 ||| 0-0
[X] ||| . ||| . ||| P=0.5 ||| 0-0
"""
TABLE = """\
la ||| the ||| 0.5 0.25 0.5 1 ||| 0-0 ||| 1 1 1
la maison ||| the palace ||| 0.5 0 0.5 1 ||| 0-0 1-1 ||| 1 1 1
la maison ||| the house ||| 0.001 0.5 0.5 1 ||| 0-0 1-1 ||| 1 1 1
. ||| . ||| 1 1 1 1 ||| 0-0
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("grammar") / "fr-en.model")


@pytest.fixture
def grammar(tmp_path: Path) -> Path:
    path = tmp_path / "rules.txt"
    path.write_text(GRAMMAR, encoding="utf-8")
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "phrases.txt"
    path.write_text(TABLE, encoding="utf-8")
    return path


@pytest.mark.parametrize("decoder", ["hierarchical", "phrase-based"])
def test_rules_of_a_grammar(model: Path, grammar: Path, decoder: str) -> None:
    translator = Translator.load(model, grammar=grammar, weights={"P": 1.0, "LanguageModel": 0.1})
    options = DecodeOptions(decoder=decoder, distortion_limit=0)
    assert str(translator.translate("La maison.", options)) == "The palace."
    result = translator.translate("La maison bleue.", options, explain=True)
    assert str(result) == ("The blue palace." if decoder == "hierarchical" else "The palace bleue.")
    assert {phrase.kind for phrase in result.sentences[0].phrases} <= {"grammar", "pass-through"}
    assert translator.pair(0) is None
    with pytest.raises(ConfigError, match="cannot learn"):
        translator.add("La maison.", "The house.")


def test_scores_of_a_phrase_table_are_logarithms(model: Path, table: Path) -> None:
    names = [f"PhraseModel_{number}" for number in range(4)]
    translator = Translator.load(model, grammar=table, weights={names[0]: 1.0})
    result = translator.translate("La maison.")
    assert str(result) == "The palace."
    features = result.sentences[0].features
    assert features[names[0]] == pytest.approx(-0.30103, abs=1e-5)
    # What has probability 0 is very unlikely, and no more.
    assert features[names[1]] == pytest.approx(-40)
    assert names[3] not in features or features[names[3]] == 0
    other = Translator.load(model, grammar=table, weights={names[1]: 1.0})
    assert str(other.translate("La maison.")) == "The house."


def test_words_are_written_as_the_model_knows_them(tmp_path: Path) -> None:
    model = make_model(tmp_path / "fr-en.model")
    path = tmp_path / "rules.txt"
    path.write_text("[X] ||| le ||| the ||| P=1\n[X] ||| chat ||| cat ||| P=1\n", encoding="utf-8")
    translator = Translator.load(model, grammar=path, weights={"P": 1.0})
    assert str(translator.translate("Le chat")) == "The cat"
    assert str(translator.translate("LE CHAT")) == "THE CAT"


def test_bad_lines_and_weights_are_named(model: Path, grammar: Path) -> None:
    # The model's own weights are of other features.
    with pytest.raises(ConfigError, match="no part of this model has a feature"):
        Translator.load(model, grammar=grammar)
    grammar.write_text(GRAMMAR + "[X] ||| a ||| b\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"rules\.txt.*a rule line is") as caught:
        Translator.load(model, grammar=grammar, weights={"P": 1.0})
    assert caught.value.line == 6
    for line, says in (
        ("a ||| b", "one of a phrase"),
        ("a ||| b ||| -0.5", "probability"),
        ("[X,1] a ||| b ||| 1", "gaps"),
    ):
        grammar.write_text(line + "\n", encoding="utf-8")
        with pytest.raises(InputError, match=says):
            Translator.load(model, grammar=grammar, weights={})
    with pytest.raises(OSError, match="missing"):
        Translator.load(model, grammar=grammar.parent / "missing.txt", weights={})


def test_the_command(model: Path, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, weights = tmp_path / "text.fr", tmp_path / "weights.txt"
    text.write_text("La maison.\n", encoding="utf-8")
    weights.write_text("PhraseModel_0 1\n", encoding="utf-8")
    given = ["translate", "-m", str(model), "--grammar", str(table), "--weights", str(weights), str(text)]
    assert run(given) == 0
    assert capsys.readouterr().out == "The palace.\n"


def test_weights_of_a_phrase_table_are_tuned(model: Path, table: Path, tmp_path: Path) -> None:
    """The second score alone prefers the house."""
    source, target = (tmp_path / "dev.fr", tmp_path / "dev.en")
    source.write_text("La maison la maison.\nLa maison, la maison\n", encoding="utf-8")
    target.write_text("The house the house.\nThe house, the house\n", encoding="utf-8")
    start, learned = tmp_path / "start.txt", tmp_path / "learned.txt"
    start.write_text("PhraseModel_0 1\nLanguageModel 0.1\n", encoding="utf-8")
    before = (model / "weights.txt").exists()
    command = ["tune", "-m", str(model), str(source), str(target), "--grammar", str(table), "--start", str(start)]
    assert run([*command, "--out", str(learned), "--rounds", "3"]) == 0
    assert "PhraseModel_1 " in learned.read_text(encoding="utf-8")
    assert str(Translator.load(model, grammar=table, weights=start).translate("La maison.")) == "The palace."
    assert str(Translator.load(model, grammar=table, weights=learned).translate("La maison.")) == "The house."
    assert (model / "weights.txt").exists() == before


def test_tuning_by_a_grammar_needs_weights_and_a_file_for_them(
    model: Path, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["tune", "-m", str(model), "dev.fr", "dev.en", "--grammar", str(table)]
    for more in ([], ["--out", str(tmp_path / "w.txt")]):
        assert run([*command, *more]) == 2
        assert "needs weights to begin with (--start), and a file for the result (--out)" in capsys.readouterr().err


def test_a_tuning_belongs_to_one_grammar(model: Path, table: Path, tmp_path: Path) -> None:
    options, state = TuneOptions(rounds=1), tmp_path / "state"
    weights = {"PhraseModel_0": 1.0, "LanguageModel": 0.1}
    tune_model(model, ["La maison."], ["The house."], options, weights=weights, grammar=table, state=state)
    with table.open("a", encoding="utf-8") as out:
        out.write("le ||| the ||| 1 1 1 1 ||| 0-0\n")
    with pytest.raises(ConfigError):
        tune_model(model, ["La maison."], ["The house."], options, weights=weights, grammar=table, state=state)
