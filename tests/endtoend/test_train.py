"""`dragoman train` as a user runs it: from text to a model, again, interrupted, and with input that cannot work."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dragoman
from dragoman.model.directory import ModelDirectory
from dragoman.pipeline.budget import MAPPED, needed_memory
from dragoman.translator import Translator
from examples.demo.phrasebook import phrases

# Few rounds and few pairs: what is tested here is the way, not the score.
QUICK = ("--threads", "1", "--set", "tune.rounds=2", "--set", "tune.kbest=10", "--set", "decode.pop_limit=20")
STAGES = [
    "prepare",
    "tokenize",
    "align",
    "index",
    "sources",
    "lm",
    "model",
    "tune",
    "confidence",
    "evaluate",
    "measure",
]


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "dragoman", "train", *map(str, arguments)]


def train(*arguments: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*arguments), capture_output=True, text=True, timeout=300, **options)  # type: ignore[call-overload, no-any-return]


def languages(out: Path) -> list[str | Path]:
    return ["--source-lang", "fr", "--target-lang", "en", "--out", out, "--language-models", "ngram"]


def contents(model: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(model.iterdir())}


def events(work: Path) -> list[tuple[str, str]]:
    # The last line may be half written.
    lines = (work / "log.jsonl").read_text().split("\n")[:-1] if (work / "log.jsonl").exists() else []
    return [(entry["event"], entry["stage"]) for entry in map(json.loads, lines)]


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with training text in two files, and sets to tune and test on."""
    folder = tmp_path_factory.mktemp("text")
    pairs = phrases()
    parts = {"train": pairs[:300], "dev": pairs[300:400], "test": pairs[400:420]}
    for part, chosen in parts.items():
        for side, lang in enumerate(("fr", "en")):
            (folder / f"{part}.{lang}").write_text("".join(f"{pair[side]}\n" for pair in chosen), encoding="utf-8")
    return folder


def given(text: Path, out: Path) -> list[str | Path]:
    sets = [(f"--{part}-{side}", text / f"{part}.{lang}") for part in ("dev", "test") for side, lang in SIDES]
    train_set = [(f"--{side}", text / f"train.{lang}") for side, lang in SIDES]
    return [*(each for pair in (*train_set, *sets) for each in pair), *languages(out), *QUICK]


SIDES = (("source", "fr"), ("target", "en"))


@pytest.fixture(scope="module")
def trained(text: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, object]]:
    """A model made without any interruption, and its summary."""
    out = tmp_path_factory.mktemp("trained") / "model"
    done = train(*given(text, out), "--json")
    assert done.returncode == 0, done.stderr
    return out, json.loads(done.stdout)


def test_the_model_translates_and_explains_itself(trained: tuple[Path, dict[str, object]]) -> None:
    out, summary = trained
    model = ModelDirectory.open(out, verify=True)
    wanted = {
        "vocab.bin",
        "bitext.bin",
        "lexicon.bin",
        "align.bin",
        "sources.bin",
        "lm.bin",
        "weights.txt",
        "text.json",
    }
    assert wanted <= set(model.manifest.files)
    assert model.manifest.scores["BLEU"] > 5 and model.manifest.options["align"]["model"] == "agreement"
    assert [row["stage"] for row in summary["stages"]] == STAGES  # type: ignore[attr-defined, index]
    assert summary["memory"]["within_budget"] and len(summary["samples"]) == 3  # type: ignore[arg-type, call-overload, index]
    translator = Translator.load(out)
    # Seen as it is, with the capital and the spacing of French undone.
    assert translator.translate("Bonjour, Marie.").text == "Hello, Marie."
    first = translator.sources(0)
    assert first is not None and first.source == phrases()[0][0] and first.line == 1


def test_neural_models_beside_and_instead_of_ngrams(
    trained: tuple[Path, dict[str, object]], text: Path, tmp_path: Path
) -> None:
    """All in the work folder of the first training, so that only what is new is made."""
    work = shutil.copytree(trained[0].with_name("model.work"), tmp_path / "work")
    for models, expected in (
        (
            "ngram+neural+conditioned",
            {"lm.bin": "LanguageModel", "nlm.bin": "NeuralLM", "source_nlm.bin": "SourceNeuralLM"},
        ),
        ("conditioned", {"source_nlm.bin": "SourceNeuralLM"}),
    ):
        out = tmp_path / models
        quick = ["--no-tune", "--set", "neural_lm.epochs=1", "--set", "neural_lm.dimension=64", "--work", work]
        done = train(*given(text, out), "--language-models", models, *quick, "--json")
        assert done.returncode == 0, done.stderr
        files = json.loads(done.stdout)["files"]
        assert {name for name in files if name.endswith("lm.bin")} == set(expected)
        weights = Translator.load(out).translate("Bonjour, Marie.").as_json()["sentences"][0]["features"]
        assert set(expected.values()) <= set(weights)
    made = [stage for event, stage in events(work) if event == "done"]
    assert made.count("neural") == 1 and made.count("conditioned") == 1


