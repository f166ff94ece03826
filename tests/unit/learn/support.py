"""A small model that can learn: with an alignment model, and a language model of its target side."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dragoman import _core
from dragoman.align import AlignmentModel
from dragoman.config import AlignOptions
from dragoman.model.directory import building_model
from dragoman.model.manifest import Manifest
from dragoman.model.weights import DEFAULT_WEIGHTS, write_weights
from tests.unit.translate.support import PAIRS


def make_model(
    path: Path,
    *,
    align: bool = True,
    lm: bool = True,
    weight: int | None = None,
    live: Mapping[str, Any] | None = None,
    more: Sequence[tuple[str, str, str]] = (),
) -> Path:
    rows = [*PAIRS, *more]
    source, target, links = ("".join(f"{row[i]}\n" for row in rows).encode() for i in range(3))
    said = {**(live or {}), **({"correction_weight": weight} if weight else {})}
    options: dict[str, Any] = {"live": said} if said else {}
    with building_model(path, Manifest("fr", "en", options=options)) as directory:
        _core.build_index(str(directory), source, target, links, {})
        _core.add_casing(str(directory / "vocab.bin"), "target", target, "en", source=source, links=links)
        (directory / "text.json").write_text(json.dumps({"tokenizer": "language", "spacing": "apart"}))
        if align:
            training = AlignmentModel.train(source * 3, target * 3, AlignOptions(threads=1))
            assert training.model is not None
            training.model.save(directory / "align.bin")
        if lm:
            text = _core.LmText()
            text.add(target)
            _core.lm_estimate(text, 3, [1], [0.5, 1.0, 1.5]).write(str(directory / "lm.bin"))
        write_weights(directory / "weights.txt", DEFAULT_WEIGHTS)
    return path
