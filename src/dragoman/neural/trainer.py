"""The training loop: shuffled minibatches, AdaGrad, held-out perplexity after each epoch, early stopping, checkpoints.

The learning rate falls in a straight line to a twentieth over the planned epochs. The weights of the best epoch are the
result. Everything random is drawn from (seed, epoch, step), so a run that was stopped goes on as if it had not been.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from dragoman.errors import DragomanError
from dragoman.neural import checkpoint
from dragoman.neural.batch import Batch
from dragoman.neural.network import Network
from dragoman.neural.processes import Processes
from dragoman.neural.report import Epoch
from dragoman.neural.tables import AdaGrad
from dragoman.neural.training_text import Stream
from dragoman.progress import Progress

LAST_RATE = 0.05  # of the learning rate, at the end
SCORED_AT_ONCE = 8192
CHECK_STEPS = 50  # between looks at the loss, each of which makes a GPU wait


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how fast to learn."""

    epochs: int
    minibatch: int
    learning_rate: float
    l2: float
    dropout: float
    patience: int
    seed: int
    checkpoint_seconds: float = 300.0


@dataclass(frozen=True, slots=True)
class Heldout:
    """Perplexity of held-out text per word, sentence ends included, and log Z of all that a decoder may leave out."""

    perplexity: float
    log_normaliser_mean: float
    log_normaliser_deviation: float
    factor_means: Tensor  # of log Z, for each factor, where it is more than one word


class Feed:
    """A text on the device, cut into batches by position."""

    def __init__(
        self,
        text: Stream,
        order: int,
        window: int,
        device: torch.device,
        direct: npt.NDArray[np.int32] | None = None,
    ) -> None:
        def on_device(array: Any) -> Tensor:
            return torch.from_numpy(np.ascontiguousarray(array)).to(device)

        self.ids = on_device(text.ids)
        self.positions = on_device(text.positions)
        self.back = torch.arange(1, order, device=device)
        self.source_ids = self.centres = None
        if text.source_ids is not None and text.centres is not None:
            self.source_ids, self.centres = on_device(text.source_ids), on_device(text.centres)
        self.around = torch.arange(-window, window + 1, device=device)
        self.direct = on_device(direct) if direct is not None else None

    def __len__(self) -> int:
        return len(self.positions)

    def batch(self, chosen: Tensor) -> Batch:
        at = self.positions[chosen]
        sources = None
        if self.source_ids is not None and self.centres is not None:
            sources = self.source_ids[self.centres[at].unsqueeze(1) + self.around].long()
        return Batch(
            self.ids[at].long(),
            self.ids[at.unsqueeze(1) - self.back].long(),
            sources,
            self.direct[chosen] if self.direct is not None else None,
        )


def seeded(device: torch.device, *numbers: int) -> torch.Generator:
    """A generator that depends on all of the numbers."""
    mixed = np.random.SeedSequence(numbers).generate_state(2, np.uint32)
    return torch.Generator(device).manual_seed(int(mixed[0]) << 31 ^ int(mixed[1]))


