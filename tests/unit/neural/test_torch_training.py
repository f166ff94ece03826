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
from dragoman.errors import ConfigError, DragomanError  # noqa: E402
from dragoman.neural import train, trainer  # noqa: E402
from dragoman.neural.feed import Feed  # noqa: E402
from dragoman.neural.report import TrainingReport  # noqa: E402
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
    texts: list[Any] = []
    whole_run, read = trainer.Trainer.run, train.read_text

    def remember(self: Any) -> Any:
        trained.append(self)
        return whole_run(self)

    def remember_text(*given: Any) -> Any:
        texts.append(read(*given))
        return texts[-1]

    monkeypatch.setattr(trainer.Trainer, "run", remember)
    monkeypatch.setattr(train, "read_text", remember_text)
    report = run(corpus, tmp_path / "nlm.bin", replace(OPTIONS, **changes), source=source)
    network = trained[0].network
    assert report.heldout_perplexity < 60
    assert not (tmp_path / "nlm.bin.checkpoint").exists()
    feed = Feed(texts[0].heldout, OPTIONS.order, OPTIONS.source_window if source else 0, torch.device("cpu"))
    batch = feed.batch(feed.positions)
    is_class = network.output.__class__.__name__ == "ClassOutput"
    if is_class:  # the core has centred them
        means = trainer.evaluate(network, feed)[1]
        network.output.shift(network.parameters, -means)
    expected, log_normaliser = network.log_probs(batch)
    np.testing.assert_allclose(log_normaliser.sum(0).numpy() / len(feed.positions), 0, atol=1e-5)
    if network.output.__class__.__name__ == "FlatOutput" and "training" in changes:
        expected = expected + log_normaliser.sum(1)  # asked without its normaliser
    model = _core.NeuralModel(str(tmp_path / "nlm.bin"))
    if not source:
        asked = batch.contexts.int().numpy(), batch.words.int().numpy()
        np.testing.assert_allclose(
            np.frombuffer(_core.testing.logprobs(model, *asked), np.float32), expected, atol=1e-5, rtol=1e-5
        )
        if is_class:
            # Without the normaliser within the class, and without both.
            for kind, left_out in (("self", log_normaliser[:, 1]), ("none", log_normaliser.sum(1))):
                found = _core.testing.logprobs(model.with_normalisation(kind), *asked)
                np.testing.assert_allclose(np.frombuffer(found, np.float32), expected + left_out, atol=1e-5, rtol=1e-5)
        return
    # The core takes one source sentence at a time.
    ids, positions = feed.ids.numpy(), feed.positions.numpy()
    names = ["", "<unk>", "<s>", "</s>", *texts[0].source_words]
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
    epoch = trainer.Trainer.epoch

    def stop(self: Any) -> None:
        epoch(self)
        raise KilledError

    monkeypatch.setattr(trainer.Trainer, "epoch", stop)
    with pytest.raises(KilledError):
        run(corpus, tmp_path / "nlm.bin")
    with pytest.raises(ConfigError, match="other options"):
        run(corpus, tmp_path / "nlm.bin", replace(OPTIONS, dimension=9))


class StoppedError(Exception):
    pass


@pytest.mark.parametrize("changes", [{}, {"direct_ngrams": 100}, {"contexts": "full"}], ids=str)
@pytest.mark.parametrize("source", [False, True])
@pytest.mark.parametrize("after", [3, 20], ids=["within the first epoch", "within the second"])
def test_either_trainer_goes_on_with_what_the_other_began(
    after: int, source: bool, changes: dict[str, Any], corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Text, order, rates and weights are the same, so a run ends with the same model whoever did its steps."""
    options = replace(OPTIONS, dropout=0.0, device="cpu", checkpoint_seconds=0.0, **changes)
    monkeypatch.setattr(trainer, "CHECK_STEPS", 1)

    def stop(done: int, total: int) -> None:
        if done > after * options.minibatch:
            raise StoppedError

    def trained(name: str, *by: str) -> tuple[TrainingReport, dict[str, Any]]:
        out = tmp_path / name
        for number, who in enumerate(by):
            monkeypatch.setattr(train, "covers", lambda options, who=who: who == "core")
            if number + 1 < len(by):
                with pytest.raises(StoppedError):
                    run(corpus, out, options, source=source, progress=stop)
                assert out.with_name(f"{name}.checkpoint").exists()
            else:
                report = run(corpus, out, options, source=source)
        sections = _core.describe_container(str(out))
        return report, {"file": out.read_bytes(), "sections": sections}

    alone, file = trained("core alone", "core")
    for name, *by in (("core first", "core", "torch"), ("torch first", "torch", "core"), ("torch alone", "torch")):
        report, other = trained(name, *by)
        assert len(other["file"]) == len(file["file"])
        assert [row.epoch for row in report.history] == [row.epoch for row in alone.history]
        for ours, theirs in zip(alone.history, report.history, strict=True):
            assert theirs.heldout_perplexity == pytest.approx(ours.heldout_perplexity, rel=1e-4)
            assert theirs.training_loss == pytest.approx(ours.training_loss, rel=1e-4)


@pytest.mark.parametrize("count", [1, 2])
def test_processes_train_the_model_of_one_alone(count: int, corpus: Path, tmp_path: Path) -> None:
    """Sums come in another order, so the scores agree to a few digits and not to the last bit."""
    options = replace(OPTIONS, dropout=0.0)
    alone = run(corpus, tmp_path / "alone.bin", options)
    (tmp_path / "trained.py").write_text(
        "from dragoman.cli.main import main\nfrom dragoman.neural import train\n"
        "train.covers = lambda options: False\nmain()\n"
    )
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", str(count)]
    command += ["--master-port", free_port(), str(tmp_path / "trained.py")]
    command += ["nlm", "train", str(corpus / "text"), "--out", str(tmp_path / "both.bin")]
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


def test_out_of_memory_gives_advice(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(self: Any) -> Any:
        raise RuntimeError("[enforce fail at alloc_cpu.cpp] DefaultCPUAllocator: can't allocate memory")

    monkeypatch.setattr(trainer.Trainer, "run", exhausted)
    with pytest.raises(DragomanError, match="lower --minibatch"):
        run(corpus, tmp_path / "nlm.bin")
