"""Building and opening the index of a word-aligned bitext, as a model directory of its own."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from dragoman import _core
from dragoman.config import IndexOptions
from dragoman.corpus.id_text import encode_links, encode_text
from dragoman.model.directory import ModelDirectory, building_model
from dragoman.model.manifest import Manifest
from dragoman.progress import Progress
from dragoman.text_file import naming

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
    progress: Progress | None = None,
) -> dict[str, int]:
    """Makes a model directory of three files of equal length: tokenized sentences and Pharaoh links.

    Returns the numbers of sentences, tokens and links.
    """
    options = options or IndexOptions()
    source_text, target_text = encode_text(source), encode_text(target)
    stored = encode_links(links, source_text, target_text)
    manifest = Manifest(source_lang, target_lang, options={"index": asdict(options)})
    with building_model(out, manifest, overwrite) as directory, naming(links):
        counts = _core.build_index(str(directory), source_text, target_text, stored, asdict(options), progress)
        (directory / "text.json").write_text(json.dumps(TEXT) + "\n", encoding="utf-8")
    return counts


def open_index(model: str | Path, *, trust: bool = False) -> _core.Index:
    """The index inside a model directory, mapped."""
    directory = ModelDirectory.open(model)
    for name in ("vocab.bin", "bitext.bin", "lexicon.bin"):
        directory.file(name)
    return _core.Index.open(str(directory.path), trust)
