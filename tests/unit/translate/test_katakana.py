"""Katakana that stand together are a word; models of before have a word for each, and go on so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dragoman.model.directory import ModelDirectory
from dragoman.model.opened import text_format
from dragoman.text import Tokenizer
from tests.unit.translate.support import make_model

TEXT = "サーバーのデータを消す"


def with_text(model: Path, **said: str) -> ModelDirectory:
    """A model whose text.json says this; it is small, so nobody looks at its hash."""
    found = ModelDirectory.open(model)
    path = found.file("text.json")
    path.write_text(json.dumps({"tokenizer": "language", "spacing": "apart", **said}))
    return found


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({}, "サ ー バ ー の デ ー タ を 消 す"),
        ({"katakana": "words"}, "サーバー の データ を 消 す"),
    ],
)
def test_a_model_says_how_its_words_are_made(tmp_path: Path, said: dict[str, str], words: str) -> None:
    model = with_text(make_model(tmp_path / "ja-en.model", languages=("ja", "en")), **said)
    made = text_format(model)
    assert Tokenizer(made.source).tokenize([TEXT], model=True) == [words]
    assert made.target == "en"
    # Whatever the words are, the text comes back.
    tokenizer = Tokenizer(made.source)
    assert tokenizer.detokenize(tokenizer.tokenize([TEXT])) == [TEXT]
