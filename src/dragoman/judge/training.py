"""From tokenized text to judge.bin: learn the pieces, train, write.

This module imports no torch; it comes with the extra `neural` and is needed by `train_judge` alone.
"""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from dragoman import _core
from dragoman.config import JudgeOptions
from dragoman.errors import ConfigError, DragomanError
from dragoman.extras import install_command
from dragoman.judge.report import Epoch, JudgeReport
from dragoman.judge.shape import completed, make_schedule, shape_of
from dragoman.neural.allocator import advising
from dragoman.neural.train import has_gpu, has_torch
from dragoman.progress import Progress

# What does not change the result, as far as PyTorch can promise that.
RESOURCES = ("device", "threads")


def require_trainer(options: JudgeOptions) -> None:
    """DragomanError where a judge cannot be trained here."""
    if not has_torch():
        raise DragomanError(
            f"a judge is trained with PyTorch; install it with `{install_command('neural')}`, or pass --judge off"
        )
    if options.device == "cuda" and not has_gpu():
        raise ConfigError(
            "there is no GPU that PyTorch can use; leave judge_network.device at auto or cpu", "judge_network.device"
        )


def on_gpu(options: JudgeOptions) -> bool:
    """Whether it would be trained on one."""
    return options.device != "cpu" and has_gpu()


def train_judge(
    source: _core.IdText,
    target: _core.IdText,
    out: Path,
    options: JudgeOptions,
    *,
    checkpoint: Path,
    progress: Progress | None = None,
    on_epoch: Callable[[Epoch], None] | None = None,
) -> JudgeReport:
    """Trains a judge on a bitext as models see it, and writes it to `out`. A run that was killed goes on from
    `checkpoint`, which is deleted at the end."""
    require_trainer(options)
    kind = "cuda" if on_gpu(options) else "cpu"
    with advising(kind, "judge_network.batch_pieces first, then judge_network.dimension"):
        return trained(source, target, out, options, kind, checkpoint, progress, on_epoch)


def trained(
    source: _core.IdText,
    target: _core.IdText,
    out: Path,
    options: JudgeOptions,
    kind: str,
    checkpoint: Path,
    progress: Progress | None,
    on_epoch: Callable[[Epoch], None] | None,
) -> JudgeReport:
    import torch

    from dragoman.judge import text
    from dragoman.judge.batches import Batches, hold_out
    from dragoman.judge.checkpoint import fingerprint
    from dragoman.judge.export import write_judge
    from dragoman.judge.network import Network
    from dragoman.judge.trainer import Trainer
    from dragoman.neural.trainer import seeded

    if kind == "cpu":
        torch.set_num_threads(options.threads or os.cpu_count() or 1)
    else:
        torch.backends.cuda.matmul.allow_tf32 = True
    options = completed(options, source.sentences, target.tokens)
    kept, held = hold_out(source.sentences, options.heldout, options.seed)
    lines = text.lines_of(source), text.lines_of(target)
    pieces = text.learn_pieces(list(lines), options.pieces)
    pairs = text.encode(pieces, *lines)
    schedule = make_schedule(options, len(kept), len(pairs.target.ids))
    train, heldout = (Batches(pairs, chosen, schedule.batch_pieces) for chosen in (kept, held))
    shape = shape_of(options)
    torch.manual_seed(seeded(torch.device("cpu"), options.seed).initial_seed())
    network = Network(shape, len(pieces), schedule.dropout)
    settings = {name: value for name, value in asdict(options).items() if name not in RESOURCES}
    sides = pairs.source.ids, pairs.source.begin, pairs.target.ids, pairs.target.begin
    trainer = Trainer(
        network,
        train,
        heldout,
        schedule,
        patience=options.patience,
        seconds=options.seconds,
        seed=options.seed,
        device=torch.device(kind),
        checkpoint_path=checkpoint,
        fingerprint=fingerprint({**settings, **asdict(schedule)}, *sides),
        progress=progress,
        on_epoch=on_epoch,
    )
    state = trainer.run()
    write_judge(out, shape, pieces, trainer.best, options.precision)
    checkpoint.unlink(missing_ok=True)
    return JudgeReport(
        pairs=train.pairs,
        pieces=len(pieces),
        parameters=shape.parameters(len(pieces)),
        shape=shape,
        schedule=dataclasses.replace(schedule, epochs=state.epochs),
        history=state.history,
        best_epoch=state.best_epoch + 1,
        heldout_perplexity=math.exp(min(state.best, 700.0)),
        seconds=state.seconds,
        bytes=out.stat().st_size,
    )
