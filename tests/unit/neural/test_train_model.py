"""Training in the core, from text to nlm.bin: determinism, being killed, scores, bad input. Needs no PyTorch."""

from __future__ import annotations

import json
import math
import os
import random
import signal
import statistics
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dragoman import _core
from dragoman.config import NlmOptions
from dragoman.errors import ConfigError, DragomanError, InputError
from dragoman.neural import core_training, train, train_model
from dragoman.neural.language_model import NeuralLanguageModel
from tests.unit.neural.small_network import OPTIONS, run

KINDS: list[tuple[dict[str, Any], bool]] = [
    ({}, False),
    ({"contexts": "full"}, True),
    ({"self_normalisation": 0.0, "l2": 0.0}, True),
    ({"clustering": "frequency"}, False),
    ({"training": "nce", "noise_samples": 3, "shared_noise": False}, True),
    ({"training": "nce", "noise_samples": 3, "direct_ngrams": 100}, False),
    ({"direct_ngrams": 100, "direct_bits": 32}, True),
    ({"preset": "thesis", "training": "nce", "shared_noise": False, "noise_samples": 5}, False),
]


@pytest.mark.parametrize(("changes", "source"), KINDS, ids=str)
def test_any_number_of_threads_gives_the_same_file(
    changes: dict[str, Any], source: bool, corpus: Path, tmp_path: Path
) -> None:
    # Minibatches of several units of work.
    options = replace(OPTIONS, minibatch=1000, dimension=24, **changes)
    for threads in (1, 2, 5):
        run(corpus, tmp_path / str(threads), replace(options, threads=threads), source=source)
    files = {(tmp_path / str(threads)).read_bytes() for threads in (1, 2, 5)}
    assert len(files) == 1
    run(corpus, tmp_path / "other", replace(options, seed=2), source=source)
    assert (tmp_path / "other").read_bytes() not in files


