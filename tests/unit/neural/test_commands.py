"""nlm cluster, query, perplexity, quantize, inspect: what they print, and what they say about bad input."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from dragoman import _core
from dragoman.cli.main import run
from dragoman.neural.language_model import NeuralLanguageModel
from dragoman.neural.word_classes import cluster
from tests.reference.neural_lm import BEGIN, random_model


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, window in (("nlm.bin", None), ("source.bin", 1)):
        model = random_model(2, window=window, direct=10)
        meta = {**model.meta, "info": json.dumps({"epochs": 3})}
        _core.write_neural_model(str(tmp_path / name), meta, model.buffers())
    (tmp_path / "text").write_text("w1 w2\n\nw3 unheard w0\n")
    (tmp_path / "source").write_text("s1 s2 s3\n\ns0 s0 s9\n")
    (tmp_path / "links").write_text("0-0 2-1\n\n0-0\n")
    return tmp_path


def test_perplexity_is_that_of_the_reference(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, extra in (
        ("nlm.bin", []),
        ("source.bin", ["--source", str(folder / "source"), "--links", str(folder / "links")]),
    ):
        assert run(["nlm", "perplexity", str(folder / name), str(folder / "text"), *extra, "--json"]) == 0
        report = json.loads(capsys.readouterr().out)
        model = random_model(2, window=1 if extra else None, direct=10)
        total = unknown = 0.0
        sources = [[5, 6, 7], [], [4, 4, 1]]
        positions = [[0, 2, 2], [0], [0, 0, 0, 2]]
        for words, source, places in zip([[5, 6, 3], [3], [7, 1, 4, 3]], sources, positions, strict=True):
            context = [BEGIN] * 3
            for word, place in zip(words, places, strict=True):
                score = model.score(context, word, source, place) / math.log(10)
                total += score
                unknown += score if word == 1 else 0
                context = [word, *context][:3]
        assert report["tokens"] == 8 and report["unknown"] == 1 and report["sentences"] == 3
        assert report["log10_prob"] == pytest.approx(total, abs=1e-4)
        assert report["perplexity"] == pytest.approx(10 ** (-total / 8), rel=1e-4)
        assert report["perplexity_known"] == pytest.approx(10 ** (-(total - unknown) / 7), rel=1e-4)


def test_perplexity_tells_how_far_scores_are_from_probabilities(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = str(folder / "text")
    assert run(["nlm", "perplexity", str(folder / "nlm.bin"), text, "--normalisation", "none", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    used, exact = (
        [token.log10_prob for row in model.tokens(["w1 w2", "", "w3 unheard w0"]) for token in row]
        for model in (NeuralLanguageModel(folder / "nlm.bin", normalisation=kind) for kind in ("none", "exact"))
    )
    beyond = [math.log(10) * (one - other) for one, other in zip(used, exact, strict=True)]
    mean = sum(beyond) / 8
    assert report["log_normaliser_mean"] == pytest.approx(mean, abs=1e-5) != 0
    deviation = math.sqrt(sum((each - mean) ** 2 for each in beyond) / 8)
    assert report["log_normaliser_deviation"] == pytest.approx(deviation, abs=1e-5)
    assert run(["nlm", "perplexity", str(folder / "nlm.bin"), text, "--normalisation", "none"]) == 0
    assert f"{mean:.3f} on average" in capsys.readouterr().out


def test_query_scores_every_word(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["nlm", "query", str(folder / "nlm.bin"), str(folder / "text"), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [[token["word"] for token in row["tokens"]] for row in rows] == [
        ["w1", "w2", "</s>"],
        ["</s>"],
        ["w3", "unheard", "w0", "</s>"],
    ]
    assert [row["unknown"] for row in rows] == [0, 0, 1]
    perplexity = NeuralLanguageModel(folder / "nlm.bin").perplexity(["w1 w2", "", "w3 unheard w0"])
    assert sum(row["log10_prob"] for row in rows) == pytest.approx(perplexity.log10_prob, abs=1e-5)


@pytest.mark.parametrize(
    "arguments,words",
    [
        (["source.bin", "text"], "give --source and --links"),
        (["source.bin", "text", "--source", "source"], "give --source and --links"),
        (["nlm.bin", "text", "--source", "source", "--links", "links"], "leave out --source"),
        (["source.bin", "text", "--source", "source", "--links", "text"], "link"),
        (["source.bin", "source", "--source", "links", "--links", "one"], "line by line"),
        (["nowhere.bin", "text"], "nowhere.bin"),
        (["text", "text"], "text"),
    ],
)
def test_bad_input_is_one_sentence(
    arguments: list[str], words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "one").write_text("0-0\n")
    line = [part if part.startswith("-") else str(folder / part) for part in arguments]
    assert run(["nlm", "perplexity", *line]) == 1
    message = capsys.readouterr().err
    assert message.count("\n") == 1 and words in message


def test_quantize_and_inspect(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = folder / "small.bin"
    options = [
        "--input-precision",
        "int4",
        "--output-precision",
        "int8",
        "--direct-bits",
        "6",
        "--normalisation",
        "self",
    ]
    assert run(["nlm", "quantize", str(folder / "nlm.bin"), "--out", str(out), *options]) == 0
    capsys.readouterr()
    assert run(["nlm", "inspect", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["input_precision"], found["output_precision"], found["normalisation"]) == ("int4", "int8", "self")
    assert found["info"] == {"epochs": 3} and found["direct_bits"] == 6
    assert run(["nlm", "inspect", str(out)]) == 0
    assert "int4" in capsys.readouterr().out
    exact = NeuralLanguageModel(folder / "nlm.bin").perplexity(["w1 w2 w3"]).log10_prob
    small = NeuralLanguageModel(out, normalisation="exact").perplexity(["w1 w2 w3"]).log10_prob
    assert small == pytest.approx(exact, abs=0.6)
    assert run(["nlm", "quantize", str(folder / "nlm.bin"), "--out", str(out), "--direct-bits", "9"]) == 2
    assert "direct_bits" in capsys.readouterr().err


def test_cluster_writes_words_and_classes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = folder / "corpus"
    text.write_text("the cat sleeps\nthe dog sleeps\na cat eats\na dog eats\n" * 3 + "rare word\n")
    out = folder / "classes"
    options = ["--classes", "4", "--min-count", "2", "--json"]
    assert run(["nlm", "cluster", str(text), "--out", str(out), *options]) == 0
    report = json.loads(capsys.readouterr().out)
    rows = dict(line.split() for line in out.read_text().splitlines())
    assert report == {"words": 8, "classes": 4, "largest": report["largest"], "tokens": report["tokens"]}
    assert set(rows) == {"<unk>", "</s>", "the", "a", "cat", "dog", "sleeps", "eats"}
    assert rows["cat"] == rows["dog"] and rows["the"] == rows["a"] != rows["cat"]
    by_frequency = cluster([text], 3, method="frequency")
    assert by_frequency.number == 3 and sum(by_frequency.sizes()) == 10
    # A class n-gram model takes the same file.
    lm = [str(text), "--out", str(folder / "lm.bin"), "--classes", str(out), "--order", "2"]
    assert run(["lm", "build", *lm]) == 0
    assert run(["nlm", "cluster", "/dev/null", "--out", str(out)]) == 1
    assert "no words" in capsys.readouterr().err


def test_flags_win_over_a_preset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Flags that say what is the default without a preset, too."""
    (tmp_path / "text").write_text("a b c\n" * 30)
    out = str(tmp_path / "nlm.bin")
    command = ["nlm", "train", str(tmp_path / "text"), "--out", out, "--device", "cpu", "--threads", "1", "--json"]
    for flags, expected in (
        ([], {"training": "nce", "shared_noise": False, "output_precision": "f32", "epochs": 10}),
        (
            ["--training", "likelihood", "--shared-noise", "--output-precision", "int8", "--epochs", "0"],
            {"training": "likelihood", "shared_noise": True, "output_precision": "int8", "epochs": 0},
        ),
    ):
        assert run([*command, "--preset", "thesis", *flags]) == 0
        assert json.loads(capsys.readouterr().out)["plan"]["dimension"] == 500
        told = json.loads(_core.NeuralModel(out).describe()["info"])["options"]
        assert {name: told[name] for name in expected} == expected
