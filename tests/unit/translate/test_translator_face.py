"""The translator as an object: closed, pickled, shown; and arguments that are not what they are meant to be."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dragoman import ConfigError, DragomanError, FormatError, InputError, Translator
from dragoman.config import DecodeOptions
from dragoman.learn.new_pairs import NewPair
from dragoman.model.weights import DEFAULT_WEIGHTS
from dragoman.translation_job import Wishes
from tests.unit.translate.support import make_model


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("face") / "fr-en.model")


@pytest.fixture(scope="module")
def translator(model: Path) -> Translator:
    return Translator.load(model)


USES: dict[str, Callable[[Translator], Any]] = {
    "translate": lambda t: t.translate("La maison."),
    "translate list": lambda t: t.translate(["La maison."]),
    "start": lambda t: t.start(["La maison."]),
    "explain": lambda t: t.explain("La maison."),
    "why": lambda t: t.why("La maison.", "The house."),
    "add": lambda t: t.add("La maison.", "The house."),
    "remove": lambda t: t.remove("x"),
    "weights": lambda t: t.weights,
    "model": lambda t: t.model,
    "options": lambda t: t.decode_options,
    "snapshot": lambda t: t.snapshot(),
    "overlay": lambda t: t.overlay,
    "pair": lambda t: t.pair(0),
    "sources": lambda t: t.sources(0),
    "conflicts": lambda t: t.glossary_conflicts(),
    "pickle": pickle.dumps,
}


@pytest.mark.parametrize("use", USES)
def test_closed_is_closed(model: Path, use: str) -> None:
    with Translator.load(model) as translator:
        kept = translator.snapshot()
        job = translator.start(["La maison."])
        assert str(translator.translate("La maison bleue.")) == "The blue house."
    with pytest.raises(ConfigError, match="is closed; load the model again"):
        USES[use](translator)
    assert "closed" in repr(translator)
    translator.close()
    # What was begun before goes on.
    assert str(kept.translate("La maison bleue.")) == "The blue house."
    assert job.run()[0].text == "The house."


def test_a_block_that_fails_closes_too(model: Path) -> None:
    with pytest.raises(InputError), Translator.load(model) as translator:
        translator.translate("\ud800")
    with pytest.raises(ConfigError, match="closed"):
        translator.translate("La maison.")


def test_shown(model: Path, translator: Translator) -> None:
    assert repr(translator) == f"<Translator fr → en, {str(model)!r}>"
    assert "snapshot" in repr(translator.snapshot())


@pytest.mark.parametrize("options", [{}, {"weights": DEFAULT_WEIGHTS | {"WordPenalty": -3.0}, "trust": True}])
def test_pickled_by_path_and_options(model: Path, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(model.parent)
    translator = Translator.load(model.name, **options)
    data = pickle.dumps(translator)
    assert len(data) < 3000
    monkeypatch.chdir("/")
    for again in (pickle.loads(data), copy.copy(translator)):
        assert again.weights == translator.weights
        assert again.translate("La maison bleue.") == translator.translate("La maison bleue.")
    program = "import pickle, sys; print(pickle.load(sys.stdin.buffer).translate('La maison bleue.'))"
    done = subprocess.run([sys.executable, "-c", program], input=data, capture_output=True)
    assert done.stdout.decode() == f"{translator.translate('La maison bleue.')}\n"


def test_snapshots_are_not_pickled(translator: Translator) -> None:
    with pytest.raises(ConfigError, match="is a snapshot"):
        pickle.dumps(translator.snapshot())


def test_weights_cannot_be_changed_by_accident(model: Path) -> None:
    given = dict(DEFAULT_WEIGHTS)
    translator = Translator.load(model, weights=given)
    before = dict(translator.weights)
    with pytest.raises(TypeError):
        translator.weights["WordPenalty"] = 5.0  # type: ignore[index]
    given["WordPenalty"] = 5.0
    assert translator.weights == before
    assert pickle.loads(pickle.dumps(translator)).weights == before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"path": 3}, "path must be a path, not int"),
        ({"path": None}, "path must be a path, not NoneType"),
        ({"path": b"x"}, "path must be a path, not bytes"),
        ({"weights": 3}, "weights must be a path, not int"),
        ({"weights": {"WordPenalty": "high"}}, "weights must be a path, or a mapping of names to numbers"),
        ({"weights": {3: 1.0}}, "weights must be"),
        ({"matching": 3}, "matching must be a string, not int"),
        ({"matching": "fuzzy"}, "fuzzy"),
        ({"trust": "yes"}, "trust must be True or False, not str"),
        ({"correction_weight": 1.5}, "correction_weight must be a whole number, not float"),
        ({"correction_weight": 0}, "correction_weight must be from 1"),
        ({"private": 1}, "private must be True or False, not int"),
    ],
)
def test_mistyped_arguments_of_load(model: Path, arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        Translator.load(**{"path": model, **arguments})


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda t: t.translate(3), "text must be a string or a list of strings, not int"),
        (lambda t: t.translate(b"x"), "text must be a string or a list of strings, not bytes"),
        (lambda t: t.translate(["x", None]), r"text\[1\] must be a string, not NoneType"),
        (lambda t: t.translate(line for line in "x"), "text must be a string or a list of strings, not generator"),
        (lambda t: t.translate("x", {"decoder": "hierarchical"}), "options must be DecodeOptions or None, not dict"),
        (lambda t: t.translate("x", nbest="3"), "nbest must be a whole number, not str"),
        (lambda t: t.translate("x", nbest=0), "nbest must be from 1"),
        (lambda t: t.translate("x", nbest=2.0), "nbest must be a whole number, not float"),
        (lambda t: t.translate("x", explain="yes"), "explain must be True or False, not str"),
        (lambda t: t.translate("x", origins=-1), "origins must be from 0"),
        (lambda t: t.translate("x", confidence=1), "confidence must be True or False"),
        (lambda t: t.translate("x", threads=None), "threads must be a whole number, not NoneType"),
        (lambda t: t.translate("x", first_line="1"), "first_line must be a whole number"),
        (lambda t: t.translate("x", progress=3), "progress must be a function"),
        (lambda t: t.explain(["x"]), "text must be a string, not list"),
        (lambda t: t.explain("x", sources=-1), "sources must be from 0"),
        (lambda t: t.why("x", 3), "target must be a string, not int"),
        (lambda t: t.why(3, "x"), "source must be a string, not int"),
        (lambda t: t.why("x", "y", 3), "options must be"),
        (lambda t: t.add("x", None), "target must be a string, not NoneType"),
        (lambda t: t.add("x", "y", 3), "id must be a string, not int"),
        (lambda t: t.add("x", "y", links=[(0, 0)]), "links must be a string, not list"),
        (lambda t: t.add_pairs([("x", "y")]), "pairs must be a list of NewPair, not tuple"),
        (lambda t: t.add_pairs([NewPair("x", 3)]), "target must be a string, not int"),
        (lambda t: t.remove(3), "id must be a string, not int"),
        (lambda t: t.start(["x"], None, Wishes(glossary="terms.tsv")), "glossary must be a Glossary or None, not str"),
    ],
)
def test_mistyped_arguments(translator: Translator, call: Callable[[Translator], Any], says: str) -> None:
    with pytest.raises(ConfigError, match=says) as refused:
        call(translator)
    assert "\n" not in str(refused.value)
    assert refused.value.option


def test_long_values_are_cut(translator: Translator) -> None:
    with pytest.raises(ConfigError) as refused:
        translator.translate({"x" * 10_000: 1})  # type: ignore[call-overload]
    assert len(str(refused.value)) < 150


def test_a_file_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no such model directory"):
        Translator.load(tmp_path / "nothing")
    assert issubclass(FormatError, DragomanError)


def test_explain_has_one_form(translator: Translator) -> None:
    text = "La maison bleue.\n\n  Le chat dort.  Une voiture."
    explanation = translator.explain(text, DecodeOptions(), sources=2)
    assert str(explanation) == explanation.text == translator.translate(text).text
    made = explanation.as_json()
    assert (made["source"], made["text"]) == (text, explanation.text)
    for sentence, explained in zip(made["sentences"], explanation.sentences, strict=True):
        assert text[slice(*sentence["source"])] == explained.sentence.source
        assert explanation.text[slice(*sentence["target"])] == explained.sentence.text
        for name, tokens in (
            ("source", explained.sentence.source_tokens),
            ("target", explained.sentence.target_tokens),
        ):
            whole = text if name == "source" else explanation.text
            begin, end = sentence[name]
            assert len(sentence[f"{name}_tokens"]) == len(tokens)
            assert all(begin <= a <= b <= end for a, b in sentence[f"{name}_tokens"])
            joined = "".join(whole[a:b] for a, b in sentence[f"{name}_tokens"])
            assert joined == "".join(whole[begin:end].split())
        for phrase in sentence["derivation"]:
            assert len(phrase["origins"]) <= 2
            for origin in phrase["origins"]:
                pair = made["sources"][origin["pair"]]
                assert all(0 <= a < b <= len(pair["source"]) for a, b in origin["source"])
        assert sum(sentence["contributions"].values()) == pytest.approx(sentence["score"], abs=1e-4)