def test_nothing_is_done_twice(text: Path, trained: tuple[Path, dict[str, object]]) -> None:
    out, _ = trained
    before = contents(out), out.stat().st_ino
    done = train(*given(text, out))
    assert done.returncode == 0, done.stderr
    assert [line.split() for line in done.stderr.splitlines() if "note:" not in line] == [
        [s, "unchanged"] for s in STAGES
    ]
    assert (contents(out), out.stat().st_ino) == before


def test_changing_an_option_runs_what_depends_on_it(
    text: Path, trained: tuple[Path, dict[str, object]], tmp_path: Path
) -> None:
    out, _ = trained
    shutil.copytree(out.with_name("model.work"), tmp_path / "model.work")
    done = train(*given(text, tmp_path / "model"), "--set", "lm.order=3")
    assert done.returncode == 0, done.stderr
    unchanged = [line.split()[0] for line in done.stderr.splitlines() if line.endswith("unchanged")]
    assert unchanged == ["prepare", "tokenize", "align", "index", "sources"]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_interrupted_in_every_stage(
    text: Path, trained: tuple[Path, dict[str, object]], tmp_path: Path, number: signal.Signals
) -> None:
    """Each run is ended in the first stage it comes to that no run was ended in before; the next goes on there."""
    out = tmp_path / "model"
    work = tmp_path / "model.work"
    struck: list[str] = []
    while True:
        process = subprocess.Popen(command(*given(text, out)), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        seen = len(events(work))
        while process.poll() is None:
            begun = [stage for event, stage in events(work)[seen:] if event == "begun" and stage not in struck]
            if begun:
                struck.append(begun[0])
                process.send_signal(number)
                break
            time.sleep(0.005)
        code = process.wait()
        if code == 0:
            break
        assert code in (-number, 130)
    assert struck == STAGES
    assert contents(out) == contents(trained[0])


def limit_files(size: int) -> object:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("size", [60_000])
def test_a_disk_that_is_full(text: Path, trained: tuple[Path, dict[str, object]], tmp_path: Path, size: int) -> None:
    """No file may grow beyond `size`, which the larger files of the alignment exceed."""
    out = tmp_path / "model"
    full = train(*given(text, out), preexec_fn=limit_files(size))
    assert full.returncode == 1 and not out.exists()
    failure = [line for line in full.stderr.splitlines() if line.startswith("dragoman: ")]
    assert len(failure) == 1 and "Traceback" not in full.stderr
    assert "File too large" in failure[0], failure
    assert not list((tmp_path / "model.work").glob(".*"))
    done = train(*given(text, out))
    assert done.returncode == 0, done.stderr
    assert contents(out) == contents(trained[0])


def test_five_pairs(tmp_path: Path) -> None:
    (tmp_path / "five.tsv").write_text("".join(f"{fr}\t{en}\n" for fr, en in phrases()[:5]), encoding="utf-8")
    done = train(tmp_path / "five.tsv", *languages(tmp_path / "model"))
    assert done.returncode == 0, done.stderr
    assert "too few to tune on" in done.stderr and "nothing is scored" in done.stderr
    assert Translator.load(tmp_path / "model").translate("Bonjour, Marie.").text == "Hello, Marie."


def test_both_sides_in_one_language(text: Path, tmp_path: Path) -> None:
    same = ["--source", text / "train.en", "--target", text / "train.en"]
    named = train(*same, "--source-lang", "en", "--target-lang", "en", "--out", tmp_path / "model")
    assert named.returncode == 2 and "both en; name two languages" in named.stderr
    unnamed = train(*same, *languages(tmp_path / "model"))
    assert unnamed.returncode == 1 and "the source text looks like English, not French" in unnamed.stderr
    assert not (tmp_path / "model").exists()
    forced = train(*same, *languages(tmp_path / "model"), "--force")
    assert "dropped as" in forced.stderr and "Traceback" not in forced.stderr
    assert forced.returncode in (0, 1)


def test_dev_set_out_of_the_training_text(text: Path, tmp_path: Path) -> None:
    overlapping = ["--dev-source", text / "train.fr", "--dev-target", text / "train.en"]
    arguments = ["--source", text / "train.fr", "--target", text / "train.en", *overlapping, "--no-tune"]
    done = train(*arguments, *languages(tmp_path / "model"), *QUICK)
    assert done.returncode == 0, done.stderr
    # The rest of the 300 went into the test set.
    assert "285 of 300 sentences of the dev set are in the training text too" in done.stderr
    assert "cannot say how far to trust it" in done.stderr
    assert not (tmp_path / "model" / "confidence.json").exists()


def test_a_budget_nothing_fits_into(text: Path, tmp_path: Path) -> None:
    refused = train(*given(text, tmp_path / "model"), "--memory", "1MB")
    assert refused.returncode == 2 and refused.stderr.count("dragoman: ") == 1
    assert "need a budget of" in refused.stderr and not (tmp_path / "model").exists()
    needed = refused.stderr.split("--memory ")[1].split()[0].rstrip(".;")
    done = train(*given(text, tmp_path / "model"), "--memory", needed, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["memory"]["within_budget"]
    small = train(*given(text, tmp_path / "other"), "--disk", "50kB")
    assert small.returncode == 2 and "on disk where 50.0 kB is allowed" in small.stderr


def test_the_most_useful_pairs_that_fit(text: Path, trained: tuple[Path, dict[str, object]], tmp_path: Path) -> None:
    index_bytes = sum((trained[0] / name).stat().st_size for name in ("vocab.bin", "bitext.bin", "lexicon.bin"))
    memory = str(needed_memory(int(index_bytes * 1.5), "hierarchical"))
    refused = train(*given(text, tmp_path / "model"), "--memory", memory)
    assert refused.returncode == 2 and "--fit" in refused.stderr
    done = train(*given(text, tmp_path / "model"), "--memory", memory, "--fit", "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["fit"]["of"] == 300 and 20 < summary["fit"]["pairs"] < 290
    assert "BLEU with all pairs" in summary["scores"]
    assert sum(summary["files"][name] for name in MAPPED if name in summary["files"]) <= index_bytes * 1.5
    assert Translator.load(tmp_path / "model").sources(summary["fit"]["pairs"] - 1) is not None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "--source-lang is missing"),
        (
            ("absent.tmx", "--source-lang", "fr", "--target-lang", "en", "--out", "m"),
            "absent.tmx: there is no such file",
        ),
        (("-", "--source-lang", "fr", "--target-lang", "en", "--out", "m"), "more than once"),
        (("--source-lang", "fr", "--target-lang", "en", "--out", "m"), "there is nothing to train on"),
        (("--source", "a", "--source-lang", "fr", "--target-lang", "en", "--out", "m"), "as many --target as --source"),
    ],
)
def test_wrong_calls(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    shown = train(*arguments, cwd=tmp_path)
    assert shown.returncode in (1, 2) and message in shown.stderr and shown.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_model_that_is_not_ours_stays(text: Path, trained: tuple[Path, dict[str, object]], tmp_path: Path) -> None:
    shutil.copytree(trained[0], tmp_path / "model")
    refused = train(*given(text, tmp_path / "model"))
    assert refused.returncode == 2 and "was not made here as it is" in refused.stderr
    weights = trained[0] / "weights.txt"
    original = weights.read_bytes()
    weights.write_bytes(original + b"# by hand\n")
    edited = train(*given(text, trained[0]))
    weights.write_bytes(original)
    assert edited.returncode == 2 and "weights.txt was edited" in edited.stderr


def test_from_python_and_from_a_file(text: Path, trained: tuple[Path, dict[str, object]], tmp_path: Path) -> None:
    """The same options by keyword, by TOML and by flag make the same model."""
    stages = {"tune": {"rounds": 2, "kbest": 10}, "decode": {"pop_limit": 20}}
    files = {f"{part}_{side}": text / f"{part}.{lang}" for part in ("dev", "test") for side, lang in SIDES}
    result = dragoman.train(
        source=text / "train.fr",
        target=text / "train.en",
        source_lang="fr",
        target_lang="en",
        out=tmp_path / "python",
        language_models="ngram",
        stages=stages,
        **files,
    )
    assert result.scores["BLEU"] and contents(tmp_path / "python") == contents(trained[0])
    for path in text.iterdir():
        os.link(path, tmp_path / path.name)
    lines = [f'{name} = "{path.name}"' for name, path in files.items()]
    (tmp_path / "train.toml").write_text(
        "\n".join(
            [
                'source = "train.fr"\ntarget = ["train.en"]\nsource_lang = "fr"\ntarget_lang = "en"\nout = "toml"',
                'language_models = "ngram"\nwork = "python.work"',
                *lines,
                "[tune]\nrounds = 2\nkbest = 10\n[decode]\npop_limit = 20\n",
            ]
        )
    )
    done = train("--config", tmp_path / "train.toml")
    assert done.returncode == 0, done.stderr
    made, wanted = contents(tmp_path / "toml"), contents(trained[0])
    # Where each pair came from differs: its file has another name.
    assert {name for name in made if made[name] != wanted[name]} == {"sources.bin", "model.json"}
