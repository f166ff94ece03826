"""Training from text to nlm.bin: scores of the core against torch's, determinism, resuming, processes, bad input."""

from __future__ import annotations

import json
import math
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
np = pytest.importorskip("numpy")

from dragoman import _core  # noqa: E402
from dragoman.config import NlmOptions  # noqa: E402
from dragoman.errors import ConfigError, DragomanError, InputError  # noqa: E402
from dragoman.nlm import train_model, trainer  # noqa: E402
from dragoman.nlm.corpus import read_sentences  # noqa: E402

OPTIONS = NlmOptions(
    order=4, dimension=8, classes=5, epochs=2, minibatch=128, threads=1, source_window=1, dropout=0.1, heldout=0.1
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sentences of a small grammar, their translation word by word with the adjective moved, and the links."""
    folder = tmp_path_factory.mktemp("corpus")
    choose = random.Random(1)
    nouns = {"cat": "chat", "dog": "chien", "house": "maison", "mouse": "souris"}
    adjectives = {"black": "noir", "white": "blanc", "big": "gros"}
    verbs = {"sees": "voit", "eats": "mange"}
    targets, sources, links = [], [], []
    for number in range(300):
        noun, adjective, verb, other = (choose.choice(list(part)) for part in (nouns, adjectives, verbs, nouns))
        rare = f"name{number}" if number % 10 == 0 else "friend"
        targets.append(f"the {adjective} {noun} {verb} a {other} {rare}")
        sources.append(f"le {nouns[noun]} {adjectives[adjective]} {verbs[verb]} {nouns[other]} {rare}")
        links.append("0-0 1-2 2-1 3-3 4-5 5-6")
    for name, lines in (("text", targets), ("source", sources), ("links", links)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    return folder


def run(corpus: Path, out: Path, options: NlmOptions = OPTIONS, *, source: bool = False, **more: Any) -> dict[str, Any]:
    if source:
        more |= {"source": corpus / "source", "links": corpus / "links"}
    return train_model(corpus / "text", out, options, **more)


@pytest.mark.parametrize(
    ("changes", "source"),
    [
        ({}, False),
        ({"contexts": "diagonal", "self_normalisation": 0.0}, True),
        ({"contexts": "full"}, True),
        ({"training": "nce", "noise_samples": 20, "clustering": "frequency"}, False),
        ({"direct_ngrams": 100}, False),
        ({"output": "tree"}, False),
        ({"output": "flat", "training": "nce"}, False),
        ({"output": "flat", "self_normalisation": 0.0}, True),
        ({"preset": "thesis"}, False),
    ],
    ids=lambda value: "-".join(map(str, value.values())) if isinstance(value, dict) else None,
)
def test_core_scores_as_torch_does(
    changes: dict[str, Any], source: bool, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained: list[Any] = []
    whole_run = trainer.Trainer.run

    def remember(self: Any) -> Any:
        trained.append(self)
        return whole_run(self)

    monkeypatch.setattr(trainer.Trainer, "run", remember)
    report = run(corpus, tmp_path / "nlm.bin", replace(OPTIONS, **changes), source=source)
    loop = trained[0]
    assert report["heldout_perplexity"] < 60
    assert not (tmp_path / "nlm.bin.checkpoint").exists()
    feed = loop.heldout_feed
    batch = feed.batch(torch.arange(len(feed)))
    expected, log_normaliser = loop.network.log_probs(batch)
    if loop.network.output.__class__.__name__ == "FlatOutput" and "training" in changes:
        expected = expected + log_normaliser  # asked without its normaliser
    model = _core.NeuralModel(str(tmp_path / "nlm.bin"))
    if not source:
        found = model.logprobs(batch.contexts.int().numpy(), batch.words.int().numpy())
        np.testing.assert_allclose(np.frombuffer(found, np.float32), expected.numpy(), atol=1e-5, rtol=1e-5)
        return
    # The core takes one source sentence at a time.
    ids, positions = feed.ids.numpy(), feed.positions.numpy()
    names = ["", "<unk>", "<s>", "</s>", *read_sentences(corpus / "source", min_count=2).words]
    ends = np.flatnonzero(ids[positions] == 3)
    begin = 0
    for end in ends:
        here = np.arange(begin, end + 1)
        begin = end + 1
        centres = feed.centres.numpy()[positions[here]]
        first = centres[0] - 0  # the first target word is linked to the first source word
        sentence = []
        place = first
        while feed.source_ids[place] != 3:
            sentence.append(names[int(feed.source_ids[place])])
            place += 1
        found = model.logprobs(
            batch.contexts[here].int().contiguous().numpy(),
            batch.words[here].int().contiguous().numpy(),
            (centres - first).astype(np.int32),
            sentence,
        )
        np.testing.assert_allclose(np.frombuffer(found, np.float32), expected[here].numpy(), atol=1e-5, rtol=1e-5)