@pytest.mark.parametrize(("changes", "source"), KINDS, ids=str)
def test_perplexity_is_what_the_model_says(
    changes: dict[str, Any], source: bool, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a text with one sentence held out is that sentence, which the model is then asked about."""
    lines = {name: (corpus / name).read_text().splitlines(keepends=True)[:1] for name in ("text", "source", "links")}
    for name, line in lines.items():
        (tmp_path / name).write_text("".join(line))
    # A text of one sentence is held out and trained on.
    report = run(tmp_path, tmp_path / "nlm.bin", replace(OPTIONS, min_count=1, **changes), source=source)
    given = (lines["source"], lines["links"]) if source else ()
    model = NeuralLanguageModel(tmp_path / "nlm.bin")
    assert model.perplexity(lines["text"], *given).perplexity == pytest.approx(report.heldout_perplexity, rel=1e-4)
    mean, _ = model.log_normalisers(*("".join(part).encode() for part in (lines["text"], *given)))
    assert mean == pytest.approx(0, abs=1e-4)


def test_best_epoch_is_what_is_written(corpus: Path, tmp_path: Path) -> None:
    """A rate so high that a later epoch is worse than an earlier one."""
    options = replace(OPTIONS, epochs=60, learning_rate=1.5, patience=2, minibatch=64)
    seen = []
    report = run(corpus, tmp_path / "nlm.bin", options, on_epoch=seen.append)
    best = min(report.history, key=lambda row: row.heldout_perplexity)
    assert [row.epoch for row in seen] == list(range(1, report.epochs + 1)) and seen == report.history
    assert (report.best_epoch, report.heldout_perplexity) == (best.epoch, best.heldout_perplexity)
    assert report.best_epoch < report.epochs
    short = run(corpus, tmp_path / "short.bin", replace(options, patience=1))
    assert 1 <= short.epochs <= report.epochs
    assert not list(tmp_path.glob("*.checkpoint*"))


WORKER = """
import json, sys
from pathlib import Path
from dragoman.config import NlmOptions
from dragoman.neural import train_model
corpus, out, options = Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
train_model(corpus / "text", out, NlmOptions(**options), source=corpus / "source", links=corpus / "links")
"""


@pytest.mark.parametrize(
    "changes",
    [{"patience": 1}, {}, {"training": "nce", "noise_samples": 4, "shared_noise": False, "direct_ngrams": 200}],
    ids=str,
)
def test_a_killed_run_goes_on_to_the_same_file(changes: dict[str, Any], corpus: Path, tmp_path: Path) -> None:
    options = {
        "order": 4, "dimension": 64, "classes": 5, "epochs": 12, "minibatch": 64, "source_window": 2, "seed": 3,
        "threads": 1, "checkpoint_seconds": 0.0, "device": "cpu", "patience": 100, "heldout": 0.1,
    } | changes  # fmt: skip

    def start(out: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", WORKER, str(corpus), str(tmp_path / out), json.dumps(options)]
        return subprocess.Popen(command, env=os.environ)

    assert start("whole").wait() == 0
    kills = 0
    for attempt in range(15):
        running = start("resumed")
        # Each time a little later, counted from when it is at work.
        checkpoint = tmp_path / "resumed.checkpoint"
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
        while running.poll() is None and (checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0) == before:
            time.sleep(0.001)
        time.sleep(0.01 * 2**attempt)
        running.send_signal(signal.SIGKILL)
        if running.wait() == 0:
            break
        kills += 1
    assert kills >= 1
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()
    # Nor is anything left of checkpoints that were being written.
    assert not list(tmp_path.glob("resumed.checkpoint*"))


def test_a_named_checkpoint_stays_until_what_was_made_is_in_its_place(corpus: Path, tmp_path: Path) -> None:
    """A run that is killed after it wrote its file, and before that was moved, has nothing to train again."""
    checkpoint, out = tmp_path / "checkpoint", tmp_path / "nlm.bin"
    run(corpus, out, checkpoint=checkpoint)
    made = out.read_bytes()
    out.unlink()
    epochs: list[Any] = []
    run(corpus, out, checkpoint=checkpoint, on_epoch=epochs.append)
    assert out.read_bytes() == made and not epochs
    train.remove_checkpoint(checkpoint)
    assert list(tmp_path.iterdir()) == [out]


def test_the_preset_of_the_thesis_is_trained_as_there(corpus: Path, tmp_path: Path) -> None:
    report = run(corpus, tmp_path / "nlm.bin", NlmOptions(preset="thesis", device="cpu", epochs=1, threads=1))
    described = _core.NeuralModel(str(tmp_path / "nlm.bin")).describe()
    assert described["classes"] == round(math.sqrt(report.words)) == report.plan.classes
    assert described["input_precision"] == described["output_precision"] == "f32" and described["dimension"] == 500
    assert not report.plan.hidden_bias


class StoppedError(Exception):
    pass


def stop_after(calls: int) -> Any:
    left = calls

    def progress(done: int, total: int) -> None:
        nonlocal left
        assert 0 <= done <= total
        left -= 1
        if left < 0:
            raise StoppedError

    return progress


def test_an_interrupted_run_loses_nothing(corpus: Path, tmp_path: Path) -> None:
    options = replace(OPTIONS, checkpoint_seconds=0.0)
    run(corpus, tmp_path / "whole", options)
    for calls in (3, 20):
        with pytest.raises(StoppedError):
            run(corpus, tmp_path / "resumed", options, progress=stop_after(calls))
        assert (tmp_path / "resumed.checkpoint").exists() and not (tmp_path / "resumed").exists()
    # Threads and the time between checkpoints may change.
    run(corpus, tmp_path / "resumed", replace(options, threads=2, checkpoint_seconds=300.0))
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()


def random_text(path: Path, words: int, lines: int) -> Path:
    choose = random.Random(2)
    sentences = (" ".join(f"w{number}" for number in choose.choices(range(words), k=9)) for _ in range(lines))
    path.write_text("".join(f"{sentence}\n" for sentence in sentences))
    return path


@pytest.fixture
def wordy(tmp_path: Path) -> Path:
    """A text of some hundred words, so that clustering tells of them more than once."""
    return random_text(tmp_path / "wordy", 300, 200)


def test_clustering_tells_how_far_it_is(wordy: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    report = train_model(wordy, tmp_path / "nlm.bin", OPTIONS, progress=lambda done, total: told.append((done, total)))
    vocabulary = report.words + 4
    of_clustering = [done for done, total in told if total == vocabulary]
    assert of_clustering == sorted(of_clustering) and of_clustering[-1] > vocabulary / 2
    assert {total for _, total in told} == {vocabulary, report.tokens * OPTIONS.epochs}


@pytest.mark.parametrize("error", [StoppedError, KeyboardInterrupt])
def test_clustering_can_be_stopped(error: type[BaseException], wordy: Path, tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if error is KeyboardInterrupt:
            signal.raise_signal(signal.SIGINT)  # as Ctrl-C does
        raise error

    with pytest.raises(error):
        train_model(wordy, tmp_path / "nlm.bin", OPTIONS, progress=stop)
    assert not list(tmp_path.glob("nlm.bin*"))
    text = core_training.read_text([wordy], OPTIONS, None, None, None, None)
    for cluster in (text.brown_classes, text.brown_tree):
        with pytest.raises(error):
            cluster(20, 1, stop)


def test_clustering_uses_scratch_files(tmp_path: Path) -> None:
    """Of a text whose ids take less than the megabyte that is worth a file, and its neighbouring words more."""
    wordy = random_text(tmp_path / "wordy", 600, 20_000)
    results = []
    for kind in ("brown_classes", "brown_tree"):
        scratch = _core.ScratchSpace(str(tmp_path), 1 << 30)
        texts = [core_training.read_text([wordy], OPTIONS, None, None, None, place) for place in (None, scratch)]
        before = scratch.peak_bytes
        results.append({getattr(text, kind)(20, 1) for text in texts})
        assert scratch.peak_bytes > before
    assert [len(same) for same in results] == [1, 1]


def test_foreign_checkpoints_are_refused(corpus: Path, tmp_path: Path) -> None:
    checkpoint = tmp_path / "nlm.bin.checkpoint"
    checkpoint.write_bytes(b"something else")
    with pytest.raises(ConfigError, match="delete it"):
        run(corpus, tmp_path / "nlm.bin")
    checkpoint.unlink()
    options = replace(OPTIONS, checkpoint_seconds=0.0)
    with pytest.raises(StoppedError):
        run(corpus, tmp_path / "nlm.bin", options, progress=stop_after(3))
    for changes in ({"dimension": 9}, {"seed": 7}, {"dropout": 0.2}):
        with pytest.raises(ConfigError, match="other options"):
            run(corpus, tmp_path / "nlm.bin", replace(options, **changes))
    (tmp_path / "classes").write_text("the d\na d\ncat n\ndog n\n<unk> u\n")
    with pytest.raises(ConfigError, match="other options"):
        run(corpus, tmp_path / "nlm.bin", options, classes=tmp_path / "classes")
    (tmp_path / "text").write_text((corpus / "text").read_text() + "one more\n")
    with pytest.raises(ConfigError, match="other text"):
        train_model(tmp_path / "text", tmp_path / "nlm.bin", options)
    whole = checkpoint.read_bytes()
    for at in range(0, len(whole), len(whole) // 40):
        checkpoint.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(ConfigError, match="delete it"):
            run(corpus, tmp_path / "nlm.bin", options)
    assert not (tmp_path / "nlm.bin").exists()


def test_a_source_of_rare_words_is_read_all_the_same(tmp_path: Path) -> None:
    """None of its words is frequent enough to be known, and the network reads it as it reads any other."""
    (tmp_path / "text").write_text("a b c d\n" * 40)
    (tmp_path / "source").write_text("".join(f"w{line}\n" for line in range(40)))
    (tmp_path / "links").write_text("0-0\n" * 40)
    out = tmp_path / "nlm.bin"
    train_model(tmp_path / "text", out, OPTIONS, source=tmp_path / "source", links=tmp_path / "links")
    assert _core.NeuralModel(str(out)).describe()["source_window"] == OPTIONS.source_window


def test_text_in_files_gives_the_same_model(tmp_path: Path) -> None:
    """A text long enough for files: what lies in them is its words, source words and places, and bigrams."""
    choose = random.Random(1)
    lines = [" ".join(f"w{int(choose.expovariate(0.002))}" for _ in range(60)) for _ in range(6000)]
    (tmp_path / "text").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "source").write_text("".join(f"{line.upper()}\n" for line in lines))
    (tmp_path / "links").write_text("0-0 59-59\n" * len(lines))
    options = replace(OPTIONS, epochs=1, minibatch=5000, direct_ngrams=1000, dimension=4)
    run(tmp_path, tmp_path / "in memory", options, source=True)
    scratch = _core.ScratchSpace(str(tmp_path), 50_000_000)
    run(tmp_path, tmp_path / "in files", options, source=True, scratch=scratch)
    assert (tmp_path / "in files").read_bytes() == (tmp_path / "in memory").read_bytes()
    assert scratch.peak_bytes > 12 * 60 * len(lines)


def test_classes_may_be_given(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "classes").write_text("the d\na d\ncat n\ndog n\n<unk> u\n")
    run(corpus, tmp_path / "nlm.bin", classes=tmp_path / "classes")
    assert _core.NeuralModel(str(tmp_path / "nlm.bin")).describe()["classes"] == 5  # and </s>, and all others
    (tmp_path / "classes").write_text("the\n")
    with pytest.raises(InputError, match="line 1: write a word and its class"):
        run(corpus, tmp_path / "nlm.bin", classes=tmp_path / "classes")


def test_a_vocabulary_limits_the_words(corpus: Path, tmp_path: Path) -> None:
    report = run(corpus, tmp_path / "nlm.bin", vocabulary=b"the\ncat\nunheard\n")
    assert report.words == 2


def test_source_words_lower_perplexity(corpus: Path, tmp_path: Path) -> None:
    ratios = []
    for seed in range(1, 7):  # single seeds vary by a tenth
        options = replace(OPTIONS, epochs=4, seed=seed)
        alone = run(corpus, tmp_path / f"alone{seed}", replace(options, min_count=2))
        conditioned = run(corpus, tmp_path / f"conditioned{seed}", options, source=True)
        ratios.append(conditioned.heldout_perplexity / alone.heldout_perplexity)
    assert statistics.mean(ratios) < 0.7, ratios


BAD: list[tuple[str, dict[str, Any], dict[str, Any], type[Exception], str]] = [
    ("source without links", {}, {"source": "source"}, ConfigError, "needs links"),
    ("links without source", {}, {"links": "links"}, ConfigError, "name it with --source"),
    ("tree by noise", {"output": "tree", "training": "nce"}, {}, ConfigError, "likelihood"),
    ("direct features of a tree", {"output": "tree", "direct_ngrams": 5}, {}, ConfigError, "class"),
    ("held out more than there is", {"heldout": 1.0}, {}, ConfigError, "heldout"),
    ("links of another text", {}, {"source": "text", "links": "bad links"}, InputError, "outside"),
    ("source of another length", {}, {"source": "empty", "links": "links"}, InputError, "two sides"),
    ("no GPU", {"device": "abacus"}, {}, ConfigError, "--device"),
    ("diverging", {"learning_rate": 1e30}, {}, DragomanError, "lower --learning-rate"),
]


@pytest.mark.parametrize(
    ("changes", "files", "error", "message"), [case[1:] for case in BAD], ids=[case[0] for case in BAD]
)
def test_bad_input_gets_one_sentence(
    changes: dict[str, Any], files: dict[str, Any], error: type[Exception], message: str, corpus: Path, tmp_path: Path
) -> None:
    (corpus / "empty").write_text("")
    (corpus / "bad links").write_text("0-0\n" + "50-0\n" * 299)
    options = replace(OPTIONS, **changes)
    with pytest.raises(error, match=message) as caught:
        train_model(
            corpus / "text", tmp_path / "nlm.bin", options, **{key: corpus / name for key, name in files.items()}
        )
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "nlm.bin").exists()


def test_empty_text_is_refused(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    with pytest.raises(InputError, match="empty"):
        train_model(tmp_path / "empty", tmp_path / "nlm.bin", OPTIONS)


@pytest.mark.parametrize("text", ["a\n", "a b\n\n", "\n\n", "a\nb\n"])
def test_the_smallest_texts_give_models(text: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text(text)
    options = NlmOptions(classes=50, threads=1, epochs=1, dimension=4, device="cpu")
    report = train_model(tmp_path / "text", tmp_path / "nlm.bin", options)
    assert math.isfinite(report.heldout_perplexity)


@pytest.mark.parametrize("changes", [{}, {"output_precision": "f32", "contexts": "diagonal"}, {"direct_ngrams": 60}])
@pytest.mark.parametrize("source", [False, True])
def test_size_is_predicted(changes: dict[str, Any], source: bool, corpus: Path, tmp_path: Path) -> None:
    from dragoman.neural.shape import predicted_bytes

    options = replace(OPTIONS, dimension=64, epochs=1, input_precision="int8", output_precision="int8", direct_bits=8)
    options = replace(options, **changes)
    report = run(corpus, tmp_path / "nlm.bin", options, source=source)
    predicted = predicted_bytes(options, report.tokens, report.words, report.source_words)
    assert report.bytes == pytest.approx(predicted, rel=0.25, abs=6000)


def test_out_of_memory_gives_advice(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*arguments: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr(train, "train_in_core", exhausted)
    with pytest.raises(DragomanError, match="lower --minibatch"):
        run(corpus, tmp_path / "nlm.bin")


@pytest.mark.parametrize(
    "changes", [{"output": "tree"}, {"output": "flat", "training": "nce"}, {"device": "cuda"}], ids=str
)
def test_what_needs_pytorch_says_so_where_there_is_none(
    changes: dict[str, Any], corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train, "has_torch", lambda: False)
    assert not core_training.covers(replace(OPTIONS, **changes)) or changes == {"device": "cuda"}
    with pytest.raises(DragomanError, match=r"needs PyTorch.*pip install"):
        run(corpus, tmp_path / "nlm.bin", replace(OPTIONS, **changes))


def test_training_in_the_core_loads_neither_torch_nor_numpy(corpus: Path, tmp_path: Path) -> None:
    program = (
        "import sys; from dragoman.neural import train_model; from dragoman.config import NlmOptions;"
        "train_model(sys.argv[1], sys.argv[2], NlmOptions(dimension=4, epochs=1, device='cpu'));"
        "sys.exit(bool({'torch', 'numpy'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", program, str(corpus / "text"), str(tmp_path / "nlm.bin")], check=True)
