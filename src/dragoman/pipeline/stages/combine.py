"""model: the parts put together as a model directory, with weights nobody has tuned yet."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from dragoman.files import link_file
from dragoman.model.directory import building_model
from dragoman.model.manifest import KNOWN, Manifest
from dragoman.model.weights import write_weights
from dragoman.pipeline.stage import Request


@dataclass(frozen=True, slots=True)
class CombineOptions:
    """`options` are those of the whole training, for the manifest."""

    source_lang: str
    target_lang: str
    weights: dict[str, float]
    options: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Combined:
    bytes: dict[str, int]
    total_bytes: int


def run(request: Request[CombineOptions]) -> Combined:
    """Writes model/, whose files are links to what the stages before made."""
    options = request.options
    manifest = Manifest(options.source_lang, options.target_lang, options=options.options)
    with building_model(request.out / "model", manifest) as directory:
        for name, path in request.inputs.items():
            assert name in KNOWN
            link_file(path, directory / name)
        text = {"tokenizer": "language", "spacing": "apart", "katakana": "words"}
        (directory / "text.json").write_text(json.dumps(text) + "\n", encoding="utf-8")
        write_weights(directory / "weights.txt", options.weights)
    files = {path.name: path.stat().st_size for path in sorted((request.out / "model").iterdir())}
    return Combined(files, sum(files.values()))
