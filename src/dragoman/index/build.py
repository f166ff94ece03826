"""Building and opening the index of a word-aligned bitext, as a model directory of its own."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from dragoman import _core
from dragoman.config import IndexOptions
from dragoman.errors import InputError
from dragoman.model.directory import ModelDirectory, building_model
from dragoman.model.manifest import Manifest
from dragoman.text_file import naming, read_all

# An index made straight from tokenized files knows nothing of raw text: words are split and joined at spaces.
TEXT = {"tokenizer": "none"}


def build_index(
    source: str | Path,
    target: str | Path,
    links: str | Path,
    out: str | Path,
    options: IndexOptions | None = None,
    *,
    source_lang: str = "",
    target_lang: str = "",
    overwrite: bool = False,
    progress: _core.Progress = None,
) -> dict[str, int]:
    """Makes a model directory of three files of equal length: tokenized sentences and Pharaoh links.

    Returns the numbers of sentences, tokens and links.
    """
    options = options or IndexOptions()
    source_text, target_text, links_text = read_all(source), read_all(target), read_all(links)
    for path, text in ((source, source_text), (target, target_text)):
        with naming(path):
            _core.require_text(text)
    manifest = Manifest(source_lang, target_lang, options={"index": asdict(options)})
    with building_model(out, manifest, overwrite) as directory:
        try:
            counts = _core.build_index(str(directory), source_text, target_text, links_text, asdict(options), progress)
        except InputError as error:
            raise InputError(f"{links}: {error}", error.line) from None
        (directory / "text.json").write_text(json.dumps(TEXT) + "\n", encoding="utf-8")
    return counts


def open_index(model: str | Path, *, trust: bool = False) -> _core.Index:
    """The index inside a model directory, mapped."""
    directory = ModelDirectory.open(model)
    for name in ("vocab.bin", "bitext.bin", "lexicon.bin"):
        directory.file(name)
    return _core.Index.open(str(directory.path), trust)
