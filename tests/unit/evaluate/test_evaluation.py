"""Scores, comparison and measurements of a small model; sacreBLEU itself is the oracle."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dragoman.cli.main import run
from dragoman.config import DecodeOptions
from dragoman.errors import ConfigError, FormatError, InputError
from dragoman.evaluate import evaluate_model, evaluate_texts
from dragoman.evaluate.scores import METRICS
from dragoman.evaluate.speed import percentile
from tests.unit.translate.support import make_model

sacrebleu = pytest.importorskip("sacrebleu")

GOOD = ["The red house.", "the cat sees a house.", "A blue car, yes.", "The dog and the black cat sleep."] * 10
WORSE = ["A red house.", "the cat sees house.", "A car blue, yes.", "The dog and the cat black sleep."] * 10
REFERENCE = ["The red house.", "The cat sees the house.", "A blue car, yes.", "The dog and the black cat sleep."] * 10


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("evaluate") / "fr-en.model")


def test_scores_are_sacrebleus() -> None:
    result = evaluate_texts(GOOD, REFERENCE, samples=100)
    expected = {
        "BLEU": sacrebleu.corpus_bleu(GOOD, [REFERENCE]).score,
        "BLEU-lc": sacrebleu.corpus_bleu(GOOD, [REFERENCE], lowercase=True).score,
        "chrF": sacrebleu.corpus_chrf(GOOD, [REFERENCE]).score,
        "TER": sacrebleu.corpus_ter(GOOD, [REFERENCE]).score,
    }
    assert [each.name for each in result.scores] == list(METRICS)
    for each in result.scores:
        assert each.score == pytest.approx(expected[each.name])
        assert each.low <= each.high
        assert "version:" in each.signature and "bs:100" in each.signature
    assert "case:lc" in result.scores[1].signature
    assert result.length_ratio == pytest.approx(1.0)
    assert result.speed is None and result.against is None


def test_scores_with_several_references_are_sacrebleus() -> None:
    further = [[line.replace("The", "A") for line in REFERENCE], [line.upper() for line in REFERENCE]]
    result = evaluate_texts(WORSE, REFERENCE, further=further, against=GOOD, samples=100)
    texts = [REFERENCE, *further]
    expected = {
        "BLEU": sacrebleu.corpus_bleu(WORSE, texts).score,
        "BLEU-lc": sacrebleu.corpus_bleu(WORSE, texts, lowercase=True).score,
        "chrF": sacrebleu.corpus_chrf(WORSE, texts).score,
        "TER": sacrebleu.corpus_ter(WORSE, texts).score,
    }
    for row in result.scores:
        assert row.score == pytest.approx(expected[row.name])
        assert "nrefs:3" in row.signature
    assert result.score("BLEU") > evaluate_texts(WORSE, REFERENCE, samples=100).score("BLEU") + 1
    # Bounds are worked out from the core's statistics, whose differences must be those of sacreBLEU's scores.
    assert result.against is not None
    for difference in result.against.differences[:2]:
        assert difference.low is not None and difference.high is not None
        assert difference.low <= difference.difference <= difference.high


def test_further_references_must_correspond(model: Path) -> None:
    message = "first reference has 40 lines and reference 3 has 39; they must correspond line by line"
    with pytest.raises(InputError, match=message):
        evaluate_texts(GOOD, REFERENCE, further=[REFERENCE, REFERENCE[1:]])
    with pytest.raises(InputError, match="first reference has 1 lines and reference 2 has 2"):
        evaluate_model(model, ["Une maison."], ["A house."], further=[["A house.", "A home."]])


def test_a_better_system_is_seen_to_be_better() -> None:
    result = evaluate_texts(GOOD, REFERENCE, against=WORSE, samples=200)
    assert result.against is not None
    for each in result.against.differences:
        assert (each.difference < 0) == (each.name == "TER")
        assert each.p_value < 0.05
        if each.low is not None and each.high is not None:
            assert 0 < each.low <= each.difference <= each.high
    assert json.dumps(result.as_json())


def test_equal_systems_are_not_told_apart() -> None:
    result = evaluate_texts(GOOD, REFERENCE, against=list(GOOD), samples=100)
    assert result.against is not None
    assert all(each.difference == 0 and each.p_value > 0.5 for each in result.against.differences)
    assert result.against.differences[0].low == result.against.differences[0].high == 0


def test_a_model_is_translated_with_and_measured(model: Path) -> None:
    source = ["La maison rouge.", "Le chat noir dort.", "Une girafe."]
    reference = ["The red house.", "The black cat sleeps.", "A giraffe."]
    result = evaluate_model(model, source, reference, against=model, samples=50, threads=2)
    assert len(result.translations) == 3
    assert result.unknown_rate == pytest.approx(1 / 12)
    assert result.speed is not None and result.memory is not None and result.against is not None
    assert result.speed.sentences_per_second > 0
    assert 0 < result.speed.p50_milliseconds <= result.speed.p95_milliseconds
    assert result.against.speed is not None
    if Path("/proc/self/status").exists():
        assert result.memory.mapped is not None and result.memory.peak_anonymous is not None
        files = sum((model / name).stat().st_size for name in ("vocab.bin", "bitext.bin", "lexicon.bin", "lm.bin"))
        assert result.memory.mapped >= files
        assert result.memory.budget == result.memory.mapped + result.memory.peak_anonymous
    assert json.dumps(result.as_json())


def test_the_decoder_can_be_chosen(model: Path) -> None:
    result = evaluate_model(
        model, ["La maison."], ["The house."], decode=DecodeOptions(decoder="phrase-based"), samples=50
    )
    assert result.translations == ["The house."]


def test_errors_of_the_process_that_translates_arrive(model: Path) -> None:
    with pytest.raises(ConfigError, match="Nonsense"):
        evaluate_model(model, ["La maison."], ["The house."], weights={"Nonsense": 1.0})
    with pytest.raises(FormatError, match="no such model"):
        evaluate_model(model / "none", ["La maison."], ["The house."])


@pytest.mark.parametrize(("texts", "references"), [(["a"], ["a", "b"]), ([], [])])
def test_texts_that_cannot_be_scored(model: Path, texts: list[str], references: list[str]) -> None:
    with pytest.raises(InputError):
        evaluate_texts(texts, references)
    with pytest.raises(InputError):
        evaluate_model(model, texts, references)


def test_too_few_samples_are_refused() -> None:
    with pytest.raises(ConfigError, match="40"):
        evaluate_texts(GOOD, REFERENCE, samples=10)


@pytest.mark.parametrize(
    ("values", "percent", "expected"), [([1.0, 2.0, 3.0, 4.0], 50, 2.0), ([1.0], 95, 1.0), ([], 50, 0.0)]
)
def test_percentiles(values: list[float], percent: int, expected: float) -> None:
    assert percentile(values, percent) == expected


def test_neither_translating_nor_tuning_imports_sacrebleu() -> None:
    code = "import sys, dragoman.cli.translate, dragoman.cli.tune, dragoman.evaluate.worker; " + (
        "sys.exit(bool({'sacrebleu', 'numpy', 'torch'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_command_takes_several_references(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = {"out": WORSE, "first": REFERENCE, "second": GOOD, "short": GOOD[1:]}
    files = {name: tmp_path / name for name in texts}
    for name, lines in texts.items():
        files[name].write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    scores = []
    for references in (["first"], ["first", "second"]):
        paths = [str(files[name]) for name in ("out", *references)]
        assert run(["evaluate", *paths, "--samples", "40", "--json"]) == 0
        scores.append(json.loads(capsys.readouterr().out)["scores"]["BLEU"])
    assert "nrefs:2" in scores[1]["signature"]
    assert scores[1]["score"] == pytest.approx(sacrebleu.corpus_bleu(WORSE, [REFERENCE, GOOD]).score)
    assert scores[0]["score"] == pytest.approx(sacrebleu.corpus_bleu(WORSE, [REFERENCE]).score)
    assert run(["evaluate", *(str(files[name]) for name in ("out", "first", "short"))]) == 1
    assert "the first reference has 40 lines and reference 2 has 39" in capsys.readouterr().err
