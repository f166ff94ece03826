"""Through two models: each goes on with what the one before wrote, and shows its own sources."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dragoman.chain import Chain, Chained
from dragoman.cli.main import run
from dragoman.cli.through import chained_pairs
from dragoman.config import ReadOptions
from dragoman.corpus.pair import Account
from dragoman.corpus.tmx import read_tmx
from dragoman.errors import ConfigError
from dragoman.translation import SentenceTranslation, Translation
from tests.unit.translate.support import INTO_GERMAN, make_model

TEXT = "Une maison rouge."
LAST = "Ein rotes haus."


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("chain")
    second = make_model(folder / "en-de.model", pairs=INTO_GERMAN, languages=("en", "de"))
    return make_model(folder / "fr-en.model"), second


def test_each_step_goes_on_with_the_last(models: tuple[Path, Path]) -> None:
    chain = Chain.load(models)
    assert chain.languages == ("fr", "en", "de")
    first, second = chain.translators
    for text in (TEXT, "", "Le chat noir dort. La maison bleue.", "Mot inconnu"):
        (result,) = chain.translate([text])
        between = first.translate(text)
        assert result.steps == (between, second.translate(between.text))
        assert str(result) == result.steps[1].text


def test_an_explanation_has_the_sources_of_both_steps(models: tuple[Path, Path]) -> None:
    explanation = Chain.load(models).explain(TEXT)
    assert str(explanation) == LAST
    document = explanation.as_json()
    assert document["through"] == ["fr", "en", "de"]
    assert [(step["source_lang"], step["target_lang"]) for step in document["steps"]] == [("fr", "en"), ("en", "de")]
    assert [step["source"] for step in document["steps"]] == [TEXT, document["steps"][0]["text"]]
    for step in document["steps"]:
        assert step["sources"]


def test_languages_must_meet(models: tuple[Path, Path]) -> None:
    for paths in (models[::-1], (models[0], models[0])):
        with pytest.raises(ConfigError, match="cannot go on after"):
            Chain.load(paths)


def test_the_commands(models: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "text"
    file.write_text(f"{TEXT}\n\n{TEXT}\n")
    chained = ["-m", str(models[0]), "--then", str(models[1])]
    assert run(["translate", *chained, str(file)]) == 0
    assert capsys.readouterr().out == f"{LAST}\n\n{LAST}\n"
    assert run(["translate", *chained, "--json", str(file)]) == 0
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert first["source"] == TEXT and first["text"] == LAST and first["through"] == ["fr", "en", "de"]
    assert all(step["sentences"][0]["phrases"] for step in first["steps"])
    assert run(["translate", *chained, "--explain", str(file)]) == 0
    assert "fr to en: " in (shown := capsys.readouterr().out) and "en to de: " in shown
    assert run(["explain", *chained, TEXT]) == 0
    shown = capsys.readouterr().out
    assert "Through 2 models: fr to en to de." in shown and "fr to en:" in shown and "en to de:" in shown
    for words in ("une → a", "→ haus"):
        assert words in shown
    assert run(["explain", *chained, "--json", TEXT]) == 0
    assert len(json.loads(capsys.readouterr().out)["steps"]) == 2


def test_pairs_of_the_first_language_and_the_last(
    models: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The name after -o counts as it does with one model: a memory is one, and not text with the name of one."""
    chained = ["translate", "-m", str(models[0]), "--then", str(models[1])]
    file = tmp_path / "text"
    file.write_text(f"{TEXT}\n\nLe chat noir dort. {TEXT}\n")
    memory = tmp_path / "x.tmx"
    assert run([*chained, str(file), "-o", str(memory)]) == 0
    units = list(read_tmx(memory, "fr", "de", ReadOptions(), Account()))
    sentences = [(TEXT, LAST), ("Le chat noir dort.", "Die schwarze katze schläft."), (TEXT, LAST)]
    assert [(unit.source, unit.target) for unit in units] == sentences
    assert run([*chained, "--to", "tsv", str(file)]) == 0
    assert capsys.readouterr().out == "".join(f"{source}\t{target}\n" for source, target in sentences)
    assert run([*chained, "--to", "text", str(file), "-o", str(memory)]) == 0
    assert memory.read_text() == f"{LAST}\n\nDie schwarze katze schläft. {LAST}\n"
    assert run([*chained, "--to", "tmx", "--json", str(file)]) == 2
    assert "exclude each other" in capsys.readouterr().err


def test_sentences_that_the_next_model_cuts_otherwise_go_by_the_line() -> None:
    def step(text: str, *spans: tuple[tuple[int, int], tuple[int, int]]) -> Translation:
        sentences = [
            SentenceTranslation("s", "t", 0, {}, source, target, [], [], [], [], [], [], 0, 0, [], False)
            for source, target in spans
        ]
        return Translation(text, [], sentences)

    steps = step("t. t", ((0, 2), (0, 2)), ((3, 4), (3, 4))), step("u u", ((0, 4), (0, 3)))
    (pair,) = chained_pairs([(7, "s. s", Chained(("fr", "en", "de"), steps))])
    assert (pair.source, pair.target, pair.attributes["line"]) == ("s. s", "u u", "7")


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("translate", ["--nbest", "2"]),
        ("translate", ["--alignments"]),
        ("translate", ["--weights", "w.txt"]),
        ("translate", ["--glossary", "terms.tsv"]),
        ("explain", ["--glossary", "terms.tsv"]),
        ("explain", ["--why-not", "x"]),
    ],
)
def test_what_belongs_to_one_model_is_refused(
    models: tuple[Path, Path], command: str, option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, "-m", str(models[0]), "--then", str(models[1]), *option, TEXT]) == 2
    assert f"{option[0]} belongs to one model" in capsys.readouterr().err


def test_a_model_that_cannot_go_on(models: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["translate", "-m", str(models[1]), "--then", str(models[1])]) == 2
    assert "cannot go on after" in capsys.readouterr().err
