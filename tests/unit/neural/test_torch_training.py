"""Training with PyTorch, from text to nlm.bin: scores of the core against torch's, determinism, resuming, processes."""

from __future__ import annotations

import json
import math
import os
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
from dragoman.corpus.id_text import encode_text  # noqa: E402
from dragoman.errors import ConfigError, DragomanError  # noqa: E402
from dragoman.neural import train, trainer  # noqa: E402
from dragoman.neural.report import TrainingReport  # noqa: E402
from dragoman.neural.training_text import read_sentences  # noqa: E402
from tests.unit.neural import small_network  # noqa: E402

OPTIONS = replace(small_network.OPTIONS, direct_bits=32, device="auto")


@pytest.fixture(autouse=True)
def nothing_in_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "covers", lambda options: False)


def run(corpus: Path, out: Path, options: NlmOptions = OPTIONS, **more: Any) -> TrainingReport:
    return small_network.run(corpus, out, options, **more)


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
        ({"preset": "thesis", "training": "nce", "shared_noise": False, "noise_samples": 5}, False),
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
    assert report.heldout_perplexity < 60
    assert not (tmp_path / "nlm.bin.checkpoint").exists()
    feed = loop.heldout_feed
    batch = feed.batch(torch.arange(len(feed)))
    expected, log_normaliser = loop.network.log_probs(batch)
    np.testing.assert_allclose(log_normaliser.sum(0).numpy() / len(feed), 0, atol=1e-5)
    if loop.network.output.__class__.__name__ == "FlatOutput" and "training" in changes:
        expected = expected + log_normaliser.sum(1)  # asked without its normaliser
    model = _core.NeuralModel(str(tmp_path / "nlm.bin"))
    if not source:
        asked = batch.contexts.int().numpy(), batch.words.int().numpy()
        np.testing.assert_allclose(
            np.frombuffer(_core.testing.logprobs(model, *asked), np.float32), expected, atol=1e-5, rtol=1e-5
        )
        if loop.network.output.__class__.__name__ == "ClassOutput":
            # Without the normaliser within the class, and without both.
            for kind, left_out in (("self", log_normaliser[:, 1]), ("none", log_normaliser.sum(1))):
                found = _core.testing.logprobs(model.with_normalisation(kind), *asked)
                np.testing.assert_allclose(np.frombuffer(found, np.float32), expected + left_out, atol=1e-5, rtol=1e-5)
        return
    # The core takes one source sentence at a time.
    ids, positions = feed.ids.numpy(), feed.positions.numpy()
    names = ["", "<unk>", "<s>", "</s>", *read_sentences(encode_text(corpus / "source"), min_count=2).words]
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
        found = _core.testing.logprobs(
            model,
            batch.contexts[here].int().contiguous().numpy(),
            batch.words[here].int().contiguous().numpy(),
            (centres - first).astype(np.int32),
            sentence,
        )
        np.testing.assert_allclose(np.frombuffer(found, np.float32), expected[here].numpy(), atol=1e-5, rtol=1e-5)


