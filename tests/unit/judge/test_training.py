"""Training a judge: it learns, the same again, from where it was killed too, and says what is wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
np = pytest.importorskip("numpy")

from dragoman import _core  # noqa: E402
from dragoman.config import JudgeOptions  # noqa: E402
from dragoman.errors import ConfigError, DragomanError, InputError  # noqa: E402
from dragoman.judge import train_judge  # noqa: E402
from dragoman.judge.report import Epoch, JudgeReport  # noqa: E402
from dragoman.judge.trainer import Trainer  # noqa: E402
from tests.unit.judge.small_judge import toy_text  # noqa: E402

OPTIONS = JudgeOptions(
    dimension=64, encoder_layers=1, decoder_layers=1, pieces=80, epochs=8, dropout=0.0, device="cpu", threads=1
)


def text_of(lines: str) -> _core.IdText:
    builder = _core.IdTextBuilder()
    builder.add(lines.encode())
    return builder.finish()


def train(folder: Path, options: JudgeOptions = OPTIONS, pairs: int = 400, **more: object) -> JudgeReport:
    source, target = map(text_of, toy_text(pairs))
    out = folder / "judge.bin"
    return train_judge(source, target, out, options, checkpoint=folder / "checkpoint", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("backward_layers", [0, 1])
def test_it_learns_which_translation_is_right(backward_layers: int, tmp_path: Path) -> None:
    seen: list[Epoch] = []
    progress: list[tuple[int, int]] = []
    options = replace(OPTIONS, epochs=20, batch_pieces=256, learning_rate=0.005, backward_layers=backward_layers)
    report = train(tmp_path, options, on_epoch=seen.append, progress=lambda done, of: progress.append((done, of)))
    assert seen == report.history and len(seen) <= 20 and report.pairs == 392
    assert seen[-1].heldout_loss < 0.5 * seen[0].heldout_loss
    assert report.bytes == (tmp_path / "judge.bin").stat().st_size
    assert not (tmp_path / "checkpoint").exists()
    assert all(0 < done <= of for done, of in progress)
    judge = _core.Judge.open(str(tmp_path / "judge.bin"))
    source = ["le", "chien", "blanc", "mange", "un", "chat"]
    right = ["the", "white", "dog", "eats", "a", "cat"]
    wrong = ["the white cat eats a dog", "the black dog eats a cat", "the dog white eats a cat", "the white dog eats a"]
    first, *others = judge.score(source, [right, *(each.split() for each in wrong)])
    assert all(first > other + 1 for other in others)


class KilledError(Exception):
    """As good as a signal."""


@pytest.mark.parametrize(("last", "backward_layers"), [(1, 0), (3, 1)])
def test_a_run_that_was_killed_goes_on_to_the_same_file(last: int, backward_layers: int, tmp_path: Path) -> None:
    options = replace(OPTIONS, epochs=4, dropout=0.1, backward_layers=backward_layers)
    once, again = tmp_path / "once", tmp_path / "again"
    for folder in (once, again):
        folder.mkdir()

    def kill(epoch: Epoch) -> None:
        if epoch.epoch == last:
            raise KilledError

    whole = train(once, options, 150)
    with pytest.raises(KilledError):
        train(again, options, 150, on_epoch=kill)
    assert (again / "checkpoint").exists() and not (again / "judge.bin").exists()
    seen: list[Epoch] = []
    resumed = train(again, options, 150, on_epoch=seen.append)
    assert [epoch.epoch for epoch in seen] == list(range(last + 1, 5))
    assert (again / "judge.bin").read_bytes() == (once / "judge.bin").read_bytes()
    assert resumed.heldout_perplexity == whole.heldout_perplexity and resumed.best_epoch == whole.best_epoch


def test_time_says_how_many_epochs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Trainer, "epoch_seconds", lambda self: 4.0)
    timed = train(tmp_path, replace(OPTIONS, seconds=9.0), 60)
    assert len(timed.history) == timed.schedule.epochs == 2
    judge = (tmp_path / "judge.bin").read_bytes()
    train(tmp_path, replace(OPTIONS, epochs=2), 60)
    assert (tmp_path / "judge.bin").read_bytes() == judge
    assert train(tmp_path, replace(OPTIONS, seconds=0.1), 60).schedule.epochs == 1
    assert train(tmp_path, replace(OPTIONS, seconds=1e9, patience=99), 60).schedule.epochs == OPTIONS.epochs


def test_how_long_an_epoch_takes_changes_nothing(tmp_path: Path) -> None:
    train(tmp_path, replace(OPTIONS, epochs=2), 400)
    plain = (tmp_path / "judge.bin").read_bytes()
    train(tmp_path, replace(OPTIONS, epochs=2, seconds=1e6), 400)
    assert (tmp_path / "judge.bin").read_bytes() == plain


def test_a_run_that_was_killed_keeps_its_epochs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def kill(epoch: Epoch) -> None:
        raise KilledError

    monkeypatch.setattr(Trainer, "epoch_seconds", lambda self: 3.0)
    with pytest.raises(KilledError):
        train(tmp_path, replace(OPTIONS, seconds=9.0), 60, on_epoch=kill)
    monkeypatch.setattr(Trainer, "epoch_seconds", lambda self: 1.0)
    assert train(tmp_path, replace(OPTIONS, seconds=9.0), 60).schedule.epochs == 3


def test_another_seed_gives_another_judge(tmp_path: Path) -> None:
    files = []
    for seed in (1, 1, 2):
        train(tmp_path, replace(OPTIONS, epochs=1, seed=seed), 60)
        files.append((tmp_path / "judge.bin").read_bytes())
    assert files[0] == files[1] != files[2]


def test_it_stops_when_nothing_gets_better(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    losses = iter([3.0, 2.0, 2.5, 2.1, 1.0])
    monkeypatch.setattr(Trainer, "heldout_loss", lambda self: next(losses))
    report = train(tmp_path, replace(OPTIONS, patience=2), 40)
    assert [epoch.heldout_loss for epoch in report.history] == [3.0, 2.0, 2.5, 2.1] and report.best_epoch == 2


def test_a_checkpoint_of_other_text_is_refused(tmp_path: Path) -> None:
    def kill(epoch: Epoch) -> None:
        raise KilledError

    with pytest.raises(KilledError):
        train(tmp_path, pairs=40, on_epoch=kill)
    with pytest.raises(ConfigError, match="checkpoint of a run on other text or with other options"):
        train(tmp_path, pairs=41)
    (tmp_path / "checkpoint").write_bytes(b"nothing")
    with pytest.raises(ConfigError, match="is no checkpoint of this program"):
        train(tmp_path, pairs=40)


def test_a_rate_that_is_too_high_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    step = Trainer.step
    monkeypatch.setattr(Trainer, "step", lambda self, batch, number: step(self, batch, number) * float("nan"))
    with pytest.raises(DragomanError, match=r"diverged.*lower judge_network\.learning_rate \(it was 0\.001\)"):
        train(tmp_path, pairs=40)


def test_the_rate_rises_and_falls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rates: list[float] = []
    step = Trainer.step

    def watched(self: Trainer, batch: object, number: int) -> object:
        rates.append(self.rate(number))
        return step(self, batch, number)  # type: ignore[arg-type]

    monkeypatch.setattr(Trainer, "step", watched)
    train(tmp_path, replace(OPTIONS, epochs=5, patience=9), 400)
    top = max(range(len(rates)), key=rates.__getitem__)
    assert rates[: top + 1] == sorted(rates[: top + 1]) and rates[top:] == sorted(rates[top:], reverse=True)
    assert (
        0 < rates[-1] < 0.1 * OPTIONS.learning_rate
        and 0.9 * OPTIONS.learning_rate < rates[top] <= OPTIONS.learning_rate
    )


def test_texts_that_do_not_go_together(tmp_path: Path) -> None:
    source, target = toy_text(20)
    out, checkpoint = tmp_path / "judge.bin", tmp_path / "checkpoint"
    with pytest.raises(InputError, match="20 sentences and the target 21"):
        train_judge(text_of(source), text_of(target + "more\n"), out, OPTIONS, checkpoint=checkpoint)
    with pytest.raises(InputError, match="the text is empty"):
        train_judge(text_of(""), text_of(""), out, OPTIONS, checkpoint=checkpoint)


def test_empty_and_endless_sentences_are_no_harm(tmp_path: Path) -> None:
    source, target = toy_text(30)
    out, checkpoint = tmp_path / "judge.bin", tmp_path / "checkpoint"
    source += "\n" + "le " * 500 + "\nchat\n"
    target += "cat\n" + "the " * 500 + "\n\n"
    report = train_judge(text_of(source), text_of(target), out, replace(OPTIONS, epochs=1), checkpoint=checkpoint)
    assert 30 <= report.pairs <= 32
