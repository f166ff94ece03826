"""Confidence from text to model to translation; absent where it was not learned; refused where it is damaged."""

from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cli.main import run
from dragoman.confidence.estimator import ConfidenceModel
from dragoman.confidence.measurement import ConfidenceReport
from dragoman.confidence.seen_text import seen_lines
from dragoman.confidence.training import LEAST_SENTENCES, collect, learn_confidence
from dragoman.errors import FormatError, InputError
from dragoman.model.directory import ModelDirectory
from dragoman.model.opened import OpenRequest
from dragoman.model.weights import read_weights
from dragoman.translator import Translator
from tests.unit.learn.support import make_model as make_learning_model
from tests.unit.translate.support import PAIRS, make_model

NOUNS = {"maison": "house", "chat": "cat", "chien": "dog", "voiture": "car", "zorglub": "thing"}
REST = {"bleue": "blue", "noir": "black", "rouge": "red", "dort": "sleeps", "voit": "sees", "quux": "what"}
# Words the model knows come out right, others do not.
TEXT = [
    (f"la {noun} {rest} .", f"the {REST[rest]} {NOUNS[noun]} .")
    for noun, rest in itertools.islice(itertools.cycle(itertools.product(NOUNS, REST)), 150)
]


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ConfidenceReport]:
    path = make_model(tmp_path_factory.mktemp("confidence") / "fr-en.model")
    return path, learn_confidence(path, [source for source, _ in TEXT], [target for _, target in TEXT])


@pytest.fixture(scope="module")
def index(taught: tuple[Path, ConfidenceReport]) -> Any:
    overlay = OpenRequest(taught[0]).open().overlay
    assert overlay is not None
    return overlay.index


def test_untaught_models_say_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = make_model(tmp_path / "m.model")
    sentence = Translator.load(path).translate("La maison.", confidence=True).sentences[0]
    assert (sentence.confidence, sentence.word_confidence) == (None, None)
    (tmp_path / "in").write_text("La maison.\n")
    assert run(["translate", "-m", str(path), "--json", str(tmp_path / "in")]) == 0
    assert json.loads(capsys.readouterr().out)["sentences"][0]["confidence"] is None


def test_taught_models_know_better(taught: tuple[Path, ConfidenceReport]) -> None:
    path, measured = taught
    assert measured.sentences == 145  # one of them is in the training text, five times
    assert measured.word.brier < measured.word.brier_of_the_mean
    translator = Translator.load(path)
    known = translator.translate("La maison bleue.", confidence=True)
    unknown = translator.translate("La zorglub quux.", confidence=True)
    good, bad = known.sentences[0], unknown.sentences[0]
    assert good.confidence is not None and bad.confidence is not None
    assert 0 <= bad.confidence < good.confidence <= 1
    assert good.word_confidence is not None and bad.word_confidence is not None
    assert len(bad.word_confidence) == len(bad.target_tokens)
    assert max(bad.word_confidence[at] for at in bad.oov) < min(good.word_confidence)
    # Asking changes nothing else.
    plain = translator.translate("La maison bleue.")
    assert (plain.text, plain.score, len(plain.alternatives)) == (known.text, known.score, 1)
    assert known.sentences[0].phrases == [] and plain.sentences[0].confidence is None
    both = translator.translate("La maison bleue.", confidence=True, explain=True, nbest=2)
    assert both.sentences[0].confidence == good.confidence
    assert len(both.alternatives) == 2 and both.sentences[0].phrases[0].origins


def test_every_text_has_a_number(taught: tuple[Path, ConfidenceReport]) -> None:
    translator = Translator.load(taught[0])
    results = translator.translate(["", "   ", "a", "Le chat.\nLa maison. Le chien.", "{0} %s", "😀", "x " * 300],
                                   confidence=True)  # fmt: skip
    for result in results:
        for sentence in result.sentences:
            assert sentence.confidence is not None and 0 <= sentence.confidence <= 1
            assert sentence.word_confidence is not None and all(0 <= each <= 1 for each in sentence.word_confidence)


