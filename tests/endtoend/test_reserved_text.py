"""Text about HTML, templates and language models, from the corpus to translations, with every kind of model."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dragoman.config import DecodeOptions
from dragoman.lm import LanguageModel
from dragoman.translator import Translator
from examples.demo.phrasebook import phrases

RESERVED = [
    ("Écrivez <s>barré</s> en HTML.", "Write <s>struck</s> in HTML."),
    ("La balise </s> ferme la balise <s>.", "The tag </s> closes the tag <s>."),
    ("Le mot <unk> est inconnu.", "The word <unk> is unknown."),
    ("Les champs sont séparés par ||| ici.", "The fields are separated by ||| here."),
    ("La règle [X] ||| [X,1] est vide.", "The rule [X] ||| [X,1] is empty."),
    ("Remplacez {d0} par votre nom.", "Replace {d0} by your name."),
    ("La valeur NULL n'existe pas.", "The value NULL does not exist."),
    ("Le signe ▁ et le signe ￭ sont rares.", "The sign ▁ and the sign ￭ are rare."),
    (r"Le fichier commence par \data\ et \<s> suit.", r"The file begins with \data\ and \<s> follows."),
]
QUICK = (
    *("--threads", "1", "--language-models", "ngram+neural+conditioned", "--set", "tune.rounds=2"),
    *("--set", "tune.kbest=10", "--set", "decode.pop_limit=20", "--set", "neural_lm.epochs=1"),
    *("--set", "neural_lm.dimension=16"),
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reserved")
    pairs = [*phrases()[:30], *RESERVED, *phrases()[30:60]]
    held_out = [*phrases()[60:70], *RESERVED[::2]]
    for name, rows in (("train", pairs), ("dev", held_out), ("test", held_out)):
        for side, lang in enumerate(("fr", "en")):
            (folder / f"{name}.{lang}").write_text("".join(f"{row[side]}\n" for row in rows), encoding="utf-8")
    sides = (("source", "fr"), ("target", "en"))
    files = [(f"--{side}", folder / f"train.{lang}") for side, lang in sides]
    files += [(f"--{part}-{side}", folder / f"{part}.{lang}") for part in ("dev", "test") for side, lang in sides]
    out = folder / "model"
    arguments = [*(each for pair in files for each in pair), "--source-lang", "fr", "--target-lang", "en", "--out", out]
    done = subprocess.run(
        [sys.executable, "-m", "dragoman.cli.main", "train", *map(str, arguments), *QUICK, "--json"],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    files = json.loads(done.stdout)["files"]
    assert {"lm.bin", "nlm.bin", "source_nlm.bin"} <= set(files)
    return out


@pytest.mark.parametrize("decoder", ["hierarchical", "phrase-based"])
@pytest.mark.parametrize(("source", "target"), RESERVED)
def test_translated(model: Path, source: str, target: str, decoder: str) -> None:
    """Seen in training word by word, so what is reserved comes out once each, as it went in."""
    text = Translator.load(model).translate(source, DecodeOptions(decoder=decoder)).text
    for word in ("<s>", "</s>", "<unk>", "|||", "[X]", "{d0}", "NULL", "▁", "￭"):
        assert text.count(word) == target.count(word), text


def test_given_translations_beside_placeholders(model: Path) -> None:
    """What stands for a given translation inside the program is no text: neither here nor glued to other signs."""
    translator = Translator.load(model)
    for text in (
        "Remplacez {d0} par {<keep>d0</keep>}.",
        "{<keep>un nom</keep>} {d0} ${<keep>x</keep>}",
    ):
        made = translator.translate(text, DecodeOptions(markup=True)).text
        kept = text.replace("<keep>", "").replace("</keep>", "")
        for word in ("{d0}", "un nom"):
            assert made.count(word) == kept.count(word), made
    made = translator.translate("Remplacez {d0} par votre nom.", glossary={"nom": "NAME {d0} {d1}"}).text
    assert made.count("{d0}") == 2 and made.count("NAME {d0} {d1}") == 1


def test_language_models_know_the_words(model: Path) -> None:
    (tokens,) = LanguageModel(model / "lm.bin").tokens(["the tag </s> closes the tag <s> ."])
    assert not any(token.unknown for token in tokens)
