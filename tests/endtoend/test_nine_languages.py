"""From a small catalogue to translations, in nine languages with six scripts, two of them from right to left and two
without spaces: trained, translated, spaced and scored as a user would do it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dragoman.evaluate.bleu_tokenizer import tokenizer_of
from tests.endtoend.catalogue import ENGLISH, LANGUAGES, message, pairs

UNSPACED = ("ja", "zh")
QUOTED = re.compile("[“„«「].+?[”“»」]")
# How the number 12,345.5 is written; Arabic countries differ, and so it stays as it is.
NUMBERS = {
    "cs": "12\u00a0345,5",
    "de": "12.345,5",
    "es": "12.345,5",
    "fr": "12\u202f345,5",
    "ru": "12\u00a0345,5",
}


def dragoman(*arguments: str | Path, stdin: str = "") -> str:
    command = [sys.executable, "-m", "dragoman", *map(str, arguments)]
    done = subprocess.run(command, input=stdin.encode(), capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def train(folder: Path, source: str, target: str, other: str) -> Path:
    """A model of the catalogue in English and another language, either way."""
    sides = (0, 1) if source == "en" else (1, 0)
    learned, tried = pairs(other, seen=True), pairs(other, seen=False)
    text = write(folder / "train.tsv", [f"{pair[sides[0]]}\t{pair[sides[1]]}" for pair in learned])
    test = [write(folder / f"test.{side}", [pair[at] for pair in tried]) for side, at in zip("st", sides, strict=True)]
    model = folder / f"{source}-{target}.model"
    dragoman(
        *("train", text, "-s", source, "-t", target, "-o", model, "--language-models", "ngram", "--no-tune"),
        *("--test-source", test[0], "--test-target", test[1], "--threads", "1"),
    )
    return model


def right(made: list[str], wanted: list[str]) -> float:
    """The share that is right letter by letter: words, their order, capitals and spaces. Of those with a quotation only
    that is compared, with its marks: in so few of them nobody can tell what the words around it are."""
    parts = [[QUOTED.findall(text) or [text] for text in texts] for texts in (made, wanted)]
    return sum(ours == theirs for ours, theirs in zip(*parts, strict=True)) / len(wanted)


@pytest.mark.parametrize("code", LANGUAGES)
def test_from_a_catalogue_to_translations(code: str, tmp_path: Path) -> None:
    model = train(tmp_path, "en", code, code)
    scores = json.loads((model / "model.json").read_text())["scores"]
    assert f"|tok:{tokenizer_of(code)}|" in scores["test"]["signatures"]["BLEU"]
    assert scores["BLEU"] > 90
    tried = pairs(code, seen=False)
    theirs = LANGUAGES[code]
    two = [f"{message(ENGLISH, 'question', 3, 4)} {message(ENGLISH, 'remark', 1, 7)}"]
    size = ENGLISH.size.format(number="12,345.5")
    lines = dragoman("translate", "-m", model, stdin="\n".join([*(source for source, _ in tried), *two, size]) + "\n")
    *made, joined, sized = lines.splitlines()
    assert right(made, [wanted for _, wanted in tried]) >= 0.9
    gap = "" if code in UNSPACED else " "
    assert joined == message(theirs, "question", 3, 4) + gap + message(theirs, "remark", 1, 7)
    assert sized == theirs.size.format(number=NUMBERS.get(code, "12,345.5"))


@pytest.mark.parametrize("code", ["ar", "ja", "zh"])
def test_into_english(code: str, tmp_path: Path) -> None:
    model = train(tmp_path, code, "en", code)
    tried = pairs(code, seen=False)
    theirs = LANGUAGES[code]
    gap = "" if code in UNSPACED else " "
    two = message(theirs, "question", 3, 4) + gap + message(theirs, "remark", 1, 7)
    *made, joined = dragoman(
        "translate", "-m", model, stdin="\n".join([*(theirs for _, theirs in tried), two]) + "\n"
    ).splitlines()
    assert right(made, [wanted for wanted, _ in tried]) >= 0.9
    assert joined == f"{message(ENGLISH, 'question', 3, 4)} {message(ENGLISH, 'remark', 1, 7)}"