def test_other_weights_make_it_void(taught: tuple[Path, ConfidenceReport]) -> None:
    weights = {**read_weights(taught[0] / "weights.txt"), "WordPenalty": -2.0}
    sentence = Translator.load(taught[0], weights=weights).translate("La maison.", confidence=True).sentences[0]
    assert sentence.confidence is None


def test_round_trip(taught: tuple[Path, ConfidenceReport], tmp_path: Path) -> None:
    model = ConfidenceModel.load(taught[0] / "confidence.json")
    (tmp_path / "again").write_text(model.to_json())
    assert ConfidenceModel.load(tmp_path / "again") == model
    assert model.measured == taught[1]
    ModelDirectory.open(taught[0], verify=True)


def test_files_of_earlier_versions_know_fewer_features(taught: tuple[Path, ConfidenceReport], tmp_path: Path) -> None:
    data = json.loads((taught[0] / "confidence.json").read_bytes())
    for values in (data["word"]["names"], *(data["word"]["regression"][key] for key in ("weights", "means", "scales"))):
        del values[3], values[-3:]
    (tmp_path / "confidence.json").write_text(json.dumps(data))
    model = ConfidenceModel.load(tmp_path / "confidence.json")
    features = collect(OpenRequest(taught[0]).open(), ["Le chat."], ["The cat."]).features[0]
    assert all(0 <= each <= 1 for each in model.words(features))


@pytest.mark.parametrize(
    "measured", [None, {}, [], "0.5", {"sentences": 7}, {"sentences": 7, "word": 1, "sentence": []}]
)
def test_files_of_earlier_versions_measured_other_things(
    taught: tuple[Path, ConfidenceReport], tmp_path: Path, measured: Any
) -> None:
    data = json.loads((taught[0] / "confidence.json").read_bytes())
    (tmp_path / "confidence.json").write_text(json.dumps({**data, "measured": measured}))
    model = ConfidenceModel.load(tmp_path / "confidence.json")
    assert model.measured is None
    assert model.word == ConfidenceModel.load(taught[0] / "confidence.json").word


def test_same_text_same_bytes(taught: tuple[Path, ConfidenceReport], tmp_path: Path) -> None:
    path = make_model(tmp_path / "m.model")
    learn_confidence(path, [source for source, _ in TEXT], [target for _, target in TEXT], threads=2)
    assert (path / "confidence.json").read_bytes() == (taught[0] / "confidence.json").read_bytes()


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("word"),
        lambda data: data.update(nbest=0),
        lambda data: data.update(nbest="ten"),
        lambda data: data["word"]["regression"].update(bias="x"),
        lambda data: data["word"]["regression"]["scales"].__setitem__(0, 0),
        lambda data: data["word"]["regression"]["weights"].pop(),
        lambda data: data["sentence"].update(curve=[]),
        lambda data: data["sentence"].update(curve=[[0, 2]]),
        lambda data: data["sentence"].update(curve=[[0.5]]),
        lambda data: data["word"].update(curve=[[]]),
        lambda data: data["sentence"].update(curve=[[1, 0.5], [0, 0.1]]),
        lambda data: data["sentence"].update(names=["a"]),
        lambda data: data.update(weights=[1]),
        lambda data: data.update(format=99),
    ],
)
def test_damaged_files(taught: tuple[Path, ConfidenceReport], tmp_path: Path, change: Any) -> None:
    data = json.loads((taught[0] / "confidence.json").read_bytes())
    change(data)
    (tmp_path / "confidence.json").write_text(json.dumps(data))
    with pytest.raises(FormatError, match=r"confidence\.json"):
        ConfidenceModel.load(tmp_path / "confidence.json")


@pytest.mark.parametrize("text", ["", "[]", "{}", "nonsense", '{"format": 1}', "[" * 100_000, '{"format": 1e999}'])
def test_foreign_files(tmp_path: Path, text: str) -> None:
    (tmp_path / "confidence.json").write_text(text)
    with pytest.raises(FormatError):
        ConfidenceModel.load(tmp_path / "confidence.json")


