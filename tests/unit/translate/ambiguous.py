"""A model of words with two translations each, between which a context decides."""

from __future__ import annotations

import json
import random
from pathlib import Path

from dragoman import _core
from dragoman.align import AlignmentModel
from dragoman.config import AlignOptions
from dragoman.model.directory import building_model
from dragoman.model.manifest import Manifest
from dragoman.model.weights import DEFAULT_WEIGHTS, write_weights

# Words that are so common in the text that they do not count, and words with two translations each.
COMMON = 100
FILLERS = 130
TERMS = {"pile": ("battery", "stack"), "carte": ("map", "card"), "grue": ("crane", "heron")}


def make_ambiguous_model(path: Path) -> Path:
    order = random.Random(1)
    pairs = []
    for word in range(FILLERS):
        # Falling counts, so that it is known which words are the commonest.
        pairs += [(f"mot{word} .", f"word{word} .")] * (FILLERS + 20 - word)
    for term, both in TERMS.items():
        pairs += [(f"{term} mot{at} .", f"{each} word{at} .") for at in range(4) for each in both]
    pairs += [("piles mot5 .", "stacks word5 .")]
    order.shuffle(pairs)
    source, target = ("".join(f"{pair[side]}\n" for pair in pairs).encode() for side in (0, 1))
    links = b"".join(" ".join(f"{at}-{at}" for at in range(len(ours.split()))).encode() + b"\n" for ours, _ in pairs)
    with building_model(path, Manifest("fr", "en")) as directory:
        _core.build_index(str(directory), source, target, links, {})
        (directory / "text.json").write_text(json.dumps({"tokenizer": "language", "spacing": "apart"}))
        training = AlignmentModel.train(source, target, AlignOptions(threads=1))
        assert training.model is not None
        training.model.save(directory / "align.bin")
        write_weights(directory / "weights.txt", DEFAULT_WEIGHTS)
    return path
