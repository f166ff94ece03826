"""A model of a few sentences, enough to see a translation come out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from dragoman import _core
from dragoman.model.directory import building_model
from dragoman.model.manifest import Manifest
from dragoman.model.weights import DEFAULT_WEIGHTS, write_weights

PAIRS = [
    ("la maison bleue .", "the blue house .", "0-0 1-2 2-1 3-3"),
    ("la maison .", "the house .", "0-0 1-1 2-2"),
    ("une maison rouge .", "a red house .", "0-0 1-2 2-1 3-3"),
    ("le chat voit la maison .", "the cat sees the house .", "0-0 1-1 2-2 3-3 4-4 5-5"),
    ("le chat noir dort .", "the black cat sleeps .", "0-0 1-2 2-1 3-3 4-4"),
    ("le chien et le chat", "the dog and the cat", "0-0 1-1 2-2 3-3 4-4"),
    ("une voiture bleue , oui .", "a blue car , yes .", "0-0 1-2 2-1 3-3 4-4 5-5"),
    ("est - ce un chat ?", "is it a cat ?", "0-0 2-1 3-2 4-3 5-4"),
]


def make_model(
    path: Path,
    *,
    tokenizer: str = "language",
    lm: bool = True,
    weights: bool = True,
    languages: tuple[str, str] = ("fr", "en"),
    pairs: Sequence[tuple[str, str, str]] = PAIRS,
) -> Path:
    source, target, links = ("".join(f"{row[i]}\n" for row in pairs).encode() for i in range(3))
    with building_model(path, Manifest(*languages)) as directory:
        _core.build_index(str(directory), source, target, links, {})
        (directory / "text.json").write_text(json.dumps({"tokenizer": tokenizer}))
        if lm:
            text = _core.LmText()
            text.add(target)
            _core.lm_estimate(text, 3, [1], [0.5, 1.0, 1.5]).write(str(directory / "lm.bin"))
        if weights:
            write_weights(directory / "weights.txt", DEFAULT_WEIGHTS)
    return path