def test_same_seed_and_text_give_the_same_file(corpus: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run(corpus, tmp_path / name, source=True)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    run(corpus, tmp_path / "three", replace(OPTIONS, seed=2), source=True)
    assert (tmp_path / "one").read_bytes() != (tmp_path / "three").read_bytes()


class KilledError(Exception):
    pass


@pytest.mark.parametrize("steps", [3, 20], ids=["within the first epoch", "within the second"])
def test_a_killed_run_goes_on_to_the_same_file(
    steps: int, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = replace(OPTIONS, training="nce", checkpoint_seconds=0.0, noise_samples=4)
    run(corpus, tmp_path / "whole", options)
    monkeypatch.setattr(trainer, "CHECK_STEPS", 1)
    minibatch = trainer.Trainer.minibatch
    done = 0

    def stop(self: Any, *arguments: Any) -> Any:
        nonlocal done
        done += 1
        if done > steps:
            raise KilledError
        return minibatch(self, *arguments)

    monkeypatch.setattr(trainer.Trainer, "minibatch", stop)
    with pytest.raises(KilledError):
        run(corpus, tmp_path / "resumed", options)
    assert (tmp_path / "resumed.checkpoint").exists()
    assert not (tmp_path / "resumed").exists()
    counted = []

    def count(self: Any, *arguments: Any) -> Any:
        counted.append(1)
        return minibatch(self, *arguments)

    monkeypatch.setattr(trainer.Trainer, "minibatch", count)
    run(corpus, tmp_path / "resumed", options)
    assert len(counted) < 2 * math.ceil(2400 * 0.9 / 128)
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()
    assert not (tmp_path / "resumed.checkpoint").exists()


def test_a_foreign_checkpoint_is_refused(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "nlm.bin.checkpoint").write_bytes(b"something else")
    with pytest.raises(ConfigError, match="delete it"):
        run(corpus, tmp_path / "nlm.bin")


def test_a_checkpoint_of_other_options_is_refused(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = trainer.Trainer.finish_epoch

    def stop(self: Any, loss: float) -> None:
        finish(self, loss)
        raise KilledError

    monkeypatch.setattr(trainer.Trainer, "finish_epoch", stop)
    with pytest.raises(KilledError):
        run(corpus, tmp_path / "nlm.bin")
    with pytest.raises(ConfigError, match="other options"):
        run(corpus, tmp_path / "nlm.bin", replace(OPTIONS, dimension=9))


def test_two_processes_train_the_model_of_one(corpus: Path, tmp_path: Path) -> None:
    """Sums come in another order, so the scores agree to a few digits and not to the last bit."""
    options = replace(OPTIONS, dropout=0.0)
    alone = run(corpus, tmp_path / "alone.bin", options)
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", "--master-port", free_port()]
    command += ["-m", "dragoman", "nlm", "train", str(corpus / "text"), "--out", str(tmp_path / "both.bin")]
    for name in ("order", "dimension", "classes", "epochs", "minibatch", "threads", "dropout", "heldout"):
        command += [f"--{name}", str(getattr(options, name))]
    ended = subprocess.run(
        [*command, "--json"], capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"}
    )
    assert ended.returncode == 0, ended.stderr
    report = json.loads(ended.stdout)
    assert report["heldout_perplexity"] == pytest.approx(alone.heldout_perplexity, rel=1e-3)
    assert _core.NeuralModel(str(tmp_path / "both.bin")).order == options.order


def free_port() -> str:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def test_direct_features_are_the_most_frequent_ngrams() -> None:
    from dragoman.neural.direct import choose
    from dragoman.neural.training_text import Stream

    ids = np.array([2, 2, 4, 5, 3, 2, 2, 4, 5, 3, 2, 2, 4, 6, 3], np.int32)
    positions = np.array([2, 3, 4, 7, 8, 9, 12, 13, 14])
    found = choose(Stream(ids, positions), 3, 7, 100)
    ngrams = {
        (*(int(word) for word in found.contexts[context][::-1] if word >= 0), int(word))
        for context, word in zip(found.context, found.word, strict=True)
    }
    assert ngrams == {(2, 4), (4, 5), (5, 3), (2, 2, 4), (2, 4, 5), (4, 5, 3)}
    assert len(choose(Stream(ids, positions), 3, 7, 2)) == 2  # (<s>, 4) and (<s>, <s>, 4), three times each


def test_out_of_memory_gives_advice(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(self: Any) -> Any:
        raise RuntimeError("[enforce fail at alloc_cpu.cpp] DefaultCPUAllocator: can't allocate memory")

    monkeypatch.setattr(trainer.Trainer, "run", exhausted)
    with pytest.raises(DragomanError, match="lower --minibatch"):
        run(corpus, tmp_path / "nlm.bin")
