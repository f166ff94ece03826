"""Explanations: derivations as trees, sources with their spans marked, and comparisons that say where they differ."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from dragoman.cli.main import run
from dragoman.config import DecodeOptions
from dragoman.explain.comparison import compare
from dragoman.explain.training_text import outside, pair_text
from dragoman.index.sources import SourceRecord, write_sources
from dragoman.model.directory import ModelDirectory, revising_model
from dragoman.translator import Translator
from tests.unit.translate.support import PAIRS, make_model

BOTH = pytest.mark.parametrize("decoder", ["hierarchical", "phrase-based"])
RAW = [(source.capitalize().replace(" .", "."), target.capitalize().replace(" .", ".")) for source, target, _ in PAIRS]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = make_model(tmp_path_factory.mktemp("explained") / "fr-en.model")
    with revising_model(ModelDirectory.open(path), lambda manifest: manifest) as directory:
        write_sources(
            directory / "sources.bin",
            [
                SourceRecord(
                    number, f"tu{number}", source, target, "mém.tmx", 0, f"tu{number}", {"creationid": f"user{number}"}
                )
                for number, (source, target) in enumerate(RAW)
            ],
        )
    return path


@pytest.fixture(scope="module")
def plain_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("plain") / "fr-en.model")


@BOTH
def test_tree_holds_every_rule_once(model: Path, decoder: str) -> None:
    translator = Translator.load(model)
    (made,) = translator.explain(
        "Le chat voit la voiture bleue.", DecodeOptions(decoder=decoder), sources=1000
    ).sentences
    assert [each.phrase for each in made.phrases] == made.sentence.phrases
    walked, left = [], list(made.roots)
    while left:
        walked.append(left.pop())
        left += [made.phrases[number] for number in walked[-1].children]
    assert sorted(map(id, walked)) == sorted(map(id, made.phrases))
    for each in made.phrases:
        spans = [made.phrases[number].phrase.source_span for number in each.children]
        assert sorted(spans) == sorted(each.phrase.source_gaps)
    total = sum(made.contributions.values())
    assert total == pytest.approx(made.sentence.score, abs=1e-6)


@BOTH
def test_sources_are_marked_and_complete(model: Path, decoder: str) -> None:
    translator = Translator.load(model)
    (made,) = translator.explain("La voiture bleue dort.", DecodeOptions(decoder=decoder), sources=1000).sentences
    for each in made.phrases:
        if each.phrase.kind != "grammar":
            continue
        assert each.count == len(each.passages)
        assert each.samples is not None and each.samples >= each.count
        assert each.phrase.features["CountEF"] == pytest.approx(math.log10(1 + each.count), abs=1e-6)
        for passage in each.passages:
            pair = passage.pair
            assert pair.raw
            assert (pair.source.text, pair.target.text) == RAW[pair.stable_id]
            assert pair.place == f"mém.tmx:tu{pair.stable_id}"
            assert pair.record.attributes == {"creationid": f"user{pair.stable_id}"}
            for text, marks, side in (
                (pair.source.text, passage.source_marks, each.phrase.source),
                (pair.target.text, passage.target_marks, each.phrase.target),
            ):
                words = [word for word in side.split() if not word.startswith("[X,")]
                assert "".join(text[a:b] for a, b in marks).lower().replace(" ", "") == "".join(words)


def test_without_sources_the_models_words_are_shown(plain_model: Path) -> None:
    translator = Translator.load(plain_model)
    assert translator.sources(0) is None
    assert translator.pair(99) is None
    (made,) = translator.explain("La maison.").sentences
    pair = next(each for each in made.phrases if each.passages).passages[0].pair
    assert not pair.raw
    assert pair.source.text == PAIRS[pair.stable_id][0].replace(" .", ".")
    assert pair.place == f"pair {pair.stable_id}"


def test_text_that_was_tokenized_otherwise(model: Path) -> None:
    core = Translator.load(model).opened.core
    assert pair_text(core, ["la", "maison"], "La maison").words == [(0, 2), (3, 9)]
    other = pair_text(core, ["la", "mai", "son"], "La maison")
    assert (other.text, other.raw, other.words) == ("la mai son", False, [(0, 2), (3, 6), (7, 10)])
    assert outside((2, 9), [(5, 6), (2, 3)]) == [(3, 5), (6, 9)]


@BOTH
def test_why_not(model: Path, decoder: str) -> None:
    translator = Translator.load(model)
    options = DecodeOptions(decoder=decoder)
    lower = compare(translator, "La maison bleue.", "the house blue.", options)
    assert lower.why.possible
    assert lower.why.score is not None
    lead = lower.our_score - lower.why.score
    assert sum(row.contribution for row in lower.differences) == pytest.approx(lead, abs=1e-6)
    assert "higher" in lower.verdict
    assert "LanguageModel" in lower.verdict
    same = compare(translator, "La maison bleue.", "The blue house.", options)
    assert "score the same" in same.verdict
    unknown = compare(translator, "La maison bleue.", "The green house.", options)
    assert "'green'" in unknown.verdict
    assert unknown.differences == []


def test_why_not_names_the_limit(model: Path) -> None:
    translator = Translator.load(model)
    source, target = "le chat voit la maison et le chien", "dog the cat sees the house and the"
    narrow = translator.why(source, target, DecodeOptions(decoder="phrase-based", distortion_limit=2))
    assert not narrow.possible and not narrow.missing
    needed = int(narrow.relaxations["distortion_limit"])
    assert f"--distortion-limit {needed}" in narrow.reason
    for limit in (needed - 1, needed):
        options = DecodeOptions(decoder="phrase-based", distortion_limit=limit)
        assert translator.why(source, target, options).possible == (limit == needed)


@BOTH
def test_why_not_says_how_far_it_gets(model: Path, decoder: str) -> None:
    translator = Translator.load(model)
    options = DecodeOptions(decoder=decoder)
    short = translator.why("le chat dort", "the cat", options)
    assert not short.possible and not short.missing
    assert short.prefix == 2
    assert "left without a translation" in short.reason
    twice = translator.why("le chat", "cat the cat", options)
    assert twice.pieces and twice.pieces[0][0] == 0 and twice.pieces[-1][1] == 3
    assert twice.prefix == twice.pieces[0][1] < 3
    assert "no further than 'cat" in twice.reason
    assert translator.why("le chat", "cat the", DecodeOptions(decoder="phrase-based")).possible


def test_command(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "-m", str(model), "La maison bleue.", "--why-not", "the house blue."]) == 0
    text = capsys.readouterr().out
    assert "→ The blue house." in text
    assert "[maison]" in text.lower() or "[maison bleue]" in text.lower()
    assert "mém.tmx:tu0" in text and "creationid user0" in text
    assert "speaks for chosen" in text
    assert run(["explain", "-m", str(model), "La maison bleue.", "--json", "--why-not", "the green house."]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["source"], made["text"]) == ("La maison bleue.", "The blue house.")
    phrase = made["sentences"][0]["derivation"][0]
    assert {"source", "target", "count", "samples", "score", "features", "origins", "children"} <= set(phrase)
    assert made["why_not"]["why"]["missing"] == ["green"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["a", "b", "--why-not", "c"], 2, "one sentence"),
        (["--why-not", "c"], 2, "one sentence"),
        (["a", "--sources", "-1"], 2, "--sources"),
    ],
)
def test_command_refuses(
    model: Path, arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", "-m", str(model), *arguments]) == code
    assert said in capsys.readouterr().err