def test_bad_text(tmp_path: Path) -> None:
    path = make_model(tmp_path / "m.model")
    with pytest.raises(InputError, match="must match"):
        learn_confidence(path, ["a"], [])
    with pytest.raises(InputError, match=f"at least {LEAST_SENTENCES}"):
        learn_confidence(path, ["la maison", ""], ["the house", ""])
    assert not (path / "confidence.json").exists()


def test_text_that_the_model_was_trained_on_is_refused(taught: tuple[Path, ConfidenceReport], tmp_path: Path) -> None:
    """However it is written, and what was learned before stays as it was."""
    path = tmp_path / "m.model"
    shutil.copytree(taught[0], path)
    before = (path / "confidence.json").read_bytes()
    changed = [str.upper, str.title, lambda text: text.replace(" .", "!"), lambda text: f"« {text} » 12"]
    for change in (str, *changed):
        source = [change(ours) for ours, _, _ in PAIRS] * 20
        reference = [theirs for _, theirs, _ in PAIRS] * 20
        with pytest.raises(InputError, match="160 of 160 lines are in the model's own training text"):
            learn_confidence(path, source, reference)
        text = [tmp_path / "source", tmp_path / "reference"]
        for file, lines in zip(text, (source, reference), strict=True):
            file.write_text("".join(f"{line}\n" for line in lines))
        assert run(["confidence", "-m", str(path), *map(str, text)]) == 1
    assert (path / "confidence.json").read_bytes() == before


@given(known=st.lists(st.booleans(), max_size=60))
def test_lines_are_known_by_their_words(index: Any, known: list[bool]) -> None:
    lines = [PAIRS[at % len(PAIRS)][0] if seen else f"une {'x' * (at + 1)} de plus" for at, seen in enumerate(known)]
    assert seen_lines(index, [*lines, "12 !", ""]) == {at for at, seen in enumerate(known) if seen}


def test_lines_that_were_trained_on_are_left_out(tmp_path: Path) -> None:
    path = make_model(tmp_path / "m.model")
    own = [(ours, theirs) for ours, theirs, _ in PAIRS] * 10
    seen = sum(ours in {pair[0] for pair in PAIRS} for ours, _ in TEXT)
    report = learn_confidence(path, *([pair[side] for pair in (*TEXT, *own)] for side in (0, 1)))
    assert report.sentences == len(TEXT) - seen
    alone = make_model(tmp_path / "alone.model")
    learn_confidence(alone, *([pair[side] for pair in TEXT] for side in (0, 1)))
    assert (path / "confidence.json").read_bytes() == (alone / "confidence.json").read_bytes()


def test_what_was_taught_is_known_too(tmp_path: Path) -> None:
    path = make_learning_model(tmp_path / "m.model")
    Translator.load(path).add("Un zorglub mange.", "A zorglub eats.")
    opened = OpenRequest(path).open()
    assert opened.overlay is not None
    assert seen_lines(opened.overlay.index, ["un zorglub mange", "un zorglub dort"]) == {0}


def test_examples_are_single_sentences(tmp_path: Path) -> None:
    opened = OpenRequest(make_model(tmp_path / "m.model")).open()
    found = collect(opened, ["Le chat. La maison.", "Le chat.", "", "le"], ["The cat. A.", "The cat.", "", " "])
    assert len(found.features) == 1
    assert found.word_right == [[True, True, True]]
    assert found.sentence_right == [1.0]


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = make_model(tmp_path / "m.model")
    for name, side in (("dev.fr", 0), ("dev.en", 1)):
        (tmp_path / name).write_text("".join(pair[side] + "\n" for pair in TEXT))
    files = [str(tmp_path / "dev.fr"), str(tmp_path / "dev.en")]
    assert run(["confidence", "-m", str(path), *files, "--json"]) == 0
    measured = json.loads(capsys.readouterr().out)
    assert measured["word"]["calibration_error"] < 0.2
    assert run(["confidence", "-m", str(path), *files]) == 0
    assert "calibration error" in capsys.readouterr().out
    assert run(["confidence", "-m", str(path), files[0], str(tmp_path / "none")]) == 1