class Trainer:
    def __init__(
        self,
        network: Network,
        train: Feed,
        heldout: Feed,
        schedule: Schedule,
        *,
        checkpoint_path: Path | None = None,
        fingerprint: str = "",
        processes: Processes | None = None,
        progress: Progress | None = None,
        on_epoch: Callable[[Epoch], None] | None = None,
    ) -> None:
        self.network = network
        self.train_feed, self.heldout_feed = train, heldout
        self.schedule = schedule
        self.checkpoint_path, self.fingerprint = checkpoint_path, fingerprint
        self.processes = processes or Processes()
        self.progress, self.on_epoch = progress, on_epoch
        self.device = train.ids.device
        biases = {name for name in network.parameters if name.endswith("bias")}
        self.optimizer = AdaGrad(
            network.parameters, schedule.l2 / schedule.minibatch, frozenset(network.parameters) - biases
        )
        self.state = checkpoint.State()
        self.best: dict[str, Tensor] = {}
        self.steps = max(1, math.ceil(len(train) / schedule.minibatch))

    def run(self) -> checkpoint.State:
        """Trains until the planned epochs are over or held-out perplexity stops falling; leaves the best weights."""
        self.resume()
        state, schedule = self.state, self.schedule
        while state.epoch < schedule.epochs and state.epoch - state.best_epoch <= schedule.patience:
            self.epoch()
        for name, tensor in self.best.items():
            self.network.parameters[name].copy_(tensor)
        self.centre()
        return state

    def centre(self) -> None:
        """Makes log Z of held-out text 0 on average, for scores that are to do without it; probabilities stay as they
        are. The penalty leaves it a little below, because dropout raises it in training."""
        if len(self.heldout_feed):
            means = evaluate(self.network, self.heldout_feed).factor_means
            self.network.output.shift(self.network.parameters, -means)

    def resume(self) -> None:
        if self.checkpoint_path is None or not self.checkpoint_path.exists():
            return
        self.state, tables = checkpoint.load(self.checkpoint_path, self.fingerprint)
        for name, tensor in self.network.parameters.items():
            tensor.copy_(tables["parameters"][name])
            self.optimizer.squares[name].copy_(tables["squares"][name])
        self.best = {name: tensor.to(self.device) for name, tensor in tables["best"].items()}

    def save(self) -> None:
        if self.checkpoint_path is None or not self.processes.first:
            return
        tables = self.network.parameters, self.optimizer.squares, self.best
        checkpoint.save(self.checkpoint_path, self.fingerprint, self.state, *tables)

    def epoch(self) -> None:
        state, schedule, count = self.state, self.schedule, len(self.train_feed)
        order = torch.randperm(count, generator=seeded(self.device, schedule.seed, state.epoch), device=self.device)
        loss = torch.tensor(state.loss, dtype=torch.float64, device=self.device)
        started = saved = time.monotonic()
        planned = schedule.epochs * self.steps
        while state.step < self.steps:
            begin = state.step * schedule.minibatch
            chosen = order[begin : begin + schedule.minibatch]
            loss += self.minibatch(chosen, state.epoch * self.steps + state.step, planned)
            state.step += 1
            if state.step % CHECK_STEPS == 0 or state.step == self.steps:
                self.require_finite(loss)
                if self.progress is not None:
                    done = state.epoch * count + min(count, state.step * schedule.minibatch)
                    self.progress(done, schedule.epochs * count)
                if time.monotonic() - saved > schedule.checkpoint_seconds and state.step < self.steps:
                    saved = time.monotonic()
                    state.seconds += saved - started
                    started = saved
                    state.loss = float(loss)
                    self.save()
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)
        state.seconds += time.monotonic() - started
        self.finish_epoch(float(self.processes.total(loss)) / count)

    def minibatch(self, chosen: Tensor, step: int, planned: int) -> Tensor:
        schedule, processes = self.schedule, self.processes
        generator = seeded(self.device, schedule.seed, 1, step, processes.rank)
        batch = self.train_feed.batch(processes.share(chosen))
        loss, gradients = self.network.step(batch, 1 / len(chosen), schedule.dropout, generator)
        rate = schedule.learning_rate * max(LAST_RATE, 1 - step / planned)
        self.optimizer.step(processes.sum(gradients, self.network.parameters), rate)
        return loss.double()

    def finish_epoch(self, training_loss: float) -> None:
        state = self.state
        heldout = evaluate(self.network, self.heldout_feed)
        perplexity = self.processes.agreed(heldout.perplexity)
        row = Epoch(
            epoch=state.epoch + 1,
            training_loss=training_loss,
            heldout_perplexity=perplexity,
            log_normaliser_mean=heldout.log_normaliser_mean,
            log_normaliser_deviation=heldout.log_normaliser_deviation,
            seconds=state.seconds,
        )
        state.history.append(row)
        if not math.isfinite(perplexity):
            raise diverged(self.schedule)
        if perplexity < state.best:
            state.best, state.best_epoch = perplexity, state.epoch
            self.best = {name: tensor.clone() for name, tensor in self.network.parameters.items()}
        state.epoch, state.step, state.loss = state.epoch + 1, 0, 0.0
        self.save()
        if self.on_epoch is not None:
            self.on_epoch(row)

    def require_finite(self, loss: Tensor) -> None:
        if not torch.isfinite(loss):
            raise diverged(self.schedule)


def diverged(schedule: Schedule) -> DragomanError:
    return DragomanError(
        f"training diverged: the loss is no longer a number; lower --learning-rate (it was {schedule.learning_rate:g})"
        " or --self-normalisation, or raise --minibatch; the checkpoint before this is kept"
    )


def evaluate(network: Network, feed: Feed) -> Heldout:
    total = squares = normalisers = 0.0
    factor_totals = factor_counts = torch.zeros((), device=feed.ids.device)
    for begin in range(0, len(feed), SCORED_AT_ONCE):
        chosen = torch.arange(begin, min(begin + SCORED_AT_ONCE, len(feed)), device=feed.ids.device)
        log_prob, log_normaliser = network.log_probs(feed.batch(chosen))
        total += float(log_prob.double().sum())
        factor_totals = factor_totals + log_normaliser.sum(0)
        factor_counts = factor_counts + (log_normaliser != 0).sum(0)
        log_normaliser = log_normaliser.double().sum(1)
        normalisers += float(log_normaliser.sum())
        squares += float(log_normaliser.square().sum())
    count = max(1, len(feed))
    mean = normalisers / count
    exponent = -total / count
    return Heldout(
        math.exp(exponent) if exponent < 700 else math.inf,
        mean,
        math.sqrt(max(0.0, squares / count - mean * mean)),
        factor_totals / factor_counts.clamp(min=1),
    )
